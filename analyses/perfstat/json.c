/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - the form of -j: one object an event, and not always JSON.
 *
 * In a comma locale perf prints bare numbers with a comma, and some versions
 * forget the comma after "core".  Both can be mended without a guess: the
 * objects are flat, so a comma before a digit separates nothing, and two
 * strings never stand side by side.
 */
#include <jansson.h>
#include <string.h>

#include "perfstat/reader.h"

/* perf's objects have some 250 bytes. */
enum { MAX_OBJECT = 8192 };

struct json_file {
	struct lac_perfstat_reader *r;
	bool open;
};

/* An object that spans lines is put together here, mended. */
struct object {
	unsigned line;
	size_t n;
	bool in_string, escaped, comma_mark;
	char last; /* that was no blank */
	char text[MAX_OBJECT];
};

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* A bare nan or inf, at s, as null: no figure. */
static size_t word_length(const char *s)
{
	static const char *const words[] = { "-nan", "nan", "-inf", "inf" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncmp(s, words[i], strlen(words[i])))
			return strlen(words[i]);
	return 0;
}

static bool put(struct object *o, const char *s, size_t n)
{
	if (n > sizeof(o->text) - o->n)
		return false;
	memcpy(o->text + o->n, s, n);
	o->n += n;
	return true;
}

/* One character outside of strings; *skip: how many were used up. */
static bool put_bare(struct object *o, const char *s, size_t *skip)
{
	if (*s == ',' && is_digit(o->last) && is_digit(s[1])) {
		o->comma_mark = true;
		return put(o, ".", 1);
	}
	if (o->last == ':' && word_length(s)) {
		*skip = word_length(s);
		return put(o, "null", 4);
	}
	if (*s == '"' && o->last == '"' && !put(o, ",", 1))
		return false;
	if (*s == '"')
		o->in_string = true;
	return put(o, s, 1);
}

/*
 * Feed a line from s on.  True: the object is whole, and *end is after it.
 * False: the line is used up, or *fits is false.
 */
static bool feed(struct object *o, const char *s, const char **end, bool *fits)
{
	*fits = true;
	while (*s && *fits) {
		size_t skip = 1;
		bool was_string = o->in_string;

		if (was_string) {
			*fits = put(o, s, 1);
			if (o->escaped)
				o->escaped = false;
			else if (*s == '\\')
				o->escaped = true;
			else if (*s == '"')
				o->in_string = false;
		} else {
			*fits = put_bare(o, s, &skip);
		}
		if (*s != ' ' && *s != '\t')
			o->last = s[skip - 1];
		if (!was_string && *s == '}') {
			*end = s + 1;
			return *fits;
		}
		s += skip;
	}
	if (*fits)
		*fits = put(o, " ", 1);
	return false;
}

/* --- one object */

static enum lac_status bad(struct json_file *f, const struct object *o,
			   const char *what)
{
	return lac_fail(f->r->err, LAC_BAD_INPUT,
			"%s:%u: %s: not as perf stat -j prints it; run it "
			"again with LC_ALL=C",
			f->r->p->name, o->line, what);
}

/* A number, or (perf 6.12) a string that holds one. */
static bool get_number(const json_t *j, const char *key, bool *there,
		       struct lac_perfstat_number *ret)
{
	const json_t *v = json_object_get(j, key);
	struct lac_perfstat_scan s;

	*there = v && !json_is_null(v);
	if (!*there)
		return true;
	if (json_is_number(v)) {
		ret->value = json_number_value(v);
		ret->rounding = 0;
		return ret->value >= 0;
	}
	if (!json_is_string(v))
		return false;
	if (!*json_string_value(v) || word_length(json_string_value(v))) {
		*there = false;
		return true;
	}
	if (!lac_perfstat_scan_plain(json_string_value(v), &s) || *s.end)
		return false;
	*ret = s.number;
	return true;
}

static enum lac_status take_metric(struct json_file *f, const struct object *ob,
				   const json_t *j,
				   struct lac_perfstat_event *e)
{
	const char *unit = json_string_value(json_object_get(j, "metric-unit"));
	struct lac_perfstat_metric *m;
	struct lac_perfstat_number n;
	bool there;

	if (!get_number(j, "metric-value", &there, &n))
		return bad(f, ob, "metric-value");
	if (!there || !unit || !*unit)
		return LAC_OK;
	m = lac_perfstat_add_metric(f->r->p, e);
	if (!m)
		return lac_fail_memory(f->r->err);
	unit += strspn(unit, " %"); /* perf 6.12: "%  of all branches" */
	m->unit = lac_arena_strdup(f->r->p->arena, unit);
	if (!m->unit)
		return lac_fail_memory(f->r->err);
	m->printed = n;
	m->printed.rounding = 0.5e-6;
	return LAC_OK;
}

/* "S0-D0-C0" of "core", "CPU3" of "cpu", and what else perf groups by. */
static const char *get_where(struct json_file *f, const json_t *j)
{
	static const char *const keys[] = { "core", "die", "socket", "node",
					    "cache", "cluster", "thread",
					    "cgroup" };
	const json_t *cpu = json_object_get(j, "cpu");
	struct lac_arena *a = f->r->p->arena;

	if (json_is_string(cpu))
		return lac_arena_printf(a, "CPU%s", json_string_value(cpu));
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *s = json_string_value(json_object_get(j, keys[i]));

		if (s && *s)
			return lac_arena_strdup(a, s);
	}
	return lac_arena_strdup(a, "");
}

static enum lac_status take_value(struct json_file *f, const struct object *ob,
				  const json_t *j, const char *value,
				  struct lac_perfstat_output *o,
				  struct lac_perfstat_event *e)
{
	struct lac_perfstat_scan s;
	struct lac_perfstat_number n;
	bool there;

