/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/words.h"
#include "record_c.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dbginfo/declare.h"
#include "record_json.h"

/* Type and name stand in columns; the type gets narrower with depth. */
#define TYPE_COLUMNS 26u
#define TYPE_COLUMNS_MIN 10u
#define LINES_MAX 200000u

struct writer {
	struct lac_doc *d;
	struct lac_listing *out;
	const struct lac_graph *g;
	const struct lac_layout *l;
	const struct lac_record_c_options *o;
	struct lac_arena *scratch;
	uint64_t line_bits;
	unsigned forced; /* alignments that an attribute asks for */
	lac_record_id inexact; /* the first that C cannot say, or LAC_NONE */
};

/* Where a record that is opened in place lies in the outermost one. */
struct frame {
	lac_record_id id;
	uint64_t base; /* bits */
	unsigned depth;
	uint64_t line; /* the last border that has been shown */
};

static enum lac_status too_long(const struct writer *w, struct lac_err *err)
{
	const char *label = lac_record_label(w->g, w->l->record, w->scratch);

	return lac_fail(err, LAC_UNSUPPORTED,
			"%s: %s takes more than %u lines; `lacuna list` has "
			"its figures%s",
			w->g->path, label ? label : "a record", LINES_MAX,
			w->o->expand ? ", and without --expand it may be less"
				     : "");
}

static enum lac_status put(struct writer *w, unsigned depth, const char *code,
			   const char *comment, struct lac_err *err)
{
	if (!code)
		return lac_fail_memory(err);
	if (w->out->nlines >= LINES_MAX)
		return too_long(w, err);
	lac_listing_line(w->d, w->out, depth, code, comment);
	return LAC_OK;
}

static enum lac_status note(struct writer *w, unsigned depth,
			    struct lac_err *err, const char *fmt, ...)
	LAC_PRINTF(4, 5);
static enum lac_status note(struct writer *w, unsigned depth,
			    struct lac_err *err, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return put(w, depth, "", text, err);
}

/* "3 bytes", "4 bits", "2 bytes and 4 bits" */
static const char *amount(char (*buf)[64], uint64_t bits)
{
	uint64_t bytes = bits / 8, rest = bits % 8;
	int n = 0;

	(*buf)[0] = '\0';
	if (bytes || !rest)
		n = snprintf(*buf, sizeof(*buf), "%" PRIu64 " byte%s", bytes,
			     lac_s(bytes));
	if (rest)
		snprintf(*buf + n, sizeof(*buf) - (size_t)n,
			 "%s%" PRIu64 " bit%s", n ? " and " : "", rest,
			 lac_s(rest));
	return *buf;
}

/* An offset or a size in bytes, five columns wide. */
static const char *number(const struct writer *w, uint64_t v)
{
	const char *s = w->o->hex
				? lac_arena_printf(w->scratch, "%#5" PRIx64, v)
				: lac_arena_printf(w->scratch, "%5" PRIu64, v);

	return s ? s : "";
}

static const char *place(const struct writer *w, const struct lac_member *m,
			 uint64_t base)
{
	uint64_t at = base + m->bit_offset, unit;

	if (m->certainty == LAC_DYNAMIC)
		return "placed at run time";
	if (m->role == LAC_MEMBER_BITFIELD) {
		/* in the unit that the field is declared with, if it fits */
		unit = lac_type_size(w->g, m->type);
		unit = unit && unit <= 16 ? unit * 8 : 8;
		if (at % unit + m->bit_size > unit)
			unit = 8;
		return lac_arena_printf(w->scratch,
					w->o->hex ? "%s:%#2" PRIx64
						    "  %#" PRIx64 "%s"
						  : "%s:%2" PRIu64
						    "  %" PRIu64 "%s",
					number(w, at / unit * (unit / 8)),
					at % unit, unit / 8,
					m->certainty == LAC_INFERRED
						? ", inferred"
						: "");
	}
	if (m->bit_size == LAC_SIZE_UNKNOWN)
		return lac_arena_printf(w->scratch, "%s  unknown size",
					number(w, at / 8));
	return lac_arena_printf(w->scratch, "%s %s", number(w, at / 8),
				number(w, m->bit_size / 8));
}

