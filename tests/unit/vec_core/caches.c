/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "vec_caches.h"

static const vec_cache_sizes sizes = {
    .code_bytes = 128, .code_ways = 1, .data_bytes = 128, .data_ways = 2, .second_bytes = 256, .second_ways = 2};
static vec_caches c;

static uint32_t look(uint32_t line, enum vec_found expected)
{
    uint32_t place;
    cr_assert_eq(vec_caches_look(&c, &c.data, line, &place), expected, "line 0x%x", line);
    return place;
}

static void fill(uint32_t line, uint8_t byte)
{
    uint8_t bytes[VEC_LINE_BYTES];
    memset(bytes, byte, sizeof bytes);
    vec_caches_fill(&c, line, bytes);
}

static void open_caches(void)
{
    cr_assert(vec_caches_create(&c, &sizes));
    vec_caches_reset(&c);
}

Test(vec_core, a_line_is_missed_then_coming_then_in_the_second_then_in_the_first)
{
    open_caches();
    look(0x1000, VEC_MISSED);
    look(0x1000, VEC_COMING);
    fill(0x1000, 7);
    look(0x1000, VEC_FOUND_SECOND);
    cr_expect_eq(c.bytes[look(0x1000, VEC_FOUND_FIRST)][63], 7);
    vec_caches_destroy(&c);
}

/* What is fetched does not have the store, which memory gets later: it waits, or the line would be old for good. */
Test(vec_core, a_store_waits_for_its_line_that_is_coming)
{
    const uint8_t bytes[VEC_LINE_BYTES] = {1, 2, 3};
    open_caches();
    cr_expect(vec_caches_store(&c, 0x1000, bytes, 1), "one that is not there goes by");
    look(0x1000, VEC_MISSED);
    cr_expect_not(vec_caches_store(&c, 0x1000, bytes, 5));
    fill(0x1000, 9);
    cr_expect(vec_caches_store(&c, 0x1000, bytes, 5));
    const uint8_t *line = c.bytes[look(0x1000, VEC_FOUND_SECOND)];
    cr_expect(line[0] == 1 && line[1] == 9 && line[2] == 3 && line[3] == 9);
    vec_caches_destroy(&c);
}

Test(vec_core, lines_that_are_coming_keep_their_places_and_those_that_go_leave_both_caches)
{
    uint32_t place;
    open_caches();
    look(0x1000, VEC_MISSED);
    look(0x1080, VEC_MISSED);
    cr_expect_eq(vec_caches_look(&c, &c.data, 0x1100, &place), VEC_MISSED);
    cr_expect_eq(place, CACHE_NO_PLACE, "the set is full of lines that are coming");
    fill(0x1000, 1);
    look(0x1000, VEC_FOUND_SECOND);
    look(0x1100, VEC_MISSED);
    fill(0x1100, 2);
    fill(0x1080, 3);
    look(0x1000, VEC_MISSED);
    vec_caches_destroy(&c);
}
