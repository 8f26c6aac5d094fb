/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - from the command line to the exit status.  What a command has to
 * say is rendered in memory first and leaves in one piece: standard output
 * stays empty when anything fails.
 */
#include <ctype.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands.h"
#include "frame.h"
#include "options.h"
#include "output.h"
#include "quit.h"

/* A message may quote a file: it goes out without control characters. */
static void complain(const char *cmd, const struct lac_err *err)
{
	char line[sizeof(err->msg) + 64];

	snprintf(line, sizeof(line), "lacuna%s%s: %s", cmd ? " " : "",
		 cmd ? cmd : "", err->msg);
	for (char *s = line; *s; s++)
		if (iscntrl((unsigned char)*s))
			*s = *s == '\n' ? ' ' : '?';
	fprintf(stderr, "%s\n", line);
}

static enum lac_exit exit_status(enum lac_status st, enum lac_exit verdict)
{
	if (st == LAC_OK)
		return verdict;
	return st == LAC_USAGE ? LAC_EXIT_USAGE : LAC_EXIT_FAILED;
}

static void overview(FILE *out)
{
	fputs("usage: lacuna COMMAND [OPTIONS] [ARGUMENTS]\n"
	      "       lacuna help [COMMAND]\n"
	      "       lacuna --version\n\n"
	      "What a struct layout costs: read from debug information, "
	      "measured, explained.\n\ncommands:\n",
	      out);
	for (size_t i = 0; lac_cmds[i]; i++)
		fprintf(out, "  %-10s  %s\n", lac_cmds[i]->name,
			lac_cmds[i]->summary);
	fputs("  help        this list, or the options of a command\n\n"
	      "formats of -o:\n",
	      out);
	lac_options_formats(out);
	fputs("\nexit status: 0 fine; 1 done, and something was found; 2 usage; "
	      "3 could not do it\n",
	      out);
}

static enum lac_status find_command(const char *name,
				    const struct lac_cmd **ret,
				    struct lac_err *err)
{
	const char *names[64], *near;
	size_t n = 0;

	for (; n < 63 && lac_cmds[n]; n++) {
		names[n] = lac_cmds[n]->name;
		if (!strcmp(names[n], name)) {
			*ret = lac_cmds[n];
			return LAC_OK;
		}
	}
	names[n++] = "help";
	if (name[0] == '-')
		return lac_fail(err, LAC_USAGE,
				"unknown option %s; options of a command "
				"follow its name",
				name);
	near = lac_options_nearest(name, names, n);
	return lac_fail(err, LAC_USAGE, "unknown command '%s'%s%s%s", name,
			near ? "; did you mean '" : "", near ? near : "",
			near ? "'?" : "; 'lacuna help' lists them");
}

enum what { VERSION, OVERVIEW, HELP, LIST };

static void print(enum what what, const struct lac_cmd *cmd, FILE *out)
{
	switch (what) {
	case VERSION:
		fprintf(out, "lacuna %s\n", LAC_VERSION);
		break;
	case OVERVIEW:
		overview(out);
		break;
	case HELP:
		lac_options_help(cmd, out);
		break;
	case LIST:
		for (size_t i = 0; lac_cmds[i]; i++)
			if (!cmd || cmd == lac_cmds[i])
				lac_options_list(lac_cmds[i], out);
		break;
	}
}

/* What does not come from a command goes out in the same way. */
static enum lac_status say(enum what what, const struct lac_cmd *cmd,
			   bool *quiet, struct lac_err *err)
{
	struct lac_output to = LAC_OUTPUT_NONE;
	enum lac_status st = LAC_OK;
	FILE *text = NULL;
	int fd;

	LAC_TRY(lac_output_open(NULL, &to, err));
	fd = memfd_create("lacuna", MFD_CLOEXEC);
	if (fd >= 0)
		text = fdopen(fd, "w+");
	if (text)
		print(what, cmd, text);
	if (!text || fflush(text) || ferror(text))
		st = lac_fail_os(err, "memory for the text");
	if (st == LAC_OK)
		st = lac_output_commit(&to, fd, quiet, err);
	lac_output_abandon(&to);
	if (text)
		fclose(text);
	else if (fd >= 0)
		close(fd);
	return st;
}

