/* SPDX-License-Identifier: BSD-2-Clause */
#include "diff/filter.h"

#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "base/near.h"
#include "base/quote.h"
#include "diff/internal.h"
#include "diff/kernel.h"
#include "diff/scan.h"

static bool word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static const char *const kinds[] = {"struct", "union", "class", "enum",
				    "type",   "decl",  NULL};

/*
 * Where the pattern ends: at a ':' before a blank or the line's end, out of
 * quotes; "::" is of C++.  The line's end if there is none.
 */
static size_t separator(const struct lac_scan *s)
{
	bool quoted = false;
	size_t at;

	for (at = s->at; at < s->size && s->text[at] != '\n'; at++) {
		char next = at + 1 < s->size ? s->text[at + 1] : '\n';

		if (s->text[at] == '"')
			quoted = !quoted;
		if (quoted || s->text[at] != ':')
			continue;
		if (next == ':')
			at++;
		else if (strchr(" \t\r\n", next))
			return at;
	}
	return at;
}

/*
 * A word before a blank and more of a pattern: no type's name is like that, so
 * it was meant for a kind.
 */
static enum lac_status parse_kind(struct lac_scan *s, size_t end,
				  const char **ret, struct lac_err *err)
{
	struct lac_near near = {0};
	char word[32], text[512];
	size_t from, n;

	lac_scan_peek(s);
	from = s->at;
	for (n = 0; from + n < end && word_byte(s->text[from + n]); n++)
		;
	for (s->at = from + n; s->at < end && strchr(" \t", s->text[s->at]);)
		s->at++;
	if (!n || s->at == from + n || s->at == end) {
		s->at = from;
		return LAC_OK;
	}
	for (size_t i = 0; kinds[i]; i++)
		if (strlen(kinds[i]) == n &&
		    !memcmp(kinds[i], s->text + from, n)) {
			*ret = kinds[i];
			return LAC_OK;
		}
	snprintf(word, sizeof(word), "%.*s", (int)(n < 31 ? n : 31),
		 s->text + from);
	near.want = word;
	for (size_t i = 0; kinds[i]; i++)
		lac_near_offer(&near, kinds[i]);
	lac_near_text(&near, text, sizeof(text));
	s->at = from;
	return lac_scan_fail(s, err,
			     "'%s' is no kind: struct, union, class, enum, "
			     "type or decl, or put a name with blanks in "
			     "double quotes%s",
			     word, text);
}

static enum lac_status parse_pattern(struct lac_scan *s, size_t end,
				     struct lac_arena *arena, const char **ret,
				     struct lac_err *err)
{
	size_t from, to = end;

	if (lac_scan_peek(s) == '"') {
		*ret = lac_scan_word(s, "", arena);
		if (s->text[s->at - 1] != '"')
			return lac_scan_fail(s, err, "the quote is not closed");
		if (*ret && lac_scan_peek(s) && s->at != end)
			return lac_scan_fail(s, err, "expected ':' after the "
					     "pattern in quotes");
	} else {
		from = s->at;
		while (to > from && strchr(" \t\r", s->text[to - 1]))
			to--;
		*ret = lac_arena_strndup(arena, s->text + from, to - from);
	}
	if (!*ret)
		return lac_fail_memory(err);
	return **ret ? LAC_OK : lac_scan_fail(s, err, "a pattern is missing");
}

static enum lac_status parse_rule(struct lac_scan *s, struct lac_arena *arena,
				  struct lac_ignore_rule *r,
				  struct lac_err *err)
{
	size_t end = separator(s);

	*r = (struct lac_ignore_rule){.line = s->line, .path = s->path};
	LAC_TRY(parse_kind(s, end, &r->kind, err));
	if (r->kind && !strcmp(r->kind, "type"))
		r->kind = NULL;
	LAC_TRY(parse_pattern(s, end, arena, &r->pattern, err));
	s->at = end;
	if (lac_scan_take(s, ':') && !lac_scan_line_done(s)) {
		r->reason = lac_scan_rest(s, arena);
		return r->reason ? LAC_OK : lac_fail_memory(err);
	}
	return lac_scan_fail(s, err,
			     "'%s' is ignored without a reason; write "
			     "PATTERN: REASON",
			     lac_quote(r->pattern).text);
}

enum lac_status lac_ignore_parse(const char *path, const char *text,
				 size_t size, struct lac_arena *arena,
				 struct lac_ignore_list *ret,
				 struct lac_err *err)
{
	struct lac_ignore_list list = {0};
	struct lac_scan s;
	uint32_t lines = 0;

	LAC_TRY(lac_scan_start(&s, path, text, size, LAC_USAGE, err));
	while (lac_scan_line(&s))
		lines++;
	list.rules = lac_arena_zalloc(arena, lines, sizeof(*list.rules));
	if (!list.rules)
		return lac_fail_memory(err);
	lac_scan_rewind(&s);
	while (lac_scan_line(&s))
		LAC_TRY(parse_rule(&s, arena, &list.rules[list.n++], err));
	*ret = list;
	return LAC_OK;
}

