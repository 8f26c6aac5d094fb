/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is kept of a graph gives the same graph again, whole or in part; what
 * was damaged gives an error or the same graph, never another one.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "base/rng.h"
#include "dbginfo/index.h"
#include "dbginfo/store_format.h"
#include "layout/layout.h"
#include "same_graph.h"

#define FLIPS 600

static const char program[] =
	"namespace a { template <class T, int N> struct v { T t[N]; char c; };\n"
	"  struct incomplete; enum class e : short { x = -2, y }; }\n"
	"struct base { virtual ~base(); int i; };\n"
	"struct most : virtual base { int base::*p; a::v<long, 3> w;\n"
	"  void (most::*f)(int, ...) const; a::incomplete *next; most &r;\n"
	"  union { int u; float g; }; struct { char c; } *anon; a::e e; };\n"
	"typedef struct { int b : 3, : 2, c : 4; char z[]; } plain;\n"
	"typedef plain other; struct page { struct base *b; plain p; };\n"
	"namespace b { struct page { char rest[9]; other o; }; }\n"
	"struct elsewhere { short s[5]; } e;\n"
	"void (*fp)(struct hidden *, plain); most *m; page *pg; b::page *bp;\n";

static struct lac_graph *made(void)
{
	return graph_of("g++ -g -femit-class-debug-always", program);
}

static struct lac_store_key some_key(void)
{
	struct lac_store_key k;

	memset(&k, 0, sizeof(k));
	k.inode = 7;
	k.id_size = 3;
	k.id[0] = 0xab;
	return k;
}

static int keep(const struct lac_graph *g)
{
	struct lac_store_key k = some_key();
	int fd = memfd_create("kept", MFD_CLOEXEC);
	struct lac_err err;

	assert_true(fd >= 0);
	if (lac_store_write(g, &k, fd, &err) != LAC_OK)
		fail_msg("%s", err.msg);
	return fd;
}

static enum lac_status take(int fd, const char *const *only,
			    struct lac_graph **ret)
{
	struct lac_graph_options o = { .only = only };
	struct lac_store_key k = some_key();
	struct lac_err err;

	return lac_store_read(fd, "path", &k, &o, ret, &err);
}

/* The text that a record is shown by, and what it is made of, all of it. */
static char *describe(const struct lac_graph *g, lac_record_id id)
{
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	struct lac_layout_options o = { .line_size = 64 };
	const struct lac_record *r = &g->records[id];
	struct lac_layout l;
	struct lac_err err;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(lac_layout_compute(g, id, &o, a, &l, &err), LAC_OK);
	fprintf(out, "%s %s %s %lu %u %d %d %lu %lu %lu %lu %s:%u %s parent %s\n",
		lac_record_label(g, id, a), r->name ? r->name : "-",
		r->typedef_name ? r->typedef_name : "-",
		(unsigned long)r->size, l.align, (int)l.align_source,
		(int)l.packed, (unsigned long)l.hole_bits,
		(unsigned long)l.padding_bits,
		(unsigned long)l.nested_hole_bits, (unsigned long)l.lines,
		r->decl_file ? r->decl_file : "-", r->decl_line,
		r->damage ? r->damage : "-",
		r->parent == LAC_NONE ? "-"
				      : lac_record_label(g, r->parent, a));
	for (uint32_t i = 0; i < r->nunits; i++)
		fprintf(out, " %s (%s)", g->units[r->units[i]].name,
			g->units[r->units[i]].producer
				? g->units[r->units[i]].producer
				: "-");
	for (uint32_t i = 0; i < r->nmembers; i++) {
		const struct lac_member *m = &r->members[i];
		lac_type_id type = lac_type_strip(g, m->type);
		enum lac_certainty source;

		while (g->types[type].kind == LAC_TYPE_ARRAY)
			type = lac_type_strip(g, g->types[type].target);
		fprintf(out, "%s: %s %d %d %lu %lu %u %d %lu align %u\n",
			m->name ? m->name : "-",
			lac_type_declare(g, m->type, m->name, a),
			(int)m->role, (int)m->certainty,
			(unsigned long)m->bit_offset,
			(unsigned long)m->bit_size, m->declared_align,
			m->has_discriminant, (unsigned long)m->discriminant,
			lac_type_align(g, m->type, &source));
		if (g->types[type].kind == LAC_TYPE_RECORD &&
		    g->types[type].record != LAC_NONE && !r->damage) {
			char *inner = describe(g, g->types[type].record);

			fprintf(out, "{\n%s}\n", inner);
			free(inner);
		}
		if (g->types[type].kind == LAC_TYPE_ENUM &&
		    g->types[type].enumeration != LAC_NONE) {
			const struct lac_enumeration *e =
				&g->enumerations[g->types[type].enumeration];

			for (uint32_t k = 0; k < e->nvalues; k++)
				fprintf(out, "%s=%ld ", e->values[k].name,
					(long)e->values[k].value);
		}
	}
	fclose(out);
	return text;
}

