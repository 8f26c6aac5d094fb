/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * workload.h - what is done to the allocator, as seeded sequences.
 *
 * Names, orders and sizes only: the loops that call the allocator are with the
 * allocator (fixtures/slab/kernels.h), because a call through a pointer would be
 * in the figures.
 */
#ifndef LAC_WORKLOAD_H
#define LAC_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"

enum lac_test {
	LAC_TEST_BULK,	       /* allocate N, free them in the same order */
	LAC_TEST_PAIR,	       /* N times allocate one and free it */
	LAC_TEST_BULK_RANDOM,  /* allocate N, free them in random order */
	LAC_TEST_BULK_REVERSE, /* allocate N, free the last one first */
	LAC_TEST_FRAGMENTED,   /* bulk on a heap of scattered long-lived objects */
	LAC_TEST_REMOTE,       /* each object is freed by another CPU */
	LAC_TEST_MESSAGE,      /* senders allocate, receivers free */
	LAC_TESTS
};

extern const char *const lac_test_name[LAC_TESTS];
extern const char *const lac_test_summary[LAC_TESTS];

/* LAC_USAGE names the tests there are. */
enum lac_status lac_test_find(const char *name, enum lac_test *ret,
			      struct lac_err *err);

/* Fisher and Yates; the same seed gives the same order anywhere. */
void lac_shuffle(void **v, size_t n, struct lac_rng *r);
void lac_reverse(void **v, size_t n);

/* Put n objects, in order of allocation, into the order of freeing. */
void lac_test_order(enum lac_test test, void **v, size_t n, struct lac_rng *r);

/*
 * A fragmented heap: FRAGMENT_FACTOR * n objects are allocated, and all but n,
 * chosen at random, freed again.  keep gets a 0 or 1 for each of total objects,
 * with exactly n ones.
 */
enum { LAC_FRAGMENT_FACTOR = 4 };
void lac_fragment_choose(uint8_t *keep, size_t total, size_t n,
			 struct lac_rng *r);

/* ---- messages ------------------------------------------------------------------ */

/*
 * A message through a socket of the local family: what is allocated for one, in
 * this order, freed in the opposite one, and how many are under way.
 */
struct lac_message {
	unsigned int descriptor_bytes; /* of the descriptor's cache */
	unsigned int head_bytes;       /* asked of kmalloc; with small_head, the
					* size of a cache of its own */
	int small_head;
	unsigned int pages;	       /* single pages for the rest */
	unsigned int charge_bytes;     /* against the send buffer */
	unsigned int in_flight;	       /* at which a sender blocks */
	unsigned int resume;	       /* at or below which senders go on */
};

enum { LAC_MESSAGE_MAX = 3776 + 32768 };

/* bytes: 1 .. LAC_MESSAGE_MAX; era: 313, 510, 601 or 612. */
struct lac_message lac_message_plan(unsigned int bytes, int era);

#endif
