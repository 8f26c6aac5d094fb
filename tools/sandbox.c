/* SPDX-License-Identifier: BSD-2-Clause */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef LAC_HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "quit.h"
#include "size.h"

#define GIB (1024ull * 1024 * 1024)

static enum lac_status own_limit(uint64_t *ret, struct lac_err *err)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	const char *given = getenv("LACUNA_MEMORY");
	uint64_t limit = 8 * GIB;

	if (pages > 0 && page > 0 &&
	    (uint64_t)pages * (uint64_t)page / 4 * 3 < limit)
		limit = (uint64_t)pages * (uint64_t)page / 4 * 3;
	if (limit < 2 * GIB)
		limit = 2 * GIB;
	if (given && *given)
		LAC_TRY(lac_size_parse("LACUNA_MEMORY", given, &limit, err));
	*ret = limit;
	return LAC_OK;
}

static bool is_off(void)
{
	const char *off = getenv("LACUNA_NO_SANDBOX");

	return LAC_SANITIZED || (off && !strcmp(off, "1"));
}

enum lac_status lac_sandbox_memory(struct lac_memory_limit *ret,
				   struct lac_err *err)
{
	struct lac_memory_limit l = { 0, "LACUNA_MEMORY" };
	struct rlimit r;

	if (!is_off())
		LAC_TRY(own_limit(&l.bytes, err));
	if (!getrlimit(RLIMIT_DATA, &r) && r.rlim_cur != RLIM_INFINITY &&
	    (!l.bytes || r.rlim_cur < l.bytes))
		l = (struct lac_memory_limit){ r.rlim_cur, "ulimit -d" };
	if (!getrlimit(RLIMIT_AS, &r) && r.rlim_cur != RLIM_INFINITY &&
	    (!l.bytes || r.rlim_cur < l.bytes))
		l = (struct lac_memory_limit){ r.rlim_cur, "ulimit -v" };
	*ret = l;
	return LAC_OK;
}

static enum lac_status limit_memory(struct lac_err *err)
{
	uint64_t limit;
	struct rlimit r;

	LAC_TRY(own_limit(&limit, err));
	/* what a process writes to, not the files that it maps */
	if (getrlimit(RLIMIT_DATA, &r))
		return lac_fail_os(err, "memory limit");
	if (r.rlim_max == RLIM_INFINITY || limit < r.rlim_max)
		r.rlim_cur = r.rlim_max = (rlim_t)limit;
	if (setrlimit(RLIMIT_DATA, &r))
		return lac_fail_os(err, "memory limit");
	return LAC_OK;
}

#define CPU_SECONDS 600u /* the largest kernels take less than one */

/* A limit of the user's counts, be it longer or shorter. */
static enum lac_status limit_time(struct lac_err *err)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_CPU, &r))
		return lac_fail_os(err, "limit on CPU time");
	if (r.rlim_cur != RLIM_INFINITY)
		return LAC_OK;
	r.rlim_cur = r.rlim_max < CPU_SECONDS ? r.rlim_max : CPU_SECONDS;
	if (setrlimit(RLIMIT_CPU, &r))
		return lac_fail_os(err, "limit on CPU time");
	return LAC_OK;
}

#ifdef LAC_HAVE_SECCOMP
/*
 * What a parser, its threads and the C library need.  Anything else fails with
 * EPERM, which libraries take as "not available".  Opening is apart, below.
 */
