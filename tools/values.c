/* SPDX-License-Identifier: BSD-2-Clause */
/* values.c - the words that an option takes, where there are only so many. */
#include <string.h>

#include "options.h"

/* command NULL: of every command that has the option */
static const struct {
	const char *command, *option, *values;
} table[] = {
	{ NULL, "color", "auto always never" },
	{ NULL, "output-format", "text mail markdown json csv html svg" },
	{ NULL, "format", "dwarf btf auto" },
	{ "list", "sort",
	  "name kind decl size align members holes hole_bits padding_bits "
	  "waste nested_hole_bits nested_padding_bits unknown_bits "
	  "member_bits lines straddlers units none" },
	{ "list", "kind", "struct union class enum variant" },
	{ "check", "annotations", "github gitlab" },
	{ NULL, "only", "size layout lines enum" },
	{ NULL, "slabinfo-side", "old new" },
	{ NULL, "era", "v3.13 v5.10 v6.1 v6.12" },
	{ NULL, "preset", "westmere-ex skylake-sp zen3-milan neoverse-n1 apple-m1-p power9 host" },
	{ "bench", "test",
	  "bulk pair bulk-random bulk-reverse fragmented remote message" },
	{ "correlate", "test",
	  "bulk pair bulk-random bulk-reverse fragmented" },
	{ "report", "test", "bulk pair bulk-random bulk-reverse fragmented" },
	{ "bench", "variant", "aligned-cas aligned-lock packed-lock packed-cas" },
};

const char *lac_option_values(const char *command, const char *option)
{
	for (size_t i = 0; option && i < sizeof(table) / sizeof(table[0]); i++)
		if ((!table[i].command || !strcmp(table[i].command, command)) &&
		    !strcmp(table[i].option, option))
			return table[i].values;
	return "";
}
