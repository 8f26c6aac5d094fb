/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_listing.c - a record before and after as C, cut down to what changed:
 * "-" lines as they were, "+" lines as they are, "[...]" for the rest.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "diff/echo.h"
#include "diff_order.h"
#include "diff_report.h"
#include "diff_values.h"

/* A line to be. */
struct piece {
	uint64_t at; /* bit offset in the new record, or of what it is behind */
	uint32_t order; /* likewise, which field of the new record; from 1 on */
	uint32_t gone;	/* of those behind the same field; 0: it is there */
	const struct lac_field *was, *is; /* NULL: not there */
	bool shown, moved_only;
	bool open;   /* an unnamed one that holds a member that is shown */
	bool counts; /* in the sum of what is left out */
	bool in_union;
	bool echo; /* the unnamed arm of a union has it, too, or all of it */
};

struct form {
	struct lac_doc *doc;
	struct lac_listing *l;
	const struct lac_record_diff *r;
	const struct lac_cause *causes; /* of the diff */
	struct lac_record_echoes echoes;
	struct piece *p;
	uint32_t n;
};

/* "char [16]" and "n" give "char n[16]"; "void (*)(int)" and "f" likewise. */
static const char *declare(const char *type, const char *name,
			   struct lac_arena *a)
{
	const char *at = strstr(type, "(*");
	const char *gap = " ";

	if (at) {
		while (!strncmp(at, "(*", 2) || *at == '*')
			at += *at == '(' ? 2 : 1;
		gap = "";
	} else {
		at = strchr(type, '[');
		at = at ? at : type + strlen(type);
		if (at > type && (at[-1] == ' ' || at[-1] == '*'))
			gap = "";
	}
	return lac_arena_printf(a, "%.*s%s%s%s", (int)(at - type), type, gap,
				name, at);
}

static void place_text(const struct lac_field *f, char *out, size_t size)
{
	char at[48], width[48];

	if (f->bit_offset == LAC_SIZE_UNKNOWN)
		snprintf(at, sizeof(at), "dynamic");
	else if (f->bit_offset % 8 || f->role == LAC_MEMBER_BITFIELD)
		snprintf(at, sizeof(at), "%" PRIu64 ":%" PRIu64,
			 f->bit_offset / 8, f->bit_offset % 8);
	else
		snprintf(at, sizeof(at), "%" PRIu64, f->bit_offset / 8);
	if (f->bit_size == LAC_SIZE_UNKNOWN)
		snprintf(width, sizeof(width), "?");
	else if (f->bit_size % 8 || f->role == LAC_MEMBER_BITFIELD)
		snprintf(width, sizeof(width), "0:%" PRIu64, f->bit_size);
	else
		snprintf(width, sizeof(width), "%" PRIu64, f->bit_size / 8);
	snprintf(out, size, "%5s %5s", at, width);
}

static void put(struct form *f, const char *code, const char *comment)
{
	lac_listing_line(f->doc, f->l, 0, code, comment);
}

/* What else C code calls it: a group's members have two names. */
static const char *also(const struct form *f, char sign,
			const struct lac_field *m)
{
	const struct lac_shape *s = sign == '-' ? f->r->old_shape
						: f->r->new_shape;
	const struct lac_echoes *e = sign == '-' ? &f->echoes.old_side
						 : &f->echoes.new_side;

	return e->also[m - s->fields];
}

static void put_field(struct form *f, char sign, const struct lac_field *m)
{
	const char *names = also(f, sign, m);
	struct lac_arena *a = f->doc->arena;
	const char *decl = m->unnamed ? m->path : declare(m->type, m->path, a);
	char width[32] = "", place[128], comment[512];
	const char *code;

	if (m->role == LAC_MEMBER_BITFIELD)
		snprintf(width, sizeof(width), ":%" PRIu64, m->bit_size);
	code = decl ? lac_arena_printf(a, "%c   %s%s;", sign, decl, width)
		    : NULL;
	if (!code) {
		f->doc->broken = true;
		return;
	}
	place_text(m, place, sizeof(place));
	snprintf(comment, sizeof(comment), "%s%s%s", place,
		 names ? ", also " : "", names ? names : "");
	put(f, code, comment);
}

static int piece_order(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->gone < b->gone ? -1 : a->gone > b->gone;
}

static bool about_field(const struct lac_change *c)
{
	return c->class != LAC_CHANGE_PADDING && c->class != LAC_CHANGE_HOLES &&
	       c->class != LAC_CHANGE_LINE_CROSSING;
}

