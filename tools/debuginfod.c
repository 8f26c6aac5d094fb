/* SPDX-License-Identifier: BSD-2-Clause */
#include "debuginfod.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef LAC_HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>

#include "base/library.h"
#endif

#define FETCHED_MAX 64u

/* Filled in the parent; a child has its copy. */
static struct {
	char id[LAC_ID_TEXT_MAX];
	char *path; /* NULL: no server has it */
} fetched[FETCHED_MAX];
static unsigned nfetched;
static struct lac_wanted *wanted;

void lac_debuginfod_note_into(struct lac_wanted *w)
{
	wanted = w;
}

static bool has_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

static unsigned find(const char *id)
{
	unsigned i = 0;

	while (i < nfetched && strcmp(fetched[i].id, id) != 0)
		i++;
	return i;
}

const char *lac_debuginfod_find(void *context, const char *build_id)
{
	unsigned i = find(build_id);

	(void)context;
	if (i < nfetched)
		return fetched[i].path;
	if (wanted && has_servers()) {
		unsigned at = atomic_fetch_add(&wanted->n, 1);

		if (at < LAC_WANTED_MAX)
			snprintf(wanted->id[at], LAC_ID_TEXT_MAX, "%s",
				 build_id);
	}
	return NULL;
}

/* What a child wrote may be anything. */
static bool take_id(const char *from, char id[LAC_ID_TEXT_MAX])
{
	size_t n = strnlen(from, LAC_ID_TEXT_MAX - 1);

	memcpy(id, from, n);
	id[n] = '\0';
	return n && n % 2 == 0 && strspn(id, "0123456789abcdef") == n;
}

/* From then on it is not asked for again; path is taken over. */
static void note_fetched(const char *id, char *path)
{
	memcpy(fetched[nfetched].id, id, strlen(id) + 1);
	fetched[nfetched++].path = path;
}

#ifdef LAC_HAVE_DEBUGINFOD
/*
 * It is loaded when it is needed: with all that it is linked with (a client of
 * every protocol), loading it takes longer than most of what lacuna does.
 */
struct library {
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_find_debuginfo) find_debuginfo;
	__typeof__(&debuginfod_set_progressfn) set_progressfn;
};

static enum lac_status load(struct library *l, struct lac_err *err)
{
	const struct lac_library_call calls[] = {
		{ &l->begin, "debuginfod_begin" },
		{ &l->end, "debuginfod_end" },
		{ &l->find_debuginfo, "debuginfod_find_debuginfo" },
		{ &l->set_progressfn, "debuginfod_set_progressfn" },
		{ NULL, NULL },
	};

	return lac_library_load("libdebuginfod.so.1", calls, err);
}

/*
 * The library's own limits are off unless they are set, and its limit on the
 * size believes what a server announces.  These hold for one file.
 */
#define SECONDS_MAX 900
#define MIB_MAX 4096

/* A handler can reach nothing else, and a callback not much. */
static volatile sig_atomic_t stopped;
static struct sigaction before;
static struct {
	struct timespec since;
	long max_s;
	int64_t max_bytes;
	bool late, large;
} fetching;

/* The first time the library puts its things away; the second time it is not
   waited for. */
static void on_interrupt(int sig)
{
	if (stopped) {
		sigaction(sig, &before, NULL);
		raise(sig);
	}
	stopped = sig;
}

/* A number above 0, as the library takes it from its variables. */
static int64_t limit_from(const char *name, int64_t otherwise)
{
	const char *text = getenv(name);
	long n = text ? strtol(text, NULL, 10) : 0;

	return n > 0 ? n : otherwise;
}

static void set_limits(void)
{
	memset(&fetching, 0, sizeof(fetching));
	clock_gettime(CLOCK_MONOTONIC, &fetching.since);
	fetching.max_s = (long)limit_from(DEBUGINFOD_MAXTIME_ENV_VAR,
					   SECONDS_MAX);
	fetching.max_bytes = limit_from(DEBUGINFOD_MAXSIZE_ENV_VAR,
					(int64_t)MIB_MAX << 20);
}

static long seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - fetching.since.tv_sec -
	       (now.tv_nsec < fetching.since.tv_nsec);
}

