/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "base/quote.h"
#include "diff/budget.h"
#include "diff/scan.h"

/* More in one rule is a mistake, and keeps a hostile file small. */
enum { MAX_PARTS = 64 };

static const struct {
	const char *name;
	enum lac_metric metric;
	bool of_type, of_member;
} numbers[] = {
	{"size", LAC_METRIC_SIZE, true, true},
	{"align", LAC_METRIC_ALIGN, true, false},
	{"lines", LAC_METRIC_LINES, true, false},
	{"cachelines", LAC_METRIC_LINES, true, false}, /* as pahole has it */
	{"holes", LAC_METRIC_HOLES, true, false},
	{"hole_bytes", LAC_METRIC_HOLE_BYTES, true, false},
	{"nested_hole_bytes", LAC_METRIC_NESTED_HOLE_BYTES, true, false},
	{"padding", LAC_METRIC_PADDING, true, false},
	{"straddlers", LAC_METRIC_STRADDLERS, true, false},
	{"members", LAC_METRIC_MEMBERS, true, false},
	{"offset", LAC_METRIC_OFFSET, false, true},
};

static const struct {
	const char *words[3];
	enum lac_metric metric;
	bool of_member;
} phrases[] = {
	{{"no", "new", "holes"}, LAC_METRIC_NO_NEW_HOLES, false},
	{{"no", "growth", NULL}, LAC_METRIC_NO_GROWTH, false},
	{{"no", "worse", NULL}, LAC_METRIC_NO_WORSE, false},
	{{"no", "change", NULL}, LAC_METRIC_NO_CHANGE, false},
	{{"same", "line", NULL}, LAC_METRIC_SAME_LINE, true},
	{{"different", "lines", NULL}, LAC_METRIC_DIFFERENT_LINES, true},
	{{"in", "one", "line"}, LAC_METRIC_ONE_LINE, true},
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct parser {
	struct lac_scan s;
	struct lac_arena *arena;
	struct lac_err *err;
};

static enum lac_status parse_compare(struct parser *p, enum lac_compare *ret)
{
	static const struct {
		const char *text;
		enum lac_compare compare;
	} ops[] = {{"==", LAC_EQ}, {"!=", LAC_NE}, {"<=", LAC_LE},
		   {">=", LAC_GE}, {"<", LAC_LT},  {">", LAC_GT}};
	const char *at;

	lac_scan_peek(&p->s);
	at = p->s.text + p->s.at;
	for (size_t i = 0; i < COUNT(ops); i++) {
		size_t n = strlen(ops[i].text);

		if (p->s.size - p->s.at < n || memcmp(at, ops[i].text, n))
			continue;
		p->s.at += n;
		*ret = ops[i].compare;
		return LAC_OK;
	}
	return lac_scan_fail(&p->s, p->err,
			     "expected one of == != < <= > >=");
}

static int digit(char c, unsigned base)
{
	int v = c >= '0' && c <= '9'   ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
				       : -1;

	return v < (int)base ? v : -1;
}

/* "64", "0x40", "4K" */
static enum lac_status parse_number(struct parser *p, uint64_t *ret)
{
	static const char units[] = "KMGT";
	struct lac_scan start;
	const char *word, *d;
	unsigned base = 10;
	uint64_t v = 0;

	lac_scan_peek(&p->s);
	start = p->s;
	word = lac_scan_word(&p->s, ",#", p->arena);
	if (!word)
		return lac_fail_memory(p->err);
	d = word;
	if (d[0] == '0' && (d[1] == 'x' || d[1] == 'X')) {
		base = 16;
		d += 2;
	}
	if (digit(*d, base) < 0)
		return lac_scan_fail(&start, p->err, "expected a number, not "
				     "'%s'", lac_quote(word).text);
	for (; digit(*d, base) >= 0; d++)
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit(*d, base), &v))
			return lac_scan_fail(&start, p->err,
					     "the number is too large");
	if (*d) {
		const char *unit = strchr(units, *d);

		if (!unit || d[1])
			return lac_scan_fail(&start, p->err,
					     "'%s' is no number; K, M, G and "
					     "T may follow one",
					     lac_quote(word).text);
		for (const char *u = units; u <= unit; u++)
			if (__builtin_mul_overflow(v, 1024u, &v))
				return lac_scan_fail(&start, p->err,
						     "the number is too large");
	}
	*ret = v;
	return LAC_OK;
}

static bool phrase(struct parser *p, size_t i)
{
	struct lac_scan before = p->s;

	for (size_t k = 0; k < 3 && phrases[i].words[k]; k++)
		if (!lac_scan_keyword(&p->s, phrases[i].words[k])) {
			p->s = before;
			return false;
		}
	return true;
}

