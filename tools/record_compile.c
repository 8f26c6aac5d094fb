/* SPDX-License-Identifier: BSD-2-Clause */
#include "record_compile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_names.h"
#include "record_c.h"
#include "record_json.h"

#define DEPTH_MAX 200u
#define LINES_MAX 200000u /* of one record, what it opens included */

enum state { UNSAID, BEING_SAID, SAID, UNSAYABLE };

struct lac_compile {
	struct lac_doc *d;
	struct lac_listing *out;
	const struct lac_graph *g;
	struct lac_rules *rules;
	struct lac_arena *arena;
	struct lac_c_names *names;
	/* enum state, by type: typedefs, enums, records, functions */
	uint8_t *types;
	uint8_t *forward; /* by type: a tag has been declared */
	uint32_t *lines; /* by record: what it opens to; 0: not known yet */
	lac_record_id body; /* that is being put */
	size_t first;	    /* its first line */
	unsigned depth;
};

enum lac_status lac_compile_create(struct lac_doc *d, const struct lac_graph *g,
				   struct lac_rules *rules,
				   struct lac_arena *arena,
				   struct lac_compile **ret,
				   struct lac_err *err)
{
	struct lac_compile *c = lac_arena_zalloc(arena, 1, sizeof(*c));

	if (!c)
		return lac_fail_memory(err);
	c->d = d;
	c->g = g;
	c->rules = rules;
	c->arena = arena;
	c->types = lac_arena_zalloc(c->arena, g->ntypes, 1);
	c->forward = lac_arena_zalloc(c->arena, g->ntypes, 1);
	c->lines = lac_arena_zalloc(c->arena, g->nrecords, sizeof(*c->lines));
	if (!c->types || !c->forward || !c->lines)
		return lac_fail_memory(err);
	LAC_TRY(lac_c_names_create(g, c->arena, &c->names, err));
	c->out = lac_doc_listing(d, "c");
	*ret = c;
	return LAC_OK;
}

void lac_compile_destroy(struct lac_compile *c)
{
	if (c)
		lac_c_names_destroy(c->names);
}

static enum lac_status too_long(const struct lac_compile *c,
				struct lac_err *err)
{
	const char *label = lac_record_label(c->g, c->body, c->arena);

	return lac_fail(err, LAC_UNSUPPORTED, "%s takes more than %u lines",
			label ? label : "a record", LINES_MAX);
}

static enum lac_status put(struct lac_compile *c, unsigned depth,
			   struct lac_err *err, const char *fmt, ...)
	LAC_PRINTF(4, 5);
static enum lac_status put(struct lac_compile *c, unsigned depth,
			   struct lac_err *err, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return lac_fail_memory(err);
	if (depth && c->out->nlines - c->first > LINES_MAX) {
		free(text);
		return too_long(c, err);
	}
	lac_listing_line(c->d, c->out, depth, text, NULL);
	free(text);
	return LAC_OK;
}

static enum lac_status need(struct lac_compile *c, lac_type_id id,
			    bool complete, struct lac_err *err);

static bool is_nameless(const struct lac_graph *g, lac_record_id id)
{
	return !g->records[id].name;
}

/* What the members of a record need, those of nameless ones included. */
static enum lac_status need_members(struct lac_compile *c, lac_record_id id,
				    struct lac_err *err)
{
	const struct lac_record *r = &c->g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++)
		LAC_TRY(need(c, r->members[i].type, true, err));
	return LAC_OK;
}

static enum lac_status put_fill(struct lac_compile *c, unsigned depth,
				uint64_t at, uint64_t bits, uint64_t unit_bits,
				struct lac_err *err)
{
	uint64_t done = 0;
	const char *code;

	while ((code = lac_fill_next(at, bits, unit_bits, &done, c->arena)))
		LAC_TRY(put(c, depth, err, "%s", code));
	return LAC_OK;
}

static enum lac_status put_body(struct lac_compile *c, lac_record_id id,
				unsigned depth, struct lac_c_form *form,
				struct lac_err *err);

/* An array without a bound stands last in a struct with other members. */
static bool may_be_flexible(const struct lac_record *r, uint32_t i)
{
	if (r->kind == LAC_UNION || i + 1 != r->nmembers)
		return false;
	for (uint32_t k = 0; k < i; k++)
		if (r->members[k].name && r->members[k].bit_size)
			return true;
	return false;
}

