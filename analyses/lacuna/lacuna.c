/* SPDX-License-Identifier: BSD-2-Clause */
/* lacuna.c - the public interface, over the graph and the layout. */
#include "lacuna/lacuna.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbginfo/declare.h"
#include "layout/layout.h"

struct lacuna {
	struct lac_graph *graph;
};

struct lacuna_layout {
	struct lac_arena *arena;
	struct lacuna_record record;
	struct lacuna_member *members;
	struct lacuna_span *spans;
	size_t *straddlers;
};

/* The public numbers stay as they are, whatever becomes of ours. */
static int status_of(enum lac_status st)
{
	switch (st) {
	case LAC_OK:
		return LACUNA_OK;
	case LAC_NOT_FOUND:
		return LACUNA_NOT_FOUND;
	case LAC_USAGE:
		return LACUNA_USAGE;
	case LAC_OS:
	case LAC_INTERRUPTED:
		return LACUNA_OS;
	case LAC_BAD_INPUT:
		return LACUNA_BAD_INPUT;
	case LAC_UNSUPPORTED:
		return LACUNA_UNSUPPORTED;
	case LAC_NO_MEMORY:
		return LACUNA_NO_MEMORY;
	}
	return LACUNA_BAD_INPUT;
}

static int fail(enum lac_status st, const struct lac_err *from,
		struct lacuna_error *err)
{
	if (err) {
		err->os_errno = from->os_errno;
		snprintf(err->message, sizeof(err->message), "%s", from->msg);
	}
	return status_of(st);
}

const char *lacuna_version(void)
{
	return LAC_VERSION;
}

static enum lac_status read_options(const struct lacuna_options *from,
				    struct lac_graph_options *to,
				    struct lac_err *err)
{
	static const struct lacuna_options none = { .threads = 0 };

	from = from ? from : &none;
	*to = (struct lac_graph_options){
		.debug_dir = from->debug_dir,
		.base_path = from->base_path,
		.only = from->only,
		.threads = from->threads,
		.cache_dir = from->cache_dir,
	};
	if (!from->format)
		to->format = LAC_FORMAT_AUTO;
	else if (!strcmp(from->format, "dwarf"))
		to->format = LAC_FORMAT_DWARF;
	else if (!strcmp(from->format, "btf"))
		to->format = LAC_FORMAT_BTF;
	else
		return lac_fail(err, LAC_USAGE,
				"format '%s': \"dwarf\", \"btf\" or NULL",
				from->format);
	return LAC_OK;
}

int lacuna_open(const char *path, const struct lacuna_options *options,
		struct lacuna **ret, struct lacuna_error *err)
{
	struct lac_graph_options o;
	struct lac_err e = { 0 };
	struct lacuna *l;
	enum lac_status st = read_options(options, &o, &e);

	if (st != LAC_OK)
		return fail(st, &e, err);
	l = calloc(1, sizeof(*l));
	if (!l)
		return fail(lac_fail_memory(&e), &e, err);
	st = lac_graph_read(path, &o, &l->graph, &e);
	if (st != LAC_OK) {
		free(l);
		return fail(st, &e, err);
	}
	*ret = l;
	return LACUNA_OK;
}

void lacuna_close(struct lacuna *l)
{
	if (!l)
		return;
	lac_graph_destroy(l->graph);
	free(l);
}

size_t lacuna_count(const struct lacuna *l)
{
	return l->graph->nrecords;
}

int lacuna_find(const struct lacuna *l, const char *name, size_t *ret,
		size_t cap, size_t *n, struct lacuna_error *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	const lac_record_id *ids;
	struct lac_err e = { 0 };
	size_t found;
	enum lac_status st;

	if (!scratch)
		return fail(lac_fail_memory(&e), &e, err);
	st = lac_graph_find(l->graph, name, scratch, &ids, &found, &e);
	if (st != LAC_OK)
		return fail(st, &e, err);
	for (size_t i = 0; i < found && i < cap; i++)
		ret[i] = ids[i];
	*n = found;
	return LACUNA_OK;
}

static uint64_t known(uint64_t size)
{
	return size == LAC_SIZE_UNKNOWN ? LACUNA_UNKNOWN : size;
}

static enum lac_status fill_members(struct lacuna_layout *y,
				    const struct lac_graph *g,
				    const struct lac_record *r,
				    struct lac_err *err)
{
	y->members = lac_arena_zalloc(y->arena, r->nmembers,
				      sizeof(*y->members));
	if (!y->members)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const char *type = lac_type_declare(g, m->type, NULL, y->arena);

		if (!type)
			return lac_fail_memory(err);
		y->members[i] = (struct lacuna_member){
			.name = m->name,
			.type = type,
			.bit_offset = m->certainty == LAC_DYNAMIC
					      ? LACUNA_UNKNOWN
					      : m->bit_offset,
			.bit_size = known(m->bit_size),
			.certainty = lac_certainty_name(m->certainty),
		};
	}
	return LAC_OK;
}

