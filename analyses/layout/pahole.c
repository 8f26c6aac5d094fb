/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/pahole.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64u

struct members {
	struct lac_pahole_member *list;
	uint32_t n, cap;
};

struct parser {
	struct lac_arena *arena;
	struct lac_pahole_record *records;
	uint32_t nrecords, cap;
	struct members m;
	struct lac_pahole_record r; /* the one being read */
	unsigned depth;		    /* of braces; 0 between records */
	uint32_t opened[DEPTH_MAX]; /* members when each brace was opened */
	bool in_enum;		    /* in the innermost brace */
};

static enum lac_status add_member(struct members *m,
				  struct lac_pahole_member member,
				  struct lac_err *err)
{
	if (m->n == m->cap) {
		uint32_t cap = m->cap ? m->cap * 2 : 64;
		void *list = realloc(m->list, cap * sizeof(*m->list));

		if (!list)
			return lac_fail_memory(err);
		m->list = list;
		m->cap = cap;
	}
	m->list[m->n++] = member;
	return LAC_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct lac_pahole_member *x = a, *y = b;

	if (x->bit_offset != y->bit_offset)
		return x->bit_offset < y->bit_offset ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return (x->bit_size > y->bit_size) - (x->bit_size < y->bit_size);
}

/* Move the collected members into the arena, in order. */
static enum lac_status keep_members(struct members *m, struct lac_arena *arena,
				    struct lac_pahole_record *r,
				    struct lac_err *err)
{
	r->nmembers = m->n;
	r->members = lac_arena_zalloc(arena, m->n, sizeof(*r->members));
	if (!r->members)
		return lac_fail_memory(err);
	if (m->n) {
		memcpy(r->members, m->list, m->n * sizeof(*r->members));
		qsort(r->members, m->n, sizeof(*r->members), by_place);
	}
	m->n = 0;
	return LAC_OK;
}

/* Cut every `__attribute__((...))` out of the line. */
static void drop_attributes(char *s)
{
	char *at, *end;

	while ((at = strstr(s, "__attribute__"))) {
		int depth = 0;

		end = at + strcspn(at, "(");
		do {
			depth += (*end == '(') - (*end == ')');
			end += *end != '\0';
		} while (depth > 0 && *end);
		at -= at > s && at[-1] == ' ';
		memmove(at, end, strlen(end) + 1);
		s = at;
	}
}

/* Without the semicolon and the blanks at the end. */
static size_t declarator_length(const char *s, size_t n)
{
	while (n && (s[n - 1] == ';' || isspace((unsigned char)s[n - 1])))
		n--;
	return n;
}

/*
 * The name in a declarator: behind "(*" for pointers to functions and arrays,
 * else the last word, without array bounds and stars.
 */
static char *declared_name(struct lac_arena *arena, const char *s, size_t n)
{
	const char *inner = memmem(s, n, "(*", 2);
	size_t from, to;

	if (inner) {
		from = (size_t)(inner - s);
		while (from < n && strchr("(* ", s[from]))
			from++;
		to = from;
		while (to < n && !strchr(")([ ", s[to]))
			to++;
		return lac_arena_strndup(arena, s + from, to - from);
	}
	while (n && s[n - 1] == ']')
		while (n && s[--n] != '[')
			;
	while (n && s[n - 1] == ' ')
		n--;
	to = n;
	while (n && !strchr(" *&", s[n - 1]))
		n--;
	return lac_arena_strndup(arena, s + n, to - n);
}

/* "  24     8 " or "  28: 3  4 " */
static bool read_place(const char *s, struct lac_pahole_member *m)
{
	char *end;
	uint64_t byte = strtoull(s, &end, 10), bit = 0;

	if (end == s)
		return false;
	s = end;
	if (*s == ':') {
		bit = strtoull(++s, &end, 10);
		if (end == s)
			return false;
		s = end;
	}
	m->bit_offset = byte * 8 + bit;
	m->bit_size = strtoull(s, &end, 10) * 8;
	return end != s && !strncmp(end + strspn(end, " "), "*/", 2);
}

/* "name:3": cut it off, and say how wide it is. */
static bool take_width(const char *s, size_t *n, uint64_t *width)
{
	size_t at = *n;

	while (at && isdigit((unsigned char)s[at - 1]))
		at--;
	if (at == *n || !at || s[at - 1] != ':' || (at > 1 && s[at - 2] == ':'))
		return false;
	*width = strtoull(s + at, NULL, 10);
	*n = at - 1;
	return true;
}

