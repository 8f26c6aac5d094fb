/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * figure.h - the figures: the shape of their data, and the two ways of drawing
 * them.  A figure shows what is in the data and works nothing out but places
 * on the page; its numbers are in the JSON like those of any table.
 *
 * Keys in [brackets] may be left out.
 *
 * LAC_FIGURE_LINE_MAP: one record over its cache lines, or two, before and
 * after.
 *
 *   {"line_size": 64,
 *    "maps": [
 *      {"title": "struct page, aligned",
 *       "size": 64,                            bytes
 *       ["first_byte": 0,]                     where in a line it starts
 *       "spans": [                             a partition of the record
 *         {"kind": "member",                   member|hole|padding|unknown
 *          ["label": "flags",]                 of a member
 *          "bit_offset": 0, "bit_size": 64,
 *          ["straddles": true,]                crosses a line's border
 *          ["changed": true,]                  differs between the two maps
 *          ["heat": 0.25]}]}],                 number or null
 *    ["heat_title": "simulated L1D misses per operation"]}
 *
 * LAC_FIGURE_ARRAY_MAP: the elements of an array over lines, a row an array.
 *
 *   {"line_size": 64,
 *    "arrays": [
 *      {"title": "packed, 56 bytes",
 *       "element_size": 56,                    bytes
 *       ["first_byte": 0,]
 *       ["elements": 8,]                       default: until it repeats
 *       ["marks": [{"label": "freelist, counters",
 *                   "byte_offset": 16, "byte_size": 16}]]}]}
 *
 * LAC_FIGURE_INTERVALS: values with intervals, by category and group.
 *
 *   {"value_title": "time per operation, ns",
 *    ["decimals": 1,]
 *    ["logarithmic": true,]
 *    ["zero": true,]                           the axis reaches to 0
 *    ["groups": ["aligned-cas", "packed-lock"],]  their order and looks, so
 *                                              that two figures agree
 *    ["reference": 1.0, "reference_title": "no difference",]
 *    "categories": [
 *      {"label": "256 B",
 *       "points": [
 *         {"group": "packed-lock",
 *          "value": 21.4, ["low": 21.1, "high": 21.9,]
 *          ["status": "measured"]}]}]}         the reason where value is null
 *
 * LAC_FIGURE_CHAIN: a chain of evidence, one step leading to the next.
 *
 *   {"steps": [
 *      {"label": "The layout touches more lines",
 *       "state": "holds",                      holds|fails|unknown
 *       "detail": "1.75 lines a descriptor against 1.00"}]}
 */
#ifndef LAC_FIGURE_H
#define LAC_FIGURE_H

#include "render/plain.h"
#include "render/xml.h"

/*
 * An <svg> element with the given id, a <title> and a <desc>; text is text.
 * Alone, it carries its styles, namespace and background; in HTML the styles
 * are the page's.  LAC_BAD_INPUT if the data does not have the shape above:
 * that is the command's fault.
 */
LAC_MUST_CHECK enum lac_status lac_figure_svg(struct lac_xml *x,
					      const struct lac_figure *f,
					      const char *id, bool alone,
					      struct lac_err *err);

/* The same in characters, within p->width columns or 80. */
LAC_MUST_CHECK enum lac_status lac_plain_figure(struct lac_plain *p,
						const struct lac_figure *f,
						struct lac_err *err);

/* The styles that lac_figure_svg() relies on, for the <style> of a page. */
void lac_figure_style(struct lac_xml *x);

#endif
