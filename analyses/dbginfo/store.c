/* SPDX-License-Identifier: BSD-2-Clause */
/* store.c - the directory of kept graphs, and what an entry goes by. */
#include "dbginfo/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dbginfo/map.h"
#include "object/search.h"

#define NS_PER_S 1000000000u
/* File systems that tell times least well tell them to two seconds. */
#define TIMES_DIFFER_NS ((uint64_t)2 * NS_PER_S)
#define MADE_STALE_S 3600 /* an entry in the making that nobody finishes */
#define SUFFIX ".graph"
#define MADE_PREFIX ".made-"

/* -- keys ----------------------------------------------------------------- */

static uint64_t ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_nsec;
}

/* Another build of lacuna may read otherwise: it does not believe this one. */
static void note_reader(struct lac_store_key *key)
{
	struct lac_build_id id;

	lac_own_build_id(&id);
	if (id.size)
		memcpy(key->reader, id.bytes, id.size);
	else
		snprintf((char *)key->reader, sizeof(key->reader), "%s",
			 LAC_VERSION);
}

enum lac_status lac_store_key(const char *path,
			      const struct lac_graph_options *o,
			      struct lac_store_key *ret, struct lac_err *err)
{
	uint64_t min_bytes = o->cache_min_bytes ? o->cache_min_bytes
						: LAC_STORE_MIN_BYTES;
	int fd = o->base_path ? -1
			      : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
						   O_NOCTTY);
	struct lac_build_id id = { .size = 0 };
	struct lac_store_key key;
	struct stat st;
	bool fine;

	if (fd < 0)
		return lac_fail(err, LAC_NOT_FOUND, "%s: not read", path);
	fine = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_size >= min_bytes;
	if (fine)
		lac_file_build_id(fd, &id);
	close(fd);
	if (!fine || !id.size)
		return lac_fail(err, LAC_NOT_FOUND, "%s: not kept", path);
	memset(&key, 0, sizeof(key));
	key.device = st.st_dev;
	key.inode = st.st_ino;
	key.size = (uint64_t)st.st_size;
	key.changed_ns = ns(&st.st_ctim);
	key.modified_ns = ns(&st.st_mtim);
	key.format = o->format;
	key.partial = o->partial;
	key.id_size = id.size;
	memcpy(key.id, id.bytes, id.size);
	note_reader(&key);
	*ret = key;
	return LAC_OK;
}

bool lac_store_same(const struct lac_store_key *a,
		    const struct lac_store_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool lac_store_too_new(const struct lac_store_key *key)
{
	struct timespec now;
	uint64_t newest = key->changed_ns > key->modified_ns
				  ? key->changed_ns
				  : key->modified_ns;

	return clock_gettime(CLOCK_REALTIME, &now) ||
	       newest + TIMES_DIFFER_NS > ns(&now);
}

struct lac_store_name lac_store_name(const struct lac_store_key *key)
{
	const unsigned char *bytes = (const unsigned char *)key;
	struct lac_store_name name = { { 0 } };
	uint64_t hash = 0;
	size_t n = 0;

	for (size_t at = 0; at + 8 <= sizeof(*key); at += 8) {
		uint64_t word;

		memcpy(&word, bytes + at, 8);
		hash = lac_mix(hash ^ word);
	}
	for (unsigned i = 0; i < key->id_size && i < LAC_STORE_ID_MAX; i++)
		n += (size_t)snprintf(name.text + n, sizeof(name.text) - n,
				      "%02x", key->id[i]);
	snprintf(name.text + n, sizeof(name.text) - n, "-%016llx" SUFFIX,
		 (unsigned long long)hash);
	return name;
}

/* -- the directory -------------------------------------------------------- */

static bool only_mine(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static enum lac_status open_dir(const char *dir, int *ret, struct lac_err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return lac_fail_os(err, "%s", dir);
	if (fstat(fd, &st) || !only_mine(&st)) {
		close(fd);
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: others may write to it", dir);
	}
	*ret = fd;
	return LAC_OK;
}

static enum lac_status make_dirs(const char *dir, struct lac_err *err)
{
	char *path = strdup(dir);

	if (!path)
		return lac_fail_memory(err);
	for (char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700); /* it may well be there */
		*slash = '/';
	}
	free(path);
	if (mkdir(dir, 0700) && errno != EEXIST)
		return lac_fail_os(err, "%s", dir);
	return LAC_OK;
}

enum lac_status lac_store_open(const char *dir, const struct lac_store_key *key,
			       int *ret, struct lac_err *err)
{
	struct lac_store_name name = lac_store_name(key);
	struct stat st;
	int at, fd;

	LAC_TRY(open_dir(dir, &at, err));
	fd = openat(at, name.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
		    O_NONBLOCK | O_NOCTTY);
	close(at);
	if (fd < 0)
		return lac_fail(err, LAC_NOT_FOUND, "%s/%s: not there", dir,
				name.text);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !only_mine(&st)) {
		close(fd);
		return lac_fail(err, LAC_NOT_FOUND, "%s/%s: another's", dir,
				name.text);
	}
	*ret = fd;
	return LAC_OK;
}

