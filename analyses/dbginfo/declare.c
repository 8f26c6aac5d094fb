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

/* first: 1 to leave out the object that a member function is called on */
static const char *parameters(const struct lac_graph *g,
			      const struct lac_function_type *f, uint32_t first,
			      struct lac_arena *a, int depth)
{
	const char *text = "";

	if (depth > DEPTH_MAX)
		return "...";
	if (f->nparams == first)
		return f->variadic ? (first ? "..." : "") : first ? "" : "void";
	for (uint32_t i = first; i < f->nparams; i++) {
		const char *p = declare(g, f->params[i], "", a, depth + 1);

		if (!p)
			return NULL;
		text = lac_arena_printf(a, "%s%s%s", text, i > first ? ", " : "",
					p);
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

/*
 * Whether a function's first parameter is the `this` of a class; *q gets the
 * qualifiers of the object, which C++ writes behind the parameters.
 */
static bool takes_this(const struct lac_graph *g,
		       const struct lac_function_type *f, const char *class,
		       unsigned *q)
{
	const struct lac_type *t;

	*q = 0;
	if (!class || !f->nparams)
		return false;
	t = &g->types[f->params[0]];
	while (qualifier_of(t->kind)) /* of the pointer itself */
		t = &g->types[t->target];
	if (t->kind != LAC_TYPE_POINTER)
		return false;
	for (t = &g->types[t->target]; qualifier_of(t->kind);
	     t = &g->types[t->target])
		*q |= qualifier_of(t->kind);
	return t->kind == LAC_TYPE_RECORD && t->name &&
	       !strcmp(t->name, class);
}

/* A function's declarator around inner; of a class if there is one. */
static const char *function(const struct lac_graph *g,
			    const struct lac_function_type *f,
			    const char *class, const char *inner,
			    struct lac_arena *a, int depth)
{
	unsigned q;
	bool has_this = takes_this(g, f, class, &q);
	const char *text = parameters(g, f, has_this, a, depth);
	const char *quals = qualifiers(has_this ? q : 0, a);
	size_t n;

	if (!text || !quals)
		return NULL;
	n = strlen(quals);
	return lac_arena_printf(a, "%s(%s)%s%.*s", inner, text, n ? " " : "",
				(int)(n ? n - 1 : 0), quals);
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
	const char *prefix = "", *class = NULL, *text, *quals;

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
			class = t->kind == LAC_TYPE_MEMBER_POINTER ? t->name
								   : NULL;
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
			inner = function(g, &t->function, class, inner, a,
					 depth);
			class = NULL;
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
