/* SPDX-License-Identifier: MIT */
/* What is put into hash tables. */
#ifndef HASHTABLE_HOST_ENTRIES_H
#define HASHTABLE_HOST_ENTRIES_H

#include "common/host_check.h"

/* Different keys, and random values. */
static inline void draw_entries(uint32_t *keys, uint32_t *values, uint32_t entries, uint64_t random)
{
    const uint32_t first_key = (uint32_t)hd_random(&random);
    for (uint32_t i = 0; i < entries; i++) {
        keys[i] = (first_key + i) * 0x9E3779B1u; /* odd factor: all different */
        values[i] = (uint32_t)hd_random(&random);
    }
}

#endif
