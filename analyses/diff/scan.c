/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lac_scan_start(struct lac_scan *s, const char *path, const char *text,
		    size_t size)
{
	*s = (struct lac_scan){
		.path = path, .text = text, .size = size, .line = 1,
		.fault = LAC_USAGE};
}

void lac_scan_start_input(struct lac_scan *s, const char *path,
			  const char *text, size_t size)
{
	lac_scan_start(s, path, text, size);
	s->fault = LAC_BAD_INPUT;
}

static char now(const struct lac_scan *s)
{
	if (s->at == s->size || s->text[s->at] == '\n')
		return '\0';
	/* a NUL in the file is a byte like any other, but no end */
	return s->text[s->at] ? s->text[s->at] : '\1';
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
