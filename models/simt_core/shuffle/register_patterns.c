/* SPDX-License-Identifier: MIT */
#include "register_patterns.h"

static const struct {
    uint32_t stride, halves;
} patterns[PATTERN_COUNT] = {
    [PATTERN_CONSTANT] = {0, 0}, [PATTERN_STRIDE_1] = {1, 0}, [PATTERN_STRIDE_4] = {4, 0},
    [PATTERN_HALVES_1] = {1, 1}, [PATTERN_HALVES_4] = {4, 1},
};

/* Lanes from `first` on, below `end`, are base + stride * (lane - first)? *base: by the first of them that exists. */
static uint32_t holds(const uint32_t *values, uint32_t first, uint32_t end, uint64_t exist, uint32_t stride,
                      uint32_t *base)
{
    uint32_t found = 0;
    for (uint32_t lane = first; lane < end; lane++) {
        const uint32_t own = values[lane] - stride * (lane - first);
        if (!(exist >> lane & 1))
            continue;
        if (found && own != *base)
            return 0;
        *base = own;
        found = 1;
    }
    return 1;
}

compressed_register register_compress(const uint32_t *values, uint32_t lanes, uint64_t exist)
{
    for (uint32_t pattern = PATTERN_CONSTANT; pattern < PATTERN_COUNT; pattern++) {
        const uint32_t stride = patterns[pattern].stride, halves = patterns[pattern].halves;
        const uint32_t middle = halves ? lanes / 2 : lanes;
        compressed_register found = {.pattern = pattern};
        if (holds(values, 0, middle, exist, stride, &found.base[0]) &&
            holds(values, middle, lanes, exist, stride, &found.base[1]))
            return found;
    }
    return (compressed_register){.pattern = PATTERN_NONE};
}

void register_expand(const compressed_register *compressed, uint32_t *values, uint32_t lanes)
{
    const uint32_t stride = patterns[compressed->pattern].stride, halves = patterns[compressed->pattern].halves;
    const uint32_t middle = halves ? lanes / 2 : lanes;
    for (uint32_t lane = 0; lane < lanes; lane++)
        values[lane] =
            lane < middle ? compressed->base[0] + stride * lane : compressed->base[1] + stride * (lane - middle);
}
