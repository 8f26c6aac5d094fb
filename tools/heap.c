/* SPDX-License-Identifier: BSD-2-Clause */
#include "heap.h"

#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "quit.h"

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
#define AHEAD ((size_t)8 << 20) /* bytes; any kernel's types take more */

static void *get_ready(void *from)
{
	madvise(from, AHEAD, MADV_POPULATE_WRITE);
	return NULL;
}

/*
 * Clearing pages is half a millisecond of what a kernel's BTF takes, and the
 * file has to be opened meanwhile.
 */
static void ready_ahead(uintptr_t from)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, get_ready, (void *)from))
		pthread_detach(thread);
}
#else
static void ready_ahead(uintptr_t from)
{
	(void)from;
}
#endif

/*
 * Memory of a file that is read comes page by page, and a page fault takes
 * longer than filling a page does: have the heap in huge pages, where there are
 * any.  The first part stays as it is: most files are small, and a huge page
 * has to be cleared whole.  What cannot be had is no matter.
 */
void lac_heap_widen(bool at_once)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
	const size_t size = (size_t)64 << 20, small = (size_t)256 << 10;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = 0, to;
	char *top;

	if (LAC_SANITIZED || !mallopt(M_MMAP_THRESHOLD, (int)size * 2) ||
	    !mallopt(M_TRIM_THRESHOLD, (int)size * 4))
		return;
	top = malloc(size);
	if (top) {
		from = ((uintptr_t)top + small + page - 1) & -page;
		to = ((uintptr_t)top + size) & -page;
		madvise((void *)from, to - from, MADV_HUGEPAGE);
	}
	free(top);
	mallopt(M_MMAP_THRESHOLD, (int)size / 2);
	if (top && at_once)
		ready_ahead(from);
#else
	(void)at_once;
#endif
}
