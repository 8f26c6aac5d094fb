/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/formats.h"

/*
 * 15 digits: what was 0.1 in the data is 0.1 in the output, and no figure here
 * is known better than that.
 */
#define JSON_STYLE (JSON_INDENT(1) | JSON_REAL_PRECISION(15))

static enum lac_status render_json(const struct lac_doc *doc,
				   const struct lac_render_options *o,
				   FILE *out, struct lac_err *err)
{
	(void)o;
	if (json_dumpf(doc->data, out, JSON_STYLE))
		return lac_fail_memory(err);
	fputc('\n', out);
	return LAC_OK;
}

const struct lac_renderer lac_renderer_json = {
	.name = "json",
	.summary = "the data that the other formats show, for programs",
	.data = true,
	.render = render_json,
};
