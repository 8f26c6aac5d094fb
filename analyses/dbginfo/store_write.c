/* SPDX-License-Identifier: BSD-2-Clause */
/* store_write.c - from a graph to the bytes of an entry. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbginfo/index.h"
#include "dbginfo/map.h"
#include "dbginfo/store_format.h"

struct bytes {
	unsigned char *p;
	size_t n, cap;
};

struct writer {
	const struct lac_graph *g;
	const struct lac_graph_index *index; /* with its names */
	struct bytes section[LAC_IN_SECTIONS];
	uint64_t count[LAC_IN_SECTIONS];
	struct lac_map names; /* a string's address -> its offset */
	struct lac_map lists; /* a list's hash -> the last list with it */
	uint32_t *same;	      /* by list: an earlier one with its hash */
	const struct lac_record **first; /* by list: a record that has it */
	bool failed; /* out of memory, or more than an index can tell */
};

static void *grow(struct bytes *b, size_t n)
{
	if (b->cap - b->n < n) {
		size_t cap = (b->cap + n) * 2;
		unsigned char *p = realloc(b->p, cap);

		if (!p)
			return NULL;
		b->p = p;
		b->cap = cap;
	}
	b->n += n;
	return b->p + b->n - n;
}

/* Append n elements; the index of the first. */
static uint32_t put(struct writer *w, enum lac_image_section s,
		    const void *from, uint64_t n)
{
	uint64_t at = w->count[s];
	void *to;

	if (w->failed || n >= UINT32_MAX - at) {
		w->failed = true;
		return 0;
	}
	if (!n)
		return (uint32_t)at;
	to = grow(&w->section[s], n * lac_image_element(s));
	if (!to) {
		w->failed = true;
		return 0;
	}
	memcpy(to, from, n * lac_image_element(s));
	w->count[s] += n;
	return (uint32_t)at;
}

/* Names are interned: one address, one string. */
static uint32_t put_string(struct writer *w, const char *s)
{
	const uint32_t *known;
	uint32_t at;

	if (!s)
		return 0;
	known = lac_map_get(&w->names, (uintptr_t)s);
	if (known)
		return *known;
	at = put(w, LAC_IN_STRINGS, s, strlen(s) + 1);
	w->failed |= !lac_map_put(&w->names, (uintptr_t)s, at);
	return at;
}

static void put_types(struct writer *w)
{
	const struct lac_graph *g = w->g;
	const struct lac_graph_index *ix = lac_index_aligned(g);

	for (lac_type_id i = 0; i < g->ntypes; i++) {
		const struct lac_type *t = &g->types[i];
		struct lac_image_type to = {
			.size = t->size,
			.name = put_string(w, t->name),
			.target = t->target,
			.declared_align = t->declared_align,
			.align = ix->align[i],
			.kind = (uint8_t)t->kind,
			.encoding = (uint8_t)t->encoding,
			.record_kind = (uint8_t)t->record_kind,
			.align_source = ix->align_source[i],
		};

		switch (t->kind) {
		case LAC_TYPE_ARRAY:
		case LAC_TYPE_VECTOR:
			to.count = t->array.count;
			to.flexible = t->array.flexible;
			break;
		case LAC_TYPE_FUNCTION:
			to.ref = put(w, LAC_IN_PARAMS, t->function.params,
				     t->function.nparams);
			to.nparams = t->function.nparams;
			to.variadic = t->function.variadic;
			break;
		case LAC_TYPE_ENUM:
			to.ref = t->enumeration;
			break;
		case LAC_TYPE_RECORD:
		case LAC_TYPE_MEMBER_POINTER:
			to.ref = t->record;
			break;
		default:
			break;
		}
		put(w, LAC_IN_TYPES, &to, 1);
	}
}

static bool same_units(const struct lac_record *a, const struct lac_record *b)
{
	return a->nunits == b->nunits &&
	       (!a->nunits || !memcmp(a->units, b->units,
				      a->nunits * sizeof(*a->units)));
}

static uint64_t hash_units(const struct lac_record *r)
{
	uint64_t h = r->nunits;

	for (uint32_t i = 0; i < r->nunits; i++)
		h = lac_mix(h ^ r->units[i]);
	return h >> 1; /* never UINT64_MAX, which the map cannot hold */
}

static uint32_t put_new_list(struct writer *w, const struct lac_record *r)
{
	struct lac_image_list list = {
		.at = (uint32_t)w->count[LAC_IN_UNITS_OF],
		.n = r->nunits,
	};
	uint32_t last = 0;

	for (uint32_t i = 0; i < r->nunits; i++) {
		uint32_t step = r->units[i] - last;
		unsigned char out[5];
		unsigned n = 0;

		for (; step >= 0x80; step >>= 7)
			out[n++] = (unsigned char)(step | 0x80);
		out[n++] = (unsigned char)step;
		put(w, LAC_IN_UNITS_OF, out, n);
		last = r->units[i];
	}
	list.bytes = (uint32_t)w->count[LAC_IN_UNITS_OF] - list.at;
	return put(w, LAC_IN_LISTS, &list, 1);
}

