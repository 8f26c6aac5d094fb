/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pahole_defect.c - what is known to be wrong in pahole 1.24, each kind with
 * the proof that has to be there.
 */
#include <string.h>

#include "layout/pahole_private.h"

/* Members of that place and size, with a name or without. */
static uint32_t count_at(const struct lac_pahole_record *r,
			 const struct lac_pahole_difference *d, bool named)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nmembers; i++)
		n += r->members[i].bit_offset == d->bit_offset &&
		     r->members[i].bit_size == d->bit_size &&
		     (*r->members[i].name != '\0') == named;
	return n;
}

/*
 * "const struct { ... } name" loses its name: as many members lie there, and
 * one more of them has no name.
 */
static bool lost_name(const struct lac_pahole_record *ours,
		      const struct lac_pahole_record *theirs,
		      const struct lac_pahole_difference *d)
{
	return !strcmp(d->what, "member") && (!*d->ours || !*d->theirs) &&
	       count_at(theirs, d, false) == count_at(ours, d, false) + 1 &&
	       count_at(theirs, d, true) + 1 == count_at(ours, d, true);
}

/* Bits of members that have none by pahole, at the same place. */
static uint64_t lost_bits(const struct lac_pahole_record *ours,
			  const struct lac_pahole_record *theirs)
{
	uint64_t sum = 0;
	uint32_t k = 0;

	for (uint32_t i = 0; i < ours->nmembers; i++) {
		const struct lac_pahole_member *a = &ours->members[i];

		while (k < theirs->nmembers &&
		       lac_pahole_order(&theirs->members[k], a) < 0)
			k++;
		if (k < theirs->nmembers &&
		    !lac_pahole_order(&theirs->members[k], a) &&
		    !theirs->members[k].bit_size && !a->unsized)
			sum += a->bit_size;
	}
	return sum;
}

/* An _Atomic member has no bytes, and they turn up as free ones. */
static bool lost_atomic(const struct lac_pahole_record *ours,
			const struct lac_pahole_record *theirs,
			const struct lac_pahole_difference *d)
{
	uint64_t lost = lost_bits(ours, theirs);
	const char *zero = strstr(d->theirs, ", 0 bits");

	if (!lost || theirs->hole_bits + theirs->padding_bits !=
			     ours->hole_bits + ours->padding_bits + lost)
		return false;
	return strcmp(d->what, "member") != 0 || (*d->ours && zero);
}

static const struct lac_pahole_member *
member_of(const struct lac_pahole_record *r, const char *name)
{
	for (uint32_t i = 0; name && i < r->nmembers; i++)
		if (!strcmp(r->members[i].name, name))
			return &r->members[i];
	return NULL;
}

/* A bit-field of a struct type: C has none. */
static bool odd_bitfield(const struct lac_pahole_record *ours,
			 const struct lac_pahole_record *theirs,
			 const struct lac_pahole_difference *d)
{
	const struct lac_pahole_member *a = member_of(ours, d->member);
	const struct lac_pahole_member *b = member_of(theirs, d->member);

	return a && b && a->record && !a->bitfield && b->bitfield;
}

/* Bits that it does not give to members whose type it does not know. */
static bool lost_type(const struct lac_pahole_record *ours,
			    const struct lac_pahole_record *theirs,
			    const struct lac_pahole_difference *d)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < theirs->nmembers; i++) {
		const struct lac_pahole_member *b = &theirs->members[i];
		const struct lac_pahole_member *a = member_of(ours, b->name);

		if (b->typeless && a &&
		    a->bit_offset == b->bit_offset && a->bit_size > b->bit_size)
			lost += a->bit_size - b->bit_size;
	}
	if (d->member) {
		const struct lac_pahole_member *b =
			member_of(theirs, d->member);

		return lost && b && b->typeless;
	}
	return lost && theirs->hole_bits + theirs->padding_bits ==
			       ours->hole_bits + ours->padding_bits + lost;
}

/* Where pahole puts what is placed by an expression: byte (uint32_t)-1. */
#define UNPLACED_BIT ((uint64_t)UINT32_MAX * 8)

/*
 * A virtual base: its place is an expression on the running program.  As many of
 * the members there as ours without a place; holes and padding go by them.
 */
static bool made_up_place(const struct lac_pahole_record *ours,
			  const struct lac_pahole_record *theirs,
			  const struct lac_pahole_difference *d)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < theirs->nmembers; i++)
		n += theirs->members[i].bit_offset == UNPLACED_BIT;
	if (!n || n != ours->unplaced || ours->size >= UINT32_MAX)
		return false;
	return !strcmp(d->what, "holes") || !strcmp(d->what, "padding") ||
	       (!strcmp(d->what, "member") && !*d->ours &&
		d->bit_offset == UNPLACED_BIT);
}

const char *lac_pahole_defect(const struct lac_pahole_record *ours,
			      const struct lac_pahole_record *theirs,
			      const struct lac_pahole_difference *d)
{
	if (theirs->unread && strstr(theirs->unread, "<ERROR("))
		return "pahole prints an error of its own inside this record";
	if (lost_name(ours, theirs, d))
		return "pahole leaves out the name of a qualified nameless "
		       "struct: the same bytes, no name";
	if (lost_atomic(ours, theirs, d))
		return "pahole gives a member no bytes (it does not know "
		       "_Atomic) and calls them free";
	if (odd_bitfield(ours, theirs, d))
		return "pahole takes a member of a struct type for a "
		       "bit-field, which C does not have (an _Atomic of clang)";
	if (lost_type(ours, theirs, d))
		return "pahole shows a member without its type (it does not "
		       "know T&&) and with fewer bytes";
	if (!strcmp(d->what, "holes") &&
	    theirs->shown_hole_bits == ours->hole_bits &&
	    theirs->shown_hole_bits > theirs->hole_bits)
		return "pahole's sum leaves out holes that it shows: one by "
		       "one they are ours";
	if (theirs->has_size && ours->size > INT32_MAX &&
	    (uint32_t)theirs->size == (uint32_t)ours->size)
		return "pahole keeps sizes in 32 bits, and this record is "
		       "larger: its size is ours, cut off";
	if (!strcmp(d->what, "holes") && ours->hole_bits > theirs->hole_bits &&
	    (ours->hole_bits - theirs->hole_bits) % (65536 * 8) == 0)
		return "pahole keeps the size of a hole in 16 bits: its sum is "
		       "a multiple of 65536 bytes less than ours";
	if (!strcmp(d->what, "padding") &&
	    ours->padding_bits > theirs->padding_bits &&
	    (ours->padding_bits - theirs->padding_bits) % (65536 * 8) == 0)
		return "pahole keeps the padding in 16 bits: it is a multiple "
		       "of 65536 bytes less than ours";
	if (made_up_place(ours, theirs, d))
		return "pahole puts a virtual base at byte 4294967295, for its "
		       "place is an expression that it does not read";
	if (ours->unknown_bits &&
	    theirs->hole_bits + theirs->padding_bits ==
		    ours->hole_bits + ours->padding_bits + ours->unknown_bits)
		return "pahole calls free what a virtual base or a member of "
		       "unknown size may use";
	if (theirs->has_size && theirs->size == ours->size &&
	    theirs->hole_bits + theirs->padding_bits > theirs->size * 8)
		return "pahole's holes and padding are more than the record";
	return NULL;
}
