/* SPDX-License-Identifier: BSD-2-Clause */
/* BTF in place against libbpf: sound, odd, damaged, large. */
#include <bpf/btf.h>
#include <fcntl.h>

#include "graph_text.h"
#include "same_graph.h"

struct raw { /* BTF in the making */
	unsigned char types[1 << 20];
	char strings[1 << 20];
	uint32_t ntypes, types_size, strings_size;
};

static uint32_t string(struct raw *b, const char *s)
{
	uint32_t at = b->strings_size;

	memcpy(b->strings + at, s, strlen(s) + 1);
	b->strings_size += (uint32_t)strlen(s) + 1;
	return at;
}

static void put(struct raw *b, const void *p, size_t n)
{
	assert_true(b->types_size + n <= sizeof(b->types));
	memcpy(b->types + b->types_size, p, n);
	b->types_size += (uint32_t)n;
}

/* A type's first twelve bytes; its id. */
static uint32_t type(struct raw *b, uint32_t name, uint32_t kind, uint32_t vlen,
		     uint32_t size)
{
	struct btf_type t = { .name_off = name, .info = kind << 24 | vlen,
			      .size = size };

	put(b, &t, sizeof(t));
	return ++b->ntypes;
}

static uint32_t integer(struct raw *b, const char *name, uint32_t size)
{
	uint32_t id = type(b, string(b, name), BTF_KIND_INT, 0, size);
	uint32_t data = BTF_INT_SIGNED << 24 | size * 8;

	put(b, &data, sizeof(data));
	return id;
}

static void member(struct raw *b, uint32_t name, uint32_t of, uint32_t bit)
{
	struct btf_member m = { name, of, bit };

	put(b, &m, sizeof(m));
}

static struct raw *start(void)
{
	struct raw *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	string(b, "");
	return b;
}

/* A bit of everything; a list of structs that point to each other. */
static struct raw *sound(uint32_t long_size)
{
	struct raw *b = start();
	uint32_t i = integer(b, "int", 4), l, p, a, u, e, f;
	uint32_t x = string(b, "x"), next = string(b, "next");
	struct btf_array array = { .nelems = 3 };
	struct btf_enum red = { 0, -1 };
	struct btf_param param = { 0 };

	l = integer(b, "long int", long_size);
	p = type(b, 0, BTF_KIND_PTR, 0, 8); /* to the struct, which is 8 */
	a = type(b, 0, BTF_KIND_ARRAY, 0, 0);
	array.type = array.index_type = i;
	put(b, &array, sizeof(array));
	u = type(b, 0, BTF_KIND_UNION, 2, 12);
	member(b, x, a, 0);
	member(b, string(b, "c"), i, 0);
	e = type(b, string(b, "colour"), BTF_KIND_ENUM, 1, 4);
	red.name_off = string(b, "RED");
	put(b, &red, sizeof(red));
	f = type(b, 0, BTF_KIND_FUNC_PROTO, 1, l);
	param.type = p;
	put(b, &param, sizeof(param));
	/* with the flag: the upper eight bits are a bit-field's size */
	assert_int_equal(type(b, string(b, "node"), BTF_KIND_STRUCT | 0x80, 5,
			      40), 8);
	member(b, next, p, 0);
	member(b, string(b, "bits"), i, 3u << 24 | 64);
	member(b, 0, u, 96);
	member(b, string(b, "hue"), e, 192);
	member(b, string(b, "tail"), a, 224);
	type(b, string(b, "node_t"), BTF_KIND_TYPEDEF, 0, 8);
	type(b, string(b, "run"), BTF_KIND_FUNC, 0, f);
	type(b, string(b, "opaque"), BTF_KIND_FWD, 0, 0);
	return b;
}

static size_t finish(const struct raw *b, unsigned char *to)
{
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = BTF_VERSION,
		.hdr_len = sizeof(h), .type_len = b->types_size,
		.str_off = b->types_size, .str_len = b->strings_size,
	};

	memcpy(to, &h, sizeof(h));
	memcpy(to + sizeof(h), b->types, b->types_size);
	memcpy(to + sizeof(h) + b->types_size, b->strings, b->strings_size);
	return sizeof(h) + b->types_size + b->strings_size;
}