const char *lac_attributes(bool packed, uint32_t align,
			   struct lac_arena *scratch)
{
	if (packed && align)
		return lac_arena_printf(scratch,
					" __attribute__((__packed__, "
					"__aligned__(%" PRIu32 ")))",
					align);
	if (align)
		return lac_arena_printf(
			scratch, " __attribute__((__aligned__(%" PRIu32 ")))",
			align);
	return packed ? " __attribute__((__packed__))" : "";
}

const char *lac_array_suffix(const struct lac_graph *g, lac_type_id id,
			     struct lac_arena *scratch, lac_type_id *element)
{
	const char *suffix = "";

	for (;;) {
		const struct lac_type *t;

		id = lac_type_strip(g, id);
		t = &g->types[id];
		if (t->kind != LAC_TYPE_ARRAY)
			break;
		suffix = t->array.flexible
				 ? lac_arena_printf(scratch, "%s[]", suffix)
				 : lac_arena_printf(scratch, "%s[%" PRIu64 "]",
						    suffix, t->array.count);
		if (!suffix)
			return NULL;
		id = t->target;
	}
	*element = id;
	return suffix;
}

const char *lac_fill_next(uint64_t at, uint64_t bits, uint64_t unit_bits,
			  uint64_t *done, struct lac_arena *scratch)
{
	static const struct {
		const char *type;
		uint64_t bits;
	} units[] = {
		{ "unsigned long long", 64 },
		{ "unsigned int", 32 },
		{ "unsigned short", 16 },
		{ "unsigned char", 8 },
	};
	uint64_t rest = bits - *done, from = at + *done, room, width;
	size_t u = 0;

	if (!rest)
		return NULL;
	/* the smallest type whose unit holds what is left, or the widest */
	for (size_t i = 0; i < 4; i++) {
		if (units[i].bits > unit_bits && i < 3)
			continue;
		if (units[u].bits > unit_bits ||
		    from % units[i].bits + rest <= units[i].bits)
			u = i;
	}
	room = units[u].bits - from % units[u].bits;
	width = rest < room ? rest : room;
	*done += width;
	return lac_arena_printf(scratch, "%s :%" PRIu64 ";", units[u].type,
				width);
}

/* "(Class::*" stands in front of the mark. */
static bool is_member_pointer(const char *from, const char *mark)
{
	return mark - from > 4 && !strncmp(mark - 3, "::*", 3);
}

/* Type and declarator in two columns where they can be told apart. */
static const char *declaration(const struct writer *w,
			       const struct lac_member *m, unsigned depth)
{
	unsigned narrower = (depth - 1) * 8;
	int columns = TYPE_COLUMNS > narrower + TYPE_COLUMNS_MIN
			      ? (int)(TYPE_COLUMNS - narrower)
			      : (int)TYPE_COLUMNS_MIN;
	/* a name that no type contains marks the place of the real one */
	const char *all = lac_type_declare(w->g, m->type, "\1", w->scratch);
	const char *name = m->name ? m->name : "";
	const char *mark, *split;
	size_t n;

	if (!all)
		return NULL;
	mark = strchr(all, '\1');
	if (!mark)
		return all;
	split = memchr(all, '(', (size_t)(mark - all));
	if (!split || (split[1] != '*' && !is_member_pointer(split, mark)))
		split = mark;
	n = (size_t)(split - all);
	while (n && all[n - 1] == ' ')
		n--;
	return lac_arena_printf(w->scratch, "%.*s%*s%.*s%s%s", (int)n, all,
				n < (size_t)columns ? columns - (int)n + 1 : 1,
				"", (int)(mark - split), split, name, mark + 1);
}

/* A border between the last one shown and this place. */
static enum lac_status border(struct writer *w, struct frame *f, uint64_t at,
			      struct lac_err *err)
{
	uint64_t line = at / w->line_bits, bytes;
	uint64_t ago = at % w->line_bits;
	char buf[64];

	if (line <= f->line)
		return LAC_OK;
	f->line = line;
	bytes = line * w->l->line_size;
	if (!ago)
		return note(w, f->depth, err,
			    "--- cacheline %" PRIu64 " boundary (%" PRIu64
			    " bytes) ---",
			    line, bytes);
	return note(w, f->depth, err,
		    "--- cacheline %" PRIu64 " boundary (%" PRIu64
		    " bytes) was %s ago ---",
		    line, bytes, amount(&buf, ago));
}

