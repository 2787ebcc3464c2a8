/* SPDX-License-Identifier: MIT */
/*
 * Patterns of the values that a register has in the lanes of a warp, of which one or two numbers and a code are enough to make them
 * again (Beaumont 2019 §4.4.1). Sums are modulo 2^32. The first pattern that holds, in this order, is taken.
 */
#ifndef SIMT_CORE_REGISTER_PATTERNS_H
#define SIMT_CORE_REGISTER_PATTERNS_H

#include <stdint.h>

/* With w lanes, of which w / 2 are the first half. */
enum register_pattern {
    PATTERN_NONE,
    PATTERN_CONSTANT,
    PATTERN_STRIDE_1,
    PATTERN_STRIDE_4,
    PATTERN_HALVES_1, /* stride 1 in each half, by itself */
    PATTERN_HALVES_4,
    PATTERN_COUNT
};

#define PATTERN_BYTES 8u /* two bases; the code is apart */
#define PATTERN_BITS 3u  /* of a code */

typedef struct compressed_register {
    uint32_t pattern;
    uint32_t base[2]; /* of lane 0, and of the first lane of the second half */
} compressed_register;

/* values: [lanes], 1 to 64 of them. Those that do not exist may have any value. */
compressed_register register_compress(const uint32_t *values, uint32_t lanes, uint64_t exist);
/* Of a pattern other than NONE: writes all lanes. */
void register_expand(const compressed_register *compressed, uint32_t *values, uint32_t lanes);

#endif
