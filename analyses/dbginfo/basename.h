/* SPDX-License-Identifier: BSD-2-Clause */
/* basename.h - one spelling for C's integer types. */
#ifndef LAC_BASENAME_H
#define LAC_BASENAME_H

#define LAC_BASE_NAME_MAX 32

/*
 * gcc says "long unsigned int" where clang says "unsigned long": the former
 * for both, written to buf; any other name as it is.  NULL stays NULL.
 */
const char *lac_base_name(const char *name, char buf[LAC_BASE_NAME_MAX]);

#endif