static enum lac_status fill(struct writer *w, unsigned depth, uint64_t at,
			    uint64_t bits, uint64_t unit_bits,
			    struct lac_err *err)
{
	uint64_t done = 0;
	const char *code;

	while ((code = lac_fill_next(at, bits, unit_bits, &done, w->scratch)))
		LAC_TRY(put(w, depth, code, "unnamed, inferred", err));
	return LAC_OK;
}

/* Spans that no member covers, up to `until`. */
static enum lac_status gaps(struct writer *w, const struct frame *f,
			    const struct lac_layout *l, uint32_t *span,
			    uint64_t until, struct lac_err *err)
{
	char buf[64];

	for (; *span < l->map.nspans; (*span)++) {
		const struct lac_span *s = &l->map.spans[*span];

		if (s->bit_offset >= until)
			break;
		if (s->kind != LAC_SPAN_HOLE &&
		    (s->kind != LAC_SPAN_UNKNOWN || s->member != LAC_NONE))
			continue;
		LAC_TRY(put(w, f->depth, "", NULL, err));
		LAC_TRY(note(w, f->depth, err,
			     s->kind == LAC_SPAN_HOLE
				     ? "XXX %s hole, try to pack"
				     : "%s that may be in use",
			     amount(&buf, s->bit_size)));
		LAC_TRY(put(w, f->depth, "", NULL, err));
	}
	return LAC_OK;
}

static enum lac_status body(struct writer *w, struct frame *f,
			    const struct lac_layout *l,
			    const struct lac_c_form *form, struct lac_err *err);

/* Nobody asked for what is told: no attributes, nothing made up for C. */
static enum lac_status plain_form(const struct writer *w, lac_record_id id,
				  struct lac_c_form *form, struct lac_err *err)
{
	struct lac_c_member *members = lac_arena_zalloc(
		w->scratch, w->g->records[id].nmembers, sizeof(*members));

	if (!members)
		return lac_fail_memory(err);
	*form = (struct lac_c_form){ .packed = form->packed,
				     .members = members };
	return LAC_OK;
}

static enum lac_status fit(struct writer *w, lac_record_id id,
			   struct lac_layout *l, struct lac_c_form *form,
			   struct lac_err *err)
{
	const struct lac_layout_options o = {
		.line_size = w->l->line_size,
		.rules = w->o->rules,
	};

	LAC_TRY(lac_layout_compute(w->g, id, &o, w->scratch, l, err));
	LAC_TRY(lac_c_form_fit(w->g, id, w->o->rules, w->scratch, form, err));
	if (l->align_source == LAC_ALIGN_TOLD)
		return plain_form(w, id, form, err);
	if (!form->exact && w->inexact == LAC_NONE)
		w->inexact = id;
	return LAC_OK;
}

static const char *tag(const struct writer *w, lac_record_id id)
{
	const struct lac_record *r = &w->g->records[id];
	const char *kind = r->kind == LAC_VARIANT
				   ? "variant"
				   : lac_record_kind_name(r->kind);

	return r->name ? lac_arena_printf(w->scratch, "%s %s {", kind, r->name)
		       : lac_arena_printf(w->scratch, "%s {", kind);
}

static enum lac_status open_member(struct writer *w, struct frame *f,
				   const struct lac_member *m,
				   const struct lac_c_member *cm,
				   lac_record_id id, struct lac_err *err)
{
	struct frame inner = {
		.id = id,
		.base = f->base + m->bit_offset,
		.depth = f->depth + 1,
		.line = f->line,
	};
	struct lac_layout l;
	struct lac_c_form form;
	lac_type_id element;
	const char *suffix =
		lac_array_suffix(w->g, m->type, w->scratch, &element);
	const char *code;

	LAC_TRY(fit(w, id, &l, &form, err));
	LAC_TRY(put(w, f->depth, tag(w, id), NULL, err));
	LAC_TRY(body(w, &inner, &l, &form, err));
	w->forced += form.align != 0 || cm->align != 0;
	code = lac_arena_printf(
		w->scratch, "}%s%s%s%s%s;",
		lac_attributes(form.packed, form.align, w->scratch),
		m->name ? " " : "", m->name ? m->name : "",
		suffix ? suffix : "",
		lac_attributes(cm->packed,
			       cm->align == form.align ? 0 : cm->align,
			       w->scratch));
	LAC_TRY(put(w, f->depth, code, place(w, m, f->base), err));
	/* borders inside an arm of a union are the arm's */
	if (l.graph->records[id].kind != LAC_UNION &&
	    w->g->records[f->id].kind != LAC_UNION)
		f->line = inner.line;
	return LAC_OK;
}

