/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declare.c - a type as C text.  A declarator grows around the name: pointers
 * in front, arrays and parameters behind, parentheses where a pointer meets
 * either.
 */
#include "dbginfo/declare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dbginfo/spell.h"

#define DEPTH_MAX 65u /* parameters within parameters */

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

/* Put "const volatile " in front, or with no blank at its end. */
static void put_qualifiers(struct lac_spell *s, unsigned q, bool blank,
			   struct lac_spell_budget *b)
{
	static const char *const words[] = { "const", "volatile", "restrict",
					     "_Atomic" };

	for (unsigned i = 4; i--; )
		if (q & 1u << i) {
			if (blank)
				lac_spell_before(s, " ", b);
			lac_spell_before(s, words[i], b);
			blank = true;
		}
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

/* A type that no declarator wraps, in front. */
static void put_specifier(struct lac_spell *s, const struct lac_type *t,
			  struct lac_spell_budget *b)
{
	bool tagged = t->kind == LAC_TYPE_RECORD || t->kind == LAC_TYPE_ENUM;

	if (t->kind == LAC_TYPE_VOID) {
		lac_spell_before(s, "void", b);
		return;
	}
	lac_spell_before(s, t->name ? t->name : tagged ? "{...}" : "<unnamed>",
			 b);
	if (!tagged)
		return;
	lac_spell_before(s, " ", b);
	lac_spell_before(s, t->kind == LAC_TYPE_ENUM ? "enum"
						     : keyword(t->record_kind),
			 b);
}

/* Arrays and functions bind tighter than a pointer in front of them. */
static bool wraps(const struct lac_graph *g, lac_type_id id)
{
	while (qualifier_of(g->types[id].kind))
		id = g->types[id].target;
	return g->types[id].kind == LAC_TYPE_ARRAY ||
	       g->types[id].kind == LAC_TYPE_FUNCTION;
}

struct speller {
	const struct lac_graph *g;
	unsigned deepest; /* parameters within parameters that are spelled */
	bool cut;	  /* some were not */
	struct lac_spell_budget outside, inside; /* of the outermost () */
};

static void declare(struct speller *sp, lac_type_id id, struct lac_spell *s,
		    unsigned depth);

/* first: 1 to leave out the object that a member function is called on */
static void parameters(struct speller *sp, const struct lac_function_type *f,
		       uint32_t first, struct lac_spell *s, unsigned depth)
{
	struct lac_spell_budget *in = &sp->inside;

	if (f->nparams == first) {
		lac_spell_after(s, !first	   ? f->variadic ? "" : "void"
				   : f->variadic ? "..."
						 : "",
				in);
		return;
	}
	if (depth >= sp->deepest) {
		sp->cut = true;
		lac_spell_after(s, "/* ... */", &sp->outside);
		return;
	}
	for (uint32_t i = first; i < f->nparams && in->st == LAC_OK; i++) {
		LAC_CLEANUP_SPELL struct lac_spell param = { 0 };

		declare(sp, f->params[i], &param, depth + 1);
		if (i > first)
			lac_spell_after(s, ", ", in);
		lac_spell_join(s, &param, in);
	}
	if (f->variadic)
		lac_spell_after(s, ", ...", in);
}

static void pointer(struct speller *sp, const struct lac_type *t, unsigned q,
		    struct lac_spell *s, struct lac_spell_budget *b)
{
	const char *mark = "*", *class = "";
	bool paren = wraps(sp->g, t->target);

	if (t->kind == LAC_TYPE_REFERENCE)
		mark = "&";
	else if (t->kind == LAC_TYPE_RVALUE_REFERENCE)
		mark = "&&";
	else if (t->kind == LAC_TYPE_MEMBER_POINTER) {
		mark = "::*";
		class = t->name ? t->name : "?";
	}
	/* no blank before the end */
	put_qualifiers(s, q, !lac_spell_empty(s), b);
	lac_spell_before(s, mark, b);
	lac_spell_before(s, class, b);
	if (paren) {
		lac_spell_before(s, "(", b);
		lac_spell_after(s, ")", b);
	}
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

/* A function's declarator around s; of a class if there is one. */
static void function(struct speller *sp, const struct lac_function_type *f,
		     const char *class, struct lac_spell *s, unsigned depth,
		     struct lac_spell_budget *b)
{
	LAC_CLEANUP_SPELL struct lac_spell quals = { 0 };
	unsigned q;
	bool has_this = takes_this(sp->g, f, class, &q);