/* A member as C has it; what C does not have is told with the member's name. */
static enum lac_status member_text(struct lac_compile *c,
				   const struct lac_record *r, uint32_t i,
				   const char *inner, bool zero_length,
				   const char **text, struct lac_err *err)
{
	const struct lac_member *m = &r->members[i];
	enum lac_status st = lac_c_declare(c->names, m->type, inner,
					   zero_length, text, err);

	if (st != LAC_UNSUPPORTED)
		return st;
	return lac_err_context(err, st, "member %s of %s",
			       m->name ? m->name : "without a name",
			       lac_record_name(r) ? lac_record_name(r)
						  : "an anonymous record");
}

static enum lac_status put_opened(struct lac_compile *c,
				  const struct lac_member *m,
				  const struct lac_c_member *cm,
				  lac_record_id inner, unsigned depth,
				  struct lac_err *err)
{
	lac_type_id element;
	const char *suffix =
		lac_array_suffix(c->g, m->type, c->arena, &element);
	struct lac_c_form form;

	if (!suffix)
		return lac_fail_memory(err);
	LAC_TRY(put(c, depth, err, "%s {",
		    c->g->records[inner].kind == LAC_UNION ? "union"
							   : "struct"));
	LAC_TRY(put_body(c, inner, depth + 1, &form, err));
	return put(c, depth, err, "}%s%s%s%s%s;",
		   lac_attributes(form.packed, form.align, c->arena),
		   m->name ? " " : "", m->name ? m->name : "", suffix,
		   lac_attributes(cm->packed, cm->align, c->arena));
}

static enum lac_status put_member(struct lac_compile *c,
				  const struct lac_record *r, uint32_t i,
				  const struct lac_c_member *cm, unsigned depth,
				  struct lac_err *err)
{
	const struct lac_member *m = &r->members[i];
	lac_record_id inner = lac_type_nameless(c->g, m->type);
	const char *text, *name = m->name ? m->name : "";
	char width[32] = "";

	if (m->name)
		LAC_TRY(lac_c_identifier(m->name, err));
	if (cm->fill_to_unit) {
		LAC_TRY(member_text(c, r, i, ":0", false, &text, err));
		LAC_TRY(put(c, depth, err, "%s;", text));
	}
	if (inner != LAC_NONE)
		return put_opened(c, m, cm, inner, depth, err);
	if (m->role == LAC_MEMBER_BITFIELD)
		snprintf(width, sizeof(width), ":%" PRIu64, m->bit_size);
	LAC_TRY(member_text(c, r, i, name, !may_be_flexible(r, i), &text,
			    err));
	return put(c, depth, err, "%s%s%s;", text, width,
		   lac_attributes(cm->packed, cm->align, c->arena));
}

static enum lac_status put_body(struct lac_compile *c, lac_record_id id,
				unsigned depth, struct lac_c_form *form,
				struct lac_err *err)
{
	const struct lac_record *r = &c->g->records[id];
	uint64_t end = 0, unit;
	struct lac_layout l;
	const struct lac_layout_options o = { .rules = c->rules };

	if (depth > DEPTH_MAX)
		return lac_fail(err, LAC_UNSUPPORTED, "nested too deeply");
	LAC_TRY(lac_layout_compute(c->g, id, &o, c->arena, &l, err));
	LAC_TRY(lac_c_form_fit(c->g, id, c->rules, c->arena, form, err));
	if (!form->exact)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: no declaration in C compiles to this "
				"layout",
				r->name ? r->name : "an anonymous record");
	unit = (l.align ? l.align : 1) * 8;
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		const struct lac_c_member *cm = &form->members[i];

		if (!cm->fill_to_unit)
			LAC_TRY(put_fill(c, depth, end, cm->fill_bits, unit,
					 err));
		LAC_TRY(put_member(c, r, i, cm, depth, err));
		if (m->bit_offset + m->bit_size > end)
			end = m->bit_offset + m->bit_size;
	}
	return put_fill(c, depth, end, form->fill_bits, unit, err);
}

