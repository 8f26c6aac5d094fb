/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/formats.h"

#include <string.h>

const struct lac_renderer *const lac_renderers[] = {
	&lac_renderer_text,
	&lac_renderer_mail,
	&lac_renderer_markdown,
	&lac_renderer_json,
	&lac_renderer_csv,
	&lac_renderer_html,
	&lac_renderer_svg,
	NULL,
};

const struct lac_renderer *lac_renderer_find(const char *name)
{
	for (size_t i = 0; lac_renderers[i]; i++)
		if (!strcmp(lac_renderers[i]->name, name))
			return lac_renderers[i];
	return NULL;
}
