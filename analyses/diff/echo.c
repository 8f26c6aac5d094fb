/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/echo.h"

#include <string.h>

_Static_assert(LAC_NCHANGE_CLASSES <= 32, "a bit for each class");

#define NAMES_MAX 160 /* bytes, of other names; who nests groups has more */

struct finder {
	const struct lac_shape *s;
	struct lac_echoes *e;
	struct lac_arena *arena;
	uint32_t *by_seq;	/* fields in the order of a walk */
	uint32_t *plain, *named; /* by union's field, the record's own last */
};

/* Of a union that is one, no array of them. */
static bool is_arm(const struct lac_shape *s, const struct lac_field *f)
{
	return lac_field_in_union(s, f) &&
	       (f->parent == LAC_NONE || !s->fields[f->parent].ndims);
}

/* How many fields follow it in a walk that lie in it. */
static uint32_t held(const struct finder *w, uint32_t seq)
{
	const struct lac_field *fields = w->s->fields;
	uint32_t depth = fields[w->by_seq[seq]].depth, n = 0;

	while (seq + n + 1 < w->s->nfields &&
	       fields[w->by_seq[seq + n + 1]].depth > depth)
		n++;
	return n;
}

/* "u.headers.a" beside "u.a", where the arm is "u.headers". */
static bool same_name(const struct lac_field *arm, const struct lac_field *a,
		      const struct lac_field *b)
{
	const char *dot = strrchr(arm->path, '.');
	size_t prefix = dot ? (size_t)(dot + 1 - arm->path) : 0;
	size_t n = strlen(arm->path);

	if (a->unnamed || b->unnamed)
		return a->unnamed && b->unnamed;
	return !strncmp(a->path, arm->path, n) && a->path[n] == '.' &&
	       !strncmp(b->path, arm->path, prefix) &&
	       !strcmp(a->path + n + 1, b->path + prefix);
}

static bool same_arms(const struct finder *w, uint32_t named, uint32_t plain)
{
	const struct lac_field *fields = w->s->fields;
	const struct lac_field *arm = &fields[named], *other = &fields[plain];
	uint32_t n = held(w, arm->seq);

	if (arm->bit_offset != other->bit_offset ||
	    arm->bit_size != other->bit_size || n != held(w, other->seq))
		return false;
	for (uint32_t i = 1; i <= n; i++) {
		const struct lac_field *a = &fields[w->by_seq[arm->seq + i]];
		const struct lac_field *b = &fields[w->by_seq[other->seq + i]];

		if (a->bit_offset != b->bit_offset ||
		    a->bit_size != b->bit_size || strcmp(a->type, b->type) ||
		    !same_name(arm, a, b))
			return false;
	}
	return n > 0;
}

/* One unnamed arm and one named: more of either are no struct_group(). */
static void find_arms(struct finder *w)
{
	for (uint32_t i = 0; i < w->s->nfields; i++) {
		const struct lac_field *f = &w->s->fields[i];
		uint32_t up = f->parent == LAC_NONE ? w->s->nfields : f->parent;
		uint32_t *at = f->unnamed ? &w->plain[up] : &w->named[up];

		if (!f->inlined || f->ndims || !is_arm(w->s, f) ||
		    (f->unnamed && !f->transparent))
			continue;
		*at = *at ? LAC_NONE : i + 1;
	}
}

static enum lac_status add_name(struct finder *w, uint32_t root, uint32_t echo,
				struct lac_err *err)
{
	const char *name = w->s->fields[echo].path, *was = w->e->also[root];

	if (was && strlen(was) + strlen(name) > NAMES_MAX)
		return LAC_OK;
	w->e->also[root] =
		was ? lac_arena_printf(w->arena, "%s, %s", was, name) : name;
	return w->e->also[root] ? LAC_OK : lac_fail_memory(err);
}

static enum lac_status mark(struct finder *w, struct lac_err *err)
{
	const struct lac_field *fields = w->s->fields;

