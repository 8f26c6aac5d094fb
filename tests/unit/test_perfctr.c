/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The logic of the counters against a kernel played from a script: no test
 * machine need have a PMU.  Software events are counted for real at the end.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "perfctr/perfctr.h"

enum { EVENTS = 16 };

/* What the played kernel answers for one event, told apart by its config. */
struct scripted {
	int refuse;	 /* errno of the open, 0 to accept */
	int refuse_user; /* errno of the open without the kernel's share */
	uint64_t rate;	 /* counts between start and stop */
	uint64_t enabled, running;
};

struct played {
	struct scripted script[EVENTS];
	struct {
		bool open, user_only, inherit;
		int leader; /* fd */
		uint64_t config, raw;
	} fds[EVENTS];
	uint64_t enabled[EVENTS], running[EVENTS]; /* of a leader's fd */
	int nfds, nopen, refuse_ioctl;
	size_t short_read;
};

static int play_open(void *context, struct perf_event_attr *a, int group_fd)
{
	struct played *k = context;
	struct scripted *s = &k->script[a->config];
	int e = a->exclude_kernel ? s->refuse_user : s->refuse;

	assert_int_equal(a->size, sizeof(*a));
	assert_true(group_fd < k->nfds);
	if (a->inherit)
		assert_int_equal(a->read_format & PERF_FORMAT_GROUP, 0);
	if (e) {
		errno = e;
		return -1;
	}
	k->fds[k->nfds].open = true;
	k->fds[k->nfds].user_only = a->exclude_kernel;
	k->fds[k->nfds].inherit = a->inherit;
	k->fds[k->nfds].config = a->config;
	k->fds[k->nfds].leader = group_fd < 0 ? k->nfds : group_fd;
	/* A leader starts stopped, and the others with it. */
	assert_int_equal(a->disabled, group_fd < 0);
	k->nopen++;
	return k->nfds++;
}

/* Enabling runs the whole measured stretch at once. */
static int play_ioctl(void *context, int fd, unsigned long request,
		      unsigned long flags)
{
	struct played *k = context;

	assert_int_equal(flags, PERF_IOC_FLAG_GROUP);
	if (k->refuse_ioctl) {
		errno = k->refuse_ioctl;
		return -1;
	}
	if (request != PERF_EVENT_IOC_ENABLE)
		return 0;
	for (int i = 0; i < k->nfds; i++)
		if (k->fds[i].leader == fd)
			k->fds[i].raw += k->script[k->fds[i].config].rate;
	k->enabled[fd] += k->script[k->fds[fd].config].enabled;
	k->running[fd] += k->script[k->fds[fd].config].running;
	return 0;
}

static ssize_t play_read(void *context, int fd, void *buf, size_t size)
{
	struct played *k = context;
	uint64_t out[3 + EVENTS];
	size_t n = 0;

	assert_true(k->fds[fd].open);
	if (k->fds[fd].inherit) {
		out[n++] = k->fds[fd].raw;
		out[n++] = k->enabled[fd];
		out[n++] = k->running[fd];
	} else {
		out[n++] = 0;
		out[n++] = k->enabled[fd];
		out[n++] = k->running[fd];
		for (int i = 0; i < k->nfds; i++)
			if (k->fds[i].leader == fd)
				out[n++] = k->fds[i].raw;
		out[0] = n - 3;
	}
	n *= sizeof(out[0]);
	assert_true(n <= size);
	if (k->short_read)
		n = k->short_read;
	memcpy(buf, out, n);
	return (ssize_t)n;
}

static int play_close(void *context, int fd)
{
	struct played *k = context;

	assert_true(k->fds[fd].open);
	k->fds[fd].open = false;
	k->nopen--;
	return 0;
}

static struct lac_perf_os os_of(struct played *k)
{
	return (struct lac_perf_os){ k, play_open, play_ioctl, play_read,
				     play_close };
}

/* Three events: 0 and 1 a group, 2 alone. */
static const struct lac_counter_event three[] = {
	{ .name = "zero", .config = 0 },
	{ .name = "one", .config = 1 },
	{ .name = "two", .config = 2, .group = 1, .kernel_side = true },
};

static void run(struct played *k, bool inherit, int rounds,
		struct lac_counter_value v[3])
{
	struct lac_perf_os os = os_of(k);
	struct lac_perfctr_options o = { .inherit = inherit, .os = &os };
	struct lac_perfctr *p = NULL;
	struct lac_err err;

	assert_int_equal(lac_perfctr_open(three, 3, &o, &p, &err), LAC_OK);
	assert_int_equal(lac_perfctr_count(p), 3);
	for (int i = 0; i < rounds; i++) {
		lac_perfctr_start(p);
		lac_perfctr_stop(p);
	}
	lac_perfctr_read(p, v);
	for (int i = 0; i < 3; i++)
		v[i].name = three[i].name;
	lac_perfctr_close(p);
	assert_int_equal(k->nopen, 0);
}