/* What the type of a member that is not opened leaves unused in itself. */
static enum lac_status inner_waste(struct writer *w, const struct frame *f,
				   uint32_t i, struct lac_err *err)
{
	const struct lac_record *r = &w->g->records[f->id];
	const struct lac_member *m = &r->members[i];
	const char *name = m->name ? m->name : "the base", *suffix;
	lac_type_id element;
	uint64_t bits;
	char buf[64];

	bits = lac_member_inner_holes(w->g, m, w->o->rules);
	if (bits && bits != LAC_SIZE_UNKNOWN)
		LAC_TRY(note(w, f->depth, err, "XXX in %s: %s of holes", name,
			     amount(&buf, bits)));
	LAC_TRY(lac_member_end_padding(w->g, r, i, w->o->rules, w->scratch,
				       &bits, err));
	if (!bits || bits == LAC_SIZE_UNKNOWN)
		return LAC_OK;
	suffix = lac_array_suffix(w->g, m->type, w->scratch, &element);
	return note(w, f->depth, err, "XXX %s%s ends in %s of padding",
		    suffix && *suffix ? "each element of " : "", name,
		    amount(&buf, bits));
}

static enum lac_status plain_member(struct writer *w, struct frame *f,
				    uint32_t i, const struct lac_c_member *cm,
				    struct lac_err *err)
{
	const struct lac_member *m = &w->g->records[f->id].members[i];
	const char *text = declaration(w, m, f->depth), *what = "";

	if (!text)
		return lac_fail_memory(err);
	if (m->role == LAC_MEMBER_BASE || m->role == LAC_MEMBER_VIRTUAL_BASE)
		what = m->role == LAC_MEMBER_BASE ? "<base>" : "<virtual base>";
	if (m->role == LAC_MEMBER_DISCRIMINANT && !m->name)
		what = "<tag>";
	if (m->role == LAC_MEMBER_BITFIELD)
		what = lac_arena_printf(w->scratch, ":%" PRIu64, m->bit_size);
	LAC_TRY(put(w, f->depth,
		    lac_arena_printf(
			    w->scratch, "%s%s%s;", text, what ? what : "",
			    lac_attributes(cm->packed, cm->align, w->scratch)),
		    place(w, m, f->base), err));
	return inner_waste(w, f, i, err);
}

static enum lac_status body(struct writer *w, struct frame *f,
			    const struct lac_layout *l,
			    const struct lac_c_form *form, struct lac_err *err)
{
	const struct lac_record *r = &w->g->records[f->id];
	uint64_t end = 0, unit = (l->align ? l->align : 1) * 8;
	uint32_t span = 0;

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_c_member *cm = &form->members[i];
		lac_record_id inner =
			lac_record_opened(w->g, m, w->o->expand, f->depth);

		w->forced += cm->align != 0 && inner == LAC_NONE;
		if (m->certainty != LAC_DYNAMIC) {
			LAC_TRY(gaps(w, f, l, &span, m->bit_offset, err));
			if (cm->fill_to_unit)
				LAC_TRY(put(w, f->depth,
					    lac_arena_printf(
						    w->scratch, "%s :0;",
						    lac_type_declare(
							    w->g, m->type, NULL,
							    w->scratch)),
					    "closes the unit, inferred", err));
			else
				LAC_TRY(fill(w, f->depth, end, cm->fill_bits,
					     unit, err));
			if (r->kind != LAC_UNION)
				LAC_TRY(border(w, f, f->base + m->bit_offset,
					       err));
			if (m->bit_size != LAC_SIZE_UNKNOWN &&
			    m->bit_offset + m->bit_size > end)
				end = m->bit_offset + m->bit_size;
		}
		if (inner != LAC_NONE)
			LAC_TRY(open_member(w, f, m, cm, inner, err));
		else
			LAC_TRY(plain_member(w, f, i, cm, err));
	}
	LAC_TRY(gaps(w, f, l, &span, UINT64_MAX, err));
	/* of the outermost it is in the summary */
	if (f->depth > 1 && l->padding_bits) {
		char buf[64];

		LAC_TRY(put(w, f->depth, "", NULL, err));
		LAC_TRY(note(w, f->depth, err, "XXX %s padding",
			     amount(&buf, l->padding_bits)));
	}
	return fill(w, f->depth, end, form->fill_bits, unit, err);
}

