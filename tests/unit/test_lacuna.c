/* SPDX-License-Identifier: BSD-2-Clause */
/* The public interface, on this very program's own debug information. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lacuna/lacuna.h"

struct test_lacuna_probe {
	char first;
	long second; /* behind a hole of 7 bytes */
	unsigned int bits : 3;
	struct { char text[70]; } tail; /* behind 5 bits, over the border */
} probe;

static int open_self(struct lacuna **l)
{
	static const char *const only[] = { "test_lacuna_probe", NULL };
	struct lacuna_options o = { .only = only };
	struct lacuna_error err = { 0, "" };
	int status = lacuna_open("/proc/self/exe", &o, l, &err);

	if (status)
		print_message("%s\n", err.message);
	return status;
}

static struct lacuna_layout *layout_of(const struct lacuna *l,
				       const char *name, uint32_t line_size)
{
	struct lacuna_error err;
	struct lacuna_layout *y = NULL;
	size_t id, n;

	assert_int_equal(lacuna_find(l, name, &id, 1, &n, &err), LACUNA_OK);
	assert_int_equal(n, 1);
	assert_int_equal(lacuna_layout_create(l, id, line_size, &y, &err),
			 LACUNA_OK);
	return y;
}

static void figures_are_the_compilers(void **state)
{
	struct lacuna *l;
	struct lacuna_layout *y;
	const struct lacuna_record *r;
	const struct lacuna_member *m;
	uint64_t at = 0, holes = 0;

	(void)state;
	probe.first = 1;
	assert_int_equal(open_self(&l), LACUNA_OK);
	y = layout_of(l, "struct test_lacuna_probe", 0);
	r = lacuna_layout_record(y);
	assert_int_equal(r->size, sizeof(probe));
	assert_int_equal(r->align, _Alignof(struct test_lacuna_probe));
	assert_string_equal(r->kind, "struct");
	assert_int_equal(r->members, 4);
	m = lacuna_layout_member(y, 1);
	assert_string_equal(m->name, "second");
	assert_string_equal(m->type, "long int");
	assert_int_equal(m->bit_offset,
			 8 * offsetof(struct test_lacuna_probe, second));
	assert_null(lacuna_layout_member(y, 4));
	/* the spans partition it */
	for (size_t i = 0; i < r->spans; i++) {
		const struct lacuna_span *s = lacuna_layout_span(y, i);

		assert_int_equal(s->bit_offset, at);
		at += s->bit_size;
		holes += s->kind == LACUNA_HOLE ? s->bit_size : 0;
	}
	assert_int_equal(at, 8 * sizeof(probe));
	assert_int_equal(holes, r->hole_bits);
	assert_int_equal(holes, 7 * 8 + 5);
	assert_null(lacuna_layout_span(y, r->spans));
	assert_int_equal(r->lines, 2);
	assert_int_equal(r->straddlers, 1);
	assert_int_equal(lacuna_layout_straddler(y, 0), 3);
	assert_true(lacuna_layout_straddler(y, 1) == SIZE_MAX);
	lacuna_layout_free(y);
	y = layout_of(l, "test_lacuna_probe", 32);
	assert_int_equal(lacuna_layout_record(y)->lines, 3);
	lacuna_layout_free(y);
	lacuna_close(l);
}

static void errors_say_what_is_wrong(void **state)
{
	struct lacuna_options o = { .format = "stabs" };
	struct lacuna *l = NULL;
	struct lacuna_layout *y = NULL;
	struct lacuna_error err = { 0, "" };
	size_t id, n;

	(void)state;
	assert_int_not_equal(lacuna_open("/nonexistent", NULL, &l, &err), 0);
	assert_non_null(strstr(err.message, "/nonexistent"));
	assert_int_equal(lacuna_open("/proc/self/exe", &o, &l, &err),
			 LACUNA_USAGE);
	assert_non_null(strstr(err.message, "stabs"));
	assert_null(l);
	/* nobody has to want the message */
	assert_int_not_equal(lacuna_open("/nonexistent", NULL, &l, NULL), 0);
	assert_int_equal(open_self(&l), LACUNA_OK);
	assert_int_equal(lacuna_find(l, "no_such_type_here", &id, 1, &n, &err),
			 LACUNA_NOT_FOUND);
	assert_int_equal(lacuna_layout_create(l, lacuna_count(l), 0, &y, &err),
			 LACUNA_USAGE);
	assert_int_equal(lacuna_layout_create(l, 0, 48, &y, &err),
			 LACUNA_USAGE);
	assert_null(y);
	lacuna_close(l);
	lacuna_close(NULL);
	lacuna_layout_free(NULL);
}

static void *look(void *arg)
{
	const struct lacuna *l = arg;
	struct lacuna_error err;
	uintptr_t sum = 0;

	for (int round = 0; round < 50; round++) {
		struct lacuna_layout *y;
		size_t id, n;

		if (lacuna_find(l, "test_lacuna_probe", &id, 1, &n, &err) ||
		    lacuna_layout_create(l, id, 0, &y, &err))
			return NULL;
		sum += lacuna_layout_record(y)->hole_bits;
		lacuna_layout_free(y);
	}
	return (void *)sum;
}

static void threads_share_an_open_file(void **state)
{
	pthread_t threads[4];
	struct lacuna *l;
	void *sum;

	(void)state;
	assert_int_equal(open_self(&l), LACUNA_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, look, l),
				 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &sum);
		assert_int_equal((uintptr_t)sum, 50 * (7 * 8 + 5));
	}
	lacuna_close(l);
}

/* A copy of this program that is large enough to be kept. */
static void make_large(const char *path)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "cp /proc/%ld/exe %s && truncate -s +4M %s && sleep 2.1",
		 (long)getpid(), path, path);
	assert_int_equal(system(line), 0);
}

static void what_is_kept_says_the_same(void **state)
{
	static const char *const only[] = { "test_lacuna_probe", NULL };
	char dir[] = "/tmp/lacuna-XXXXXX", cache[64], file[64], line[128];
	struct lacuna_options o = { .only = only, .cache_dir = cache };
	size_t count[3];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(cache, sizeof(cache), "%s/a/b", dir);
	snprintf(file, sizeof(file), "%s/program", dir);
	make_large(file);
	for (int i = 0; i < 3; i++) {
		struct lacuna_layout *y;
		struct lacuna_error err;
		struct lacuna *l;

		assert_int_equal(lacuna_open(file, &o, &l, &err), LACUNA_OK);
		count[i] = lacuna_count(l);
		y = layout_of(l, "test_lacuna_probe", 0);
		assert_int_equal(lacuna_layout_record(y)->size, sizeof(probe));
		assert_int_equal(lacuna_layout_record(y)->members, 4);
		lacuna_layout_free(y);
		lacuna_close(l);
	}
	/* the first read all there is, the others what was asked for */
	assert_true(count[1] < count[0]);
	assert_int_equal(count[1], count[2]);
	snprintf(line, sizeof(line), "rm -r %s", dir);
	assert_int_equal(system(line), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_the_compilers),
		cmocka_unit_test(errors_say_what_is_wrong),
		cmocka_unit_test(threads_share_an_open_file),
		cmocka_unit_test(what_is_kept_says_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
