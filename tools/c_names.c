/* SPDX-License-Identifier: BSD-2-Clause */
#include "c_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <uthash.h>

#include "dbginfo/spell.h"

enum space { TAGS, ORDINARY };

/* A name that has got its meaning. */
struct meaning {
	char *key; /* "t foo" or "o foo" */
	enum lac_type_kind kind;
	enum lac_record_kind record_kind;
	uint32_t owner; /* record, type or enumeration; LAC_NONE: only declared
			 */
	UT_hash_handle hh;
};

struct lac_c_names {
	const struct lac_graph *g;
	struct lac_arena *arena;
	struct meaning *meanings;
	const char **names; /* by type: the one it has got */
};

enum lac_status lac_c_names_create(const struct lac_graph *g,
				   struct lac_arena *arena,
				   struct lac_c_names **ret,
				   struct lac_err *err)
{
	struct lac_c_names *n = lac_arena_zalloc(arena, 1, sizeof(*n));

	if (!n)
		return lac_fail_memory(err);
	n->g = g;
	n->arena = arena;
	n->names = lac_arena_zalloc(arena, g->ntypes, sizeof(*n->names));
	if (!n->names)
		return lac_fail_memory(err);
	*ret = n;
	return LAC_OK;
}

void lac_c_names_destroy(struct lac_c_names *n)
{
	if (n)
		HASH_CLEAR(hh, n->meanings);
}

static bool same_meaning(struct meaning *m, const struct meaning *wanted)
{
	if (m->kind != wanted->kind || m->record_kind != wanted->record_kind)
		return false;
	if (m->owner == wanted->owner || wanted->owner == LAC_NONE)
		return true;
	if (m->owner != LAC_NONE)
		return false;
	m->owner = wanted->owner; /* the definition of what was declared */
	return true;
}

/* The name, or the name with a number, that has this meaning. */
static const char *claim(struct lac_c_names *n, enum space space,
			 const char *name, struct meaning wanted)
{
	const char *found = name;

	for (unsigned i = 2;; i++) {
		char *key = lac_arena_printf(n->arena, "%c %s",
					     space == TAGS ? 't' : 'o', found);
		struct meaning *m;

		if (!key)
			return NULL;
		HASH_FIND_STR(n->meanings, key, m);
		if (m && same_meaning(m, &wanted))
			return found;
		if (!m) {
			m = lac_arena_zalloc(n->arena, 1, sizeof(*m));
			if (!m)
				return NULL;
			*m = wanted;
			m->key = key;
			HASH_ADD_KEYPTR(hh, n->meanings, m->key, strlen(m->key),
					m);
			return found;
		}
		found = lac_arena_printf(n->arena, "%s__%u", name, i);
		if (!found)
			return NULL;
	}
}

const char *lac_c_record_tag(struct lac_c_names *n, lac_type_id id)
{
	const struct lac_type *t = &n->g->types[id];
	struct meaning m = {
		.kind = LAC_TYPE_RECORD,
		.record_kind =
			t->record_kind == LAC_UNION ? LAC_UNION : LAC_STRUCT,
		.owner = t->record,
	};
	const char *name = t->name;

	if (!name && t->record != LAC_NONE)
		name = n->g->records[t->record].name;
	if (!n->names[id])
		n->names[id] = claim(n, TAGS, name ? name : "anonymous", m);
	return n->names[id];
}

const char *lac_c_typedef_name(struct lac_c_names *n, lac_type_id id)
{
	struct meaning m = { .kind = LAC_TYPE_TYPEDEF, .owner = id };

	/* the compiler's own: __builtin_va_list */
	if (!strncmp(n->g->types[id].name, "__builtin_", 10))
		return n->g->types[id].name;
	if (!n->names[id])
		n->names[id] = claim(n, ORDINARY, n->g->types[id].name, m);
	return n->names[id];
}

const char *lac_c_enum_tag(struct lac_c_names *n, lac_type_id id)
{
	const struct lac_type *t = &n->g->types[id];
	struct meaning m = {
		.kind = LAC_TYPE_ENUM,
		.owner = t->enumeration,
	};

	if (!n->names[id])
		n->names[id] = claim(n, TAGS, t->name, m);
	return n->names[id];
}