/* No other place would make it touch fewer lines. */
static bool touches_fewest(const struct lac_straddler *s, uint64_t line_bits)
{
	uint64_t last = (s->bit_offset + s->bit_size - 1) / line_bits;

	return last - s->bit_offset / line_bits ==
	       (s->bit_size - 1) / line_bits;
}

/* An unnamed struct does not cross: the members in it do. */
static enum lac_status crossing(struct writer *w, struct lac_err *err)
{
	struct lac_through t;

	LAC_TRY(lac_through_compute(w->l, w->o->rules, w->scratch, &t, err));
	for (uint32_t i = 0; i < t.nstraddlers; i++) {
		const struct lac_straddler *s = &t.straddlers[i];
		const struct lac_member *m = &t.record.members[s->member];
		lac_type_id element;
		const char *name = m->name ? m->name : "(unnamed)";
		const char *suffix =
			lac_array_suffix(w->g, m->type, w->scratch, &element);

		if (m->role == LAC_MEMBER_BITFIELD || !suffix || !*suffix)
			LAC_TRY(note(w, 1, err,
				     "%s: %s, byte %" PRIu64 " to %" PRIu64,
				     touches_fewest(s, UINT64_C(8) *
							       w->l->line_size)
					     ? "larger than a line"
					     : "crosses a line",
				     name, s->bit_offset / 8,
				     (s->bit_offset + s->bit_size - 1) / 8));
		else
			LAC_TRY(note(w, 1, err,
				     "crosses a line: %" PRIu64
				     " element%s of %s, the first is [%" PRIu64
				     "]",
				     s->elements, lac_s(s->elements),
				     name, s->first_element));
	}
	return LAC_OK;
}

static enum lac_status waste(struct writer *w, struct lac_err *err)
{
	const struct lac_layout *l = w->l;
	char a[64], b[64];

	if (l->nholes)
		LAC_TRY(note(w, 1, err,
			     "sum members: %s, holes: %" PRIu32
			     ", sum holes: %s",
			     amount(&a, l->member_bits), l->nholes,
			     amount(&b, l->hole_bits)));
	if (l->padding_bits)
		LAC_TRY(note(w, 1, err, "padding: %s",
			     amount(&a, l->padding_bits)));
	if (l->unknown_bits)
		LAC_TRY(note(w, 1, err, "cannot be told: %s",
			     amount(&a, l->unknown_bits)));
	if (l->nested_hole_bits || l->nested_padding_bits)
		LAC_TRY(note(w, 1, err,
			     "inside the members: %s of holes, %s of padding",
			     amount(&a, l->nested_hole_bits),
			     amount(&b, l->nested_padding_bits)));
	return LAC_OK;
}

/* A flexible array may start in the padding, where sizeof + n is too much. */
static enum lac_status flexible(struct writer *w, struct lac_err *err)
{
	const struct lac_record *r = &w->g->records[w->l->record];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_type *t =
			&w->g->types[lac_type_strip(w->g, m->type)];
		uint64_t count;
		lac_record_id inner = lac_type_record(w->g, m->type, &count);
		char buf[64];

		if (t->kind == LAC_TYPE_ARRAY && !t->array.count &&
		    i + 1 == r->nmembers && m->bit_offset < r->size * 8)
			LAC_TRY(note(
				w, 1, err,
				"%s starts inside the padding: sizeof + n "
				"is %s too much",
				m->name ? m->name : "the array",
				amount(&buf, r->size * 8 - m->bit_offset)));
		if (inner != LAC_NONE && lac_record_is_flexible(w->g, inner))
			LAC_TRY(note(w, 1, err, "%s ends in a flexible array",
				     m->name ? m->name : "an unnamed member"));
	}
	return LAC_OK;
}