enum lac_status lac_store_create(const char *dir,
				 const struct lac_store_key *key,
				 uint64_t max_bytes,
				 struct lac_store_entry *ret,
				 struct lac_err *err)
{
	struct lac_store_entry e = {
		.name = lac_store_name(key),
		.max_bytes = max_bytes ? max_bytes : LAC_STORE_MAX_BYTES,
	};
	enum lac_status st;

	LAC_TRY(make_dirs(dir, err));
	LAC_TRY(open_dir(dir, &e.dir, err));
	st = lac_newfile_create(e.dir, MADE_PREFIX, dir, &e.file, err);
	if (st == LAC_OK)
		*ret = e;
	else
		close(e.dir);
	return st;
}

void lac_store_abandon(struct lac_store_entry *e)
{
	lac_newfile_close(&e->file);
	if (e->dir >= 0)
		close(e->dir);
	e->dir = -1;
}

void lac_store_remove(const char *dir, const struct lac_store_key *key)
{
	struct lac_store_name name = lac_store_name(key);
	struct lac_err ignored;
	int at = -1;

	if (open_dir(dir, &at, &ignored) != LAC_OK)
		return;
	unlinkat(at, name.text, 0);
	close(at);
}

void lac_store_touch(int fd)
{
	struct timespec now;
	struct stat st;

	/* not each time: it is a write to the disk */
	if (!fstat(fd, &st) && !clock_gettime(CLOCK_REALTIME, &now) &&
	    now.tv_sec - st.st_mtim.tv_sec > 3600)
		futimens(fd, NULL);
}

/* -- eviction ------------------------------------------------------------- */

struct kept {
	char name[sizeof(((struct lac_store_name *)NULL)->text)];
	uint64_t used_ns, bytes;
};

static int by_use(const void *x, const void *y)
{
	const struct kept *a = x, *b = y;

	if (a->used_ns != b->used_ns)
		return a->used_ns < b->used_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

static bool is_entry(const char *name)
{
	size_t n = strlen(name), suffix = strlen(SUFFIX);

	return n > suffix && n < sizeof(((struct kept *)NULL)->name) &&
	       !strcmp(name + n - suffix, SUFFIX);
}

/*
 * Something of ours in the directory: an entry for the list, or one that is in
 * the making or was left, which takes room as well.
 */
static bool look_at(int dir, const char *name, struct kept *k, uint64_t *sum)
{
	bool made = !strncmp(name, MADE_PREFIX, strlen(MADE_PREFIX));
	struct stat st;

	if ((!made && !is_entry(name)) ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode))
		return false;
	if (made) {
		if (time(NULL) - st.st_mtim.tv_sec > MADE_STALE_S)
			unlinkat(dir, name, 0);
		else
			*sum += (uint64_t)st.st_size;
		return false;
	}
	*k = (struct kept){ .used_ns = ns(&st.st_mtim),
			    .bytes = (uint64_t)st.st_size };
	snprintf(k->name, sizeof(k->name), "%s", name);
	return true;
}

static void evict(int at, uint64_t max_bytes, const char *spare)
{
	struct kept *list = NULL;
	size_t n = 0, cap = 0;
	uint64_t sum = 0;
	struct dirent *d;
	int own = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own < 0 ? NULL : fdopendir(own);

	if (!dir) {
		if (own >= 0)
			close(own);
		return;
	}
	while ((d = readdir(dir))) {
		if (n == cap) {
			size_t more = cap ? 2 * cap : 64;
			struct kept *p = reallocarray(list, more, sizeof(*p));

			if (!p)
				break;
			list = p;
			cap = more;
		}
		n += look_at(at, d->d_name, &list[n], &sum);
	}
	closedir(dir);
	if (n)
		qsort(list, n, sizeof(*list), by_use);
	for (size_t i = 0; i < n; i++) {
		sum += list[i].bytes;
		if (sum > max_bytes && strcmp(list[i].name, spare) != 0)
			unlinkat(at, list[i].name, 0);
	}
	free(list);
}

enum lac_status lac_store_commit(struct lac_store_entry *e,
				 struct lac_err *err)
{
	struct stat st;

	/* one that is larger than all may be would only push out the others */
	if (fstat(e->file.fd, &st) || (uint64_t)st.st_size > e->max_bytes)
		return lac_fail(err, LAC_UNSUPPORTED, "too much to keep");
	LAC_TRY(lac_newfile_place(&e->file, MADE_PREFIX, e->name.text,
				  e->name.text, err));
	lac_newfile_close(&e->file);
	evict(e->dir, e->max_bytes, e->name.text);
	close(e->dir);
	e->dir = -1;
	return LAC_OK;
}
