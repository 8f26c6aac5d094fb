/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan_known.c - entries that an earlier unit has had.
 *
 * Two thousand units of a kernel include the same headers.  What differs
 * between two copies of a type is where the types lie that it refers to, the
 * codes of its abbreviations and the numbers of its source files; everything
 * else is the same bytes.  So what an entry and its parts say by their bytes
 * is one fingerprint, and a copy costs no more than to take that.  What it
 * refers to is compared later, by fingerprints as well (scan_print.c).
 */
#include <dwarf.h>
#include <stdlib.h>

#include "dbginfo/graph.h"
#include "dbginfo/scan_unit.h"

#define BYTES_MAX (48u << 20) /* of one thread; what is beyond is walked */

/* -- what an entry says by its bytes -------------------------------------- */

static inline uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

/* A name of up to seven bytes that ends with a zero, at *p; moves *p on. */
static inline bool mix_short_name(struct lac_print *h, const unsigned char **p)
{
	uint64_t word = get64(*p);
	uint64_t zero = (word - 0x0101010101010101u) & ~word &
			0x8080808080808080u;
	unsigned n;

	if (!zero)
		return false;
	n = (unsigned)__builtin_ctzll(zero) / 8;
	mix(h, word & (((uint64_t)1 << 8 * n) - 1));
	*p += n + 1;
	return true;
}

/* A number in seven bits a byte; of over nine bytes it is not read. */
static inline bool mix_number(struct lac_print *h, const unsigned char **p)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 9; i++) {
		unsigned char b = *(*p)++;

		v |= (uint64_t)(b & 0x7f) << 7 * i;
		if (b < 0x80) {
			mix_pair(h, i, v);
			return true;
		}
	}
	return false;
}

/* The most that one entry's values can take here, and a word beyond. */
#define ENTRY_MAX (8 + 8 * LAC_MASK_WORDS + 9 + 8)

/*
 * The values of a plain entry, of which ENTRY_MAX bytes can be read: where they
 * end, or NULL if they cannot be told; *ref is then the reference, or NO_TYPE.
 */
static inline __attribute__((always_inline)) const unsigned char *
mix_values(struct lac_print *h, const struct lac_abbrev *ab,
	   const unsigned char *p, uint32_t *ref)
{
	if (ab->named && !mix_short_name(h, &p))
		return NULL;
	/* nearly all have two words; a shape is no difference of masked bytes */
	mix_pair(h, ab->shape * 0x9e3779b97f4a7c15u ^ (get64(p + 8) & ab->mask[1]),
		 get64(p) & ab->mask[0]);
	if (ab->nwords > 2)
		mix(h, get64(p + 16) & ab->mask[2]);
	*ref = ab->has_ref ? get32(p + ab->ref_at) : NO_TYPE;
	p += ab->size;
	if (ab->named_last && !mix_short_name(h, &p))
		return NULL;
	return !ab->number || mix_number(h, &p) ? p : NULL;
}

static inline bool add_ref(struct lac_scan_unit *u, uint32_t ref)
{
	if (!lac_make_room((void **)&u->refs, u->nrefs, &u->refs_cap,
			   sizeof(*u->refs)))
		return false;
	u->refs[u->nrefs++] = ref;
	return true;
}

/*
 * The parts of a record mostly are of one abbreviation: that is looked up once,
 * and where the next part begins does not hang on what is in this one.
 */
static const unsigned char *mix_parts(struct lac_scan_unit *u,
				      struct lac_print *ret,
				      const unsigned char *p,
				      const unsigned char *end)
{
	struct lac_print h = *ret; /* in registers */
	const struct lac_abbrev *ab = NULL;
	uint32_t last = LAC_NONE, ref; /* 0 may be written in two bytes */

	while ((size_t)(end - p) > ENTRY_MAX + 2) {
		uint32_t code = *p++;

		if (!code) {
			*ret = h;
			return p;
		}
		if (code >= 0x80) {
			if (*p >= 0x80)
				return NULL;
			code = (code & 0x7f) | (uint32_t)*p++ << 7;
		}
		if (code != last) {
			ab = lac_abbrev_of(&u->abbrevs, code);
			if (!ab || ab->kind != ABBREV_PART || ab->children ||
			    !ab->plain)
				return NULL;
			last = code;
		}
		p = mix_values(&h, ab, p, &ref);
		if (!p)
			return NULL;
		if (!ab->has_ref)
			continue;
		/* to nowhere, or out of the unit: that is told by the walk */
		if (ref - 1 >= u->length - 1)
			return NULL;
		if (ab->tag != DW_TAG_subrange_type && !add_ref(u, ref))
			return NULL;
	}
	return NULL;
}

static const unsigned char *mix_all(struct lac_scan_unit *u,
				    const struct lac_abbrev *ab,
				    const unsigned char *p,
				    const unsigned char *end,
				    struct lac_print *ret, uint32_t *type)
{
	struct lac_print h = { 8, 9 };

	p = mix_values(&h, ab, p, type);
	*ret = h;
	return p && ab->children ? mix_parts(u, ret, p, end) : p;
}

/* -- finding -------------------------------------------------------------- */

/*
 * There are more of them than a cache holds, but their order is known: the next
 * one is on its way while its bytes are read.
 */
