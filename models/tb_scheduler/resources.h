/* SPDX-License-Identifier: MIT */
/*
 * What a thread block takes of a core. Threads share a warp only with threads of their own block, so registers are
 * taken for whole warps.
 */
#ifndef TB_SCHEDULER_RESOURCES_H
#define TB_SCHEDULER_RESOURCES_H

#include <stdint.h>

#include "hd_message.h"

enum {
    RESOURCE_BLOCKS,
    RESOURCE_THREADS,
    RESOURCE_WARPS,
    RESOURCE_REGISTERS,
    RESOURCE_SCRATCHPAD,
    RESOURCE_COUNT,
};

extern const char *const resource_names[RESOURCE_COUNT]; /* "bytes of scratchpad" */

typedef struct resources {
    uint64_t amount[RESOURCE_COUNT];
} resources;

/* All of a core. */
resources resources_of_core(const hd_core_capacity *capacity);
/* Of one block of the grid on such a core; whether it has transactions on the scratchpad. Products beyond 64 bits saturate. */
resources resources_of_block(const hd_grid *grid, uint32_t has_transactions, const hd_core_capacity *capacity);
/* Physical bytes of private memory of one block; saturates. */
uint64_t resources_private_bytes(const hd_grid *grid, const hd_core_capacity *capacity);

/* Architectural bytes of one block: its registers, and the scratchpad that it asks for (Beaumont 2019 §3.4.1). Saturates. */
uint64_t resources_context_bytes(const hd_grid *grid, const hd_core_capacity *capacity);

/* The first resource of which `need` exceeds `available`, or RESOURCE_COUNT. */
uint32_t resources_lacking(const resources *available, const resources *need);
void resources_take(resources *available, const resources *need);
void resources_give(resources *available, const resources *need);

#endif
