/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/formats.h"
#include "render/plain.h"

static enum lac_status render(const struct lac_doc *doc, struct lac_plain *p,
			      FILE *out, struct lac_err *err)
{
	LAC_CLEANUP_ARENA struct lac_arena *arena = lac_arena_create();

	if (!arena)
		return lac_fail_memory(err);
	p->arena = arena;
	p->out = out;
	return lac_plain_document(p, doc, err);
}

static enum lac_status render_text(const struct lac_doc *doc,
				   const struct lac_render_options *o,
				   FILE *out, struct lac_err *err)
{
	struct lac_plain p = {
		.threads = o->threads,
		.width = o->width,
		.colour = o->colour,
		.ascii = o->ascii,
		.tabs = true,
		.at_home = true,
		.brief = o->brief,
	};

	return render(doc, &p, out, err);
}

/*
 * 72 columns leave room for two levels of "> "; blanks, since a tab moves when
 * a line is quoted.
 */
static enum lac_status render_mail(const struct lac_doc *doc,
				   const struct lac_render_options *o,
				   FILE *out, struct lac_err *err)
{
	struct lac_plain p = {
		.threads = o->threads,
		.width = 72, .ascii = true, .brief = o->brief,
	};

	return render(doc, &p, out, err);
}

const struct lac_renderer lac_renderer_text = {
	.name = "text",
	.summary = "for the terminal (the default)",
	.render = render_text,
};

const struct lac_renderer lac_renderer_mail = {
	.name = "mail",
	.summary = "plain ASCII within 72 columns, to paste into a mail",
	.render = render_mail,
};
