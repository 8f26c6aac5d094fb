/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "render/glyph.h"
#include "render/plain.h"

/* Where the comments start unless the listing says otherwise, at most. */
#define COMMENT_LIMIT 56u

struct style {
	unsigned indent; /* columns a depth */
	unsigned column; /* of the comments */
	bool is_c;	 /* comments have marks, long lines a backslash */
};

static bool is_blank(const struct lac_line *l)
{
	return !l->code[0] && !l->comment;
}

static unsigned code_end(const struct lac_line *l, unsigned indent)
{
	return l->depth * indent + (unsigned)lac_glyph_columns(l->code);
}

static unsigned comment_columns(const struct style *s, const char *comment)
{
	return (unsigned)lac_glyph_columns(comment) + (s->is_c ? 6 : 0);
}

static struct style choose_style(const struct lac_plain *p,
				 const struct lac_listing *l)
{
	struct style s = { .is_c = !strcmp(l->language, "c") };
	static const unsigned indents[] = { 8, 4, 2 };

	/* the deepest indentation that leaves every line whole */
	for (unsigned i = 0; i < 3; i++) {
		unsigned longest = 0, widest = 0;

		s.indent = indents[i];
		s.column = 0;
		for (size_t n = 0; n < l->nlines; n++) {
			unsigned end = code_end(&l->lines[n], s.indent);
			const char *comment = l->lines[n].comment;

			widest = end > widest ? end : widest;
			if (!comment || !l->lines[n].code[0])
				continue;
			if (end > s.column && end <= COMMENT_LIMIT)
				s.column = end;
			end = comment_columns(&s, comment);
			longest = end > longest ? end : longest;
		}
		s.column = l->comment_column ? l->comment_column
					     : s.column + 1;
		if (!p->width || p->tabs ||
		    (widest <= p->width && s.column + longest <= p->width))
			break;
	}
	return s;
}

static void indent(struct lac_plain *p, const struct style *s, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		if (p->tabs)
			fputc('\t', p->out);
		else
			fprintf(p->out, "%*s", (int)s->indent, "");
}

/* Code that may be longer than the page: cut, in C with a line splice. */
static unsigned put_code(struct lac_plain *p, const struct style *s,
			 const char *code, unsigned at)
{
	while (p->width && at + lac_glyph_columns(code) > p->width) {
		size_t room = p->width > at + 2 ? p->width - at - 1 : 1;
		size_t n = lac_glyph_fit(code, room);

		fprintf(p->out, "%.*s%s\n", (int)n, code, s->is_c ? "\\" : "");
		code += n;
		at = 0;
	}
	fputs(code, p->out);
	return at + (unsigned)lac_glyph_columns(code);
}

/* A comment by itself, on as many lines as it takes. */
static void put_comment_alone(struct lac_plain *p, const struct style *s,
			      unsigned depth, const char *comment)
{
	unsigned at = depth * s->indent;
	const char *open = s->is_c ? "/* " : "", *close = s->is_c ? " */" : "";
	size_t room, n;

	if (p->width && at + 16 > p->width)
		depth = at = 0;
	room = p->width ? p->width - at - (s->is_c ? 6 : 0) : 0;
	do {
		n = strlen(comment);
		if (room && lac_glyph_columns(comment) > room) {
			n = lac_glyph_fit(comment, room);
			for (size_t k = n; k > n / 2; k--)
				if (comment[k] == ' ') {
					n = k;
					break;
				}
		}
		indent(p, s, depth);
		fprintf(p->out, "%s%s%.*s%s%s\n", lac_plain_on(p, LAC_STYLE_DIM),
			open, (int)n, comment, close,
			lac_plain_off(p, LAC_STYLE_DIM));
		comment += n;
		comment += strspn(comment, " ");
	} while (*comment);
}

static enum lac_status put_line(struct lac_plain *p, const struct style *s,
				const struct lac_line *l, struct lac_err *err)
{
	char *code = lac_glyph_clean(p->arena, l->code, p->ascii);
	char *comment = l->comment ? lac_glyph_clean(p->arena, l->comment,
						     p->ascii)
				   : NULL;
	unsigned depth = l->depth, at, gap;

	if (!code || (l->comment && !comment))
		return lac_fail_memory(err);
	if (!*code) {
		put_comment_alone(p, s, depth, comment);
		return LAC_OK;
	}
	if (p->width && depth * s->indent + 16 > p->width)
		depth = 0;
	indent(p, s, depth);
	at = put_code(p, s, code, depth * s->indent);
	if (!comment) {
		fputc('\n', p->out);
		return LAC_OK;
	}
	gap = at < s->column ? s->column - at : 1;
	if (p->width && at + gap + comment_columns(s, comment) > p->width)
		gap = 1;
	if (p->width && at + gap + comment_columns(s, comment) > p->width) {
		fputc('\n', p->out);
		put_comment_alone(p, s, depth + 1, comment);
		return LAC_OK;
	}
	fprintf(p->out, "%*s%s%s%s%s%s\n", (int)gap, "",
		lac_plain_on(p, LAC_STYLE_DIM), s->is_c ? "/* " : "", comment,
		s->is_c ? " */" : "", lac_plain_off(p, LAC_STYLE_DIM));
	return LAC_OK;
}

enum lac_status lac_plain_listing(struct lac_plain *p,
				  const struct lac_listing *l,
				  struct lac_err *err)
{
	struct style s = choose_style(p, l);

	for (size_t i = 0; i < l->nlines; i++) {
		if (is_blank(&l->lines[i]))
			fputc('\n', p->out);
		else
			LAC_TRY(put_line(p, &s, &l->lines[i], err));
	}
	return LAC_OK;
}