static enum lac_status fill_spans(struct lacuna_layout *y,
				  const struct lac_layout *l,
				  struct lac_err *err)
{
	static const enum lacuna_span_kind kinds[] = {
		[LAC_SPAN_MEMBER] = LACUNA_MEMBER,
		[LAC_SPAN_HOLE] = LACUNA_HOLE,
		[LAC_SPAN_PADDING] = LACUNA_PADDING,
		[LAC_SPAN_UNKNOWN] = LACUNA_SPAN_UNKNOWN,
	};

	y->spans = lac_arena_zalloc(y->arena, l->map.nspans,
				    sizeof(*y->spans));
	y->straddlers = lac_arena_zalloc(y->arena, l->nstraddlers,
					 sizeof(*y->straddlers));
	if (!y->spans || !y->straddlers)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < l->map.nspans; i++)
		y->spans[i] = (struct lacuna_span){
			.kind = kinds[l->map.spans[i].kind],
			.member = l->map.spans[i].member == LAC_NONE
					  ? SIZE_MAX
					  : l->map.spans[i].member,
			.bit_offset = l->map.spans[i].bit_offset,
			.bit_size = l->map.spans[i].bit_size,
		};
	for (uint32_t i = 0; i < l->nstraddlers; i++)
		y->straddlers[i] = l->straddlers[i].member;
	return LAC_OK;
}

static enum lac_status fill_layout(struct lacuna_layout *y,
				   const struct lac_graph *g, size_t record,
				   uint32_t line_size, struct lac_err *err)
{
	struct lac_layout_options o = { .line_size = line_size };
	const struct lac_record *r;
	struct lac_layout l;

	if (record >= g->nrecords)
		return lac_fail(err, LAC_USAGE, "record %zu: there are %u",
				record, g->nrecords);
	if ((line_size & (line_size - 1)) || line_size > LAC_LINE_SIZE_MAX)
		return lac_fail(err, LAC_USAGE,
				"line size %u: a power of two up to %u",
				line_size, LAC_LINE_SIZE_MAX);
	r = &g->records[record];
	LAC_TRY(lac_layout_compute(g, (lac_record_id)record, &o, y->arena, &l,
				   err));
	LAC_TRY(fill_members(y, g, r, err));
	LAC_TRY(fill_spans(y, &l, err));
	y->record = (struct lacuna_record){
		.name = r->name ? r->name : r->typedef_name,
		.kind = lac_record_kind_name(r->kind),
		.size = known(r->size),
		.align = l.align,
		.align_source = lac_align_source_name(l.align_source),
		.packed = lac_packed_name(l.packed),
		.hole_bits = l.hole_bits,
		.padding_bits = l.padding_bits,
		.unknown_bits = l.unknown_bits,
		.lines = l.lines,
		.members = r->nmembers,
		.spans = l.map.nspans,
		.straddlers = l.nstraddlers,
		.decl_file = r->decl_file,
		.decl_line = r->decl_line,
	};
	return LAC_OK;
}

int lacuna_layout_create(const struct lacuna *l, size_t record,
			 uint32_t line_size, struct lacuna_layout **ret,
			 struct lacuna_error *err)
{
	struct lac_arena *arena = lac_arena_create();
	struct lac_err e = { 0 };
	struct lacuna_layout *y = NULL;
	enum lac_status st;

	if (arena)
		y = lac_arena_zalloc(arena, 1, sizeof(*y));
	if (!y) {
		lac_arena_destroy(arena);
		return fail(lac_fail_memory(&e), &e, err);
	}
	y->arena = arena; /* it lies in its own arena */
	st = fill_layout(y, l->graph, record, line_size, &e);
	if (st != LAC_OK) {
		lac_arena_destroy(arena);
		return fail(st, &e, err);
	}
	*ret = y;
	return LACUNA_OK;
}

void lacuna_layout_free(struct lacuna_layout *y)
{
	if (y)
		lac_arena_destroy(y->arena);
}

const struct lacuna_record *lacuna_layout_record(const struct lacuna_layout *y)
{
	return &y->record;
}

const struct lacuna_member *lacuna_layout_member(const struct lacuna_layout *y,
						 size_t member)
{
	return member < y->record.members ? &y->members[member] : NULL;
}

const struct lacuna_span *lacuna_layout_span(const struct lacuna_layout *y,
					     size_t span)
{
	return span < y->record.spans ? &y->spans[span] : NULL;
}

size_t lacuna_layout_straddler(const struct lacuna_layout *y, size_t n)
{
	return n < y->record.straddlers ? y->straddlers[n] : SIZE_MAX;
}
