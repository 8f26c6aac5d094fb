/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * figure_style.c - the looks of the figures, in a light and a dark scheme.
 *
 * Eight tints and four patterns: neighbours differ in both, so that a map can
 * be read without colour.  A page gets variables; a file of its own gets plain
 * colours, since not every program that shows SVG knows variables.
 */
#include <string.h>

#include "render/figure.h"
#include "render/svg_figure.h"

static const struct {
	const char *name, *light, *dark;
} palette[] = {
	{ "fg", "#1b1f24", "#e6e8eb" },	    { "dim", "#57606a", "#a3abb4" },
	{ "bg", "#ffffff", "#14171a" },	    { "rule", "#c3c9d0", "#454c54" },
	{ "warn", "#b42318", "#ff8a7a" },   { "accent", "#0b5cad", "#7ab8ff" },
	{ "ok", "#1a7f37", "#6fd08c" },	    { "gap", "#f1f3f5", "#22272c" },
	{ "m0", "#a9cdf0", "#1d4e80" },	    { "m1", "#ffd9a0", "#7a4c12" },
	{ "m2", "#b8dfa0", "#2f5f22" },	    { "m3", "#f3b9c4", "#7d3144" },
	{ "m4", "#d3c0e8", "#513a7a" },	    { "m5", "#f6ea9a", "#665a12" },
	{ "m6", "#a6ddd3", "#175a52" },	    { "m7", "#dcc7a8", "#5b4831" },
};

#define NCOLOURS (sizeof(palette) / sizeof(*palette))
#define VARIABLE "var(--lac-"

static const char rules[] =
	".lac-f{font:12px system-ui,'DejaVu Sans',sans-serif}\n"
	".lac-f text{fill:var(--lac-fg)}\n"
	".lac-f .d{fill:var(--lac-dim)}\n"
	".lac-f .b{font-weight:600}\n"
	".lac-f .w{fill:var(--lac-warn)}\n"
	".lac-f .ok{fill:var(--lac-ok)}\n"
	".lac-f .page{fill:var(--lac-bg)}\n"
	".lac-f .box{stroke:var(--lac-fg);stroke-width:.6}\n"
	".lac-f .gap{fill:var(--lac-gap);stroke:var(--lac-rule);"
	"stroke-width:.6}\n"
	".lac-f .cross{fill:none;stroke:var(--lac-warn);stroke-width:2}\n"
	".lac-f .changed{fill:none;stroke:var(--lac-accent);stroke-width:2;"
	"stroke-dasharray:4 2}\n"
	".lac-f .heat{fill:var(--lac-warn)}\n"
	".lac-f .mark{fill:var(--lac-fg);fill-opacity:.32}\n"
	".lac-f .rule{stroke:var(--lac-rule);stroke-width:1}\n"
	".lac-f .ref{stroke:var(--lac-dim);stroke-width:1.2;"
	"stroke-dasharray:5 3}\n"
	".lac-f .edge{stroke:var(--lac-fg);stroke-width:2}\n"
	".lac-f .pat{stroke:var(--lac-fg);stroke-width:1;fill:none}\n"
	".lac-f .dot{fill:var(--lac-fg)}\n"
	".lac-f .m0{fill:var(--lac-m0)}\n.lac-f .m1{fill:var(--lac-m1)}\n"
	".lac-f .m2{fill:var(--lac-m2)}\n.lac-f .m3{fill:var(--lac-m3)}\n"
	".lac-f .m4{fill:var(--lac-m4)}\n.lac-f .m5{fill:var(--lac-m5)}\n"
	".lac-f .m6{fill:var(--lac-m6)}\n.lac-f .m7{fill:var(--lac-m7)}\n"
	".lac-f .step{fill:var(--lac-gap);stroke:var(--lac-rule)}\n";

static void put_variables(struct lac_xml *x, bool dark)
{
	lac_xml_raw(x, ":root{");
	for (size_t i = 0; i < NCOLOURS; i++) {
		lac_xml_raw(x, "--lac-");
		lac_xml_raw(x, palette[i].name);
		lac_xml_raw(x, ":");
		lac_xml_raw(x, dark ? palette[i].dark : palette[i].light);
		lac_xml_raw(x, ";");
	}
	lac_xml_raw(x, "}");
}

void lac_figure_style(struct lac_xml *x)
{
	lac_xml_raw(x, "\n");
	put_variables(x, false);
	lac_xml_raw(x, "\n@media (prefers-color-scheme:dark){");
	put_variables(x, true);
	/* paper is white */
	lac_xml_raw(x, "}\n@media print{");
	put_variables(x, false);
	lac_xml_raw(x, "}\n");
	lac_xml_raw(x, rules);
}

static const char *colour(const char *name, bool dark)
{
	size_t len = strcspn(name, ")");

	for (size_t i = 0; i < NCOLOURS; i++)
		if (strlen(palette[i].name) == len &&
		    !memcmp(palette[i].name, name, len))
			return dark ? palette[i].dark : palette[i].light;
	return "#808080";
}

static void put_plain_rules(struct lac_xml *x, bool dark)
{
	const char *s = rules, *var;
	char *part;

	while ((var = strstr(s, VARIABLE))) {
		part = lac_arena_strndup(x->arena, s, (size_t)(var - s));
		x->failed |= !part;
		lac_xml_raw(x, part ? part : "");
		var += strlen(VARIABLE);
		lac_xml_raw(x, colour(var, dark));
		s = strchr(var, ')') + 1;
	}
	lac_xml_raw(x, s);
}

void lac_svg_style(struct lac_xml *x)
{
	lac_xml_start(x, "style");
	lac_xml_raw(x, "\n");
	put_plain_rules(x, false);
	lac_xml_raw(x, "@media (prefers-color-scheme:dark){\n");
	put_plain_rules(x, true);
	lac_xml_raw(x, "}\n");
	lac_xml_end(x);
}