static enum lac_status member_line(struct parser *p, const char *s, size_t n,
				   const char *line, struct lac_err *err)
{
	const char *comment = memmem(s, n, "/*", 2);
	struct lac_pahole_member m = { 0 };
	size_t code = comment ? (size_t)(comment - s) : n;
	uint64_t width = 0;
	bool unnamed;

	code = declarator_length(s, code);
	m.bitfield = take_width(s, &code, &width);
	unnamed = code < n && s[code] == ' ';
	if (!strncmp(s, "static ", 7))
		return LAC_OK;
	if (!comment) { /* ":0" and functions have no place */
		if (!m.bitfield && !(code && s[code - 1] == ')'))
			p->r.unread = p->r.unread ? p->r.unread : line;
		return LAC_OK;
	}
	if (!read_place(comment + 2, &m)) {
		p->r.unread = p->r.unread ? p->r.unread : line;
		return LAC_OK;
	}
	if (m.bitfield)
		m.bit_size = width;
	if (memmem(s, code, "<ancestor>", 10) || unnamed)
		m.name = "";
	else
		m.name = declared_name(p->arena, s, code);
	if (!m.name)
		return lac_fail_memory(err);
	return add_member(&p->m, m, err);
}

/* The number behind a word, 0 if the word is not there. */
static uint64_t number_after(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static void summary_line(struct parser *p, const char *line)
{
	if (strstr(line, "/* size: ")) {
		p->r.has_size = true;
		p->r.size = number_after(line, "/* size: ");
	}
	if (strstr(line, "forced holes:"))
		return;
	p->r.hole_bits += 8 * number_after(line, ", sum holes: ") +
			  number_after(line, "sum bit holes: ");
	p->r.padding_bits += 8 * number_after(line, "/* padding: ") +
			     number_after(line, "/* bit_padding: ");
}

static enum lac_status finish_record(struct parser *p, struct lac_err *err)
{
	LAC_TRY(keep_members(&p->m, p->arena, &p->r, err));
	if (p->nrecords == p->cap) {
		uint32_t cap = p->cap ? p->cap * 2 : 1024;
		void *list = realloc(p->records, cap * sizeof(*p->records));

		if (!list)
			return lac_fail_memory(err);
		p->records = list;
		p->cap = cap;
	}
	p->records[p->nrecords++] = p->r;
	return LAC_OK;
}

static enum lac_status close_brace(struct parser *p, const char *s, size_t n,
				   const char *line, struct lac_err *err)
{
	bool pointer;

	s++;
	n--;
	s += strspn(s, " ");
	p->depth--;
	p->in_enum = false;
	if (!p->depth) {
		if (!*p->r.name) {
			size_t len = declarator_length(s, strcspn(s, "\n"));

			p->r.name = lac_arena_strndup(p->arena, s, len);
			if (!p->r.name)
				return lac_fail_memory(err);
		}
		return finish_record(p, err);
	}
	/* what a pointer points to is no part of the record */
	pointer = s[0] == '*';
	if (pointer)
		p->m.n = p->opened[p->depth];
	if (s[0] == ';') { /* unnamed */
		struct lac_pahole_member m = { .name = "" };
		const char *comment = strstr(s, "/*");

		if (comment && read_place(comment + 2, &m))
			return add_member(&p->m, m, err);
		p->r.unread = p->r.unread ? p->r.unread : line;
		return LAC_OK;
	}
	return member_line(p, s, strlen(s), line, err);
}

static enum lac_status open_brace(struct parser *p, const char *s, size_t n,
				  struct lac_err *err)
{
	bool is_typedef = !strncmp(s, "typedef ", 8);
	const char *bases;
	size_t kind;

	if (p->depth++) {
		if (p->depth > DEPTH_MAX)
			return lac_fail(err, LAC_BAD_INPUT,
					"pahole nests deeper than %u",
					DEPTH_MAX);
		p->opened[p->depth - 1] = p->m.n;
		p->in_enum = !strncmp(s, "enum ", 5);
		return LAC_OK;
	}
	if (is_typedef) {
		s += 8;
		n -= 8;
	}
	kind = strcspn(s, " {");
	bases = memmem(s, n, " : ", 3);
	if (bases)
		n = (size_t)(bases - s) + 1;
	n -= 1; /* the brace, or the colon */
	while (n > kind && s[n - 1] == ' ')
		n--;
	p->r = (struct lac_pahole_record){
		.kind = lac_arena_strndup(p->arena, s, kind),
		.name = n > kind ? lac_arena_strndup(p->arena, s + kind + 1,
						     n - kind - 1)
				 : "",
	};
	p->m.n = 0;
	return p->r.kind && p->r.name ? LAC_OK : lac_fail_memory(err);
}

static enum lac_status parse_line(struct parser *p, char *line,
				  struct lac_err *err)
{
	char *s = line + strspn(line, " \t");
	size_t n;

	drop_attributes(s);
	n = strlen(s);
	if (!n)
		return LAC_OK;
	if (n > 1 && s[n - 1] == '{' && (s[n - 2] == ' ' || !p->depth))
		return open_brace(p, s, n, err);
	if (!p->depth)
		return LAC_OK; /* between records: nothing of ours */
	if (*s == '}')
		return close_brace(p, s, n, line, err);
	if (p->in_enum)
		return LAC_OK;
	/* a base is a comment, and its place is another */
	if (!strncmp(s, "/* ", 3) && strstr(s, "<ancestor>") && strstr(s, "*/"))
		return member_line(p, s + 3, n - 3, line, err);
	if (!strncmp(s, "/*", 2)) {
		if (p->depth == 1)
			summary_line(p, s);
		return LAC_OK;
	}
	/* "public:" and the like */
	if (s[n - 1] == ':')
		return LAC_OK;
	return member_line(p, s, n, line, err);
}

enum lac_status lac_pahole_parse(const char *text, struct lac_arena *arena,
				 struct lac_pahole_text *ret,
				 struct lac_err *err)
{
	struct parser p = { .arena = arena };
	enum lac_status st = LAC_OK;

	while (st == LAC_OK && *text) {
		size_t n = strcspn(text, "\n");
		char *line = lac_arena_strndup(arena, text, n);

		st = line ? parse_line(&p, line, err) : lac_fail_memory(err);
		text += n + (text[n] == '\n');
	}
	if (st == LAC_OK) {
		ret->nrecords = p.nrecords;
		ret->records = lac_arena_zalloc(arena, p.nrecords,
						sizeof(*ret->records));
		if (!ret->records)
			st = lac_fail_memory(err);
		else if (p.nrecords)
			memcpy(ret->records, p.records,
			       p.nrecords * sizeof(*ret->records));
	}
	free(p.records);
	free(p.m.list);
	return st;
}

/* pahole does not open a nameless record that is volatile. */
static bool is_volatile(const struct lac_graph *g, lac_type_id id)
{
	for (;; id = g->types[id].target)
		switch (g->types[id].kind) {
		case LAC_TYPE_VOLATILE:
			return true;
		case LAC_TYPE_CONST:
		case LAC_TYPE_RESTRICT:
		case LAC_TYPE_ARRAY:
			break;
		default:
			return false;
		}
}

/* Our own record as such a list: anonymous members opened, as pahole does. */
static enum lac_status flatten(const struct lac_graph *g, lac_record_id id,
			       uint64_t base, unsigned depth, struct members *m,
			       struct lac_err *err)
{
	const struct lac_record *r = &g->records[id];

	if (depth > DEPTH_MAX)
		return lac_fail(err, LAC_BAD_INPUT,
				"records nested deeper than %u", DEPTH_MAX);
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *mm = &r->members[i];
		struct lac_pahole_member flat = {
			.name = mm->name ? mm->name : "",
			.bit_offset = base + mm->bit_offset,
			.bit_size = mm->bit_size,
			.bitfield = mm->role == LAC_MEMBER_BITFIELD,
		};
		uint64_t count;
		lac_record_id inner = lac_type_record(g, mm->type, &count);

		if (mm->certainty == LAC_DYNAMIC)
			continue;
		if (mm->bit_size == LAC_SIZE_UNKNOWN) {
			flat.unsized = true;
			flat.bit_size = 0;
		}
		if (inner != LAC_NONE && !g->records[inner].name &&
		    !g->records[inner].typedef_name &&
		    !is_volatile(g, mm->type))
			LAC_TRY(flatten(g, inner, flat.bit_offset, depth + 1, m,
					err));
		LAC_TRY(add_member(m, flat, err));
	}
	return LAC_OK;
}

