/* SPDX-License-Identifier: BSD-2-Clause */
#include "build_facts.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/layout.h"

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{ EM_386, "i386" },	  { EM_X86_64, "x86-64" },
	{ EM_ARM, "arm" },	  { EM_AARCH64, "arm64" },
	{ EM_RISCV, "riscv" },	  { EM_S390, "s390" },
	{ EM_PPC, "powerpc" },	  { EM_PPC64, "powerpc64" },
	{ EM_MIPS, "mips" },	  { EM_SPARCV9, "sparc64" },
	{ EM_BPF, "bpf" },
#ifdef EM_LOONGARCH
	{ EM_LOONGARCH, "loongarch" },
#endif
};

static const char *machine_name(uint16_t machine, struct lac_arena *arena)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return machine ? lac_arena_printf(arena, "ELF machine %u", machine)
		       : NULL;
}

/* Bytes of a producer that name the compiler, before its options. */
static size_t compiler_length(const char *producer)
{
	const char *options = strstr(producer, " -");

	return options ? (size_t)(options - producer) : strlen(producer);
}

static bool is_assembler(const char *producer)
{
	return !strncmp(producer, "GNU AS", 6);
}

static bool same_compiler(const char *a, const char *b)
{
	size_t n = compiler_length(a);

	return n == compiler_length(b) && !strncmp(a, b, n);
}

#define MOST_COMPILERS 16

/* The producer that most units name; *n of them, *of name one at all. */
static const char *most_common(const struct lac_graph *g, size_t *n, size_t *of)
{
	struct {
		const char *producer;
		size_t n;
	} seen[MOST_COMPILERS];
	size_t nseen = 0, best = 0;

	*n = *of = 0;
	for (uint32_t i = 0; i < g->nunits; i++) {
		const char *p = g->units[i].producer;
		size_t k = 0;

		if (!p || !*p || is_assembler(p))
			continue;
		++*of;
		while (k < nseen && !same_compiler(seen[k].producer, p))
			k++;
		if (k == MOST_COMPILERS)
			continue;
		if (k == nseen) {
			seen[nseen].producer = p;
			seen[nseen++].n = 0;
		}
		if (++seen[k].n > seen[best].n)
			best = k;
	}
	*n = nseen ? seen[best].n : 0;
	return nseen ? seen[best].producer : NULL;
}

/*
 * Options that can change sizes and offsets, of gcc and clang, and those that
 * a reader asks for anyway: the level of optimisation and the language.  Of a
 * kind the last one counts.  NULL: what is before the = is the kind; "": each
 * stands by itself, as they add up.
 */
static const struct {
	const char *prefix, *kind;
} layout_prefixes[] = {
	{ "-O", "-O" },
	{ "-std=", NULL },
	{ "-ansi", "-std" },
	{ "-m16", "-m" },
	{ "-m32", "-m" },
	{ "-m64", "-m" },
	{ "-mx32", "-m" },
	{ "-mabi=", NULL },
	{ "-march=", NULL },
	{ "-mcpu=", NULL },
	{ "-malign", NULL },
	{ "-mno-align-double", "-malign-double" },
	{ "-mms-bitfields", "-mms-bitfields" },
	{ "-mno-ms-bitfields", "-mms-bitfields" },
	{ "-mlong-double-", "-mlong-double" },
	{ "-fpack-struct", NULL },
	{ "-fno-pack-struct", "-fpack-struct" },
	{ "-fshort-enums", NULL },
	{ "-fno-short-enums", "-fshort-enums" },
	{ "-fshort-wchar", NULL },
	{ "-fno-short-wchar", "-fshort-wchar" },
	{ "-funsigned-char", NULL },
	{ "-fsigned-char", "-funsigned-char" },
	{ "-frandomize", NULL },
	{ "-fplugin", "" },
	{ "-fsanitize", "" },
	{ "-fno-sanitize", "" },
	{ "-flto-", NULL },
	{ "-flto", NULL },
	{ "-fno-lto", "-flto" },
};

