/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c - the kinds of BTF as types of a pool.  Ids, names and counts are not
 * trusted, whoever has found the types: see btf_source.h.
 *
 * In place, a name is the place of its string, as long as each string is there
 * once; whether it is, is found out beside the reading of the types.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "dbginfo/btf_source.h"
#include "dbginfo/names.h"

#define BTF_DEPTH_MAX 256
#define BUSY LAC_NONE

struct reader {
	const struct lac_btf_input *in;
	struct lac_btf_source from;
	struct lac_pool *p;
	char *text; /* all strings: the graph's, where names lie */
	uint32_t text_size;
	bool in_place;
	struct lac_names names; /* not in place */
	uint32_t n; /* types, the base's included */
	/* id << 1 | by_name -> type; 0 if it is not known (or void), BUSY */
	lac_type_id *memo;
	struct lac_map typedefs; /* id -> name of a typedef of it */
	uint32_t *roots, nroots; /* what is to be read */
	uint64_t pointer_size;
	bool odd_ints; /* some have fewer bits than their size */
	int depth;
};

bool lac_btf_is_raw(const void *data, size_t size)
{
	uint16_t magic;

	if (size < sizeof(struct btf_header))
		return false;
	memcpy(&magic, data, sizeof(magic));
	return magic == BTF_MAGIC || magic == __builtin_bswap16(BTF_MAGIC);
}

static enum lac_status bad(const struct reader *r, uint32_t id,
			   const char *what, struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "%s: BTF type %u: %s", r->in->path,
			id, what);
}

static enum lac_status no_name(const struct reader *r, uint32_t offset,
			       struct lac_err *err)
{
	if (offset < r->names.size)
		return lac_fail_memory(err);
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: a BTF name lies outside the strings", r->in->path);
}

/* In place, where the copy may not be there yet. */
static inline const char *string_at(const struct reader *r, uint32_t offset)
{
	const struct lac_btf_part *base = &r->from.part[0];

	return offset < base->strings_size
		       ? base->strings + offset
		       : base[1].strings + (offset - base->strings_size);
}

static inline enum lac_status name_of(struct reader *r, uint32_t offset,
				      const char **ret, struct lac_err *err)
{
	if (!r->in_place)
		return offset < r->names.size &&
				       lac_name_at(&r->names, offset, ret)
			       ? LAC_OK : no_name(r, offset, err);
	/* the end of another string is no place of its own */
	if (offset >= r->text_size ||
	    (offset && *string_at(r, offset - 1)))
		return no_name(r, offset, err);
	*ret = *string_at(r, offset) ? r->text + offset : NULL;
	return LAC_OK;
}

static enum lac_status build_new(struct reader *r, uint32_t id, bool by_name,
				 lac_type_id *ret, struct lac_err *err);

/* A type into the pool; with by_name, what has a name is only named. */
static inline enum lac_status build(struct reader *r, uint32_t id, bool by_name,
				    lac_type_id *ret, struct lac_err *err)
{
	lac_type_id known = id < r->n ? r->memo[(size_t)id << 1 | by_name] : 0;

	if (!known || known == BUSY)
		return build_new(r, id, by_name, ret, err);
	*ret = known;
	return LAC_OK;
}

static const struct btf_type *type_at(const struct reader *r, uint32_t id)
{
	return id < r->n ? lac_btf_type(&r->from, id) : NULL;
}

/* -- records -------------------------------------------------------------- */

/*
 * A bit-field is told by the member (kind flag), or, in older BTF, by an
 * integer type of fewer bits than its size.
 */
static uint64_t old_bitfield(const struct reader *r, uint32_t id,
			     uint64_t *shift)
{
	const struct btf_type *t = type_at(r, id);
	int steps = 0;

	while (t && (btf_is_mod(t) || btf_is_typedef(t)) && ++steps < 64)
		t = type_at(r, t->type);
	if (!t || !btf_is_int(t) || btf_int_bits(t) == t->size * 8)
		return 0;
	*shift = btf_int_offset(t);
	return btf_int_bits(t);
}

static enum lac_status build_member(struct reader *r, const struct btf_type *t,
				    uint16_t i, struct lac_member *m,
				    struct lac_err *err)
{
	const struct btf_member *b = &btf_members(t)[i];
	uint64_t shift = 0;