enum lac_status lac_pahole_flatten(const struct lac_layout *l,
				   struct lac_arena *arena,
				   struct lac_pahole_record *ret,
				   struct lac_err *err)
{
	const struct lac_record *r = &l->graph->records[l->record];
	struct lac_pahole_record out = {
		.kind = lac_record_kind_name(r->kind),
		.name = r->name ? r->name : r->typedef_name,
		.has_size = r->size != LAC_SIZE_UNKNOWN,
		.size = r->size,
		.hole_bits = l->hole_bits,
		.padding_bits = l->padding_bits,
		.unknown_bits = l->unknown_bits,
	};
	struct members m = { 0 };
	enum lac_status st = flatten(l->graph, l->record, 0, 0, &m, err);

	if (st == LAC_OK)
		st = keep_members(&m, arena, &out, err);
	free(m.list);
	if (st == LAC_OK)
		*ret = out;
	return st;
}

struct differences {
	struct lac_arena *arena;
	struct lac_pahole_difference *list;
	uint32_t n, cap;
};

static enum lac_status differ(struct differences *d, const char *what,
			      const char *member, const char *ours,
			      const char *theirs, struct lac_err *err)
{
	if (!ours || !theirs)
		return lac_fail_memory(err);
	if (d->n == d->cap) {
		uint32_t cap = d->cap ? d->cap * 2 : 8;
		struct lac_pahole_difference *list =
			lac_arena_zalloc(d->arena, cap, sizeof(*list));

		if (!list)
			return lac_fail_memory(err);
		if (d->n)
			memcpy(list, d->list, d->n * sizeof(*list));
		d->list = list;
		d->cap = cap;
	}
	d->list[d->n++] = (struct lac_pahole_difference){
		.what = what,
		.member = member,
		.ours = ours,
		.theirs = theirs,
	};
	return LAC_OK;
}

