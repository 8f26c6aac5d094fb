/* SPDX-License-Identifier: BSD-2-Clause */
/* copy.c - the result outlives the graphs: its texts are its own. */
#include <string.h>

#include "diff/internal.h"

struct copier {
	struct lac_arena *arena;
	bool broken; /* out of memory */
};

static const char *text(struct copier *c, const char *s)
{
	char *p = s ? lac_arena_strdup(c->arena, s) : NULL;

	c->broken |= s && !p;
	return p;
}

static void *array(struct copier *c, const void *from, size_t n, size_t size)
{
	void *p = lac_arena_zalloc(c->arena, n, size);

	if (p && n)
		memcpy(p, from, n * size);
	c->broken |= !p;
	return p;
}

enum lac_status lac_shape_copy(const struct lac_shape *s,
			       struct lac_arena *arena,
			       const struct lac_shape **ret,
			       struct lac_err *err)
{
	struct copier c = {.arena = arena};
	struct lac_shape *to = array(&c, s, 1, sizeof(*s));
	struct lac_enumerator *values;

	if (!to)
		return lac_fail_memory(err);
	to->name = text(&c, s->name);
	to->label = text(&c, s->label);
	to->decl_file = text(&c, s->decl_file);
	to->fields = array(&c, s->fields, s->nfields, sizeof(*s->fields));
	values = array(&c, s->values, s->nvalues, sizeof(*s->values));
	to->values = values;
	if (c.broken)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < to->nfields; i++) {
		struct lac_field *f = &to->fields[i];

		f->path = text(&c, f->path);
		f->type = text(&c, f->type);
		f->resolved = text(&c, f->resolved);
		f->element = text(&c, f->element);
		f->dims = array(&c, f->dims, f->ndims, sizeof(*f->dims));
	}
	for (uint32_t i = 0; i < to->nvalues; i++)
		values[i].name = text(&c, values[i].name);
	if (c.broken)
		return lac_fail_memory(err);
	*ret = to;
	return LAC_OK;
}

enum lac_status lac_changes_copy(const struct lac_change *from, uint32_t n,
				 struct lac_arena *arena,
				 struct lac_change **ret, struct lac_err *err)
{
	struct copier c = {.arena = arena};
	struct lac_change *to = array(&c, from, n, sizeof(*from));

	if (!to)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < n; i++) {
		to[i].member = text(&c, to[i].member);
		to[i].old_member = text(&c, to[i].old_member);
		to[i].old_text = text(&c, to[i].old_text);
		to[i].new_text = text(&c, to[i].new_text);
		to[i].old_resolved = text(&c, to[i].old_resolved);
		to[i].new_resolved = text(&c, to[i].new_resolved);
	}
	if (c.broken)
		return lac_fail_memory(err);
	*ret = to;
	return LAC_OK;
}
