/* SPDX-License-Identifier: MIT */
/* The window with loads whose ends are not known when they enter. */
#include <criterion/criterion.h>

#include "kit_random.h"
#include "vec_window.h"

static vec_window w, other;

static void open_windows(uint32_t width, uint32_t size)
{
    w = (vec_window){.width = width, .depth = 6, .size = size, .ports = 1};
    vec_window_reset(&w, 0);
    other = w;
}

static uint64_t add(vec_window *to, uint64_t reads, uint64_t writes, vec_cost cost)
{
    return vec_window_add(to, &(vec_dependencies){.reads = reads, .writes = writes}, &cost);
}

static const vec_cost arithmetic = {.latency = 1}, far_load = {.lines = 1, .is_pending = 1};

static uint32_t next_begun(void)
{
    uint32_t place = UINT32_MAX;
    cr_expect(vec_window_next_begun(&w, &place));
    return place;
}

static void expect_none_begins(void)
{
    uint32_t place;
    cr_expect_not(vec_window_next_begun(&w, &place));
}

Test(vec_pending, others_enter_and_end_meanwhile)
{
    open_windows(4, 128);
    cr_expect_eq(add(&w, 0, 1u << 5, far_load), VEC_UNKNOWN);
    const uint32_t load = next_begun();
    cr_expect_eq(add(&w, 0, 1u << 6, arithmetic), 7);
    cr_expect_eq(add(&w, 1u << 6, 1u << 7, arithmetic), 8);
    cr_expect_eq(add(&w, 1u << 5, 1u << 8, arithmetic), VEC_UNKNOWN, "what needs it does not");
    cr_expect_eq(add(&w, 1u << 8, 1u << 9, arithmetic), VEC_UNKNOWN, "nor what needs that");
    cr_expect_eq(add(&w, 0, 1u << 5, arithmetic), 8, "another value of its register");
    cr_expect_eq(add(&w, 1u << 5, 1u << 10, arithmetic), 9);
    cr_expect_not(vec_window_is_settled(&w));
    vec_window_answer(&w, load, 4, 200);
    cr_expect(vec_window_is_settled(&w));
    cr_expect_eq(add(&w, 1u << 9, 0, arithmetic), 203);
    cr_expect_eq(add(&w, 1u << 5, 0, arithmetic), 9, "which its end does not change");
    cr_expect_eq(w.retirement, 203);
}

/* A load that needs the result of another one begins when that is there, one that needs none at once. */
Test(vec_pending, a_load_begins_when_its_operands_are_there)
{
    open_windows(4, 128);
    add(&w, 0, 1u << 5, far_load);
    const uint32_t first = next_begun();
    add(&w, 1u << 5, 1u << 5, far_load);
    expect_none_begins();
    add(&w, 0, 1u << 6, far_load);
    const uint32_t third = next_begun();
    cr_expect_neq(first, third);
    vec_window_answer(&w, third, 4, 100);
    expect_none_begins();
    vec_window_answer(&w, first, 4, 150);
    const uint32_t second = next_begun();
    vec_window_answer(&w, second, 4, 0);
    expect_none_begins();
    cr_expect_eq(w.retirement, 154, "a hit, of which nothing was known before");
}

Test(vec_pending, a_full_window_says_that_nobody_knows)
{
    open_windows(4, 8);
    add(&w, 0, 1u << 5, far_load);
    const uint32_t load = next_begun();
    for (uint32_t i = 0; i < 7; i++) {
        cr_expect_neq(vec_window_entry(&w), VEC_UNKNOWN);
        add(&w, 0, 0, arithmetic);
    }
    cr_expect_eq(vec_window_entry(&w), VEC_UNKNOWN);
    vec_window_answer(&w, load, 4, 300);
    cr_expect_eq(vec_window_entry(&w), 300);
}

Test(vec_pending, a_branch_that_was_mispredicted_holds_what_is_behind_it)
{
    open_windows(4, 128);
    add(&w, 0, 1u << 5, far_load);
    const uint32_t load = next_begun();
    vec_window_hold_behind(&w, add(&w, 1u << 5, 0, arithmetic));
    cr_expect_eq(vec_window_entry(&w), VEC_UNKNOWN);
    vec_window_answer(&w, load, 4, 100);
    cr_expect_eq(vec_window_entry(&w), 102);
}

/* The same instructions with ends that are known, and with such that are told later, in any order: the same times. */
static void answer_one(const uint64_t *untils, uint64_t *seed, uint32_t *places, uint32_t *count)
{
    for (uint32_t place; vec_window_next_begun(&w, &place);)
        places[(*count)++] = place;
    cr_assert_gt(*count, 0);
    const uint32_t i = (uint32_t)(kit_random(seed) % *count), place = places[i];
    places[i] = places[--*count];
    vec_window_answer(&w, place, 3, untils[place]);
}

static void compare(uint64_t seed)
{
    static uint64_t untils[VEC_WINDOW_MAX];
    static uint32_t places[VEC_WINDOW_MAX];
    uint32_t count = 0;
    open_windows(1 + (uint32_t)(kit_random(&seed) % 4), 8 + (uint32_t)(kit_random(&seed) % 100));
    for (uint32_t i = 0; i < 2000; i++) {
        const uint64_t reads = UINT64_C(2) << kit_random(&seed) % 12 | UINT64_C(2) << kit_random(&seed) % 12;
        const uint64_t writes = UINT64_C(2) << kit_random(&seed) % 12;
        const uint32_t is_load = kit_random(&seed) % 4 == 0;
        while (vec_window_entry(&w) == VEC_UNKNOWN || (!vec_window_is_settled(&w) && kit_random(&seed) % 8 == 0))
            answer_one(untils, &seed, places, &count);
        cr_assert_eq(vec_window_entry(&w), vec_window_entry(&other), "instruction %u", i);
        const uint64_t until = vec_window_entry(&w) + kit_random(&seed) % 200;
        untils[w.next] = until;
        const uint64_t told = add(&w, reads, writes, is_load ? (vec_cost){.is_pending = 1} : arithmetic);
        const uint64_t end =
            add(&other, reads, writes, (vec_cost){.latency = is_load ? 3 : 1, .until = is_load ? until : 0});
        if (kit_random(&seed) % 20)
            continue;
        vec_window_hold_behind(&other, end);
        vec_window_hold_behind(&w, told);
    }
    while (!vec_window_is_settled(&w))
        answer_one(untils, &seed, places, &count);
    cr_expect_eq(w.retirement, other.retirement);
}

Test(vec_pending, when_an_end_is_told_changes_no_time)
{
    for (uint64_t seed = 1; seed <= 300; seed++)
        compare(seed);
}
