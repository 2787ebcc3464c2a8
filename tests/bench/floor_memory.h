/* SPDX-License-Identifier: MIT */
/* The memory of the floor: the windows of a thread (hd_address.h) as flat arrays. */
#ifndef BENCH_FLOOR_MEMORY_H
#define BENCH_FLOOR_MEMORY_H

#include <stdint.h>

#include "lanes.h"

enum { FLOOR_GLOBAL_BYTES = 1 << 20, FLOOR_SCRATCHPAD_BYTES = 48 << 10, FLOOR_CONSTANT_BYTES = 4096 };

typedef struct floor_memory {
    uint8_t global[FLOOR_GLOBAL_BYTES];
    uint8_t scratchpad[FLOOR_SCRATCHPAD_BYTES];
    uint8_t constant[FLOOR_CONSTANT_BYTES];
} floor_memory;

/* Loads or stores of the lanes in mask. Ends the program at an address that is none. */
void floor_access(floor_memory *memory, const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);

/* Prints and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void floor_fail(const char *format, ...);

#endif
