/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.c - undo what happened to the characters on the way here.  Nothing of
 * this touches a file that came straight from perf.
 */
#include <stdint.h>
#include <string.h>

#include "perfstat/reader.h"

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int hex(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * Quoted-printable, if a line ends in '=': perf itself never prints that.
 * In place; the lines keep their number only roughly, which is all that a
 * message needs.
 */
static size_t decode_quoted_printable(char *s, size_t n)
{
	size_t to = 0;
	bool soft = false;

	for (size_t i = 0; i + 1 < n && !soft; i++)
		soft = s[i] == '=' &&
		       (s[i + 1] == '\n' ||
			(s[i + 1] == '\r' && i + 2 < n && s[i + 2] == '\n'));
	if (!soft)
		return n;
	for (size_t i = 0; i < n; i++) {
		if (s[i] != '=') {
			s[to++] = s[i];
		} else if (i + 1 < n && s[i + 1] == '\n') {
			i += 1;
		} else if (i + 2 < n && s[i + 1] == '\r' && s[i + 2] == '\n') {
			i += 2;
		} else if (i + 2 < n && hex(s[i + 1]) >= 0 &&
			   hex(s[i + 2]) >= 0) {
			s[to++] = (char)(hex(s[i + 1]) * 16 + hex(s[i + 2]));
			i += 2;
		} else {
			s[to++] = s[i];
		}
	}
	return to;
}

/* What an odd spelling stands for; between digits it may be a grouping. */
static const struct spelling {
	const char *from;
	const char *to, *between_digits;
} spellings[] = {
	{ "\xe2\x80\xaf", " ", "'" }, /* narrow no-break space */
	{ "\xe2\x80\x87", " ", "'" }, /* figure space */
	{ "\xe2\x80\x89", " ", "'" }, /* thin space */
	{ "\xc2\xa0", " ", "'" },     /* no-break space */
	{ "\xe2\x80\x98", "'", "'" }, /* typographic quotes */
	{ "\xe2\x80\x99", "'", "'" },
	{ "\xe2\x80\x9c", "\"", "\"" },
	{ "\xe2\x80\x9d", "\"", "\"" },
	{ "\xe2\x88\x92", "-", "-" }, /* minus */
	{ "\xc2\xb1", "+-", "+-" },   /* plus-minus */
	{ "\xef\xbf\xbd", " ", "'" }, /* replacement: something was lost */
	{ "\xc3\xa2\xe2\x82\xac\xc2\xaf", " ", "'" }, /* UTF-8 taken for 1252 */
	{ "???", "???", "'" },			      /* UTF-8 made ASCII */
	{ "?", "?", "'" },
	{ "\xa0", " ", "'" }, /* Latin-1 */
	{ "\xef\xbb\xbf", "", "" }, /* byte order mark */
	{ "&nbsp;", " ", "'" },
	{ "&#160;", " ", "'" },
	{ "&#8239;", " ", "'" },
	{ "&#8217;", "'", "'" },
	{ "&lt;", "<", "<" },
	{ "&gt;", ">", ">" },
	{ "&amp;", "&", "&" },
	{ "&quot;", "\"", "\"" },
	{ "&#34;", "\"", "\"" },
	{ "&#39;", "'", "'" },
	{ "&#039;", "'", "'" },
	{ "&apos;", "'", "'" },
};

static const struct spelling *find_spelling(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++) {
		size_t len = strlen(spellings[i].from);

		if (len <= n && !memcmp(s, spellings[i].from, len))
			return &spellings[i];
	}
	return NULL;
}

/* ESC [ ... letter: colours.  The length, or 0. */
static size_t escape_length(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 3 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (i < n && (is_digit(s[i]) || s[i] == ';'))
		i++;
	return i < n ? i + 1 : 0;
}

/* In place; no replacement is longer than what it replaces. */
static size_t plain_characters(char *s, size_t n)
{
	size_t to = 0, skip;

	for (size_t i = 0; i < n; i += skip) {
		unsigned char c = (unsigned char)s[i];
		const struct spelling *sp = NULL;

		skip = 1;
		if (c >= 0x80 || c == '&' || c == '?')
			sp = find_spelling(s + i, n - i);
		if (sp) {
			const char *by = sp->to;

			skip = strlen(sp->from);
			if (to && is_digit(s[to - 1]) && i + skip < n &&
			    is_digit(s[i + skip]))
				by = sp->between_digits;
			memcpy(s + to, by, strlen(by));
			to += strlen(by);
		} else if (c == '\r') {
			/* the end of a line either way; CR LF is one */
			s[to++] = i + 1 < n && s[i + 1] == '\n' ? ' ' : '\n';
		} else if (c == '\033' && escape_length(s + i, n - i)) {
			skip = escape_length(s + i, n - i);
		} else {
			s[to++] = c < ' ' && c != '\n' && c != '\t' ? ' '
								    : s[i];
		}
	}
	return to;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t';
}

