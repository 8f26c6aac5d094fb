/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands.h"

#include <stddef.h>

const struct lac_cmd *const lac_cmds[] = {
	&lac_cmd_show,
	&lac_cmd_list,
	&lac_cmd_page,
	&lac_cmd_verify,
	&lac_cmd_diff,
	&lac_cmd_check,
	&lac_cmd_bench,
	&lac_cmd_correlate,
	&lac_cmd_trace,
	&lac_cmd_perfstat,
	&lac_cmd_report,
	NULL,
};
