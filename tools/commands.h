/* SPDX-License-Identifier: BSD-2-Clause */
/* commands.h - the subcommands; one line each here and in commands.c. */
#ifndef LAC_COMMANDS_H
#define LAC_COMMANDS_H

#include "cmd.h"

extern const struct lac_cmd lac_cmd_show;
extern const struct lac_cmd lac_cmd_list;
extern const struct lac_cmd lac_cmd_page;
extern const struct lac_cmd lac_cmd_verify;
extern const struct lac_cmd lac_cmd_diff;
extern const struct lac_cmd lac_cmd_check;
extern const struct lac_cmd lac_cmd_bench;
extern const struct lac_cmd lac_cmd_correlate;
extern const struct lac_cmd lac_cmd_trace;
extern const struct lac_cmd lac_cmd_perfstat;
extern const struct lac_cmd lac_cmd_report;

#endif
