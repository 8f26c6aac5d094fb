/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff.h - two type graphs in, classified changes and their causes out.
 *
 * The result is a value: it holds no reference to either graph.
 * Laws: diff(A, A) has no records; diff(B, A) is diff(A, B) with old and new
 * exchanged; applying the changes of a record to its old shape gives its new
 * one (lac_diff_apply); a rename is marked as a guess.
 */
#ifndef LAC_DIFF_H
#define LAC_DIFF_H

#include "diff/shape.h"

enum lac_change_class {
	LAC_CHANGE_KIND, /* struct became union, or the other way round */
	LAC_CHANGE_SIZE, /* bytes */
	LAC_CHANGE_ALIGN,
	LAC_CHANGE_PACKED,
	LAC_CHANGE_MEMBER_ADDED, /* bits: its offset */
	LAC_CHANGE_MEMBER_REMOVED,
	LAC_CHANGE_MEMBER_MOVED,
	LAC_CHANGE_MEMBER_RETYPED, /* texts */
	LAC_CHANGE_MEMBER_RESIZED, /* bits */
	LAC_CHANGE_MEMBER_RENAMED, /* texts; a guess */
	LAC_CHANGE_MEMBER_ALIGNED, /* declared on the member; bytes */
	LAC_CHANGE_BIT_WIDTH,	   /* bits */
	LAC_CHANGE_ARRAY_LENGTH,   /* elements */
	LAC_CHANGE_ENUMERATOR_ADDED,
	LAC_CHANGE_ENUMERATOR_REMOVED,
	LAC_CHANGE_ENUMERATOR_VALUE,
	LAC_CHANGE_PADDING,	  /* bits */
	LAC_CHANGE_HOLES,	  /* a count; bits beside it */
	LAC_CHANGE_LINE_CROSSING, /* elements of the member that cross */
	LAC_NCHANGE_CLASSES,
};

#define LAC_NO_CAUSE UINT32_MAX

struct lac_change {
	enum lac_change_class class;
	/*
	 * It follows from what happened to an inner type; the record itself
	 * was not touched for it.
	 */
	bool inherited;
	bool guess;
	const char *member;	/* path in the new build, else in the old one */
	const char *old_member; /* path in the old build, if another */
	uint64_t old_value, new_value;
	/* HOLES: the bits in them; ARRAY_LENGTH: of all elements */
	uint64_t old_bits, new_bits;
	const char *old_text, *new_text; /* instead of the values, or NULL */
	/* MEMBER_RETYPED: what the types' typedefs lead to, or NULL */
	const char *old_resolved, *new_resolved;
	bool is_signed;			 /* ENUMERATOR_*: the values are */
	/* the fields it is about, in the shapes; LAC_NONE */
	uint32_t old_field, new_field;
};

enum lac_pairing {
	LAC_PAIR_ADDED,
	LAC_PAIR_REMOVED,
	LAC_PAIR_CHANGED,
	LAC_PAIR_RENAMED, /* by structure: a guess */
};

/* What one cache of such objects would cost; from the SLUB rule. */
struct lac_slab_fit {
	uint32_t order, objects; /* objects 0: does not fit a slab */
};

/*
 * A record that /proc/slabinfo has objects of.  Both sides by one rule: the
 * file gives only the count of objects, and how a record becomes a slot.
 */
struct lac_live {
	const char *cache;    /* NULL: none */
	uint64_t objects;     /* in use */
	uint64_t old_slot, new_slot; /* bytes an object takes */
	/* what makes a slot of a record: "plain", "line", "free pointer" */
	const char *rule;
	bool guess;	      /* that the cache is the record's */
	uint64_t extra;	      /* of rule "more": bytes of unknown use */
	/*
	 * The slot of the build that did not run is a guess: there is more in
	 * one than the record, or it ends in a flexible array.
	 */
	bool estimate;
	int64_t bytes;	      /* objects * (new_slot - old_slot) */
	struct lac_slab_fit old_fit, new_fit;
	uint64_t old_slabs_bytes, new_slabs_bytes; /* whole, full slabs */
	int64_t slab_bytes;   /* new_slabs_bytes - old_slabs_bytes */
	uint64_t held_bytes;  /* what its slabs took when the file was taken */
};

#define LAC_DIFF_HOLDERS 3u

struct lac_record_diff {
	enum lac_pairing pairing;
	const struct lac_shape *old_shape, *new_shape; /* NULL if absent */
	uint32_t nchanges;
	struct lac_change *changes;
	/* nothing of it is its own: the causes say all */
	bool explained;
	uint32_t ncauses;
	uint32_t *causes; /* indices, ascending */
	bool more_causes; /* than could be kept */
	/* records that hold it, at any depth; in the new build, if it is there */
	uint32_t embedded_by;
	/* the first of those that have a name, the direct ones before others */
	uint32_t nholders;
	const char *holders[LAC_DIFF_HOLDERS];
	struct lac_live live;
	/* of a diff of two directories: the files that agree on it */
	uint32_t nfiles;
	const char *const *files;
};

