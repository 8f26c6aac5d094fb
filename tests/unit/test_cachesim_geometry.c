/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cachesim/geometry.h"

static void test_sets(void **state)
{
	static const struct {
		const char *text;
		uint32_t line, sets;
	} rows[] = {
		{ "L1=32K/8", 64, 64 },	      { "L1=256K/8", 64, 512 },
		{ "L1=512K/8", 64, 1024 },    { "L1=1M/16", 64, 1024 },
		{ "L1=30M/24", 64, 20480 },   { "L1=32M/16", 64, 32768 },
		{ "L1=128K/8", 128, 128 },    { "L1=12M/12", 128, 8192 },
		{ "L1=512K/8", 128, 512 },    { "L1=10M/20", 128, 4096 },
		{ "L1=1.375M/11", 64, 2048 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lac_cache_geometry g;
		struct lac_err err;

		assert_int_equal(lac_cache_parse(rows[i].text, rows[i].line, &g,
						 &err), LAC_OK);
		assert_int_equal(g.level[0].sets, rows[i].sets);
	}
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"", "L1", "L1=", "L1=32K", "L1=32K/", "L1=32K/0", "L1=32K/33",
		"L1=32K/7", "L1=33/1", "L2=32K/8", "L1=32K/8,", "L1=32K/8,L3=1M/8",
		"L1=32K/8;L2=1M/8", "L1=-32K/8", "L1=32K/-8", "L1=0/8",
		"L1=1e30/8", "L1=nan/8", "L1=9999999999G/8", "L1=0.3K/1",
		"L1=32K/8,L2=256K/8,L3=1M/16,L4=8M/16", "L1=32K/8 ", "L1=32Q/8",
		"L1=1024G/1", "L1=0x8000/8", "L1=32768e0/8",
		/* 32 bits, and 64, and 8 more */
		"L1=32K/4294967304", "L1=32K/18446744073709551624",
		"L1=18446744073709584384/8", "L1=32K/0x8", "L1=32K/+8",
	};
	struct lac_cache_geometry g = { .levels = 77 };
	struct lac_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (lac_cache_parse(bad[i], 64, &g, &err) != LAC_USAGE)
			fail_msg("\"%s\" was taken", bad[i]);
		assert_int_equal(g.levels, 77); /* untouched */
		assert_true(strlen(err.msg) > 10);
	}
	for (uint32_t line = 0; line <= 1024; line++) {
		int fine = line == 32 || line == 64 || line == 128 ||
			   line == 256;

		assert_int_equal(lac_cache_parse("L1=1M/16", line, &g, &err),
				 fine ? LAC_OK : LAC_USAGE);
	}
}

static void test_presets(void **state)
{
	struct lac_cache_geometry g;
	struct lac_err err;

	(void)state;
	for (const struct lac_cache_preset *p = lac_cache_presets; p->name; p++)
		assert_int_equal(lac_cache_preset_find(p->name, &g, &err),
				 LAC_OK);
	assert_int_equal(lac_cache_preset_find("pentium", &g, &err), LAC_USAGE);
	assert_non_null(strstr(err.msg, "westmere-ex"));
	/* asked for, and not to be had: says why, and what there is */
	assert_int_equal(lac_cache_preset_find("apple-m1-e", &g, &err),
			 LAC_USAGE);
	assert_non_null(strstr(err.msg, "ways is not known"));
	assert_non_null(strstr(err.msg, "power9"));
	g.line_bytes = 64;
	static const char *const bad[] = {
		"-64/4", " 64/4", "64/ 4", "+64/4", "64/4x", "64/", "/4", "",
		"64/4/4", "64/0", "0x40/4", "4294967300/4", "64/4294967300",
		"18446744073709551680/4", "64/18446744073709551620",
		"1048577/1", "1048608/32", "64/33",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(lac_cache_parse_tlb(bad[i], &g, &err),
				 LAC_USAGE);
	}
}

static void test_tlb(void **state)
{
	struct lac_cache_geometry g;
	struct lac_err err;

	(void)state;
	assert_int_equal(lac_cache_preset_find("zen3-milan", &g, &err), LAC_OK);
	assert_int_equal(lac_cache_parse_tlb("64/4", &g, &err), LAC_OK);
	assert_int_equal(g.tlb_entries, 64);
	assert_int_equal(lac_cache_parse_tlb("64/5", &g, &err), LAC_USAGE);
	assert_int_equal(lac_cache_parse_tlb("64", &g, &err), LAC_USAGE);
	assert_int_equal(lac_cache_parse_tlb("64/4x", &g, &err), LAC_USAGE);
	assert_int_equal(lac_cache_parse_tlb("0/1", &g, &err), LAC_USAGE);
	assert_int_equal(g.tlb_entries, 64);
}

/* ---- a machine's own description ------------------------------------------------ */

static void put(const char *dir, int index, const char *file, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/index%d", dir, index);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/index%d/%s", dir, index, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void put_cache(const char *dir, int index, const char *level,
		      const char *type, const char *size, const char *ways)
{
	put(dir, index, "level", level);
	put(dir, index, "type", type);
	put(dir, index, "size", size);
	put(dir, index, "ways_of_associativity", ways);
	put(dir, index, "coherency_line_size", "64\n");
}

static void test_host(void **state)
{
	char dir[] = "/tmp/lacuna-cache-XXXXXX", command[64];
	struct lac_cache_geometry g = { 0 };
	struct lac_err err;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(lac_cache_host(dir, &g, &err), LAC_UNSUPPORTED);
	put_cache(dir, 0, "1\n", "Data\n", "48K\n", "12\n");
	put_cache(dir, 1, "1\n", "Instruction\n", "32K\n", "8\n");
	put_cache(dir, 2, "2\n", "Unified\n", "1280K\n", "20\n");
	put_cache(dir, 3, "3\n", "Unified\n", "49152K\n", "12\n");
	assert_int_equal(lac_cache_host(dir, &g, &err), LAC_OK);
	assert_int_equal(g.levels, 3);
	assert_int_equal(g.level[0].sets, 64);
	assert_int_equal(g.level[1].ways, 20);
	assert_int_equal(g.level[2].size_bytes, 48 << 20);
	static const char *const bad_ways[] = { "0\n", "4294967308\n", "12x\n",
						"-1\n" };

	for (size_t i = 0; i < sizeof(bad_ways) / sizeof(*bad_ways); i++) {
		put_cache(dir, 3, "3\n", "Unified\n", "49152K\n", bad_ways[i]);
		assert_int_equal(lac_cache_host(dir, &g, &err),
				 LAC_UNSUPPORTED);
	}
	put_cache(dir, 3, "3\n", "Unified\n", "49152KB\n", "12\n");
	assert_int_equal(lac_cache_host(dir, &g, &err), LAC_UNSUPPORTED);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_presets),
		cmocka_unit_test(test_tlb),
		cmocka_unit_test(test_host),
	};

	return cmocka_run_group_tests_name("cachesim geometry", tests, NULL,
					   NULL);
}