/*
 * At least how many lines a record is, up to LINES_MAX + 1.  Each is counted
 * once, as structs that share what they open are 2^n lines.
 */
static uint32_t count_lines(struct lac_compile *c, lac_record_id id)
{
	const struct lac_record *r = &c->g->records[id];
	uint32_t n = 2;

	if (c->lines[id])
		return c->lines[id];
	c->lines[id] = LINES_MAX + 1; /* in itself it has no end */
	for (uint32_t i = 0; i < r->nmembers && n <= LINES_MAX; i++) {
		lac_record_id in = lac_type_nameless(c->g, r->members[i].type);

		n += in == LAC_NONE ? 1 : count_lines(c, in);
	}
	return c->lines[id] = n <= LINES_MAX ? n : LINES_MAX + 1;
}

/* All of it, or no line at all. */
static enum lac_status put_whole_body(struct lac_compile *c, lac_record_id id,
				      const char *head, struct lac_c_form *form,
				      struct lac_err *err)
{
	size_t first = c->out->nlines;
	enum lac_status st;

	if (!head)
		return lac_fail_memory(err);
	c->body = id;
	c->first = first;
	if (count_lines(c, id) > LINES_MAX)
		return too_long(c, err);
	st = put(c, 0, err, "%s", head);
	if (st == LAC_OK)
		st = put_body(c, id, 1, form, err);
	if (st != LAC_OK)
		c->out->nlines = first;
	return st;
}

static enum lac_status say_record(struct lac_compile *c, lac_type_id id,
				  struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	const char *tag = lac_c_record_tag(c->names, id);
	const char *kind = t->record_kind == LAC_UNION ? "union" : "struct";
	struct lac_c_form form;

	if (!tag)
		return lac_fail_memory(err);
	LAC_TRY(lac_c_identifier(tag, err));
	LAC_TRY(need_members(c, t->record, err));
	LAC_TRY(put_whole_body(c, t->record,
			       lac_arena_printf(c->arena, "%s %s {", kind, tag),
			       &form, err));
	LAC_TRY(put(c, 0, err, "}%s;",
		    lac_attributes(form.packed, form.align, c->arena)));
	return put(c, 0, err,
		   "_Static_assert(sizeof(%s %s) == %" PRIu64 ", \"%s\");",
		   kind, tag, c->g->records[t->record].size, tag);
}

static enum lac_status say_typedef(struct lac_compile *c, lac_type_id id,
				   struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	const char *name, *text;
	lac_record_id inner = lac_type_record(c->g, t->target, NULL);
	struct lac_c_form form;
	enum lac_status st;

	/* the compiler's own: __builtin_va_list */
	if (t->name && !strncmp(t->name, "__builtin_", 10))
		return LAC_OK;
	name = lac_c_typedef_name(c->names, id);
	if (!name)
		return lac_fail_memory(err);
	LAC_TRY(lac_c_identifier(name, err));
	if (inner != LAC_NONE && is_nameless(c->g, inner) &&
	    c->g->types[t->target].kind != LAC_TYPE_TYPEDEF) {
		LAC_TRY(need_members(c, inner, err));
		LAC_TRY(put_whole_body(c, inner,
				       c->g->records[inner].kind == LAC_UNION
					       ? "typedef union {"
					       : "typedef struct {",
				       &form, err));
		return put(c, 0, err, "}%s %s%s;",
			   lac_attributes(form.packed, form.align, c->arena),
			   name,
			   lac_attributes(false, t->declared_align, c->arena));
	}
	st = lac_c_declare(c->names, t->target, name, false, &text, err);
	if (st != LAC_OK)
		return st == LAC_UNSUPPORTED
			       ? lac_err_context(err, st, "typedef %s", name)
			       : st;
	return put(c, 0, err, "typedef %s%s;", text,
		   lac_attributes(false, t->declared_align, c->arena));
}

