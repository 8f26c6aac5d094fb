/* SPDX-License-Identifier: BSD-2-Clause */
#define SLAB_DEBUG
#define SLAB_ERA 612
#define SLAB_PACKED 1
#define SLAB_LOCKED 0
#include "slab_suite.h"