const char *lac_c_enumerator(struct lac_c_names *n, lac_type_id enumeration,
			     const char *name)
{
	/* the kind is one that no ordinary identifier has besides */
	struct meaning m = { .kind = LAC_TYPE_VOID, .owner = enumeration };

	return claim(n, ORDINARY, name, m);
}

enum lac_status lac_c_identifier(const char *name, struct lac_err *err)
{
	const char *s = name;

	if (isalpha((unsigned char)*s) || *s == '_')
		while (isalnum((unsigned char)*s) || *s == '_')
			s++;
	if (s == name || *s)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s is not a name in C: --compile is for C "
				"types",
				name);
	return LAC_OK;
}

const char *lac_c_integer(uint64_t size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? "signed char" : "unsigned char";
	case 2:
		return is_signed ? "short" : "unsigned short";
	case 4:
		return is_signed ? "int" : "unsigned int";
	case 8:
		return is_signed ? "long long" : "unsigned long long";
	case 16:
		return is_signed ? "__int128" : "unsigned __int128";
	default:
		return NULL;
	}
}

bool lac_c_enum_fits(const struct lac_enumeration *e, bool *packed)
{
	int64_t low = 0;
	uint64_t high = 0, least;

	for (uint32_t i = 0; i < e->nvalues; i++) {
		int64_t v = e->values[i].value;

		if (v < 0 && e->is_signed)
			low = v < low ? v : low;
		else if ((uint64_t)v > high)
			high = (uint64_t)v;
	}
	for (least = 1; least < 8; least *= 2) {
		uint64_t bits = least * 8;

		if (low < 0 ? low >= -(INT64_C(1) << (bits - 1)) &&
				      high < UINT64_C(1) << (bits - 1)
			    : high < UINT64_C(1) << bits)
			break;
	}
	*packed = e->size < 4;
	return e->nvalues && e->size == (*packed || least > 4 ? least : 4);
}

static bool is_c_word(const char *s, size_t len)
{
	static const char *const words[] = {
		"char",	     "short",	   "int",	 "long",
		"signed",    "unsigned",   "float",	 "double",
		"_Bool",     "__int128",   "_Float128",	 "__float128",
		"_Float16",  "_Float32",   "_Float64",	 "_Float32x",
		"_Float64x", "_Decimal32", "_Decimal64", "_Decimal128",
		"__fp16",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len && !strncmp(s, words[i], len))
			return true;
	return false;
}

/* The compiler's own name for it if C has it, else one of the same shape. */
static const char *base_name(const struct lac_type *t)
{
	const char *s = t->name ? t->name : "";
	bool good = *s != '\0';

	while (good && *s) {
		size_t len = strcspn(s, " ");

		good = is_c_word(s, len);
		s += len + (s[len] == ' ');
	}
	if (good)
		return t->name;
	switch (t->encoding) {
	case LAC_ENC_BOOL:
		return t->size == 1 ? "_Bool" : lac_c_integer(t->size, false);
	case LAC_ENC_FLOAT:
		return t->size == 4   ? "float"
		       : t->size == 8 ? "double"
				      : "long double";
	case LAC_ENC_COMPLEX:
		return t->size == 8    ? "_Complex float"
		       : t->size == 16 ? "_Complex double"
				       : "_Complex long double";
	case LAC_ENC_SIGNED:
	case LAC_ENC_SIGNED_CHAR:
		return lac_c_integer(t->size, true);
	default:
		return lac_c_integer(t->size, false);
	}
}

struct declaring {
	struct lac_c_names *n;
	bool zero_length;
	unsigned depth;
	struct lac_spell_budget budget;
};

/* Whether all of it has been put. */
static enum lac_status spelled(const struct declaring *d, struct lac_err *err)
{
	if (d->budget.st == LAC_UNSUPPORTED)
		return lac_fail(err, LAC_UNSUPPORTED,
				"a type that takes more than %u characters in C",
				LAC_C_TYPE_MAX);
	return d->budget.st == LAC_OK ? LAC_OK : lac_fail_memory(err);
}

/* Around s, the declarator so far. */
static enum lac_status declare(struct declaring *d, lac_type_id id,
			       struct lac_spell *s, struct lac_err *err);

