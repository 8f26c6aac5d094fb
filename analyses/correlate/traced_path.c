/* SPDX-License-Identifier: BSD-2-Clause */
/* traced_path.c - the member at a byte, as a path through nested records. */
#include <stdio.h>
#include <string.h>

#include "correlate/traced.h"
#include "layout/layout.h"

enum { DEPTH_MAX = 16, NAMES_MAX = 4, PATH_MAX_BYTES = 512 };

struct search {
	const struct lac_graph *g;
	struct lac_arena *arena;
	const char *names[NAMES_MAX];
	size_t n; /* found, also those beyond NAMES_MAX */
	uint64_t offset, size;
	bool broken;
};

static void found(struct search *s, const char *path, uint64_t offset,
		  uint64_t size)
{
	for (size_t i = 0; i < s->n && i < NAMES_MAX; i++)
		if (!strcmp(s->names[i], path))
			return;
	if (!s->n) {
		s->offset = offset;
		s->size = size;
	}
	if (s->n < NAMES_MAX) {
		s->names[s->n] = lac_arena_strdup(s->arena, path);
		if (!s->names[s->n]) {
			s->broken = true;
			return;
		}
	}
	s->n++;
}

static bool covers(const struct lac_member *m, uint64_t byte)
{
	return m->certainty != LAC_DYNAMIC && m->bit_size &&
	       m->bit_size != LAC_SIZE_UNKNOWN && m->bit_offset / 8 <= byte &&
	       byte < (m->bit_offset + m->bit_size + 7) / 8;
}

static bool is_array(const struct lac_graph *g, lac_type_id id)
{
	return g->types[lac_type_strip(g, id)].kind == LAC_TYPE_ARRAY;
}

static void look(struct search *s, lac_record_id id, uint64_t byte,
		 uint64_t base, const char *prefix, unsigned depth)
{
	const struct lac_record *r = &s->g->records[id];

	for (uint32_t i = 0; i < r->nmembers && !s->broken; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t at = m->bit_offset / 8, count = 1;
		lac_record_id inner;
		char path[PATH_MAX_BYTES];

		if (!covers(m, byte))
			continue;
		inner = lac_type_record(s->g, m->type, &count);
		snprintf(path, sizeof(path), "%s%s%s%s", prefix,
			 *prefix && m->name ? "." : "", m->name ? m->name : "",
			 is_array(s->g, m->type) ? "[]" : "");
		if (inner != LAC_NONE && depth < DEPTH_MAX &&
		    s->g->records[inner].size &&
		    s->g->records[inner].size != LAC_SIZE_UNKNOWN) {
			look(s, inner, (byte - at) % s->g->records[inner].size,
			     base + at, path, depth + 1);
		} else {
			found(s, *path ? path : "(nameless)", base + at,
			      (m->bit_size + m->bit_offset % 8 + 7) / 8);
		}
	}
}

const char *lac_traced_path(const struct lac_graph *g, lac_record_id id,
			    uint64_t byte, struct lac_arena *arena,
			    uint64_t *offset, uint64_t *size, bool *broken)
{
	struct search s = { .g = g, .arena = arena };
	const char *all;

	look(&s, id, byte, 0, "", 0);
	*broken |= s.broken;
	if (!s.n || s.broken)
		return NULL;
	*offset = s.offset;
	*size = s.size;
	all = s.names[0];
	for (size_t i = 1; i < s.n && i < NAMES_MAX && all; i++)
		all = lac_arena_printf(arena, "%s|%s", all, s.names[i]);
	if (all && s.n > NAMES_MAX)
		all = lac_arena_printf(arena, "%s|...", all);
	*broken |= !all;
	return all;
}
