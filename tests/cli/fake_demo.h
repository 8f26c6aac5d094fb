/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FAKE_DEMO_H
#define FAKE_DEMO_H

#include "cmd.h"

enum lac_status fake_demo(struct lac_run *r, struct lac_err *err);
enum lac_status fake_random(struct lac_run *r, struct lac_err *err);

#endif