struct word {
	const char *s, *kind;
	size_t n, kind_n;
	bool out;
};

static bool matters(struct word *w)
{
	size_t count = sizeof(layout_prefixes) / sizeof(*layout_prefixes);

	for (size_t i = 0; i < count; i++) {
		const char *p = layout_prefixes[i].prefix;
		const char *kind = layout_prefixes[i].kind;
		const char *equals = memchr(w->s, '=', w->n);

		if (w->n < strlen(p) || strncmp(w->s, p, strlen(p)))
			continue;
		w->kind = kind && *kind ? kind : w->s;
		w->kind_n = kind && *kind     ? strlen(kind)
			    : !kind && equals ? (size_t)(equals - w->s)
					      : w->n;
		return true;
	}
	return false;
}

/* The words of a line of options that matter; with list NULL only counted. */
static size_t words(const char *s, struct word *list)
{
	size_t n = 0;
	struct word w = { .s = s };

	for (w.s += strspn(w.s, " "); *w.s;
	     w.s += w.n, w.s += strspn(w.s, " ")) {
		w.n = strcspn(w.s, " ");
		if (!matters(&w))
			continue;
		if (list)
			list[n] = w;
		n++;
	}
	return n;
}

static int kind_order(const void *pa, const void *pb)
{
	const struct word *a = *(const struct word *const *)pa;
	const struct word *b = *(const struct word *const *)pb;
	size_t n = a->kind_n < b->kind_n ? a->kind_n : b->kind_n;
	int c = memcmp(a->kind, b->kind, n);

	if (!c && a->kind_n != b->kind_n)
		c = a->kind_n < b->kind_n ? -1 : 1;
	return c ? c : a < b ? -1 : a > b;
}

static bool same_kind(const struct word *a, const struct word *b)
{
	return a->kind_n == b->kind_n && !memcmp(a->kind, b->kind, a->kind_n);
}

/* The last of each kind, in their order; NULL: out of memory. */
static const char *layout_options(const char *options, struct lac_arena *arena)
{
	size_t n = words(options, NULL), at = 0;
	struct word *list = lac_arena_zalloc(arena, n, sizeof(*list));
	struct word **sorted = lac_arena_zalloc(arena, n, sizeof(*sorted));
	char *out = lac_arena_zalloc(arena, strlen(options) + 1, 1);

	if (!list || !sorted || !out)
		return NULL;
	words(options, list);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &list[i];
	if (n)
		qsort(sorted, n, sizeof(*sorted), kind_order);
	for (size_t i = 1; i < n; i++)
		sorted[i - 1]->out = same_kind(sorted[i - 1], sorted[i]);
	for (size_t i = 0; i < n; i++) {
		if (list[i].out)
			continue;
		if (at)
			out[at++] = ' ';
		memcpy(out + at, list[i].s, list[i].n);
		at += list[i].n;
	}
	return out;
}

static const char *keep(struct lac_arena *arena, const char *s)
{
	return s ? lac_arena_strdup(arena, s) : NULL;
}

enum lac_status lac_build_facts_read(const struct lac_graph *g,
				     struct lac_arena *arena,
				     struct lac_build_facts *ret,
				     struct lac_err *err)
{
	struct lac_build_facts f = {
		.path = keep(arena, g->path),
		.version = keep(arena, g->version),
		.format = g->format == LAC_FORMAT_BTF ? "btf" : "dwarf",
		.machine = machine_name(g->target.machine, arena),
		.pointer_bits = 8u * g->target.pointer_size,
		.big_endian = g->target.big_endian,
	};
	size_t n;
	const char *p = most_common(g, &n, &f.units);

	f.other_units = f.units - n;
	if (p) {
		size_t len = compiler_length(p);

		f.compiler = lac_arena_strndup(arena, p, len);
		f.options = lac_arena_strdup(arena,
					     p + len + (p[len] == ' '));
		f.layout_options =
			f.options ? layout_options(f.options, arena) : NULL;
	}
	if (!f.path || (g->version && !f.version) ||
	    (p && (!f.compiler || !f.layout_options)))
		return lac_fail_memory(err);
	*ret = f;
	return LAC_OK;
}