	lac_spell_after(s, "(", b);
	parameters(sp, f, has_this, s, depth);
	lac_spell_after(s, ")", b);
	if (!has_this || !q)
		return;
	put_qualifiers(&quals, q, false, b);
	lac_spell_after(s, " ", b);
	lac_spell_join(s, &quals, b);
}

static void array(const struct lac_type *t, struct lac_spell *s,
		  struct lac_spell_budget *b)
{
	char text[32] = "[]";

	if (!t->array.flexible)
		snprintf(text, sizeof(text), "[%" PRIu64 "]", t->array.count);
	lac_spell_after(s, text, b);
}

static void vector_prefix(const struct lac_type *t, struct lac_spell *prefix,
			  struct lac_spell_budget *b)
{
	char text[64];

	snprintf(text, sizeof(text),
		 "__attribute__((vector_size(%" PRIu64 "))) ", t->size);
	lac_spell_after(prefix, text, b);
}

/* What no declarator wraps, and its qualifiers, in front of all. */
static void finish(const struct lac_type *t, unsigned q,
		   struct lac_spell *prefix, struct lac_spell *s,
		   struct lac_spell_budget *b)
{
	LAC_CLEANUP_SPELL struct lac_spell rest = *s;

	*s = *prefix;
	*prefix = (struct lac_spell){ 0 };
	if (!lac_spell_empty(&rest))
		lac_spell_before(&rest, " ", b);
	put_specifier(&rest, t, b);
	put_qualifiers(&rest, q, true, b);
	lac_spell_join(s, &rest, b);
}

static void declare(struct speller *sp, lac_type_id id, struct lac_spell *s,
		    unsigned depth)
{
	LAC_CLEANUP_SPELL struct lac_spell prefix = { 0 };
	struct lac_spell_budget *b = depth ? &sp->inside : &sp->outside;
	unsigned q = 0; /* of what is below */
	const char *class = NULL;

	for (;; id = sp->g->types[id].target) {
		const struct lac_type *t = &sp->g->types[id];

		lac_spell_step(b);
		if (b->st != LAC_OK || sp->inside.st != LAC_OK)
			return;
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
			pointer(sp, t, q, s, b);
			q = 0;
			class = t->kind == LAC_TYPE_MEMBER_POINTER ? t->name
								   : NULL;
			break;
		case LAC_TYPE_ARRAY: /* qualifiers go on to the elements */
			array(t, s, b);
			break;
		case LAC_TYPE_VECTOR:
			vector_prefix(t, &prefix, b);
			break;
		case LAC_TYPE_FUNCTION:
			function(sp, &t->function, class, s, depth, b);
			class = NULL;
			q = 0;
			break;
		default:
			finish(t, q, &prefix, s, b);
			return;
		}
	}
}

const char *lac_type_declare_cut(const struct lac_graph *g, lac_type_id id,
				 const char *name, struct lac_arena *scratch,
				 bool *cut)
{
	static const unsigned deepest[] = { DEPTH_MAX, 16, 4, 2, 1, 0 };

	for (size_t i = 0; i < sizeof(deepest) / sizeof(*deepest); i++) {
		LAC_CLEANUP_SPELL struct lac_spell s = { 0 };
		struct speller sp = {
			.g = g,
			.deepest = deepest[i],
			.outside.left = SIZE_MAX,
			.inside.left = LAC_PARAMETERS_MAX,
		};

		lac_spell_after(&s, name ? name : "", &sp.outside);
		declare(&sp, id, &s, 0);
		if (sp.outside.st != LAC_OK || sp.inside.st == LAC_NO_MEMORY)
			return NULL;
		if (sp.inside.st != LAC_OK)
			continue;
		*cut = sp.cut;
		return lac_spell_text(&s, scratch);
	}
	return NULL; /* with no parameters there is no limit to pass */
}

const char *lac_type_declare(const struct lac_graph *g, lac_type_id id,
			     const char *name, struct lac_arena *scratch)
{
	bool cut;

	return lac_type_declare_cut(g, id, name, scratch, &cut);
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