/* Most records of a header are in the same units as its others. */
static uint32_t put_list(struct writer *w, const struct lac_record *r)
{
	uint64_t hash = hash_units(r);
	const uint32_t *known = lac_map_get(&w->lists, hash);
	uint32_t before = known ? *known : LAC_NONE, id;

	for (id = before; id != LAC_NONE; id = w->same[id])
		if (same_units(w->first[id], r))
			return id;
	id = put_new_list(w, r);
	if (w->failed)
		return 0;
	w->same[id] = before;
	w->first[id] = r;
	w->failed |= !lac_map_put(&w->lists, hash, id);
	return id;
}

static void put_members(struct writer *w, const struct lac_record *r)
{
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		struct lac_image_member to = {
			.bit_offset = m->bit_offset,
			.bit_size = m->bit_size,
			.discriminant = m->discriminant,
			.name = put_string(w, m->name),
			.type = m->type,
			.declared_align = m->declared_align,
			.role = (uint8_t)m->role,
			.certainty = (uint8_t)m->certainty,
			.has_discriminant = m->has_discriminant,
		};

		put(w, LAC_IN_MEMBERS, &to, 1);
	}
}

/* aliases_of: how many aliases each record has. */
static void put_records(struct writer *w, const uint32_t *aliases_of)
{
	uint32_t alias = 0;

	for (lac_record_id i = 0; i < w->g->nrecords; i++) {
		const struct lac_record *r = &w->g->records[i];
		struct lac_image_record to = {
			.size = r->size,
			.name = put_string(w, r->name),
			.typedef_name = put_string(w, r->typedef_name),
			.decl_file = put_string(w, r->decl_file),
			.decl_line = r->decl_line,
			.damage = put_string(w, r->damage),
			.declared_align = r->declared_align,
			.type = r->type,
			.parent = r->parent,
			.member = (uint32_t)w->count[LAC_IN_MEMBERS],
			.nmembers = r->nmembers,
			.list = put_list(w, r),
			.alias = alias,
			.naliases = aliases_of[i],
			.kind = r->kind,
		};

		alias += aliases_of[i];
		put_members(w, r);
		put(w, LAC_IN_RECORDS, &to, 1);
	}
}

/* The aliases in the graph's order, and their indices by record. */
static void put_aliases(struct writer *w, const uint32_t *aliases_of)
{
	const struct lac_graph *g = w->g;
	uint32_t *next = calloc((size_t)g->nrecords + 1, sizeof(*next));
	uint32_t *order = calloc((size_t)g->naliases + 1, sizeof(*order));

	if (!next || !order) {
		w->failed = true;
	} else {
		for (uint32_t i = 1; i < g->nrecords; i++)
			next[i] = next[i - 1] + aliases_of[i - 1];
		for (uint32_t i = 0; i < g->naliases; i++) {
			struct lac_image_name to = {
				put_string(w, g->aliases[i].name),
				g->aliases[i].record,
			};

			order[next[g->aliases[i].record]++] = i;
			put(w, LAC_IN_ALIASES, &to, 1);
		}
		put(w, LAC_IN_ALIASES_OF, order, g->naliases);
	}
	free(next);
	free(order);
}

static void put_enums(struct writer *w)
{
	for (uint32_t i = 0; i < w->g->nenumerations; i++) {
		const struct lac_enumeration *e = &w->g->enumerations[i];
		struct lac_image_enum to = {
			.size = e->size,
			.name = put_string(w, e->name),
			.type = e->type,
			.decl_file = put_string(w, e->decl_file),
			.decl_line = e->decl_line,
			.value = (uint32_t)w->count[LAC_IN_VALUES],
			.nvalues = e->nvalues,
			.is_signed = e->is_signed,
		};

		for (uint32_t k = 0; k < e->nvalues; k++) {
			struct lac_image_value v = {
				.value = e->values[k].value,
				.name = put_string(w, e->values[k].name),
			};

			put(w, LAC_IN_VALUES, &v, 1);
		}
		put(w, LAC_IN_ENUMS, &to, 1);
	}
}

static void put_units(struct writer *w)
{
	for (uint32_t i = 0; i < w->g->nunits; i++) {
		struct lac_image_unit to = {
			put_string(w, w->g->units[i].name),
			put_string(w, w->g->units[i].producer),
		};

		put(w, LAC_IN_UNITS, &to, 1);
	}
}

static void put_index(struct writer *w, enum lac_image_section s,
		      const struct lac_name *names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct lac_image_name to = { put_string(w, names[i].name),
					     names[i].record };

		put(w, s, &to, 1);
	}
}

