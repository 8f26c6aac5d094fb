/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * human.c - the form for people.
 *
 * An output begins with "Performance counter stats for" and ends with the
 * elapsed time; mails often quote only some of its lines, so a line that can
 * be nothing else is taken without its header.  Columns are never counted:
 * widths differ between versions of perf and do not survive a mail.
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "perfstat/record.h"

/* Not even an output filled into one paragraph has more pieces than this. */
#define MAX_PIECES 64
#define MAX_JOINED 8192
/* A broken file must not bury the rest in notes. */
#define MAX_UNREAD 10
/* As of perf's own -r, far beyond what anyone waits for. */
#define MAX_RUNS 100000000

struct human {
	struct lac_perfstat_reader *r;
	bool open;   /* p->outputs[last] takes lines */
	bool headed; /* and began with its header */
	bool table;  /* in the table of single runs */
	unsigned runs; /* what is left of a header says, for what follows */
	size_t unread; /* lines in the output that were not understood */
	/* lines outside of one that look like events and are none */
	size_t passed, first_passed;
};

static struct lac_perfstat_output *current(struct human *h)
{
	return &h->r->p->outputs[h->r->p->noutputs - 1];
}

static bool has(const char *s, const char *what)
{
	return strstr(s, what) != NULL;
}

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* --- which lines belong together */

