/* SPDX-License-Identifier: BSD-2-Clause */
/* help.c - what --help prints, from the option tables. */
#include <stdlib.h>
#include <string.h>

#include "options.h"

const struct poptOption lac_group_table[] = { POPT_TABLEEND };

#define PAGE 79
#define TEXT_AT 30

/* text from the column `at` on, where the line already is, wrapped. */
static void put_wrapped(FILE *out, const char *text, size_t at)
{
	size_t room = PAGE - at;

	while (strlen(text) > room) {
		size_t n = room;

		while (n && text[n] != ' ')
			n--;
		n = n ? n : strcspn(text, " ");
		fprintf(out, "%.*s\n%*s", (int)n, text, (int)at, "");
		text += n;
		text += strspn(text, " ");
	}
	fprintf(out, "%s\n", text);
}

static void put_option(FILE *out, const struct poptOption *o)
{
	char left[128];
	int n = 0;

	if (o->shortName)
		n = snprintf(left, sizeof(left), "  -%c", o->shortName);
	else
		n = snprintf(left, sizeof(left), "    ");
	if (o->longName)
		n += snprintf(left + n, sizeof(left) - (size_t)n, "%s--%s",
			      o->shortName ? ", " : "  ", o->longName);
	if (o->argDescrip)
		n += snprintf(left + n, sizeof(left) - (size_t)n, "%s%s",
			      o->longName ? "=" : " ", o->argDescrip);
	fputs(left, out);
	if (n > TEXT_AT - 2)
		fprintf(out, "\n%*s", TEXT_AT, "");
	else
		fprintf(out, "%*s", TEXT_AT - n, "");
	put_wrapped(out, o->descrip ? o->descrip : "", TEXT_AT);
}

static void put_table(FILE *out, const struct poptOption *t)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		bool inner = (t->argInfo & POPT_ARG_MASK) ==
			     POPT_ARG_INCLUDE_TABLE;

		if (inner && t->descrip)
			fprintf(out, "\n%s\n", t->descrip);
		if (inner)
			put_table(out, t->arg);
		else if (!(t->argInfo & POPT_ARGFLAG_DOC_HIDDEN))
			put_option(out, t);
	}
}

/* Then it needs no title of the whole. */
static bool begins_with_title(const struct poptOption *t)
{
	if ((t->argInfo & POPT_ARG_MASK) != POPT_ARG_INCLUDE_TABLE)
		return false;
	return t->descrip || begins_with_title(t->arg);
}

void lac_options_help(const struct lac_cmd *cmd, FILE *out)
{
	fprintf(out, "usage: lacuna %s [OPTIONS]%s%s\n\n%c%s.\n", cmd->name,
		*cmd->args ? " " : "", cmd->args,
		cmd->summary[0] >= 'a' && cmd->summary[0] <= 'z'
			? cmd->summary[0] - 'a' + 'A'
			: cmd->summary[0],
		cmd->summary + 1);
	if (cmd->options) {
		if (!begins_with_title(cmd->options))
			fputs("\noptions:\n", out);
		put_table(out, cmd->options);
	}
	fputs("\noptions of every command:\n", out);
	put_table(out, lac_global_options);
	if (cmd->help)
		fputc('\n', out);
	for (const char *s = cmd->help; s && *s;) {
		size_t n = strcspn(s, "\n");
		char *line = strndup(s, n);

		put_wrapped(out, line ? line : "", 0);
		free(line);
		s += n + (s[n] == '\n');
	}
}

void lac_options_formats(FILE *out)
{
	for (size_t i = 0; lac_renderers[i]; i++) {
		fprintf(out, "  %-12s", lac_renderers[i]->name);
		put_wrapped(out, lac_renderers[i]->summary, 14);
	}
}

static void list_options(const char *cmd, const struct poptOption *t, FILE *out)
{
	for (; t && (t->longName || t->shortName || t->arg); t++) {
		if ((t->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
			list_options(cmd, t->arg, out);
			continue;
		}
		if (t->argInfo & POPT_ARGFLAG_DOC_HIDDEN)
			continue;
		fprintf(out, "%s\t", cmd);
		if (t->shortName)
			fprintf(out, "-%c", t->shortName);
		fprintf(out, "\t%s%s\t%s\t%s\t%s\n",
			t->longName ? "--" : "",
			t->longName ? t->longName : "",
			t->argDescrip ? t->argDescrip : "",
			t->descrip ? t->descrip : "",
			lac_option_values(cmd, t->longName));
	}
}

void lac_options_list(const struct lac_cmd *cmd, FILE *out)
{
	fprintf(out, "%s\t\t\t%s\t%s\n", cmd->name, cmd->args, cmd->summary);
	list_options(cmd->name, cmd->options, out);
	list_options(cmd->name, lac_global_options, out);
}
