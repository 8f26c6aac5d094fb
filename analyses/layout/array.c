/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/array.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint64_t lac_lines_touched(uint64_t at, uint64_t size, uint32_t line_size)
{
	uint64_t phase = at % line_size;

	if (size == 0)
		return 0;
	/* no overflow, whatever the size is */
	return (size - 1) / line_size +
	       ((size - 1) % line_size + phase) / line_size + 1;
}

static bool crosses(uint64_t phase, uint64_t size, uint32_t line_size)
{
	return size > line_size || phase + size > line_size;
}

uint64_t lac_array_straddlers(uint64_t at, uint64_t size, uint64_t n,
			      uint32_t line_size, uint64_t *first)
{
	uint64_t phase = at % line_size, step = size % line_size;
	uint64_t period = line_size / gcd(size, line_size);
	uint64_t in_period = 0, in_rest = 0;

	*first = 0;
	if (n == 0 || size == 0)
		return 0;
	for (uint64_t i = 0; i < period && i < n; i++) {
		if (crosses(phase, size, line_size)) {
			if (in_period == 0)
				*first = i;
			in_period++;
			if (i < n % period)
				in_rest++;
		}
		phase += step;
		if (phase >= line_size) /* both are less than it */
			phase -= line_size;
	}
	return n < period ? in_period : n / period * in_period + in_rest;
}

struct lac_array_phases lac_array_phases(uint64_t stride, uint64_t offset,
					 uint64_t size, uint32_t line_size)
{
	struct lac_array_phases p = {
		.period = line_size / gcd(stride, line_size),
		.lines_per_element = (double)stride / line_size,
	};
	uint64_t phase = offset % line_size, step = stride % line_size;

	for (uint64_t i = 0; i < p.period; i++) {
		uint64_t lines = lac_lines_touched(phase, size, line_size);

		p.lines += lines;
		p.straddling += lines > 1;
		phase = (phase + step) % line_size;
	}
	p.straddling_fraction = (double)p.straddling / (double)p.period;
	p.lines_per_touch = (double)p.lines / (double)p.period;
	return p;
}

/* Lines of one element at this phase that no field before i lies in. */
static uint64_t new_lines(uint64_t phase, const uint64_t *offsets,
			  const uint64_t *sizes, unsigned i, uint32_t line_size)
{
	uint64_t first, last, count = 0;

	if (sizes[i] == 0)
		return 0;
	first = (phase + offsets[i]) / line_size;
	last = (phase + offsets[i] + sizes[i] - 1) / line_size;
	for (uint64_t line = first; line <= last; line++) {
		unsigned k = 0;

		while (k < i &&
		       (sizes[k] == 0 ||
			line < (phase + offsets[k]) / line_size ||
			line > (phase + offsets[k] + sizes[k] - 1) / line_size))
			k++;
		count += k == i;
	}
	return count;
}

double lac_array_field_lines(uint64_t stride, const uint64_t *offsets,
			     const uint64_t *sizes, unsigned n,
			     uint32_t line_size)
{
	uint64_t period = line_size / gcd(stride, line_size);
	uint64_t phase = 0, lines = 0;

	for (uint64_t e = 0; e < period; e++) {
		for (unsigned i = 0; i < n; i++)
			lines += new_lines(phase, offsets, sizes, i, line_size);
		phase = (phase + stride % line_size) % line_size;
	}
	return (double)lines / (double)period;
}

bool lac_array_aligned(uint64_t stride, uint64_t offset, uint32_t align)
{
	return stride % align == 0 && offset % align == 0;
}
