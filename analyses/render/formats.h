/* SPDX-License-Identifier: BSD-2-Clause */
/* formats.h - the renderers; one line each here and in formats.c. */
#ifndef LAC_FORMATS_H
#define LAC_FORMATS_H

#include "render/render.h"

extern const struct lac_renderer lac_renderer_text;
extern const struct lac_renderer lac_renderer_mail;
extern const struct lac_renderer lac_renderer_markdown;
extern const struct lac_renderer lac_renderer_json;
extern const struct lac_renderer lac_renderer_csv;
extern const struct lac_renderer lac_renderer_html;
extern const struct lac_renderer lac_renderer_svg;

#endif
