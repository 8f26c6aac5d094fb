/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lac_scan_rewind(struct lac_scan *s)
{
	s->at = s->line_from = 0;
	s->line = 1;
	s->in_line = false;
}

enum lac_status lac_scan_start(struct lac_scan *s, const char *path,
			       const char *text, size_t size,
			       enum lac_status fault, struct lac_err *err)
{
	const char *nul = size ? memchr(text, '\0', size) : NULL;

	*s = (struct lac_scan){
		.path = path, .text = text, .size = size, .fault = fault};
	lac_scan_rewind(s);
	if (!nul)
		return LAC_OK;
	for (const char *p = text;
	     (p = memchr(p, '\n', (size_t)(nul - p))) != NULL; p++) {
		s->line++;
		s->line_from = (size_t)(p - text) + 1;
	}
	s->at = (size_t)(nul - text);
	return lac_scan_fail(s, err, "a zero byte: this is no text, or it was "
			     "damaged");
}

static char now(const struct lac_scan *s)
{
	return s->at == s->size || s->text[s->at] == '\n' ? '\0'
							  : s->text[s->at];
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

char lac_scan_peek(struct lac_scan *s)
{
	while (blank(now(s)))
		s->at++;
	return now(s);
}

bool lac_scan_line_done(struct lac_scan *s)
{
	char c = lac_scan_peek(s);

	return !c || c == '#';
}

bool lac_scan_line(struct lac_scan *s)
{
	bool read = s->in_line;

	for (;; read = true) {
		if (read) {
			while (now(s))
				s->at++;
			if (s->at == s->size)
				return false;
			s->at++;
			s->line++;
			s->line_from = s->at;
		}
		s->in_line = true;
		if (!lac_scan_line_done(s))
			return true;
	}
}

bool lac_scan_take(struct lac_scan *s, char c)
{
	if (lac_scan_peek(s) != c)
		return false;
	s->at++;
	return true;
}

unsigned lac_scan_column(const struct lac_scan *s)
{
	return (unsigned)(s->at - s->line_from) + 1;
}

const char *lac_scan_word(struct lac_scan *s, const char *stops,
			  struct lac_arena *arena)
{
	size_t from;
	const char *word;

	if (lac_scan_take(s, '"')) {
		from = s->at;
		while (now(s) && now(s) != '"')
			s->at++;
		word = lac_arena_strndup(arena, s->text + from, s->at - from);
		if (now(s))
			s->at++;
		return word;
	}
	from = s->at;
	while (now(s) && !blank(now(s)) && !strchr(stops, now(s)))
		s->at++;
	return lac_arena_strndup(arena, s->text + from, s->at - from);
}

bool lac_scan_keyword(struct lac_scan *s, const char *word)
{
	size_t n = strlen(word);

	lac_scan_peek(s);
	if (s->size - s->at < n || memcmp(s->text + s->at, word, n))
		return false;
	if (s->at + n < s->size && !strchr(" \t\r\n,:#<>=!", s->text[s->at + n]))
		return false;
	s->at += n;
	return true;
}

const char *lac_scan_rest(struct lac_scan *s, struct lac_arena *arena)
{
	size_t from, to;

	lac_scan_peek(s);
	from = s->at;
	while (now(s))
		s->at++;
	to = s->at;
	while (to > from && blank(s->text[to - 1]))
		to--;
	return lac_arena_strndup(arena, s->text + from, to - from);
}

enum lac_status lac_scan_fail(const struct lac_scan *s, struct lac_err *err,
			      const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return lac_fail(err, s->fault, "%s:%u:%u: %s", s->path, s->line,
			lac_scan_column(s), what);
}