/* After "> ", "| ", ">> ", "AB> " and any nesting of them. */
static const char *after_quoting(const char *s)
{
	for (;;) {
		const char *p = s;
		size_t letters = 0;

		while (is_blank(*p))
			p++;
		while (letters < 4 && ((p[letters] >= 'A' && p[letters] <= 'Z') ||
				       (p[letters] >= 'a' && p[letters] <= 'z')))
			letters++;
		if (p[letters] == '>')
			p += letters;
		if (*p != '>' && *p != '|')
			return s;
		s = p + 1;
	}
}

/* One or more marks of quoting between blanks; their number, or 0. */
static size_t lone_marks(const char *start, const char *s)
{
	size_t n = strspn(s, ">|");

	if (!n || (s > start && !is_blank(s[-1])) || (s[n] && !is_blank(s[n])))
		return 0;
	return n;
}

/*
 * Quoted text that was filled again has the marks of its old lines inside.  A
 * header is left alone: its command may have them.  In place, as blanks, unless
 * nothing is there.
 */
static bool has_inner_marks(const char *s)
{
	if (strstr(s, "stats for"))
		return false;
	for (const char *p = s; *p; p++)
		if (lone_marks(s, p))
			return true;
	return false;
}

static void blank_inner_marks(char *s)
{
	for (char *p = s; *p; p++) {
		size_t n = lone_marks(s, p);

		if (n)
			memset(p, ' ', n);
	}
}

static enum lac_status add_line(struct lac_perfstat_lines *l,
				struct lac_arena *arena, char *s, size_t n,
				unsigned number, struct lac_err *err)
{
	const char *text;
	void *grown;

	while (n && is_blank(s[n - 1]))
		n--;
	s[n] = '\0';
	text = after_quoting(s);
	if (has_inner_marks(text)) {
		/* raw keeps them: they may be the separator of CSV */
		char *copy = lac_arena_strdup(arena, text);

		if (!copy)
			return lac_fail_memory(err);
		blank_inner_marks(copy);
		text = copy;
	}
	if (!text[strspn(text, " \t")])
		return LAC_OK;
	grown = lac_perfstat_grow(arena, l->at, l->n, &l->cap, sizeof(*l->at));
	if (!grown)
		return lac_fail_memory(err);
	l->at = grown;
	l->at[l->n++] = (struct lac_perfstat_line){
		.number = number, .raw = s, .text = text
	};
	return LAC_OK;
}

static enum lac_status check_bytes(const char *name, const char *s, size_t n,
				   struct lac_err *err)
{
	if (n > LAC_PERFSTAT_MAX_BYTES)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: larger than %zu MiB: pass only the part "
				"that perf stat printed",
				name, LAC_PERFSTAT_MAX_BYTES >> 20);
	if (n >= 2 && (!memcmp(s, "\xff\xfe", 2) || !memcmp(s, "\xfe\xff", 2)))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: UTF-16: convert it first, for example "
				"with iconv -f UTF-16 -t UTF-8",
				name);
	if (n && memchr(s, '\0', n))
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: not text; pass what perf stat printed, "
				"not a perf.data file",
				name);
	return LAC_OK;
}

enum lac_status lac_perfstat_split(const char *name, const void *bytes,
				   size_t size, struct lac_arena *arena,
				   struct lac_perfstat_lines *ret,
				   struct lac_err *err)
{
	struct lac_perfstat_lines lines = { 0 };
	unsigned number = 1;
	char *s;
	size_t n;

	LAC_TRY(check_bytes(name, bytes, size, err));
	s = size ? lac_arena_strndup(arena, bytes, size)
		 : lac_arena_strdup(arena, "");
	if (!s)
		return lac_fail_memory(err);
	n = plain_characters(s, decode_quoted_printable(s, size));
	for (size_t i = 0, end; i < n; i = end + 1) {
		const char *nl = memchr(s + i, '\n', n - i);

		end = nl ? (size_t)(nl - s) : n;
		LAC_TRY(add_line(&lines, arena, s + i, end - i, number, err));
		number++;
	}
	*ret = lines;
	return LAC_OK;
}