	LAC_TRY(name_of(r, b->name_off, &m->name, err));
	LAC_TRY(build(r, b->type, false, &m->type, err));
	m->bit_offset = btf_member_bit_offset(t, i);
	m->bit_size = btf_member_bitfield_size(t, i);
	if (!m->bit_size && r->odd_ints && !btf_kflag(t)) {
		m->bit_size = old_bitfield(r, b->type, &shift);
		m->bit_offset += shift;
	}
	if (m->bit_size && lac_pool_is_bitfield(r->p, m))
		m->role = LAC_MEMBER_BITFIELD;
	else if (!m->bit_size)
		m->bit_size = LAC_SIZE_UNKNOWN; /* its type's */
	return LAC_OK;
}

static int by_offset(const void *x, const void *y)
{
	const struct lac_member *a = x, *b = y;

	return a->bit_offset < b->bit_offset ? -1 :
	       a->bit_offset > b->bit_offset;
}

static enum lac_status typedef_name_of(struct reader *r, uint32_t id,
				       const char **ret, struct lac_err *err)
{
	const uint32_t *name = lac_map_get(&r->typedefs, id);

	*ret = NULL;
	return name ? name_of(r, *name, ret, err) : LAC_OK;
}

static enum lac_status build_record(struct reader *r, uint32_t id,
				    const struct btf_type *t, lac_type_id *ret,
				    struct lac_err *err)
{
	uint16_t n = btf_vlen(t);
	struct lac_member *members = lac_arena_zalloc(r->p->arena, n,
						      sizeof(*members));
	struct lac_record rec = {
		.kind = btf_is_union(t) ? LAC_UNION : LAC_STRUCT,
		.size = t->size, .parent = LAC_NONE, .nmembers = n,
		.members = members,
	};
	bool sorted = true;

	if (!members)
		return lac_fail_memory(err);
	for (uint16_t i = 0; i < n; i++) {
		LAC_TRY(build_member(r, t, i, &members[i], err));
		sorted &= !i || members[i - 1].bit_offset <=
					members[i].bit_offset;
	}
	if (!sorted) { /* RANDSTRUCT and its like are, so this is damage */
		qsort(members, n, sizeof(*members), by_offset);
		r->p->in_order = false;
	}
	LAC_TRY(name_of(r, t->name_off, &rec.name, err));
	if (!rec.name)
		LAC_TRY(typedef_name_of(r, id, &rec.typedef_name, err));
	return lac_pool_record_made(r->p, &rec, ret, err);
}

/* -- enumerations --------------------------------------------------------- */

static enum lac_status build_enum(struct reader *r, const struct btf_type *t,
				  lac_type_id *ret, struct lac_err *err)
{
	uint16_t n = btf_vlen(t);
	struct lac_enumerator *values = lac_arena_zalloc(r->p->arena, n,
							 sizeof(*values));
	struct lac_enumeration e = { .size = t->size, .values = values,
				     .nvalues = n };

	if (!values)
		return lac_fail_memory(err);
	e.is_signed = btf_kflag(t);
	for (uint16_t i = 0; i < n; i++) {
		if (btf_is_enum64(t)) {
			values[i].value = (int64_t)btf_enum64_value(
				&btf_enum64(t)[i]);
			LAC_TRY(name_of(r, btf_enum64(t)[i].name_off,
					&values[i].name, err));
		} else {
			values[i].value = btf_enum(t)[i].val;
			if (!e.is_signed && t->size <= 4)
				values[i].value &= 0xffffffff;
			LAC_TRY(name_of(r, btf_enum(t)[i].name_off,
					&values[i].name, err));
		}
	}
	LAC_TRY(name_of(r, t->name_off, &e.name, err));
	return lac_pool_enumeration_made(r->p, &e, ret, err);
}

/* -- the other kinds ------------------------------------------------------ */

static enum lac_status put(struct reader *r, const struct lac_type *t,
			   lac_type_id *ret, struct lac_err *err)
{
	return lac_pool_type(r->p, t, false, ret, err);
}

static enum lac_status build_base(struct reader *r, const struct btf_type *b,
				  lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = { .kind = LAC_TYPE_BASE, .size = b->size,
			      .encoding = LAC_ENC_FLOAT };

	LAC_TRY(name_of(r, b->name_off, &t.name, err));
	if (btf_is_int(b)) {
		uint8_t e = btf_int_encoding(b);

		t.encoding = e & BTF_INT_BOOL ? LAC_ENC_BOOL :
			     e & BTF_INT_CHAR && e & BTF_INT_SIGNED ?
						LAC_ENC_SIGNED_CHAR :
			     e & BTF_INT_CHAR ? LAC_ENC_UNSIGNED_CHAR :
			     e & BTF_INT_SIGNED ? LAC_ENC_SIGNED :
						  LAC_ENC_UNSIGNED;
	}
	return put(r, &t, ret, err);
}