	if (!get_number(j, "variance", &there, &n))
		return bad(f, ob, "variance");
	if (there) {
		o->runs = 0;
		e->has_error = true;
		e->error_percent = n;
		e->error_percent.rounding = 0.005;
	}
	if (!strcmp(value, "<not supported>") ||
	    !strcmp(value, "<not counted>")) {
		e->has_error = false;
		e->status = value[5] == 's' ? LAC_PERFSTAT_UNSUPPORTED
					    : LAC_PERFSTAT_NOT_COUNTED;
		return LAC_OK;
	}
	if (!lac_perfstat_scan_plain(value, &s) || *s.end ||
	    (s.decimals != 6 && s.decimals != 0))
		return bad(f, ob, "counter-value");
	LAC_TRY(lac_perfstat_see_marks(f->r, o, ob->line, &s));
	e->count = s.number;
	e->integer = !*e->unit;
	e->error = e->error_percent.value / 100 * e->count.value;
	if (!get_number(j, "event-runtime", &there, &n) ||
	    (there && n.value >= 0x1p63))
		return bad(f, ob, "event-runtime");
	e->has_run_time = there;
	e->run_time_ns = there ? (uint64_t)n.value : 0;
	if (!get_number(j, "pcnt-running", &there, &n))
		return bad(f, ob, "pcnt-running");
	if (there)
		e->running_percent = n.value;
	if (e->running_percent < 100)
		e->status = LAC_PERFSTAT_SCALED;
	return LAC_OK;
}

static enum lac_status take_event(struct json_file *f, const struct object *ob,
				  const json_t *j, const char *value)
{
	struct lac_perfstat_reader *r = f->r;
	const char *event = json_string_value(json_object_get(j, "event"));
	const char *unit = json_string_value(json_object_get(j, "unit"));
	const json_t *cpus = json_object_get(j, "aggregate-number");
	const char *where = get_where(f, j), *name;
	struct lac_perfstat_output *o;
	struct lac_perfstat_event *e;

	if (!event || !*event)
		return bad(f, ob, "an object without \"event\"");
	name = lac_arena_strdup(r->p->arena, event);
	unit = lac_arena_strdup(r->p->arena, unit ? unit : "");
	if (!where || !name || !unit)
		return lac_fail_memory(r->err);
	if (!f->open ||
	    lac_perfstat_index_find(&r->index, where, name) != SIZE_MAX) {
		LAC_TRY(lac_perfstat_begin_output(r, ob->line, &o));
		o->runs = 1;
		f->open = true;
	}
	o = &r->p->outputs[r->p->noutputs - 1];
	if (ob->comma_mark)
		o->mark = ',';
	LAC_TRY(lac_perfstat_begin_event(r, o, ob->line, where, name, &e));
	e->unit = unit;
	if (json_is_integer(cpus) && json_integer_value(cpus) > 0 &&
	    json_integer_value(cpus) < 1000000)
		e->cpus = (unsigned)json_integer_value(cpus);
	LAC_TRY(take_value(f, ob, j, value, o, e));
	return take_metric(f, ob, j, e);
}

static enum lac_status take_object(struct json_file *f, struct object *ob)
{
	struct lac_perfstat *p = f->r->p;
	enum lac_status st = LAC_OK;
	const char *value;
	json_error_t why;
	json_t *j = json_loadb(ob->text, ob->n, JSON_REJECT_DUPLICATES, &why);

	if (!j)
		return bad(f, ob, why.text);
	value = json_string_value(json_object_get(j, "counter-value"));
	if (json_object_get(j, "interval")) {
		f->r->series_lines++;
	} else if (value) {
		st = take_event(f, ob, j, value);
	} else if (json_object_get(j, "metric-value") && f->open) {
		struct lac_perfstat_output *o = &p->outputs[p->noutputs - 1];

		st = take_metric(f, ob, j, &o->events[o->nevents - 1]);
	}
	json_decref(j);
	return st;
}

static bool begins_object(const char *s)
{
	return *s == '{' && s[1 + strspn(s + 1, " \t")] == '"';
}

static enum lac_status read_objects(struct json_file *f, struct object *ob)
{
	const struct lac_perfstat_lines *l = f->r->lines;
	bool inside = false, fits;

	for (size_t i = 0; i < l->n; i++) {
		const char *s = l->at[i].text + strspn(l->at[i].text, " \t");

		while (*s) {
			if (!inside && !begins_object(s))
				break;
			if (!inside) {
				memset(ob, 0, offsetof(struct object, text));
				ob->line = l->at[i].number;
			}
			inside = !feed(ob, s, &s, &fits);
			if (!fits)
				return bad(f, ob, "an object without an end");
			if (inside)
				break;
			LAC_TRY(take_object(f, ob));
			s += strspn(s, " \t,");
		}
	}
	return inside ? bad(f, ob, "an object without an end") : LAC_OK;
}

enum lac_status lac_perfstat_read_json(struct lac_perfstat_reader *r)
{
	struct json_file f = { .r = r };
	struct object *ob = lac_arena_zalloc(r->p->arena, 1, sizeof(*ob));

	return ob ? read_objects(&f, ob) : lac_fail_memory(r->err);
}

size_t lac_perfstat_count_json(const struct lac_perfstat_lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const char *s = l->at[i].text + strspn(l->at[i].text, " \t");

		n += begins_object(s) && (strstr(s, "\"counter-value\"") ||
					  strstr(s, "\"metric-value\"") ||
					  strstr(s, "\"event\""));
	}
	return n;
}
