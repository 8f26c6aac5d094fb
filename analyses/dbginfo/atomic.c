/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic.c - how many bytes an _Atomic has: those of its inner type, but clang
 * rounds them up to a power of two where the machine can swap so many
 * (ASTContext::getTypeInfoImpl, TargetInfo::getMaxAtomicPromoteWidth), and
 * writes so only into members, not into the type.
 */
#include <elf.h>
#include <string.h>

#include "dbginfo/build.h"

/* The widest that clang rounds up to, in bytes. */
static uint64_t promoted_max(const struct lac_object *o)
{
	switch (o->machine) {
	case EM_X86_64:
	case EM_AARCH64:
	case EM_RISCV:
		return 16;
	case EM_PPC:
		return 4;
	case EM_MIPS:
		return o->is64 ? 8 : 4;
	case EM_68K:
	case EM_AVR:
		return 0;
	default:
		return 8;
	}
}

static uint64_t rounded_up(const struct lac_object *o, uint64_t size)
{
	uint64_t power = 1;

	if (size > promoted_max(o))
		return size;
	while (power < size)
		power *= 2;
	return power;
}

static enum lac_status is_by_clang(struct lac_build *b, uint32_t unit,
				   bool *ret, struct lac_err *err)
{
	struct lac_die root = { 0 };

	LAC_TRY(lac_die_open(b->d, b->units[unit].root, &root, err));
	*ret = root.producer && strstr(root.producer, "clang");
	lac_die_close(b->d, &root);
	return LAC_OK;
}

/*
 * Where entries of several units are taken for one, it must not matter whose
 * is expanded.
 */
static enum lac_status check_unmixed(struct lac_build *b, bool clang,
				     struct lac_err *err)
{
	for (uint32_t i = 0; !b->unmixed && i < b->nunits; i++) {
		bool other;

		LAC_TRY(is_by_clang(b, i, &other, err));
		if (other != clang)
			return lac_fail(err, LAC_UNSUPPORTED,
					"an _Atomic that compilers lay out "
					"differently");
	}
	b->unmixed = true;
	return LAC_OK;
}

enum lac_status lac_atomic_size(struct lac_build *b, lac_die_ref ref,
				lac_type_id inner, uint64_t *ret,
				struct lac_err *err)
{
	uint64_t size = lac_pool_size(b->p, inner), power;
	uint32_t unit = lac_build_unit_of(b, ref);
	bool clang;

	*ret = LAC_SIZE_UNKNOWN;
	if (size == LAC_SIZE_UNKNOWN || unit == LAC_NONE)
		return LAC_OK;
	power = rounded_up(lac_dwarf_object(b->d), size);
	if (power == size)
		return LAC_OK;
	LAC_TRY(is_by_clang(b, unit, &clang, err));
	if (b->canon)
		LAC_TRY(check_unmixed(b, clang, err));
	if (clang)
		*ret = power;
	return LAC_OK;
}
