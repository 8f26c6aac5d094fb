/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reloc.c - the relocations of debug sections in ET_REL files.  Debug info
 * uses few kinds: absolute words of 1 to 8 bytes, and differences (RISC-V).
 * The sections of such a file start at 0, so a symbol's value is what the
 * word becomes.  Numbers are of each machine's ELF supplement.
 */
#include <gelf.h>
#include <string.h>

#include "object/private.h"

enum action { SKIP, SET, ADD, SUB, UNKNOWN };

struct kind {
	uint16_t machine;
	uint32_t type;
	enum action action;
	uint8_t bytes; /* 0: six bits of one byte */
};

static const struct kind kinds[] = {
	{ EM_X86_64, R_X86_64_64, SET, 8 },
	{ EM_X86_64, R_X86_64_32, SET, 4 },
	{ EM_X86_64, R_X86_64_32S, SET, 4 },
	{ EM_X86_64, R_X86_64_16, SET, 2 },
	{ EM_X86_64, R_X86_64_8, SET, 1 },
	{ EM_X86_64, R_X86_64_DTPOFF64, SET, 8 },
	{ EM_X86_64, R_X86_64_DTPOFF32, SET, 4 },
	{ EM_386, R_386_32, SET, 4 },
	{ EM_386, R_386_16, SET, 2 },
	{ EM_386, R_386_8, SET, 1 },
	{ EM_386, R_386_TLS_LDO_32, SET, 4 },
	{ EM_AARCH64, R_AARCH64_ABS64, SET, 8 },
	{ EM_AARCH64, R_AARCH64_ABS32, SET, 4 },
	{ EM_AARCH64, R_AARCH64_ABS16, SET, 2 },
	{ EM_ARM, R_ARM_ABS32, SET, 4 },
	{ EM_ARM, R_ARM_ABS16, SET, 2 },
	{ EM_ARM, R_ARM_ABS8, SET, 1 },
	{ EM_ARM, R_ARM_TLS_LDO32, SET, 4 },
	{ EM_S390, R_390_64, SET, 8 },
	{ EM_S390, R_390_32, SET, 4 },
	{ EM_S390, R_390_16, SET, 2 },
	{ EM_S390, R_390_8, SET, 1 },
	{ EM_S390, R_390_TLS_LDO64, SET, 8 },
	{ EM_S390, R_390_TLS_LDO32, SET, 4 },
	{ EM_PPC64, R_PPC64_ADDR64, SET, 8 },
	{ EM_PPC64, R_PPC64_ADDR32, SET, 4 },
	{ EM_PPC64, R_PPC64_ADDR16, SET, 2 },
	{ EM_PPC64, R_PPC64_DTPREL64, SET, 8 },
	{ EM_PPC, R_PPC_ADDR32, SET, 4 },
	{ EM_PPC, R_PPC_ADDR16, SET, 2 },
	{ EM_PPC, R_PPC_DTPREL32, SET, 4 },
	{ EM_MIPS, R_MIPS_32, SET, 4 },
	{ EM_MIPS, R_MIPS_64, SET, 8 },
	{ EM_MIPS, R_MIPS_16, SET, 2 },
	{ EM_MIPS, R_MIPS_TLS_DTPREL32, SET, 4 },
	{ EM_MIPS, R_MIPS_TLS_DTPREL64, SET, 8 },
	{ EM_SPARCV9, R_SPARC_64, SET, 8 },
	{ EM_SPARCV9, R_SPARC_32, SET, 4 },
	{ EM_SPARCV9, R_SPARC_UA64, SET, 8 },
	{ EM_SPARCV9, R_SPARC_UA32, SET, 4 },
	{ EM_RISCV, R_RISCV_32, SET, 4 },
	{ EM_RISCV, R_RISCV_64, SET, 8 },
	{ EM_RISCV, R_RISCV_TLS_DTPREL32, SET, 4 },
	{ EM_RISCV, R_RISCV_TLS_DTPREL64, SET, 8 },
	{ EM_RISCV, R_RISCV_ADD8, ADD, 1 },
	{ EM_RISCV, R_RISCV_ADD16, ADD, 2 },
	{ EM_RISCV, R_RISCV_ADD32, ADD, 4 },
	{ EM_RISCV, R_RISCV_ADD64, ADD, 8 },
	{ EM_RISCV, R_RISCV_SUB8, SUB, 1 },
	{ EM_RISCV, R_RISCV_SUB16, SUB, 2 },
	{ EM_RISCV, R_RISCV_SUB32, SUB, 4 },
	{ EM_RISCV, R_RISCV_SUB64, SUB, 8 },
	{ EM_RISCV, R_RISCV_SET8, SET, 1 },
	{ EM_RISCV, R_RISCV_SET16, SET, 2 },
	{ EM_RISCV, R_RISCV_SET32, SET, 4 },
	{ EM_RISCV, R_RISCV_SUB6, SUB, 0 },
	{ EM_RISCV, R_RISCV_SET6, SET, 0 },
};

