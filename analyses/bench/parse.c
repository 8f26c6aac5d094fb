/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.c - what a program printed, checked: it is another process, and may be
 * another version.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/protocol.h"

/* A parse in progress: the first complaint is kept and fails the lot. */
struct reader {
	const char *program;
	struct lac_arena *arena;
	const char *missing; /* a key */
	bool no_memory;
	bool several; /* CPUs, which share no last level */
};

static uint64_t number(struct reader *r, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_integer(v) && json_integer_value(v) >= 0)
		return (uint64_t)json_integer_value(v);
	if (!r->missing)
		r->missing = key;
	return 0;
}

/* A number that may be null, and is 0 then: the caller knows why it may. */
static uint64_t number_or_null(struct reader *r, const json_t *o,
			       const char *key)
{
	return json_is_null(json_object_get(o, key)) ? 0 : number(r, o, key);
}

static uint64_t llc(struct reader *r, const json_t *o)
{
	return r->several ? number_or_null(r, o, "llc_misses")
			  : number(r, o, "llc_misses");
}

static double real_or_nan(struct reader *r, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_number(v) && isfinite(json_number_value(v)))
		return json_number_value(v);
	if (!json_is_null(v) && !r->missing)
		r->missing = key;
	return NAN;
}

static const char *text(struct reader *r, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_string(v))
		return json_string_value(v);
	if (!r->missing)
		r->missing = key;
	return "";
}

static const char *text_or_null(struct reader *r, const json_t *o,
				const char *key)
{
	return json_is_null(json_object_get(o, key)) ? NULL : text(r, o, key);
}

static void *zalloc(struct reader *r, size_t n, size_t size)
{
	void *p = lac_arena_zalloc(r->arena, n, size);

	if (!p)
		r->no_memory = true;
	return p;
}

static enum lac_status load(const struct lac_process *p, struct reader *r,
			    json_t **ret, struct lac_err *err)
{
	const char *slash = strrchr(p->argv[0], '/');
	json_error_t e;

	r->program = slash ? slash + 1 : p->argv[0];
	*ret = json_loadb(p->output, p->output_size, 0, &e);
	if (*ret && json_is_object(*ret))
		return LAC_OK;
	json_decref(*ret);
	*ret = NULL;
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: printed something else than an object of JSON: "
			"%s; run `make` to bring the programs up to date",
			r->program, e.text);
}

static enum lac_status done(const struct reader *r, json_t *json,
			    struct lac_err *err)
{
	if (!r->missing && !r->no_memory)
		return LAC_OK;
	json_decref(json);
	if (r->no_memory)
		return lac_fail_memory(err);
	return lac_fail(err, LAC_BAD_INPUT,
			"%s: printed no usable '%s'; run `make` to bring the "
			"programs up to date",
			r->program, r->missing);
}

static void parse_count(struct reader *r, const char *name, const json_t *o,
			double ops, struct lac_count *c)
{
	double enabled, running;

	c->name = name;
	c->status = LAC_COUNTER_UNSUPPORTED;
	if (!lac_counter_status_parse(text(r, o, "status"), &c->status) &&
	    !r->missing)
		r->missing = "status";
	c->value = real_or_nan(r, o, "value") / ops;
	c->user_only = json_is_true(json_object_get(o, "user_only"));
	enabled = json_number_value(json_object_get(o, "enabled_ns"));
	running = json_number_value(json_object_get(o, "running_ns"));
	c->running = enabled > 0 ? running / enabled : 1;
}

static void parse_counts(struct reader *r, json_t *counters,
			 struct lac_sample *s)
{
	const char *name;
	json_t *v;
	size_t n = 0;

	s->counts = zalloc(r, json_object_size(counters), sizeof(*s->counts));
	if (!s->counts)
		return;
	json_object_foreach(counters, name, v)
		parse_count(r, name, v, s->ops, &s->counts[n++]);
	s->ncounts = n;
}

enum lac_status lac_sample_parse(const struct lac_process *p,
				 struct lac_arena *arena,
				 struct lac_sample *ret, struct lac_err *err)
{
	struct reader r = { .arena = arena };
	struct lac_sample s = { 0 };
	const json_t *cpu, *wall;

	LAC_TRY(load(p, &r, &s.json, err));
	if (lac_variant_parse(text(&r, s.json, "variant"), &s.variant, err) !=
		    LAC_OK &&
	    !r.missing)
		r.missing = "variant";
	s.build = (unsigned)number(&r, s.json, "build");
	s.blocks = (unsigned)number(&r, s.json, "blocks");
	s.zero_blocks = (unsigned)number(&r, s.json, "zero_blocks");
	s.ops = (double)number(&r, s.json, "ops_per_block") * s.blocks;
	cpu = json_object_get(s.json, "cpu_ns");
	wall = json_object_get(s.json, "wall_ns");
	s.time_ns[LAC_CPU_Q10] = real_or_nan(&r, cpu, "q10");
	s.time_ns[LAC_CPU_MEDIAN] = real_or_nan(&r, cpu, "median");
	s.time_ns[LAC_WALL_MEDIAN] = real_or_nan(&r, wall, "median");
	s.statistics = json_object_get(s.json, "statistics");
	if (s.ops > 0)
		parse_counts(&r, json_object_get(s.json, "counters"), &s);
	LAC_TRY(done(&r, s.json, err));
	*ret = s;
	return LAC_OK;
}

static void parse_offsets(struct reader *r, const json_t *list,
			  struct lac_array_count *a)
{
	struct lac_offset_count *o;
	size_t n = json_array_size(list), i;
	json_t *v;

