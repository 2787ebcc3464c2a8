/* SPDX-License-Identifier: MIT */
#include "timing_wheel.h"

#include <criterion/criterion.h>

static timing_wheel wheel;

static void add(uint64_t cycle, uint32_t path)
{
    wheel_add(&wheel, cycle, &(wheel_event){.path = path});
}

static void expect(uint64_t cycle, uint32_t path)
{
    cr_assert_eq(wheel.next, cycle);
    cr_expect_eq(wheel_take(&wheel)->path, path);
}

Test(timing_wheel, gives_events_back_at_their_cycle_in_order_of_adding)
{
    cr_assert_eq(wheel_create(&wheel, 8), 0);
    add(7, 1);
    add(5, 2);
    add(7, 3);
    expect(5, 2);
    expect(7, 1);
    expect(7, 3);
    cr_expect_eq(wheel.next, UINT64_MAX);
    wheel_destroy(&wheel);
}

Test(timing_wheel, finds_the_next_cycle_all_around)
{
    cr_assert_eq(wheel_create(&wheel, 3), 0);
    for (uint64_t now = 0; now < 3 * WHEEL_CYCLES; now += 97) {
        for (uint64_t ahead = 2; ahead < WHEEL_CYCLES; ahead += 13) {
            add(now + ahead, 1);
            add(now + 1, 2);
            expect(now + 1, 2);
            expect(now + ahead, 1);
        }
    }
    wheel_destroy(&wheel);
}

Test(timing_wheel, forgets_everything_at_reset)
{
    cr_assert_eq(wheel_create(&wheel, 2), 0);
    add(3, 1);
    add(4, 2);
    wheel_reset(&wheel);
    cr_expect_eq(wheel.next, UINT64_MAX);
    add(3, 3);
    add(3, 4);
    expect(3, 3);
    expect(3, 4);
    wheel_destroy(&wheel);
}
