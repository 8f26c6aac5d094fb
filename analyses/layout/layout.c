/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/layout.h"

#include <assert.h>
#include <inttypes.h>

#include "layout/array.h"
#include "layout/internal.h"

static enum lac_status check_options(const struct lac_layout_options *o,
				     struct lac_err *err)
{
	if (o->line_size & (o->line_size - 1) ||
	    o->line_size > LAC_LINE_SIZE_MAX)
		return lac_fail(err, LAC_USAGE,
				"a cache line of %" PRIu32 " bytes: it must be "
				"a power of two up to %u",
				o->line_size, LAC_LINE_SIZE_MAX);
	return LAC_OK;
}

/* What the painter and the sums below rely on. */
static enum lac_status check_record(const struct lac_graph *g,
				    const struct lac_record *r,
				    struct lac_err *err)
{
	const char *name = r->name ? r->name : "an anonymous record";
	uint64_t before = 0;

	if (r->damage)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: %s cannot be laid out: %s; the debug info "
				"is malformed, --partial goes without the "
				"record",
				g->path ? g->path : "the input", name,
				r->damage);
	if (r->size == LAC_SIZE_UNKNOWN)
		return LAC_OK;
	if (r->size > UINT64_MAX / 8)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: a size of %" PRIu64 " bytes", name,
				r->size);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		uint64_t size = m->bit_size;

		if (m->certainty == LAC_DYNAMIC)
			continue;
		if (size == LAC_SIZE_UNKNOWN)
			size = 0;
		if (m->bit_offset < before || m->bit_offset > r->size * 8 ||
		    size > r->size * 8 - m->bit_offset)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: member %s ends after the record "
					"or is out of order",
					name,
					m->name ? m->name : "(anonymous)");
		before = m->bit_offset;
	}
	return LAC_OK;
}

static enum lac_status store_lists(const struct lac_record *r,
				   const struct lac_record_facts *f,
				   struct lac_bits tag,
				   struct lac_arena *arena,
				   struct lac_layout *l, struct lac_err *err)
{
	struct lac_span_totals totals;
	struct lac_straddler *straddlers;
	struct lac_span *spans;

	l->nstraddlers = lac_straddlers_find(l->graph, r, l->line_size,
					     l->first_byte, NULL);
	if (l->figures_only)
		return LAC_OK;
	lac_spans_paint(r, f->has_dynamic, tag, NULL, &totals);
	spans = lac_arena_zalloc(arena, totals.nspans, sizeof(*spans));
	straddlers =
		lac_arena_zalloc(arena, l->nstraddlers, sizeof(*straddlers));
	if (!spans || !straddlers)
		return lac_fail_memory(err);
	lac_spans_paint(r, f->has_dynamic, tag, spans, &totals);
	lac_straddlers_find(l->graph, r, l->line_size, l->first_byte,
			    straddlers);
	l->map.nspans = totals.nspans;
	l->map.spans = spans;
	l->straddlers = straddlers;
	return LAC_OK;
}

uint32_t lac_line_size_of(const struct lac_target *t, bool *fixed)
{
	static const struct {
		uint16_t machine;
		uint32_t bytes;
	} machines[] = {
		{ 62 /* x86-64 */, 64 },
		{ 21 /* 64-bit PowerPC */, 128 },
		{ 22 /* S/390 */, 256 },
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i].machine != t->machine)
			continue;
		if (fixed)
			*fixed = true;
		return machines[i].bytes;
	}
	if (fixed)
		*fixed = false;
	return 64;
}

enum lac_status lac_layout_compute(const struct lac_graph *g, lac_record_id id,
				   const struct lac_layout_options *o,
				   struct lac_arena *arena,
				   struct lac_layout *ret, struct lac_err *err)
{
	const struct lac_layout_options defaults = { 0 };
	const struct lac_record *r = &g->records[id];
	const struct lac_record_facts *f;
	struct lac_rules *rules;
	struct lac_layout l = { .graph = g, .record = id };

