/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.h - writing elements, for HTML, SVG and JUnit.  libxml2 escapes and closes; a
 * failure is kept and reported once, by lac_xml_close().
 */
#ifndef LAC_XML_H
#define LAC_XML_H

#include <libxml/xmlwriter.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"

/* What is used of libxml2, which is loaded when something is written. */
#define LAC_XML_CALLS(call)                                                    \
	call(xmlOutputBufferCreateIO) call(xmlOutputBufferClose)               \
	call(xmlNewTextWriter) call(xmlFreeTextWriter)                         \
	call(xmlTextWriterFlush) call(xmlTextWriterSetIndent)                  \
	call(xmlTextWriterStartElement) call(xmlTextWriterFullEndElement)      \
	call(xmlTextWriterEndElement) call(xmlTextWriterWriteAttribute)        \
	call(xmlTextWriterWriteString) call(xmlTextWriterWriteRaw)

struct lac_xml_library {
#define LAC_XML_CALL(name) __typeof__(name) *name;
	LAC_XML_CALLS(LAC_XML_CALL)
#undef LAC_XML_CALL
};

struct lac_xml {
	struct lac_xml_library lib;
	xmlTextWriterPtr w;
	FILE *out;
	struct lac_arena *arena; /* for texts on their way */
	bool failed;
};

/* out NULL: what is written goes nowhere. */
LAC_MUST_CHECK enum lac_status lac_xml_open(FILE *out, struct lac_xml *ret,
					    struct lac_err *err);
/* Each element on a line of its own from now on. */
void lac_xml_indent(struct lac_xml *x);
/* Also after a failure; LAC_NO_MEMORY if anything was not written. */
LAC_MUST_CHECK enum lac_status lac_xml_close(struct lac_xml *x,
					     struct lac_err *err);

void lac_xml_start(struct lac_xml *x, const char *name);
/* <name></name> where it is empty: HTML does not know <name/>. */
void lac_xml_end(struct lac_xml *x);
/* <name/>, for the few elements that HTML has without an end. */
void lac_xml_end_void(struct lac_xml *x);
void lac_xml_attr(struct lac_xml *x, const char *name, const char *fmt, ...)
	LAC_PRINTF(3, 4);
/* Any bytes: they are made clean and escaped. */
void lac_xml_text(struct lac_xml *x, const char *text);
/* The same with line ends and tabs kept, for listings. */
void lac_xml_lines(struct lac_xml *x, const char *text);
void lac_xml_textf(struct lac_xml *x, const char *fmt, ...) LAC_PRINTF(2, 3);
/* As it is: styles, scripts, a doctype. */
void lac_xml_raw(struct lac_xml *x, const char *text);
/* <name class=...>text</name>; class may be NULL. */
void lac_xml_element(struct lac_xml *x, const char *name, const char *class,
		     const char *text);

#endif
