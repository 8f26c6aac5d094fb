/* SPDX-License-Identifier: BSD-2-Clause */
/* geometry.h - the sizes of caches: given, from a preset, or from sysfs. */
#ifndef LAC_CACHESIM_GEOMETRY_H
#define LAC_CACHESIM_GEOMETRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LAC_CACHE_LEVELS = 3, LAC_CACHE_WAYS_MAX = 32 };

/* size_bytes = sets * ways * line, always. */
struct lac_cache_level {
	uint64_t size_bytes;
	uint32_t ways; /* 1 .. 32 */
	uint32_t sets; /* any number: 30M/24 has 20480 */
};

/* Levels are numbered from the CPU: level[0] is L1. */
struct lac_cache_geometry {
	unsigned int levels; /* 1 .. 3 */
	struct lac_cache_level level[LAC_CACHE_LEVELS];
	uint32_t line_bytes;	/* 32, 64, 128 or 256 */
	int adjacent_prefetch;	/* an L2 demand miss fetches the pair line */
	uint32_t tlb_entries;	/* 0: no TLB */
	uint32_t tlb_ways;
};

struct lac_cache_preset {
	const char *name;
	const char *levels;	/* as lac_cache_parse() takes them */
	uint32_t line_bytes;
	const char *note;	/* what is assumed; NULL if nothing */
};

/* Ended by a NULL name.  Sizes are nominal. */
extern const struct lac_cache_preset lac_cache_presets[];

/*
 * "L1=32K/8,L2=256K/8,L3=30M/24": size/ways a level, in order, L1 at least.
 * Sizes take a decimal fraction and K, M or G (1024, ...).  LAC_USAGE names the
 * rule that text breaks.
 */
enum lac_status lac_cache_parse(const char *text, uint32_t line_bytes,
				struct lac_cache_geometry *ret,
				struct lac_err *err);

/* LAC_USAGE names the presets there are. */
enum lac_status lac_cache_preset_find(const char *name,
				      struct lac_cache_geometry *ret,
				      struct lac_err *err);

/*
 * The data side of this machine's cpu0, from dir (NULL: where Linux keeps it).
 * LAC_UNSUPPORTED if the files are missing, as they are in many guests, or do
 * not add up.
 */
enum lac_status lac_cache_host(const char *dir, struct lac_cache_geometry *ret,
			       struct lac_err *err);

/* What is simulated if nothing is asked for. */
#define LAC_CACHE_PRESET "westmere-ex"

/*
 * What the options --preset (a name, or host), --cache and --line ask for, NULL
 * and 0 where they are not given.  LAC_USAGE if they exclude each other.
 */
enum lac_status lac_cache_choose(const char *preset, const char *cache,
				 uint32_t line_bytes,
				 struct lac_cache_geometry *ret,
				 struct lac_err *err);

/* "64/4": entries/ways of a TLB of 4 KiB pages. */
enum lac_status lac_cache_parse_tlb(const char *text,
				    struct lac_cache_geometry *g,
				    struct lac_err *err);

/* Does the geometry keep the rules above? */
enum lac_status lac_cache_geometry_check(const struct lac_cache_geometry *g,
					 struct lac_err *err);

#endif