static bool is_header(const char *s)
{
	return has(s, "Performance counter stats for");
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static bool is_comment(const char *s)
{
	return !strncmp(s, "# Table", 7) || !strncmp(s, "# Final", 7) ||
	       !strncmp(s, "# started", 9) || has(s, "counts unit events") ||
	       has(s, "counts events");
}

/*
 * "(10 runs)", also "( 10 runs ) :" as some mails have it: where it ends, with
 * its colon, and the number; NULL if it does not stand at s.
 */
static const char *after_runs(const char *s, unsigned *runs)
{
	unsigned long n;
	char *end;

	if (*s != '(')
		return NULL;
	s = blanks(s + 1);
	if (*s < '0' || *s > '9')
		return NULL;
	n = strtoul(s, &end, 10);
	s = blanks(end);
	if (strncmp(s, "runs", 4) != 0 && strncmp(s, "run)", 4) != 0)
		return NULL;
	s = blanks(s + 3 + (s[3] == 's'));
	if (*s != ')' || !n || n > MAX_RUNS)
		return NULL;
	*runs = (unsigned)n;
	s++;
	return *blanks(s) == ':' ? blanks(s) + 1 : s;
}

/* "(N runs):" in s, or without a colon if none has one.  NULL: none. */
static const char *find_runs(const char *s, const char **after, unsigned *runs)
{
	const char *found = NULL;

	for (; (s = strchr(s, '(')); s++) {
		unsigned n;
		const char *end = after_runs(s, &n);

		if (!end || (found && end[-1] != ':'))
			continue;
		found = s;
		*after = end;
		*runs = n;
		if (end[-1] == ':')
			break;
	}
	return found;
}

/* The end of the header in s, or NULL: the line is cut inside of it. */
static const char *after_header(const char *s)
{
	const char *one = strstr(s, "':"), *after;
	unsigned runs;

	if (find_runs(s, &after, &runs))
		return after;
	return one ? one + 2 : ends_with(s, ":") ? s + strlen(s) : NULL;
}

/* The last record of a line that may have several, or what is left of it. */
static const char *last_record(const char *s, bool headed)
{
	struct lac_perfstat_record rec;

	while (lac_perfstat_record_parse(s, headed, &rec) &&
	       lac_perfstat_record_start(rec.end, headed))
		s = rec.end;
	return s;
}

/* Cut where more must follow. */
static bool is_dangling(const char *s)
{
	const char *open = strrchr(s, '('), *close = strrchr(s, ')');

	if (open && (!close || close < open))
		return true;
	if (ends_with(s, "#") || ends_with(s, "+-") || ends_with(s, "<not") ||
	    ends_with(s, "seconds") || ends_with(s, "seconds time"))
		return true;
	return lac_perfstat_is_nameless(s);
}

/* Cut inside of a metric: "# 0.893 CPUs", and the rest begins the next. */
static bool cut_in_unit(const char *s, const char *next)
{
	const char *hash = strrchr(s, '#');
	struct lac_perfstat_scan n;
	char both[128];
	bool partial;
	size_t before, len;

	if (!hash || !lac_perfstat_scan_plain(blanks(hash + 1), &n))
		return false;
	s = blanks(n.end);
	if (*s == '%')
		s = blanks(s + 1);
	before = strlen(s);
	if (before >= 40)
		return false;
	if (lac_perfstat_metric_unit(s, &partial) == before && before &&
	    !partial)
		return false;
	memcpy(both, s, before);
	if (before)
		both[before++] = ' ';
	next = blanks(next);
	len = strnlen(next, sizeof(both) - before - 1);
	memcpy(both + before, next, len);
	both[before + len] = '\0';
	return lac_perfstat_metric_unit(both, &partial) > before || partial;
}

static bool joins(const char *s, const char *next, bool headed)
{
	const char *n = blanks(next);
	struct lac_perfstat_record rec;

	if (is_header(s)) {
		if (!after_header(s))
			return !is_header(n) &&
			       !lac_perfstat_record_parse(n, false, &rec);
		s = after_header(s);
	}
	s = last_record(s, headed);
	if (!lac_perfstat_record_start(s, headed) || is_header(n) ||
	    is_comment(n))
		return false;
	if (*n == '#')
		return true;
	if ((*n == '(' || *n == '[') &&
	    (!n[1] || lac_perfstat_is_noise_or_share(n, NULL)))
		return true;
	if (is_dangling(s))
		return true;
	return cut_in_unit(s, n);
}

/* --- what a line says */

static enum lac_status open_output(struct human *h, unsigned line, bool headed)
{
	struct lac_perfstat_reader *r = h->r;
	struct lac_perfstat_output *o;

	LAC_TRY(lac_perfstat_begin_output(r, line, &o));
	o->runs = headed ? 0 : h->runs;
	h->runs = 0;
	h->open = true;
	h->headed = headed;
	h->table = false;
	return LAC_OK;
}

/* "Performance counter stats for 'CMD' (5 runs):" */
static enum lac_status read_header(struct human *h, unsigned line,
				   const char **rest, const char *s)
{
	struct lac_perfstat_output *o;
	const char *runs;
	char *title;
	size_t n;

	LAC_TRY(open_output(h, line, true));
	o = current(h);
	o->runs = 1;
	s = strstr(s, "stats for") + strlen("stats for");
	s = blanks(s);
	runs = find_runs(s, rest, &o->runs);
	if (!runs) {
		*rest = after_header(s);
		if (!*rest)
			*rest = s + strlen(s);
	}
	n = (size_t)((runs ? runs : *rest) - s);
	if (!runs && n && s[n - 1] == ':')
		n--;
	while (n && s[n - 1] == ' ')
		n--;
	title = lac_arena_strndup(h->r->p->arena, s, n);
	if (!title)
		return lac_fail_memory(h->r->err);
	o->title = title;
	return LAC_OK;
}

static enum lac_status unread(struct human *h, unsigned line, const char *s)
{
	current(h)->damaged = true;
	if (++h->unread > MAX_UNREAD)
		return LAC_OK;
	if (h->unread == MAX_UNREAD)
		return lac_perfstat_add_note(h->r, line,
					     "further lines from here on are "
					     "not understood either");
	return lac_perfstat_add_note(h->r, line, "not understood: %.60s",
				     blanks(s));
}

/* One line of --table: "0.3145 (-0.0374) ###". */
static enum lac_status read_table_line(struct human *h, unsigned line,
				       const char *s, bool *taken)
{
	struct lac_perfstat_output *o = current(h);
	struct lac_perfstat_scan n;
	void *grown;

	*taken = lac_perfstat_scan_plain(s, &n) && *blanks(n.end) == '(';
	if (!*taken)
		return LAC_OK;
	LAC_TRY(lac_perfstat_see_marks(h->r, o, line, &n));
	grown = lac_perfstat_grow(h->r->p->arena, o->runs_s, o->nruns_s,
				  &o->runs_s_cap, sizeof(*o->runs_s));
	if (!grown)
		return lac_fail_memory(h->r->err);
	o->runs_s = grown;
	o->runs_s[o->nruns_s++] = n.number;
	return LAC_OK;
}

/*
 * "17.0820 +- 0.0202 seconds time elapsed ( +- 0.12% )"; before 4.17 without
 * the first error; "seconds user" and "seconds sys" have none.
 */
static enum lac_status read_footer(struct human *h, unsigned line,
				   const char *s, bool *taken)
{
	struct lac_perfstat_footer f;
	struct lac_perfstat_output *o;
	struct lac_perfstat_time *t;

	*taken = lac_perfstat_footer_parse(s, &f);
	if (!*taken)
		return LAC_OK;
	if (f.kind == LAC_PERFSTAT_ELAPSED &&
	    (!h->open || current(h)->elapsed.known))
		LAC_TRY(open_output(h, line, false));
	if (!h->open && !h->r->p->noutputs)
		return LAC_OK; /* `time` prints such lines too */
	o = current(h);
	t = f.kind == LAC_PERFSTAT_ELAPSED ? &o->elapsed
	    : f.kind == LAC_PERFSTAT_USER ? &o->user
					  : &o->sys;
	if (t->known)
		return LAC_OK;
	LAC_TRY(lac_perfstat_see_marks(h->r, o, line, &f.s));
	t->known = true;
	t->s = f.s.number;
	if (f.has_error) {
		LAC_TRY(lac_perfstat_see_marks(h->r, o, line, &f.error));
		t->has_error = true;
		t->error_s = f.error.number;
	} else if (f.has_noise) {
		t->has_error = true;
		t->error_s.value = f.noise.number.value / 100 * f.s.number.value;
		t->error_s.rounding =
			f.noise.number.rounding / 100 * f.s.number.value;
	}
	if (f.has_noise)
		LAC_TRY(lac_perfstat_see_marks(h->r, o, line, &f.noise));
	o->last_line = line;
	h->table = false;
	if (f.kind == LAC_PERFSTAT_ELAPSED)
		h->open = h->headed = false;
	return LAC_OK;
}

static enum lac_status take_record(struct human *h, unsigned line,
				   const struct lac_perfstat_record *rec)
{
	struct lac_perfstat_reader *r = h->r;

	if (rec->series) {
		r->series_lines++;
		return LAC_OK;
	}
	if (!h->open)
		LAC_TRY(open_output(h, line, false));
	if (!h->headed) {
		struct lac_perfstat_output *o = current(h);
		bool again;

		LAC_TRY(lac_perfstat_record_seen(r, rec, &again));
		if (again && o->nevents)
			LAC_TRY(open_output(h, line, false));
	}
	return lac_perfstat_take_record(r, current(h), line, rec);
}

/* Prose about an event is not one, but nothing is passed over silently. */
static void pass(struct human *h, unsigned line, const char *s)
{
	if (!lac_perfstat_looks_like_event(s))
		return;
	if (!h->passed++)
		h->first_passed = line;
}

static enum lac_status read_records(struct human *h, unsigned line,
				    const char *s)
{
	struct lac_perfstat_record rec;
	bool taken;

	while (*(s = blanks(s))) {
		LAC_TRY(read_footer(h, line, s, &taken));
		if (taken)
			return LAC_OK;
		if (!lac_perfstat_record_parse(s, h->open && h->headed, &rec)) {
			if (h->open && h->headed)
				return unread(h, line, s);
			pass(h, line, s);
			return LAC_OK;
		}
		LAC_TRY(take_record(h, line, &rec));
		s = rec.end;
	}
	return LAC_OK;
}

static enum lac_status read_line(struct human *h, unsigned line, const char *s)
{
	bool taken = false;
	unsigned runs;
	const char *end;

	s = blanks(s);
	if (is_header(s)) {
		LAC_TRY(read_header(h, line, &s, s));
		s = blanks(s);
	}
	if (is_comment(s)) {
		if (!strncmp(s, "# started", 9))
			h->open = h->headed = false;
		h->table = h->open && !strncmp(s, "# Table", 7);
		return LAC_OK;
	}
	if (h->table)
		LAC_TRY(read_table_line(h, line, s, &taken));
	if (!h->open && find_runs(s, &end, &runs) && !*blanks(end)) {
		h->runs = runs;
		return LAC_OK;
	}
	return taken ? LAC_OK : read_records(h, line, s);
}

static enum lac_status check_outputs(struct human *h)
{
	const struct lac_perfstat *p = h->r->p;

	if (h->passed)
		LAC_TRY(lac_perfstat_add_note(
			h->r, (unsigned)h->first_passed,
			"%zu line%s with the look of events from here on %s "
			"not read: not under a header, and not as perf prints "
			"them",
			h->passed, lac_s(h->passed),
			lac_plural(h->passed, "was", "were")));

	for (size_t i = 0; i < p->noutputs; i++) {
		const struct lac_perfstat_output *o = &p->outputs[i];

		if (o->title && !o->nevents)
			return lac_fail(
				h->r->err, LAC_UNSUPPORTED,
				"%s:%u: an output without counts: metrics "
				"alone (-M, --metric-only) are not read; run "
				"perf stat again without, or with -j",
				p->name, o->first_line);
	}
	return LAC_OK;
}

enum lac_status lac_perfstat_read_human(struct lac_perfstat_reader *r)
{
	struct human h = { .r = r };
	const struct lac_perfstat_lines *l = r->lines;

	for (size_t i = 0, n; i < l->n; i += n) {
		const char *s = l->at[i].text;

		for (n = 1; n < MAX_PIECES && i + n < l->n && !h.table &&
			    strlen(s) < MAX_JOINED &&
			    joins(s, l->at[i + n].text,
				  h.headed || is_header(s));
		     n++) {
			s = lac_arena_printf(r->p->arena, "%s %s", s,
					     blanks(l->at[i + n].text));
			if (!s)
				return lac_fail_memory(r->err);
		}
		LAC_TRY(read_line(&h, l->at[i].number, s));
	}
	return check_outputs(&h);
}

size_t lac_perfstat_count_human(const struct lac_perfstat_lines *l)
{
	struct lac_perfstat_footer f;
	struct lac_perfstat_record rec;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const char *s = blanks(l->at[i].text);

		n += is_header(s) || lac_perfstat_footer_parse(s, &f) ||
		     lac_perfstat_record_parse(s, false, &rec);
	}
	return n;
}
