/* SPDX-License-Identifier: BSD-2-Clause */
/* json_number.h - numbers of the data that may be unknown: null, never 0. */
#ifndef LAC_JSON_NUMBER_H
#define LAC_JSON_NUMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes or bits; null for LAC_SIZE_UNKNOWN and what JSON cannot hold. */
json_t *lac_json_size(uint64_t v);

/* Its value; in decimal, as a string, above what an integer of JSON holds. */
json_t *lac_json_enumerator(int64_t value, bool is_signed);

/* A real; null for what is not finite. */
json_t *lac_json_real(double v);

#endif
