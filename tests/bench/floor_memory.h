/* SPDX-License-Identifier: MIT */
/* The memory of the floor: the windows of a thread (hd_address.h) as flat arrays. */
#ifndef BENCH_FLOOR_MEMORY_H
#define BENCH_FLOOR_MEMORY_H

#include <stdint.h>

#include "lanes.h"

enum {
    FLOOR_LANES = 32,
    FLOOR_GLOBAL_BYTES = 64 << 20,
    FLOOR_SCRATCHPAD_BYTES = 48 << 10,
    FLOOR_CONSTANT_BYTES = 4096,
    FLOOR_PRIVATE_BYTES = 8 << 20
};

/* Scratchpad and private memory are those of the block that runs. */
typedef struct floor_memory {
    uint8_t global[FLOOR_GLOBAL_BYTES];
    uint8_t scratchpad[FLOOR_SCRATCHPAD_BYTES];
    uint8_t constant[FLOOR_CONSTANT_BYTES];
    uint8_t private[FLOOR_PRIVATE_BYTES];
    uint32_t private_bytes; /* of a thread */
} floor_memory;

/* Load, store or atomic of the lanes in mask, in ascending order; warp: its number in its block. Ends the program at an
 * address that is none. */
void floor_access(floor_memory *memory, const isa_instruction *instruction, uint32_t warp, isa_lanes *lanes,
                  uint64_t mask);

/* bytes of the global window, as the host sees them; NULL: there is no such memory. */
uint8_t *floor_global(floor_memory *memory, uint64_t address, uint64_t bytes);

/* Prints and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void floor_fail(const char *format, ...);

#endif
