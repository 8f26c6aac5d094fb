/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store_image.c - the blocks of an entry, read when they are used.  They are
 * read into memory and not mapped: what was verified stays as it was, whatever
 * happens to the file.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dbginfo/store_format.h"

#define LANES 4

uint64_t lac_image_sum(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *b = p;
	uint64_t lane[LANES], word[LANES], all = seed;

	for (unsigned i = 0; i < LANES; i++)
		lane[i] = (seed + i + 1) * 0x9e3779b97f4a7c15u;
	for (size_t at = 0; at < n; at += sizeof(word)) {
		memcpy(word, b + at, sizeof(word));
		/* each step is one-to-one in the lane and in the word */
		for (unsigned i = 0; i < LANES; i++) {
			lane[i] = (lane[i] ^ word[i]) * 0xd6e8feb86659fd93u;
			lane[i] ^= lane[i] >> 32;
		}
	}
	for (unsigned i = 0; i < LANES; i++) {
		all = (all ^ lane[i]) * 0xd6e8feb86659fd93u;
		all ^= all >> 32;
	}
	return all;
}

/* n bytes at an offset; whether they are all there. */
static bool read_all(int fd, void *to, uint64_t n, uint64_t at)
{
	unsigned char *p = to;

	while (n) {
		ssize_t got = pread(fd, p, n, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		at += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return true;
}

static enum lac_status damaged(struct lac_err *err)
{
	return lac_fail(err, LAC_BAD_INPUT, "the kept graph is damaged");
}

/* Whether each section lies within the blocks. */
static bool sections_fit(const struct lac_image_head *h)
{
	uint64_t size = (uint64_t)h->nblocks * LAC_IMAGE_BLOCK;

	for (int s = 0; s < LAC_IN_SECTIONS; s++)
		if (h->sections[s].at % 8 || h->sections[s].at > size ||
		    h->sections[s].n >= UINT32_MAX ||
		    h->sections[s].n * lac_image_element(
						(enum lac_image_section)s) >
			    size - h->sections[s].at)
			return false;
	return true;
}

enum lac_status lac_image_open(int fd, const struct lac_store_key *key,
			       struct lac_arena *arena, struct lac_image *ret,
			       struct lac_err *err)
{
	struct lac_image m = { .fd = fd };
	struct lac_image_head first, *head;
	uint64_t sum, size;
	struct stat st;

	if (fstat(fd, &st) || st.st_size < 0 ||
	    !read_all(fd, &first, sizeof(first), 0) ||
	    first.magic != LAC_IMAGE_MAGIC)
		return damaged(err);
	/* an entry of another version of lacuna, or of an older file */
	if (first.format != LAC_IMAGE_FORMAT ||
	    !lac_store_same(&first.key, key))
		return lac_fail(err, LAC_NOT_FOUND,
				"the kept graph is of something else");
	m.head_bytes = lac_image_head_bytes(first.nblocks);
	size = (uint64_t)first.nblocks * LAC_IMAGE_BLOCK;
	if ((uint64_t)st.st_size != m.head_bytes + size)
		return damaged(err);
	head = lac_arena_zalloc(arena, m.head_bytes, 1);
	if (!head)
		return lac_fail_memory(err);
	if (!read_all(fd, head, m.head_bytes, 0))
		return damaged(err);
	sum = head->sum;
	head->sum = 0;
	if (sum != lac_image_sum(head, m.head_bytes, 0) ||
	    !lac_store_same(&head->key, key) ||
	    head->nblocks != first.nblocks || !sections_fit(head))
		return damaged(err);
	m.head = head;
	m.sums = (const uint64_t *)(head + 1);
	*ret = m;
	return LAC_OK;
}

enum lac_status lac_image_ready(struct lac_image *m, struct lac_arena *arena,
				struct lac_err *err)
{
	m->data = lac_arena_zalloc(arena, m->head->nblocks, LAC_IMAGE_BLOCK);
	m->have = lac_arena_zalloc(arena, m->head->nblocks, 1);
	return m->data && m->have ? LAC_OK : lac_fail_memory(err);
}

/* Read and verify the blocks from first to last that are not there yet. */
static bool fetch(struct lac_image *m, uint64_t first, uint64_t last)
{
	for (uint64_t b = first; b <= last; b++) {
		uint64_t end = b;

		if (m->have[b])
			continue;
		while (end <= last && !m->have[end])
			end++;
		if (!read_all(m->fd, m->data + b * LAC_IMAGE_BLOCK,
			      (end - b) * LAC_IMAGE_BLOCK,
			      m->head_bytes + b * LAC_IMAGE_BLOCK))
			return false;
		for (; b < end; b++) {
			if (lac_image_sum(m->data + b * LAC_IMAGE_BLOCK,
					  LAC_IMAGE_BLOCK, b + 1) != m->sums[b])
				return false;
			m->have[b] = 1;
		}
	}
	return true;
}

const void *lac_image_at(struct lac_image *m, enum lac_image_section s,
			 uint64_t first, uint64_t n)
{
	unsigned size = lac_image_element(s);
	uint64_t at;

	if (m->bad || first > m->head->sections[s].n ||
	    n > m->head->sections[s].n - first) {
		m->bad = true;
		return NULL;
	}
	at = m->head->sections[s].at + first * size;
	if (n && !fetch(m, at / LAC_IMAGE_BLOCK,
			(at + n * size - 1) / LAC_IMAGE_BLOCK)) {
		m->bad = true;
		return NULL;
	}
	return m->data + at;
}

const char *lac_image_string(struct lac_image *m, uint32_t offset)
{
	uint64_t end = m->head->sections[LAC_IN_STRINGS].n, at = offset;
	const char *start;

	if (!offset)
		return NULL;
	start = lac_image_at(m, LAC_IN_STRINGS, offset, 1);
	while (start) {
		/* to the end of a block, whose bytes are all there by now */
		uint64_t place = m->head->sections[LAC_IN_STRINGS].at + at;
		uint64_t n = LAC_IMAGE_BLOCK - place % LAC_IMAGE_BLOCK;
		const char *p;

		n = n < end - at ? n : end - at;
		p = n ? lac_image_at(m, LAC_IN_STRINGS, at, n) : NULL;
		if (p && memchr(p, 0, n))
			return start;
		at += n;
		if (!p || at == end) {
			m->bad = true;
			break;
		}
	}
	return "";
}

enum lac_status lac_store_probe(int fd, const struct lac_store_key *key,
				struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	struct lac_image m;

	if (!arena)
		return lac_fail_memory(err);
	return lac_image_open(fd, key, arena, &m, err);
}
