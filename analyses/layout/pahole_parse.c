/* SPDX-License-Identifier: BSD-2-Clause */
/* pahole_parse.c - the text that pahole prints, line by line. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "layout/pahole_private.h"

struct parser {
	struct lac_arena *arena;
	struct lac_pahole_record *records;
	uint32_t nrecords, cap;
	struct lac_pahole_members m;
	struct lac_pahole_record r;	   /* the one being read */
	unsigned depth;			   /* of braces; 0 between records */
	uint32_t opened[LAC_PAHOLE_DEPTH]; /* members when each brace was opened
					    */
	bool in_enum;			   /* in the innermost brace */
};

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

/* A number and the blanks before it; *s goes behind it. */
static bool column(const char **s, uint64_t *ret)
{
	return lac_digits_scan(*s + strspn(*s, " "), 10, UINT64_MAX / 16, ret,
			       s);
}

/* "  24     8 " or "  28: 3  4 " */
static bool read_place(const char *s, struct lac_pahole_member *m)
{
	uint64_t byte, bit = 0, size;

	if (!column(&s, &byte) || (*s == ':' && (s++, !column(&s, &bit))) ||
	    !column(&s, &size))
		return false;
	m->bit_offset = byte * 8 + bit;
	m->bit_size = size * 8;
	return !strncmp(s + strspn(s, " "), "*/", 2);
}

/* "name:3": cut it off, and say how wide it is. */
static bool take_width(const char *s, size_t *n, uint64_t *width)
{
	size_t at = *n;
	const char *end;

	while (at && isdigit((unsigned char)s[at - 1]))
		at--;
	if (at == *n || !at || s[at - 1] != ':' || (at > 1 && s[at - 2] == ':'))
		return false;
	if (!lac_digits_scan(s + at, 10, UINT64_MAX / 16, width, &end))
		return false;
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
	m.typeless = *m.name && strlen(m.name) == code;
	return lac_pahole_add(&p->m, m, err);
}

/*
 * The number behind a word, 0 if the word is not there.  Sizes from 2 GiB on
 * are printed as negative numbers: what they are modulo 2^64.
 */
static uint64_t number_after(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	bool negative;
	uint64_t n;

	if (!at)
		return 0;
	at += strlen(word);
	negative = *at == '-';
	at += negative;
	if (!column(&at, &n))
		return 0;
	return negative ? -n : n;
}

/* "XXX 3 bytes hole, try to pack", of the record itself. */
static void hole_line(struct parser *p, const char *line)
{
	const char *at = strstr(line, "/* XXX ");

	if (!at)
		return;
	if (strstr(at, " bytes hole,") || strstr(at, " byte hole,"))
		p->r.shown_hole_bits += 8 * number_after(at, "/* XXX ");
	else if (strstr(at, " bits hole,") || strstr(at, " bit hole,"))
		p->r.shown_hole_bits += number_after(at, "/* XXX ");
}

static void summary_line(struct parser *p, const char *line)
{
	hole_line(p, line);
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
	LAC_TRY(lac_pahole_keep(&p->m, p->arena, &p->r, err));
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
			return lac_pahole_add(&p->m, m, err);
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
		if (p->depth > LAC_PAHOLE_DEPTH)
			return lac_fail(err, LAC_BAD_INPUT,
					"pahole nests deeper than %u",
					LAC_PAHOLE_DEPTH);
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
