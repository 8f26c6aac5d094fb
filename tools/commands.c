/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands.h"

#include <stddef.h>

const struct lac_cmd *const lac_cmds[] = {
	NULL,
};