static const char *const always[] = {
	"read", "readv", "pread64", "write", "writev", "pwrite64", "lseek",
	"_llseek", "close", "close_range", "fstat", "fstat64", "newfstatat",
	"fstatat64", "stat", "lstat", "stat64", "lstat64", "statx", "fstatfs",
	"statfs", "access", "faccessat", "faccessat2", "readlink",
	"readlinkat", "getdents64", "getcwd", "dup", "dup2", "dup3", "fcntl",
	"fcntl64", "fadvise64", "readahead", "ftruncate",
	"ftruncate64", "fsync", "pipe2", "poll", "ppoll", "memfd_create",
	"mmap", "mmap2", "munmap", "mremap", "mprotect", "madvise", "brk",
	"mincore", "clone", "futex", "futex_time64", "set_robust_list",
	"get_robust_list", "set_tid_address", "rseq", "membarrier", "exit",
	"exit_group", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
	"sigreturn", "sigaltstack", "restart_syscall", "tgkill", "getpid",
	"gettid", "getppid", "getuid", "geteuid", "getgid", "getegid",
	"sched_yield", "sched_getaffinity", "sched_getparam",
	"sched_getscheduler", "getrandom", "clock_gettime", "clock_gettime64",
	"clock_getres", "clock_nanosleep", "clock_nanosleep_time64",
	"nanosleep", "gettimeofday", "times", "getrusage", "uname", "sysinfo",
	"prlimit64", "getrlimit", "ugetrlimit", "arch_prctl", "prctl",
	"getcpu", NULL,
};

static const char *const for_execs[] = {
	"execve", "vfork", "fork", "wait4", "waitid", "kill", "pipe",
	"setpgid", "getpgid", "getpgrp", "umask", "set_thread_area", NULL,
};

static int allow(scmp_filter_ctx f, const char *const *names)
{
	int rc = 0;

	for (; *names && !rc; names++) {
		int call = seccomp_syscall_resolve_name(*names);

		/* a name that this architecture does not have is no loss */
		if (call >= 0)
			rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 0);
	}
	return rc;
}

/* Questions to a terminal; not TIOCSTI, which types on the user's behalf. */
static int allow_terminal(scmp_filter_ctx f)
{
	static const unsigned long asks[] = { TCGETS, TIOCGWINSZ };
	int rc = 0;

	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks) && !rc; i++)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				      (struct scmp_arg_cmp){
					      .arg = 1,
					      .op = SCMP_CMP_EQ,
					      .datum_a = asks[i],
				      });
	return rc;
}

static int allow_reading(scmp_filter_ctx f)
{
	struct scmp_arg_cmp flags = {
		.arg = 2,
		.op = SCMP_CMP_MASKED_EQ,
		.datum_a = O_ACCMODE | O_CREAT | O_TRUNC,
		.datum_b = O_RDONLY,
	};
	int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
				  flags);

#ifdef __NR_open
	flags.arg = 1;
	if (!rc)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
				      flags);
#endif
	/* these hide their flags in memory; ENOSYS makes glibc use the old */
	if (!rc)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS),
				      SCMP_SYS(openat2), 0);
#ifdef __NR_clone3
	if (!rc)
		rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS),
				      SCMP_SYS(clone3), 0);
#endif
	return rc;
}

static enum lac_status limit_calls(bool execs, struct lac_err *err)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc;

	if (!f)
		return lac_fail_memory(err);
	rc = allow(f, always);
	if (!rc && execs)
		rc = allow(f, for_execs);
	if (!rc)
		rc = allow_reading(f);
	if (!rc)
		rc = allow_terminal(f);
	if (!rc)
		rc = seccomp_load(f);
	seccomp_release(f);
	/* a kernel or a container without seccomp: the limits must do */
	if (rc && rc != -EINVAL && rc != -ENOSYS && rc != -EPERM &&
	    rc != -EACCES && rc != -ECANCELED)
		return lac_fail(err, LAC_UNSUPPORTED, "sandbox: %s",
				strerror(-rc));
	return LAC_OK;
}
#else
static enum lac_status limit_calls(bool execs, struct lac_err *err)
{
	(void)execs;
	(void)err;
	return LAC_OK;
}
#endif

enum lac_status lac_sandbox_enter(bool execs, struct lac_err *err)
{
	if (is_off())
		return LAC_OK;
	LAC_TRY(limit_memory(err));
	LAC_TRY(limit_time(err));
	return limit_calls(execs, err);
}
