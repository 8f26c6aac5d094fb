/* SPDX-License-Identifier: BSD-2-Clause */
#include "cachesim/geometry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

enum { TLB_MAX = 1 << 20 };

const struct lac_cache_preset lac_cache_presets[] = {
	{ "westmere-ex", "L1=32K/8,L2=256K/8,L3=30M/24", 64, NULL },
	{ "skylake-sp", "L1=32K/8,L2=1M/16,L3=1.375M/11", 64,
	  "one core's slice of the last level" },
	{ "zen3-milan", "L1=32K/8,L2=512K/8,L3=32M/16", 64, NULL },
	{ "neoverse-n1", "L1=64K/4,L2=1M/8,L3=32M/16", 64,
	  "ways of the last level assumed" },
	{ "apple-m1-p", "L1=128K/8,L2=12M/12", 128,
	  "ways assumed; system level cache left out" },
	{ "power9", "L1=32K/8,L2=512K/8,L3=10M/20", 128, "ways assumed" },
	{ NULL, NULL, 0, NULL },
};

/* Asked for, and not to be had: a model cannot do without these. */
static const struct {
	const char *name, *why;
} unknown[] = {
	{ "apple-m1-e", "its caches have 64K, and 4M shared by four cores, in "
			"lines of 128 bytes, but in how many ways is not known" },
	{ "s390", "of its caches only the line, 256 bytes, is known" },
};

static int power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

enum lac_status lac_cache_geometry_check(const struct lac_cache_geometry *g,
					 struct lac_err *err)
{
	if (!power_of_two(g->line_bytes) || g->line_bytes < 32 ||
	    g->line_bytes > 256)
		return lac_fail(err, LAC_USAGE,
				"a line of %u bytes: 32, 64, 128 or 256 can be "
				"simulated", g->line_bytes);
	if (g->levels < 1 || g->levels > LAC_CACHE_LEVELS)
		return lac_fail(err, LAC_USAGE, "%u cache levels: 1 to %d",
				g->levels, LAC_CACHE_LEVELS);
	for (unsigned int i = 0; i < g->levels; i++) {
		const struct lac_cache_level *l = &g->level[i];

		if (l->ways < 1 || l->ways > LAC_CACHE_WAYS_MAX)
			return lac_fail(err, LAC_USAGE, "L%u: %u ways: 1 to %d",
					i + 1, l->ways, LAC_CACHE_WAYS_MAX);
		if (!l->sets || l->sets > 1u << 24 ||
		    l->size_bytes !=
			    (uint64_t)l->sets * l->ways * g->line_bytes)
			return lac_fail(err, LAC_USAGE,
					"L%u: %llu bytes in %u ways of %u-byte "
					"lines do not make a whole number of "
					"sets (1 to 16777216)", i + 1,
					(unsigned long long)l->size_bytes,
					l->ways, g->line_bytes);
	}
	if (g->tlb_entries && (!g->tlb_ways || g->tlb_ways > LAC_CACHE_WAYS_MAX ||
			       g->tlb_entries % g->tlb_ways ||
			       g->tlb_entries > TLB_MAX))
		return lac_fail(err, LAC_USAGE,
				"a TLB of %u entries in %u ways: ways are 1 to "
				"%d and divide the entries", g->tlb_entries,
				g->tlb_ways, LAC_CACHE_WAYS_MAX);
	return LAC_OK;
}

/* "1.375M": bytes; end is left behind the unit.  0 if it is no size. */
static uint64_t parse_size(const char *text, const char **end)
{
	char *behind;
	double n;

	if (*text < '0' || *text > '9')
		return 0;
	n = strtod(text, &behind);
	/* which also takes hexadecimal and exponents */
	if (behind != text + strspn(text, "0123456789."))
		return 0;
	*end = behind;
	switch (**end) {
	case 'G':
		n *= 1024; /* fall through */
		__attribute__((fallthrough));
	case 'M':
		n *= 1024;
		__attribute__((fallthrough));
	case 'K':
		n *= 1024;
		++*end;
	}
	if (!(n >= 1 && n < 0x1p40) || n != (double)(uint64_t)n)
		return 0;
	return (uint64_t)n;
}

