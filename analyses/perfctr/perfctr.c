/* SPDX-License-Identifier: BSD-2-Clause */
#include "perfctr/perfctr.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 16 };

/* What the kernel says of one event since it was opened. */
struct reading {
	uint64_t raw, enabled, running;
};

struct counter {
	struct lac_counter_event event;
	enum lac_counter_status status; /* MEASURED while it has an fd */
	int fd;				/* -1 if it could not be opened */
	int leader;	/* index of the counter that leads its group */
	unsigned place; /* in what a read of the group returns */
	bool user_only;
	struct reading base; /* at the last start: resetting spares the times */
};

/*
 * Invariants: a counter with an fd has a leader with an fd, at or before it;
 * the members of a group have the places 0, 1, 2... in the order of opening.
 */
struct lac_perfctr {
	const struct lac_perf_os *os;
	bool inherit, started;
	size_t n;
	struct counter counters[];
};

static enum lac_counter_status status_of_errno(int e)
{
	switch (e) {
	case EACCES:
	case EPERM:
		return LAC_COUNTER_NOT_PERMITTED;
	case EBUSY: /* another user has the counters for himself */
	case ENOSPC:
	case EMFILE:
	case ENFILE:
		return LAC_COUNTER_NOT_COUNTED;
	default: /* ENOENT, EOPNOTSUPP, ENODEV, ENOSYS, EINVAL */
		return LAC_COUNTER_UNSUPPORTED;
	}
}

static void attr_init(struct perf_event_attr *a,
		      const struct lac_counter_event *e, bool leads,
		      bool inherit)
{
	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	a->type = e->type;
	a->config = e->config;
	a->config1 = e->config1;
	a->config2 = e->config2;
	a->disabled = leads; /* the others follow their leader */
	a->inherit = inherit;
	a->exclude_hv = 1;
	a->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			 PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!inherit) /* the kernel refuses both together */
		a->read_format |= PERF_FORMAT_GROUP;
}

/* Open one; a refusal is tried again without the kernel's share. */
static void counter_open(struct lac_perfctr *p, size_t i, int leader)
{
	struct counter *c = &p->counters[i];
	int group_fd = leader < 0 ? -1 : p->counters[leader].fd;
	struct perf_event_attr a;

	attr_init(&a, &c->event, leader < 0, p->inherit);
	c->fd = p->os->open(p->os->context, &a, group_fd);
	if (c->fd < 0 && (errno == EACCES || errno == EPERM)) {
		c->status = LAC_COUNTER_NOT_PERMITTED;
		if (c->event.kernel_side)
			return;
		a.exclude_kernel = 1;
		c->fd = p->os->open(p->os->context, &a, group_fd);
		c->user_only = c->fd >= 0;
	}
	c->status = c->fd < 0 ? status_of_errno(errno) : LAC_COUNTER_MEASURED;
}

enum lac_status lac_perfctr_open(const struct lac_counter_event *events,
				 size_t nevents,
				 const struct lac_perfctr_options *o,
				 struct lac_perfctr **ret, struct lac_err *err)
{
	int leaders[GROUPS];
	unsigned sizes[GROUPS] = { 0 };
	struct lac_perfctr *p;

	if (nevents > LAC_PERFCTR_MAX)
		return lac_fail(err, LAC_USAGE,
				"%zu events asked for: at most %d can be "
				"counted in one run",
				nevents, LAC_PERFCTR_MAX);
	p = calloc(1, sizeof(*p) + nevents * sizeof(p->counters[0]));
	if (!p)
		return lac_fail_memory(err);
	p->os = o && o->os ? o->os : &lac_perf_os_linux;
	p->inherit = o && o->inherit;
	p->n = nevents;
	for (size_t g = 0; g < GROUPS; g++)
		leaders[g] = -1;
	for (size_t i = 0; i < nevents; i++) {
		struct counter *c = &p->counters[i];
		unsigned g = events[i].group % GROUPS;

		c->event = events[i];
		counter_open(p, i, p->inherit ? -1 : leaders[g]);
		if (c->fd < 0)
			continue;
		if (p->inherit || leaders[g] < 0)
			leaders[g] = (int)i;
		c->leader = leaders[g];
		c->place = p->inherit ? 0 : sizes[g]++;
	}
	*ret = p;
	return LAC_OK;
}