static enum lac_status wrong_subject(struct parser *p,
				     const struct lac_scan *at,
				     const char *what, bool members)
{
	return lac_scan_fail(at, p->err, "'%s' is not of %s", what,
			     members ? "members" : "a type");
}

static enum lac_status parse_what(struct parser *p, bool members,
				  struct lac_condition *c)
{
	struct lac_scan start = p->s;

	for (size_t i = 0; i < COUNT(phrases); i++)
		if (phrase(p, i)) {
			c->metric = phrases[i].metric;
			if (phrases[i].of_member != members)
				return wrong_subject(p, &start,
						     phrases[i].words[0],
						     members);
			return LAC_OK;
		}
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (lac_scan_keyword(&p->s, numbers[i].name)) {
			c->metric = numbers[i].metric;
			if (members ? !numbers[i].of_member
				    : !numbers[i].of_type)
				return wrong_subject(p, &start,
						     numbers[i].name, members);
			LAC_TRY(parse_compare(p, &c->compare));
			return parse_number(p, &c->wanted);
		}
	return lac_scan_fail(
		&p->s, p->err, "unknown condition; %s",
		members ? "offset, size, same line, different lines, in one "
			  "line"
			: "size, align, lines, holes, hole_bytes, "
			  "nested_hole_bytes, padding, straddlers, members, "
			  "no new holes, no growth, no worse, no change");
}

static const char *slice(struct parser *p, size_t from)
{
	size_t to = p->s.at;

	while (to > from && strchr(" \t", p->s.text[to - 1]))
		to--;
	return lac_arena_strndup(p->arena, p->s.text + from, to - from);
}

static enum lac_status parse_conditions(struct parser *p, struct lac_rule *r)
{
	struct lac_condition list[MAX_PARTS];

	do {
		struct lac_condition *c = &list[r->nconditions];

		if (r->nconditions == MAX_PARTS)
			return lac_scan_fail(&p->s, p->err,
					     "more than %d conditions",
					     MAX_PARTS);
		lac_scan_peek(&p->s);
		*c = (struct lac_condition){
			.line = p->s.line, .column = lac_scan_column(&p->s)};
		LAC_TRY(parse_what(p, r->nmembers != 0, c));
		c->text = slice(p, p->s.line_from + c->column - 1);
		if (!c->text)
			return lac_fail_memory(p->err);
		r->nconditions++;
	} while (lac_scan_take(&p->s, ','));
	if (!lac_scan_line_done(&p->s))
		return lac_scan_fail(&p->s, p->err,
				     "expected a comma or the line's end");
	r->conditions = lac_arena_zalloc(p->arena, r->nconditions,
					 sizeof(*r->conditions));
	if (!r->conditions)
		return lac_fail_memory(p->err);
	memcpy(r->conditions, list, r->nconditions * sizeof(*list));
	return LAC_OK;
}

/* A name ends at ": ", not at the "::" of C++. */
static enum lac_status parse_name(struct parser *p, const char *stops,
				  const char **ret)
{
	struct lac_scan *s = &p->s;
	size_t from;

	if (lac_scan_peek(s) == '"') {
		*ret = lac_scan_word(s, "", p->arena);
		return *ret ? LAC_OK : lac_fail_memory(p->err);
	}
	from = s->at;
	while (s->at < s->size && !strchr(stops, s->text[s->at]) &&
	       s->text[s->at]) {
		if (s->text[s->at] == ':') {
			if (s->at + 1 == s->size || s->text[s->at + 1] != ':')
				break;
			s->at++;
		}
		s->at++;
	}
	if (s->at == from)
		return lac_scan_fail(s, p->err, "a name is missing");
	*ret = lac_arena_strndup(p->arena, s->text + from, s->at - from);
	return *ret ? LAC_OK : lac_fail_memory(p->err);
}

/* "page.u.freelist": the type ends at the first dot. */
/* C++ and Rust names have blanks and commas, which end a name. */
static const char in_quotes[] =
	"; a name with blanks or commas stands in double quotes";

