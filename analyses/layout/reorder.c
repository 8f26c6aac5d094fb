/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/reorder.h"

#include <string.h>

#include "layout/reorder_search.h"

#define MEMBERS_MAX 4096u
#define BYTES_MAX (UINT64_C(1) << 48)

/* A record while it is cut into blocks. */
struct cut {
	const struct lac_graph *g;
	const struct lac_record *r;
	struct lac_rules *rules;
	struct lac_arena *scratch;
	struct lac_c_form form;
	struct lac_brick *bricks;
	struct lac_block *blocks;
	struct lac_blocks b;
	bool joined; /* some stay together that a programmer need not leave so */
};

static const char *about(const struct cut *c, const char *before,
			 const struct lac_member *m, const char *after)
{
	return lac_arena_printf(c->scratch, "%s%s%s", before,
				m->name ? m->name : "an unnamed member", after);
}

/* Why its kind has no other order; NULL if it may have one. */
static const char *refuse_kind(struct cut *c, lac_record_id id)
{
	const struct lac_record *r = c->r;

	if (r->damage)
		return lac_arena_printf(c->scratch,
					"the debug info is malformed: %s",
					r->damage);
	if (r->kind == LAC_UNION)
		return "the members of a union all start at its first byte";
	if (r->kind == LAC_VARIANT_ENUM || r->kind == LAC_VARIANT ||
	    lac_rules_facts(c->rules, id)->align_source == LAC_ALIGN_TOLD)
		return "the compiler, and not the source, orders the members "
		       "of a Rust type";
	if (r->size == LAC_SIZE_UNKNOWN)
		return "its size is not known";
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		if (m->role == LAC_MEMBER_BASE ||
		    m->role == LAC_MEMBER_VIRTUAL_BASE)
			return "it has a base class";
		if (m->role == LAC_MEMBER_VPTR)
			return "it has virtual functions";
		if (m->bit_size == LAC_SIZE_UNKNOWN)
			return about(c, "the size of ", m, " is not known");
	}
	if (r->kind == LAC_CLASS)
		return "a class is no struct of C";
	if (r->nmembers > MEMBERS_MAX || r->size > BYTES_MAX)
		return "it is larger than any struct that was written by hand";
	return NULL;
}

static bool is_field(const struct lac_member *m)
{
	return m->role == LAC_MEMBER_BITFIELD;
}

/* Of what C cannot say, the alignment is a guess. */
static bool is_sayable(const struct cut *c, lac_type_id type)
{
	uint64_t count;
	lac_record_id id = lac_type_record(c->g, type, &count);
	struct lac_fit fit;

	if (id == LAC_NONE)
		return true;
	lac_fit_record(c->rules, &c->g->records[id], NULL, &fit);
	return fit.fits && c->g->records[id].kind != LAC_CLASS;
}

/* Such as that of most records in BTF, where no attribute is told. */
static bool has_alignment(const struct cut *c, lac_record_id id)
{
	return id == LAC_NONE || lac_rules_facts(c->rules, id)->align;
}

/* Why the members of a struct cannot be moved; NULL if they can. */
static const char *refuse_form(const struct cut *c, lac_record_id id)
{
	const struct lac_record *r = c->r;
	uint64_t count;

	if (!has_alignment(c, id))
		return "its alignment is not known";
	if (!c->form.exact)
		return "the rules of C do not give the layout that it has";
	if (c->form.packed)
		return "it is packed";
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_c_member *cm = &c->form.members[i];
		const struct lac_member *m = &r->members[i];

		if (cm->packed)
			return about(c, "", m, " is packed");
		if (!has_alignment(c, lac_type_record(c->g, m->type, &count)))
			return about(c, "the alignment of ", m,
				     " is not known");
		if (!is_sayable(c, m->type))
			return about(c,
				     "the rules of C do not give the layout "
				     "of ", m, "");
		if (cm->fill_bits && !cm->fill_to_unit && !is_field(m) &&
		    !(i && is_field(&r->members[i - 1])))
			return about(c,
				     "something that the debug info does not "
				     "tell leaves room in front of ",
				     m, "");
	}
	if (c->form.fill_bits &&
	    !(r->nmembers && is_field(&r->members[r->nmembers - 1])))
		return "something that the debug info does not tell leaves "
		       "room at its end";
	return NULL;
}

/* Bits of the storage unit that a bit-field lies in: where it ends, starts. */
static uint64_t unit_start(const struct cut *c, uint32_t i)
{
	uint64_t unit = c->bricks[i].ask.unit;

	return c->r->members[i].bit_offset / unit * unit;
}

static uint64_t member_end(const struct lac_member *m)
{
	return m->bit_offset + m->bit_size;
}