/* What the two say about a name is the same, message included. */
static void same_answer(const struct lac_graph *a, const struct lac_graph *b,
			const char *name)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();
	const lac_record_id *x, *y;
	struct lac_err e, f;
	size_t n = 0, m = 0;
	enum lac_status st = lac_graph_find(a, name, arena, &x, &n, &e);

	assert_int_equal(lac_graph_find(b, name, arena, &y, &m, &f), st);
	if (st != LAC_OK)
		assert_string_equal(strchr(e.msg, ':'), strchr(f.msg, ':'));
	assert_int_equal(n, m);
	/* what compiled the file is told of any part of it */
	assert_int_equal(a->nunits, b->nunits);
	for (uint32_t i = 0; i < a->nunits; i++) {
		same_name(a->units[i].name, b->units[i].name);
		same_name(a->units[i].producer, b->units[i].producer);
	}
	for (size_t i = 0; i < n; i++) {
		char *s = describe(a, x[i]), *t = describe(b, y[i]);

		assert_string_equal(s, t);
		free(s);
		free(t);
	}
}

static void same_whole(const struct lac_graph *a, const struct lac_graph *b)
{
	enum lac_certainty source, other;

	same_graph(a, b);
	assert_int_equal(a->format, b->format);
	assert_int_equal(a->target.machine, b->target.machine);
	assert_int_equal(a->target.pointer_size, b->target.pointer_size);
	assert_int_equal(a->tells_alignment, b->tells_alignment);
	same_name(a->version, b->version);
	for (uint32_t i = 0; i < a->ntypes; i++) {
		assert_int_equal(lac_type_align(a, i, &source),
				 lac_type_align(b, i, &other));
		assert_int_equal(source, other);
	}
	for (uint32_t i = 0; i < a->nrecords; i++)
		same_name(a->records[i].damage, b->records[i].damage);
}

static void round_trip(const struct lac_graph *g, uint32_t step)
{
	struct lac_graph *whole = NULL;
	int fd = keep(g);

	assert_int_equal(take(fd, NULL, &whole), LAC_OK);
	same_whole(g, whole);
	for (uint32_t i = 0; i < g->nrecords; i += step) {
		const struct lac_record *r = &g->records[i];
		const char *name = r->name ? r->name : r->typedef_name;
		const char *only[] = { name, NULL };
		LAC_CLEANUP_GRAPH struct lac_graph *part = NULL;
		char kind[600];

		if (!name)
			continue;
		assert_int_equal(take(fd, only, &part), LAC_OK);
		same_answer(g, part, name);
		same_answer(g, whole, name);
		snprintf(kind, sizeof(kind), "union %s", name);
		only[0] = kind;
		lac_graph_destroy(part);
		assert_int_equal(take(fd, only, &part), LAC_OK);
		same_answer(g, part, kind);
	}
	lac_graph_destroy(whole);
	close(fd);
}

static void test_cplusplus(void **state)
{
	struct lac_graph *g = made();

	(void)state;
	round_trip(g, 1);
	lac_graph_destroy(g);
}

/* This program: some thousand records, of several libraries' headers. */
static void test_itself(void **state)
{
	struct lac_graph *g = read_file("/proc/self/exe");

	(void)state;
	assert_true(g->alone);
	assert_true(g->nrecords > 50);
	round_trip(g, 1);
	lac_graph_destroy(g);
}

/* STORE_STEP=1 takes every record of the kernel, and minutes. */
static void test_kernel(void **state)
{
	const char *path = getenv("LACUNA_VMLINUX");
	const char *step = getenv("STORE_STEP");
	struct lac_graph *g;

	(void)state;
	if (!path)
		SKIP_BECAUSE("no LACUNA_VMLINUX");
	g = read_file(path);
	assert_true(g->alone);
	round_trip(g, step ? (uint32_t)atoi(step) : 401);
	lac_graph_destroy(g);
}

