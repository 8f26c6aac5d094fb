/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * array.h - an array over cache lines, in closed form: the pattern of phases
 * repeats after line / gcd(stride, line) elements, so one period is looked at
 * however long the array is.
 */
#ifndef LAC_ARRAY_H
#define LAC_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* Lines that size bytes from byte `at` on lie in; 0 for no bytes. */
uint64_t lac_lines_touched(uint64_t at, uint64_t size, uint32_t line_size);

/*
 * Of n elements of size bytes, one behind the other from byte `at` on: how many
 * cross a line border; *first is the first that does.  line_size is a power of
 * two up to LAC_LINE_SIZE_MAX.
 */
uint64_t lac_array_straddlers(uint64_t at, uint64_t size, uint64_t n,
			      uint32_t line_size, uint64_t *first);

/* Figures over all phases that an array of this stride comes to have. */
struct lac_array_phases {
	uint64_t period;	    /* elements until the pattern repeats */
	uint64_t straddling;	    /* of these, how many cross a border */
	uint64_t lines;		    /* sum of the lines that each lies in */
	double straddling_fraction; /* straddling / period */
	double lines_per_touch;	    /* mean, one isolated element */
	double lines_per_element;   /* dense run: stride / line_size */
};

/*
 * Of every element, the `size` bytes from byte `offset` on (0 and the stride
 * for the whole).  The array starts on a line border.  stride > 0.
 */
struct lac_array_phases lac_array_phases(uint64_t stride, uint64_t offset,
					 uint64_t size, uint32_t line_size);

/*
 * Mean lines that one isolated element's fields lie in, each field counted once
 * a line: n fields of sizes[i] bytes at offsets[i].  n is at most 64.
 */
double lac_array_field_lines(uint64_t stride, const uint64_t *offsets,
			     const uint64_t *sizes, unsigned n,
			     uint32_t line_size);

/* Whether byte `offset` of every element is on a multiple of align. */
bool lac_array_aligned(uint64_t stride, uint64_t offset, uint32_t align);

#endif