static bool ends_flexible(const struct cut *c, const struct lac_member *m)
{
	lac_record_id inner = lac_type_record(c->g, m->type, NULL);

	return inner != LAC_NONE && lac_record_is_flexible(c->g, inner);
}

/* Whether member i has to stay where the one before it is. */
static bool stays_behind(const struct cut *c, uint32_t i)
{
	const struct lac_member *m = &c->r->members[i], *before = m - 1;
	const struct lac_brick *p = &c->bricks[i];

	if ((is_field(m) && is_field(before)) ||
	    (p->fill_bits && !p->fill_to_unit) || ends_flexible(c, before))
		return true;
	if (is_field(before))
		return m->bit_offset <
		       unit_start(c, i - 1) + c->bricks[i - 1].ask.unit;
	return is_field(m) && unit_start(c, i) < member_end(before);
}

static bool has_fill(const struct lac_brick *p)
{
	return p->fill_bits && !p->fill_to_unit;
}

/* What a block is, all of its members known. */
static void close_block(struct cut *c, struct lac_block *b)
{
	bool barrier = b->first + b->n == c->r->nmembers && c->form.fill_bits;

	b->rigid = barrier;
	b->phase = c->r->members[b->first].bit_offset %
		   ((uint64_t)c->b.phase_bytes * 8);
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct lac_member *m = &c->r->members[i];
		const struct lac_brick *p = &c->bricks[i];

		b->bits += m->bit_size + (has_fill(p) ? p->fill_bits : 0);
		c->joined |= i > b->first;
		/* of an unnamed field the type is not known, nor the width */
		b->rigid |= has_fill(p) || (i > b->first && p->fill_to_unit) ||
			    (b->n > 1 && ends_flexible(c, m));
		barrier |= m->bit_size == 0 ||
			   (i + 1 == c->r->nmembers && ends_flexible(c, m));
	}
	if (b > c->blocks)
		b->section += b[-1].section;
	/* nothing passes it: a section of its own */
	if (barrier) {
		b->section++;
		b[1].section = 1;
	}
}

static bool cut_blocks(struct cut *c)
{
	uint32_t n = c->r->nmembers;

	c->bricks = lac_arena_zalloc(c->scratch, n, sizeof(*c->bricks));
	c->blocks = lac_arena_zalloc(c->scratch, (size_t)n + 1,
				     sizeof(*c->blocks));
	if (!c->bricks || !c->blocks)
		return false;
	c->b = (struct lac_blocks){
		.bricks = c->bricks,
		.blocks = c->blocks,
		.align = c->form.align ? c->form.align : 1,
		.end_fill = c->form.fill_bits,
	};
	for (uint32_t i = 0; i < n; i++) {
		c->bricks[i] = lac_brick_of(c->rules, c->r, i,
					    &c->form.members[i], false);
		if (c->bricks[i].ask.align > c->b.align)
			c->b.align = c->bricks[i].ask.align;
	}
	c->b.phase_bytes = c->b.align > 8 ? c->b.align : 8;
	for (uint32_t i = 0; i < n; i++) {
		if (!i || !stays_behind(c, i))
			c->blocks[c->b.n++].first = i;
		c->blocks[c->b.n - 1].n++;
	}
	for (uint32_t i = 0; i < c->b.n; i++)
		close_block(c, &c->blocks[i]);
	return true;
}

/* Behind a bit-field are free bits: an unnamed one may take some of them. */
static bool has_free_bits(const struct cut *c, uint32_t i)
{
	const struct lac_member *m = &c->r->members[i];
	uint64_t next = i + 1 < c->r->nmembers ? m[1].bit_offset
					       : c->r->size * 8;

	return is_field(m) && next > member_end(m);
}

/* What BTF does not tell, and what DWARF leaves to be inferred. */
static enum lac_certainty certainty_of(const struct cut *c)
{
	for (uint32_t i = 0; i < c->r->nmembers; i++) {
		const struct lac_type_rule *t =
			lac_rules_type(c->rules, c->r->members[i].type);

		if (t->most > t->align || c->form.members[i].fill_bits ||
		    c->form.members[i].align !=
			    c->r->members[i].declared_align ||
		    has_free_bits(c, i))
			return LAC_INFERRED;
	}
	return c->g->tells_alignment ? LAC_KNOWN : LAC_INFERRED;
}

/* The record in its new order, as it would be read. */
static bool lay_record(const struct cut *c, const struct lac_block_order *o,
		       struct lac_arena *arena, struct lac_record *ret)
{
	struct lac_member *m =
		lac_arena_zalloc(arena, c->r->nmembers, sizeof(*m));
	uint64_t pos = 0;