static enum lac_status build_function(struct reader *r,
				      const struct btf_type *b,
				      lac_type_id *ret, struct lac_err *err)
{
	uint16_t n = btf_vlen(b);
	lac_type_id *params = calloc((size_t)n + 1, sizeof(*params));
	struct lac_type t = { .kind = LAC_TYPE_FUNCTION,
			      .size = LAC_SIZE_UNKNOWN };
	enum lac_status st = params ? LAC_OK : lac_fail_memory(err);

	t.function.params = params;
	if (st == LAC_OK)
		st = build(r, b->type, true, &t.target, err);
	for (uint16_t i = 0; i < n && st == LAC_OK; i++) {
		const struct btf_param *p = &btf_params(b)[i];

		if (i == n - 1 && !p->type && !p->name_off)
			t.function.variadic = true;
		else
			st = build(r, p->type, true,
				   &params[t.function.nparams++], err);
	}
	if (st == LAC_OK)
		st = put(r, &t, ret, err);
	free(params);
	return st;
}

static enum lac_status name_record(struct reader *r, const struct btf_type *b,
				   bool is_union, lac_type_id *ret,
				   struct lac_err *err)
{
	struct lac_type t = { .kind = LAC_TYPE_RECORD,
			      .size = LAC_SIZE_UNKNOWN, .record = LAC_NONE,
			      .record_kind = is_union ? LAC_UNION :
							LAC_STRUCT };

	LAC_TRY(name_of(r, b->name_off, &t.name, err));
	return put(r, &t, ret, err);
}

static enum lac_status name_enum(struct reader *r, const struct btf_type *b,
				 lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = { .kind = LAC_TYPE_ENUM, .enumeration = LAC_NONE,
			      .size = LAC_SIZE_UNKNOWN };

	LAC_TRY(name_of(r, b->name_off, &t.name, err));
	return put(r, &t, ret, err);
}

static enum lac_status build_array(struct reader *r, const struct btf_type *b,
				   bool by_name, lac_type_id *ret,
				   struct lac_err *err)
{
	const struct btf_array *a = btf_array(b);
	struct lac_type t = { .kind = LAC_TYPE_ARRAY,
			      .size = LAC_SIZE_UNKNOWN };

	/* [] and [0] look the same here */
	t.array.count = a->nelems;
	LAC_TRY(build(r, a->type, by_name, &t.target, err));
	return put(r, &t, ret, err);
}

static enum lac_type_kind modifier_kind(const struct btf_type *b)
{
	switch (btf_kind(b)) {
	case BTF_KIND_TYPEDEF: return LAC_TYPE_TYPEDEF;
	case BTF_KIND_CONST: return LAC_TYPE_CONST;
	case BTF_KIND_VOLATILE: return LAC_TYPE_VOLATILE;
	default: return LAC_TYPE_RESTRICT;
	}
}

static enum lac_status build_kind(struct reader *r, uint32_t id,
				  const struct btf_type *b, bool by_name,
				  lac_type_id *ret, struct lac_err *err)
{
	struct lac_type t = { .size = LAC_SIZE_UNKNOWN };

	switch (btf_kind(b)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return build_base(r, b, ret, err);
	case BTF_KIND_PTR:
		t.kind = LAC_TYPE_POINTER;
		t.size = r->pointer_size;
		LAC_TRY(build(r, b->type, true, &t.target, err));
		return put(r, &t, ret, err);
	case BTF_KIND_ARRAY:
		return build_array(r, b, by_name, ret, err);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (by_name && b->name_off)
			return name_record(r, b, btf_is_union(b), ret, err);
		return build_record(r, id, b, ret, err);
	case BTF_KIND_FWD:
		return name_record(r, b, btf_kflag(b), ret, err);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (by_name && b->name_off)
			return name_enum(r, b, ret, err);
		return build_enum(r, b, ret, err);
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		t.kind = modifier_kind(b);
		LAC_TRY(name_of(r, b->name_off, &t.name, err));
		LAC_TRY(build(r, b->type, by_name, &t.target, err));
		return put(r, &t, ret, err);
	case BTF_KIND_TYPE_TAG: /* says nothing about the layout */
		return build(r, b->type, by_name, ret, err);
	case BTF_KIND_FUNC_PROTO:
		return build_function(r, b, ret, err);
	default:
		return bad(r, id, "is no type that a member can have", err);
	}
}