static enum lac_exit version(int argc, char **argv, bool *quiet,
			     struct lac_err *err)
{
	enum lac_status st;

	if (argc > 2)
		st = lac_fail(err, LAC_USAGE, "--version stands alone: '%s'",
			      argv[2]);
	else
		st = say(VERSION, NULL, quiet, err);
	if (st != LAC_OK && !*quiet)
		complain(NULL, err);
	return exit_status(st, LAC_EXIT_OK);
}

static enum lac_status run_command(const struct lac_cmd *cmd, int argc,
				   const char **argv, enum lac_exit *verdict,
				   bool *quiet, struct lac_err *err)
{
	struct lac_globals g = { 0 };
	struct lac_run r = { 0 };
	struct lac_output out = LAC_OUTPUT_NONE;
	poptContext context = NULL;
	int fd = -1;
	enum lac_status st = lac_options_parse(cmd, argc, argv, &g, &r,
					       &context, err);

	if (st == LAC_OK && g.help) {
		st = say(HELP, cmd, quiet, err);
	} else if (st == LAC_OK) {
		st = lac_output_open(g.output, &out, err);
		if (st == LAC_OK)
			st = lac_frame_run(cmd, &r, &g, out.fd, &fd, err);
		if (st == LAC_OK)
			st = lac_output_commit(&out, fd, quiet, err);
		lac_output_abandon(&out);
		*verdict = r.verdict;
	}
	if (fd >= 0)
		close(fd);
	poptFreeContext(context);
	return st;
}

/* lacuna help [--list] [COMMAND] */
static enum lac_exit help_on(int argc, char **argv, bool *quiet,
			     struct lac_err *err)
{
	bool list = argc > 2 && !strcmp(argv[2], "--list");
	const struct lac_cmd *cmd = NULL;
	enum lac_status st = LAC_OK;
	int at = list ? 3 : 2;

	if (argc > at + 1)
		st = lac_fail(err, LAC_USAGE, "help: too many arguments: '%s'",
			      argv[at + 1]);
	else if (argc > at)
		st = find_command(argv[at], &cmd, err);
	if (st == LAC_OK)
		st = say(list ? LIST : cmd ? HELP : OVERVIEW, cmd, quiet, err);
	if (st != LAC_OK && !*quiet)
		complain(NULL, err);
	return exit_status(st, LAC_EXIT_OK);
}

int main(int argc, char **argv)
{
	const struct lac_cmd *cmd = NULL;
	enum lac_exit verdict = LAC_EXIT_OK;
	struct lac_err err = { 0 };
	bool quiet = false;
	enum lac_status st;

	lac_output_guard();
	signal(SIGXFSZ, SIG_IGN); /* a write fails instead, and is reported */
	setlocale(LC_CTYPE, ""); /* numbers stay as they are everywhere */
	if (argc < 2) {
		overview(stderr);
		return LAC_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "-h"))
		return (int)help_on(argc, argv, &quiet, &err);
	if (!strcmp(argv[1], "--version"))
		return (int)version(argc, argv, &quiet, &err);
	lac_output_on_signals();
	st = find_command(argv[1], &cmd, &err);
	if (st == LAC_OK)
		st = run_command(cmd, argc - 1, (const char **)argv + 1,
				 &verdict, &quiet, &err);
	if (st != LAC_OK && !quiet) {
		complain(cmd ? cmd->name : NULL, &err);
		if (st == LAC_USAGE && cmd)
			fprintf(stderr, "'lacuna help %s' shows the options\n",
				cmd->name);
	}
	lac_quit((int)exit_status(st, verdict));
}
