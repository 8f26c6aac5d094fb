/* SPDX-License-Identifier: BSD-2-Clause */
/* quit.h - the end of a process. */
#ifndef LAC_QUIT_H
#define LAC_QUIT_H

/* Built with sanitizers, whose run time has work and rights of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
	__has_feature(memory_sanitizer)
#define LAC_SANITIZED 1
#endif
#endif
#ifndef LAC_SANITIZED
#define LAC_SANITIZED 0
#endif

/*
 * End the process, with what is buffered written: what libraries would tidy up
 * at exit() goes with the process anyway, and costs a short run a tenth of its
 * time.  Sanitizers look for leaks at exit(), and get it.
 */
_Noreturn void lac_quit(int status);

#endif
