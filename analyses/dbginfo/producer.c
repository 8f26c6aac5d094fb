/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * producer.c - what an alignment attribute means, by who wrote it.
 *
 * gcc gives a record whose alignment an attribute had a part in the alignment
 * that it has in the end (dwarf2out.c, add_alignment_attribute), rustc gives
 * every record its own.  clang gives what the attribute asked for (CGDebugInfo,
 * getDeclAlignIfRequired), which a record that is not packed may exceed.
 * Before gcc 7 and clang 4, and in strict DWARF below 5, it is not written.
 */
#include <stdlib.h>
#include <string.h>

#include "dbginfo/producer.h"

/* The number behind the last occurrence of word; 0 if there is none. */
static unsigned long number_behind(const char *text, const char *word)
{
	unsigned long n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n = strtoul(text, NULL, 10);
	}
	return n;
}

static bool is_gcc(const char *producer)
{
	return !strncmp(producer, "GNU ", 4);
}

/* "GNU C17 12.2.0 -mtune=generic ..." */
static unsigned long gcc_major(const char *producer)
{
	const char *version = strchr(producer + strlen("GNU "), ' ');

	return version ? strtoul(version, NULL, 10) : 0;
}

static unsigned long gcc_dwarf(const char *producer)
{
	unsigned long dwarf = number_behind(producer, " -gdwarf-");

	return dwarf ? dwarf : gcc_major(producer) >= 11 ? 5 : 4;
}

static enum lac_align_told told_by_gcc(const char *producer)
{
	unsigned long major = gcc_major(producer);
	unsigned long dwarf = gcc_dwarf(producer);

	if (major && major < 7)
		return LAC_ALIGN_TOLD_NEVER;
	if (strstr(producer, " -gstrict-dwarf") && dwarf < 5)
		return LAC_ALIGN_TOLD_NEVER;
	return LAC_ALIGN_TOLD_EXACTLY;
}

static const char *producer_of(const struct lac_graph *g,
			       const struct lac_record *r)
{
	return r->nunits ? g->units[r->units[0]].producer : NULL;
}

enum lac_align_told lac_record_align_told(const struct lac_graph *g,
					  const struct lac_record *r)
{
	const char *producer = producer_of(g, r);
	unsigned long clang;

	if (!g->tells_alignment)
		return LAC_ALIGN_TOLD_NEVER;
	if (!producer)
		return LAC_ALIGN_TOLD_AS_ASKED;
	if (is_gcc(producer))
		return told_by_gcc(producer);
	if (strstr(producer, "rustc"))
		return LAC_ALIGN_TOLD_EXACTLY;
	clang = number_behind(producer, "clang version ");
	return clang && clang < 4 ? LAC_ALIGN_TOLD_NEVER
				  : LAC_ALIGN_TOLD_AS_ASKED;
}

bool lac_record_align_always(const struct lac_graph *g,
			     const struct lac_record *r)
{
	const char *producer = producer_of(g, r);

	return g->tells_alignment && producer && strstr(producer, "rustc");
}

/* clang's producer does not say which version of DWARF it writes. */
bool lac_record_atomic_told(const struct lac_graph *g,
			    const struct lac_record *r)
{
	const char *producer = producer_of(g, r);

	return producer && is_gcc(producer) && gcc_dwarf(producer) >= 5;
}
