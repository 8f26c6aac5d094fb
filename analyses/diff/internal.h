/* SPDX-License-Identifier: BSD-2-Clause */
/* internal.h - what the parts of a diff share.  Of no use outside diff/. */
#ifndef LAC_DIFF_INTERNAL_H
#define LAC_DIFF_INTERNAL_H

#include "diff/slabinfo.h"
#include "diff/diff.h"

/* A record or an enumeration of one build, and its partner in the other. */
struct item {
	struct lac_shape shape;
	uint32_t id;   /* lac_record_id, or index of the enumeration */
	uint32_t pair; /* item of the other side, or LAC_NONE */
	bool guessed;  /* the pair is a rename */
	bool same;     /* it is paired with its equal */
	bool orphan;   /* anonymous and held by nothing */
	bool twin;     /* it is another item once more, which has a pair */
};

struct side {
	const struct lac_graph *g;
	/* of its own, as the sides are opened by two threads */
	struct lac_arena *scratch;
	struct lac_shaper *shaper;
	uint32_t nitems;
	/* records, then enumerations, then records by another typedef */
	struct item *items;
	uint32_t nrecord_items;
	uint32_t *by_name; /* items, those of one name by content */
	uint32_t *item_of; /* by record; LAC_NONE if inlined */
	uint32_t *enum_item_of;
	uint32_t *aligns; /* by type, bytes; 0: not asked for yet */
	/* typedefs by name, for what became of one */
	uint32_t ntypedefs;
	struct type_name *typedefs;
	/* base types likewise, names spelled one way */
	uint32_t nbases;
	struct type_name *bases;
};

struct type_name {
	const char *name;
	lac_type_id type;
	bool ambiguous; /* several of that name that differ */
};

/* Which fields of two shapes are the same member; LAC_NONE for none. */
struct field_pairs {
	uint32_t *to_new, *to_old;
	bool *guessed; /* by old field: paired although the name differs */
};

/* An inner type of an old record, and what became of it. */
enum inner_kind { INNER_NONE, INNER_RECORD, INNER_ENUM, INNER_TYPEDEF,
		  INNER_BASE };
struct inner {
	enum inner_kind kind;
	uint32_t id; /* the old item; for others the old type */
};
#define MAX_INNERS 32
struct inners {
	uint32_t n;
	struct inner list[MAX_INNERS];
	bool overflow; /* there are more: no single cause can be named */
};

struct rename {
	const char *old_name, *new_name;
};

struct work {
	struct side a, b;
	bool mixed; /* DWARF against BTF */
	uint32_t nrenames;
	struct rename *renames; /* what a type's text may differ by */
	struct lac_diff_options o;
	struct lac_arena *scratch; /* gone when the diff is done */
	struct lac_diff *d;
};

/*
 * pair.c: by name, declaring file, then structure.  lac_decl_agreement: 3 the
 * same file, 2 its last two parts, 1 the last part or unknown, 0 another file.
 */
int lac_decl_agreement(const char *a, const char *b);
LAC_MUST_CHECK enum lac_status lac_diff_pair(struct work *w,
					     struct lac_err *err);
/* Fill s->by_name. */
LAC_MUST_CHECK enum lac_status lac_side_sort(struct side *s,
					     struct lac_arena *scratch,
					     struct lac_err *err);
/*
 * twin.c.  Before pairing: items for the other typedefs of a record, where the
 * other side has a record of that name.  After: mark what is there twice.
 */
LAC_MUST_CHECK enum lac_status lac_diff_add_aliases(struct work *w,
						    struct lac_err *err);
void lac_diff_find_twins(struct work *w);
/* rename.c: what pairing by name left over, by structure. */
LAC_MUST_CHECK enum lac_status lac_diff_pair_renamed(struct work *w,
						     struct lac_err *err);
/* fields.c */
LAC_MUST_CHECK enum lac_status lac_fields_pair(const struct lac_shape *a,
					       const struct lac_shape *b,
					       struct lac_arena *scratch,
					       struct field_pairs *ret,
					       struct lac_err *err);
/*
 * compare.c: the changes from a to b, whose fields are paired by p, into *ret
 * and *n, in the arena.
 */
LAC_MUST_CHECK enum lac_status
lac_shapes_compare(const struct work *w, const struct lac_shape *a,
		   const struct lac_shape *b, const struct field_pairs *p,
		   struct lac_arena *arena, struct lac_change **ret,
		   uint32_t *n, struct lac_err *err);
