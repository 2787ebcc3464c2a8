/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_ROWS_H
#define SIMT_CORE_ROWS_H

#include <stdint.h>
#include <stdlib.h>

#define ROWS_ALIGNMENT                                                                                                 \
    64u /* of the host's cache lines and longest vectors: a row of 32 lanes is two, not parts of three */
#ifdef __SANITIZE_ADDRESS__
#define ROWS_FRESH 0u /* exactly what is asked for, so that it is seen if somebody goes beyond */
#else
#define ROWS_FRESH (UINT64_C(256) << 10) /* the C library takes as much from the host anew, which has zeroed it */
#endif
#define ROWS_SMALL (UINT64_C(8) << 10) /* so little is as well zeroed as not */

/* Zeroed memory for rows of lanes, or for any table that a run may use little of; freed with rows_free; NULL without memory. The host gives
 * pages to what is written only: a core that could hold more than a run needs costs nothing for it. What is not asked for is never
 * written. */
static inline void *rows_allocate(size_t count, size_t bytes)
{
    const size_t asked = count * bytes + 2 * ROWS_ALIGNMENT;
    char *all = calloc(asked > ROWS_SMALL && asked < ROWS_FRESH ? ROWS_FRESH : asked, 1);
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