static char path[] = "/tmp/lac-btf-XXXXXX"; /* the unit is called after it */

static enum lac_status read_bytes(const unsigned char *bytes, size_t n,
				  enum lac_way way, unsigned threads,
				  struct lac_graph **ret)
{
	struct lac_graph_options o = { .no_cache = true, .threads = threads,
				       .format = LAC_FORMAT_BTF };
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);
	struct lac_err err;
	enum lac_status st;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	*ret = NULL;
	st = lac_graph_read_way(path, &o, way, ret, &err);
	if (st == LAC_OK)
		assert_int_equal(lac_graph_check(*ret, &err), LAC_OK);
	else
		assert_true(err.msg[0]);
	return st;
}

static void same_text(const struct lac_graph *a, const struct lac_graph *b)
{
	char *x = graph_text(a), *y = graph_text(b);

	assert_string_equal(x, y);
	free(x);
	free(y);
}

/* In place as libbpf has it; the graph, the caller's, if there is one. */
static struct lac_graph *both_ways(const unsigned char *bytes, size_t n,
				   enum lac_way way, unsigned threads)
{
	struct lac_graph *g, *plain;
	enum lac_status st = read_bytes(bytes, n, way, threads, &g);

	assert_int_equal(read_bytes(bytes, n, LAC_WAY_PLAIN, 1, &plain), st);
	if (st == LAC_OK)
		same_text(g, plain);
	lac_graph_destroy(plain);
	return g;
}

static unsigned char bytes[3 << 20];

static void sound_in_place(void **state)
{
	(void)state;
	for (uint32_t size = 4; size <= 8; size += 4) {
		struct raw *b = sound(size);
		struct lac_graph *g;

		g = both_ways(bytes, finish(b, bytes), LAC_WAY_FAST, 1);
		assert_non_null(g);
		assert_int_equal(g->target.pointer_size, size);
		assert_int_equal(record_named(g, "node")->nmembers, 5);
		assert_int_equal(record_named(g, "node_t")->size, 40);
		lac_graph_destroy(g);
		free(b);
	}
}

/* What libbpf has to take in, and how it comes out then. */
static void only_through_libbpf(const struct raw *b, unsigned records)
{
	size_t n = finish(b, bytes);
	struct lac_graph *g;

	assert_int_equal(read_bytes(bytes, n, LAC_WAY_FAST, 1, &g),
			 LAC_UNSUPPORTED);
	g = both_ways(bytes, n, LAC_WAY_AUTO, 1);
	assert_non_null(g);
	assert_int_equal(g->nrecords, records);
	lac_graph_destroy(g);
}

static struct raw *two_structs(uint32_t name, uint32_t other, struct raw *b)
{
	uint32_t i = integer(b, "int", 4), x = string(b, "x");

	type(b, name, BTF_KIND_STRUCT, 1, 4);
	member(b, x, i, 0);
	type(b, other, BTF_KIND_STRUCT, 1, 4);
	member(b, x, i, 0);
	return b;
}

static void strings_that_are_there_twice(void **state)
{
	struct raw *b = start();
	uint32_t one, two;

	(void)state;
	one = string(b, "same");
	two = string(b, "same");
	only_through_libbpf(two_structs(one, two, b), 1);
	free(b);
	b = start(); /* nothing uses the second one */
	one = string(b, "same");
	two = string(b, "other");
	string(b, "same");
	only_through_libbpf(two_structs(one, two, b), 2);
	free(b);
}

static void ends_of_other_strings(void **state)
{
	struct raw *b = start();
	uint32_t one = string(b, "under_score"), two = one + 6;

	(void)state;
	only_through_libbpf(two_structs(one, two, b), 2);
	free(b);
}

static void members_out_of_order(void **state)
{
	struct raw *b = start();
	uint32_t i = integer(b, "int", 4);

	(void)state;
	type(b, string(b, "odd"), BTF_KIND_STRUCT, 2, 8);
	member(b, string(b, "second"), i, 32);
	member(b, string(b, "first"), i, 0);
	only_through_libbpf(b, 1);
	free(b);
}

