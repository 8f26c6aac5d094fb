/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slab_suite.h - the tests of one build of the allocator.  Each test_slab_*.c
 * chooses era and variant and includes this; the allocator comes in as source.
 */
#include "fixtures/slab/unity.c"

#include "fixtures/slab/torture.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void heap_make(struct slab_options o)
{
	if (!o.npages)
		o.npages = 1 << 14;
	if (!o.ncpu)
		o.ncpu = 1;
	assert_int_equal(slab_heap_create(&o), 0);
	slab_cpu_enter(0);
}

static void heap_sound(void)
{
	const char *bad = slab_heap_check();

	if (bad)
		fail_msg("%s", bad);
}

#define STAT(s, item) ((int)slab_stat_read(s, item))

/* ---- the rules, as tables ------------------------------------------------------ */

static const unsigned int rule_sizes[KMALLOC_CLASSES] = {
	8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192,
};

static void test_order_table(void **state)
{
	static const struct {
		unsigned int first_cpu, last_cpu;
		unsigned int order[KMALLOC_CLASSES];
	} rows[] = {
		{ 1, 1, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3 } },
		{ 2, 7, { 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3 } },
		{ 8, 15, { 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3 } },
		{ 16, 127, { 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3 } },
		{ 128, 511, { 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3 } },
		{ 512, 8191, { 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3 } },
	};

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++)
		for (int k = 0; k < KMALLOC_CLASSES; k++)
			for (unsigned int cpus = rows[r].first_cpu;
			     cpus <= rows[r].last_cpu; cpus++)
				assert_int_equal(slab_order(rule_sizes[k], cpus),
						 rows[r].order[k]);
}

static void test_class_table(void **state)
{
	(void)state;
	assert_int_equal(kmalloc_class_size(0), 0);
	assert_int_equal(kmalloc_class_size(KMALLOC_MAX + 1), 0);
	for (unsigned int n = 1, k = 0; n <= KMALLOC_MAX; n++) {
		if (n > rule_sizes[k])
			k++;
		assert_int_equal(kmalloc_class_size(n), rule_sizes[k]);
	}
}

static void test_partial_limits(void **state)
{
	static const unsigned int objects[KMALLOC_CLASSES] =
#if SLAB_ERA >= 601
		{ 120, 120, 120, 120, 120, 120, 120, 52, 52, 24, 24, 6, 6 };
#else
		{ 30, 30, 30, 30, 30, 30, 30, 13, 13, 6, 6, 2, 2 };
#endif
	static const struct {
		unsigned int cpus, slabs[KMALLOC_CLASSES];
	} rows[] = {
		{ 1, { 1, 1, 2, 4, 6, 8, 12, 7, 13, 6, 6, 2, 3 } },
		{ 4, { 1, 1, 2, 4, 6, 8, 12, 7, 7, 3, 3, 2, 3 } },
		{ 8, { 1, 1, 2, 4, 6, 8, 12, 4, 4, 2, 3, 2, 3 } },
		{ 64, { 1, 1, 2, 4, 6, 8, 6, 4, 4, 2, 3, 2, 3 } },
		{ 128, { 1, 1, 2, 4, 6, 4, 6, 2, 2, 2, 3, 2, 3 } },
	};

	(void)state;
	for (int k = 0; k < KMALLOC_CLASSES; k++) {
		unsigned int size = rule_sizes[k];

		assert_int_equal(slab_min_partial(size), size >= 4096 ? 6 : 5);
		assert_int_equal(slab_cpu_partial_objects(size), objects[k]);
	}
	for (size_t r = 0; SLAB_ERA >= 601 && r < sizeof(rows) / sizeof(*rows);
	     r++)
		for (int k = 0; k < KMALLOC_CLASSES; k++) {
			unsigned int size = rule_sizes[k];
			unsigned int order = slab_order(size, rows[r].cpus);

			assert_int_equal(
				slab_cpu_partial_slabs(size, (4096u << order) /
								     size),
				rows[r].slabs[k]);
		}
}

static void test_free_pointer(void **state)
{
	(void)state;
	for (int k = 0; k < KMALLOC_CLASSES; k++) {
		unsigned int size = rule_sizes[k];
		unsigned int want = SLAB_ERA == 313 || size == 8 ? 0 : size / 2;

		assert_int_equal(slab_free_pointer_offset(size), want);
	}
}

/* ---- which paths are taken ------------------------------------------------------- */