static const char *number(struct lac_arena *arena, uint64_t v)
{
	return lac_arena_printf(arena, "%" PRIu64, v);
}

static const char *place(struct lac_arena *arena,
			 const struct lac_pahole_member *m)
{
	return lac_arena_printf(arena, "bit %" PRIu64 ", %" PRIu64 " bits",
				m->bit_offset, m->bit_size);
}

static bool same_member(const struct lac_pahole_member *a,
			const struct lac_pahole_member *b)
{
	return a->bit_offset == b->bit_offset && !strcmp(a->name, b->name) &&
	       (a->unsized || b->unsized || a->bit_size == b->bit_size) &&
	       a->bitfield == b->bitfield;
}

/* A member that only one of the two has. */
static enum lac_status one_sided(struct differences *d,
				 const struct lac_pahole_member *m, bool ours,
				 struct lac_err *err)
{
	const char *at = place(d->arena, m);

	LAC_TRY(differ(d, "member", m->name, ours ? at : "", ours ? "" : at,
		       err));
	d->list[d->n - 1].bit_offset = m->bit_offset;
	d->list[d->n - 1].bit_size = m->bit_size;
	return LAC_OK;
}

static int same_place(const struct lac_pahole_member *a,
		      const struct lac_pahole_member *b)
{
	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Both lists are sorted by place and name: walk them side by side. */
static enum lac_status compare_members(struct differences *d,
				       const struct lac_pahole_record *ours,
				       const struct lac_pahole_record *theirs,
				       struct lac_err *err)
{
	uint32_t i = 0, k = 0;

	while (i < ours->nmembers || k < theirs->nmembers) {
		const struct lac_pahole_member *a = &ours->members[i];
		const struct lac_pahole_member *b = &theirs->members[k];
		int c;

		if (i == ours->nmembers || k == theirs->nmembers)
			c = i == ours->nmembers ? 1 : -1;
		else
			c = same_place(a, b);
		if (c == 0 && !same_member(a, b))
			LAC_TRY(differ(d, "member", a->name, place(d->arena, a),
				       place(d->arena, b), err));
		else if (c < 0)
			LAC_TRY(one_sided(d, a, true, err));
		else if (c > 0)
			LAC_TRY(one_sided(d, b, false, err));
		i += c <= 0;
		k += c >= 0;
	}
	return LAC_OK;
}

enum lac_status lac_pahole_compare(const struct lac_pahole_record *ours,
				   const struct lac_pahole_record *theirs,
				   struct lac_arena *arena,
				   struct lac_pahole_difference **ret,
				   uint32_t *n, struct lac_err *err)
{
	struct differences d = { .arena = arena };

	if (theirs->unread)
		LAC_TRY(differ(&d, "unread", NULL, "", theirs->unread, err));
	if (theirs->has_size && ours->size != theirs->size)
		LAC_TRY(differ(&d, "size", NULL, number(arena, ours->size),
			       number(arena, theirs->size), err));
	LAC_TRY(compare_members(&d, ours, theirs, err));
	if (theirs->has_size && ours->hole_bits != theirs->hole_bits)
		LAC_TRY(differ(&d, "holes", NULL,
			       number(arena, ours->hole_bits),
			       number(arena, theirs->hole_bits), err));
	if (theirs->has_size && ours->padding_bits != theirs->padding_bits)
		LAC_TRY(differ(&d, "padding", NULL,
			       number(arena, ours->padding_bits),
			       number(arena, theirs->padding_bits), err));
	*ret = d.list;
	*n = d.n;
	return LAC_OK;
}

/* Members of that place and size, with a name or without. */
static uint32_t count_at(const struct lac_pahole_record *r,
			 const struct lac_pahole_difference *d, bool named)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nmembers; i++)
		n += r->members[i].bit_offset == d->bit_offset &&
		     r->members[i].bit_size == d->bit_size &&
		     (*r->members[i].name != '\0') == named;
	return n;
}