/* Equal as far as both formats can tell. */
bool lac_shapes_equal(const struct work *w, const struct lac_shape *a,
		      const struct lac_shape *b);
bool lac_types_equal(const struct work *w, const char *a, const char *b);

/* inner.c: what a type of the old build takes in the new one. */
struct mapped {
	uint64_t size;	/* bytes, LAC_SIZE_UNKNOWN */
	uint32_t align; /* bytes, 0 if unknown */
	bool changed;
	struct inner inner; /* the type that did it, if changed */
};
struct mapped lac_type_map(struct work *w, lac_type_id old_type);
/*
 * A field of old_type, which changed because of `in`, still holds that by value
 * as one of new_type: it did not become a pointer, or something else.
 */
bool lac_type_stays(struct work *w, lac_type_id old_type, struct inner in,
		    lac_type_id new_type);

/*
 * predict.c: old record `item` as it would be if its fields had become `to`
 * (by seq), and nothing else had changed.  *ret is a copy of its shape with
 * other offsets and sizes, its fields in the same order.  LAC_NOT_FOUND if the
 * rules do not give its own old layout, so nothing can be predicted.
 */
LAC_MUST_CHECK enum lac_status lac_shape_predict(struct work *w, uint32_t item,
						 const struct mapped *to,
						 struct lac_shape *ret,
						 struct lac_err *err);

/* Sorted lists of what is known by name. */
LAC_MUST_CHECK enum lac_status lac_side_index(struct side *s,
					      struct lac_arena *scratch,
					      struct lac_err *err);
/* Bytes, at least 1. */
uint32_t lac_side_align(struct side *s, lac_type_id id);

/* copy.c: into an arena of its own, texts and all. */
LAC_MUST_CHECK enum lac_status lac_shape_copy(const struct lac_shape *s,
					      struct lac_arena *arena,
					      const struct lac_shape **ret,
					      struct lac_err *err);
LAC_MUST_CHECK enum lac_status
lac_changes_copy(const struct lac_change *c, uint32_t n,
		 struct lac_arena *arena, struct lac_change **ret,
		 struct lac_err *err);

/* own.c: the changes of one pair, each its own or inherited. */
struct verdict {
	bool done; /* the pair differs, and this says how */
	uint32_t nchanges;
	struct lac_change *changes;
	bool explained, any_inherited;
	struct inners inners; /* direct ones that changed */
};
LAC_MUST_CHECK enum lac_status lac_diff_judge(struct work *w, uint32_t old_item,
					      struct verdict *ret,
					      struct lac_err *err);

/* cause.c: verdicts (by old item) to records and causes in w->d. */
LAC_MUST_CHECK enum lac_status lac_diff_explain(struct work *w,
						const struct verdict *v,
						struct lac_err *err);

/* Most records first; what has none goes.  The records' indices follow. */
LAC_MUST_CHECK enum lac_status lac_causes_sort(struct lac_diff *d,
					       struct lac_arena *scratch,
					       struct lac_err *err);

/* rank.c: by what they cost, most first. */
void lac_diff_rank(struct lac_diff *d);
/*
 * embed.c: how many named records hold a record, directly or not; LAC_NONE if
 * counting it would take too long.
 */
struct embedding;
LAC_MUST_CHECK enum lac_status lac_embedding_create(const struct side *s,
						    struct lac_arena *scratch,
						    struct embedding **ret,
						    struct lac_err *err);
uint32_t lac_embedding_count(struct embedding *e, lac_record_id id,
			     lac_record_id *first, uint32_t cap);

/* The caches of a file in the order of what they are called after. */
struct lac_cache_names {
	const struct lac_slabinfo *s;
	uint32_t *by_stem;
};

LAC_MUST_CHECK enum lac_status
lac_cache_names_sort(const struct lac_slabinfo *s, struct lac_arena *arena,
		     struct lac_cache_names *ret, struct lac_err *err);
/* The record that a cache is called after, but for its endings. */
const char *lac_cache_called(const struct lac_slab_cache *c);
/* Where those of a record of that name begin; false behind the last. */
uint32_t lac_cache_names_first(const struct lac_cache_names *n,
			       const char *name);
bool lac_cache_names_at(const struct lac_cache_names *n, uint32_t k,
			const char *name, uint32_t *cache);
/* The i-th of the other names of such a record's cache, or NULL. */
const char *lac_cache_alias(const char *record, unsigned i, char *buf,
			    size_t size);
/* Tell the caches of the file that there is this record. */
void lac_slabinfo_mark(const struct lac_cache_names *names,
		       const struct lac_shape *s);

#endif