static enum lac_status parse_level(const char **at, unsigned int number,
				   uint32_t line_bytes,
				   struct lac_cache_level *ret,
				   struct lac_err *err)
{
	const char *end = NULL, *from;
	uint64_t size, ways;

	if ((*at)[0] != 'L' || (*at)[1] != (char)('0' + number) ||
	    (*at)[2] != '=')
		return lac_fail(err, LAC_USAGE,
				"\"%s\": expected L%u=SIZE/WAYS, as in "
				"L1=32K/8,L2=256K/8,L3=30M/24", *at, number);
	size = parse_size(*at + 3, &end);
	if (!size || *end != '/')
		return lac_fail(err, LAC_USAGE,
				"\"%s\": expected SIZE/WAYS with SIZE a whole "
				"number of bytes up to 1024G", *at + 3);
	from = end + 1;
	if (!lac_digits_scan(from, 10, LAC_CACHE_WAYS_MAX, &ways, &end) ||
	    !ways)
		return lac_fail(err, LAC_USAGE, "L%u: ways '%s': 1 to %d",
				number, from, LAC_CACHE_WAYS_MAX);
	if ((*end && *end != ',') || (*end == ',' && !end[1]))
		return lac_fail(err, LAC_USAGE,
				"\"%s\": levels are separated by commas", *at);
	*ret = (struct lac_cache_level){
		.size_bytes = size,
		.ways = (uint32_t)ways,
		.sets = size / (ways * line_bytes) > 1u << 24
				? 0
				: (uint32_t)(size / (ways * line_bytes)),
	};
	*at = *end ? end + 1 : end;
	return LAC_OK;
}

enum lac_status lac_cache_parse(const char *text, uint32_t line_bytes,
				struct lac_cache_geometry *ret,
				struct lac_err *err)
{
	struct lac_cache_geometry g = { .line_bytes = line_bytes };

	if (!line_bytes)
		return lac_fail(err, LAC_USAGE, "a line of 0 bytes");
	do {
		if (g.levels == LAC_CACHE_LEVELS)
			return lac_fail(err, LAC_USAGE,
					"\"%s\": at most %d levels", text,
					LAC_CACHE_LEVELS);
		LAC_TRY(parse_level(&text, g.levels + 1, line_bytes,
				    &g.level[g.levels], err));
		g.levels++;
	} while (*text);
	LAC_TRY(lac_cache_geometry_check(&g, err));
	*ret = g;
	return LAC_OK;
}

enum lac_status lac_cache_preset_find(const char *name,
				      struct lac_cache_geometry *ret,
				      struct lac_err *err)
{
	char known[256] = "";

	for (const struct lac_cache_preset *p = lac_cache_presets; p->name;
	     p++) {
		size_t n = strlen(known);

		if (!strcmp(p->name, name))
			return lac_cache_parse(p->levels, p->line_bytes, ret,
					       err);
		snprintf(known + n, sizeof(known) - n, "%s%s", n ? ", " : "",
			 p->name);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (!strcmp(unknown[i].name, name))
			return lac_fail(err, LAC_USAGE,
					"no preset \"%s\": %s; --cache and "
					"--line take what you assume. There are "
					"%s, and host", name, unknown[i].why,
					known);
	return lac_fail(err, LAC_USAGE, "no preset \"%s\": %s, or host", name,
			known);
}

enum lac_status lac_cache_choose(const char *preset, const char *cache,
				 uint32_t line_bytes,
				 struct lac_cache_geometry *ret,
				 struct lac_err *err)
{
	if (preset && cache)
		return lac_fail(err, LAC_USAGE,
				"--preset and --cache: only one of them");
	if (cache)
		return lac_cache_parse(cache, line_bytes ? line_bytes : 64, ret,
				       err);
	if (line_bytes)
		return lac_fail(err, LAC_USAGE,
				"--line goes with --cache: a preset has its "
				"own");
	if (!preset)
		preset = LAC_CACHE_PRESET;
	return strcmp(preset, "host") ? lac_cache_preset_find(preset, ret, err)
				      : lac_cache_host(NULL, ret, err);
}

enum lac_status lac_cache_parse_tlb(const char *text,
				    struct lac_cache_geometry *g,
				    struct lac_err *err)
{
	struct lac_cache_geometry with = *g;
	uint64_t entries, ways;
	const char *end;