static enum lac_status put_name(struct declaring *d, const char *prefix,
				const char *name, struct lac_spell *s,
				struct lac_err *err)
{
	if (!name)
		return lac_fail_memory(err);
	if (!lac_spell_empty(s))
		lac_spell_before(s, " ", &d->budget);
	lac_spell_before(s, name, &d->budget);
	lac_spell_before(s, prefix, &d->budget);
	return spelled(d, err);
}

static lac_type_id below(const struct lac_graph *g, lac_type_id id)
{
	while (g->types[id].kind == LAC_TYPE_CONST ||
	       g->types[id].kind == LAC_TYPE_VOLATILE ||
	       g->types[id].kind == LAC_TYPE_RESTRICT)
		id = g->types[id].target;
	return id;
}

static enum lac_status declare_qualified(struct declaring *d,
					 const struct lac_type *t,
					 struct lac_spell *s,
					 struct lac_err *err)
{
	const char *word = t->kind == LAC_TYPE_CONST	  ? "const"
			   : t->kind == LAC_TYPE_VOLATILE ? "volatile"
							  : "restrict";
	const struct lac_type *under =
		&d->n->g->types[below(d->n->g, t->target)];

	if (under->kind == LAC_TYPE_POINTER) {
		LAC_TRY(put_name(d, "", word, s, err));
		return declare(d, t->target, s, err);
	}
	LAC_TRY(declare(d, t->target, s, err));
	/* nothing but a pointer can be restrict */
	if (t->kind == LAC_TYPE_RESTRICT)
		return LAC_OK;
	return put_name(d, "", word, s, err);
}

static enum lac_status declare_pointer(struct declaring *d, lac_type_id target,
				       struct lac_spell *s,
				       struct lac_err *err)
{
	enum lac_type_kind kind = d->n->g->types[below(d->n->g, target)].kind;
	bool paren = kind == LAC_TYPE_ARRAY || kind == LAC_TYPE_FUNCTION;

	lac_spell_before(s, paren ? "(*" : "*", &d->budget);
	lac_spell_after(s, paren ? ")" : "", &d->budget);
	return declare(d, target, s, err);
}

static enum lac_status declare_function(struct declaring *d,
					const struct lac_type *t,
					struct lac_spell *s,
					struct lac_err *err)
{
	const struct lac_function_type *f = &t->function;

	lac_spell_after(s, "(", &d->budget);
	for (uint32_t i = 0; i < f->nparams; i++) {
		LAC_CLEANUP_SPELL struct lac_spell param = { 0 };

		LAC_TRY(declare(d, f->params[i], &param, err));
		lac_spell_after(s, i ? ", " : "", &d->budget);
		lac_spell_join(s, &param, &d->budget);
	}
	if (!f->nparams)
		lac_spell_after(s, f->variadic ? "" : "void", &d->budget);
	else if (f->variadic)
		lac_spell_after(s, ", ...", &d->budget);
	lac_spell_after(s, ")", &d->budget);
	return declare(d, t->target, s, err);
}

static enum lac_status declare_array(struct declaring *d,
				     const struct lac_type *t,
				     struct lac_spell *s, struct lac_err *err)
{
	char text[32] = "[]";

	if (!t->array.flexible || d->zero_length)
		snprintf(text, sizeof(text), "[%" PRIu64 "]", t->array.count);
	lac_spell_after(s, text, &d->budget);
	return declare(d, t->target, s, err);
}

static enum lac_status declare_atomic(struct declaring *d,
				      const struct lac_type *t,
				      struct lac_spell *s, struct lac_err *err)
{
	LAC_CLEANUP_SPELL struct lac_spell inside = { 0 }, rest = *s;

	*s = (struct lac_spell){ 0 };
	LAC_TRY(declare(d, t->target, &inside, err));
	lac_spell_after(s, "_Atomic(", &d->budget);
	lac_spell_join(s, &inside, &d->budget);
	lac_spell_after(s, lac_spell_empty(&rest) ? ")" : ") ", &d->budget);
	lac_spell_join(s, &rest, &d->budget);
	return spelled(d, err);
}

static enum lac_status declare_vector(struct declaring *d,
				      const struct lac_type *t,
				      struct lac_spell *s, struct lac_err *err)
{
	char text[64];

