/* SPDX-License-Identifier: BSD-2-Clause */
/* scan_code.c - past the entries of code, which are nearly half of all. */
#include "dbginfo/scan_unit.h"

/* The values of an entry, at p, most of them of few bytes; NULL: not so. */
static inline const unsigned char *skip_values(const struct lac_skip *skip,
					       const unsigned char *p,
					       const unsigned char *end)
{
	if (!skip->nblocks)
		return skip->fixed < (size_t)(end - p) ? p + skip->fixed : NULL;
	for (unsigned i = 0; i < skip->nblocks; i++) {
		/* a length and what it counts are 1 + 0x7f bytes at the most */
		if ((size_t)(end - p) <= UINT8_MAX + 0x80)
			return NULL;
		p += skip->before[i];
		if (*p >= 0x80)
			return NULL;
		p += 1 + *p;
	}
	return skip->before[skip->nblocks] < (size_t)(end - p) ?
		       p + skip->before[skip->nblocks] : NULL;
}

const unsigned char *lac_code_skip(const struct lac_abbrevs *table,
				   const unsigned char *p,
				   const unsigned char *end, unsigned max,
				   unsigned *depth)
{
	unsigned top = *depth, now = top;

	while (p + 2 < end) {
		const unsigned char *next = p + 1;
		uint32_t code = *p;

		if (!code) {
			p++;
			if (now-- == top)
				break;
			continue;
		}
		if (code >= 0x80) {
			if (*next >= 0x80)
				break;
			code = (code & 0x7f) | (uint32_t)*next++ << 7;
		}
		if (code >= table->n || !table->skip[code].can || now + 1 > max)
			break;
		next = skip_values(&table->skip[code], next, end);
		if (!next)
			break;
		p = next;
		now += table->skip[code].children;
	}
	*depth = now;
	return p;
}