/* Why the text, given to a C compiler, would not be this record. */
static enum lac_status not_in_c(struct writer *w, struct lac_err *err)
{
	const struct lac_record *r = &w->g->records[w->inexact];
	const char *label = lac_record_label(w->g, w->inexact, w->scratch);
	const char *why = "its members are where no alignment or packing of C "
			  "puts them";

	for (uint32_t i = 0; i < r->nmembers; i++)
		if (r->members[i].role == LAC_MEMBER_BASE ||
		    r->members[i].role == LAC_MEMBER_VIRTUAL_BASE)
			why = "it has a base class";
		else if (r->members[i].role == LAC_MEMBER_VPTR)
			why = "it has virtual functions";
	return note(w, 1, err, "no C that compiles: %s cannot be said in C, %s",
		    label ? label : "the record", why);
}

static enum lac_status summary(struct writer *w, struct lac_err *err)
{
	const struct lac_layout *l = w->l;
	const struct lac_record *r = &w->g->records[l->record];
	uint64_t last = r->size % l->line_size;
	char a[64];

	if (r->size == LAC_SIZE_UNKNOWN)
		return note(w, 1, err, "size: unknown, members: %" PRIu32,
			    r->nmembers);
	LAC_TRY(note(w, 1, err,
		     "size: %" PRIu64 ", cachelines: %" PRIu64
		     ", members: %" PRIu32,
		     r->size, l->lines, r->nmembers));
	LAC_TRY(waste(w, err));
	if (l->align)
		LAC_TRY(note(w, 1, err, "alignment: %" PRIu32 " (%s)%s",
			     l->align, lac_align_source_name(l->align_source),
			     l->packed == LAC_PACKED_INFERRED
				     ? ", packed (inferred)"
				     : ""));
	else
		LAC_TRY(note(w, 1, err, "alignment: unknown%s",
			     l->packed == LAC_PACKED_INFERRED
				     ? ", packed (inferred)"
				     : ""));
	if (w->forced)
		LAC_TRY(note(w, 1, err, "forced alignments: %u", w->forced));
	LAC_TRY(flexible(w, err));
	LAC_TRY(crossing(w, err));
	if (l->lines && last)
		LAC_TRY(note(w, 1, err, "last cacheline: %s",
			     amount(&a, last * 8)));
	if (w->inexact != LAC_NONE &&
	    (r->kind == LAC_STRUCT || r->kind == LAC_UNION))
		LAC_TRY(not_in_c(w, err));
	return LAC_OK;
}

enum lac_status lac_record_c(struct lac_doc *d, const struct lac_layout *l,
			     const struct lac_record_c_options *o,
			     struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *scratch = lac_arena_create();
	const struct lac_record *r = &l->graph->records[l->record];
	struct writer w = {
		.d = d,
		.g = l->graph,
		.l = l,
		.o = o,
		.scratch = scratch,
		.line_bits = (uint64_t)l->line_size * 8,
		.inexact = LAC_NONE,
	};
	struct frame f = { .id = l->record, .depth = 1 };
	struct lac_layout same;
	struct lac_c_form form;
	bool by_typedef = !r->name && r->typedef_name;

	if (!scratch)
		return lac_fail_memory(err);
	w.out = lac_doc_listing(d, "c");
	LAC_TRY(fit(&w, l->record, &same, &form, err));
	w.forced += form.align != 0;
	LAC_TRY(put(&w, 0,
		    lac_arena_printf(scratch, "%s%s",
				     by_typedef ? "typedef " : "",
				     tag(&w, l->record)),
		    NULL, err));
	LAC_TRY(body(&w, &f, l, &form, err));
	if (r->nmembers)
		LAC_TRY(put(&w, 1, "", NULL, err));
	LAC_TRY(summary(&w, err));
	return put(&w, 0,
		   lac_arena_printf(
			   scratch, "}%s%s%s;",
			   lac_attributes(form.packed, form.align, scratch),
			   by_typedef ? " " : "",
			   by_typedef ? r->typedef_name : ""),
		   NULL, err);
}
