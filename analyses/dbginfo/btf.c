/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c - the kinds of BTF as types of a pool, through libbpf.  Ids, names and
 * counts are not trusted all the same.
 */
#include <bpf/libbpf.h>
#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dbginfo/btf_kinds.h"
#include "dbginfo/names.h"
#include "dbginfo/typeinfo.h"

#define BTF_DEPTH_MAX 256
#define BUSY LAC_NONE

struct reader {
	const struct lac_btf_input *in;
	struct btf *btf, *base;
	struct lac_pool *p;
	struct lac_names names; /* all strings, where the graph has them */
	uint32_t n, first; /* types; of those, the base's, or 1 */
	/* id << 1 | by_name -> type; 0 if it is not known (or void), BUSY */
	lac_type_id *memo;
	struct lac_map typedefs; /* id -> name of a typedef of it */
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

static enum lac_status name_of(struct reader *r, uint32_t offset,
			       const char **ret, struct lac_err *err)
{
	if (offset >= r->names.size)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: a BTF name lies outside the strings",
				r->in->path);
	/* what makes split BTF takes a string of the base's as a whole */
	if (r->base && offset && r->names.text[offset - 1])
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: a name begins within a string of %s: that "
				"is not the base it was made with",
				r->in->path, r->in->base_path);
	return lac_name_at(&r->names, offset, ret) ? LAC_OK :
						     lac_fail_memory(err);
}

static enum lac_status build_new(struct reader *r, uint32_t id, bool by_name,
				 lac_type_id *ret, struct lac_err *err);

/* A type into the pool; with by_name, what has a name is only named. */
static enum lac_status build(struct reader *r, uint32_t id, bool by_name,
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
	return id < r->n ? btf__type_by_id(r->btf, id) : NULL;
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

static enum lac_status build_members(struct reader *r, const struct btf_type *t,
				     struct lac_member *members,
				     struct lac_err *err)
{
	uint16_t n = btf_vlen(t);
	bool sorted = true;

	for (uint16_t i = 0; i < n; i++) {
		LAC_TRY(build_member(r, t, i, &members[i], err));
		sorted &= !i || members[i - 1].bit_offset <=
					members[i].bit_offset;
	}
	if (!sorted) /* RANDSTRUCT and its like are, so this is damage */
		qsort(members, n, sizeof(*members), by_offset);
	return LAC_OK;
}

static enum lac_status build_record(struct reader *r, uint32_t id,
				    const struct btf_type *t, lac_type_id *ret,
				    struct lac_err *err)
{
	uint16_t n = btf_vlen(t);
	struct lac_member *members = calloc((size_t)n + 1, sizeof(*members));
	struct lac_record rec = {
		.kind = btf_is_union(t) ? LAC_UNION : LAC_STRUCT,
		.size = t->size, .parent = LAC_NONE, .nmembers = n,
		.members = members,
	};
	enum lac_status st = members ? build_members(r, t, members, err) :
				       lac_fail_memory(err);

	if (st == LAC_OK)
		st = name_of(r, t->name_off, &rec.name, err);
	if (st == LAC_OK && !rec.name)
		st = typedef_name_of(r, id, &rec.typedef_name, err);
	if (st == LAC_OK)
		st = lac_pool_record(r->p, &rec, ret, err);
	free(members);
	return st;
}

/* -- enumerations --------------------------------------------------------- */

static enum lac_status build_values(struct reader *r, const struct btf_type *t,
				    struct lac_enumerator *values,
				    struct lac_err *err)
{
	for (uint16_t i = 0; i < btf_vlen(t); i++) {
		uint32_t name;

		values[i].value = lac_btf_value(t, i, &name);
		LAC_TRY(name_of(r, name, &values[i].name, err));
	}
	return LAC_OK;
}

static enum lac_status build_enum(struct reader *r, const struct btf_type *t,
				  lac_type_id *ret, struct lac_err *err)
{
	uint16_t n = btf_vlen(t);
	struct lac_enumerator *values = calloc((size_t)n + 1, sizeof(*values));
	struct lac_enumeration e = { .size = t->size, .values = values,
				     .nvalues = n,
				     .is_signed = btf_kflag(t) };
	enum lac_status st = values ? build_values(r, t, values, err) :
				      lac_fail_memory(err);

	if (st == LAC_OK)
		st = name_of(r, t->name_off, &e.name, err);
	if (st == LAC_OK)
		st = lac_pool_enumeration(r->p, &e, ret, err);
	free(values);
	return st;
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
			      .encoding = lac_btf_encoding(b) };

	LAC_TRY(name_of(r, b->name_off, &t.name, err));
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
		/* a nameless one that leads to itself has no name to go by */
		if (by_name &&
		    (b->name_off || r->memo[(size_t)id << 1] == BUSY))
			return name_record(r, b, btf_is_union(b), ret, err);
		if (by_name)
			return build(r, id, false, ret, err);
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
		t.kind = lac_btf_modifier(btf_kind(b));
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
	b = btf__type_by_id(r->btf, id);
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

static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf takes split BTF from files only: give it one that is in memory. */
static struct btf *open_split(const struct lac_btf_input *in, struct btf *base)
{
	int fd = memfd_create("lacuna-btf", MFD_CLOEXEC);
	const unsigned char *p = in->data;
	size_t left = in->size;
	struct btf *btf = NULL;
	char path[64];

	if (fd < 0)
		return NULL;
	while (left) {
		ssize_t n = write(fd, p, left);

		if (n <= 0)
			break;
		p += n;
		left -= (size_t)n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!left)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

/* Bytes of strings, of libbpf's own copy: the file may have changed since. */
static uint32_t strings_size(const struct btf *btf)
{
	uint32_t size;
	const void *data = btf ? btf__raw_data(btf, &size) : NULL;
	struct btf_header h;

	if (!data)
		return 0;
	memcpy(&h, data, sizeof(h));
	return h.magic == BTF_MAGIC ? h.str_len : bswap_32(h.str_len);
}

/*
 * The graph's copy of all strings is where names lie.  Those of split BTF go
 * on where the base's end.
 */
static enum lac_status open_names(struct reader *r, struct lac_err *err)
{
	uint32_t first = strings_size(r->base), more = strings_size(r->btf), n;
	char *text;

	if (__builtin_add_overflow(first, more, &n) || !n)
		return lac_fail(err, LAC_BAD_INPUT, "%s: BTF without strings",
				r->in->path);
	text = lac_arena_alloc(r->p->arena, n, 1);
	if (!text)
		return lac_fail_memory(err);
	if (first)
		memcpy(text, btf__str_by_offset(r->base, 0), first);
	if (more)
		memcpy(text + first, btf__str_by_offset(r->btf, first), more);
	return lac_names_init(&r->names, text, n) ? LAC_OK :
						    lac_fail_memory(err);
}

/* libbpf takes types from wherever a header ends. */
static bool is_askew(const void *data, size_t size)
{
	struct btf_header h;

	if (!data || size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic == BTF_MAGIC)
		return (h.hdr_len + h.type_off) % _Alignof(struct btf_type);
	return (bswap_32(h.hdr_len) + bswap_32(h.type_off)) %
	       _Alignof(struct btf_type);
}

static enum lac_status open_btf(struct reader *r, struct lac_err *err)
{
	const struct lac_btf_input *in = r->in;

	libbpf_set_print(quiet);
	if (is_askew(in->data, in->size) || is_askew(in->base, in->base_size))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: damaged BTF: types that are not aligned",
				in->path);
	if (in->size > UINT32_MAX || in->base_size > UINT32_MAX)
		return lac_fail(err, LAC_BAD_INPUT, "%s: BTF of over 4 GiB",
				in->path);
	if (in->base) {
		r->base = btf__new(in->base, (uint32_t)in->base_size);
		if (!r->base && errno == ENOMEM)
			return lac_fail_memory(err);
		if (!r->base)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: no base BTF: %s", in->base_path,
					strerror(errno));
		r->btf = open_split(in, r->base);
	} else {
		r->btf = btf__new(in->data, (uint32_t)in->size);
	}
	if (!r->btf && errno == ENOMEM)
		return lac_fail_memory(err);
	if (!r->btf)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: damaged BTF%s: %s", in->path,
				in->base ? ", or split BTF of another base" :
					   ", or a module's split BTF: give "
					   "the file with its base, the "
					   "kernel, as --base",
				strerror(errno));
	r->n = btf__type_cnt(r->btf);
	r->first = r->base ? btf__type_cnt(r->base) : 1;
	return LAC_OK;
}

