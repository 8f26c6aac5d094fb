/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_perfstat.c - lacuna perfstat: read perf stat's output, compare two. */
#include "commands.h"
#include "perfstat_doc.h"
#include "perfstat_pair.h"

static const struct poptOption options[] = {
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_perfstat_option_table, 0, NULL, NULL },
	POPT_TABLEEND
};

static enum lac_status compare(struct lac_run *r,
			       const struct lac_perfstat_pair *pair)
{
	struct lac_doc *d = r->doc;
	const json_t *data;

	lac_perfstat_pair_data(d, d->data, pair);
	data = json_object_get(d->data, "comparison");
	lac_doc_heading(d, 2, "New against old");
	lac_perfstat_pair_sources(d, pair);
	if (data)
		lac_perfstat_show_comparison(d, &pair->c, data);
	lac_perfstat_pair_notes(d, pair);
	if (pair->c.nresolved ||
	    lac_perfstat_disagreements(&pair->p->outputs[pair->i]) ||
	    lac_perfstat_disagreements(&pair->q->outputs[pair->k]))
		r->verdict = LAC_EXIT_FOUND;
	return LAC_OK;
}

static enum lac_status show(struct lac_run *r, const struct lac_perfstat *p,
			    size_t picked, struct lac_err *err)
{
	struct lac_doc *d = r->doc;
	json_t *outputs = json_array();
	size_t i;

	lac_doc_set(d, d->data, "outputs", outputs);
	if (picked)
		LAC_TRY(lac_perfstat_choose(p, picked, &i, err));
	for (i = 0; i < p->noutputs; i++) {
		json_t *data;

		if (picked && picked != i + 1)
			continue;
		data = lac_perfstat_output_data(p, i);
		lac_doc_append(d, outputs, data);
		if (data)
			lac_perfstat_show_output(d, p, i, data);
		if (lac_perfstat_disagreements(&p->outputs[i]))
			r->verdict = LAC_EXIT_FOUND;
	}
	lac_doc_set(d, d->data, "comparison", json_null());
	lac_doc_set(d, d->data, "notes", lac_perfstat_notes_data(p));
	lac_perfstat_show_notes(d, p);
	if (!picked && p->noutputs > 1)
		lac_doc_paragraph(d, "To compare two of these: lacuna "
				     "perfstat --pick 1,2 %s",
				  r->args[0]);
	return LAC_OK;
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	struct lac_perfstat_pair pair = { 0 };
	enum lac_status st;
	size_t picked[2];

	LAC_TRY(lac_perfstat_picked(picked, err));
	if (r->nargs == 1 && !picked[1]) {
		LAC_CLEANUP_PERFSTAT struct lac_perfstat *p = NULL;

		LAC_TRY(lac_perfstat_load(r->args[0], r->doc->arena, &p, err));
		return show(r, p, picked[0], err);
	}
	st = lac_perfstat_pair_read(r->args[0],
				    r->nargs > 1 ? r->args[1] : NULL,
				    r->doc->arena, &pair, err);
	if (st == LAC_OK)
		st = compare(r, &pair);
	lac_perfstat_pair_end(&pair);
	return st;
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
		"read; 1 at least\none resolved, or printed figures that the "
		"counts contradict; 2 usage; 3 not\nreadable, or more than "
		"one reading.",
	.min_args = 1,
	.max_args = 2,
	.options = options,
	.run = run,
	.untrusted = true,
};