	o = o ? o : &defaults;
	l.figures_only = o->figures_only;
	LAC_TRY(check_options(o, err));
	LAC_TRY(check_record(g, r, err));
	rules = o->rules ? o->rules : lac_rules_create(g, arena);
	if (!rules)
		return lac_fail_memory(err);
	f = lac_rules_facts(rules, id);
	l.line_size = o->line_size ? o->line_size
				   : lac_line_size_of(&g->target, NULL);
	l.first_byte = o->first_byte % l.line_size;
	l.align = f->align;
	l.align_source = f->align_source;
	l.packed = f->packed;
	l.nholes = f->nholes;
	l.member_bits = f->member_bits;
	l.hole_bits = f->hole_bits;
	l.padding_bits = f->padding_bits;
	l.unknown_bits = f->unknown_bits;
	l.nested_hole_bits = f->nested_hole_bits;
	l.nested_padding_bits = f->nested_padding_bits;
	if (r->size != LAC_SIZE_UNKNOWN) {
		l.lines = lac_lines_touched(l.first_byte, r->size, l.line_size);
		LAC_TRY(store_lists(r, f, lac_rules_tag(rules, id), arena, &l,
				    err));
	}
	*ret = l;
	return LAC_OK;
}

void lac_layout_assert(const struct lac_layout *l)
{
	const struct lac_record *r = &l->graph->records[l->record];
	uint64_t at = 0, sum[4] = { 0 };
	uint32_t holes = 0;

	for (uint32_t i = 0; i < l->map.nspans; i++) {
		const struct lac_span *s = &l->map.spans[i];

		assert(s->bit_offset == at);
		assert(s->bit_size > 0);
		assert(s->kind != LAC_SPAN_PADDING || i + 1 == l->map.nspans);
		assert(s->kind != LAC_SPAN_MEMBER || s->member < r->nmembers ||
		       r->kind == LAC_VARIANT);
		at += s->bit_size;
		sum[s->kind] += s->bit_size;
		holes += s->kind == LAC_SPAN_HOLE;
	}
	if (l->figures_only)
		return;
	assert(r->size == LAC_SIZE_UNKNOWN || at == r->size * 8);
	assert(holes == l->nholes);
	assert(sum[LAC_SPAN_MEMBER] == l->member_bits);
	assert(sum[LAC_SPAN_HOLE] == l->hole_bits);
	assert(sum[LAC_SPAN_PADDING] == l->padding_bits);
	assert(sum[LAC_SPAN_UNKNOWN] == l->unknown_bits);
}

lac_record_id lac_type_nameless(const struct lac_graph *g, lac_type_id id)
{
	for (;; id = g->types[id].target) {
		const struct lac_type *t = &g->types[id];

		switch (t->kind) {
		case LAC_TYPE_CONST:
		case LAC_TYPE_VOLATILE:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ATOMIC:
		case LAC_TYPE_ARRAY:
			break;
		case LAC_TYPE_RECORD:
			return t->record != LAC_NONE &&
					       !g->records[t->record].name
				       ? t->record
				       : LAC_NONE;
		default:
			return LAC_NONE;
		}
	}
}

bool lac_record_is_flexible(const struct lac_graph *g, lac_record_id id)
{
	const struct lac_record *r = &g->records[id];
	const struct lac_type *t;

	if (!r->nmembers || r->kind == LAC_UNION)
		return false;
	t = &g->types[lac_type_strip(g, r->members[r->nmembers - 1].type)];
	return t->kind == LAC_TYPE_ARRAY && t->array.count == 0;
}

const char *lac_align_source_name(enum lac_align_source s)
{
	static const char *const names[] = {
		[LAC_ALIGN_UNKNOWN] = "unknown",
		[LAC_ALIGN_NATURAL] = "natural",
		[LAC_ALIGN_INFERRED] = "inferred",
		[LAC_ALIGN_DECLARED] = "declared",
		[LAC_ALIGN_TOLD] = "told",
	};

	return names[s];
}

const char *lac_packed_name(enum lac_packed p)
{
	static const char *const names[] = {
		[LAC_PACKED_NO] = "no",
		[LAC_PACKED_DECLARED] = "declared",
		[LAC_PACKED_INFERRED] = "inferred",
	};

	return names[p];
}

const char *lac_record_kind_name(enum lac_record_kind k)
{
	static const char *const names[] = {
		[LAC_STRUCT] = "struct",   [LAC_UNION] = "union",
		[LAC_CLASS] = "class",	   [LAC_VARIANT_ENUM] = "enum",
		[LAC_VARIANT] = "variant",
	};

	return names[k];
}

const char *lac_certainty_name(enum lac_certainty c)
{
	static const char *const names[] = {
		[LAC_KNOWN] = "known",
		[LAC_INFERRED] = "inferred",
		[LAC_UNKNOWN] = "unknown",
		[LAC_DYNAMIC] = "dynamic",
	};

	return names[c];
}
