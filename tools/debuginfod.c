/* SPDX-License-Identifier: BSD-2-Clause */
#include "debuginfod.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef LAC_HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>
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

#ifdef LAC_HAVE_DEBUGINFOD
/*
 * It is loaded when it is needed: with all that it is linked with (a client of
 * every protocol), loading it takes longer than most of what lacuna does.
 */
struct library {
	void *handle;
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_find_debuginfo) find_debuginfo;
	__typeof__(&debuginfod_set_progressfn) set_progressfn;
	__typeof__(&debuginfod_set_user_data) set_user_data;
};

static bool load(struct library *l)
{
	const struct {
		const char *name;
		void *to;
	} symbols[] = {
		{ "debuginfod_begin", &l->begin },
		{ "debuginfod_end", &l->end },
		{ "debuginfod_find_debuginfo", &l->find_debuginfo },
		{ "debuginfod_set_progressfn", &l->set_progressfn },
		{ "debuginfod_set_user_data", &l->set_user_data },
	};

	l->handle = dlopen("libdebuginfod.so.1", RTLD_NOW);
	for (size_t i = 0; l->handle && i < sizeof(symbols) / sizeof(*symbols);
	     i++) {
		void *at = dlsym(l->handle, symbols[i].name);

		if (!at)
			return false;
		memcpy(symbols[i].to, &at, sizeof(at));
	}
	return l->handle;
}

/* A handler can reach nothing else. */
static volatile sig_atomic_t stopped;
static struct sigaction before;

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

static int show_progress(debuginfod_client *client, long done, long total)
{
	(void)client;
	if (isatty(STDERR_FILENO) && total > 0 && done <= total)
		fprintf(stderr, "\r\033[Kdebuginfod: %ld of %ld MiB",
			done >> 20, total >> 20);
	else if (isatty(STDERR_FILENO))
		fputs("\r\033[Kdebuginfod: waiting for the server", stderr);
	fflush(stderr);
	return stopped != 0;
}

/* The file's path, the caller's to free(), or NULL and errno. */
static char *fetch(const struct library *l, const char *id)
{
	struct sigaction sa = { .sa_handler = on_interrupt };
	debuginfod_client *client = l->begin();
	char *path = NULL;
	int fd;

	if (!client) {
		errno = ENOMEM;
		return NULL;
	}
	stopped = 0;
	sigaction(SIGINT, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &sa, NULL);
	l->set_progressfn(client, show_progress);
	fd = l->find_debuginfo(client, (const unsigned char *)id, 0, &path);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	l->end(client);
	sigaction(SIGINT, &before, NULL);
	if (stopped)
		raise(SIGINT);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	close(fd);
	return path;
}

static enum lac_status fetch_one(const char *id, struct lac_err *err)
{
	struct library l = { 0 };
	char *path = NULL;
	enum lac_status st = LAC_OK;

	if (load(&l)) {
		path = fetch(&l, id);
		if (!path)
			st = lac_fail(err, LAC_NOT_FOUND,
				      "debuginfod: build id %s: %s (asked %s)",
				      id, strerror(errno),
				      getenv("DEBUGINFOD_URLS"));
	} else {
		st = lac_fail(err, LAC_NOT_FOUND,
			      "debuginfod: build id %s: libdebuginfod.so.1 "
			      "cannot be loaded (package libdebuginfod1)", id);
	}
	strcpy(fetched[nfetched].id, id);
	fetched[nfetched++].path = path;
	return st;
}
#else
static enum lac_status fetch_one(const char *id, struct lac_err *err)
{
	strcpy(fetched[nfetched].id, id);
	fetched[nfetched++].path = NULL;
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