/* Made of itself by value, directly and through a typedef and an array. */
static void records_in_themselves(void **state)
{
	struct btf_array array = { .type = 4, .nelems = 1 };
	struct raw *b = start();
	size_t n;

	(void)state;
	array.index_type = integer(b, "int", 4);
	type(b, string(b, "me"), BTF_KIND_STRUCT, 1, 8);
	member(b, string(b, "x"), 2, 0);
	type(b, string(b, "he"), BTF_KIND_STRUCT, 1, 8);
	member(b, string(b, "y"), 5, 0);
	type(b, string(b, "he_t"), BTF_KIND_TYPEDEF, 0, 3);
	type(b, 0, BTF_KIND_ARRAY, 0, 0);
	put(b, &array, sizeof(array));
	n = finish(b, bytes);
	lac_graph_destroy(both_ways(bytes, n, LAC_WAY_AUTO, 1));
	free(b);
}

/* Chains and nesting up to and over what is taken: alike, or refused alike. */
static void deep(void **state)
{
	(void)state;
	for (unsigned levels = 1; levels < 400; levels += levels > 70 ? 50 : 1)
		for (unsigned nest = 0; nest < 2; nest++) {
			struct raw *b = start();
			uint32_t of = integer(b, "int", 4);
			size_t n;

			for (unsigned i = 0; i < levels; i++) {
				of = nest ? type(b, 0, BTF_KIND_STRUCT, 1, 4)
					  : type(b, 0, BTF_KIND_CONST, 0, of);
				if (nest)
					member(b, 0, of - 1, 0);
			}
			type(b, string(b, "top"), BTF_KIND_STRUCT, 1, 4);
			member(b, string(b, "x"), of, 0);
			n = finish(b, bytes);
			lac_graph_destroy(both_ways(bytes, n, LAC_WAY_AUTO, 1));
			free(b);
		}
}

/* Declared before and after, defined twice, as a union; and not at all. */
static void declarations(void **state)
{
	struct raw *b = start();
	uint32_t i = integer(b, "int", 4), x = string(b, "x");
	uint32_t a = string(b, "a"), f[4], p[4];
	struct lac_graph *g;

	(void)state;
	f[0] = type(b, a, BTF_KIND_FWD, 0, 0);
	type(b, a, BTF_KIND_STRUCT, 1, 4);
	member(b, x, i, 0);
	type(b, a, BTF_KIND_STRUCT, 1, 8);
	member(b, x, i, 32);
	f[1] = type(b, a, BTF_KIND_FWD | 0x80, 0, 0);
	type(b, a, BTF_KIND_UNION, 1, 12);
	member(b, x, i, 0);
	f[2] = type(b, a, BTF_KIND_FWD, 0, 0);
	f[3] = type(b, string(b, "nowhere"), BTF_KIND_FWD, 0, 0);
	for (unsigned k = 0; k < 4; k++)
		p[k] = type(b, 0, BTF_KIND_PTR, 0, f[k]);
	type(b, string(b, "a_t"), BTF_KIND_TYPEDEF, 0, f[2]);
	type(b, string(b, "all"), BTF_KIND_STRUCT, 4, 32);
	for (unsigned k = 0; k < 4; k++)
		member(b, 0, p[k], 64 * k);
	g = both_ways(bytes, finish(b, bytes), LAC_WAY_FAST, 1);
	assert_int_equal(g->nrecords, 4);
	assert_int_equal(record_named(g, "a_t")->size, 4);
	lac_graph_destroy(g);
	/* by value, which no compiler does */
	type(b, string(b, "odd"), BTF_KIND_STRUCT, 3, 32);
	for (unsigned k = 0; k < 3; k++)
		member(b, 0, f[k], 64 * k);
	only_through_libbpf(b, 5);
	free(b);
}