/*
 * "const struct { ... } name" loses its name: as many members lie there, and
 * one more of them has no name.
 */
static bool lost_name(const struct lac_pahole_record *ours,
		      const struct lac_pahole_record *theirs,
		      const struct lac_pahole_difference *d)
{
	return !strcmp(d->what, "member") && (!*d->ours || !*d->theirs) &&
	       count_at(theirs, d, false) == count_at(ours, d, false) + 1 &&
	       count_at(theirs, d, true) + 1 == count_at(ours, d, true);
}

/* Bits of members that have none by pahole, at the same place. */
static uint64_t lost_bits(const struct lac_pahole_record *ours,
			  const struct lac_pahole_record *theirs)
{
	uint64_t sum = 0;
	uint32_t k = 0;

	for (uint32_t i = 0; i < ours->nmembers; i++) {
		const struct lac_pahole_member *a = &ours->members[i];

		while (k < theirs->nmembers &&
		       same_place(&theirs->members[k], a) < 0)
			k++;
		if (k < theirs->nmembers &&
		    !same_place(&theirs->members[k], a) &&
		    !theirs->members[k].bit_size && !a->unsized)
			sum += a->bit_size;
	}
	return sum;
}

/* An _Atomic member has no bytes, and they turn up as free ones. */
static bool lost_atomic(const struct lac_pahole_record *ours,
			const struct lac_pahole_record *theirs,
			const struct lac_pahole_difference *d)
{
	uint64_t lost = lost_bits(ours, theirs);
	const char *zero = strstr(d->theirs, ", 0 bits");

	if (!lost || theirs->hole_bits + theirs->padding_bits !=
			     ours->hole_bits + ours->padding_bits + lost)
		return false;
	return strcmp(d->what, "member") != 0 || (*d->ours && zero);
}

const char *lac_pahole_defect(const struct lac_pahole_record *ours,
			      const struct lac_pahole_record *theirs,
			      const struct lac_pahole_difference *d)
{
	if (theirs->unread && strstr(theirs->unread, "<ERROR("))
		return "pahole prints an error of its own inside this record";
	if (lost_name(ours, theirs, d))
		return "pahole leaves out the name of a qualified nameless "
		       "struct: the same bytes, no name";
	if (lost_atomic(ours, theirs, d))
		return "pahole gives a member no bytes (it does not know "
		       "_Atomic) and calls them free";
	if (theirs->has_size && ours->size > INT32_MAX &&
	    (uint32_t)theirs->size == (uint32_t)ours->size)
		return "pahole keeps sizes in 32 bits, and this record is "
		       "larger: its size is ours, cut off";
	if (!strcmp(d->what, "holes") && ours->hole_bits > theirs->hole_bits &&
	    (ours->hole_bits - theirs->hole_bits) % (65536 * 8) == 0)
		return "pahole keeps the size of a hole in 16 bits: its sum is "
		       "a multiple of 65536 bytes less than ours";
	if (!strcmp(d->what, "padding") &&
	    ours->padding_bits > theirs->padding_bits &&
	    (ours->padding_bits - theirs->padding_bits) % (65536 * 8) == 0)
		return "pahole keeps the padding in 16 bits: it is a multiple "
		       "of 65536 bytes less than ours";
	if (ours->unknown_bits &&
	    theirs->hole_bits + theirs->padding_bits ==
		    ours->hole_bits + ours->padding_bits + ours->unknown_bits)
		return "pahole calls free what a virtual base or a member of "
		       "unknown size may use";
	if (theirs->has_size && theirs->size == ours->size &&
	    theirs->hole_bits + theirs->padding_bits > theirs->size * 8)
		return "pahole's holes and padding are more than the record";
	return NULL;
}
