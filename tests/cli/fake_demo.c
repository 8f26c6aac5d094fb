/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake_demo.c - documents for tests of the formats: one with every kind of
 * view, and random ones.  The numbers are made up.
 */
#include <stdlib.h>

#include "../unit/random_doc.h"
#include "fake_demo.h"

static const char demo_data[] =
	"{\"map\":{\"line_size\":64,\"maps\":["
	"{\"title\":\"before: struct page, aligned\",\"size\":64,\"spans\":["
	"{\"kind\":\"member\",\"label\":\"flags\",\"bit_offset\":0,"
	"\"bit_size\":64,\"heat\":0.5},"
	"{\"kind\":\"member\",\"label\":\"mapping\",\"bit_offset\":64,"
	"\"bit_size\":64},"
	"{\"kind\":\"member\",\"label\":\"freelist\",\"bit_offset\":128,"
	"\"bit_size\":64,\"heat\":1.75},"
	"{\"kind\":\"member\",\"label\":\"inuse\",\"bit_offset\":192,"
	"\"bit_size\":16},"
	"{\"kind\":\"member\",\"label\":\"objects\",\"bit_offset\":208,"
	"\"bit_size\":15},"
	"{\"kind\":\"member\",\"label\":\"frozen\",\"bit_offset\":223,"
	"\"bit_size\":1},"
	"{\"kind\":\"hole\",\"bit_offset\":224,\"bit_size\":32},"
	"{\"kind\":\"member\",\"label\":\"lru\",\"bit_offset\":256,"
	"\"bit_size\":128,\"changed\":true},"
	"{\"kind\":\"unknown\",\"bit_offset\":384,\"bit_size\":64},"
	"{\"kind\":\"padding\",\"bit_offset\":448,\"bit_size\":64}]},"
	"{\"title\":\"after: the same at byte 56 of a line\",\"size\":56,"
	"\"first_byte\":56,\"spans\":["
	"{\"kind\":\"member\",\"label\":\"flags\",\"bit_offset\":0,"
	"\"bit_size\":64,\"heat\":0.5},"
	"{\"kind\":\"member\",\"label\":\"mapping\",\"bit_offset\":64,"
	"\"bit_size\":384}]},"
	"{\"title\":\"one that straddles\",\"size\":56,\"first_byte\":40,"
	"\"spans\":["
	"{\"kind\":\"member\",\"label\":\"a\",\"bit_offset\":0,"
	"\"bit_size\":128},"
	"{\"kind\":\"member\",\"label\":\"a_pair_with_a_long_name\","
	"\"bit_offset\":128,\"bit_size\":128,\"straddles\":true},"
	"{\"kind\":\"member\",\"label\":\"z\",\"bit_offset\":256,"
	"\"bit_size\":192}]}],"
	"\"heat_title\":\"made-up misses per operation\"},"
	"\"array\":{\"line_size\":64,\"arrays\":["
	"{\"title\":\"aligned, 64 bytes\",\"element_size\":64,\"elements\":8,"
	"\"marks\":[{\"label\":\"freelist, counters\",\"byte_offset\":16,"
	"\"byte_size\":16}]},"
	"{\"title\":\"packed, 56 bytes\",\"element_size\":56,"
	"\"marks\":[{\"label\":\"freelist, counters\",\"byte_offset\":16,"
	"\"byte_size\":16}]}]},"
	"\"times\":{\"value_title\":\"time per operation, ns\",\"decimals\":1,"
	"\"logarithmic\":true,\"reference\":20,\"reference_title\":\"goal\","
	"\"categories\":["
	"{\"label\":\"8 B\",\"points\":["
	"{\"group\":\"aligned-cas\",\"value\":18.1,\"low\":17.9,\"high\":18.6},"
	"{\"group\":\"packed-lock\",\"value\":21.4,\"low\":20.2,\"high\":23.9},"
	"{\"group\":\"packed-cas\",\"value\":null,"
	"\"status\":\"unsupported\"}]},"
	"{\"label\":\"8192 B\",\"points\":["
	"{\"group\":\"aligned-cas\",\"value\":310.5,\"low\":290.0,"
	"\"high\":333.3},"
	"{\"group\":\"packed-lock\",\"value\":322.0,\"low\":316.0,"
	"\"high\":331.0},"
	"{\"group\":\"packed-cas\",\"value\":305.0}]}]},"
	"\"evidence\":{\"steps\":["
	"{\"label\":\"The layout touches more lines\",\"state\":\"holds\","
	"\"detail\":\"1.75 lines a descriptor against 1.00\"},"
	"{\"label\":\"The model misses more often on them\","
	"\"state\":\"fails\",\"detail\":\"The pair loop touches the same lines "
	"every time, whatever the size of the descriptor is, and the lock is "
	"not on its path; so the counts are the same to the last digit.\"},"
	"{\"label\":\"The time follows\",\"state\":\"unknown\","
	"\"detail\":\"\"}]},"
	"\"rows\":["
	"{\"name\":\"flags\",\"offset\":0,\"size\":64,\"time\":{\"value\":1.05,"
	"\"low\":1.03,\"high\":1.07},\"memory\":2147483648,\"share\":0.125},"
	"{\"name\":\"freelist\",\"offset\":131,\"size\":64,"
	"\"time\":{\"value\":null,\"status\":\"not permitted\"},"
	"\"memory\":17179869184,\"share\":0.75}]}";

