/* SPDX-License-Identifier: BSD-2-Clause */
#include "render/xml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "render/glyph.h"

static int put(void *context, const char *buf, int n)
{
	FILE *out = context;

	if (!out)
		return n;
	return fwrite(buf, 1, (size_t)n, out) == (size_t)n ? n : -1;
}

static int keep_open(void *context)
{
	(void)context;
	return 0;
}

enum lac_status lac_xml_open(FILE *out, struct lac_xml *ret,
			     struct lac_err *err)
{
	struct lac_xml x = { .out = out };
#define CALL(name) { &x.lib.name, #name },
	const struct lac_library_call calls[] = {
		LAC_XML_CALLS(CALL) { NULL, NULL }
	};
#undef CALL
	xmlOutputBufferPtr buf;

	LAC_TRY(lac_library_load("libxml2.so.2", calls, err));
	x.arena = lac_arena_create();
	buf = x.lib.xmlOutputBufferCreateIO(put, keep_open, out, NULL);
	if (buf)
		x.w = x.lib.xmlNewTextWriter(buf);
	if (!x.w || !x.arena) {
		if (x.w)
			x.lib.xmlFreeTextWriter(x.w);
		else if (buf)
			x.lib.xmlOutputBufferClose(buf);
		lac_arena_destroy(x.arena);
		return lac_fail_memory(err);
	}
	*ret = x;
	return LAC_OK;
}

enum lac_status lac_xml_close(struct lac_xml *x, struct lac_err *err)
{
	if (!x->w)
		return LAC_OK;
	x->failed |= x->lib.xmlTextWriterFlush(x->w) < 0;
	x->lib.xmlFreeTextWriter(x->w);
	lac_arena_destroy(x->arena);
	x->w = NULL;
	x->arena = NULL;
	return x->failed ? lac_fail_memory(err) : LAC_OK;
}

static void note(struct lac_xml *x, int rc)
{
	x->failed |= rc < 0;
}

void lac_xml_indent(struct lac_xml *x)
{
	note(x, x->lib.xmlTextWriterSetIndent(x->w, 1));
}

void lac_xml_start(struct lac_xml *x, const char *name)
{
	note(x, x->lib.xmlTextWriterStartElement(x->w, BAD_CAST name));
}

void lac_xml_end(struct lac_xml *x)
{
	note(x, x->lib.xmlTextWriterFullEndElement(x->w));
}

void lac_xml_end_void(struct lac_xml *x)
{
	note(x, x->lib.xmlTextWriterEndElement(x->w));
}

/* Formatted and clean, in the arena; NULL when out of memory. */
static LAC_PRINTF(2, 0) char *format(struct lac_xml *x, const char *fmt,
				     va_list ap)
{
	char *s = NULL, *clean;

	if (vasprintf(&s, fmt, ap) < 0)
		return NULL;
	clean = lac_glyph_clean(x->arena, s, false);
	free(s);
	return clean;
}

void lac_xml_attr(struct lac_xml *x, const char *name, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format(x, fmt, ap);
	va_end(ap);
	note(x, s ? x->lib.xmlTextWriterWriteAttribute(x->w, BAD_CAST name,
						BAD_CAST s)
		  : -1);
}

void lac_xml_text(struct lac_xml *x, const char *text)
{
	char *s = lac_glyph_clean(x->arena, text, false);

	note(x, s ? x->lib.xmlTextWriterWriteString(x->w, BAD_CAST s) : -1);
}

void lac_xml_lines(struct lac_xml *x, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n\t");
		char *part = lac_arena_strndup(x->arena, text, n);

		if (!part) {
			x->failed = true;
			return;
		}
		lac_xml_text(x, part);
		text += n;
		if (*text)
			note(x, x->lib.xmlTextWriterWriteString(
					x->w, BAD_CAST(*text++ == '\n'
							       ? "\n"
							       : "\t")));
	}
}

void lac_xml_textf(struct lac_xml *x, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format(x, fmt, ap);
	va_end(ap);
	note(x, s ? x->lib.xmlTextWriterWriteString(x->w, BAD_CAST s) : -1);
}

void lac_xml_raw(struct lac_xml *x, const char *text)
{
	note(x, x->lib.xmlTextWriterWriteRaw(x->w, BAD_CAST text));
}

void lac_xml_element(struct lac_xml *x, const char *name, const char *class,
		     const char *text)
{
	lac_xml_start(x, name);
	if (class)
		lac_xml_attr(x, "class", "%s", class);
	lac_xml_text(x, text);
	lac_xml_end(x);
}