	o = zalloc(r, n, sizeof(*o));
	if (!o)
		return;
	json_array_foreach(list, i, v) {
		o[i].offset = number(r, v, "offset");
		o[i].accesses = number_or_null(r, v, "accesses");
		o[i].l1_misses = number(r, v, "l1_misses");
		o[i].l2_misses = number(r, v, "l2_misses");
		o[i].llc_misses = llc(r, v);
	}
	a->offsets = o;
	a->noffsets = n;
}

static void parse_array(struct reader *r, const json_t *v,
			struct lac_array_count *a)
{
	a->name = text(r, v, "name");
	a->type = text_or_null(r, v, "type");
	a->view = a->type ? text_or_null(r, v, "view") : NULL;
	a->stride = number_or_null(r, v, "stride");
	a->period = number_or_null(r, v, "period");
	a->accesses = number(r, v, "accesses");
	a->lines_touched = number(r, v, "lines_touched");
	a->lines_footprint = number(r, v, "lines_footprint");
	a->l1_misses = number(r, v, "l1_misses");
	a->l2_misses = number(r, v, "l2_misses");
	a->llc_misses = llc(r, v);
	parse_offsets(r, json_object_get(v, "by_offset"), a);
}

static void parse_arrays(struct reader *r, const json_t *list,
			 struct lac_simulation *s)
{
	struct lac_array_count *a;
	size_t n = json_array_size(list), i;
	json_t *v;

	a = zalloc(r, n, sizeof(*a));
	if (!a)
		return;
	json_array_foreach(list, i, v) {
		parse_array(r, v, &a[i]);
		if (!strcmp(a[i].name, "page_array"))
			s->page_array = &a[i];
	}
	s->arrays = a;
	s->narrays = n;
	if (!s->page_array && !r->missing)
		r->missing = "arrays: page_array";
}

/* "L1 32K/8, L2 256K/8, L3 30M/24; 64-byte lines" */
static const char *parse_geometry(struct reader *r, const json_t *caches,
				  unsigned line)
{
	const char *all = "";
	json_t *v;
	size_t i;

	json_array_foreach(caches, i, v) {
		uint64_t size = number(r, v, "size");
		bool mega = size >= 1 << 20 && size % (1 << 20) == 0;

		all = lac_arena_printf(
			r->arena, "%s%s%s %llu%s/%llu", all, i ? ", " : "",
			text(r, v, "name"),
			(unsigned long long)(size >> (mega ? 20 : 10)),
			mega ? "M" : "K",
			(unsigned long long)number(r, v, "ways"));
		if (!all)
			break;
	}
	if (all)
		all = lac_arena_printf(r->arena, "%s; %u-byte lines", all,
				       line);
	if (!all)
		r->no_memory = true;
	return all;
}

enum lac_status lac_simulation_parse(const struct lac_process *p,
				     struct lac_arena *arena,
				     struct lac_simulation *ret,
				     struct lac_err *err)
{
	struct reader r = { .arena = arena };
	struct lac_simulation s = { 0 };

	LAC_TRY(load(p, &r, &s.json, err));
	s.program = text(&r, s.json, "program");
	s.cpus = json_object_get(s.json, "cpus")
			 ? (unsigned)number(&r, s.json, "cpus")
			 : 1;
	r.several = s.cpus > 1;
	s.preset = text_or_null(&r, s.json, "preset");
	s.line_bytes = (unsigned)number(&r, s.json, "line_bytes");
	s.geometry = parse_geometry(&r, json_object_get(s.json, "caches"),
				    s.line_bytes);
	s.l1_bytes = number(&r,
			    json_array_get(json_object_get(s.json, "caches"),
					   0),
			    "size");
	s.size = number(&r, s.json, "size");
	s.class_size = number(&r, s.json, "class_size");
	s.n = number(&r, s.json, "n");
	s.ops = number(&r, s.json, "ops");
	s.order = number(&r, s.json, "order");
	s.objects_per_slab = number(&r, s.json, "objects_per_slab");
	s.page_stride = number(&r, s.json, "page_stride");
	s.accesses = number(&r, s.json, "accesses");
	s.straddles = number(&r, s.json, "straddles");
	s.l1_misses = number(&r, s.json, "l1_misses");
	s.l2_misses = number(&r, s.json, "l2_misses");
	s.llc_misses = llc(&r, s.json);
	/* programs of before have neither */
	s.has_prefetches = json_is_integer(json_object_get(s.json, "prefetches"));
	if (s.has_prefetches)
		s.prefetches = number(&r, s.json, "prefetches");
	s.has_dtlb = json_is_integer(json_object_get(s.json, "dtlb_misses"));
	if (s.has_dtlb)
		s.dtlb_misses = number(&r, s.json, "dtlb_misses");
	if (r.several) {
		const json_t *k = json_object_get(s.json, "coherence");

		s.hitm = number(&r, k, "hitm_reads") +
			 number(&r, k, "hitm_writes");
		s.true_sharing = number(&r, k, "true_sharing");
		s.false_sharing = number(&r, k, "false_sharing");
	}
	s.statistics = json_object_get(s.json, "statistics");
	parse_arrays(&r, json_object_get(s.json, "arrays"), &s);
	if (!s.ops && !r.missing)
		r.missing = "ops";
	LAC_TRY(done(&r, s.json, err));
	*ret = s;
	return LAC_OK;
}

double lac_statistic_value(const json_t *statistics, const char *name)
{
	const json_t *v = json_object_get(statistics, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}