/* An inner type whose change explains changes of outer records. */
struct lac_cause {
	const char *name;
	const char *what; /* "size", "align", "type" */
	uint64_t old_value, new_value;		/* bytes */
	const char *old_text, *new_text;	/* for "type" */
	/*
	 * Records of the new build that hold it at any depth, as embedded_by;
	 * of the old one for a typedef that leads elsewhere; LAC_NONE for what
	 * is no record.  Not each of them is below: what
	 * changed by itself as well is the cause of what holds it.
	 */
	uint32_t held_by;
	uint32_t records; /* in whose changes it has a part */
	uint32_t alone;	  /* that it explains all by itself */
	uint32_t lines_more, lines_less;
	uint32_t crossings_more, crossings_less;
	uint32_t order_more, order_less; /* of slabs of their own */
};

struct lac_diff_side {
	const char *path, *version; /* version may be NULL */
	const char *missing; /* debug info that was not found, or NULL */
	enum lac_format format;
	uint16_t machine; /* EM_*; 0: unknown, or files of several */
	bool tells_alignment;
	uint32_t nrecords, nenums; /* that were compared */
	uint32_t nselected; /* of both, by the globs */
};

struct lac_diff {
	struct lac_arena *arena;
	struct lac_diff_side old_side, new_side;
	uint32_t line_size; /* bytes, of both */
	bool line_assumed;  /* nobody told, and the machine does not fix it */
	uint32_t ncauses;
	struct lac_cause *causes; /* by records, most first; each has one */
	uint32_t nrecords;
	struct lac_record_diff *records; /* by cost, see lac_diff_rank() */
	/*
	 * Anonymous records without a container or typedef, that are in one
	 * build only: nothing says what they correspond to.
	 */
	uint32_t old_unidentified, new_unidentified;
	/* struct page and the allocator's own, changed or not; see kernel.h */
	uint32_t nkernel;
	/* a build has struct page and kmem_cache, whatever is selected */
	bool has_allocator;
	struct lac_kernel_row *kernel;
	/* what the globs select of either build, typedefs included */
	uint32_t nselected;
};

struct lac_slabinfo;

struct lac_diff_options {
	uint32_t line_size; /* bytes, 0 for those of the old build */
	uint32_t cpus;	    /* for the SLUB rule; 0 for 16 */
	/*
	 * What is asked for, by type and by declaring file, each a list that
	 * ends with NULL, of which one has to match; or NULL for any: which
	 * rows of the kernel's own are made, and what is counted as selected.
	 * The records are all made, lac_diff_filter() takes what is wanted.
	 */
	char *const *type_globs, *const *decl_globs;
	struct lac_slabinfo *slabinfo; /* to be told of its records; or NULL */
	bool *type_found; /* by type_globs: set if one selects; or NULL */
};

/* On success the caller owns *ret; untouched on failure. */
LAC_MUST_CHECK enum lac_status
lac_diff_compute(const struct lac_graph *old_graph,
		 const struct lac_graph *new_graph,
		 const struct lac_diff_options *o, struct lac_diff **ret,
		 struct lac_err *err);
void lac_diff_destroy(struct lac_diff *d); /* NULL is a no-op */

/*
 * Apply the changes of a record to its old shape.  The shape that comes out
 * has the new one's layout (lac_shape_same_layout).  Not for records that are
 * only added or removed.
 */
LAC_MUST_CHECK enum lac_status lac_diff_apply(const struct lac_record_diff *r,
					      struct lac_arena *arena,
					      struct lac_shape *ret,
					      struct lac_err *err);

const char *lac_change_class_name(enum lac_change_class c);
const char *lac_pairing_name(enum lac_pairing p);
/* "bytes", "bits", "count", "text", "value" */
const char *lac_change_unit(enum lac_change_class c);

/* The order and the objects of a slab, by SLUB's rule (mm/slub.c, v6.1). */
struct lac_slab_fit lac_slab_fit_for(uint64_t slot_bytes, uint32_t cpus);

/*
 * Whether a kernel may have it in a slab, as an object of its own.  Not what
 * has no tag, which is held by value; nor struct page, and what is laid over
 * it: struct folio, slab since v5.17, ptdesc.
 */
bool lac_may_be_allocated(const struct lac_record_diff *r);

/* The same cause, with nothing counted at it yet. */
static inline struct lac_cause lac_cause_uncounted(const struct lac_cause *c)
{
	return (struct lac_cause){
		.name = c->name,
		.what = c->what,
		.held_by = c->held_by,
		.old_value = c->old_value,
		.new_value = c->new_value,
		.old_text = c->old_text,
		.new_text = c->new_text,
	};
}

/* Count a record that is in both builds at one of its causes. */
void lac_cause_count(struct lac_cause *c, const struct lac_record_diff *r,
		     uint32_t cpus);

static inline void lac_diff_cleanup(struct lac_diff **d)
{
	lac_diff_destroy(*d);
}
#define LAC_CLEANUP_DIFF __attribute__((cleanup(lac_diff_cleanup)))

#endif
