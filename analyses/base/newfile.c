/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void own_name(const char *prefix, char made[LAC_NEWFILE_NAME_MAX])
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(made, LAC_NEWFILE_NAME_MAX, "%s%ld-%llx%08lx", prefix,
		 (long)getpid(), (unsigned long long)now.tv_sec, now.tv_nsec);
}

/* By which an open file can be named, wherever there is a /proc. */
static void proc_path(int fd, char path[32])
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* -1 where a file cannot be without a name, or could not be given one. */
static int create_nameless(int dir)
{
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	char path[32];

	proc_path(fd, path);
	if (fd >= 0 && access(path, F_OK)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

enum lac_status lac_newfile_create(int dir, const char *prefix,
				   const char *shown, struct lac_newfile *ret,
				   struct lac_err *err)
{
	struct lac_newfile f = { .dir = dir, .fd = create_nameless(dir) };

	if (f.fd < 0) {
		own_name(prefix, f.made);
		f.fd = openat(dir, f.made, O_WRONLY | O_CREAT | O_EXCL |
			      O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	if (f.fd < 0)
		return lac_fail_os(err, "%s: cannot be written", shown);
	*ret = f;
	return LAC_OK;
}

/* A link replaces nothing: a rename does, from a name of its own. */
static int replace(struct lac_newfile *f, const char *prefix,
		   const char *from, const char *name)
{
	char made[LAC_NEWFILE_NAME_MAX];
	sigset_t all, before;
	int failed;

	/* that name does not outlive a signal, either */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	own_name(prefix, made);
	failed = linkat(AT_FDCWD, from, f->dir, made, AT_SYMLINK_FOLLOW);
	if (!failed && renameat(f->dir, made, f->dir, name)) {
		int why = errno;

		unlinkat(f->dir, made, 0);
		errno = why;
		failed = -1;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static int place(struct lac_newfile *f, const char *prefix, const char *name)
{
	char from[32];

	if (f->made[0])
		return renameat(f->dir, f->made, f->dir, name);
	proc_path(f->fd, from);
	if (!linkat(AT_FDCWD, from, f->dir, name, AT_SYMLINK_FOLLOW))
		return 0;
	return errno == EEXIST ? replace(f, prefix, from, name) : -1;
}

enum lac_status lac_newfile_place(struct lac_newfile *f, const char *prefix,
				  const char *name, const char *shown,
				  struct lac_err *err)
{
	if (place(f, prefix, name))
		return lac_fail_os(err, "%s: not written", shown);
	f->made[0] = '\0';
	return LAC_OK;
}

void lac_newfile_close(struct lac_newfile *f)
{
	if (f->fd < 0)
		return;
	close(f->fd);
	f->fd = -1;
	if (f->made[0])
		unlinkat(f->dir, f->made, 0);
	f->made[0] = '\0';
}