static enum lac_status parse_member(struct parser *p, struct lac_rule *r,
				    const char **member)
{
	struct lac_scan start;
	const char *name, *dot, *type;

	lac_scan_peek(&p->s);
	start = p->s;
	LAC_TRY(parse_name(p, " \t\r\n,", &name));
	dot = strchr(name, '.');
	if (!dot || dot == name || !dot[1])
		return lac_scan_fail(&start, p->err,
				     "expected TYPE.MEMBER, not '%s'%s",
				     lac_quote(name).text,
				     strpbrk(name, "<(") ? in_quotes : "");
	type = lac_arena_strndup(p->arena, name, (size_t)(dot - name));
	if (!type)
		return lac_fail_memory(p->err);
	if (r->pattern && strcmp(r->pattern, type))
		return lac_scan_fail(&start, p->err,
				     "members of two types, %s and %s, in one "
				     "rule", lac_quote(r->pattern).text,
				     lac_quote(type).text);
	r->pattern = type;
	*member = dot + 1;
	return LAC_OK;
}

static enum lac_status parse_members(struct parser *p, struct lac_rule *r)
{
	const char *list[MAX_PARTS];

	do {
		if (r->nmembers == MAX_PARTS)
			return lac_scan_fail(&p->s, p->err,
					     "more than %d members",
					     MAX_PARTS);
		LAC_TRY(parse_member(p, r, &list[r->nmembers]));
		r->nmembers++;
	} while (lac_scan_take(&p->s, ','));
	r->members = lac_arena_zalloc(p->arena, r->nmembers,
				      sizeof(*r->members));
	if (!r->members)
		return lac_fail_memory(p->err);
	memcpy(r->members, list, r->nmembers * sizeof(*list));
	return LAC_OK;
}

static enum lac_status parse_subject(struct parser *p, struct lac_rule *r)
{
	static const char *const kinds[] = {"struct", "union", "class", "enum"};

	if (lac_scan_keyword(&p->s, "member") ||
	    lac_scan_keyword(&p->s, "members"))
		return parse_members(p, r);
	for (size_t i = 0; i < COUNT(kinds) && !r->kind; i++)
		if (lac_scan_keyword(&p->s, kinds[i]))
			r->kind = kinds[i];
	if (!r->kind && !lac_scan_keyword(&p->s, "type"))
		return lac_scan_fail(&p->s, p->err,
				     "a rule starts with struct, union, class, "
				     "enum, type, member or optional");
	lac_scan_peek(&p->s);
	return parse_name(p, " \t\r\n", &r->pattern);
}

static enum lac_status parse_rule(struct parser *p, struct lac_rule *r)
{
	size_t from;

	r->line = p->s.line;
	lac_scan_peek(&p->s);
	r->column = lac_scan_column(&p->s);
	r->optional = lac_scan_keyword(&p->s, "optional");
	lac_scan_peek(&p->s);
	from = p->s.at;
	LAC_TRY(parse_subject(p, r));
	r->subject = slice(p, from);
	if (!r->subject)
		return lac_fail_memory(p->err);
	if (!lac_scan_take(&p->s, ':'))
		return lac_scan_fail(&p->s, p->err,
				     "expected ':' after '%s'%s",
				     lac_quote(r->subject).text,
				     strpbrk(r->subject, "<,(") ? in_quotes
								: "");
	return parse_conditions(p, r);
}

static void note_baseline(struct lac_budget *b, const struct lac_rule *r)
{
	for (uint32_t i = 0; i < r->nconditions; i++)
		switch (r->conditions[i].metric) {
		case LAC_METRIC_NO_NEW_HOLES:
		case LAC_METRIC_NO_GROWTH:
		case LAC_METRIC_NO_WORSE:
		case LAC_METRIC_NO_CHANGE:
			if (!b->needs_baseline)
				b->baseline_line = r->line;
			b->needs_baseline = true;
			break;
		default:
			break;
		}
}

enum lac_status lac_budget_parse(const char *path, const char *text,
				 size_t size, struct lac_arena *arena,
				 struct lac_budget *ret, struct lac_err *err)
{
	struct lac_budget b = {.path = path};
	struct parser p = {.arena = arena, .err = err};
	uint32_t lines = 0;

	LAC_TRY(lac_scan_start(&p.s, path, text, size, LAC_USAGE, err));
	while (lac_scan_line(&p.s))
		lines++;
	if (!lines)
		return lac_fail(err, LAC_USAGE,
				"%s: no rule in it, so nothing would be "
				"checked", path);
	b.rules = lac_arena_zalloc(arena, lines, sizeof(*b.rules));
	if (!b.rules)
		return lac_fail_memory(err);
	lac_scan_rewind(&p.s);
	while (lac_scan_line(&p.s)) {
		LAC_TRY(parse_rule(&p, &b.rules[b.n]));
		note_baseline(&b, &b.rules[b.n++]);
	}
	*ret = b;
	return LAC_OK;
}