	for (uint32_t seq = 0; seq < w->s->nfields; seq++) {
		uint32_t named = w->by_seq[seq];
		const struct lac_field *arm = &fields[named];
		uint32_t up = arm->parent == LAC_NONE ? w->s->nfields
						      : arm->parent;
		uint32_t plain = w->plain[up];

		if (w->named[up] != named + 1 || !plain || plain == LAC_NONE ||
		    !same_arms(w, named, plain - 1))
			continue;
		w->e->arm[named] = true;
		for (uint32_t i = held(w, seq); i; i--) {
			uint32_t at = w->by_seq[seq + i];

			if (w->e->of[at] == LAC_NONE)
				w->e->of[at] = w->by_seq
					[fields[plain - 1].seq + i];
		}
	}
	for (uint32_t i = 0; i < w->s->nfields; i++) {
		uint32_t root = i;

		/* from an arm to one that lies before: it ends */
		for (uint32_t n = 0; w->e->of[root] != LAC_NONE && n < 64; n++)
			root = w->e->of[root];
		if (root != i && !fields[i].unnamed)
			LAC_TRY(add_name(w, root, i, err));
	}
	return LAC_OK;
}

static enum lac_status find(const struct lac_shape *s, struct lac_arena *arena,
			    struct lac_echoes *e, struct lac_err *err)
{
	struct finder w = { .s = s, .e = e, .arena = arena };
	uint32_t n = s->nfields;

	e->of = lac_arena_zalloc(arena, n + 1u, sizeof(*e->of));
	e->arm = lac_arena_zalloc(arena, n + 1u, sizeof(*e->arm));
	e->also = lac_arena_zalloc(arena, n + 1u, sizeof(*e->also));
	e->classes = lac_arena_zalloc(arena, n + 1u, sizeof(*e->classes));
	w.by_seq = lac_arena_zalloc(arena, n + 1u, sizeof(*w.by_seq));
	w.plain = lac_arena_zalloc(arena, n + 1u, sizeof(*w.plain));
	w.named = lac_arena_zalloc(arena, n + 1u, sizeof(*w.named));
	if (!e->of || !e->arm || !e->also || !e->classes || !w.by_seq ||
	    !w.plain || !w.named)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		e->of[i] = LAC_NONE;
		w.by_seq[s->fields[i].seq] = i;
	}
	find_arms(&w);
	return mark(&w, err);
}

enum lac_status lac_echoes_find(const struct lac_record_diff *r,
				struct lac_arena *arena,
				struct lac_record_echoes *ret,
				struct lac_err *err)
{
	struct lac_record_echoes e;

	LAC_TRY(find(r->old_shape, arena, &e.old_side, err));
	LAC_TRY(find(r->new_shape, arena, &e.new_side, err));
	for (uint32_t i = 0; i < r->nchanges; i++) {
		const struct lac_change *c = &r->changes[i];

		if (c->new_field != LAC_NONE)
			e.new_side.classes[c->new_field] |= 1u << c->class;
		else if (c->old_field != LAC_NONE)
			e.old_side.classes[c->old_field] |= 1u << c->class;
	}
	*ret = e;
	return LAC_OK;
}

bool lac_change_is_echo(const struct lac_record_echoes *e,
			const struct lac_change *c)
{
	uint32_t was = c->old_field == LAC_NONE ? LAC_NONE
						: e->old_side.of[c->old_field];
	uint32_t is = c->new_field == LAC_NONE ? LAC_NONE
					       : e->new_side.of[c->new_field];

	/* an echo in every build that has it */
	if ((c->old_field != LAC_NONE && was == LAC_NONE) ||
	    (c->new_field != LAC_NONE && is == LAC_NONE) ||
	    (was == LAC_NONE && is == LAC_NONE))
		return false;
	return (is != LAC_NONE ? e->new_side.classes[is]
			       : e->old_side.classes[was]) >> c->class & 1;
}

const char *lac_change_also(const struct lac_record_echoes *e,
			    const struct lac_change *c)
{
	if (c->new_field != LAC_NONE)
		return e->new_side.also[c->new_field];
	return c->old_field == LAC_NONE ? NULL
					: e->old_side.also[c->old_field];
}
