/* SPDX-License-Identifier: BSD-2-Clause */
/* svg.c - one figure of a document, as a file of its own. */
#include <string.h>

#include "render/figure.h"
#include "render/formats.h"

static enum lac_status choose(const struct lac_doc *doc, const char *key,
			      const struct lac_figure **ret,
			      struct lac_err *err)
{
	char all[512] = "";

	for (size_t i = 0; i < doc->nviews; i++) {
		const struct lac_view *v = &doc->views[i];

		if (v->kind != LAC_VIEW_FIGURE)
			continue;
		if (!key || !strcmp(key, v->figure.key)) {
			*ret = &v->figure;
			return LAC_OK;
		}
		snprintf(all + strlen(all), sizeof(all) - strlen(all), " %s",
			 v->figure.key);
	}
	if (!*all)
		return lac_fail(err, LAC_USAGE,
				"-o svg: there is no figure in this result; "
				"those of `show FILE TYPE`, page, diff, trace, "
				"bench, correlate and report have one");
	return lac_fail(err, LAC_USAGE, "--figure %s: there is none; one of%s",
			key, all);
}

static enum lac_status render_svg(const struct lac_doc *doc,
				  const struct lac_render_options *o,
				  FILE *out, struct lac_err *err)
{
	const struct lac_figure *f = NULL;
	struct lac_err second;
	struct lac_xml x;
	enum lac_status st, closed;

	LAC_TRY(choose(doc, o->figure, &f, err));
	LAC_TRY(lac_xml_open(out, &x, err));
	lac_xml_raw(&x, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	st = lac_figure_svg(&x, f, "figure", true, err);
	/* the first fault is the one to tell */
	closed = lac_xml_close(&x, st == LAC_OK ? err : &second);
	if (st == LAC_OK && closed == LAC_OK)
		fputc('\n', out);
	return st == LAC_OK ? closed : st;
}

const struct lac_renderer lac_renderer_svg = {
	.name = "svg",
	.summary = "one figure (--figure KEY), for a browser or a page",
	.render = render_svg,
};