/*
 * An unnamed struct or union comes and goes, moves and grows with its members,
 * which are listed themselves.
 */
static bool said_by_members(const struct lac_change *c, const struct piece *p)
{
	const struct lac_field *f = p->is ? p->is : p->was;

	return f && f->unnamed && c->class != LAC_CHANGE_MEMBER_RETYPED &&
	       c->class != LAC_CHANGE_MEMBER_ALIGNED;
}

/* Which fields have a change to be shown, and whether it is only the place. */
static void mark(struct form *f, bool all, const uint32_t *of_new,
		 const uint32_t *of_old)
{
	for (uint32_t i = 0; i < f->r->nchanges; i++) {
		const struct lac_change *c = &f->r->changes[i];
		struct piece *p;

		if ((c->inherited && !all) || !about_field(c) ||
		    lac_change_is_echo(&f->echoes, c))
			continue;
		if (c->new_field != LAC_NONE)
			p = &f->p[of_new[c->new_field]];
		else if (c->old_field != LAC_NONE)
			p = &f->p[of_old[c->old_field]];
		else
			continue;
		if (said_by_members(c, p))
			continue;
		p->moved_only = c->class == LAC_CHANGE_MEMBER_MOVED &&
				(!p->shown || p->moved_only);
		p->shown = true;
		if (c->old_field != LAC_NONE)
			p->was = &f->r->old_shape->fields[c->old_field];
		/* its growth may be inherited, and has no change of its own */
		if (p->was && p->is && p->was->bit_size != p->is->bit_size)
			p->moved_only = false;
	}
}

/* What inherited changes did to members that are left out. */
static void left_out(struct form *f, const uint32_t *of_new)
{
	for (uint32_t i = 0; i < f->r->nchanges; i++) {
		const struct lac_change *c = &f->r->changes[i];
		struct piece *p;

		if (c->new_field == LAC_NONE || c->old_field == LAC_NONE)
			continue;
		p = &f->p[of_new[c->new_field]];
		if (p->shown || !about_field(c))
			continue;
		p->was = &f->r->old_shape->fields[c->old_field];
	}
}

/* What holds a member that is shown is no whole to be summed up. */
static void open_containers(struct form *f, const uint32_t *of_new)
{
	const struct lac_field *fields = f->r->new_shape->fields;

	for (uint32_t i = 0; i < f->r->new_shape->nfields; i++) {
		if (!f->p[of_new[i]].shown)
			continue;
		for (uint32_t up = fields[i].parent; up != LAC_NONE;
		     up = fields[up].parent)
			f->p[of_new[up]].open = true;
	}
	for (uint32_t i = 0; i < f->r->new_shape->nfields; i++) {
		struct piece *p = &f->p[of_new[i]];

		/* only the outermost of what is left out whole counts */
		p->counts = !p->open && !p->echo &&
			    (fields[i].parent == LAC_NONE ||
			     f->p[of_new[fields[i].parent]].open);
		p->in_union = lac_field_in_union(f->r->new_shape, &fields[i]);
	}
}

static bool is_echo(const struct lac_echoes *e, uint32_t field)
{
	return e->of[field] != LAC_NONE || e->arm[field];
}

static bool build(struct form *f, bool all)
{
	const struct lac_shape *a = f->r->old_shape, *b = f->r->new_shape;
	uint32_t *of_new = calloc(b->nfields + 1u, sizeof(*of_new));
	uint32_t *of_old = calloc(a->nfields + 1u, sizeof(*of_old));
	uint32_t *behind = calloc(a->nfields + 1u, sizeof(*behind));

	f->p = calloc((size_t)a->nfields + b->nfields + 1, sizeof(*f->p));
	if (!of_new || !of_old || !behind || !f->p ||
	    !lac_diff_order(f->r, behind)) {
		free(of_new);
		free(of_old);
		free(behind);
		return false;
	}
	for (uint32_t i = 0; i < b->nfields; i++) {
		of_new[i] = f->n;
		f->p[f->n] = (struct piece){.at = b->fields[i].bit_offset,
					    .order = i + 1,
					    .echo = is_echo(&f->echoes.new_side,
							    i),
					    .is = &b->fields[i]};
		f->n++;
	}
	for (uint32_t i = 0; i < f->r->nchanges; i++) {
		const struct lac_change *c = &f->r->changes[i];
		uint32_t to;

		if (c->class != LAC_CHANGE_MEMBER_REMOVED)
			continue;
		to = behind[c->old_field];
		of_old[c->old_field] = f->n;
		f->p[f->n] = (struct piece){
			.at = to == LAC_NONE ? 0 : b->fields[to].bit_offset,
			.order = to == LAC_NONE ? 0 : to + 1,
			.gone = a->fields[c->old_field].seq + 1,
			.echo = is_echo(&f->echoes.old_side, c->old_field),
			.was = &a->fields[c->old_field]};
		f->n++;
	}
	mark(f, all, of_new, of_old);
	open_containers(f, of_new);
	left_out(f, of_new);
	free(of_new);
	free(of_old);
	free(behind);
	return true;
}

