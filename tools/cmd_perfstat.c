/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_perfstat.c - lacuna perfstat: read perf stat's output, compare two. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "number.h"
#include "perfstat_doc.h"
#include "textfile.h"

static char *pick, *runs_given, *confidence_given;
static int means;
static uint64_t runs;
static double confidence = 95;

static const struct poptOption options[] = {
	{ "pick", 'p', POPT_ARG_STRING, &pick, 0,
	  "the outputs to use where a file has several, from 1", "N[,N]" },
	{ "confidence", 'c', POPT_ARG_STRING, &confidence_given, 0,
	  "confidence of each interval; 95 by default", "PERCENT" },
	{ "runs", 'r', POPT_ARG_STRING, &runs_given, 0,
	  "the N of perf stat -r N, which CSV and JSON do not have", "N" },
	{ "means", 'm', POPT_ARG_NONE, &means, 0,
	  "the counts are means: the perf that made them has not the defect "
	  "of printing the last run",
	  NULL },
	POPT_TABLEEND
};

static enum lac_status read_file(struct lac_doc *d, const char *path,
				 struct lac_perfstat **ret,
				 struct lac_err *err)
{
	struct lac_perfstat_hints hints = { .runs = (unsigned)runs,
					    .means = means != 0 };
	struct lac_text t;

	LAC_TRY(lac_text_read(path, d->arena, &t, err));
	return lac_perfstat_read(strcmp(path, "-") ? path : "standard input",
				 t.text, t.size, &hints, ret, err);
}

/* "2" or "1,3"; 0 for what is not given. */
static enum lac_status parse_pick(size_t picked[2], struct lac_err *err)
{
	const char *s = pick;

	picked[0] = picked[1] = 0;
	for (int i = 0; s && i < 2; i++) {
		char *end;
		unsigned long v = strtoul(s, &end, 10);

		if (*s < '1' || *s > '9' || v > 1000000 ||
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

static enum lac_status choose(const struct lac_perfstat *p, size_t picked,
			      size_t *ret, struct lac_err *err)
{
	if (picked > p->noutputs)
		return lac_fail(err, LAC_USAGE,
				"%s: has %zu output%s of perf stat, not %zu",
				p->name, p->noutputs,
				p->noutputs == 1 ? "" : "s", picked);
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

static void add_output(struct lac_doc *d, const struct lac_perfstat *p,
		       size_t i, bool show)
{
	json_t *data = lac_perfstat_output_data(p, i);

	lac_doc_append(d, json_object_get(d->data, "outputs"), data);
	if (data && show)
		lac_perfstat_show_output(d, p, i, data);
}

static void add_notes(struct lac_doc *d, const struct lac_perfstat *p)
{
	json_t *all = json_object_get(d->data, "notes");
	json_t *notes = lac_perfstat_notes_data(p);

	if (!notes || json_array_extend(all, notes))
		d->broken = true;
	json_decref(notes);
	lac_perfstat_show_notes(d, p);
}

static enum lac_status compare(struct lac_run *r, const struct lac_perfstat *p,
			       const struct lac_perfstat *q,
			       const size_t picked[2], struct lac_err *err)
{
	struct lac_perfstat_comparison c;
	struct lac_doc *d = r->doc;
	json_t *data;
	size_t i, k;

	LAC_TRY(choose(p, picked[0], &i, err));
	LAC_TRY(choose(q, picked[1], &k, err));
	LAC_TRY(lac_perfstat_compare(&p->outputs[i], &q->outputs[k],
				     confidence / 100, d->arena, &c, err));
	add_output(d, p, i, false);
	add_output(d, q, k, false);
	data = lac_perfstat_comparison_data(&c, &p->outputs[i], &q->outputs[k]);
	lac_doc_set(d, d->data, "comparison", data);
	lac_doc_heading(d, 2, "New against old");
	lac_perfstat_show_source(d, "Old", p, i);
	lac_perfstat_show_source(d, "New", q, k);
	if (data)
		lac_perfstat_show_comparison(d, &c, data);
	add_notes(d, p);
	if (q != p)
		add_notes(d, q);
	if (c.nresolved)
		r->verdict = LAC_EXIT_FOUND;
	return LAC_OK;
}

static enum lac_status show(struct lac_run *r, const struct lac_perfstat *p,
			    size_t picked, struct lac_err *err)
{
	size_t i;

	if (picked)
		LAC_TRY(choose(p, picked, &i, err));
	for (i = 0; i < p->noutputs; i++)
		if (!picked || picked == i + 1)
			add_output(r->doc, p, i, true);
	lac_doc_set(r->doc, r->doc->data, "comparison", json_null());
	add_notes(r->doc, p);
	if (!picked && p->noutputs > 1)
		lac_doc_paragraph(r->doc, "To compare two of these: lacuna "
					  "perfstat --pick 1,2 %s",
				  r->args[0]);
	return LAC_OK;
}

static enum lac_status check_options(const struct lac_run *r,
				     size_t picked[2], struct lac_err *err)
{
	LAC_TRY(lac_number_real("--confidence", confidence_given, 1, 99.999,
				"percent (95, not 0.95)", &confidence, err));
	/* one run has no error of a mean, which is what it is asked for */
	LAC_TRY(lac_number_parse("--runs", runs_given, 2, 1000000, &runs, err));
	if (r->nargs == 2 && !strcmp(r->args[0], "-") &&
	    !strcmp(r->args[1], "-"))
		return lac_fail(err, LAC_USAGE,
				"standard input can be read only once: give "
				"one file, or one with both outputs and "
				"--pick 1,2");
	return parse_pick(picked, err);
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = NULL;
	LAC_CLEANUP_PERFSTAT struct lac_perfstat *q = NULL;
	size_t picked[2];

	LAC_TRY(check_options(r, picked, err));
	lac_doc_set(r->doc, r->doc->data, "outputs", json_array());
	lac_doc_set(r->doc, r->doc->data, "notes", json_array());
	LAC_TRY(read_file(r->doc, r->args[0], &p, err));
	if (r->nargs == 1)
		return picked[1] ? compare(r, p, p, picked, err)
				 : show(r, p, picked[0], err);
	LAC_TRY(read_file(r->doc, r->args[1], &q, err));
	return compare(r, p, q, picked, err);
}

const struct lac_cmd lac_cmd_perfstat = {
	.name = "perfstat",
	.args = "OLD [NEW]",
	.summary = "two perf stat outputs compared, or one read",
	.help = "Reads what perf stat prints: for people (also quoted, wrapped "
		"or mangled\nin a mail), CSV (-x) and JSON (-j), with decimal "
		"points or commas.  - is\nstandard input.\n"
		"+- is the standard error of the mean.  A difference is "
		"resolved if the\ninterval of the ratio excludes 1: log "
		"ratio, Student's t after Welch, or\nthe normal distribution "
		"if the number of runs is not known.\n"
		"exit status: 0 no difference resolved, or only one output "
		"read; 1 at least\none resolved; 2 usage; 3 not readable, or "
		"more than one reading.",
	.min_args = 1,
	.max_args = 2,
	.options = options,
	.run = run,
	.untrusted = true,
};
