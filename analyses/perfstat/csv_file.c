/* SPDX-License-Identifier: BSD-2-Clause */
/* csv_file.c - which separator, which decimal mark; then every line. */
#include <string.h>

#include "perfstat/csv.h"

enum { MAX_CANDIDATES = 24, MAX_SEPARATOR = 8 };

struct dialect {
	char sep[MAX_SEPARATOR + 1];
	char mark;
	size_t fits; /* lines that can be read so */
};

struct dialects {
	size_t n;
	char sep[MAX_CANDIDATES][MAX_SEPARATOR + 1];
};

/* The bar at the beginning may be the separator and not a quoting. */
static const char *line_text(const struct lac_perfstat_line *l,
			     const char *sep)
{
	return *sep == '|' ? l->raw : l->text;
}

static void add_separator(struct dialects *d, const char *s, size_t n)
{
	if (!n || n > MAX_SEPARATOR || d->n == MAX_CANDIDATES)
		return;
	for (size_t i = 0; i < d->n; i++)
		if (strlen(d->sep[i]) == n && !memcmp(d->sep[i], s, n))
			return;
	memcpy(d->sep[d->n], s, n);
	d->sep[d->n++][n] = '\0';
}

static bool is_word(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '<';
}

/* What follows the value: the separator, or two of them about no unit. */
static void guess_separator(struct dialects *d, const char *s)
{
	size_t n = 0;

	s += strspn(s, " ");
	if (!strncmp(s, "<not ", 5)) {
		s = strchr(s, '>');
		if (!s)
			return;
		s++;
	} else {
		size_t digits = strspn(s, "0123456789");

		if (!digits)
			return;
		s += digits;
		if ((*s == '.' || *s == ',') && s[1] >= '0' && s[1] <= '9')
			s += 1 + strspn(s + 1, "0123456789");
	}
	while (s[n] && !is_word(s[n]) && n <= MAX_SEPARATOR * 2)
		n++;
	add_separator(d, s, n);
	if (n % 2 == 0 && n && !memcmp(s, s + n / 2, n / 2))
		add_separator(d, s, n / 2);
}

static void find_candidates(const struct lac_perfstat_lines *l,
			    struct dialects *d)
{
	static const char *const usual[] = { ",", ";", "\t", "|", ":", " " };

	d->n = 0;
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		add_separator(d, usual[i], strlen(usual[i]));
	for (size_t i = 0; i < l->n; i++)
		guess_separator(d, l->at[i].text);
}

static size_t count_fits(const struct lac_perfstat_lines *l, const char *sep,
			 char mark)
{
	struct lac_perfstat_csv c;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += lac_perfstat_csv_parse(line_text(&l->at[i], sep), sep,
					    mark, &c) &&
		     !c.continues;
	return n;
}

/* The best, and how many are as good. */
static size_t best_dialect(const struct lac_perfstat_lines *l,
			   struct dialect *best)
{
	struct dialects d;
	size_t ties = 0;

	best->fits = 0;
	find_candidates(l, &d);
	for (size_t i = 0; i < d.n; i++)
		for (int k = 0; k < 2; k++) {
			char mark = k ? ',' : '.';
			size_t fits = count_fits(l, d.sep[i], mark);

			if (fits > best->fits) {
				strcpy(best->sep, d.sep[i]);
				best->mark = mark;
				best->fits = fits;
				ties = 1;
			} else if (fits && fits == best->fits) {
				ties++;
			}
		}
	return ties;
}

size_t lac_perfstat_count_csv(const struct lac_perfstat_lines *l)
{
	struct dialect best;

	best_dialect(l, &best);
	return best.fits;
}

/* --- reading */

struct csv_file {
	struct lac_perfstat_reader *r;
	struct dialect d;
	bool open;
};

static enum lac_status take_metric(struct csv_file *f,
				   struct lac_perfstat_event *e,
				   const struct lac_perfstat_csv *c)
{
	struct lac_perfstat *p = f->r->p;
	struct lac_perfstat_metric *m;

	if (!c->has_metric)
		return LAC_OK;
	m = lac_perfstat_add_metric(p, e);
	if (!m)
		return lac_fail_memory(f->r->err);
	m->unit = lac_arena_strndup(p->arena, c->metric_unit.s,
				    c->metric_unit.n);
	if (!m->unit)
		return lac_fail_memory(f->r->err);
	m->printed = c->metric;
	if (c->metric_cut)
		m->check = LAC_PERFSTAT_CUT;
	return LAC_OK;
}

