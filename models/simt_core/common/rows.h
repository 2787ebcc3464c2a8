/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_ROWS_H
#define SIMT_CORE_ROWS_H

#include <stdint.h>
#include <stdlib.h>

#define ROWS_ALIGNMENT                                                                                                 \
    64u /* of the host's cache lines and longest vectors: a row of 32 lanes is two, not parts of three */

/* Zeroed memory for rows of lanes, freed with rows_free; NULL without memory. The host gives pages to what is written only: a
 * core that could hold more than a run needs costs nothing for it. */
static inline void *rows_allocate(size_t count, size_t bytes)
{
    char *all = calloc(count * bytes + 2 * ROWS_ALIGNMENT, 1);
    if (!all)
        return NULL;
    char *rows = all + 2 * ROWS_ALIGNMENT - (uintptr_t)all % ROWS_ALIGNMENT; /* at least ROWS_ALIGNMENT in */
    ((void **)(void *)rows)[-1] = all;
    return rows;
}

/* NULL is allowed. */
static inline void rows_free(void *rows)
{
    if (rows)
        free(((void **)rows)[-1]);
}

#endif