/* What says the same is one, unless what it is made of does not. */
static void twins(void **state)
{
	struct raw *b = start();
	uint32_t i = integer(b, "int", 4), u = integer(b, "unsigned", 4);
	uint32_t x = string(b, "x"), a = string(b, "a"), s = string(b, "s");
	uint32_t colour = string(b, "colour"), one, two, three, e[3];
	struct lac_graph *g;

	(void)state;
	one = type(b, 0, BTF_KIND_STRUCT, 1, 4);
	member(b, x, i, 0);
	two = type(b, 0, BTF_KIND_STRUCT, 1, 4);
	member(b, x, i, 0);
	three = type(b, 0, BTF_KIND_STRUCT, 1, 4);
	member(b, x, u, 0);
	for (unsigned k = 0; k < 3; k++) {
		struct btf_enum v = { a, k == 2 };

		e[k] = type(b, colour, BTF_KIND_ENUM, 1, 4);
		put(b, &v, sizeof(v));
	}
	for (unsigned k = 0; k < 3; k++) {
		type(b, s, BTF_KIND_STRUCT, 2, 8);
		member(b, x, k == 0 ? one : k == 1 ? two : three, 0);
		member(b, a, e[k], 32);
	}
	g = both_ways(bytes, finish(b, bytes), LAC_WAY_FAST, 1);
	assert_int_equal(g->nrecords, 4);
	assert_int_equal(g->nenumerations, 2);
	lac_graph_destroy(g);
	free(b);
}

/* Whatever a byte becomes, both ways say the same. */
static void damaged(void **state)
{
	static const unsigned char values[] = { 0, 1, 4, 0x7f, 0x80, 0xff };
	struct raw *b = sound(8);
	size_t n = finish(b, bytes);
	unsigned good = 0, refused = 0;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		unsigned char was = bytes[i];

		for (size_t k = 0; k < sizeof(values); k++) {
			struct lac_graph *g;

			bytes[i] = values[k];
			g = both_ways(bytes, n, LAC_WAY_AUTO, 1);
			good += g != NULL;
			refused += g == NULL;
			lac_graph_destroy(g);
		}
		bytes[i] = was;
	}
	for (size_t cut = 1; cut < n; cut++)
		assert_null(both_ways(bytes, n - cut, LAC_WAY_AUTO, 1));
	assert_true(good > 100 && refused > 100);
	free(b);
}

/* Enough strings for a thread of their own. */
static void large(void **state)
{
	struct raw *b = start();
	uint32_t i = integer(b, "int", 4);
	struct lac_graph *g;
	char name[64];
	size_t n;

	(void)state;
	for (unsigned k = 0; k < 5000; k++) {
		snprintf(name, sizeof(name), "a_struct_of_some_length_%u", k);
		type(b, string(b, name), BTF_KIND_STRUCT, 1, 4 + k);
		snprintf(name, sizeof(name), "member_%u", k);
		member(b, string(b, name), i, 0);
	}
	n = finish(b, bytes);
	for (unsigned threads = 0; threads < 3; threads++) {
		g = both_ways(bytes, n, LAC_WAY_FAST, threads);
		assert_int_equal(g->nrecords, 5000);
		lac_graph_destroy(g);
	}
	string(b, "member_17");
	only_through_libbpf(b, 5000);
	free(b);
}

static void of_a_kernel(void **state)
{
	struct lac_graph_options o = { .no_cache = true,
				       .format = LAC_FORMAT_BTF };
	const char *kernel = getenv("LACUNA_VMLINUX");
	struct lac_graph *g, *plain;
	struct lac_err err;

	(void)state;
	if (!kernel)
		SKIP_BECAUSE("LACUNA_VMLINUX is not set");
	/* straight, with no way out */
	if (lac_graph_read_way(kernel, &o, LAC_WAY_FAST, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(lac_graph_check(g, &err), LAC_OK);
	assert_int_equal(lac_graph_read_way(kernel, &o, LAC_WAY_PLAIN, &plain,
					    &err), LAC_OK);
	same_text(g, plain);
	assert_true(g->nrecords > 1000);
	lac_graph_destroy(g);
	lac_graph_destroy(plain);
}

int main(void)
{
	int failed, fd = mkstemp(path);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_in_place),
		cmocka_unit_test(strings_that_are_there_twice),
		cmocka_unit_test(ends_of_other_strings),
		cmocka_unit_test(members_out_of_order),
		cmocka_unit_test(records_in_themselves),
		cmocka_unit_test(deep),
		cmocka_unit_test(declarations),
		cmocka_unit_test(twins),
		cmocka_unit_test(damaged),
		cmocka_unit_test(large),
		cmocka_unit_test(of_a_kernel),
	};

	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