static enum lac_status say_enum(struct lac_compile *c, lac_type_id id,
				struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	const struct lac_enumeration *e;
	bool packed;

	if (!t->name || t->enumeration == LAC_NONE)
		return LAC_OK; /* shows as an integer */
	e = &c->g->enumerations[t->enumeration];
	if (!lac_c_enum_fits(e, &packed))
		return LAC_OK;
	LAC_TRY(lac_c_identifier(t->name, err));
	LAC_TRY(put(c, 0, err, "enum %s {", lac_c_enum_tag(c->names, id)));
	for (uint32_t i = 0; i < e->nvalues; i++) {
		const char *name =
			lac_c_enumerator(c->names, id, e->values[i].name);
		int64_t v = e->values[i].value;

		if (!name)
			return lac_fail_memory(err);
		LAC_TRY(lac_c_identifier(name, err));
		if (e->is_signed && v == INT64_MIN)
			LAC_TRY(put(c, 1, err, "%s = -%" PRId64 "LL - 1,", name,
				    INT64_MAX));
		else if (e->is_signed)
			LAC_TRY(put(c, 1, err, "%s = %" PRId64 ",", name, v));
		else
			LAC_TRY(put(c, 1, err, "%s = %" PRIu64 "U,", name,
				    (uint64_t)v));
	}
	return put(c, 0, err, "}%s;", lac_attributes(packed, 0, c->arena));
}

/* A tag that is only pointed to has to be known before it is a parameter. */
static enum lac_status say_forward(struct lac_compile *c, lac_type_id id,
				   struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	const char *tag;

	if (c->forward[id])
		return LAC_OK;
	c->forward[id] = true;
	tag = lac_c_record_tag(c->names, id);
	if (!tag)
		return lac_fail_memory(err);
	LAC_TRY(lac_c_identifier(tag, err));
	return put(c, 0, err, "%s %s;",
		   t->record_kind == LAC_UNION ? "union" : "struct", tag);
}

static enum lac_status need_record(struct lac_compile *c, lac_type_id id,
				   bool complete, struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	enum lac_status st;

	if (!complete || t->record == LAC_NONE)
		return say_forward(c, id, err);
	if (c->types[id] == SAID)
		return LAC_OK;
	if (is_nameless(c->g, t->record)) { /* opened where it stands */
		LAC_TRY(need_members(c, t->record, err));
		c->types[id] = SAID;
		return LAC_OK;
	}
	if (c->types[id] != UNSAID)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: no declaration in C compiles to this "
				"layout",
				c->g->records[t->record].name);
	c->types[id] = BEING_SAID;
	st = say_record(c, id, err);
	c->types[id] = st == LAC_OK ? SAID : UNSAYABLE;
	return st;
}

static enum lac_status need_typedef(struct lac_compile *c, lac_type_id id,
				    bool complete, struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	lac_record_id inner = lac_type_record(c->g, t->target, NULL);
	bool nameless = inner != LAC_NONE && is_nameless(c->g, inner);
	enum lac_type_kind kind = c->g->types[t->target].kind;
	enum lac_status st;

	if (c->types[id] == BEING_SAID || c->types[id] == UNSAYABLE)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s cannot be declared in C", t->name);
	if (c->types[id] == UNSAID) {
		c->types[id] = BEING_SAID;
		st = LAC_OK;
		if (!nameless || kind == LAC_TYPE_TYPEDEF)
			st = need(c, t->target, kind == LAC_TYPE_ARRAY, err);
		if (st == LAC_OK)
			st = say_typedef(c, id, err);
		c->types[id] = st == LAC_OK ? SAID : UNSAYABLE;
		if (st != LAC_OK)
			return st;
	}
	/* a typedef may have come before what it stands for was complete */
	return complete && !nameless ? need(c, t->target, true, err) : LAC_OK;
}

/* Once for each: functions that take functions share 2^n ways to one. */
static enum lac_status need_function(struct lac_compile *c, lac_type_id id,
				     struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];

	if (c->types[id] == SAID)
		return LAC_OK;
	for (uint32_t i = 0; i < t->function.nparams; i++)
		LAC_TRY(need(c, t->function.params[i], false, err));
	LAC_TRY(need(c, t->target, false, err));
	c->types[id] = SAID;
	return LAC_OK;
}