static enum lac_status build_new(struct reader *r, uint32_t id, bool by_name,
				 lac_type_id *ret, struct lac_err *err)
{
	const struct btf_type *b;
	lac_type_id *known;
	enum lac_status st;

	if (!id) {
		*ret = 0;
		return LAC_OK;
	}
	if (id >= r->n)
		return bad(r, id, "there is none; is a base missing?", err);
	known = &r->memo[(size_t)id << 1 | by_name];
	b = lac_btf_type(&r->from, id);
	if (!b)
		return bad(r, id, "there is none; is a base missing?", err);
	if (*known == BUSY) {
		if (btf_is_composite(b))
			return name_record(r, b, btf_is_union(b), ret, err);
		return bad(r, id, "is made of itself", err);
	}
	if (r->depth >= BTF_DEPTH_MAX)
		return bad(r, id, "types are nested too deeply", err);
	*known = BUSY;
	r->depth++;
	st = build_kind(r, id, b, by_name, ret, err);
	r->depth--;
	LAC_TRY(st);
	*known = *ret;
	return LAC_OK;
}

/* -- the whole ------------------------------------------------------------ */

static enum lac_status open_text(struct reader *r, struct lac_err *err)
{
	if (!lac_btf_strings_size(&r->from, &r->text_size))
		return lac_fail(err, LAC_BAD_INPUT, "%s: BTF without strings",
				r->in->path);
	r->text = malloc(r->text_size);
	if (!r->text || !lac_arena_own(r->p->arena, r->text, free)) {
		free(r->text);
		return lac_fail_memory(err);
	}
	return LAC_OK;
}

/* The first typedef of an anonymous record names it. */
static bool note_typedef(struct reader *r, const struct btf_type *b)
{
	return lac_map_get(&r->typedefs, b->type) ||
	       lac_map_put(&r->typedefs, b->type, b->name_off);
}

#define KINDS 32 /* that the five bits of a type can say */
#define ROOTS                                                                  \
	(1u << BTF_KIND_STRUCT | 1u << BTF_KIND_UNION | 1u << BTF_KIND_ENUM |  \
	 1u << BTF_KIND_ENUM64 | 1u << BTF_KIND_TYPEDEF)

/* One "long", and "int" and "unsigned" beside it in any order. */
static bool names_long(const char *s)
{
	unsigned longs = 0;

	while (*s) {
		size_t n = strcspn(s, " ");

		if (n == 4 && !memcmp(s, "long", n))
			longs++;
		else if (!(n == 3 && !memcmp(s, "int", n)) &&
			 !(n == 8 && !memcmp(s, "unsigned", n)))
			return false;
		s += n + (s[n] == ' ');
	}
	return longs == 1;
}

/*
 * BTF does not say how large a pointer is; a long is as large on every target
 * of Linux.  libbpf has its own idea of that, which is the same.
 */
static void note_long(struct reader *r, const struct btf_type *b)
{
	if (r->pointer_size || !r->in_place || (b->size != 4 && b->size != 8))
		return;
	/* a string ends within its part */
	if (b->name_off < r->text_size && names_long(string_at(r, b->name_off)))
		r->pointer_size = b->size;
}

/* One look at every type, at most of which there is no second. */
static enum lac_status survey(struct reader *r, struct lac_err *err)
{
	uint32_t n[KINDS] = { 0 }, records, enums, others;
	struct lac_btf_source *from = &r->from;
	const struct btf_type *b;

	r->roots = malloc(((size_t)from->max + 1) * sizeof(*r->roots));
	if (!r->roots)
		return lac_fail_memory(err);
	while ((b = lac_btf_next(from))) {
		unsigned kind = btf_kind(b);

		n[kind]++;
		/* without a branch: kinds are random */
		r->roots[r->nroots] = from->n - 1;
		r->nroots += from->first && ROOTS >> kind & 1 &&
			     from->n > from->first;
		if (kind == BTF_KIND_TYPEDEF && !note_typedef(r, b))
			return lac_fail_memory(err);
		if (kind == BTF_KIND_INT) {
			r->odd_ints |= btf_int_bits(b) != b->size * 8;
			note_long(r, b);
		}
	}
	if (from->bad)
		return lac_fail(err, LAC_BAD_INPUT, "%s: damaged BTF",
				r->in->path);
	r->n = from->n;
	r->memo = calloc((size_t)r->n * 2, sizeof(*r->memo));
	if (!r->memo)
		return lac_fail_memory(err);
	records = n[BTF_KIND_STRUCT] + n[BTF_KIND_UNION];
	enums = n[BTF_KIND_ENUM] + n[BTF_KIND_ENUM64];
	others = r->n - records - enums - n[BTF_KIND_UNKN] - n[BTF_KIND_FUNC] -
		 n[BTF_KIND_VAR];
	/* a record may stand beside its name */
	return lac_pool_reserve(r->p, others + enums + 2 * records, records,
				enums, r->nroots, err);
}

