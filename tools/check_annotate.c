/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_annotate.c - findings where a review shows them: at the line that
 * declares the type, or at the rule if the input does not say where that is.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "check_report.h"

enum lac_status lac_annotations_parse(const char *text,
				      enum lac_annotations *ret,
				      struct lac_err *err)
{
	*ret = LAC_ANNOTATE_NONE;
	if (!text)
		return LAC_OK;
	if (!strcmp(text, "github"))
		*ret = LAC_ANNOTATE_GITHUB;
	else if (!strcmp(text, "gitlab"))
		*ret = LAC_ANNOTATE_GITLAB;
	else
		return lac_fail(err, LAC_USAGE,
				"--annotations %s: github or gitlab", text);
	return LAC_OK;
}

/* A path below the current directory, as the forge knows it. */
static const char *relative(const char *path)
{
	char cwd[4096];
	size_t n;

	while (path[0] == '.' && path[1] == '/')
		path += 2;
	if (path[0] != '/' || !getcwd(cwd, sizeof(cwd)))
		return path;
	n = strlen(cwd);
	return !strncmp(path, cwd, n) && path[n] == '/' ? path + n + 1 : path;
}

static const char *place(const struct lac_finding *f, unsigned *line)
{
	*line = f->decl_file ? f->decl_line : f->line;
	if (!*line)
		*line = 1;
	return relative(f->decl_file ? f->decl_file : f->file);
}

/* As the runner decodes it: %, line ends; in properties also : and , */
static const char *escape(struct lac_arena *arena, const char *s,
			  const char *what)
{
	char *out = lac_arena_zalloc(arena, 3 * strlen(s) + 1, 1);
	char *o = out;

	for (; out && *s; s++) {
		static const char hex[] = "0123456789ABCDEF";

		if (!strchr(what, *s)) {
			*o++ = *s;
			continue;
		}
		*o++ = '%';
		*o++ = hex[(unsigned char)*s >> 4];
		*o++ = hex[(unsigned char)*s & 15];
	}
	return out;
}

static const char *message(struct lac_arena *arena,
			   const struct lac_finding *f)
{
	const char *sentence = lac_check_sentence(arena, f);

	return sentence ? lac_arena_printf(arena, "%s (%s:%u)", sentence,
					   relative(f->file), f->line)
			: NULL;
}

static const char *github(struct lac_arena *arena,
			  const struct lac_finding *f)
{
	unsigned line;
	const char *path = escape(arena, place(f, &line), "%\r\n:,");
	const char *text = message(arena, f);

	text = text ? escape(arena, text, "%\r\n") : NULL;
	if (!path || !text)
		return NULL;
	return lac_arena_printf(arena,
				"::%s file=%s,line=%u,title=lacuna::%s",
				lac_finding_fails(f->status) ? "error"
							     : "notice",
				path, line, text);
}

/* The same finding has the same fingerprint in the next run. */
static uint64_t fingerprint(const struct lac_finding *f)
{
	const char *parts[] = {f->subject, f->wanted, f->file};
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < 3; i++)
		for (const char *s = parts[i]; *s; s++)
			h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

static json_t *gitlab(struct lac_arena *arena, const struct lac_finding *f)
{
	unsigned line;
	const char *path = place(f, &line);
	const char *text = message(arena, f);
	char mark[17];

	snprintf(mark, sizeof(mark), "%016" PRIx64, fingerprint(f));
	return json_pack("{s:o, s:s, s:s, s:s, s:{s:o, s:{s:i}}}",
			 "description", lac_doc_string(text), "check_name",
			 "lacuna", "fingerprint", mark, "severity",
			 lac_finding_fails(f->status) ? "major" : "info",
			 "location", "path", lac_doc_string(path), "lines",
			 "begin", (int)line);
}

static void put(struct lac_doc *doc, struct lac_listing *l, const char *text)
{
	if (text)
		lac_listing_line(doc, l, 0, text, NULL);
	else
		doc->broken = true;
}

void lac_check_annotations(struct lac_doc *doc, const struct lac_check *c,
			   enum lac_annotations form)
{
	struct lac_listing *l = lac_doc_listing(doc, "");
	const char *before = "";

	if (form == LAC_ANNOTATE_GITLAB)
		put(doc, l, "[");
	for (uint32_t i = 0; i < c->nfindings; i++) {
		const struct lac_finding *f = &c->findings[i];
		json_t *j;
		char *text;

		if (f->status == LAC_FINDING_HOLDS)
			continue;
		if (form == LAC_ANNOTATE_GITHUB) {
			put(doc, l, github(doc->arena, f));
			continue;
		}
		j = gitlab(doc->arena, f);
		text = j ? json_dumps(j, JSON_COMPACT) : NULL;
		put(doc, l, text ? lac_arena_printf(doc->arena, "%s%s", before,
						    text)
				 : NULL);
		before = ",";
		free(text);
		json_decref(j);
	}
	if (form == LAC_ANNOTATE_GITLAB)
		put(doc, l, "]");
}