static void test_several_names(void **state)
{
	static const char *const only[] = { "page", "other", "a::v<long int, 3>",
					    "v<long int, 3>", "most", NULL };
	static const char *const wrong[] = { "page", "pagee", NULL };
	struct lac_graph_options lacking = { .only = wrong, .may_lack = true };
	struct lac_graph *g = made(), *part = NULL;
	struct lac_store_key k = some_key();
	struct lac_err err;
	int fd = keep(g);

	(void)state;
	assert_int_equal(take(fd, only, &part), LAC_OK);
	assert_true(part->ntypes < g->ntypes);
	for (int i = 0; only[i]; i++)
		same_answer(g, part, only[i]);
	lac_graph_destroy(part);
	/* one that is not there: its near names come from all of them */
	assert_int_equal(take(fd, wrong, &part), LAC_OK);
	same_answer(g, part, "pagee");
	assert_int_equal(part->nrecords, g->nrecords);
	lac_graph_destroy(part);
	/* unless nobody will ask for them */
	assert_int_equal(lac_store_read(fd, "path", &k, &lacking, &part, &err),
			 LAC_OK);
	assert_true(part->nrecords < g->nrecords);
	same_answer(g, part, "page");
	lac_graph_destroy(part);
	close(fd);
	lac_graph_destroy(g);
}

static void test_another_key(void **state)
{
	struct lac_graph *g = graph_of("gcc -g", "struct s { int i; } s;");
	struct lac_store_key k = some_key();
	struct lac_graph_options o = { .no_cache = false };
	struct lac_graph *got = NULL;
	struct lac_err err;
	int fd = keep(g);

	(void)state;
	k.changed_ns++;
	assert_int_equal(lac_store_probe(fd, &k, &err), LAC_NOT_FOUND);
	assert_int_equal(lac_store_read(fd, "p", &k, &o, &got, &err),
			 LAC_NOT_FOUND);
	assert_null(got);
	close(fd);
	lac_graph_destroy(g);
}

/* Bytes were changed: an error, or what is not touched says the same. */
static void look_again(int fd, const struct lac_graph *g, const char *name,
		       unsigned *refused)
{
	const char *only[] = { name, NULL };
	struct lac_graph *got = NULL;

	if (take(fd, only, &got) == LAC_OK)
		same_answer(g, got, name);
	else
		assert_null(got);
	lac_graph_destroy(got);
	got = NULL;
	if (take(fd, NULL, &got) == LAC_OK)
		same_whole(g, got);
	else
		++*refused;
	lac_graph_destroy(got);
}

static void test_flipped(void **state)
{
	struct lac_graph *g = made();
	int fd = keep(g);
	struct stat st;
	struct lac_rng rng = { .state = 20131205 };
	unsigned refused = 0;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	for (int i = 0; i < FLIPS; i++) {
		off_t at = (off_t)lac_rng_below(&rng, (uint64_t)st.st_size);
		unsigned char was, now;

		assert_int_equal(pread(fd, &was, 1, at), 1);
		now = (unsigned char)(was ^ (1u + lac_rng_below(&rng, 255)));
		assert_int_equal(pwrite(fd, &now, 1, at), 1);
		look_again(fd, g, "page", &refused);
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
	}
	/* every byte counts, also those that fill up a block */
	assert_true(refused > FLIPS * 9 / 10);
	round_trip(g, 5);
	close(fd);
	lac_graph_destroy(g);
}

static void test_truncated(void **state)
{
	struct lac_graph *g = made(), *got = NULL;
	static const char *const only[] = { "page", NULL };
	struct stat st;
	int fd = keep(g);

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(ftruncate(fd, st.st_size + 1), 0);
	assert_int_equal(take(fd, only, &got), LAC_BAD_INPUT);
	for (off_t n = st.st_size - 1; n >= 0; n -= n > 4096 ? 997 : 61) {
		assert_int_equal(ftruncate(fd, n), 0);
		assert_int_equal(take(fd, only, &got), LAC_BAD_INPUT);
		assert_int_equal(take(fd, NULL, &got), LAC_BAD_INPUT);
	}
	assert_null(got);
	close(fd);
	lac_graph_destroy(g);
}

/* Blocks that are whole but in each other's place. */
static void test_swapped(void **state)
{
	struct lac_graph *g = read_file("/proc/self/exe"), *got = NULL;
	unsigned char a[LAC_IMAGE_BLOCK], b[LAC_IMAGE_BLOCK];
	int fd = keep(g);
	struct stat st;
	off_t n;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	n = st.st_size / LAC_IMAGE_BLOCK;
	assert_true(n > 2);
	assert_int_equal(pread(fd, a, sizeof(a), (n - 2) * LAC_IMAGE_BLOCK),
			 sizeof(a));
	assert_int_equal(pread(fd, b, sizeof(b), (n - 1) * LAC_IMAGE_BLOCK),
			 sizeof(b));
	assert_int_equal(pwrite(fd, b, sizeof(b), (n - 2) * LAC_IMAGE_BLOCK),
			 sizeof(b));
	assert_int_equal(pwrite(fd, a, sizeof(a), (n - 1) * LAC_IMAGE_BLOCK),
			 sizeof(a));
	assert_int_equal(take(fd, NULL, &got), LAC_BAD_INPUT);
	close(fd);
	lac_graph_destroy(g);
}

