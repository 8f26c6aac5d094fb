/* SPDX-License-Identifier: BSD-2-Clause */
#include "build_facts.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

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
 * a reader asks for anyway: the level of optimisation and the language.
 */
static bool matters(const char *option, size_t n)
{
	static const char *const prefixes[] = {
		"-O", "-std=", "-m16", "-m32", "-m64", "-mx32", "-mabi=",
		"-march=", "-mcpu=", "-malign", "-mms-bitfields",
		"-mno-ms-bitfields", "-mlong-double", "-fpack-struct",
		"-fshort-enums", "-fshort-wchar", "-funsigned-char",
		"-frandomize", "-fplugin", "-fsanitize", "-flto",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (n >= len && !strncmp(option, prefixes[i], len))
			return true;
	}
	return false;
}

/* Each once, in their order. */
static const char *layout_options(const char *s, struct lac_arena *arena)
{
	char out[512] = "";
	size_t at = 0, n;

	for (s += strspn(s, " "); *s; s += n, s += strspn(s, " ")) {
		char word[128];

		n = strcspn(s, " ");
		if (!matters(s, n) || n + 2 > sizeof(word))
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)n, s);
		if (strstr(out, word) || at + n + 2 > sizeof(out))
			continue;
		at += (size_t)snprintf(out + at, sizeof(out) - at, "%s%s",
				       at ? " " : "", word);
	}
	return lac_arena_strdup(arena, out);
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

	LAC_TRY(lac_build_facts_read(g, d->arena, &f, err));
	lac_doc_set(d, d->data, "build", lac_build_facts_data(d, &f));
	lac_doc_set(d, d->data, "line_size", json_integer(line_size));
	lac_build_facts_show(d, "", &f);
	lac_doc_travels(d);
	lac_doc_paragraph(d, "Cache lines of %u bytes.", line_size);
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