struct reloc {
	uint64_t offset, symbol;
	uint32_t type;
	int64_t addend;
};

static struct kind kind_of(uint16_t machine, uint32_t type)
{
	if (type == 0) /* R_*_NONE on every machine */
		return (struct kind){ .action = SKIP };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return kinds[i];
	return (struct kind){ .action = UNKNOWN };
}

/* MIPS64 packs three types and a second symbol into r_info its own way. */
static void split_info(const struct lac_object *o, const unsigned char *p,
		       struct reloc *r)
{
	if (!o->is64) {
		uint64_t info = lac_get_uint(p, 4, o->big_endian);

		r->symbol = info >> 8;
		r->type = info & 0xff;
	} else if (o->machine == EM_MIPS) {
		r->symbol = lac_get_uint(p, 4, o->big_endian);
		r->type = p[7];
	} else {
		uint64_t info = lac_get_uint(p, 8, o->big_endian);

		r->symbol = info >> 32;
		r->type = (uint32_t)info;
		if (o->machine == EM_SPARCV9)
			r->type &= 0xff;
	}
}

struct symtab {
	const unsigned char *data;
	uint64_t n;
	unsigned entsize; /* bytes */
};

static enum lac_status find_symtab(const struct lac_object *o, uint32_t link,
				   struct symtab *t, struct lac_err *err)
{
	const struct lac_raw_section *raw = o->priv->raw;

	t->entsize = o->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	if (link == 0 || link >= o->nsections)
		return lac_fail(err, LAC_BAD_INPUT,
				"%s: relocations without a symbol table",
				o->path);
	t->data = o->image + raw[link].offset;
	t->n = raw[link].size / t->entsize;
	return LAC_OK;
}

static uint64_t symbol_value(const struct lac_object *o,
			     const struct symtab *t, uint64_t i)
{
	const unsigned char *p = t->data + i * t->entsize;

	return o->is64 ? lac_get_uint(p + 8, 8, o->big_endian) :
			 lac_get_uint(p + 4, 4, o->big_endian);
}

static void apply(const struct lac_object *o, const struct kind *k,
		  unsigned char *at, uint64_t value)
{
	unsigned n = k->bytes ? k->bytes : 1;
	uint64_t old = lac_get_uint(at, n, o->big_endian);

	if (k->action == ADD)
		value = old + value;
	else if (k->action == SUB)
		value = old - value;
	if (!k->bytes)
		value = (old & 0xc0) | (value & 0x3f);
	lac_put_uint(at, n, o->big_endian, value);
}

static enum lac_status apply_all(struct lac_object *o, unsigned table,
				 unsigned char *data, uint64_t size,
				 struct lac_err *err)
{
	const struct lac_raw_section *raw = &o->priv->raw[table];
	const unsigned char *p = o->image + raw->offset;
	bool rela = o->sections[table].type == SHT_RELA;
	unsigned word = o->is64 ? 8 : 4, entsize = word * (rela ? 3 : 2);
	struct symtab symbols = { 0 };

	LAC_TRY(find_symtab(o, raw->link, &symbols, err));
	for (uint64_t i = 0; i < raw->size / entsize; i++, p += entsize) {
		struct reloc r = {
			.offset = lac_get_uint(p, word, o->big_endian),
		};
		struct kind k;
		unsigned n;

		split_info(o, p + word, &r);
		k = kind_of(o->machine, r.type);
		if (k.action == SKIP)
			continue;
		if (k.action == UNKNOWN)
			return lac_fail(err, LAC_UNSUPPORTED,
					"%s: relocation type %u of machine %u "
					"is not known; link the file first",
					o->path, r.type, o->machine);
		n = k.bytes ? k.bytes : 1;
		if (r.symbol >= symbols.n || r.offset > size ||
		    size - r.offset < n)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: relocation %llu of %s does not "
					"lie within it", o->path,
					(unsigned long long)i,
					o->sections[raw->info].name);
		if (rela)
			r.addend = (int64_t)lac_get_uint(p + 2 * word, word,
							 o->big_endian);
		else if (k.action == SET)
			r.addend = (int64_t)lac_get_uint(data + r.offset, n,
							 o->big_endian);
		apply(o, &k, data + r.offset,
		      symbol_value(o, &symbols, r.symbol) +
			      (uint64_t)r.addend);
	}
	return LAC_OK;
}

enum lac_status lac_section_relocate(struct lac_object *o, unsigned section,
				     const unsigned char **data, uint64_t size,
				     struct lac_err *err)
{
	unsigned char *copy = NULL;

	for (unsigned i = 1; i < o->nsections; i++) {
		uint32_t type = o->sections[i].type;

		if ((type != SHT_RELA && type != SHT_REL) ||
		    o->priv->raw[i].info != section)
			continue;
		if (!copy) {
			copy = lac_object_alloc(o, size);
			if (!copy)
				return lac_fail_memory(err);
			memcpy(copy, *data, size);
		}
		LAC_TRY(apply_all(o, i, copy, size, err));
	}
	if (copy)
		*data = copy;
	return LAC_OK;
}