static inline struct lac_known *in_order(struct lac_known_set *set,
					 struct lac_known *k)
{
	set->last = k;
	if (k->next) {
		__builtin_prefetch(k->next);
		__builtin_prefetch((const char *)k->next + 64);
	}
	return k;
}

static void follows(struct lac_known_set *set, struct lac_known *k)
{
	if (set->last)
		set->last->next = k;
	in_order(set, k);
}

static struct lac_known *find(struct lac_known_set *set,
			      const struct lac_abbrev *ab,
			      const struct lac_print *h)
{
	bool ordered = ab->known == KNOWN_IN_ORDER;
	uint32_t hash = lac_print_hash(h);
	struct lac_known **recent = &set->recent[hash % KNOWN_RECENT];
	struct lac_known *k = ordered ? set->last ? set->last->next : NULL :
				       *recent;

	if (k && lac_print_same(&k->own, h))
		return ordered ? in_order(set, k) : k;
	for (uint32_t at = hash; set->table.cap; at++) {
		struct lac_table_slot *s =
			&set->table.slots[at & (set->table.cap - 1)];

		if (s->id == LAC_NONE)
			return NULL;
		if (s->hash != hash || !lac_print_same(&set->v[s->id]->own, h))
			continue;
		k = set->v[s->id];
		if (ordered)
			follows(set, k);
		else
			*recent = k;
		return k;
	}
	return NULL;
}

struct lac_known *lac_known_find(struct lac_scan_unit *u,
				 const struct lac_abbrev *ab,
				 const unsigned char *p,
				 const unsigned char *end,
				 struct lac_print *own, uint32_t *type,
				 const unsigned char **next)
{
	uint32_t first = u->nrefs;
	struct lac_known *k;

	*next = NULL;
	if (!ab->plain || (size_t)(end - p) <= ENTRY_MAX)
		return NULL;
	*next = mix_all(u, ab, p, end, own, type);
	k = *next ? find(&u->known, ab, own) : NULL;
	/* so no more refs are read than there are, whoever made the bytes */
	return k && k->nrefs == u->nrefs - first ? k : NULL;
}

/* -- keeping -------------------------------------------------------------- */

/* Does its print hang on whether it is reached by name? */
static bool is_two(const struct entry *e)
{
	return !(e->flags & (IS_RECORD | SAME_BY_NAME));
}

static struct lac_known *make(struct lac_known_set *set, const struct entry *e,
			      uint32_t nrefs)
{
	size_t seen = ((size_t)nrefs + KNOWN_OWN_REFS) << is_two(e);
	size_t size = sizeof(struct lac_known) + seen * sizeof(uint32_t);
	size_t bytes = size + sizeof(*set->bodies) + sizeof(*set->typedefs);
	struct lac_known *k;

	if (nrefs > UINT16_MAX || bytes > BYTES_MAX - set->bytes ||
	    !lac_make_room((void **)&set->v, set->n, &set->cap,
			   sizeof(*set->v)) ||
	    !lac_make_room((void **)&set->bodies, set->n, &set->bodies_cap,
			   sizeof(*set->bodies)) ||
	    !lac_make_room((void **)&set->typedefs, set->n,
			   &set->typedefs_cap, sizeof(*set->typedefs)) ||
	    !lac_table_grow(&set->table))
		return NULL;
	k = lac_arena_zalloc(set->arena, size, 1);
	if (k)
		set->bytes += bytes;
	return k;
}

void lac_known_add(struct lac_scan_unit *u, const struct lac_abbrev *ab,
		   const struct lac_print *h, uint32_t id, uint32_t first)
{
	struct lac_known_set *set = &u->known;
	struct entry *e = &u->entries[id];
	uint32_t hash = lac_print_hash(h), at = hash;
	struct lac_known *k = make(set, e, u->nrefs - first);

	if (!k)
		return;
	k->own = *h;
	k->number = set->n;
	k->nrefs = (uint16_t)(u->nrefs - first);
	k->tag = e->tag;
	k->flags = e->flags;
	k->simple = ab->known == KNOWN_SIMPLE ||
		    (e->tag == DW_TAG_array_type && !k->nrefs);
	k->two = is_two(e);
	for (int i = 0; i < 2; i++)
		k->named[i] = k->print[i] = LAC_NONE;
	set->bodies[set->n] = u->bodies[e->body];
	set->bodies[set->n].first = set->bodies[set->n].last = NO_ENTRY;
	e->known = k;
	e->first = first;
	while (set->table.slots[at & (set->table.cap - 1)].id != LAC_NONE)
		at++;
	set->table.slots[at & (set->table.cap - 1)] = (struct lac_table_slot){
		hash, set->n,
	};
	set->table.n++;
	set->v[set->n++] = k;
	if (ab->known == KNOWN_IN_ORDER)
		follows(set, k);
}

/* -- the set -------------------------------------------------------------- */

enum lac_status lac_known_init(struct lac_known_set *k, struct lac_err *err)
{
	k->arena = lac_arena_create();
	return k->arena ? LAC_OK : lac_fail_memory(err);
}

void lac_known_free(struct lac_known_set *k)
{
	lac_arena_destroy(k->arena);
	free(k->bodies);
	free(k->typedefs);
	free(k->v);
	free(k->table.slots);
}
