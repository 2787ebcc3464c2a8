/* SPDX-License-Identifier: MIT */
#include "shuffle/register_patterns.h"

#include <criterion/criterion.h>
#include <string.h>

#define LANES 32u
#define ALL UINT64_C(0xFFFFFFFF)

static void fill(uint32_t *values, uint32_t lanes, uint32_t first, uint32_t second, uint32_t stride)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        values[lane] = lane < lanes / 2 ? first + stride * lane : second + stride * (lane - lanes / 2);
}

static uint32_t pattern_of(const uint32_t *values)
{
    return register_compress(values, LANES, ALL).pattern;
}

/* What a second half begins with that goes on where the first ends. */
static uint32_t whole(uint32_t base, uint32_t stride)
{
    return base + stride * (LANES / 2);
}

typedef struct shape {
    enum register_pattern pattern;
    uint32_t first, second, stride;
} shape;

static const shape shapes[] = {{PATTERN_CONSTANT, 77, 77, 0},
                               {PATTERN_STRIDE_1, 1000, 1016, 1},
                               {PATTERN_STRIDE_4, 0x10000, 0x10040, 4},
                               {PATTERN_HALVES_1, 5, 900, 1},
                               {PATTERN_HALVES_4, 5, 900, 4}};
#define SHAPES (sizeof shapes / sizeof *shapes)

Test(register_patterns, each_is_found_and_made_again)
{
    for (size_t i = 0; i < SHAPES; i++) {
        uint32_t values[LANES], again[LANES];
        fill(values, LANES, shapes[i].first, shapes[i].second, shapes[i].stride);
        const compressed_register found = register_compress(values, LANES, ALL);
        cr_assert_eq(found.pattern, shapes[i].pattern);
        cr_expect_eq(found.base[0], shapes[i].first);
        if (found.pattern >= PATTERN_HALVES_1)
            cr_expect_eq(found.base[1], shapes[i].second);
        register_expand(&found, again, LANES);
        cr_expect_arr_eq(values, again, sizeof values);
    }
}

/* One lane is off by one: no pattern, wherever it is. */
Test(register_patterns, a_near_miss_is_a_miss)
{
    for (size_t i = 0; i < SHAPES; i++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            for (uint32_t by = 1; by; by = by == 1 ? UINT32_MAX : 0) {
                uint32_t values[LANES];
                fill(values, LANES, shapes[i].first, shapes[i].second, shapes[i].stride);
                values[lane] += by;
                cr_expect_eq(pattern_of(values), PATTERN_NONE, "pattern %u, lane %u", shapes[i].pattern, lane);
            }
        }
    }
}

Test(register_patterns, other_strides_and_constant_halves_are_none)
{
    uint32_t values[LANES];
    static const uint32_t strides[] = {2, 3, 5, 8, UINT32_MAX};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        fill(values, LANES, 9, whole(9, strides[i]), strides[i]);
        cr_expect_eq(pattern_of(values), PATTERN_NONE, "stride %u", strides[i]);
    }
    fill(values, LANES, 1, 2, 0);
    cr_expect_eq(pattern_of(values), PATTERN_NONE, "a constant in each half");
}

Test(register_patterns, sums_wrap_around)
{
    uint32_t values[LANES], again[LANES];
    fill(values, LANES, UINT32_C(0xFFFFFFF5), whole(UINT32_C(0xFFFFFFF5), 4), 4);
    const compressed_register found = register_compress(values, LANES, ALL);
    cr_expect_eq(found.pattern, PATTERN_STRIDE_4);
    register_expand(&found, again, LANES);
    cr_expect_arr_eq(values, again, sizeof values);
    fill(values, LANES, 3, UINT32_C(0xFFFFFFFE), 1);
    cr_expect_eq(pattern_of(values), PATTERN_HALVES_1);
}

/* A stride goes before halves with it; with one lane, or few, several hold. */
Test(register_patterns, the_first_that_holds_is_taken)
{
    uint32_t values[LANES];
    fill(values, LANES, 40, whole(40, 1), 1);
    cr_expect_eq(pattern_of(values), PATTERN_STRIDE_1);
    cr_expect_eq(register_compress(values, LANES, 1).pattern, PATTERN_CONSTANT);
    cr_expect_eq(register_compress(values, LANES, 3).pattern, PATTERN_STRIDE_1);
    values[1] = values[0] + 4;
    cr_expect_eq(register_compress(values, LANES, 3).pattern, PATTERN_STRIDE_4);
    values[16] = 7; /* one lane of each half: any stride, first that of code 4 */
    cr_expect_eq(register_compress(values, LANES, 1 | 1 << 16).pattern, PATTERN_HALVES_1);
    cr_expect_eq(register_compress(values, LANES, 0).pattern, PATTERN_CONSTANT);
}

/* Lanes that do not exist may have any value; their base is that of those that do. */
Test(register_patterns, only_lanes_that_exist_count)
{
    for (size_t i = 0; i < SHAPES; i++) {
        uint32_t values[LANES], again[LANES];
        const uint64_t exist = UINT64_C(0xFF7EFEFC);
        fill(values, LANES, shapes[i].first, shapes[i].second, shapes[i].stride);
        values[0] = values[1] = values[8] = values[16] = values[23] = 0xBAD;
        const compressed_register found = register_compress(values, LANES, exist);
        cr_assert_eq(found.pattern, shapes[i].pattern);
        cr_expect_eq(found.base[0], shapes[i].first);
        register_expand(&found, again, LANES);
        for (uint32_t lane = 0; lane < LANES; lane++)
            cr_expect(!(exist >> lane & 1) || again[lane] == values[lane], "pattern %zu, lane %u", i, lane);
        cr_expect_eq(register_compress(values, LANES, exist | 1).pattern, PATTERN_NONE);
    }
}

Test(register_patterns, of_warps_of_any_width)
{
    for (uint32_t lanes = 1; lanes <= 64; lanes++) {
        uint32_t values[64], again[64];
        const uint64_t all = lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
        fill(values, lanes, 100, 9000, 4);
        const compressed_register found = register_compress(values, lanes, all);
        cr_expect_eq(found.pattern, lanes == 1 ? PATTERN_CONSTANT : lanes < 4 ? found.pattern : PATTERN_HALVES_4);
        cr_assert_neq(found.pattern, PATTERN_NONE, "%u lanes", lanes);
        register_expand(&found, again, lanes);
        cr_expect_arr_eq(values, again, lanes * sizeof *values);
    }
}
