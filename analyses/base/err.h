/* SPDX-License-Identifier: BSD-2-Clause */
/* err.h - status by value, the story in a box that the caller owns. */
#ifndef LAC_ERR_H
#define LAC_ERR_H

#define LAC_MUST_CHECK __attribute__((warn_unused_result))
#define LAC_PRINTF(f, a) __attribute__((format(printf, f, a)))

enum lac_status {
	LAC_OK = 0,
	LAC_NOT_FOUND,	 /* the asked-for thing is absent; callers may recover */
	LAC_USAGE,	 /* the user asked for something impossible */
	LAC_OS,		 /* a system call failed; err->os_errno says how */
	LAC_BAD_INPUT,	 /* the file is malformed; never an assertion */
	LAC_UNSUPPORTED, /* this machine or this build cannot do it */
	LAC_NO_MEMORY,
	LAC_INTERRUPTED, /* the user stopped it */
};

/*
 * Filled by the function that first detects the fault, extended by callers
 * with lac_err_context().  Fixed size: nothing to free, and usable when out
 * of memory.  Meaningful only after a status other than LAC_OK.
 */
struct lac_err {
	int os_errno; /* errno at detection for LAC_OS, else 0 */
	char msg[1024];
};

/* Write the message and return st, so that "return lac_fail(...)" reads well. */
enum lac_status lac_fail(struct lac_err *err, enum lac_status st,
			 const char *fmt, ...) LAC_PRINTF(3, 4);

/* "WHAT: strerror(errno)" as LAC_OS. */
enum lac_status lac_fail_os(struct lac_err *err, const char *fmt, ...)
	LAC_PRINTF(2, 3);

enum lac_status lac_fail_memory(struct lac_err *err);

/* Put "context: " before the message and hand the status on unchanged. */
enum lac_status lac_err_context(struct lac_err *err, enum lac_status st,
				const char *fmt, ...) LAC_PRINTF(3, 4);

#define LAC_TRY(expr)                                                          \
	do {                                                                   \
		enum lac_status lac_try_ = (expr);                             \
		if (lac_try_ != LAC_OK)                                        \
			return lac_try_;                                       \
	} while (0)

#endif
