/* SPDX-License-Identifier: MIT */
#include "timing_wheel.h"

#include <criterion/criterion.h>

static timing_wheel wheel;

static void add(uint64_t cycle, uint32_t path)
{
    wheel_add(&wheel, cycle, &(wheel_event){.path = path});
}

Test(timing_wheel, gives_events_back_at_their_cycle_in_order_of_adding)
{
    wheel_event event;
    cr_assert_eq(wheel_create(&wheel, 8), 0);
    add(7, 1);
    add(5, 2);
    add(7, 3);
    cr_expect_eq(wheel_next(&wheel, 0), 5);
    cr_expect(!wheel_take(&wheel, 6, &event));
    cr_expect(wheel_take(&wheel, 5, &event) && event.path == 2);
    cr_expect_eq(wheel_next(&wheel, 5), 7);
    cr_expect(wheel_take(&wheel, 7, &event) && event.path == 1);
    cr_expect(wheel_take(&wheel, 7, &event) && event.path == 3);
    cr_expect(!wheel_take(&wheel, 7, &event));
    cr_expect_eq(wheel_next(&wheel, 7), UINT64_MAX);
    wheel_destroy(&wheel);
}

Test(timing_wheel, finds_the_next_cycle_all_around)
{
    wheel_event event;
    cr_assert_eq(wheel_create(&wheel, 2), 0);
    for (uint64_t now = 0; now < 3 * WHEEL_CYCLES; now += 97) {
        for (uint64_t ahead = 1; ahead < WHEEL_CYCLES; ahead += 13) {
            add(now + ahead, 1);
            cr_assert_eq(wheel_next(&wheel, now), now + ahead);
            cr_assert(wheel_take(&wheel, now + ahead, &event));
        }
    }
    wheel_destroy(&wheel);
}

Test(timing_wheel, forgets_everything_at_reset)
{
    wheel_event event;
    cr_assert_eq(wheel_create(&wheel, 2), 0);
    add(3, 1);
    add(4, 2);
    wheel_reset(&wheel);
    cr_expect_eq(wheel_next(&wheel, 0), UINT64_MAX);
    add(3, 3);
    add(3, 4);
    cr_expect(wheel_take(&wheel, 3, &event) && event.path == 3);
    cr_expect(wheel_take(&wheel, 3, &event) && event.path == 4);
    wheel_destroy(&wheel);
}