static enum lac_status read_types(struct reader *r, struct lac_err *err)
{
	struct lac_pool_place nowhere = { 0 };
	lac_type_id id;

	LAC_TRY(survey(r, err));
	if (!r->pointer_size)
		r->pointer_size = 8;
	LAC_TRY(lac_pool_unit(r->p, r->in->path, NULL, err));
	/* parts are put in before the whole, and nothing that is no part */
	r->p->in_order = !r->p->nroots;
	for (uint32_t i = 0; i < r->nroots; i++) {
		uint32_t root = r->roots[i];

		LAC_TRY(build(r, root, false, &id, err));
		LAC_TRY(lac_pool_root(r->p, id, &nowhere, err));
		/* none for an enumeration or a name for one */
		if (btf_is_composite(lac_btf_type(&r->from, root)))
			LAC_TRY(lac_pool_add_unit_of(r->p, id, 0, err));
	}
	return LAC_OK;
}

static void close_reader(struct reader *r)
{
	lac_btf_close(&r->from);
	lac_names_free(&r->names);
	lac_map_free(&r->typedefs);
	free(r->memo);
	free(r->roots);
}

static enum lac_status read_libbpf(struct reader *r, struct lac_err *err)
{
	LAC_TRY(lac_btf_open_libbpf(&r->from, r->in, err));
	if (!r->pointer_size)
		r->pointer_size = btf__pointer_size(r->from.btf);
	LAC_TRY(open_text(r, err));
	lac_btf_strings_copy(&r->from, r->text);
	if (!lac_names_init(&r->names, r->text, r->text_size))
		return lac_fail_memory(err);
	return read_types(r, err);
}

/* -- in place ------------------------------------------------------------- */

#define STRINGS_ALONE ((uint32_t)64 << 10) /* bytes that are worth a thread */

struct strings {
	struct reader *r;
	pthread_t thread;
	bool apart;
	bool once; /* each is there once */
};

static void *take_strings(void *arg)
{
	struct strings *s = arg;
	struct reader *r = s->r;

	lac_btf_strings_copy(&r->from, r->text);
	/* they may have changed since they were looked at */
	r->text[r->text_size - 1] = '\0';
	s->once = lac_names_differ(r->text, r->text_size);
	return NULL;
}

static enum lac_status read_in_place(struct reader *r, struct lac_err *err)
{
	struct strings s = { .r = r };
	enum lac_status st;

	LAC_TRY(open_text(r, err));
	if (r->text_size >= STRINGS_ALONE &&
	    lac_threads_count(r->in->threads) > 1)
		s.apart = !pthread_create(&s.thread, NULL, take_strings, &s);
	if (!s.apart)
		take_strings(&s);
	st = read_types(r, err);
	if (s.apart)
		pthread_join(s.thread, NULL);
	if (st == LAC_OK && !s.once)
		st = lac_fail(err, LAC_UNSUPPORTED,
			      "%s: BTF with strings that are there twice",
			      r->in->path);
	return st;
}

enum lac_status lac_btf_read(const struct lac_btf_input *in, struct lac_pool *p,
			     uint8_t *pointer_size, bool *big_endian,
			     struct lac_err *err)
{
	struct reader r = { .in = in, .p = p, .pointer_size = *pointer_size };
	enum lac_status st = LAC_UNSUPPORTED;

	if (in->in_place) {
		r.in_place = lac_btf_open_in_place(&r.from, in);
		if (r.in_place)
			st = read_in_place(&r, err);
		/* libbpf has the last word on what is wrong */
		if (st != LAC_OK && st != LAC_NO_MEMORY)
			st = lac_fail(err, LAC_UNSUPPORTED,
				      "%s: BTF that libbpf has to take in",
				      in->path);
	} else {
		st = read_libbpf(&r, err);
	}
	if (st == LAC_OK) {
		*big_endian = r.from.big_endian;
		*pointer_size = (uint8_t)r.pointer_size;
	}
	close_reader(&r);
	return st;
}
