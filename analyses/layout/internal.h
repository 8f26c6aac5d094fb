/* SPDX-License-Identifier: BSD-2-Clause */
/* internal.h - what the files of this module share. */
#ifndef LAC_LAYOUT_INTERNAL_H
#define LAC_LAYOUT_INTERNAL_H

#include "layout/layout.h"

/* What is known about one record, apart from its spans. */
struct lac_record_facts {
	uint32_t align; /* bytes, as reported; 0 if unknown */
	/*
	 * Bytes: what a member of this type is aligned to, at least.  As
	 * above, but where that is unknown, what its members ask for.
	 */
	uint32_t rule_align;
	uint32_t align_most;  /* bytes; it is not aligned to more than this */
	uint8_t align_source; /* enum lac_align_source */
	uint8_t packed;	      /* enum lac_packed */
	bool has_dynamic;     /* a virtual base may lie anywhere in it */
	bool opened; /* a member is transparent: lac_member_transparent() */
	/*
	 * The holes in its members are not what nested_hole_bits has: they are
	 * alternatives, or some have no place or no size.
	 */
	bool nested_apart;
	uint32_t nholes;
	uint64_t member_bits, hole_bits, padding_bits, unknown_bits;
	uint64_t nested_hole_bits, nested_padding_bits;
};

/* Bits from..to; none if they are equal. */
struct lac_bits {
	uint64_t from, to;
};

/* What a type is aligned to, all in bytes and at least 1. */
struct lac_type_rule {
	uint32_t align; /* 0 in lac_rules: not worked out yet */
	uint32_t most; /* align, or more where that is only inferred */
	bool declared; /* an attribute made it so */
	bool sure;     /* align is not only inferred */
	bool simple; /* no record, nor array, is in it by value */
	uint64_t size; /* bytes, of the type; LAC_SIZE_UNKNOWN */
};

struct lac_rules {
	const struct lac_graph *g;
	struct lac_record_facts *facts;
	uint8_t *state; /* by record */
	struct lac_type_rule *types;
	struct lac_type_rule passing; /* one that is not to be kept */
	struct lac_bits *tags; /* by record; NULL where there is no variant */
	unsigned depth;
};

#define LAC_FACTS_KNOWN 2 /* in state */

static inline const struct lac_graph *
lac_rules_graph(const struct lac_rules *rules)
{
	return rules->g;
}

/* What lac_rules_facts() and lac_rules_type() do at the first call. */
const struct lac_record_facts *lac_rules_work_out(struct lac_rules *rules,
						  lac_record_id id);
const struct lac_type_rule *lac_rules_ask(struct lac_rules *rules,
					  lac_type_id id);

/* Never NULL, never fails. */
static inline const struct lac_record_facts *
lac_rules_facts(struct lac_rules *rules, lac_record_id id)
{
	return rules->state[id] == LAC_FACTS_KNOWN
		       ? &rules->facts[id]
		       : lac_rules_work_out(rules, id);
}

/* Valid until the next type is asked for. */
static inline const struct lac_type_rule *
lac_rules_type(struct lac_rules *rules, lac_type_id id)
{
	return rules->types[id].align ? &rules->types[id]
				      : lac_rules_ask(rules, id);
}

/*
 * What is left of the padding of a member's record, of that many bytes: readers
 * cut a base, or what is [[no_unique_address]], where the next member starts.
 */
static inline uint64_t lac_padding_left(const struct lac_member *m,
					uint64_t size, uint64_t padding_bits)
{
	uint64_t cut = size <= UINT64_MAX / 8 && size * 8 > m->bit_size
			       ? size * 8 - m->bit_size
			       : 0;

	return cut < padding_bits ? padding_bits - cut : 0;
}

/* Totals of a record's spans; stores them where spans is not NULL. */
struct lac_span_totals {
	uint32_t nspans, nholes;
	uint64_t member_bits, hole_bits, padding_bits, unknown_bits;
};
/*
 * Where the tag of its enum lies in the record, if it is a variant: those bits
 * are a member of the enum, and no waste of the variant.
 */
