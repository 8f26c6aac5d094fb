/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store_part.h - which part of an entry is wanted: all, or the records of some
 * names and what describes them.
 */
#ifndef LAC_STORE_PART_H
#define LAC_STORE_PART_H

#include "dbginfo/store_format.h"

/* Elements of one section, wanted or not, and how they are numbered anew. */
struct lac_part_set {
	enum lac_image_section of;
	uint32_t all;	/* elements that there are */
	bool whole;	/* all of them: indices stay as they are */
	uint8_t *mark;	/* 0, or an enum lac_part_depth */
	uint32_t *now;	/* by old index: the new one; of marked ones only */
	uint32_t *was;	/* by new index; ascending once numbered */
	uint32_t n, cap;
};

enum lac_part_depth {
	LAC_PART_NO,
	LAC_PART_NAMED, /* what a pointer to it says of it */
	LAC_PART_WHOLE, /* with all that it is made of */
};

/*
 * A record that is only pointed to comes without members and units, unless it
 * has no name of its own: then its layout is all that it is known by.  Units are
 * always all there: they tell what compiled the file.
 */
struct lac_part {
	struct lac_image *m;
	struct lac_arena *arena;
	bool whole; /* all of it */
	bool no_memory;
	struct lac_part_set types, records, enums, units;
	uint32_t **lists; /* by list: its units, once somebody asked */
	struct lac_part_work {
		bool record;
		uint32_t id;
	} *work; /* what was marked and not yet looked into */
	uint32_t nwork, work_cap;
};

/*
 * only: names, or NULL for everything.  LAC_NOT_FOUND if one of them is not
 * there and !may_lack; LAC_BAD_INPUT if the entry is damaged.  Lives in arena.
 */
LAC_MUST_CHECK enum lac_status lac_part_choose(struct lac_image *m,
					       const char *const *only,
					       bool may_lack,
					       struct lac_arena *arena,
					       struct lac_part *ret,
					       struct lac_err *err);

/* Old indices, ascending. */
void lac_part_sort(struct lac_part_set *s);

/* The units of a list, ascending; NULL and m->bad. */
uint32_t *lac_part_list(struct lac_part *p, uint32_t list, uint32_t *n);

/* The new index of an old one, LAC_NONE for LAC_NONE; m->bad if not wanted. */
uint32_t lac_part_now(struct lac_part *p, const struct lac_part_set *s,
		      uint32_t was);

#endif
