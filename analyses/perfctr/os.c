/* SPDX-License-Identifier: BSD-2-Clause */
/* os.c - the running kernel behind struct lac_perf_os. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfctr/perfctr.h"

static int os_open(void *context, struct perf_event_attr *attr, int group_fd)
{
	(void)context;
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, group_fd,
			    PERF_FLAG_FD_CLOEXEC);
}

static int os_ioctl(void *context, int fd, unsigned long request,
		    unsigned long flags)
{
	(void)context;
	return ioctl(fd, request, flags);
}

static ssize_t os_read(void *context, int fd, void *buf, size_t size)
{
	(void)context;
	return read(fd, buf, size);
}

static int os_close(void *context, int fd)
{
	(void)context;
	return close(fd);
}

const struct lac_perf_os lac_perf_os_linux = {
	.open = os_open,
	.ioctl = os_ioctl,
	.read = os_read,
	.close = os_close,
};