	if (!lac_digits_scan(text, 10, TLB_MAX, &entries, &end) || !entries ||
	    *end != '/' ||
	    !lac_digits_scan(end + 1, 10, LAC_CACHE_WAYS_MAX, &ways, &end) ||
	    !ways || *end)
		return lac_fail(err, LAC_USAGE,
				"a TLB of '%s': ENTRIES/WAYS, as in 64/4, with "
				"entries from 1 to %d and ways from 1 to %d",
				text, TLB_MAX, LAC_CACHE_WAYS_MAX);
	with.tlb_entries = (uint32_t)entries;
	with.tlb_ways = (uint32_t)ways;
	LAC_TRY(lac_cache_geometry_check(&with, err));
	*g = with;
	return LAC_OK;
}

/* ---- sysfs -------------------------------------------------------------------- */

/* First line of dir/indexN/file; empty if there is none. */
static void read_line(const char *dir, int n, const char *file, char *buf,
		      size_t size)
{
	char path[512];
	FILE *f;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "%s/index%d/%s", dir, n, file);
	f = fopen(path, "re");
	if (!f)
		return;
	if (!fgets(buf, (int)size, f))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
}

/* The number that is all of a file; 0 if it is none, or more than 32 bits. */
static uint32_t read_number(const char *dir, int n, const char *file)
{
	char text[32];
	const char *end;
	uint64_t v;

	read_line(dir, n, file, text, sizeof(text));
	return lac_digits_scan(text, 10, UINT32_MAX, &v, &end) && !*end
		       ? (uint32_t)v
		       : 0;
}

enum lac_status lac_cache_host(const char *dir, struct lac_cache_geometry *ret,
			       struct lac_err *err)
{
	struct lac_cache_geometry g = { 0 };
	const char *where = dir ? dir : "/sys/devices/system/cpu/cpu0/cache";

	for (int i = 0; i < 16; i++) {
		const char *end = "";
		char type[32], size[32];
		unsigned int n;

		read_line(where, i, "type", type, sizeof(type));
		if (strcmp(type, "Data") && strcmp(type, "Unified"))
			continue;
		n = read_number(where, i, "level");
		if (n < 1 || n > LAC_CACHE_LEVELS)
			continue;
		read_line(where, i, "size", size, sizeof(size));
		g.line_bytes = read_number(where, i, "coherency_line_size");
		g.level[n - 1].size_bytes = parse_size(size, &end);
		if (*end)
			g.level[n - 1].size_bytes = 0; /* no size: refused */
		g.level[n - 1].ways =
			read_number(where, i, "ways_of_associativity");
		if (g.line_bytes && g.level[n - 1].ways)
			g.level[n - 1].sets = (uint32_t)(
				g.level[n - 1].size_bytes /
				((uint64_t)g.level[n - 1].ways * g.line_bytes));
		if (g.levels < n)
			g.levels = n;
	}
	if (!g.levels)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s describes no data cache; choose a preset",
				where);
	if (lac_cache_geometry_check(&g, err) != LAC_OK)
		return lac_err_context(err, LAC_UNSUPPORTED,
				       "%s cannot be used; choose a preset",
				       where);
	*ret = g;
	return LAC_OK;
}
