/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool stdout_was_closed;

/* What the signal handler reads: the name by itself is never written to. */
static char *volatile temp_path;
static volatile pid_t child_pid;

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
	if (temp_path)
		unlink(temp_path);
	raise(sig); /* the default action is back: SA_RESETHAND */
}

void lac_output_on_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old, new = {
		.sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigaction(signals[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &new, NULL);
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

static enum lac_status open_temp(struct lac_output *o, const char *shown,
				 const struct stat *old, struct lac_err *err)
{
	const char *slash = strrchr(o->path, '/');
	mode_t mask = umask(0);
	mode_t mode = old ? old->st_mode & 07777 : 0666 & ~mask;

	umask(mask);
	if (asprintf(&o->temp, "%.*s.%s.XXXXXX",
		     slash ? (int)(slash - o->path) + 1 : 0, o->path,
		     slash ? slash + 1 : o->path) < 0) {
		o->temp = NULL;
		return lac_fail_memory(err);
	}
	o->fd = mkostemp(o->temp, O_CLOEXEC);
	if (o->fd < 0) {
		free(o->temp);
		o->temp = NULL;
		return lac_fail_os(err, "%s: cannot be written", shown);
	}
	temp_path = o->temp;
	if (fchmod(o->fd, mode))
		return lac_fail_os(err, "%s: cannot set its mode", shown);
	return LAC_OK;
}

enum lac_status lac_output_open(const char *path, struct lac_output *ret,
				struct lac_err *err)
{
	struct lac_output o = { .fd = STDOUT_FILENO };
	struct stat st;
	enum lac_status status = LAC_OK;
	bool exists;

	if (!path && stdout_was_closed) {
		errno = EBADF;
		return lac_fail_os(err, "standard output");
	}
	if (!path) {
		*ret = o;
		return LAC_OK;
	}
	o.fd = -1;
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

static bool copy(int to, int from)
{
	char buf[1 << 16];
	off_t at = 0;
	ssize_t n;

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

/* The rename lasts, too, once the directory is on the disk; best effort. */
static void sync_directory(const char *path)
{
	char *copied = strdup(path), *slash = copied ? strrchr(copied, '/')
						     : NULL;
	int fd;

	if (slash)
		slash[slash == copied] = '\0';
	fd = open(slash ? copied : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copied);
}

enum lac_status lac_output_commit(struct lac_output *o, int fd, bool *gone,
				  struct lac_err *err)
{
	const char *shown = o->path ? o->path : "standard output";
	enum lac_status status = LAC_OK;

	*gone = false;
	if (!copy(o->fd, fd) || (o->temp && fsync(o->fd))) {
		*gone = errno == EPIPE;
		status = lac_fail_os(err, "%s: not written", shown);
	}
	/* a full disk may show up as late as here */
	if (close(o->fd) && status == LAC_OK)
		status = lac_fail_os(err, "%s: not written", shown);
	o->fd = -1;
	if (status == LAC_OK && o->temp) {
		if (rename(o->temp, o->path)) {
			status = lac_fail_os(err, "%s: not written", shown);
		} else {
			temp_path = NULL;
			free(o->temp);
			o->temp = NULL;
			sync_directory(o->path);
		}
	}
	lac_output_abandon(o);
	return status;
}

void lac_output_abandon(struct lac_output *o)
{
	if (o->fd > STDERR_FILENO)
		close(o->fd);
	o->fd = -1;
	if (o->temp)
		unlink(o->temp);
	temp_path = NULL;
	free(o->temp);
	free(o->path);
	o->temp = o->path = NULL;
}
