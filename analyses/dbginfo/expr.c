/* SPDX-License-Identifier: BSD-2-Clause */
#include <dwarf.h>

#include "dbginfo/raw.h"

/* A constant that the operation pushes. */
static bool push_constant(struct lac_cursor *c, unsigned op, bool big_endian,
			  uint64_t *ret)
{
	static const struct { uint8_t bytes; bool is_signed; } fixed[] = {
		{ 1, false }, { 1, true }, { 2, false }, { 2, true },
		{ 4, false }, { 4, true }, { 8, false }, { 8, true },
	};

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		*ret = op - DW_OP_lit0;
	} else if (op >= DW_OP_const1u && op <= DW_OP_const8s) {
		unsigned n = fixed[op - DW_OP_const1u].bytes;

		*ret = lac_take_uint(c, n, big_endian);
		if (fixed[op - DW_OP_const1u].is_signed && n < 8 &&
		    *ret >> (8 * n - 1))
			*ret |= ~(uint64_t)0 << 8 * n;
	} else if (op == DW_OP_constu || op == DW_OP_consts) {
		*ret = op == DW_OP_constu ? lac_take_uleb(c) :
					    (uint64_t)lac_take_sleb(c);
	} else {
		return false;
	}
	return true;
}

bool lac_expression_offset(const void *expr, uint64_t size, bool big_endian,
			   uint64_t *ret)
{
	struct lac_cursor c = { .bad = false };
	uint64_t stack[8] = { 0 }, v; /* the object's address is at the base */
	unsigned n = 1;

	if (!expr || !size)
		return false;
	c.p = expr;
	c.end = c.p + size;
	while (c.p < c.end && !c.bad) {
		unsigned op = *c.p++;

		if (op == DW_OP_plus_uconst) {
			stack[n - 1] += lac_take_uleb(&c);
		} else if (op == DW_OP_plus && n >= 2) {
			n--;
			stack[n - 1] += stack[n];
		} else if (op == DW_OP_minus && n >= 2) {
			n--;
			stack[n - 1] -= stack[n];
		} else if (n < 8 && push_constant(&c, op, big_endian, &v)) {
			stack[n++] = v;
		} else if (op != DW_OP_nop) {
			return false; /* looks at the object, or is odd */
		}
	}
	if (c.bad)
		return false;
	*ret = stack[n - 1];
	return true;
}