enum lac_status lac_ignore_join(struct lac_ignore_list *list,
				const struct lac_ignore_list *more,
				struct lac_arena *arena, struct lac_err *err)
{
	struct lac_ignore_list l = {.n = list->n + more->n};

	l.rules = lac_arena_zalloc(arena, l.n, sizeof(*l.rules));
	if (!l.rules)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < l.n; i++)
		l.rules[i] = i < list->n ? list->rules[i]
					 : more->rules[i - list->n];
	*list = l;
	return LAC_OK;
}

enum lac_status lac_only_parse(const char *text, unsigned *ret,
			       struct lac_err *err)
{
	static const char *const names[] = {"size", "layout", "enum", "lines"};
	unsigned only = 0;

	while (*text) {
		size_t n = strcspn(text, ",");
		unsigned i = 0;

		while (i < 4 && (strlen(names[i]) != n ||
				 strncmp(names[i], text, n)))
			i++;
		if (i == 4)
			return lac_fail(err, LAC_USAGE,
					"--only %.*s: one or more of size, "
					"layout, lines, enum", (int)n, text);
		only |= 1u << i;
		text += n;
		text += *text == ',';
	}
	if (!only)
		return lac_fail(err, LAC_USAGE,
				"--only: one or more of size, layout, lines, "
				"enum");
	*ret = only;
	return LAC_OK;
}

static const char *kind_word(const struct lac_shape *s)
{
	return s->is_enum ? "enum" : lac_record_kind_name(s->kind);
}

/* By name, or as it is shown, which is all that an anonymous one has. */
static bool name_matches(const char *pattern, const char *kind,
			 const struct lac_shape *s)
{
	return lac_glob_name(pattern, kind, s->name) ||
	       lac_glob_name(pattern, kind, s->label);
}

bool lac_type_matches(const char *pattern, const struct lac_shape *s)
{
	return name_matches(pattern, kind_word(s), s);
}

static bool any_type_matches(char *const *patterns, const struct lac_shape *s)
{
	bool any = !patterns;

	for (size_t i = 0; !any && patterns[i]; i++)
		any = lac_type_matches(patterns[i], s);
	return any;
}

bool lac_shape_selected(char *const *type_globs, char *const *decl_globs,
			const struct lac_shape *s)
{
	return any_type_matches(type_globs, s) &&
	       lac_glob_any_path(decl_globs, s->decl_file);
}

static bool rule_matches(const struct lac_ignore_rule *r,
			 const struct lac_shape *s)
{
	if (!r->kind)
		return lac_type_matches(r->pattern, s);
	if (!strcmp(r->kind, "decl"))
		return lac_glob_path(r->pattern, s->decl_file);
	return !strcmp(r->kind, kind_word(s)) &&
	       name_matches(r->pattern, NULL, s);
}

static bool ignored(struct lac_ignore_list *list, const struct lac_shape *s)
{
	for (uint32_t i = 0; list && i < list->n; i++)
		if (rule_matches(&list->rules[i], s)) {
			list->rules[i].used++;
			return true;
		}
	return false;
}

static uint64_t size_of(const struct lac_shape *s)
{
	return s && s->size != LAC_SIZE_UNKNOWN ? s->size : 0;
}

static bool wanted_class(enum lac_change_class c, unsigned only)
{
	switch (c) {
	case LAC_CHANGE_SIZE:
		return only & (LAC_ONLY_SIZE | LAC_ONLY_LAYOUT);
	case LAC_CHANGE_ENUMERATOR_ADDED:
	case LAC_CHANGE_ENUMERATOR_REMOVED:
	case LAC_CHANGE_ENUMERATOR_VALUE:
		return only & LAC_ONLY_ENUM;
	case LAC_CHANGE_MEMBER_RETYPED:
	case LAC_CHANGE_MEMBER_RENAMED:
		return false; /* the bytes stay where they were */
	case LAC_CHANGE_LINE_CROSSING:
		return only & (LAC_ONLY_LAYOUT | LAC_ONLY_LINES);
	default:
		return only & LAC_ONLY_LAYOUT;
	}
}

static void keep_classes(struct lac_record_diff *r, unsigned only)
{
	uint32_t kept = 0;

	/* more lines are of more bytes */
	if (only & LAC_ONLY_LINES && r->old_shape->lines != r->new_shape->lines)
		only |= LAC_ONLY_SIZE;

	for (uint32_t i = 0; i < r->nchanges; i++)
		if (wanted_class(r->changes[i].class, only))
			r->changes[kept++] = r->changes[i];
	r->nchanges = kept;
}

static bool caused_by(const struct lac_diff *d, const struct lac_record_diff *r,
		      char *const *globs)
{
	for (uint32_t i = 0; i < r->ncauses; i++)
		if (lac_glob_any_name(globs, NULL,
				      d->causes[r->causes[i]].name))
			return true;
	return false;
}