static struct played quiet(void)
{
	struct played k = { 0 };

	for (uint64_t i = 0; i < 3; i++)
		k.script[i] = (struct scripted){ .rate = 100 + i,
						 .enabled = 1000,
						 .running = 1000 };
	return k;
}

static void test_counts(void **state)
{
	struct played k = quiet();
	struct lac_counter_value v[3];

	(void)state;
	run(&k, false, 1, v);
	assert_int_equal(k.fds[1].leader, 0);
	assert_int_equal(k.fds[2].leader, 2);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(v[i].status, LAC_COUNTER_MEASURED);
		assert_true(v[i].value == 100 + i);
		assert_false(v[i].user_only);
	}
	/* Only the last stretch counts, its times included. */
	k = quiet();
	run(&k, false, 3, v);
	assert_true(v[1].value == 101);
	assert_int_equal(v[1].enabled_ns, 1000);
	k = quiet();
	run(&k, true, 2, v);
	assert_true(v[2].value == 102);
	assert_int_equal(k.fds[1].leader, 1); /* inheriting gives up groups */
}

static void test_scaled(void **state)
{
	struct played k = quiet();
	struct lac_counter_value v[3];

	(void)state;
	k.script[0].running = 398; /* of 1000: 39.8 % of the time */
	run(&k, false, 2, v);
	assert_int_equal(v[0].status, LAC_COUNTER_SCALED);
	assert_int_equal(v[0].raw, 100);
	assert_true(fabs(v[0].value - 100 / 0.398) < 1e-9);
	assert_true(fabs(v[1].value - 101 / 0.398) < 1e-9); /* its group */
	assert_int_equal(v[2].status, LAC_COUNTER_MEASURED);
	assert_true(v[2].value == 102);
}

static void test_never_scheduled(void **state)
{
	struct played k = quiet();
	struct lac_counter_value v[3];

	(void)state;
	k.script[0].running = 0;
	run(&k, false, 1, v);
	assert_int_equal(v[0].status, LAC_COUNTER_NOT_COUNTED);
	assert_int_equal(v[1].status, LAC_COUNTER_NOT_COUNTED);
	assert_int_equal(v[2].status, LAC_COUNTER_MEASURED);
	k = quiet();
	run(&k, false, 0, v); /* opened, never started */
	assert_int_equal(v[2].status, LAC_COUNTER_NOT_COUNTED);
}

