/* SPDX-License-Identifier: BSD-2-Clause */
/* same_graph.h - two graphs are the same, down to the ids. */
#ifndef LAC_TEST_SAME_GRAPH_H
#define LAC_TEST_SAME_GRAPH_H

#include "compiled.h"
#include "dbginfo/reader.h"

/* The graph of a file, read one way; nothing kept, and every invariant holds. */
static inline struct lac_graph *read_way(const char *path, enum lac_way way,
					 unsigned threads)
{
	struct lac_graph_options o = { .no_cache = true, .threads = threads };
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_graph_read_way(path, &o, way, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	if (lac_graph_check(g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return g;
}

static inline void same_name(const char *a, const char *b)
{
	if (!a || !b)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

static inline void same_type(const struct lac_type *a, const struct lac_type *b)
{
	same_name(a->name, b->name);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->encoding, b->encoding);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->declared_align, b->declared_align);
	assert_int_equal(a->target, b->target);
	if (a->kind == LAC_TYPE_ARRAY)
		assert_int_equal(a->array.count, b->array.count);
	if (a->kind == LAC_TYPE_RECORD)
		assert_int_equal(a->record, b->record);
	if (a->kind != LAC_TYPE_FUNCTION)
		return;
	assert_int_equal(a->function.nparams, b->function.nparams);
	for (uint32_t i = 0; i < a->function.nparams; i++)
		assert_int_equal(a->function.params[i], b->function.params[i]);
}

static inline void same_record(const struct lac_record *a,
			       const struct lac_record *b)
{
	same_name(a->name, b->name);
	same_name(a->typedef_name, b->typedef_name);
	same_name(a->decl_file, b->decl_file);
	assert_int_equal(a->decl_line, b->decl_line);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->parent, b->parent);
	assert_int_equal(a->nunits, b->nunits);
	for (uint32_t i = 0; i < a->nunits; i++)
		assert_int_equal(a->units[i], b->units[i]);
	assert_int_equal(a->nmembers, b->nmembers);
	for (uint32_t i = 0; i < a->nmembers; i++) {
		same_name(a->members[i].name, b->members[i].name);
		assert_int_equal(a->members[i].type, b->members[i].type);
		assert_int_equal(a->members[i].role, b->members[i].role);
		assert_int_equal(a->members[i].certainty,
				 b->members[i].certainty);
		assert_int_equal(a->members[i].bit_offset,
				 b->members[i].bit_offset);
		assert_int_equal(a->members[i].bit_size,
				 b->members[i].bit_size);
		assert_int_equal(a->members[i].declared_align,
				 b->members[i].declared_align);
	}
}

static inline void same_enum(const struct lac_enumeration *a,
			     const struct lac_enumeration *b)
{
	same_name(a->name, b->name);
	same_name(a->decl_file, b->decl_file);
	assert_int_equal(a->decl_line, b->decl_line);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->is_signed, b->is_signed);
	assert_int_equal(a->nvalues, b->nvalues);
	for (uint32_t i = 0; i < a->nvalues; i++) {
		same_name(a->values[i].name, b->values[i].name);
		assert_int_equal(a->values[i].value, b->values[i].value);
	}
}

static inline void same_graph(const struct lac_graph *a,
			      const struct lac_graph *b)
{
	assert_int_equal(a->ntypes, b->ntypes);
	assert_int_equal(a->nrecords, b->nrecords);
	assert_int_equal(a->nenumerations, b->nenumerations);
	assert_int_equal(a->naliases, b->naliases);
	assert_int_equal(a->nunits, b->nunits);
	for (uint32_t i = 0; i < a->ntypes; i++)
		same_type(&a->types[i], &b->types[i]);
	for (uint32_t i = 0; i < a->nrecords; i++)
		same_record(&a->records[i], &b->records[i]);
	for (uint32_t i = 0; i < a->nenumerations; i++)
		same_enum(&a->enumerations[i], &b->enumerations[i]);
	for (uint32_t i = 0; i < a->naliases; i++) {
		same_name(a->aliases[i].name, b->aliases[i].name);
		assert_int_equal(a->aliases[i].record, b->aliases[i].record);
	}
	for (uint32_t i = 0; i < a->nunits; i++) {
		same_name(a->units[i].name, b->units[i].name);
		same_name(a->units[i].producer, b->units[i].producer);
	}
}

#endif