/* done counts bytes only once a server sends; before that, it is small. */
static void show_progress(long done, long total)
{
	fputs("\r\033[Kdebuginfod: ", stderr);
	if (total > 0 && done <= total)
		fprintf(stderr, "%ld of %ld MiB", done >> 20, total >> 20);
	else if (done >> 20)
		fprintf(stderr, "%ld MiB", done >> 20);
	else
		fputs("waiting for the server", stderr);
	fflush(stderr);
}

/* Called several times a second; the library ends when it gives 1. */
static int on_progress(debuginfod_client *client, long done, long total)
{
	long s = seconds();

	(void)client;
	if (s && isatty(STDERR_FILENO))
		show_progress(done, total);
	fetching.late = s >= fetching.max_s;
	fetching.large = done > fetching.max_bytes;
	return stopped || fetching.late || fetching.large;
}

/* The file's path, the caller's to free(), or NULL and the library's error. */
static char *fetch(const struct library *l, const char *id, int *error)
{
	struct sigaction sa = { .sa_handler = on_interrupt };
	debuginfod_client *client = l->begin();
	char *path = NULL;
	int fd;

	set_limits();
	*error = ENOMEM;
	if (!client)
		return NULL;
	stopped = 0;
	sigaction(SIGINT, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &sa, NULL);
	l->set_progressfn(client, on_progress);
	fd = l->find_debuginfo(client, (const unsigned char *)id, 0, &path);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	l->end(client);
	sigaction(SIGINT, &before, NULL);
	if (stopped)
		raise(SIGINT);
	if (fd >= 0) {
		close(fd);
		return path;
	}
	*error = -fd;
	return NULL;
}

static enum lac_status explain_failure(const char *id, int error,
				       struct lac_err *err)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	if (fetching.late)
		return lac_fail(err, LAC_NOT_FOUND,
				"debuginfod: build id %s: given up after %ld "
				"seconds (asked %s); DEBUGINFOD_MAXTIME allows "
				"more", id, fetching.max_s, urls);
	if (fetching.large)
		return lac_fail(err, LAC_NOT_FOUND,
				"debuginfod: build id %s: given up after %" PRId64
				" bytes (asked %s); DEBUGINFOD_MAXSIZE allows "
				"more", id, fetching.max_bytes, urls);
	return lac_fail(err, LAC_NOT_FOUND,
			"debuginfod: build id %s: %s (asked %s)", id,
			strerror(error), urls);
}

static enum lac_status fetch_one(const char *id, struct lac_err *err)
{
	struct library l;
	struct lac_err why;
	char *path = NULL;
	enum lac_status st = load(&l, &why);
	int error;

	if (st != LAC_OK) {
		st = lac_fail(err, LAC_NOT_FOUND,
			      "debuginfod: build id %s: %.*s (package "
			      "libdebuginfod1)", id, 300, why.msg);
	} else {
		path = fetch(&l, id, &error);
		st = path ? LAC_OK : explain_failure(id, error, err);
	}
	note_fetched(id, path);
	return st;
}
#else
static enum lac_status fetch_one(const char *id, struct lac_err *err)
{
	note_fetched(id, NULL);
	return lac_fail(err, LAC_NOT_FOUND,
			"debuginfod: build id %s: this lacuna was built "
			"without libdebuginfod", id);
}
#endif

/* LAC_OK if one of them came, or none is to be asked for. */
static enum lac_status fetch_all(const struct lac_wanted *w, bool *more,
				 struct lac_err *err)
{
	unsigned n = atomic_load(&w->n);
	enum lac_status st = LAC_OK;
	char id[LAC_ID_TEXT_MAX];

	for (unsigned i = 0; i < n && i < LAC_WANTED_MAX; i++) {
		enum lac_status one;

		if (!take_id(w->id[i], id) || find(id) < nfetched)
			continue;
		if (nfetched == FETCHED_MAX)
			return lac_fail(err, LAC_NOT_FOUND,
					"debuginfod: more than %u files",
					FETCHED_MAX);
		one = fetch_one(id, err);
		*more |= one == LAC_OK;
		if (one != LAC_OK)
			st = one;
	}
	return *more ? LAC_OK : st;
}

enum lac_status lac_debuginfod_fetch(const struct lac_wanted *w,
				     enum lac_status st, bool *more,
				     struct lac_err *err)
{
	struct lac_err why, work = *err;

	*more = false;
	if (has_servers() && fetch_all(w, more, &why) != LAC_OK &&
	    st != LAC_OK)
		lac_fail(err, st, "%.*s; %.*s", 500, work.msg, 500, why.msg);
	return st;
}
