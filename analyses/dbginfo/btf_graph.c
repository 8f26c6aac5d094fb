/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_graph.c - BTF where it lies, straight into a graph.
 *
 * The kernel's BTF has each type once, so there is next to nothing that a pool
 * would find twice: a look at all types tells which of them the graph has, and
 * gives them their ids; then each is filled in.  Whatever is odd is not for
 * here: the pool's way takes it, or says what is wrong with it.
 *
 * A name is the place of its string, as long as each string is there once;
 * whether it is, a thread beside finds out.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "dbginfo/aliases.h"
#include "dbginfo/btf_kinds.h"
#include "dbginfo/btf_reader.h"
#include "dbginfo/index.h"
#include "dbginfo/names.h"
#include "dbginfo/sizes.h"
#include "dbginfo/typeinfo.h"

#define CHAIN_MAX 32 /* typedefs, qualifiers, arrays, pointers in a row */

/* -- the types ------------------------------------------------------------ */

static bool fill_function(struct lac_btf_reader *r, const struct btf_type *b,
			  struct lac_type *t)
{
	uint16_t n = btf_vlen(b);

	if (n > r->params_left)
		return false;
	t->kind = LAC_TYPE_FUNCTION;
	t->function.params = r->params;
	for (uint16_t i = 0; i < n; i++) {
		const struct btf_param *p = &btf_params(b)[i];

		if (i == n - 1 && !p->type && !p->name_off)
			t->function.variadic = true;
		else if (!lac_btf_ref(r, p->type,
				      &r->params[t->function.nparams++]))
			return false;
	}
	r->params += t->function.nparams;
	r->params_left -= t->function.nparams;
	return lac_btf_ref(r, b->type, &t->target);
}

/* A typedef of a record without a name, the first of them, names it. */
static bool note_typedef(struct lac_btf_reader *r, uint32_t to,
			 const char *name)
{
	unsigned kind = to < r->from.n ? r->kinds[to] : BTF_KIND_UNKN;
	const char *own;

	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return true;
	if (!name ||
	    !lac_btf_name(r, lac_btf_type(&r->from, to)->name_off, &own))
		return false;
	if (own || lac_map_get(&r->typedef_names, r->now[to]))
		return true;
	return lac_map_put(&r->typedef_names, r->now[to],
			   (uint32_t)(name - r->text));
}

/* What is said of it in its own twelve bytes, and what goes with them. */
static bool fill(struct lac_btf_reader *r, uint32_t id, struct lac_type *t)
{
	const struct btf_type *b = lac_btf_type(&r->from, id);
	unsigned kind = r->kinds[id];

	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		t->kind = LAC_TYPE_BASE;
		t->size = b->size;
		t->encoding = lac_btf_encoding(b);
		return lac_btf_name(r, b->name_off, &t->name);
	case BTF_KIND_PTR:
		t->kind = LAC_TYPE_POINTER;
		t->size = r->g->target.pointer_size;
		return lac_btf_ref(r, b->type, &t->target);
	case BTF_KIND_ARRAY:
		t->kind = LAC_TYPE_ARRAY;
		/* [] and [0] look the same here */
		t->array.count = btf_array(b)->nelems;
		return lac_btf_ref(r, btf_array(b)->type, &t->target);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		t->kind = LAC_TYPE_RECORD;
		t->size = b->size;
		t->record = id; /* until it is taken */
		t->record_kind = kind == BTF_KIND_UNION ? LAC_UNION :
							  LAC_STRUCT;
		return lac_btf_name(r, b->name_off, &t->name);
	case BTF_KIND_FWD:
		t->kind = LAC_TYPE_RECORD;
		t->record = LAC_NONE;
		t->record_kind = btf_kflag(b) ? LAC_UNION : LAC_STRUCT;
		return lac_btf_name(r, b->name_off, &t->name);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		t->kind = LAC_TYPE_ENUM;
		t->size = b->size;
		t->enumeration = id; /* likewise */
		return lac_btf_name(r, b->name_off, &t->name);
	case BTF_KIND_FUNC_PROTO:
		return fill_function(r, b, t);
	default: /* see lac_btf_survey() */
		t->kind = lac_btf_modifier(kind);
		return lac_btf_name(r, b->name_off, &t->name) &&
		       lac_btf_ref(r, b->type, &t->target) &&
		       (kind != BTF_KIND_TYPEDEF ||
			note_typedef(r, b->type, t->name));
	}
}

