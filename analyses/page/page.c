/* SPDX-License-Identifier: BSD-2-Clause */
#include "page/page.h"

#include <string.h>

#include "layout/relayout.h"

#define NEST_MAX 16u /* anonymous members inside each other */

static bool find_field(const struct lac_graph *g, lac_record_id id,
		       const char *name, uint64_t base, unsigned depth,
		       struct lac_page_field *ret)
{
	const struct lac_record *r = &g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_record_id inner;

		if (m->name && !strcmp(m->name, name)) {
			*ret = (struct lac_page_field){
				.found = true,
				.bit_offset = base + m->bit_offset,
				.bit_size = m->bit_size,
			};
			return true;
		}
		if (m->name || depth == NEST_MAX)
			continue;
		inner = lac_type_record(g, m->type, NULL);
		if (inner != LAC_NONE &&
		    find_field(g, inner, name, base + m->bit_offset, depth + 1,
			       ret))
			return true;
	}
	return false;
}

struct lac_page_field lac_page_field(const struct lac_graph *g,
				     lac_record_id id, const char *name)
{
	struct lac_page_field f = { 0 };

	if (id != LAC_NONE)
		find_field(g, id, name, 0, 0, &f);
	return f;
}

static bool has(const struct lac_graph *g, lac_record_id id, const char *name)
{
	return lac_page_field(g, id, name).found;
}

/* The definition that most units have, of those with this member. */
static lac_record_id best(const struct lac_graph *g, const char *name,
			  const char *member, uint32_t *count)
{
	lac_record_id found = LAC_NONE;

	*count = 0;
	for (lac_record_id id = 0; id < g->nrecords; id++) {
		const struct lac_record *r = &g->records[id];

		if (!r->name || strcmp(r->name, name) != 0 ||
		    r->kind != LAC_STRUCT || r->size == LAC_SIZE_UNKNOWN)
			continue;
		++*count;
		if (has(g, id, member) &&
		    (found == LAC_NONE || r->nunits > g->records[found].nunits))
			found = id;
	}
	return found;
}

static const char *era_of(const struct lac_page_build *b)
{
	const struct lac_graph *g = b->graph;
	struct lac_page_field cache = lac_page_field(g, b->slab, "slab_cache");
	struct lac_page_field freelist = lac_page_field(g, b->page, "freelist");

	if (b->slab != LAC_NONE) {
		if (has(g, b->slab, "flush_freelist"))
			return "v6.18";
		if (has(g, b->slab, "__page_type") ||
		    has(g, b->slab, "page_type"))
			return "v6.12";
		if (has(g, b->slab, "freelist_counter"))
			return "v6.5";
		if (!cache.found)
			return has(g, b->slab, "__unused") ? "v5.17" : "v6.12";
		return cache.bit_offset == b->word * 8 ? "v6.2" : "v5.17";
	}
	if (has(g, b->page, "_count"))
		return has(g, b->page, "slab_cache") ? "v3.13" : "v3.1";
	if (!freelist.found)
		return NULL;
	return freelist.bit_offset == b->word * 16 ? "v4.9" : "v5.10";
}

double lac_page_aligned_share(uint64_t stride, uint64_t offset, uint32_t align)
{
	uint64_t good = 0;

	for (uint64_t i = 0; i < align; i++)
		good += (i * (stride % align) + offset) % align == 0;
	return (double)good / align;
}

static void place_pair(struct lac_page_build *b)
{
	const struct lac_graph *g = b->graph;
	lac_record_id holder =
		has(g, b->slab, "freelist") || has(g, b->slab, "pair_words")
			? b->slab
			: b->page;
	struct lac_page_field words = lac_page_field(g, holder, "pair_words");
	struct lac_page_pair *p = &b->pair;
	uint64_t size = g->records[b->page].size;
	uint32_t both = 2 * b->word;

	p->record = holder == b->slab ? "slab" : "page";
	p->freelist = lac_page_field(g, holder, "freelist");
	p->counters = lac_page_field(g, holder, "counters");
	p->one_word = has(g, holder, "freelist_counter") ||
		      has(g, holder, "freelist_counters");
	if (!p->freelist.found && words.found &&
	    words.bit_size == 3 * 8 * (uint64_t)b->word) {
		p->found = p->floats = true;
		p->freelist = words;
		p->aligned = LAC_ANSWER_YES;
		p->aligned_fraction = 1;
		return;
	}
	p->found = p->freelist.found && p->counters.found;
	if (!p->found)
		return;
	p->aligned_fraction =
		lac_page_aligned_share(size, p->freelist.bit_offset / 8, both);
	if (p->aligned_fraction < 1)
		p->aligned = LAC_ANSWER_NO;
	else
		/* the array itself must start on such a multiple */
		p->aligned = b->layout.align >= both	   ? LAC_ANSWER_YES
			     : b->kind == LAC_PAGE_UNKNOWN ? LAC_ANSWER_UNKNOWN
							   : LAC_ANSWER_NO;
}