static enum lac_status take_event(struct csv_file *f, unsigned line,
				  const struct lac_perfstat_csv *c)
{
	struct lac_perfstat_reader *r = f->r;
	struct lac_arena *a = r->p->arena;
	const char *where = lac_arena_strndup(a, c->where.s ? c->where.s : "",
					      c->where.n);
	const char *name = lac_arena_strndup(a, c->name.s, c->name.n);
	const char *unit = lac_arena_strndup(a, c->unit.s, c->unit.n);
	struct lac_perfstat_output *o;
	struct lac_perfstat_event *e;

	if (!where || !name || !unit)
		return lac_fail_memory(r->err);
	if (!f->open ||
	    lac_perfstat_index_find(&r->index, where, name) != SIZE_MAX) {
		LAC_TRY(lac_perfstat_begin_output(r, line, &o));
		o->runs = 1;
		o->mark = f->d.mark;
		f->open = true;
	}
	o = &r->p->outputs[r->p->noutputs - 1];
	LAC_TRY(lac_perfstat_begin_event(r, o, line, where, name, &e));
	e->cpus = c->cpus;
	e->unit = unit;
	e->status = c->status;
	if (c->has_noise)
		o->runs = 0;
	if (c->status != LAC_PERFSTAT_MEASURED)
		return LAC_OK;
	LAC_TRY(lac_perfstat_check_decimals(r, e, &c->value));
	e->count = c->value.number;
	e->integer = !c->value.decimals;
	e->has_error = c->has_noise;
	if (c->has_noise) {
		e->error_percent = c->noise.number;
		e->error = e->error_percent.value / 100 * e->count.value;
	}
	e->has_run_time = true;
	e->run_time_ns = c->run_time_ns;
	e->running_percent = c->share.number.value;
	if (e->running_percent < 100)
		e->status = LAC_PERFSTAT_SCALED;
	return take_metric(f, e, c);
}

/* A number at its beginning and separators enough: an event, not prose. */
static bool looks_like_event(const struct csv_file *f, const char *s)
{
	size_t n = 0;
	const char *p = s;

	while ((p = strstr(p, f->d.sep)) != NULL) {
		n++;
		p += strlen(f->d.sep);
	}
	s += strspn(s, " ");
	return n >= 5 && ((*s >= '0' && *s <= '9') || !strncmp(s, "<not", 4) ||
			  !strncmp(s, "CPU", 3));
}

static enum lac_status read_line(struct csv_file *f,
				 const struct lac_perfstat_line *l)
{
	struct lac_perfstat_reader *r = f->r;
	const char *s = line_text(l, f->d.sep);
	struct lac_perfstat_csv c;
	struct lac_perfstat_output *o;

	if (!strncmp(l->text, "# started on", 12)) {
		f->open = false;
		return LAC_OK;
	}
	if (!lac_perfstat_csv_parse(s, f->d.sep, f->d.mark, &c)) {
		if (!looks_like_event(f, s))
			return LAC_OK;
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s:%u: the fields of this line cannot be told "
				"apart: run perf stat again with LC_ALL=C and "
				"a separator that is in no event name, such as "
				"-x ';'",
				r->p->name, l->number);
	}
	if (c.series) {
		r->series_lines++;
		return LAC_OK;
	}
	if (!c.continues)
		return take_event(f, l->number, &c);
	if (!f->open)
		return LAC_OK;
	o = &r->p->outputs[r->p->noutputs - 1];
	return take_metric(f, &o->events[o->nevents - 1], &c);
}

enum lac_status lac_perfstat_read_csv(struct lac_perfstat_reader *r)
{
	struct csv_file f = { .r = r };
	char *sep;

	if (best_dialect(r->lines, &f.d) != 1)
		return lac_fail(r->err, LAC_BAD_INPUT,
				"%s: more than one character could be the "
				"separator: run perf stat again with -x ';'",
				r->p->name);
	sep = lac_arena_strdup(r->p->arena, f.d.sep);
	if (!sep)
		return lac_fail_memory(r->err);
	r->p->separator = sep;
	for (size_t i = 0; i < r->lines->n; i++)
		LAC_TRY(read_line(&f, &r->lines->at[i]));
	return LAC_OK;
}
