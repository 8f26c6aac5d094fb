/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_page.c - struct page, aligned against packed. */
#include <string.h>

#include "commands.h"
#include "load.h"
#include "page_library.h"
#include "size.h"

#define MAX_BUILDS 16

static struct {
	char *ram, *page_size;
	char *line_size;
} given;

static const struct poptOption options[] = {
	{ "ram", 'm', POPT_ARG_STRING, &given.ram, 0,
	  "memory of the machine: 1T, 64G, ...; several by default", "SIZE" },
	{ "page-size", 'p', POPT_ARG_STRING, &given.page_size, 0,
	  "bytes of a page: 4K by default", "SIZE" },
	{ "line-size", 'c', POPT_ARG_STRING, &given.line_size, 0,
	  "a cache-line size besides 64 and 128", "BYTES" },
	LAC_LOAD_OPTIONS,
	POPT_TABLEEND
};

struct builds {
	struct lac_graph *graphs[MAX_BUILDS];
	struct lac_page_build pages[MAX_BUILDS];
	struct lac_page_subject subjects[MAX_BUILDS];
	size_t n;
};

static enum lac_status read_one(struct builds *b, const char *path,
				struct lac_arena *arena, struct lac_err *err)
{
	static const char *const names[] = { "page", "slab", "page_couple",
					     NULL };
	struct lac_page_subject *s = &b->subjects[b->n];

	LAC_TRY(lac_load_some(path, names, &b->graphs[b->n], err));
	LAC_TRY(lac_page_analyse(b->graphs[b->n], arena, &b->pages[b->n], err));
	s->build = &b->pages[b->n];
	s->file = path;
	s->label = path;
	b->n++;
	return LAC_OK;
}

static enum lac_status check_options(struct lac_page_doc_options *o,
				     struct lac_err *err)
{
	LAC_TRY(lac_line_size_check(given.line_size, &o->line_size, err));
	o->page_size = 4096;
	if (given.page_size)
		LAC_TRY(lac_size_parse("--page-size", given.page_size,
				       &o->page_size, err));
	if (o->page_size < 1024 || o->page_size > 1u << 30 ||
	    (o->page_size & (o->page_size - 1)))
		return lac_fail(err, LAC_USAGE,
				"--page-size %s: a power of two from 1K to 1G",
				given.page_size);
	if (!given.ram)
		return LAC_OK;
	LAC_TRY(lac_size_parse("--ram", given.ram, &o->ram, err));
	if (o->ram < o->page_size || o->ram > 1ull << 52)
		return lac_fail(err, LAC_USAGE,
				"--ram %s: from one page to 4096T", given.ram);
	return LAC_OK;
}

/* Without FILE. */
static enum lac_status library(struct lac_run *r, struct lac_arena *arena,
			       const struct lac_page_doc_options *o,
			       struct lac_err *err)
{
	struct lac_page_library l;
	enum lac_status st = lac_page_library_read(&l, arena, err);

	if (st == LAC_OK)
		lac_page_doc(r->doc, r->doc->data, l.subjects, l.n, o);
	lac_page_library_close(&l);
	return st;
}

static enum lac_status run(struct lac_run *r, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct builds *b =
		arena ? lac_arena_zalloc(arena, 1, sizeof(*b)) : NULL;
	struct lac_page_doc_options o = { 0 };
	enum lac_status st = LAC_OK;

	if (!b)
		return lac_fail_memory(err);
	LAC_TRY(check_options(&o, err));
	if (!r->nargs)
		return library(r, arena, &o, err);
	for (size_t i = 0; i < r->nargs && st == LAC_OK; i++)
		st = read_one(b, r->args[i], arena, err);
	if (st == LAC_OK && !o.line_size)
		o.line_size = lac_line_size_of(&b->graphs[0]->target, NULL);
	if (st == LAC_OK)
		lac_page_doc(r->doc, r->doc->data, b->subjects, b->n, &o);
	for (size_t i = 0; i < MAX_BUILDS; i++)
		lac_graph_destroy(b->graphs[i]);
	return st;
}

const struct lac_cmd lac_cmd_page = {
	.name = "page",
	.args = "[FILE...]",
	.summary = "struct page: aligned against packed, read or computed",
	.help = "Without FILE, the four builds of the allocator library.\n"
		"SIZE takes K, M, G, T; they are powers of 1024.\n",
	.max_args = MAX_BUILDS,
	.files = MAX_BUILDS,
	.options = options,
	.run = run,
	.untrusted = true,
};