static int64_t shift(const struct piece *p)
{
	return (int64_t)p->is->bit_offset - (int64_t)p->was->bit_offset;
}

static bool same_move(const struct piece *a, const struct piece *b)
{
	return b->shown && b->moved_only && a->was && b->was && a->is &&
	       b->is && shift(a) == shift(b);
}

/* One that is not shown, as its members are, by their first names. */
static bool is_container(const struct piece *p)
{
	const struct lac_field *f = p->is ? p->is : p->was;

	return !p->shown && (f->unnamed || p->echo);
}

/* Neighbours that moved together are one line from the third on. */
static uint32_t put_moved(struct form *f, uint32_t i)
{
	uint32_t n = 1, members = 1;
	char code[160], comment[96];
	int64_t by = shift(&f->p[i]);

	for (uint32_t k = i + 1; k < f->n; k++) {
		if (same_move(&f->p[i], &f->p[k])) {
			members++;
			n = k + 1 - i;
		} else if (!is_container(&f->p[k])) {
			break;
		}
	}
	if (members < 3) {
		put_field(f, '-', f->p[i].was);
		put_field(f, '+', f->p[i].is);
		return 1;
	}
	snprintf(code, sizeof(code), "    [... %u members moved]", members);
	if (by % 8)
		snprintf(comment, sizeof(comment), "by %+" PRId64 " bits", by);
	else
		snprintf(comment, sizeof(comment), "by %+" PRId64 " bytes",
			 by / 8);
	put(f, code, comment);
	return n;
}

/* Of a run of members that are left out: what happened to them. */
struct gap {
	uint32_t n, grown, shrunk, moved;
	int64_t bits; /* by which they grew, taken together */
	bool overlap; /* of a union: the sum is not what the record gains */
};

static void gap_add(struct gap *g, const struct piece *p)
{
	int64_t by;

	g->n += !is_container(p);
	if (!p->counts || !p->was || !p->is)
		return;
	if (p->was->bit_size == LAC_SIZE_UNKNOWN ||
	    p->is->bit_size == LAC_SIZE_UNKNOWN)
		return;
	by = (int64_t)(p->is->bit_size - p->was->bit_size);
	g->grown += by > 0;
	g->shrunk += by < 0;
	g->moved += !by && p->is->bit_offset != p->was->bit_offset;
	g->bits += by;
	g->overlap |= by && p->in_union;
}

/* "spinlock_t, rwlock_t": what the record changed because of, or "". */
static void cause_names(const struct form *f, char *out, size_t size)
{
	const struct lac_record_diff *r = f->r;

	*out = '\0';
	if (r->ncauses > 2 || r->more_causes)
		snprintf(out, size, " because of inner types");
	else if (r->ncauses && f->causes)
		snprintf(out, size, " because of %s%s%s",
			 f->causes[r->causes[0]].name,
			 r->ncauses > 1 ? ", " : "",
			 r->ncauses > 1 ? f->causes[r->causes[1]].name : "");
}

/* "[... 3 members grew because of spinlock_t]  by +84 bytes". */
static void put_gap(struct form *f, const struct gap *g)
{
	uint32_t n = g->grown + g->shrunk;
	const char *verb = !g->shrunk  ? "grew"
			   : !g->grown ? "shrank"
				       : "changed size";
	char code[320], comment[64] = "", causes[160];

	if (!n && !g->moved) {
		put(f, "    [...]", NULL);
		return;
	}
	cause_names(f, causes, sizeof(causes));
	if (!n) {
		snprintf(code, sizeof(code), "    [... %u member%s moved]",
			 g->moved, lac_s(g->moved));
		put(f, code, NULL);
		return;
	}
	snprintf(code, sizeof(code), "    [... %u member%s %s%s]", n,
		 lac_s(n), verb, causes);
	if (g->overlap)
		snprintf(comment, sizeof(comment), "in a union");
	else if (g->bits % 8)
		snprintf(comment, sizeof(comment), "by %+" PRId64 " bits",
			 g->bits);
	else
		snprintf(comment, sizeof(comment), "by %+" PRId64 " bytes",
			 g->bits / 8);
	put(f, code, comment);
}