static const struct lac_column demo_columns[] = {
	{ .key = "name", .title = "member" },
	{ .key = "offset", .title = "offset", .unit = LAC_UNIT_BITS },
	{ .key = "size", .title = "size", .unit = LAC_UNIT_BITS },
	{ .key = "time.value", .title = "ratio of times",
	  .unit = LAC_UNIT_RATIO, .decimals = 2, .low = "time.low",
	  .high = "time.high" },
	{ .key = "memory", .title = "memory at 1 TiB",
	  .unit = LAC_UNIT_MEMORY },
	{ .key = "share", .title = "share", .unit = LAC_UNIT_PERCENT,
	  .decimals = 1 },
};

enum lac_status fake_demo(struct lac_run *r, struct lac_err *err)
{
	json_t *data = json_loads(demo_data, 0, NULL);
	struct lac_doc *d = r->doc;
	struct lac_listing *l;

	if (!data || json_object_update(d->data, data))
		return lac_fail_memory(err);
	json_decref(data);
	lac_doc_heading(d, 1, "struct page: 64 bytes \xe2\x86\x92 56 bytes");
	lac_doc_paragraph(d, "A document with every kind of view; its numbers "
			     "are made up. Text with <angle brackets>, & and "
			     "\"quotes\" comes out as it went in.");
	lac_doc_heading(d, 2, "Layout");
	lac_doc_figure(d, LAC_FIGURE_LINE_MAP, "map", "Members over lines",
		       "Two layouts of a record, member by member.",
		       json_object_get(d->data, "map"));
	lac_doc_figure(d, LAC_FIGURE_ARRAY_MAP, "array",
		       "Elements of an array over lines",
		       "Elements of 64 bytes keep to their lines; of those of "
		       "56, 6 of 8 cross a border.",
		       json_object_get(d->data, "array"));
	lac_doc_table(d, "rows", "Members", demo_columns, 6,
		      json_object_get(d->data, "rows"));
	lac_doc_heading(d, 2, "Times");
	lac_doc_figure(d, LAC_FIGURE_INTERVALS, "times", "Time by size",
		       "Times per operation by object size and variant.",
		       json_object_get(d->data, "times"));
	lac_doc_heading(d, 2, "Verdict");
	lac_doc_figure(d, LAC_FIGURE_CHAIN, "evidence", "Chain of evidence",
		       "Three steps: one holds, one fails, one is unknown.",
		       json_object_get(d->data, "evidence"));
	l = lac_doc_listing(d, "c");
	lac_listing_line(d, l, 0, "struct page {", NULL);
	lac_listing_line(d, l, 1, "long unsigned int flags;", "    0     8");
	lac_listing_line(d, l, 1, "", "[...]");
	lac_listing_line(d, l, 0, "};", "size: 64");
	lac_doc_detail(d);
	return LAC_OK;
}

enum lac_status fake_random(struct lac_run *r, struct lac_err *err)
{
	struct lac_doc *d = random_doc(strtoull(r->args[0], NULL, 0));

	if (!d)
		return lac_fail_memory(err);
	lac_doc_destroy(r->doc);
	r->doc = d;
	return LAC_OK;
}