/* The first typedef of an anonymous record names it. */
static bool note_typedef(struct reader *r, const struct btf_type *b)
{
	return lac_map_get(&r->typedefs, b->type) ||
	       lac_map_put(&r->typedefs, b->type, b->name_off);
}

static bool is_root(const struct btf_type *b)
{
	return btf_is_composite(b) || btf_is_any_enum(b) || btf_is_typedef(b);
}

/* What has to be known before any type is built. */
static enum lac_status look_ahead(struct reader *r, struct lac_err *err)
{
	r->memo = calloc((size_t)r->n * 2, sizeof(*r->memo));
	if (!r->memo)
		return lac_fail_memory(err);
	for (uint32_t i = 1; i < r->n; i++) {
		const struct btf_type *b = btf__type_by_id(r->btf, i);

		if (btf_is_typedef(b) && !note_typedef(r, b))
			return lac_fail_memory(err);
		if (btf_is_int(b))
			r->odd_ints |= btf_int_bits(b) != b->size * 8;
	}
	return LAC_OK;
}

static enum lac_status read_types(struct reader *r, struct lac_err *err)
{
	struct lac_pool_place nowhere = { 0 };
	lac_type_id id;

	LAC_TRY(look_ahead(r, err));
	LAC_TRY(lac_pool_unit(r->p, r->in->path, NULL, err));
	for (uint32_t i = r->first; i < r->n; i++) {
		const struct btf_type *b = btf__type_by_id(r->btf, i);

		if (!is_root(b))
			continue;
		LAC_TRY(build(r, i, false, &id, err));
		LAC_TRY(lac_pool_root(r->p, id, &nowhere, err));
		/* none for an enumeration or a name for one */
		if (btf_is_composite(b))
			LAC_TRY(lac_pool_add_unit_of(r->p, id, 0, err));
	}
	return LAC_OK;
}

static void close_reader(struct reader *r)
{
	lac_names_free(&r->names);
	lac_map_free(&r->typedefs);
	free(r->memo);
	btf__free(r->btf);
	btf__free(r->base);
}

enum lac_status lac_btf_read(const struct lac_btf_input *in, struct lac_pool *p,
			     uint8_t *pointer_size, bool *big_endian,
			     struct lac_err *err)
{
	struct reader r = { .in = in, .p = p, .pointer_size = *pointer_size };
	enum lac_status st = open_btf(&r, err);

	if (st == LAC_OK)
		st = open_names(&r, err);
	if (st == LAC_OK && !r.pointer_size)
		r.pointer_size = btf__pointer_size(r.btf);
	if (!r.pointer_size)
		r.pointer_size = 8;
	if (st == LAC_OK)
		st = read_types(&r, err);
	if (st == LAC_OK) {
		*big_endian = btf__endianness(r.btf) == BTF_BIG_ENDIAN;
		*pointer_size = (uint8_t)r.pointer_size;
	}
	close_reader(&r);
	return st;
}