static void test_refused(void **state)
{
	static const struct {
		int e;
		enum lac_counter_status status;
	} cases[] = {
		{ ENOENT, LAC_COUNTER_UNSUPPORTED },
		{ EOPNOTSUPP, LAC_COUNTER_UNSUPPORTED },
		{ ENODEV, LAC_COUNTER_UNSUPPORTED },
		{ ENOSYS, LAC_COUNTER_UNSUPPORTED },
		{ EINVAL, LAC_COUNTER_UNSUPPORTED },
		{ EACCES, LAC_COUNTER_NOT_PERMITTED },
		{ EPERM, LAC_COUNTER_NOT_PERMITTED },
		{ EBUSY, LAC_COUNTER_NOT_COUNTED },
		{ EMFILE, LAC_COUNTER_NOT_COUNTED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct played k = quiet();
		struct lac_counter_value v[3];

		k.script[0].refuse = k.script[0].refuse_user = cases[i].e;
		run(&k, false, 1, v);
		assert_int_equal(v[0].status, cases[i].status);
		/* The next of the group leads it, and is counted. */
		assert_int_equal(v[1].status, LAC_COUNTER_MEASURED);
		assert_true(v[1].value == 101);
	}
}

static void test_user_only(void **state)
{
	struct played k = quiet();
	struct lac_counter_value v[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		k.script[i].refuse = EACCES;
	run(&k, false, 1, v);
	assert_int_equal(v[0].status, LAC_COUNTER_MEASURED);
	assert_true(v[0].user_only);
	assert_true(v[1].user_only);
	/* What happens in the kernel would read 0 without its share. */
	assert_int_equal(v[2].status, LAC_COUNTER_NOT_PERMITTED);
	/* Permission first, absence second: the event is not there at all. */
	k = quiet();
	k.script[0].refuse = EACCES;
	k.script[0].refuse_user = ENOENT;
	run(&k, false, 1, v);
	assert_int_equal(v[0].status, LAC_COUNTER_UNSUPPORTED);
}

static void test_disobedient(void **state)
{
	struct played k = quiet();
	struct lac_counter_value v[3];

	(void)state;
	k.refuse_ioctl = EIO;
	run(&k, false, 1, v);
	for (int i = 0; i < 3; i++)
		assert_int_equal(v[i].status, LAC_COUNTER_NOT_COUNTED);
	k = quiet();
	k.short_read = 8;
	run(&k, false, 1, v);
	for (int i = 0; i < 3; i++)
		assert_int_equal(v[i].status, LAC_COUNTER_NOT_COUNTED);
}

static void test_too_many(void **state)
{
	static struct lac_counter_event many[LAC_PERFCTR_MAX + 1];
	struct played k = { 0 };
	struct lac_perf_os os = os_of(&k);
	struct lac_perfctr_options o = { .os = &os };
	struct lac_perfctr *p = NULL;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_perfctr_open(many, LAC_PERFCTR_MAX + 1, &o, &p,
					  &err),
			 LAC_USAGE);
	assert_null(p);
	assert_non_null(strstr(err.msg, "64"));
}

static void test_status_names(void **state)
{
	(void)state;
	for (int i = LAC_COUNTER_MEASURED; i <= LAC_COUNTER_NOT_COUNTED; i++) {
		enum lac_counter_status s = LAC_COUNTER_MEASURED;

		assert_true(lac_counter_status_parse(
			lac_counter_status_name((enum lac_counter_status)i),
			&s));
		assert_int_equal(s, i);
	}
}

static void test_event_text(void **state)
{
	struct lac_counter_event e = { .name = "skx::A=B:C",
				       .type = UINT32_MAX,
				       .config = UINT64_MAX,
				       .config1 = 1,
				       .config2 = UINT64_MAX - 1,
				       .group = 15,
				       .kernel_side = true };
	static const char *const bad[] = { "",
					   "a",
					   "a=",
					   "=1:2:3:4:5:0",
					   "a=1:2:3:4:5",
					   "a=1:2:3:4:5:0g",
					   "a=1:2:3:4:5:0 ",
					   "a= 1:2:3:4:5:0",
					   "a=-1:2:3:4:5:0",
					   "a=0x1:2:3:4:5:0",
					   "a=100000001:2:3:4:5:0",
					   "a=1:10000000000000001:3:4:5:0",
					   "a=1:2:3:4:100000005:0" };
	char text[LAC_EVENT_TEXT];
	struct lac_counter_event back;
	struct lac_err err;

	(void)state;
	lac_counter_event_format(&e, text);
	assert_int_equal(lac_counter_event_parse(text, &back, &err), LAC_OK);
	assert_string_equal(back.name, e.name);
	assert_int_equal(back.type, e.type);
	assert_true(back.config == e.config && back.config1 == e.config1 &&
		    back.config2 == e.config2 && back.group == e.group &&
		    back.kernel_side);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(lac_counter_event_parse(bad[i], &back, &err),
				 LAC_USAGE);
}

static void test_event_names(void **state)
{
	struct lac_counter_event e;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_counter_event_find("PERF_COUNT_SW_PAGE_FAULTS", &e,
						&err),
			 LAC_OK);
	assert_int_equal(e.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(e.config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_false(e.kernel_side);
	assert_int_equal(lac_counter_event_find("context-switches", &e, &err),
			 LAC_OK);
	assert_int_equal(e.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_true(e.kernel_side);
	assert_int_equal(lac_counter_event_find("no-such-event", &e, &err),
			 LAC_USAGE);
	assert_non_null(strstr(err.msg, "no-such-event"));
}

/* The running kernel: what it permits must be right. */
static void test_software_events(void **state)
{
	enum { PAGES = 64 };
	struct lac_counter_value v[LAC_PERFCTR_MAX];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct lac_perfctr *p;
	struct lac_err err;
	volatile char *m;
	bool any = false;

	(void)state;
	assert_int_equal(lac_perfctr_open(lac_counter_software,
					  lac_counter_nsoftware, NULL, &p,
					  &err),
			 LAC_OK);
	m = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(m != MAP_FAILED);
	madvise((void *)m, PAGES * page, MADV_NOHUGEPAGE);
	lac_perfctr_start(p);
	for (size_t i = 0; i < PAGES; i++)
		m[i * page] = 1;
	usleep(1000); /* leaves the processor at least once */
	lac_perfctr_stop(p);
	lac_perfctr_read(p, v);
	for (size_t i = 0; i < lac_counter_nsoftware; i++) {
		if (v[i].status != LAC_COUNTER_MEASURED)
			continue;
		any = true;
		if (!strcmp(v[i].name, "page_faults"))
			assert_true(v[i].value >= PAGES);
		else if (!strcmp(v[i].name, "context_switches"))
			assert_true(v[i].value >= 1);
		else if (!strcmp(v[i].name, "task_clock_ns"))
			assert_true(v[i].value > 0);
	}
	munmap((void *)m, PAGES * page);
	lac_perfctr_close(p);
	if (!any)
		skip(); /* the kernel permits none here */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_never_scheduled),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_user_only),
		cmocka_unit_test(test_disobedient),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_status_names),
		cmocka_unit_test(test_event_text),
		cmocka_unit_test(test_event_names),
		cmocka_unit_test(test_software_events),
	};

	return cmocka_run_group_tests_name("perfctr", tests, NULL, NULL);
}
