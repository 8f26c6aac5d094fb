/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static bool stdout_was_closed;

#define PREFIX ".lacuna-"
#define WATCHED_MAX 4 /* an output, and two readers' entries */

/* What the signal handler reads: a name is written only while it is unused. */
static struct {
	volatile sig_atomic_t used;
	int dir;
	char name[LAC_NEWFILE_NAME_MAX];
} watched[WATCHED_MAX];
static volatile pid_t child_pid;

static const int ending[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGUSR1, SIGUSR2,
};
#define ENDING (sizeof(ending) / sizeof(*ending))

void lac_output_guard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		stdout_was_closed |= fd == STDOUT_FILENO;
		/* the lowest free descriptor is fd */
		if (open("/dev/null", fd ? O_WRONLY : O_RDONLY) < 0)
			_exit(3);
	}
}

static void on_signal(int sig)
{
	if (child_pid > 0)
		kill(child_pid, SIGKILL);
	for (int i = 0; i < WATCHED_MAX; i++)
		if (watched[i].used)
			unlinkat(watched[i].dir, watched[i].name, 0);
	raise(sig); /* the default action is back: SA_RESETHAND */
}

void lac_output_on_signals(void)
{
	struct sigaction old, new = {
		.sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < ENDING; i++)
		if (!sigaction(ending[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(ending[i], &new, NULL);
}

void lac_output_off_signals(void)
{
	struct sigaction old;

	for (size_t i = 0; i < ENDING; i++)
		if (!sigaction(ending[i], NULL, &old) &&
		    old.sa_handler == on_signal)
			signal(ending[i], SIG_DFL);
}

void lac_output_watch(const struct lac_newfile *f)
{
	int i = 0;

	while (i < WATCHED_MAX && watched[i].used)
		i++;
	if (!f->made[0] || i == WATCHED_MAX)
		return;
	watched[i].dir = f->dir;
	memcpy(watched[i].name, f->made, sizeof(f->made));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	watched[i].used = 1;
}

void lac_output_forget(const struct lac_newfile *f)
{
	for (int i = 0; i < WATCHED_MAX; i++)
		if (watched[i].used && !strcmp(watched[i].name, f->made))
			watched[i].used = 0;
}

void lac_output_set_child(pid_t pid)
{
	child_pid = pid;
}

/* Where the file really is, through symbolic links; it need not exist. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : strdup(path);
}

/* The directory that a path is in; the caller closes it. */
static int open_directory(const char *path)
{
	char *copied = strdup(path), *slash = copied ? strrchr(copied, '/')
						     : NULL;
	int fd;

	if (!copied)
		return -1;
	if (slash)
		slash[slash == copied] = '\0';
	/* one that may be written to, but not read, will do */
	fd = open(slash ? copied : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(copied);
	return fd;
}

static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static enum lac_status open_temp(struct lac_output *o, const char *shown,
				 const struct stat *old, struct lac_err *err)
{
	mode_t mask = umask(0);
	mode_t mode = old ? old->st_mode & 07777 : 0666 & ~mask;

	umask(mask);
	o->dir = open_directory(o->path);
	/* a name that cannot be is known early */
	if (o->dir < 0 || (faccessat(o->dir, name_in(o->path), F_OK, 0) &&
			   errno != ENOENT && errno != EACCES))
		return lac_fail_os(err, "%s: cannot be written", shown);
	LAC_TRY(lac_newfile_create(o->dir, PREFIX, shown, &o->file, err));
	lac_output_watch(&o->file);
	o->fd = o->file.fd;
	if (fchmod(o->fd, mode))
		return lac_fail_os(err, "%s: cannot set its mode", shown);
	return LAC_OK;
}

enum lac_status lac_output_open(const char *path, struct lac_output *ret,
				struct lac_err *err)
{
	struct lac_output o = LAC_OUTPUT_NONE;
	struct stat st;
	enum lac_status status = LAC_OK;
	bool exists;

	if (!path && stdout_was_closed) {
		errno = EBADF;
		return lac_fail_os(err, "standard output");
	}
	if (!path) {
		o.fd = STDOUT_FILENO;
		*ret = o;
		return LAC_OK;
	}
	o.path = resolve(path);
	if (!o.path)
		return lac_fail_memory(err);
	exists = !stat(o.path, &st);
	if (exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		status = lac_fail_os(err, "%s: cannot be written", path);
	} else if (exists && !S_ISREG(st.st_mode)) {
		o.fd = open(o.path, O_WRONLY | O_CLOEXEC);
		if (o.fd < 0)
			status = lac_fail_os(err, "%s: cannot be written",
					     path);
	} else {
		status = open_temp(&o, path, exists ? &st : NULL, err);
	}
	if (status != LAC_OK)
		lac_output_abandon(&o);
	else
		*ret = o;
	return status;
}

static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char magic[4] = "";
	bool elf = fd >= 0 && read(fd, magic, sizeof(magic)) == 4 &&
		   !memcmp(magic, "\177ELF", 4);

	if (fd >= 0)
		close(fd);
	return elf;
}

enum lac_status lac_output_spare(const char *option, const char *path,
				 const char *input, struct lac_err *err)
{
	struct stat out, in;

	if (!path || stat(path, &out) || !S_ISREG(out.st_mode))
		return LAC_OK;
	if (input &&
	    !(strcmp(input, "-") ? stat(input, &in)
				 : fstat(STDIN_FILENO, &in)) &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return lac_fail(err, LAC_USAGE,
				"%s %s: this is the input %s, and would be "
				"overwritten; name another file",
				option, path, input);
	if (!input && is_elf(path))
		return lac_fail(err, LAC_USAGE,
				"%s %s: this is an ELF file, and would be "
				"overwritten; name another file, or remove it "
				"first",
				option, path);
	return LAC_OK;
}

/* What the kernel copies on its own; false: the rest is left to be copied. */
static bool send_all(int to, int from, off_t *at)
{
	ssize_t n;

	do
		n = sendfile(to, from, at, (size_t)1 << 30);
	while (n > 0 || (n < 0 && errno == EINTR));
	return n == 0;
}

static bool copy(int to, int from)
{
	char buf[1 << 16];
	off_t at = 0;
	ssize_t n;

	if (send_all(to, from, &at))
		return true;
	/* some outputs take no more than a plain write, or fail anew here */
	while ((n = pread(from, buf, sizeof(buf), at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += n;
		for (ssize_t done = 0, w; done < n; done += w) {
			w = write(to, buf + done, (size_t)(n - done));
			if (w < 0 && errno == EINTR)
				w = 0;
			if (w < 0)
				return false;
		}
	}
	return true;
}

/* The name lasts, too, once the directory is on the disk; best effort. */
static void sync_directory(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

enum lac_status lac_output_commit(struct lac_output *o, int fd, bool *gone,
				  struct lac_err *err)
{
	const char *shown = o->path ? o->path : "standard output";
	enum lac_status status = LAC_OK;

	*gone = false;
	if (!copy(o->fd, fd) || (o->dir >= 0 && fsync(o->fd))) {
		*gone = errno == EPIPE;
		status = lac_fail_os(err, "%s: not written", shown);
	}
	if (status == LAC_OK && o->dir >= 0) {
		struct lac_newfile made = o->file;

		status = lac_newfile_place(&o->file, PREFIX, name_in(o->path),
					   shown, err);
		if (status == LAC_OK) {
			lac_output_forget(&made);
			sync_directory(o->dir);
		}
	} else if (o->dir < 0) {
		/* a full disk may show up as late as here */
		if (close(o->fd) && status == LAC_OK)
			status = lac_fail_os(err, "%s: not written", shown);
		o->fd = -1;
	}
	lac_output_abandon(o);
	return status;
}

void lac_output_abandon(struct lac_output *o)
{
	if (o->dir >= 0) {
		lac_output_forget(&o->file);
		lac_newfile_close(&o->file);
		close(o->dir);
	} else if (o->fd > STDERR_FILENO) {
		close(o->fd);
	}
	o->fd = o->dir = -1;
	free(o->path);
	o->path = NULL;
}