	snprintf(text, sizeof(text),
		 " __attribute__((__vector_size__(%" PRIu64 ")))", t->size);
	lac_spell_after(s, text, &d->budget);
	return declare(d, t->target, s, err);
}

static enum lac_status declare_enum(struct declaring *d, lac_type_id id,
				    struct lac_spell *s, struct lac_err *err)
{
	const struct lac_type *t = &d->n->g->types[id];
	bool packed, is_signed = false;

	if (t->enumeration != LAC_NONE) {
		const struct lac_enumeration *e =
			&d->n->g->enumerations[t->enumeration];

		is_signed = e->is_signed;
		if (t->name && lac_c_enum_fits(e, &packed))
			return put_name(d, "enum ", lac_c_enum_tag(d->n, id),
					s, err);
	}
	/* only declared: nothing but a pointer to it can be had */
	if (t->size == LAC_SIZE_UNKNOWN)
		return put_name(d, "", "int", s, err);
	if (!lac_c_integer(t->size, is_signed))
		return lac_fail(err, LAC_UNSUPPORTED,
				"an enum of %" PRIu64 " bytes: C has none",
				t->size);
	return put_name(d, "", lac_c_integer(t->size, is_signed), s, err);
}

static enum lac_status declare_other(struct declaring *d, lac_type_id id,
				     struct lac_spell *s, struct lac_err *err)
{
	const struct lac_type *t = &d->n->g->types[id];

	switch (t->kind) {
	case LAC_TYPE_VOID:
		return put_name(d, "", "void", s, err);
	case LAC_TYPE_BASE:
		if (!base_name(t))
			break;
		return put_name(d, "", base_name(t), s, err);
	case LAC_TYPE_RECORD:
		return put_name(
			d, t->record_kind == LAC_UNION ? "union " : "struct ",
			lac_c_record_tag(d->n, id), s, err);
	case LAC_TYPE_ATOMIC:
		return declare_atomic(d, t, s, err);
	case LAC_TYPE_VECTOR:
		return declare_vector(d, t, s, err);
	default:
		break;
	}
	return lac_fail(err, LAC_UNSUPPORTED,
			"%s: C has no such type; --compile is for C types",
			t->name ? t->name : "a reference or a member pointer");
}

static enum lac_status declare(struct declaring *d, lac_type_id id,
			       struct lac_spell *s, struct lac_err *err)
{
	const struct lac_type *t = &d->n->g->types[id];
	enum lac_status st;

	if (d->depth > 200)
		return lac_fail(err, LAC_UNSUPPORTED,
				"a type that leads through more than 200");
	lac_spell_step(&d->budget);
	LAC_TRY(spelled(d, err));
	d->depth++;
	switch (t->kind) {
	case LAC_TYPE_CONST:
	case LAC_TYPE_VOLATILE:
	case LAC_TYPE_RESTRICT:
		st = declare_qualified(d, t, s, err);
		break;
	case LAC_TYPE_POINTER:
		st = declare_pointer(d, t->target, s, err);
		break;
	case LAC_TYPE_FUNCTION:
		st = declare_function(d, t, s, err);
		break;
	case LAC_TYPE_ARRAY:
		st = declare_array(d, t, s, err);
		break;
	case LAC_TYPE_ENUM:
		st = declare_enum(d, id, s, err);
		break;
	case LAC_TYPE_TYPEDEF:
		st = put_name(d, "", lac_c_typedef_name(d->n, id), s, err);
		break;
	default:
		st = declare_other(d, id, s, err);
		break;
	}
	d->depth--;
	return st;
}

enum lac_status lac_c_declare(struct lac_c_names *n, lac_type_id id,
			      const char *inner, bool zero_length,
			      const char **ret, struct lac_err *err)
{
	LAC_CLEANUP_SPELL struct lac_spell s = { 0 };
	struct declaring d = {
		.n = n,
		.zero_length = zero_length,
		.budget.left = LAC_C_TYPE_MAX,
	};
	const char *text;

	lac_spell_after(&s, inner, &d.budget);
	LAC_TRY(declare(&d, id, &s, err));
	LAC_TRY(spelled(&d, err));
	text = lac_spell_text(&s, n->arena);
	if (!text)
		return lac_fail_memory(err);
	*ret = text;
	return LAC_OK;
}