static void put_graph(struct writer *w)
{
	const struct lac_graph *g = w->g;
	const struct lac_graph_index *ix = w->index;
	uint32_t *aliases_of = calloc((size_t)g->nrecords + 1,
				      sizeof(*aliases_of));

	w->same = calloc((size_t)g->nrecords + 1, sizeof(*w->same));
	w->first = calloc((size_t)g->nrecords + 1, sizeof(*w->first));
	w->failed = !aliases_of || !w->same || !w->first;
	put(w, LAC_IN_STRINGS, "", 1); /* offset 0 is no string */
	if (!w->failed) {
		for (uint32_t i = 0; i < g->naliases; i++)
			aliases_of[g->aliases[i].record]++;
		/* strings that are used together lie close together */
		put_units(w);
		put_index(w, LAC_IN_WHOLE, ix->whole, ix->nwhole);
		put_index(w, LAC_IN_LAST, ix->last, ix->nlast);
		put_records(w, aliases_of);
		put_types(w);
		put_aliases(w, aliases_of);
		put_enums(w);
	}
	free(aliases_of);
}

/* -- out ------------------------------------------------------------------ */

static enum lac_status write_all(int fd, const void *from, uint64_t n,
				 struct lac_err *err)
{
	const unsigned char *p = from;

	while (n) {
		ssize_t put_n = write(fd, p, n);

		if (put_n < 0 && errno == EINTR)
			continue;
		if (put_n <= 0)
			return lac_fail_os(err, "keeping a graph");
		p += put_n;
		n -= (uint64_t)put_n;
	}
	return LAC_OK;
}

static enum lac_status write_out(struct writer *w, struct lac_image_head head,
				 int fd, struct lac_err *err)
{
	uint64_t size = 0, head_bytes;
	unsigned char *data, *front;
	enum lac_status st;
	uint64_t *sums;

	for (int s = 0; s < LAC_IN_SECTIONS; s++) {
		head.sections[s].at = size;
		head.sections[s].n = w->count[s];
		size += (w->section[s].n + 7) / 8 * 8;
	}
	if (size > (uint64_t)UINT32_MAX * LAC_IMAGE_BLOCK / 2)
		return lac_fail(err, LAC_UNSUPPORTED, "too much to keep");
	head.nblocks = (uint32_t)((size + LAC_IMAGE_BLOCK - 1) /
				  LAC_IMAGE_BLOCK);
	head_bytes = lac_image_head_bytes(head.nblocks);
	front = calloc(1, head_bytes);
	data = calloc((size_t)head.nblocks + 1, LAC_IMAGE_BLOCK);
	if (!front || !data) {
		free(front);
		free(data);
		return lac_fail_memory(err);
	}
	for (int s = 0; s < LAC_IN_SECTIONS; s++)
		if (w->section[s].n)
			memcpy(data + head.sections[s].at, w->section[s].p,
			       w->section[s].n);
	sums = (uint64_t *)(void *)(front + sizeof(head));
	for (uint32_t b = 0; b < head.nblocks; b++)
		sums[b] = lac_image_sum(data + (size_t)b * LAC_IMAGE_BLOCK,
					LAC_IMAGE_BLOCK, (uint64_t)b + 1);
	memcpy(front, &head, sizeof(head));
	head.sum = lac_image_sum(front, head_bytes, 0);
	memcpy(front, &head, sizeof(head));
	st = write_all(fd, front, head_bytes, err);
	if (st == LAC_OK)
		st = write_all(fd, data,
			       (uint64_t)head.nblocks * LAC_IMAGE_BLOCK, err);
	free(front);
	free(data);
	return st;
}

enum lac_status lac_store_write(const struct lac_graph *g,
				const struct lac_store_key *key, int fd,
				struct lac_err *err)
{
	struct writer w = { .g = g };
	const struct lac_graph_index *ix;
	struct lac_image_head head = {
		.magic = LAC_IMAGE_MAGIC,
		.key = *key,
		.format = LAC_IMAGE_FORMAT,
		.graph_format = g->format,
		.machine = g->target.machine,
		.tells_alignment = g->tells_alignment,
		.pointer_size = g->target.pointer_size,
		.big_endian = g->target.big_endian,
	};
	enum lac_status st;

	if (!g->alone || g->missing)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: not all of it read from one file", g->path);
	LAC_TRY(lac_index_names(g, &ix, err));
	w.index = ix;
	put_graph(&w);
	head.version = put_string(&w, g->version);
	st = w.failed ? lac_fail_memory(err) : write_out(&w, head, fd, err);
	for (int s = 0; s < LAC_IN_SECTIONS; s++)
		free(w.section[s].p);
	lac_map_free(&w.names);
	lac_map_free(&w.lists);
	free(w.same);
	free(w.first);
	return st;
}