/* -- the directory -------------------------------------------------------- */

static unsigned count_in(const char *dir, const char *pattern)
{
	char line[256];
	unsigned n = 0;
	FILE *p;

	snprintf(line, sizeof(line), "ls -A %s | grep -c '%s'", dir, pattern);
	p = popen(line, "r");
	assert_non_null(p);
	assert_int_equal(fscanf(p, "%u", &n), 1);
	pclose(p);
	return n;
}

static void put_entry(const char *dir, const struct lac_graph *g,
		      uint64_t inode, uint64_t max_bytes)
{
	struct lac_store_key k = some_key();
	struct lac_store_entry e;
	struct lac_err err;

	k.inode = inode;
	assert_int_equal(lac_store_create(dir, &k, max_bytes, &e, &err),
			 LAC_OK);
	assert_int_equal(lac_store_write(g, &k, e.file.fd, &err), LAC_OK);
	assert_int_equal(lac_store_commit(&e, &err), LAC_OK);
}

static bool has_entry(const char *dir, uint64_t inode)
{
	struct lac_store_key k = some_key();
	struct lac_err err;
	int fd;

	k.inode = inode;
	if (lac_store_open(dir, &k, &fd, &err) != LAC_OK)
		return false;
	close(fd);
	return true;
}

static void test_eviction(void **state)
{
	struct lac_graph *g = graph_of("gcc -g", "struct s { int i; } s;");
	char dir[] = "/tmp/lac-store-XXXXXX", sub[64], line[96];
	struct stat st;
	int fd = keep(g);

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	assert_non_null(mkdtemp(dir));
	snprintf(sub, sizeof(sub), "%s/a/b", dir);
	for (uint64_t i = 1; i <= 5; i++) {
		struct timespec pause = { .tv_nsec = 20000000 };

		put_entry(sub, g, i, 3 * (uint64_t)st.st_size);
		nanosleep(&pause, NULL); /* another time of last use */
	}
	assert_int_equal(count_in(sub, "graph$"), 3);
	assert_false(has_entry(sub, 1));
	assert_false(has_entry(sub, 2));
	assert_true(has_entry(sub, 3) && has_entry(sub, 4) &&
		    has_entry(sub, 5));
	assert_int_equal(count_in(sub, "made"), 0);
	snprintf(line, sizeof(line), "rm -r %s", dir);
	assert_int_equal(system(line), 0);
	close(fd);
	lac_graph_destroy(g);
}

/* Others may write to it: what it holds may be anyone's. */
static void test_not_only_mine(void **state)
{
	struct lac_graph *g = graph_of("gcc -g", "struct s { int i; } s;");
	char dir[] = "/tmp/lac-store-XXXXXX", line[96];
	struct lac_store_key k = some_key();
	struct lac_store_entry e;
	struct lac_err err;
	struct lac_store_name name = lac_store_name(&k);

	(void)state;
	k.inode = 1;
	name = lac_store_name(&k);
	assert_non_null(mkdtemp(dir));
	put_entry(dir, g, 1, 0);
	assert_true(has_entry(dir, 1));
	assert_int_equal(chmod(dir, 0777), 0);
	assert_false(has_entry(dir, 1));
	assert_int_not_equal(lac_store_create(dir, &k, 0, &e, &err), LAC_OK);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_true(has_entry(dir, 1));
	snprintf(line, sizeof(line), "%s/%s", dir, name.text);
	assert_int_equal(chmod(line, 0620), 0);
	assert_false(has_entry(dir, 1));
	assert_int_equal(chmod(line, 0600), 0);
	assert_true(has_entry(dir, 1));
	if (geteuid() == 0) {
		assert_int_equal(chown(line, 12345, (gid_t)-1), 0);
		assert_false(has_entry(dir, 1));
	}
	snprintf(line, sizeof(line), "rm -r %s", dir);
	assert_int_equal(system(line), 0);
	lac_graph_destroy(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cplusplus),
		cmocka_unit_test(test_itself),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_several_names),
		cmocka_unit_test(test_another_key),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_swapped),
		cmocka_unit_test(test_eviction),
		cmocka_unit_test(test_not_only_mine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
