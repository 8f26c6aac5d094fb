/* SPDX-License-Identifier: BSD-2-Clause */
/* compiled.h - a graph of source text: compiled now, read back. */
#ifndef LAC_TEST_COMPILED_H
#define LAC_TEST_COMPILED_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbginfo/declare.h"
#include "dbginfo/graph.h"

/* cmocka's own skip() counts as a failure under prove. */
#define SKIP_BECAUSE(why)                                                      \
	do {                                                                   \
		print_message("# %s: skipped: %s\n", __func__, why);           \
		return;                                                        \
	} while (0)

struct compiled {
	char dir[64], path[96];
};

/* The object of the text, compiled with those options; "gcc -g -O0" say. */
static inline void compile_text(struct compiled *c, const char *command,
				const char *suffix, const char *text)
{
	char dir[] = "/tmp/lac-test-XXXXXX", line[1024], source[96];
	FILE *f;

	assert_non_null(mkdtemp(dir));
	snprintf(source, sizeof(source), "%s/t%s", dir, suffix);
	snprintf(c->path, sizeof(c->path), "%s/t.o", dir);
	strcpy(c->dir, dir);
	f = fopen(source, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	snprintf(line, sizeof(line), "%s -w -c -o %s %s", command, c->path,
		 source);
	assert_int_equal(system(line), 0);
}

static inline void remove_compiled(struct compiled *c)
{
	char line[128];

	snprintf(line, sizeof(line), "rm -r %s", c->dir);
	assert_int_equal(system(line), 0);
}

static inline struct lac_graph *read_file(const char *path)
{
	struct lac_graph_options o = { .no_cache = true };
	struct lac_graph *g = NULL;
	struct lac_err err;

	if (lac_graph_read(path, &o, &g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	if (lac_graph_check(g, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return g;
}

static inline struct lac_graph *graph_of(const char *command, const char *text)
{
	struct compiled c;
	struct lac_graph *g;

	compile_text(&c, command, strstr(command, "++") ? ".cc" : ".c", text);
	g = read_file(c.path);
	remove_compiled(&c);
	return g;
}

/* The one record of that name. */
static inline const struct lac_record *record_named(const struct lac_graph *g,
						    const char *name)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const lac_record_id *ids;
	struct lac_err err;
	size_t n;

	if (lac_graph_find(g, name, a, &ids, &n, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(n, 1);
	return &g->records[ids[0]];
}

static inline const struct lac_member *member_named(const struct lac_record *r,
						    const char *name)
{
	for (uint32_t i = 0; i < r->nmembers; i++)
		if (r->members[i].name && !strcmp(r->members[i].name, name))
			return &r->members[i];
	fail_msg("no member %s", name);
	return NULL;
}

#endif
