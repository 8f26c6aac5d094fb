/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declare.c - a type as C text.  A declarator grows around the name: pointers
 * in front, arrays and parameters behind, parentheses where a pointer meets
 * either.
 */
#include "dbginfo/declare.h"

#include <string.h>

#define DEPTH_MAX 64 /* parameters within parameters */

enum qualifier { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4, Q_ATOMIC = 8 };

static unsigned qualifier_of(enum lac_type_kind k)
{
	switch (k) {
	case LAC_TYPE_CONST: return Q_CONST;
	case LAC_TYPE_VOLATILE: return Q_VOLATILE;
	case LAC_TYPE_RESTRICT: return Q_RESTRICT;
	case LAC_TYPE_ATOMIC: return Q_ATOMIC;
	default: return 0;
	}
}

/* "const volatile ", ready for what follows. */
static const char *qualifiers(unsigned q, struct lac_arena *a)
{
	return lac_arena_printf(a, "%s%s%s%s", q & Q_CONST ? "const " : "",
				q & Q_VOLATILE ? "volatile " : "",
				q & Q_RESTRICT ? "restrict " : "",
				q & Q_ATOMIC ? "_Atomic " : "");
}

static const char *keyword(enum lac_record_kind k)
{
	switch (k) {
	case LAC_UNION: return "union";
	case LAC_CLASS: return "class";
	case LAC_VARIANT_ENUM: return "enum";
	default: return "struct";
	}
}

/* A type that no declarator wraps. */
static const char *specifier(const struct lac_type *t, struct lac_arena *a)
{
	switch (t->kind) {
	case LAC_TYPE_VOID:
		return "void";
	case LAC_TYPE_RECORD:
		return lac_arena_printf(a, "%s %s", keyword(t->record_kind),
					t->name ? t->name : "{...}");
	case LAC_TYPE_ENUM:
		return lac_arena_printf(a, "enum %s",
					t->name ? t->name : "{...}");
	default:
		return t->name ? t->name : "<unnamed>";
	}
}

/* Arrays and functions bind tighter than a pointer in front of them. */
static bool wraps(const struct lac_graph *g, lac_type_id id)
{
	while (qualifier_of(g->types[id].kind))
		id = g->types[id].target;
	return g->types[id].kind == LAC_TYPE_ARRAY ||
	       g->types[id].kind == LAC_TYPE_FUNCTION;
}

static const char *declare(const struct lac_graph *g, lac_type_id id,
			   const char *inner, struct lac_arena *a, int depth);

static const char *parameters(const struct lac_graph *g,
			      const struct lac_function_type *f,
			      struct lac_arena *a, int depth)
{
	const char *text = "";

	if (depth > DEPTH_MAX)
		return "...";
	if (!f->nparams)
		return f->variadic ? "" : "void";
	for (uint32_t i = 0; i < f->nparams; i++) {
		const char *p = declare(g, f->params[i], "", a, depth + 1);

		if (!p)
			return NULL;
		text = lac_arena_printf(a, "%s%s%s", text, i ? ", " : "", p);
		if (!text)
			return NULL;
	}
	return f->variadic ? lac_arena_printf(a, "%s, ...", text) : text;
}

static const char *pointer(const struct lac_graph *g, const struct lac_type *t,
			   unsigned q, const char *inner, struct lac_arena *a)
{
	const char *mark = "*", *class = "", *quals = qualifiers(q, a);
	bool paren = wraps(g, t->target);
	size_t n;

	if (t->kind == LAC_TYPE_REFERENCE)
		mark = "&";
	else if (t->kind == LAC_TYPE_RVALUE_REFERENCE)
		mark = "&&";
	else if (t->kind == LAC_TYPE_MEMBER_POINTER) {
		mark = "::*";
		class = t->name ? t->name : "?";
	}
	if (!quals)
		return NULL;
	n = strlen(quals); /* no blank before the end */
	if (n && !*inner)
		n--;
	return lac_arena_printf(a, "%s%s%s%.*s%s%s", paren ? "(" : "", class,
				mark, (int)n, quals, inner, paren ? ")" : "");
}

static const char *vector_prefix(const struct lac_type *t, const char *quals,
				 struct lac_arena *a)
{
	return lac_arena_printf(a, "%s__attribute__((vector_size(%llu))) ",
				quals, (unsigned long long)t->size);
}

static const char *declare(const struct lac_graph *g, lac_type_id id,
			   const char *inner, struct lac_arena *a, int depth)
{
	unsigned q = 0; /* of what is below */
	const char *prefix = "", *text, *quals;

	for (;; id = g->types[id].target) {
		const struct lac_type *t = &g->types[id];

		if (!inner || !prefix)
			return NULL;
		switch (t->kind) {
		case LAC_TYPE_CONST:
		case LAC_TYPE_VOLATILE:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ATOMIC:
			q |= qualifier_of(t->kind);
			break;
		case LAC_TYPE_POINTER:
		case LAC_TYPE_REFERENCE:
		case LAC_TYPE_RVALUE_REFERENCE:
		case LAC_TYPE_MEMBER_POINTER:
			inner = pointer(g, t, q, inner, a);
			q = 0;
			break;
		case LAC_TYPE_ARRAY: /* qualifiers go on to the elements */
			inner = t->array.flexible ?
				lac_arena_printf(a, "%s[]", inner) :
				lac_arena_printf(a, "%s[%llu]", inner,
						 (unsigned long long)
							 t->array.count);
			break;
		case LAC_TYPE_VECTOR:
			prefix = vector_prefix(t, prefix, a);
			break;
		case LAC_TYPE_FUNCTION:
			text = parameters(g, &t->function, a, depth);
			if (!text)
				return NULL;
			inner = lac_arena_printf(a, "%s(%s)", inner, text);
			q = 0;
			break;
		default:
			quals = qualifiers(q, a);
			text = specifier(t, a);
			if (!quals || !text)
				return NULL;
			return lac_arena_printf(a, "%s%s%s%s%s", prefix, quals,
						text, *inner ? " " : "", inner);
		}
	}
}

const char *lac_type_declare(const struct lac_graph *g, lac_type_id id,
			     const char *name, struct lac_arena *scratch)
{
	return declare(g, id, name ? name : "", scratch, 0);
}

const char *lac_record_label(const struct lac_graph *g, lac_record_id id,
			     struct lac_arena *scratch)
{
	const struct lac_record *r = &g->records[id];

	if (!r->name && r->typedef_name)
		return r->typedef_name;
	return lac_arena_printf(scratch, "%s %s", keyword(r->kind),
				r->name ? r->name : "{...}");
}