void lac_perfctr_close(struct lac_perfctr *p)
{
	if (!p)
		return;
	for (size_t i = p->n; i-- > 0;) /* members before their leader */
		if (p->counters[i].fd >= 0)
			p->os->close(p->os->context, p->counters[i].fd);
	free(p);
}

size_t lac_perfctr_count(const struct lac_perfctr *p)
{
	return p->n;
}

/* What a read of a group returns: see perf_event_open(2), PERF_FORMAT_GROUP. */
struct group_read {
	uint64_t nr, enabled, running, values[LAC_PERFCTR_MAX];
};
/* Of an event without a group. */
struct single_read {
	uint64_t value, enabled, running;
};

/* false if it could not be read. */
static bool counter_read(const struct lac_perfctr *p, const struct counter *c,
			 struct reading *ret)
{
	int fd = p->counters[c->leader].fd;
	struct group_read g;
	struct single_read s;
	ssize_t n;

	if (p->inherit) {
		n = p->os->read(p->os->context, fd, &s, sizeof(s));
		if (n != (ssize_t)sizeof(s))
			return false;
		*ret = (struct reading){ s.value, s.enabled, s.running };
		return true;
	}
	n = p->os->read(p->os->context, fd, &g, sizeof(g));
	if (n < (ssize_t)offsetof(struct group_read, values) ||
	    g.nr > LAC_PERFCTR_MAX || c->place >= g.nr ||
	    (size_t)n < offsetof(struct group_read, values[g.nr]))
		return false;
	*ret = (struct reading){ g.values[c->place], g.enabled, g.running };
	return true;
}

/* A group that does not obey has no value that could be trusted. */
static void for_each_group(struct lac_perfctr *p, unsigned long request)
{
	for (size_t i = 0; i < p->n; i++) {
		struct counter *c = &p->counters[i];

		if (c->fd < 0 || c->leader != (int)i)
			continue;
		if (p->os->ioctl(p->os->context, c->fd, request,
				 PERF_IOC_FLAG_GROUP) == 0)
			continue;
		for (size_t k = i; k < p->n; k++)
			if (p->counters[k].fd >= 0 &&
			    p->counters[k].leader == (int)i)
				p->counters[k].status = LAC_COUNTER_NOT_COUNTED;
	}
}

void lac_perfctr_start(struct lac_perfctr *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct counter *c = &p->counters[i];

		if (c->status == LAC_COUNTER_MEASURED &&
		    !counter_read(p, c, &c->base))
			c->status = LAC_COUNTER_NOT_COUNTED;
	}
	for_each_group(p, PERF_EVENT_IOC_ENABLE);
	p->started = true;
}

void lac_perfctr_stop(struct lac_perfctr *p)
{
	for_each_group(p, PERF_EVENT_IOC_DISABLE);
}

static void value_of(const struct reading *from, const struct reading *to,
		     struct lac_counter_value *v)
{
	v->raw = to->raw - from->raw;
	v->enabled_ns = to->enabled - from->enabled;
	v->running_ns = to->running - from->running;
	if (v->running_ns == 0) {
		v->status = LAC_COUNTER_NOT_COUNTED;
		return;
	}
	v->value = (double)v->raw;
	if (v->running_ns < v->enabled_ns) {
		v->status = LAC_COUNTER_SCALED;
		v->value *= (double)v->enabled_ns / (double)v->running_ns;
	}
}

void lac_perfctr_read(const struct lac_perfctr *p,
		      struct lac_counter_value *values)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct counter *c = &p->counters[i];
		struct lac_counter_value *v = &values[i];
		struct reading now;

		*v = (struct lac_counter_value){
			.name = c->event.name,
			.status = c->status,
			.user_only = c->user_only,
		};
		if (c->status != LAC_COUNTER_MEASURED)
			continue;
		if (p->started && counter_read(p, c, &now))
			value_of(&c->base, &now, v);
		else
			v->status = LAC_COUNTER_NOT_COUNTED;
	}
}