struct lac_bits lac_rules_tag(const struct lac_rules *rules, lac_record_id id);
/* The totals alone, but for nspans. */
void lac_spans_total(const struct lac_record *r, bool dynamic,
		     struct lac_bits tag, struct lac_span_totals *totals);
void lac_spans_paint(const struct lac_record *r, bool dynamic,
		     struct lac_bits tag,
		     struct lac_span *spans, struct lac_span_totals *totals);

/* How many members cross a line; stores them where ret is not NULL. */
uint32_t lac_straddlers_find(const struct lac_graph *g,
			     const struct lac_record *r, uint32_t line_size,
			     uint64_t first_byte, struct lac_straddler *ret);

/* What fitting a record into C's rules comes to. */
struct lac_fit {
	bool fits;	 /* it can be said in C */
	bool packed;	 /* by the attribute on the record */
	bool any_packed; /* or by one on a member */
	/*
	 * Some hole or padding is there for the sake of a type's alignment, so
	 * that the record is not packed.
	 */
	bool evidence;
	uint32_t proved; /* bytes: an attribute left room for that much */
	bool align_declared;   /* an attribute made it what it is */
	uint32_t align;	       /* bytes, of the record, all told */
	/* bytes: of the members whose alignment is sure; all members' at most */
	uint32_t sure_align, most_align;
	uint32_t forced_align; /* the attribute to print; 0 for none */
	bool odd_room;	       /* unnamed bits, or an _Atomic's alignment */
	bool guessed;	       /* an alignment that the input does not tell */
	bool incomplete; /* a member of an unknown type may ask for more */
	uint64_t fill_bits;
	unsigned fills; /* how often something had to be made up */
};

/*
 * members (NULL, or one for each of the record's) is filled; an answer that
 * does not fit still has the alignment that the members ask for.
 */
void lac_fit_record(struct lac_rules *rules, const struct lac_record *r,
		    struct lac_c_member *members, struct lac_fit *ret);

static inline uint64_t lac_round_up(uint64_t v, uint64_t to)
{
	if (!(to & (to - 1))) /* as nearly every alignment is */
		return (v + to - 1) & -to;
	return (v + to - 1) / to * to;
}

/* What one member asks for. */
struct lac_ask {
	uint32_t align; /* bytes */
	uint64_t unit;	/* bits of a bit-field's type; 0 for a plain member */
	uint64_t bit_size;
};

/* Where it comes by the rules of the System V ABIs, from bit pos on. */
static inline uint64_t lac_place(const struct lac_ask *a, uint64_t pos,
				 bool packed)
{
	uint64_t align_bits = (uint64_t)a->align * 8;

	if (!a->unit)
		return lac_round_up(pos, align_bits);
	/* a bit-field moves on only if it would not fit into its unit */
	if (!packed && pos % align_bits + a->bit_size > a->unit)
		return lac_round_up(pos, align_bits);
	return pos;
}

/* A member with its attributes, wherever it is to come. */
struct lac_brick {
	struct lac_ask ask;
	uint32_t own; /* bytes: the attribute on it; 0 for none */
	uint64_t fill_bits; /* as those of lac_c_member */
	bool fill_to_unit;
	bool packed;
	bool raises; /* the record's alignment */
};

struct lac_brick lac_brick_of(struct lac_rules *rules,
			      const struct lac_record *r, uint32_t i,
			      const struct lac_c_member *cm, bool packed);

/* Lay it out from bit *pos on, which then is its end; where it starts. */
static inline uint64_t lac_brick_lay(const struct lac_brick *p, uint64_t *pos)
{
	uint64_t at;

	if (p->fill_to_unit)
		*pos = lac_round_up(*pos, (uint64_t)p->ask.align * 8);
	else
		*pos += p->fill_bits;
	/* an attribute on a bit-field moves its start, packed or not */
	if (p->ask.unit && p->own)
		*pos = lac_round_up(*pos, (uint64_t)p->own * 8);
	at = lac_place(&p->ask, *pos, p->packed);
	*pos = at + p->ask.bit_size;
	return at;
}

#endif
