/* SPDX-License-Identifier: BSD-2-Clause */
#include "heap.h"

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "quit.h"

/*
 * Memory of a file that is read comes page by page, and a page fault takes
 * longer than filling a page does: have the heap in huge pages, where there are
 * any.  The first part stays as it is: most files are small, and a huge page
 * has to be cleared whole.  What cannot be had is no matter.
 */
void lac_heap_widen(void)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
	const size_t size = (size_t)64 << 20, small = (size_t)256 << 10;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from, to;
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
#endif
}