static bool fill_all(struct lac_btf_reader *r)
{
	r->types[0] = (struct lac_type){ .kind = LAC_TYPE_VOID,
					 .size = LAC_SIZE_UNKNOWN };
	for (uint32_t id = 1; id < r->from.n; id++) {
		lac_type_id now = r->now[id];
		unsigned kind = r->kinds[id];
		struct lac_type *t = &r->types[now];

		if (now == LAC_NONE || kind == BTF_KIND_TYPE_TAG)
			continue;
		*t = (struct lac_type){ .size = LAC_SIZE_UNKNOWN };
		if (!fill(r, id, t))
			return false;
		/* without branches, as the survey numbers them */
		r->typedefs[r->ntypedefs] = r->enums[r->nenums] = now;
		r->forwards[r->nforwards] = r->roots[r->nroots] = now;
		r->ntypedefs += t->kind == LAC_TYPE_TYPEDEF;
		r->nenums += t->kind == LAC_TYPE_ENUM;
		r->nforwards += kind == BTF_KIND_FWD;
		r->nroots += t->kind == LAC_TYPE_TYPEDEF ||
			     (t->kind == LAC_TYPE_RECORD &&
			      kind != BTF_KIND_FWD);
	}
	return true;
}

/* -- declarations --------------------------------------------------------- */

static uint64_t key_of(const struct lac_type *t)
{
	return lac_name_key(t->name, t->record_kind);
}

/* A record's declaration is one more type for the first record of that name. */
static bool resolve(struct lac_btf_reader *r)
{
	struct lac_map first = { 0 };
	bool good = true;

	for (uint32_t i = 0; i < r->nforwards && good; i++)
		good = lac_map_put(&first, key_of(&r->types[r->forwards[i]]),
				   LAC_NONE);
	for (uint32_t i = 0; i < r->nroots && good && r->nforwards; i++) {
		const struct lac_type *t = &r->types[r->roots[i]];
		uint32_t *at;

		if (t->kind != LAC_TYPE_RECORD || !t->name)
			continue;
		at = lac_map_get(&first, key_of(t));
		if (at && *at == LAC_NONE)
			*at = r->roots[i];
	}
	for (uint32_t i = 0; i < r->nforwards && good; i++) {
		struct lac_type *t = &r->types[r->forwards[i]];
		uint32_t to = *lac_map_get(&first, key_of(t));

		if (to != LAC_NONE)
			*t = r->types[to];
	}
	lac_map_free(&first);
	return good;
}

/* -- how types end -------------------------------------------------------- */

static bool settle(struct lac_btf_reader *r, lac_type_id id, unsigned depth);

static bool follow(struct lac_btf_reader *r, lac_type_id to, unsigned depth,
		   struct lac_btf_facts *f, uint8_t *longest)
{
	const struct lac_btf_facts *end = &r->facts[to];

	if (!end->chain && !settle(r, to, depth + 1))
		return false;
	if (end->chain == LAC_BTF_BUSY)
		return false; /* made of itself */
	if (end->chain > *longest)
		*longest = end->chain;
	f->print = lac_mix_in(f->print, end->print);
	return true;
}

/*
 * The size of a type that has that of another, and that a chain of types ends:
 * in a base type, a record or an enumeration, which are not looked into.
 */
