/* SPDX-License-Identifier: BSD-2-Clause */
#include "workload/workload.h"

#include <stdio.h>
#include <string.h>

const char *const lac_test_name[LAC_TESTS] = {
	[LAC_TEST_BULK] = "bulk",
	[LAC_TEST_PAIR] = "pair",
	[LAC_TEST_BULK_RANDOM] = "bulk-random",
	[LAC_TEST_BULK_REVERSE] = "bulk-reverse",
	[LAC_TEST_FRAGMENTED] = "fragmented",
	[LAC_TEST_REMOTE] = "remote",
	[LAC_TEST_MESSAGE] = "message",
};

const char *const lac_test_summary[LAC_TESTS] = {
	[LAC_TEST_BULK] = "allocate N, then free them in the same order",
	[LAC_TEST_PAIR] = "N times allocate one and free it",
	[LAC_TEST_BULK_RANDOM] = "allocate N, then free them in random order",
	[LAC_TEST_BULK_REVERSE] = "allocate N, then free the last one first",
	[LAC_TEST_FRAGMENTED] = "bulk on a heap of scattered old objects",
	[LAC_TEST_REMOTE] = "each object is freed by another CPU",
	[LAC_TEST_MESSAGE] = "senders allocate, receivers free",
};

enum lac_status lac_test_find(const char *name, enum lac_test *ret,
			      struct lac_err *err)
{
	char known[256] = "";

	for (int i = 0; i < LAC_TESTS; i++) {
		size_t n = strlen(known);

		if (!strcmp(lac_test_name[i], name)) {
			*ret = (enum lac_test)i;
			return LAC_OK;
		}
		snprintf(known + n, sizeof(known) - n, "%s%s", n ? ", " : "",
			 lac_test_name[i]);
	}
	return lac_fail(err, LAC_USAGE, "no test \"%s\": %s", name, known);
}

void lac_shuffle(void **v, size_t n, struct lac_rng *r)
{
	for (; n > 1; n--) {
		size_t k = lac_rng_below(r, n);
		void *last = v[n - 1];

		v[n - 1] = v[k];
		v[k] = last;
	}
}

void lac_reverse(void **v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		void *first = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = first;
	}
}

void lac_test_order(enum lac_test test, void **v, size_t n, struct lac_rng *r)
{
	if (test == LAC_TEST_BULK_RANDOM)
		lac_shuffle(v, n, r);
	else if (test == LAC_TEST_BULK_REVERSE)
		lac_reverse(v, n);
}

void lac_fragment_choose(uint8_t *keep, size_t total, size_t n,
			 struct lac_rng *r)
{
	/* selection sampling: each choice of n out of total is as likely */
	for (size_t i = 0; i < total; i++) {
		keep[i] = lac_rng_below(r, total - i) < n;
		n -= keep[i];
	}
}

struct lac_message lac_message_plan(unsigned int bytes, int era)
{
	enum {
		SHARED_INFO = 320, /* behind the data of a head */
		HEAD_DATA = 4096 - SHARED_INFO,
		DESCRIPTOR = 256,
		SEND_BUFFER = 212992,
		SMALL_HEAD = 640,
	};
	unsigned int paged = bytes > HEAD_DATA ? bytes - HEAD_DATA : 0, data;
	struct lac_message m = { .descriptor_bytes = DESCRIPTOR };

	if (era != 313) /* rounded up, which leaves less for the head */
		paged = (paged + 4095) / 4096 * 4096;
	data = bytes > paged ? bytes - paged : 0;
	m.pages = (paged + 4095) / 4096;
	m.head_bytes = data + SHARED_INFO;
	if (era == 612 && m.head_bytes <= SMALL_HEAD) {
		m.head_bytes = SMALL_HEAD;
		m.small_head = 1;
	}
	/* the whole class counts, less the shared info */
	data = 512;
	while (data < m.head_bytes)
		data *= 2;
	if (m.small_head)
		data = SMALL_HEAD;
	m.charge_bytes = data - SHARED_INFO + DESCRIPTOR + SHARED_INFO + paged;
	m.in_flight = (SEND_BUFFER + m.charge_bytes - 1) / m.charge_bytes;
	m.resume = SEND_BUFFER / 4 / m.charge_bytes;
	return m;
}
