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

/* "GNU C17 12.2.0 -mtune=generic ..." */
static enum lac_align_told told_by_gcc(const char *producer)
{
	const char *version = strchr(producer + strlen("GNU "), ' ');
	unsigned long major = version ? strtoul(version, NULL, 10) : 0;
	unsigned long dwarf = number_behind(producer, " -gdwarf-");

	if (major && major < 7)
		return LAC_ALIGN_TOLD_NEVER;
	if (!dwarf)
		dwarf = major >= 11 ? 5 : 4;
	if (strstr(producer, " -gstrict-dwarf") && dwarf < 5)
		return LAC_ALIGN_TOLD_NEVER;
	return LAC_ALIGN_TOLD_EXACTLY;
}

enum lac_align_told lac_record_align_told(const struct lac_graph *g,
					  const struct lac_record *r)
{
	const char *producer =
		r->nunits ? g->units[r->units[0]].producer : NULL;
	unsigned long clang;

	if (!g->tells_alignment)
		return LAC_ALIGN_TOLD_NEVER;
	if (!producer)
		return LAC_ALIGN_TOLD_AS_ASKED;
	if (!strncmp(producer, "GNU ", 4))
		return told_by_gcc(producer);
	if (strstr(producer, "rustc"))
		return LAC_ALIGN_TOLD_EXACTLY;
	clang = number_behind(producer, "clang version ");
	return clang && clang < 4 ? LAC_ALIGN_TOLD_NEVER
				  : LAC_ALIGN_TOLD_AS_ASKED;
}