static void tell_update(struct lac_page_build *b)
{
	const struct lac_page_pair *p = &b->pair;

	if (!p->found) {
		b->update_reason = "freelist and counters are not there";
	} else if (p->floats) {
		b->update = LAC_UPDATE_CAS;
		b->update_reason =
			"the pair floats to a boundary, which only a "
			"compare and swap of both words needs";
	} else if (p->counters.bit_size < 8 * (uint64_t)b->word) {
		b->update = LAC_UPDATE_LOCK;
		b->update_reason = "counters is less than a word: it is not "
				   "swapped together with freelist";
	} else if (p->aligned == LAC_ANSWER_NO) {
		b->update = LAC_UPDATE_LOCK;
		b->update_reason =
			"the pair is not aligned in every element, as "
			"a compare and swap of both words needs";
	} else {
		b->update_reason =
			"the layout allows a compare and swap of both words; "
			"whether it is used, the configuration and the "
			"processor decide";
	}
}

static enum lac_status work_out_side(struct lac_page_build *b,
				     enum lac_page_layout which,
				     struct lac_rules *rules,
				     struct lac_arena *arena,
				     struct lac_err *err)
{
	const struct lac_relayout_rule rule = {
		.align = which == LAC_PAGE_ALIGNED ? 2 * b->word : 1,
	};
	struct lac_page_side *side = &b->sides[which];
	struct lac_relayout other;
	enum lac_status st;

	if (b->kind == which) {
		*side = (struct lac_page_side){
			.known = true,
			.size = b->graph->records[b->page].size,
			.align = b->layout.align,
			.hole_bits = b->layout.hole_bits,
			.padding_bits = b->layout.padding_bits,
		};
		return LAC_OK;
	}
	st = lac_relayout(b->graph, b->page, rules, rule, arena, &other, err);
	if (st == LAC_UNSUPPORTED)
		return LAC_OK; /* stays unknown, and is shown as such */
	if (st != LAC_OK)
		return st;
	*side = (struct lac_page_side){
		.known = true,
		.computed = true,
		.size = other.size,
		.align = other.align,
		.hole_bits = other.hole_bits,
		.padding_bits = other.padding_bits,
	};
	return LAC_OK;
}

/* The name of what lies in the last word, at any depth of anonymous members. */
static const char *last_word(const struct lac_graph *g, lac_record_id id,
			     uint64_t from, uint64_t to, uint64_t base,
			     unsigned depth)
{
	const struct lac_record *r = &g->records[id];

	for (uint32_t i = r->nmembers; i > 0; i--) {
		const struct lac_member *m = &r->members[i - 1];
		lac_record_id inner = lac_type_record(g, m->type, NULL);
		const char *name = m->name;

		if (m->certainty == LAC_DYNAMIC ||
		    m->bit_size == LAC_SIZE_UNKNOWN ||
		    base + m->bit_offset > from ||
		    base + m->bit_offset + m->bit_size < to)
			continue;
		if (!name && inner != LAC_NONE && depth < NEST_MAX)
			name = last_word(g, inner, from, to,
					 base + m->bit_offset, depth + 1);
		if (name)
			return name;
	}
	return NULL;
}

static void compare_sides(struct lac_page_build *b)
{
	const struct lac_page_side *a = &b->sides[LAC_PAGE_ALIGNED];
	const struct lac_page_side *p = &b->sides[LAC_PAGE_PACKED];

	if (!a->known || !p->known)
		return;
	b->alignment_is_free = a->size == p->size;
	if (b->alignment_is_free && a->size >= b->word)
		b->filled_by = last_word(b->graph, b->page,
					 (a->size - b->word) * 8, a->size * 8,
					 0, 0);
}

static enum lac_status measure_slab(struct lac_page_build *b,
				    struct lac_rules *rules,
				    struct lac_arena *arena,
				    struct lac_err *err)
{
	const struct lac_relayout_rule natural = { .align = 1 };
	const struct lac_page_side *packed = &b->sides[LAC_PAGE_PACKED];
	struct lac_relayout l;
	enum lac_status st;

	if (b->slab == LAC_NONE)
		return LAC_OK;
	st = lac_relayout(b->graph, b->slab, rules, natural, arena, &l, err);
	if (st == LAC_UNSUPPORTED)
		return LAC_OK;
	if (st != LAC_OK)
		return st;
	b->slab_size = l.size;
	b->slab_too_large = packed->known && l.size > packed->size;
	return LAC_OK;
}

