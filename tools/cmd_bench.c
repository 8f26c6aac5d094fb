/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_doc.h"
#include "bench_era.h"
#include "bench_message.h"
#include "bench_warnings.h"
#include "cmd.h"
#include "commands.h"

static const struct poptOption options[] = {
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_bench_option_table, 0, NULL, NULL },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_message_option_table, 0, NULL, NULL },
	{ NULL, 0, POPT_ARG_INCLUDE_TABLE,
	  (void *)(uintptr_t)lac_bench_cpus_option_table, 0, NULL, NULL },
	POPT_TABLEEND
};

static enum lac_status run(struct lac_run *run, struct lac_err *err)
{
	struct lac_bench_options o;
	struct lac_experiment r;
	const char *size = NULL;
	bool message, no_time = false;
	enum lac_status st;

	LAC_TRY(lac_bench_message_asked(&message, &o, &size, &no_time,
					run->doc->arena, err));
	if (message)
		return lac_message_bench(run->doc, &o, size, no_time, err);
	LAC_TRY(lac_message_unasked(err));
	LAC_TRY(lac_bench_execute(LAC_RUN_PLAIN, run->doc->arena, &r, err));
	st = lac_bench_data(run->doc, &r, err);
	if (st == LAC_OK) {
		lac_bench_warn_of_planted(run->doc);
		lac_doc_heading(run->doc, 1,
				"The alloc/free kernels on the allocator "
				"library");
		lac_bench_warn_of_busy_run(run->doc, &r);
		lac_bench_show_era_note(run->doc);
		lac_bench_views(run->doc, &r, 2);
		lac_bench_mark_planted(run->doc);
	}
	lac_experiment_end(&r);
	return st;
}

const struct lac_cmd lac_cmd_bench = {
	.name = "bench",
	.args = "",
	.summary = "the alloc/free kernels on the allocator library",
	.help = "Each test, size and variant is simulated, and timed in "
		"separate processes\nin mirrored rounds, with the same variant "
		"against itself as controls.\n--test message: threads that pass "
		"messages, under a raw and a sleeping\nlist_lock, side by "
		"side, and the same traffic on virtual CPUs.\n",
	.max_args = 0,
	.options = options,
	.run = run,
};