	if (!m)
		return false;
	*ret = *c->r;
	ret->members = m;
	ret->size = o->size;
	for (uint32_t k = 0; k < c->b.n; k++) {
		const struct lac_block *b = &c->blocks[o->order[k]];

		for (uint32_t i = b->first; i < b->first + b->n; i++, m++) {
			*m = c->r->members[i];
			m->bit_offset = lac_brick_lay(&c->bricks[i], &pos);
		}
	}
	return true;
}

static bool list_moves(const struct cut *c, const struct lac_block_order *o,
		       struct lac_arena *arena, struct lac_reorder *ret)
{
	struct lac_reorder_move *moves =
		lac_arena_zalloc(arena, o->moves, sizeof(*moves));
	bool *moved = lac_arena_zalloc(c->scratch, c->b.n, sizeof(*moved));
	struct lac_run *runs =
		lac_arena_zalloc(c->scratch, c->b.n, sizeof(*runs));
	uint32_t behind = LAC_NONE;

	if (!moves || !moved || !runs)
		return false;
	lac_blocks_moved(&c->b, o->order, runs, moved);
	ret->moves = moves;
	for (uint32_t k = 0; k < c->b.n; k++) {
		const struct lac_block *b = &c->blocks[o->order[k]];

		if (moved[o->order[k]])
			moves[ret->nmoves++] = (struct lac_reorder_move){
				b->first, b->n, behind };
		behind = b->first + b->n - 1;
	}
	return true;
}

/* C has it, with no attribute but those that the members had. */
static bool fits_again(const struct cut *c, const struct lac_record *r)
{
	struct lac_fit fit;

	lac_fit_record(c->rules, r, NULL, &fit);
	return fit.fits && !fit.any_packed;
}

/* A size that the members fill, but for less than the alignment of all. */
static bool is_full(const struct cut *c, uint64_t size)
{
	uint64_t bits = c->b.end_fill;

	for (uint32_t i = 0; i < c->b.n; i++)
		bits += c->blocks[i].bits;
	return lac_round_up(bits, (uint64_t)c->b.align * 8) >= size * 8;
}

static bool search(struct cut *c, struct lac_arena *arena,
		   struct lac_reorder *ret)
{
	struct lac_block_order o;
	bool least;

	if (!cut_blocks(c) || !lac_blocks_search(&c->b, c->scratch, &o, &least))
		return false;
	ret->certainty = certainty_of(c);
	least = least && (!c->joined || is_full(c, o.size));
	ret->status = least ? LAC_REORDER_LEAST : LAC_REORDER_NONE_FOUND;
	if (o.size >= c->r->size)
		return true;
	if (!lay_record(c, &o, arena, &ret->record))
		return false;
	if (!fits_again(c, &ret->record)) {
		ret->status = LAC_REORDER_NONE_FOUND;
		return true;
	}
	ret->status = LAC_REORDER_SMALLER;
	ret->least = least;
	ret->saves = c->r->size - o.size;
	return list_moves(c, &o, arena, ret);
}

enum lac_status lac_reorder(const struct lac_graph *g, lac_record_id id,
			    struct lac_rules *rules, struct lac_arena *arena,
			    struct lac_reorder *ret, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	struct lac_reorder answer = { .status = LAC_REORDER_UNSUPPORTED };
	struct cut c = { .g = g, .r = &g->records[id], .rules = rules,
			 .scratch = scratch };
	const char *reason;

	if (!scratch)
		return lac_fail_memory(err);
	reason = refuse_kind(&c, id);
	if (!reason) {
		LAC_TRY(lac_c_form_fit(g, id, rules, scratch, &c.form, err));
		reason = refuse_form(&c, id);
	}
	if (reason)
		answer.reason = lac_arena_strdup(arena, reason);
	if (reason ? !answer.reason : !search(&c, arena, &answer))
		return lac_fail_memory(err);
	*ret = answer;
	return LAC_OK;
}

enum lac_status lac_reorder_graph(const struct lac_graph *g, lac_record_id id,
				  const struct lac_reorder *reorder,
				  struct lac_arena *arena,
				  struct lac_graph *ret, struct lac_err *err)
{
	struct lac_record *records =
		lac_arena_zalloc(arena, g->nrecords, sizeof(*records));

	if (!records)
		return lac_fail_memory(err);
	memcpy(records, g->records, g->nrecords * sizeof(*records));
	records[id] = reorder->record;
	*ret = *g;
	ret->records = records;
	return LAC_OK;
}

const char *lac_reorder_status_name(enum lac_reorder_status s)
{
	static const char *const names[] = {
		[LAC_REORDER_SMALLER] = "smaller",
		[LAC_REORDER_LEAST] = "least",
		[LAC_REORDER_NONE_FOUND] = "none found",
		[LAC_REORDER_UNSUPPORTED] = "unsupported",
	};

	return names[s];
}