/* BTF does not tell the alignment, but the size may. */
static void tell_layout(struct lac_page_build *b)
{
	const struct lac_page_side *a = &b->sides[LAC_PAGE_ALIGNED];
	const struct lac_page_side *p = &b->sides[LAC_PAGE_PACKED];
	uint64_t size = b->graph->records[b->page].size;

	if (b->kind != LAC_PAGE_UNKNOWN || !a->known || !p->known ||
	    a->size == p->size)
		return;
	if (size == p->size)
		b->kind = LAC_PAGE_PACKED;
}

enum lac_status lac_page_analyse(const struct lac_graph *g,
				 struct lac_arena *arena,
				 struct lac_page_build *ret,
				 struct lac_err *err)
{
	struct lac_page_build b = { .graph = g,
				    .word = g->target.pointer_size };
	struct lac_rules *rules = lac_rules_create(g, arena);
	struct lac_layout_options o = { .rules = rules };
	uint32_t nslabs;

	if (!rules)
		return lac_fail_memory(err);
	b.page = best(g, "page", "flags", &b.definitions);
	if (b.page == LAC_NONE)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s: no struct page%s; a vmlinux, or a module "
				"that uses it, has one",
				g->path,
				b.definitions ? " with flags in it" : "");
	b.slab = best(g, "slab", "slab_cache", &nslabs);
	if (b.slab == LAC_NONE)
		b.slab = best(g, "slab", "pair_words", &nslabs);
	LAC_TRY(lac_layout_compute(g, b.page, &o, arena, &b.layout, err));
	b.era = era_of(&b);
	if (b.layout.align_source != LAC_ALIGN_UNKNOWN)
		b.kind = b.layout.align >= 2 * b.word ? LAC_PAGE_ALIGNED
						      : LAC_PAGE_PACKED;
	LAC_TRY(work_out_side(&b, LAC_PAGE_ALIGNED, rules, arena, err));
	LAC_TRY(work_out_side(&b, LAC_PAGE_PACKED, rules, arena, err));
	tell_layout(&b);
	place_pair(&b);
	tell_update(&b);
	compare_sides(&b);
	LAC_TRY(measure_slab(&b, rules, arena, err));
	*ret = b;
	return LAC_OK;
}

uint64_t lac_page_float_offset(const struct lac_page_build *b, uint64_t i)
{
	uint64_t both = 2 * b->word;
	uint64_t phase = i * b->graph->records[b->page].size % both;
	uint64_t words = phase + b->pair.freelist.bit_offset / 8;

	return (words + both - 1) / both * both - phase;
}

uint64_t lac_page_memmap(uint64_t ram, uint64_t page_size, uint64_t descriptor)
{
	return ram / page_size * descriptor;
}

unsigned lac_page_kfree_fields(const struct lac_page_build *b,
			       struct lac_page_field fields[4],
			       const char *names[4])
{
	static const struct {
		const char *era;
		const char *names[4]; /* as read by the free path */
	} reads[] = {
		{ "v3.13", { "flags", "slab_cache" } },
		{ "v4.9", { "compound_head", "flags", "slab_cache" } },
		{ "v5.10", { "compound_head", "flags", "slab_cache" } },
		{ "v5.17", { "compound_head", "flags", "slab_cache" } },
		{ "v6.12", { "compound_head", "page_type", "slab_cache" } },
		{ "v6.18", { "compound_head", "page_type", "slab_cache" } },
	};
	unsigned n = 0;

	for (size_t i = 0; b->era && i < sizeof(reads) / sizeof(reads[0]);
	     i++) {
		if (strcmp(reads[i].era, b->era) != 0)
			continue;
		for (; n < 4 && reads[i].names[n]; n++) {
			names[n] = reads[i].names[n];
			fields[n] = lac_page_field(b->graph, b->page, names[n]);
			if (!fields[n].found)
				fields[n] = lac_page_field(b->graph, b->slab,
							   names[n]);
			if (!fields[n].found)
				return 0;
		}
	}
	return n;
}

const char *lac_page_layout_name(enum lac_page_layout l)
{
	static const char *const names[] = {
		[LAC_PAGE_UNKNOWN] = "unknown",
		[LAC_PAGE_ALIGNED] = "aligned",
		[LAC_PAGE_PACKED] = "packed",
	};

	return names[l];
}

const char *lac_page_update_name(enum lac_page_update u)
{
	static const char *const names[] = {
		[LAC_UPDATE_UNKNOWN] = "unknown",
		[LAC_UPDATE_CAS] = "cas",
		[LAC_UPDATE_LOCK] = "lock",
	};

	return names[u];
}

const char *lac_page_variant_name(enum lac_page_layout l,
				  enum lac_page_update u)
{
	if (l == LAC_PAGE_UNKNOWN || u == LAC_UPDATE_UNKNOWN)
		return NULL;
	if (l == LAC_PAGE_ALIGNED)
		return u == LAC_UPDATE_CAS ? "aligned-cas" : "aligned-lock";
	return u == LAC_UPDATE_CAS ? "packed-cas" : "packed-lock";
}