json_t *lac_build_facts_data(struct lac_doc *d,
			     const struct lac_build_facts *f)
{
	json_t *j = json_object();

	lac_doc_set(d, j, "path", lac_doc_string(f->path));
	lac_doc_set(d, j, "version", lac_doc_string(f->version));
	lac_doc_set(d, j, "format", json_string(f->format));
	lac_doc_set(d, j, "machine", lac_doc_string(f->machine));
	lac_doc_set(d, j, "pointer_bits",
		    f->pointer_bits ? json_integer(f->pointer_bits)
				    : json_null());
	lac_doc_set(d, j, "byte_order",
		    json_string(f->big_endian ? "big" : "little"));
	lac_doc_set(d, j, "compiler", lac_doc_string(f->compiler));
	lac_doc_set(d, j, "compiler_options", lac_doc_string(f->options));
	lac_doc_set(d, j, "units", json_integer((json_int_t)f->units));
	lac_doc_set(d, j, "units_of_other_compilers",
		    json_integer((json_int_t)f->other_units));
	return j;
}

/* "Linux version 6.1.0-57-amd64 (...) # SMP PREEMPT": without the brackets. */
static const char *short_version(const char *version, struct lac_arena *arena)
{
	const char *open = strstr(version, " (");
	const char *hash;

	if (!open)
		return version;
	hash = strstr(open, " #");
	return lac_arena_printf(arena, "%.*s%s", (int)(open - version), version,
				hash ? hash + 2 : "");
}

enum lac_status lac_build_facts_head(struct lac_doc *d,
				     const struct lac_graph *g,
				     uint32_t line_size, struct lac_err *err)
{
	struct lac_build_facts f;
	bool asked = line_size != 0, fixed = false;

	LAC_TRY(lac_build_facts_read(g, d->arena, &f, err));
	lac_doc_set(d, d->data, "build", lac_build_facts_data(d, &f));
	if (!line_size)
		line_size = lac_line_size_of(&g->target, &fixed);
	lac_doc_set(d, d->data, "line_size", json_integer(line_size));
	lac_doc_set(d, d->data, "line_size_source",
		    json_string(asked	? "option"
				: fixed ? "machine"
					: "assumed"));
	lac_doc_heading(d, 1, "lacuna %s: %s",
			json_string_value(json_object_get(d->data, "command")),
			f.path ? f.path : "the input");
	lac_doc_travels(d);
	lac_build_facts_show(d, "", &f);
	lac_doc_travels(d);
	lac_doc_paragraph(d, "Cache lines of %u bytes%s.", line_size,
			  asked || fixed ? ""
					 : " (assumed: the machine does not fix "
					   "it; --line-size tells)");
	lac_doc_travels(d);
	return LAC_OK;
}

void lac_build_facts_show(struct lac_doc *d, const char *who,
			  const struct lac_build_facts *f)
{
	struct lac_arena *a = d->arena;
	const char *what = f->version ? short_version(f->version, a) : f->path;
	const char *bits = f->pointer_bits ? lac_arena_printf(
						     a, ", %u-bit%s",
						     f->pointer_bits,
						     f->big_endian
							     ? " big-endian"
							     : "")
					   : "";
	const char *by = "compiler not named";

	if (f->compiler)
		by = lac_arena_printf(
			a, "%s%s%s%s", f->compiler,
			f->layout_options && *f->layout_options ? " " : "",
			f->layout_options ? f->layout_options : "",
			f->other_units ? lac_arena_printf(
						 a, " (%zu of %zu units)",
						 f->units - f->other_units,
						 f->units)
				       : "");
	lac_doc_paragraph(d, "%s%s; %s%s; %s; read from %s.", who,
			  what ? what : "?",
			  f->machine ? f->machine : "machine unknown",
			  bits ? bits : "", by ? by : "?",
			  !strcmp(f->format, "btf") ? "BTF" : "DWARF");
}