static enum lac_status need_by_kind(struct lac_compile *c, lac_type_id id,
				    bool complete, struct lac_err *err)
{
	const struct lac_type *t = &c->g->types[id];
	enum lac_type_kind target = c->g->types[t->target].kind;

	switch (t->kind) {
	case LAC_TYPE_POINTER:
		/* the elements of an array have to be complete even here */
		return need(c, t->target, target == LAC_TYPE_ARRAY, err);
	case LAC_TYPE_FUNCTION:
		return need_function(c, id, err);
	case LAC_TYPE_CONST:
	case LAC_TYPE_VOLATILE:
	case LAC_TYPE_RESTRICT:
		return need(c, t->target, complete, err);
	case LAC_TYPE_ATOMIC:
	case LAC_TYPE_ARRAY:
	case LAC_TYPE_VECTOR:
		return need(c, t->target, true, err);
	case LAC_TYPE_TYPEDEF:
		return need_typedef(c, id, complete, err);
	case LAC_TYPE_RECORD:
		return need_record(c, id, complete, err);
	case LAC_TYPE_ENUM:
		if (c->types[id] == SAID)
			return LAC_OK;
		c->types[id] = SAID;
		return say_enum(c, id, err);
	default:
		return LAC_OK;
	}
}

static enum lac_status need(struct lac_compile *c, lac_type_id id,
			    bool complete, struct lac_err *err)
{
	enum lac_status st;

	if (c->depth > DEPTH_MAX)
		return lac_fail(err, LAC_UNSUPPORTED,
				"types that need more than %u others, one "
				"behind the other",
				DEPTH_MAX);
	c->depth++;
	st = need_by_kind(c, id, complete, err);
	c->depth--;
	return st;
}

/* The members that have an offset in C. */
static enum lac_status say_offsets(struct lac_compile *c, lac_record_id id,
				   const char *name, struct lac_err *err)
{
	const struct lac_record *r = &c->g->records[id];

	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];

		if (!m->name || m->role == LAC_MEMBER_BITFIELD)
			continue;
		LAC_TRY(put(c, 0, err,
			    "_Static_assert(__builtin_offsetof(%s, %s) == "
			    "%" PRIu64 ", \"%s\");",
			    name, m->name, m->bit_offset / 8, m->name));
	}
	return LAC_OK;
}

/* The typedef that names a record without a tag. */
static lac_type_id naming_typedef(const struct lac_graph *g, lac_record_id id)
{
	const char *name = g->records[id].typedef_name;

	for (lac_type_id t = 0; name && t < g->ntypes; t++)
		if (g->types[t].kind == LAC_TYPE_TYPEDEF && g->types[t].name &&
		    !strcmp(g->types[t].name, name) &&
		    lac_type_record(g, t, NULL) == id)
			return t;
	return 0;
}

static const char *text_from(struct lac_compile *c, size_t first)
{
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = first; i < c->out->nlines; i++) {
		for (unsigned k = 0; k < c->out->lines[i].depth; k++)
			fputc('\t', out);
		fprintf(out, "%s\n", c->out->lines[i].code);
	}
	copy = fclose(out) ? NULL : lac_arena_strndup(c->arena, text, size);
	free(text);
	return copy;
}

enum lac_status lac_compile_record(struct lac_compile *c, lac_record_id id,
				   const char **source, struct lac_err *err)
{
	const struct lac_record *r = &c->g->records[id];
	lac_type_id type = r->name ? r->type : naming_typedef(c->g, id);
	size_t first = c->out->nlines;
	const char *name;

	if (!type)
		return lac_fail(err, LAC_UNSUPPORTED,
				"a record without a name cannot be declared by "
				"itself");
	LAC_TRY(need(c, type, true, err));
	LAC_TRY(lac_c_declare(c->names, type, "", false, &name, err));
	if (!r->name)
		LAC_TRY(put(c, 0, err,
			    "_Static_assert(sizeof(%s) == %" PRIu64
			    ", \"%s\");",
			    name, r->size, name));
	LAC_TRY(say_offsets(c, id, name, err));
	*source = text_from(c, first);
	return *source ? LAC_OK : lac_fail_memory(err);
}

enum lac_status lac_compile_note(struct lac_compile *c, const char *text,
				 struct lac_err *err)
{
	/* text may be the message that err holds */
	const char *copy = lac_arena_strdup(c->arena, text);

	if (!copy)
		return lac_fail_memory(err);
	lac_listing_line(c->d, c->out, 0, "", copy);
	return LAC_OK;
}
