/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench_progress.h"

#include <string.h>
#include <unistd.h>

#include "output.h"

/* A handler can reach nothing else. */
static volatile sig_atomic_t stop;

static void on_interrupt(int sig)
{
	(void)sig;
	stop = 1;
}

static void show(void *context, const char *phase, double done, double total)
{
	struct lac_progress *p = context;
	double now = lac_seconds();

	if (!isatty(STDERR_FILENO) || now - p->last_s < 0.2)
		return;
	p->last_s = now;
	p->shown = true;
	fprintf(stderr, "\r\033[K%s: %.0f %%  (^C ends it with what there is)",
		phase, total > 0 ? 100 * done / total : 100);
	fflush(stderr);
}

static void keep(void *context, const char *line)
{
	struct lac_progress *p = context;

	if (p->raw)
		fprintf(p->raw, "%s%s", line,
			strchr(line, '\n') ? "" : "\n");
}

enum lac_status lac_progress_begin(struct lac_progress *p,
				   const char *raw_path,
				   struct lac_bench_options *o,
				   struct lac_err *err)
{
	struct sigaction sa = { .sa_handler = on_interrupt };

	*p = (struct lac_progress){ .raw_path = raw_path };
	LAC_TRY(lac_output_spare("--raw", raw_path, NULL, err));
	if (raw_path) {
		p->raw = fopen(raw_path, "we");
		if (!p->raw)
			return lac_fail_os(err, "%s: cannot be written",
					   raw_path);
	}
	stop = 0;
	sigaction(SIGINT, NULL, &p->old);
	if (p->old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &sa, NULL);
	o->stop = &stop;
	o->progress = show;
	o->raw = keep;
	o->context = p;
	return LAC_OK;
}

enum lac_status lac_progress_end(struct lac_progress *p, enum lac_status st,
				 struct lac_err *err)
{
	bool bad = p->raw && ferror(p->raw);

	sigaction(SIGINT, &p->old, NULL);
	if (p->shown)
		fputs("\r\033[K", stderr);
	if (p->raw && (fclose(p->raw) || bad) && st == LAC_OK)
		st = lac_fail_os(err, "%s: not written", p->raw_path);
	return st;
}