static bool settle(struct lac_btf_reader *r, lac_type_id id, unsigned depth)
{
	struct lac_type *t = &r->types[id];
	struct lac_btf_facts *f = &r->facts[id];
	uint8_t longest = 0;
	uint64_t below;

	if (depth == CHAIN_MAX)
		return false;
	f->chain = LAC_BTF_BUSY;
	f->print = lac_mix_in((uint64_t)t->encoding << 32 |
				      (uint64_t)t->record_kind << 16 | t->kind,
			      (uintptr_t)t->name);
	switch (t->kind) {
	case LAC_TYPE_RECORD:
		f->inner = t->record == LAC_NONE ? 0 :
			   r->now[t->record] == id ? id : LAC_NONE;
		break;
	case LAC_TYPE_ENUM:
		f->inner = id;
		break;
	case LAC_TYPE_FUNCTION:
		f->print = lac_mix_in(f->print, t->function.nparams * 2ull +
							t->function.variadic);
		for (uint32_t i = 0; i < t->function.nparams; i++)
			if (!follow(r, t->function.params[i], depth, f,
				    &longest))
				return false;
		if (!follow(r, t->target, depth, f, &longest))
			return false;
		break;
	case LAC_TYPE_VOID:
	case LAC_TYPE_BASE:
		f->print = lac_mix_in(f->print, t->size);
		break;
	default:
		if (!follow(r, t->target, depth, f, &longest))
			return false;
		if (t->kind == LAC_TYPE_POINTER)
			break;
		f->inner = r->facts[t->target].inner;
		below = r->types[t->target].size;
		if (t->kind == LAC_TYPE_ARRAY) {
			f->print = lac_mix_in(f->print, t->array.count);
			below = lac_array_size(t, below);
		}
		t->size = below;
	}
	f->chain = longest + 1;
	return f->chain < CHAIN_MAX;
}

static bool settle_all(struct lac_btf_reader *r)
{
	for (lac_type_id id = 0; id < r->g->ntypes; id++)
		if (!r->facts[id].chain && !settle(r, id, 0))
			return false;
	return true;
}

/* -- the whole ------------------------------------------------------------ */

/* All but what needs the text of a name. */
static bool read_types(struct lac_btf_reader *r)
{
	struct lac_unit *unit;

	if (!lac_btf_survey(r) || !fill_all(r) || !resolve(r) || !settle_all(r) ||
	    !lac_btf_take_records(r))
		return false;
	for (uint32_t i = 0; i < r->nforwards; i++) {
		struct lac_type *t = &r->types[r->forwards[i]];

		if (t->record != LAC_NONE)
			t->record = r->types[r->now[t->record]].record;
	}
	unit = lac_arena_zalloc(r->g->arena, 1, sizeof(*unit));
	if (!unit)
		return false;
	unit->name = r->g->path;
	r->g->units = unit;
	r->g->nunits = 1;
	return true;
}

#define STRINGS_ALONE ((uint32_t)64 << 10) /* bytes that are worth a thread */

struct strings {
	const char *from;
	uint32_t size; /* bytes */
	char *text;
	pthread_t thread;
	bool apart;
	bool once; /* each is there once */
};

static void *take_strings(void *arg)
{
	struct strings *s = arg;

	memcpy(s->text, s->from, s->size);
	/* they may have changed since they were looked at */
	s->text[0] = s->text[s->size - 1] = '\0';
	s->once = lac_names_differ(s->text, s->size);
	return NULL;
}

static bool read_all(struct lac_btf_reader *r, unsigned threads)
{
	struct strings s = { .from = r->from.strings,
			     .size = r->from.strings_size };
	struct lac_err ignored;
	bool good;

	s.text = lac_arena_alloc(r->g->arena, s.size, 1);
	if (!s.text)
		return false;
	r->text = s.text;
	if (s.size >= STRINGS_ALONE &&
	    lac_threads_count(threads) > 1)
		s.apart = !pthread_create(&s.thread, NULL, take_strings, &s);
	good = read_types(r);
	if (s.apart)
		pthread_join(s.thread, NULL);
	else if (good)
		take_strings(&s);
	/* in the order of their names, which are there by now */
	return good && s.once &&
	       lac_aliases_collect(r->g, r->typedefs, r->ntypedefs,
				   &ignored) == LAC_OK;
}

enum lac_status lac_btf_graph(const struct lac_btf_input *in,
			      struct lac_graph *g, struct lac_err *err)
{
	struct lac_graph made = *g;
	struct lac_btf_reader r = { .g = &made };
	bool good = !in->base && lac_btf_place_open(&r.from, in->data, in->size);

	if (good)
		good = read_all(&r, in->threads);
	lac_btf_place_close(&r.from);
	lac_map_free(&r.contents);
	lac_map_free(&r.typedef_names);
	free(r.typedefs);
	free(r.forwards);
	free(r.enums);
	free(r.roots);
	free(r.facts);
	free(r.kinds);
	free(r.now);
	if (!good)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: BTF that libbpf has to take in", in->path);
	made.target.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	*g = made;
	return LAC_OK;
}