static bool wanted(const struct lac_diff *d, struct lac_record_diff *r,
		   const struct lac_diff_filter *f)
{
	const struct lac_shape *s = r->new_shape ? r->new_shape : r->old_shape;
	uint64_t was = size_of(r->old_shape), is = size_of(r->new_shape);
	bool single = !r->old_shape || !r->new_shape;

	if (!any_type_matches(f->type_globs, s) &&
	    (single || !any_type_matches(f->type_globs, r->old_shape)))
		return false;
	if (!lac_glob_any_path(f->decl_globs, s->decl_file) &&
	    (single ||
	     !lac_glob_any_path(f->decl_globs, r->old_shape->decl_file)))
		return false;
	if ((was > is ? was - is : is - was) < f->min_bytes)
		return false;
	if (f->cause_globs && !caused_by(d, r, f->cause_globs))
		return false;
	if (f->only) {
		if (single)
			return s->is_enum ? f->only & LAC_ONLY_ENUM
					  : f->only & LAC_ONLY_LAYOUT;
		keep_classes(r, f->only);
		if (!r->nchanges)
			return false;
	}
	return !ignored(f->ignore, s);
}

/* Count anew, over the records that are left. */
static enum lac_status keep_causes(struct lac_diff *d, uint32_t cpus,
				   struct lac_err *err)
{
	for (uint32_t i = 0; i < d->ncauses; i++)
		d->causes[i] = lac_cause_uncounted(&d->causes[i]);
	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];

		for (uint32_t k = 0; k < r->ncauses; k++)
			lac_cause_count(&d->causes[r->causes[k]], r, cpus);
	}
	return lac_causes_sort(d, d->arena, err);
}

static bool has_struct(const struct lac_diff *d, const char *name)
{
	for (uint32_t i = 0; i < d->nrecords; i++) {
		const struct lac_record_diff *r = &d->records[i];
		const struct lac_shape *s =
			r->new_shape ? r->new_shape : r->old_shape;

		if (!s->is_enum && !s->by_typedef && s->name &&
		    !strcmp(s->name, name))
			return true;
	}
	return false;
}

/*
 * The allocator's own, which are there unchanged too, but not unasked.  Those
 * that are not kept stay behind the others: a copy of *d may count them.
 */
static void keep_kernel(struct lac_diff *d)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < d->nkernel; i++) {
		struct lac_kernel_row row = d->kernel[i];

		if (!has_struct(d, row.name))
			continue;
		d->kernel[i] = d->kernel[kept];
		d->kernel[kept++] = row;
	}
	d->nkernel = kept;
}

/* A name that is no cause is a slip, not "no differences". */
static enum lac_status check_cause(const struct lac_diff *d, const char *glob,
				   struct lac_err *err)
{
	struct lac_near near = {.want = glob};
	char text[512];

	if (!d->nrecords)
		return LAC_OK;
	for (uint32_t i = 0; i < d->ncauses; i++) {
		if (lac_glob_name(glob, NULL, d->causes[i].name))
			return LAC_OK;
		lac_near_offer(&near, d->causes[i].name);
	}
	lac_near_text(&near, text, sizeof(text));
	if (!d->ncauses)
		return lac_fail(err, LAC_NOT_FOUND,
				"%s, %s: no cause matches --cause '%s': no "
				"inner type is behind any of the differences",
				d->old_side.path, d->new_side.path, glob);
	return lac_fail(err, LAC_NOT_FOUND,
			"%s, %s: no cause matches --cause '%s'%s%s%s%s%s%s",
			d->old_side.path, d->new_side.path, glob, text,
			near.n ? "" : "; the causes are ",
			near.n ? "" : d->causes[0].name,
			near.n || d->ncauses < 2 ? "" : ", ",
			near.n || d->ncauses < 2 ? "" : d->causes[1].name,
			near.n || d->ncauses < 3 ? "" : ", ...");
}

enum lac_status lac_diff_filter(struct lac_diff *d,
				const struct lac_diff_filter *f, uint32_t cpus,
				struct lac_err *err)
{
	uint32_t all = d->nrecords;
	uint32_t kept = 0;

	for (size_t i = 0; f->cause_globs && f->cause_globs[i]; i++)
		LAC_TRY(check_cause(d, f->cause_globs[i], err));
	for (uint32_t i = 0; i < d->nrecords; i++)
		if (wanted(d, &d->records[i], f))
			d->records[kept++] = d->records[i];
	d->nrecords = kept;
	if (f->type_globs || f->decl_globs || f->min_bytes || f->only ||
	    f->cause_globs)
		d->old_unidentified = d->new_unidentified = 0;
	if (f->min_bytes || f->only || f->cause_globs)
		keep_kernel(d);
	return kept == all ? LAC_OK : keep_causes(d, cpus ? cpus : 16, err);
}
