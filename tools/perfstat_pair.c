/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "perfstat_pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "number.h"
#include "perfstat_doc.h"
#include "textfile.h"

static char *pick, *runs_given, *confidence_given;
static int means;

const struct poptOption lac_perfstat_option_table[] = {
	{ "pick", 'p', POPT_ARG_STRING, &pick, 0,
	  "the outputs to use where a file has several, from 1", "N[,N]" },
	{ "confidence", 'c', POPT_ARG_STRING, &confidence_given, 0,
	  "confidence of each interval; 95 by default", "PERCENT" },
	{ "runs", 'r', POPT_ARG_STRING, &runs_given, 0,
	  "the N of perf stat -r N, which CSV and JSON do not have", "N" },
	{ "means", 'm', POPT_ARG_NONE, &means, 0,
	  "the counts are means: the perf that made them has not the defect "
	  "of printing the last run; not applied where the rates show it",
	  NULL },
	POPT_TABLEEND
};

static enum lac_status confidence(double *ret, struct lac_err *err)
{
	*ret = 95;
	return lac_number_real("--confidence", confidence_given, 1, 99.999,
			       "percent (95, not 0.95)", ret, err);
}

/* "2" or "1,3" */
enum lac_status lac_perfstat_picked(size_t picked[2], struct lac_err *err)
{
	const char *s = pick;
	double percent;

	LAC_TRY(confidence(&percent, err));
	picked[0] = picked[1] = 0;
	for (int i = 0; s && i < 2; i++) {
		const char *end;
		uint64_t v;

		if (*s == '0' || !lac_digits_scan(s, 10, 1000000, &v, &end) ||
		    (*end && (*end != ',' || i)))
			return lac_fail(err, LAC_USAGE,
					"--pick %s: not N or N,N with numbers "
					"from 1",
					pick);
		picked[i] = v;
		s = *end ? end + 1 : NULL;
	}
	return LAC_OK;
}

enum lac_status lac_perfstat_load(const char *path, struct lac_arena *arena,
				  struct lac_perfstat **ret,
				  struct lac_err *err)
{
	struct lac_perfstat_hints hints = { .means = means != 0 };
	struct lac_text t;
	uint64_t runs = 0;

	/* one run has no error of a mean, which is what it is asked for */
	LAC_TRY(lac_number_parse("--runs", runs_given, 2, 1000000, &runs, err));
	hints.runs = (unsigned)runs;
	LAC_TRY(lac_text_read(path, arena, &t, err));
	return lac_perfstat_read(strcmp(path, "-") ? path : "standard input",
				 t.text, t.size, &hints, ret, err);
}

enum lac_status lac_perfstat_choose(const struct lac_perfstat *p,
				    size_t picked, size_t *ret,
				    struct lac_err *err)
{
	if (picked > p->noutputs)
		return lac_fail(err, LAC_USAGE,
				"%s: has %zu output%s of perf stat, not %zu",
				p->name, p->noutputs,
				lac_s(p->noutputs), picked);
	if (!picked && p->noutputs > 1)
		return lac_fail(err, LAC_USAGE,
				"%s: %zu outputs of perf stat in it (the first "
				"at line %u, the second at line %u): say which "
				"to compare with --pick N,N",
				p->name, p->noutputs, p->outputs[0].first_line,
				p->outputs[1].first_line);
	*ret = picked ? picked - 1 : 0;
	return LAC_OK;
}

enum lac_status lac_perfstat_pair_read(const char *old_path,
				       const char *new_path,
				       struct lac_arena *arena,
				       struct lac_perfstat_pair *ret,
				       struct lac_err *err)
{
	size_t picked[2];
	double percent;

	LAC_TRY(lac_perfstat_picked(picked, err));
	LAC_TRY(confidence(&percent, err));
	if (new_path && !strcmp(old_path, "-") && !strcmp(new_path, "-"))
		return lac_fail(err, LAC_USAGE,
				"standard input can be read only once: give "
				"one file, or one with both outputs and "
				"--pick 1,2");
	LAC_TRY(lac_perfstat_load(old_path, arena, &ret->p, err));
	if (new_path) {
		LAC_TRY(lac_perfstat_load(new_path, arena, &ret->q, err));
	} else {
		ret->q = ret->p;
		if (ret->p->noutputs < 2)
			return lac_fail(err, LAC_USAGE,
					"%s: one output of perf stat in it: "
					"there is nothing to compare it with",
					old_path);
		if (ret->p->noutputs == 2 && !picked[0]) {
			picked[0] = 1;
			picked[1] = 2;
		}
	}
	LAC_TRY(lac_perfstat_choose(ret->p, picked[0], &ret->i, err));
	LAC_TRY(lac_perfstat_choose(ret->q, picked[1], &ret->k, err));
	return lac_perfstat_compare(&ret->p->outputs[ret->i],
				    &ret->q->outputs[ret->k], percent / 100,
				    arena, &ret->c, err);
}

void lac_perfstat_pair_end(struct lac_perfstat_pair *pair)
{
	if (pair->q != pair->p)
		lac_perfstat_destroy(pair->q);
	lac_perfstat_destroy(pair->p);
}

static void add_notes(struct lac_doc *d, json_t *into,
		      const struct lac_perfstat *p)
{
	json_t *notes = lac_perfstat_notes_data(p);

	if (!notes || json_array_extend(into, notes))
		d->broken = true;
	json_decref(notes);
}

void lac_perfstat_pair_data(struct lac_doc *d, json_t *into,
			    const struct lac_perfstat_pair *pair)
{
	json_t *outputs = json_array(), *notes = json_array();

	lac_doc_set(d, into, "outputs", outputs);
	lac_doc_append(d, outputs, lac_perfstat_output_data(pair->p, pair->i));
	lac_doc_append(d, outputs, lac_perfstat_output_data(pair->q, pair->k));
	lac_doc_set(d, into, "comparison",
		    lac_perfstat_comparison_data(
			    &pair->c, &pair->p->outputs[pair->i],
			    &pair->q->outputs[pair->k]));
	lac_doc_set(d, into, "notes", notes);
	add_notes(d, notes, pair->p);
	if (pair->q != pair->p)
		add_notes(d, notes, pair->q);
}

void lac_perfstat_pair_sources(struct lac_doc *d,
			       const struct lac_perfstat_pair *pair)
{
	lac_perfstat_show_source(d, "Old", pair->p, pair->i);
	lac_perfstat_show_source(d, "New", pair->q, pair->k);
	if (!lac_perfstat_same_command(&pair->p->outputs[pair->i],
				       &pair->q->outputs[pair->k]))
		lac_doc_paragraph(d, "The commands differ: %s against %s.  "
				     "What differs below may be that alone.",
				  pair->p->outputs[pair->i].title,
				  pair->q->outputs[pair->k].title);
}

void lac_perfstat_pair_notes(struct lac_doc *d,
			     const struct lac_perfstat_pair *pair)
{
	lac_perfstat_show_notes(d, pair->p);
	if (pair->q != pair->p)
		lac_perfstat_show_notes(d, pair->q);
}