static void test_hot_pair(void **state)
{
	struct kmem_cache *s;
	void *first;

	(void)state;
	heap_make((struct slab_options){ 0 });
	s = kmalloc_cache(256);
	first = slab_alloc(s);
	slab_free(first);
	for (int i = 0; i < 1000; i++) {
		void *object = slab_alloc(s);

		assert_ptr_equal(object, first); /* last in, first out */
		slab_free(object);
	}
	assert_int_equal(STAT(s, ALLOC_FASTPATH), 1000);
	assert_int_equal(STAT(s, FREE_FASTPATH), 1001);
	assert_int_equal(STAT(s, FREE_SLOWPATH), 0);
	assert_int_equal(STAT(s, ALLOC_SLAB), 1);
	heap_sound();
	slab_heap_destroy();
}

/* N = k slabs: k new slabs; all frees but those into the CPU's slab are slow. */
static void bulk(bool partial_off)
{
	enum { SLABS = 12 };
	unsigned int per_slab, n;
	struct kmem_cache *s;
	void *object[1024];

	heap_make((struct slab_options){ .cpu_partial_off = partial_off });
	s = kmalloc_cache(256);
	per_slab = oo_objects(s->oo);
	assert_int_equal(per_slab, 16);
	n = SLABS * per_slab;
	for (unsigned int i = 0; i < n; i++) {
		object[i] = slab_alloc(s);
		/* address order within a slab, slabs in address order */
		assert_ptr_equal(object[i], OBJECTS + (size_t)i * 256);
	}
	assert_int_equal(STAT(s, ALLOC_SLAB), SLABS);
	assert_int_equal(STAT(s, ALLOC_FASTPATH), n - SLABS);
	heap_sound();
	for (unsigned int i = 0; i < n; i++)
		slab_free(object[i]);
	assert_int_equal(STAT(s, FREE_FASTPATH), per_slab);
	assert_int_equal(STAT(s, FREE_SLOWPATH), n - per_slab);
	assert_int_equal(STAT(s, CPU_PARTIAL_FREE), partial_off ? 0 : SLABS - 1);
	if (partial_off)
		assert_int_equal(STAT(s, FREE_ADD_PARTIAL), SLABS - 1);
	if (SLAB_ERA < 612 && !partial_off) /* frozen when it joined */
		assert_true(STAT(s, FREE_FROZEN) > 0);
	if (SLAB_ERA == 612 || partial_off)
		assert_int_equal(STAT(s, FREE_FROZEN), 0);
	assert_int_equal(STAT(s, CMPXCHG_DOUBLE_FAIL), 0);
	heap_sound();
	slab_heap_destroy();
}

static void test_bulk(void **state)
{
	(void)state;
	bulk(false);
	bulk(true);
}

/*
 * An empty slab goes back if the node, that slab included, has more than
 * min_partial = 5 (v3.13), or as many (later).
 */
static void test_min_partial(void **state)
{
	enum { SLABS = 30 };
	struct kmem_cache *s;
	void *object[SLABS * 16];

	(void)state;
	heap_make((struct slab_options){ .cpu_partial_off = true });
	s = kmalloc_cache(256);
	for (int i = 0; i < SLABS * 16; i++)
		object[i] = slab_alloc(s);
	for (int i = 0; i < SLABS * 16; i++)
		slab_free(object[i]);
	assert_int_equal((int)s->node[0]->nr_partial, SLAB_ERA == 313 ? 5 : 4);
	assert_int_equal(STAT(s, FREE_SLAB),
			 SLABS - 1 - (SLAB_ERA == 313 ? 5 : 4));
	heap_sound();
	slab_heap_destroy();
}

static void test_flush(void **state)
{
	struct kmem_cache *s;
	void *object[8];

	(void)state;
	heap_make((struct slab_options){ 0 });
	s = kmalloc_cache(512);
	for (int i = 0; i < 4; i++)
		object[i] = slab_alloc(s);
	slab_flush(s);
	assert_int_equal(STAT(s, DEACTIVATE_TO_HEAD), 1);
	assert_int_equal((int)s->node[0]->nr_partial, 1);
	heap_sound();
	for (int i = 4; i < 8; i++) /* the same slab, from the node's list */
		object[i] = slab_alloc(s);
	assert_int_equal(STAT(s, ALLOC_FROM_PARTIAL), 1);
	assert_int_equal(STAT(s, ALLOC_SLAB), 1);
	slab_flush(s); /* all eight in use: on no list */
	assert_int_equal(STAT(s, DEACTIVATE_FULL), 1);
	heap_sound();
	for (int i = 0; i < 8; i++)
		slab_free(object[i]);
	heap_sound();
	slab_heap_destroy();
}

