/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cachename.c - what the caches of a record may be called: as the record, but
 * for endings that say nothing; or, as a guess, by one of the other names that
 * Linux gives them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/internal.h"

/* The length without the endings that say nothing. */
static size_t stem(const char *name)
{
	static const char *const endings[] = {"_cachep", "_cache", "_slab",
					      "_struct", "_t", NULL};
	size_t n = strlen(name);

	for (size_t i = 0; endings[i]; i++) {
		size_t e = strlen(endings[i]);

		if (n > e && !strcmp(name + n - e, endings[i]))
			return n - e;
	}
	return n;
}

const char *lac_cache_called(const struct lac_slab_cache *c)
{
	return strcmp(c->name, "filp") ? c->name : "file";
}

static int stem_order(const char *a, const char *b)
{
	size_t na = stem(a), nb = stem(b);
	int c = memcmp(a, b, na < nb ? na : nb);

	return c ? c : na < nb ? -1 : na > nb;
}

static int cache_order(const void *pa, const void *pb, void *ctx)
{
	const struct lac_slab_cache *c = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int o = stem_order(lac_cache_called(&c[a]), lac_cache_called(&c[b]));

	return o ? o : a < b ? -1 : a > b;
}

enum lac_status lac_cache_names_sort(const struct lac_slabinfo *s,
				     struct lac_arena *arena,
				     struct lac_cache_names *ret,
				     struct lac_err *err)
{
	uint32_t *by_stem = lac_arena_zalloc(arena, s->n, sizeof(*by_stem));

	if (!by_stem)
		return lac_fail_memory(err);
	for (uint32_t i = 0; i < s->n; i++)
		by_stem[i] = i;
	if (s->n)
		qsort_r(by_stem, s->n, sizeof(*by_stem), cache_order,
			s->caches);
	*ret = (struct lac_cache_names){.s = s, .by_stem = by_stem};
	return LAC_OK;
}

uint32_t lac_cache_names_first(const struct lac_cache_names *n,
			       const char *name)
{
	uint32_t from = 0, to = n->s->n;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		const char *c =
			lac_cache_called(&n->s->caches[n->by_stem[mid]]);

		if (stem_order(c, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool lac_cache_names_at(const struct lac_cache_names *n, uint32_t k,
			const char *name, uint32_t *cache)
{
	if (k >= n->s->n)
		return false;
	*cache = n->by_stem[k];
	return !stem_order(lac_cache_called(&n->s->caches[*cache]), name);
}

/* The kmem_cache_create() calls of Linux whose names say no record. */
static const struct {
	const char *record, *cache;
} known[] = {
	{"sk_buff", "skbuff_head_cache"},
	{"sk_buff_fclones", "skbuff_fclone_cache"},
	{"cred", "cred_jar"},
	{"socket_alloc", "sock_inode_cache"},
	{"bdev_inode", "bdev_cache"},
	{"mount", "mnt_cache"},
	{"io_context", "blkdev_ioc"},
	{"epitem", "eventpoll_epi"},
	{"eppoll_entry", "eventpoll_pwq"},
	{"k_itimer", "posix_timers_cache"},
	{"rtable", "ip_dst_cache"},
	{"rt6_info", "ip6_dst_cache"},
	{"tcp_sock", "TCP"},
	{"tcp6_sock", "TCPv6"},
	{"udp_sock", "UDP"},
	{"udp6_sock", "UDPv6"},
	{"unix_sock", "UNIX"},
	{"raw_sock", "RAW"},
	{"raw6_sock", "RAWv6"},
	{"tcp_request_sock", "request_sock_TCP"},
	{"tcp_timewait_sock", "tw_sock_TCP"},
	{"journal_head", "jbd2_journal_head"},
};

const char *lac_cache_alias(const char *record, unsigned i, char *buf,
			    size_t size)
{
	size_t n = strlen(record);

	/* ext4_inode_cache is of ext4_inode_info */
	if (n > 5 && n < size && !strcmp(record + n - 5, "_info") && !i--) {
		snprintf(buf, size, "%.*s", (int)(n - 5), record);
		return buf;
	}
	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
		if (!strcmp(record, known[k].record) && !i--)
			return known[k].cache;
	return NULL;
}