static void put_members(struct form *f)
{
	struct gap gap = { 0 };

	for (uint32_t i = 0; i < f->n;) {
		struct piece *p = &f->p[i];

		if (!p->shown) {
			gap_add(&gap, p);
			i++;
			continue;
		}
		if (gap.n)
			put_gap(f, &gap);
		gap = (struct gap){ 0 };
		if (p->moved_only && p->was && p->is) {
			i += put_moved(f, i);
			continue;
		}
		if (p->was)
			put_field(f, '-', p->was);
		if (p->is)
			put_field(f, '+', p->is);
		i++;
	}
	if (gap.n)
		put_gap(f, &gap);
}

#define UNKNOWN LAC_SIZE_UNKNOWN /* of any figure */

static uint64_t align_of(const struct lac_shape *s)
{
	return s->align ? s->align : UNKNOWN;
}

static uint64_t lines_of(const struct lac_shape *s)
{
	return s->size == LAC_SIZE_UNKNOWN ? UNKNOWN : s->lines;
}

static void figure_text(char *out, size_t size, uint64_t v)
{
	if (v == UNKNOWN)
		snprintf(out, size, "unknown");
	else
		snprintf(out, size, "%" PRIu64, v);
}

/* "156b7": bytes, and the bits behind them, as in the tables. */
static void amount_text(char *out, size_t size, uint64_t bits)
{
	char rest[8] = "";

	if (bits % 8)
		snprintf(rest, sizeof(rest), "b%" PRIu64, bits % 8);
	snprintf(out, size, "%" PRIu64 "%s", bits / 8, rest);
}

static void figure(char *out, size_t size, const char *what, uint64_t was,
		   uint64_t is, void (*text)(char *, size_t, uint64_t))
{
	char old[24], new[24];
	size_t n = strlen(out);

	if (was == is)
		return;
	text(old, sizeof(old), was);
	text(new, sizeof(new), is);
	snprintf(out + n, size - n, "%s%s %s -> %s", n ? ", " : "", what, old,
		 new);
}

static void put_end(struct form *f)
{
	const struct lac_shape *a = f->r->old_shape, *b = f->r->new_shape;
	char text[400] = "";

	figure(text, sizeof(text), "size", a->size, b->size, figure_text);
	if (!a->is_enum) {
		figure(text, sizeof(text), "align", align_of(a), align_of(b),
		       figure_text);
		figure(text, sizeof(text), "lines", lines_of(a), lines_of(b),
		       figure_text);
		figure(text, sizeof(text), "holes", a->nholes, b->nholes,
		       figure_text);
		figure(text, sizeof(text), "in holes", a->hole_bits,
		       b->hole_bits, amount_text);
		figure(text, sizeof(text), "padding", a->padding_bits,
		       b->padding_bits, amount_text);
	}
	put(f, "};", *text ? text : NULL);
}

static bool any_shown(const struct form *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (f->p[i].shown)
			return true;
	return false;
}

void lac_diff_listing(struct lac_doc *doc, const struct lac_diff *d,
		      const struct lac_record_diff *r, bool all)
{
	struct form f = {.doc = doc, .r = r, .causes = d->causes};
	struct lac_err err;
	char head[300];

	if (!r->old_shape || !r->new_shape)
		return;
	if (!r->new_shape->is_enum &&
	    (lac_echoes_find(r, doc->arena, &f.echoes, &err) != LAC_OK ||
	     !build(&f, all))) {
		doc->broken = true;
		free(f.p);
		return;
	}
	/* with --only, the lines of members may not be asked for */
	if (!r->new_shape->is_enum && !any_shown(&f)) {
		free(f.p);
		return;
	}
	f.l = lac_doc_listing(doc, "c");
	snprintf(head, sizeof(head), "%s {", r->new_shape->label);
	put(&f, head, NULL);
	if (r->new_shape->is_enum) {
		lac_diff_values(doc, f.l, r);
	} else {
		if (f.n)
			qsort(f.p, f.n, sizeof(*f.p), piece_order);
		put_members(&f);
	}
	put_end(&f);
	free(f.p);
}
