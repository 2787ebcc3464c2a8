/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_ROWS_H
#define SIMT_CORE_ROWS_H

#include <stdlib.h>
#include <string.h>

#define ROWS_ALIGNMENT                                                                                                 \
    64u /* of the host's cache lines and longest vectors: a row of 32 lanes is two, not parts of three */

/* Zeroed memory for rows of lanes, freed with free; NULL without memory. */
static inline void *rows_allocate(size_t count, size_t bytes)
{
    const size_t size = (count * bytes + ROWS_ALIGNMENT - 1) / ROWS_ALIGNMENT * ROWS_ALIGNMENT;
    void *rows = aligned_alloc(ROWS_ALIGNMENT, size);
    return rows ? memset(rows, 0, size) : NULL;
}

#endif