static void test_rt_profile(void **state)
{
	struct kmem_cache *s;

	(void)state;
	heap_make((struct slab_options){ .rt = true, .list_lock_sleeps = true });
	s = kmalloc_cache(64);
	slab_free(slab_alloc(s));
	for (int i = 0; i < 100; i++)
		slab_free(slab_alloc(s));
	assert_int_equal(STAT(s, ALLOC_FASTPATH), 0);
	assert_int_equal(STAT(s, FREE_FASTPATH), 101);
	heap_sound();
	slab_heap_destroy();
}

static void test_out_of_pages(void **state)
{
	struct kmem_cache *s;
	int n = 0;

	(void)state;
	heap_make((struct slab_options){ .npages = 9 });
	s = kmalloc_cache(8192); /* order 3: one block of 8; then order 1 */
	while (slab_alloc(s))
		n++;
	assert_int_equal(n, 4);
	heap_sound();
	slab_heap_destroy();
	heap_make((struct slab_options){ .npages = 14 });
	s = kmalloc_cache(8192);
	for (n = 0; slab_alloc(s); n++)
		;
	assert_int_equal(n, 4 + 3);
	assert_int_equal(STAT(s, ORDER_FALLBACK), 3);
	heap_sound();
	slab_heap_destroy();
}

/* ---- does the walk find what is wrong? -------------------------------------------- */

static void test_check_finds(void **state)
{
	struct kmem_cache *s;
	struct slab_desc *d;
	void *object[40], **link, *was;

	(void)state;
	heap_make((struct slab_options){ .cpu_partial_off = true });
	s = kmalloc_cache(256);
	for (int i = 0; i < 40; i++)
		object[i] = slab_alloc(s);
	slab_free(object[0]);
	slab_free(object[1]);
	d = desc_of_page(page_of_address(object[0]));
	heap_sound();

	*desc_counters(d) += 1; /* one more in use than there are */
	assert_non_null(slab_heap_check());
	*desc_counters(d) -= 1;

	link = free_pointer(s, object[1]);
	was = *link;
	*link = object[1]; /* a circle */
	assert_non_null(slab_heap_check());
	*link = (char *)object[0] + 8; /* not an object's start */
	assert_non_null(slab_heap_check());
	*link = (char *)object[0] + (1 << 20); /* another slab's */
	assert_non_null(slab_heap_check());
	*link = was;

	s->node[0]->nr_partial++;
	assert_non_null(slab_heap_check());
	s->node[0]->nr_partial--;

	node_remove(s->node[0], d); /* free objects, and on no list */
	assert_non_null(slab_heap_check());
	node_add(s->node[0], d, LIST_HEAD);
	heap_sound();
	slab_heap_destroy();
}

/* ---- torture ------------------------------------------------------------------------ */

static void torture(unsigned int threads, unsigned long operations,
		    struct slab_options heap, bool check_each)
{
	struct torture_options o = {
		.heap = heap, .operations = operations, .check_each = check_each,
	};

	for (o.seed = 1; o.seed <= 2; o.seed++) {
		const char *bad;

		o.heap.ncpu = threads;
		o.heap.npages = 1 << 14;
		bad = slab_torture(&o);
		if (bad)
			fail_msg("seed %lu: %s", o.seed, bad);
	}
}

static void test_torture_one(void **state)
{
	(void)state;
	torture(1, 2000, (struct slab_options){ 0 }, true);
	torture(1, 500, (struct slab_options){ .check = SLAB_CHECK_FULL },
		false);
	torture(1, 20000, (struct slab_options){ .check = SLAB_CHECK_CHEAP },
		false);
	torture(1, 20000, (struct slab_options){ .order_cpus = 80 }, false);
}

static void test_torture_many(void **state)
{
	(void)state;
	torture(4, 10000, (struct slab_options){ 0 }, false);
	torture(4, 10000, (struct slab_options){ .cpu_partial_off = true },
		false);
	torture(4, 10000,
		(struct slab_options){ .rt = true, .list_lock_sleeps = true },
		false);
}

static int heap_gone(void **state)
{
	(void)state;
	slab_heap_destroy(); /* what a failed test left */
	return 0;
}
#define TEST(f) cmocka_unit_test_teardown(f, heap_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order_table),
		TEST(test_class_table),
		TEST(test_partial_limits),
		TEST(test_free_pointer),
		TEST(test_hot_pair),
		TEST(test_bulk),
		TEST(test_min_partial),
		TEST(test_flush),
		TEST(test_rt_profile),
		TEST(test_out_of_pages),
		TEST(test_check_finds),
		TEST(test_torture_one),
		TEST(test_torture_many),
	};

	return cmocka_run_group_tests_name("slab " SLAB_ERA_NAME " "
					   SLAB_VARIANT, tests, NULL, NULL);
}
