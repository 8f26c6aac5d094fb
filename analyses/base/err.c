/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum lac_status lac_fail(struct lac_err *err, enum lac_status st,
			 const char *fmt, ...)
{
	va_list ap;

	err->os_errno = st == LAC_OS ? errno : 0; /* before anything else */
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return st;
}

enum lac_status lac_fail_os(struct lac_err *err, const char *fmt, ...)
{
	int saved = errno;
	char what[sizeof(err->msg) - 128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	lac_fail(err, LAC_OS, "%s: %s", what, strerror(saved));
	err->os_errno = saved;
	return LAC_OS;
}

enum lac_status lac_fail_memory(struct lac_err *err)
{
	return lac_fail(err, LAC_NO_MEMORY, "out of memory");
}

enum lac_status lac_err_context(struct lac_err *err, enum lac_status st,
				const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	int n;

	snprintf(old, sizeof(old), "%s", err->msg);
	va_start(ap, fmt);
	n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(err->msg))
		snprintf(err->msg + n, sizeof(err->msg) - (size_t)n, ": %s",
			 old);
	return st;
}
