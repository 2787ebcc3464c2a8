/* SPDX-License-Identifier: MIT */
/* A ring beside a queue that is a plain list. */
#include <criterion/criterion.h>

#include "hd_ring.h"

#define ITEMS_MAX 200u

static void expect_same_order(uint32_t capacity)
{
    uint32_t items[ITEMS_MAX], taken = 0, put = 0, at_once = 0;
    hd_ring ring = {.capacity = capacity};
    for (uint32_t step = 0; taken < 3 * capacity; step++) {
        const uint32_t puts = step * 7 % 5, takes = step * 3 % 4;
        for (uint32_t i = 0; i < puts && ring.count < capacity; i++)
            items[hd_ring_push(&ring)] = put++;
        at_once = ring.count > at_once ? ring.count : at_once;
        for (uint32_t i = 0; i < ring.count; i++)
            cr_assert_eq(items[hd_ring_place(&ring, i)], taken + i, "item %u of %u places", i, capacity);
        for (uint32_t i = 0; i < takes && ring.count; i++)
            cr_assert_eq(items[hd_ring_pop(&ring)], taken++, "%u places", capacity);
        cr_assert_eq(ring.count, put - taken);
        cr_assert_lt(ring.first, capacity);
    }
    cr_expect_eq(at_once, capacity, "the ring has been full");
}

Test(ring, items_leave_in_the_order_in_which_they_came)
{
    static const uint32_t capacities[] = {1, 2, 3, 7, 8};
    for (uint32_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
        expect_same_order(capacities[i]);
}

Test(ring, an_item_taken_stays_until_its_place_is_used_again)
{
    uint32_t items[2];
    hd_ring ring = {.capacity = 2};
    items[hd_ring_push(&ring)] = 5;
    const uint32_t *oldest = &items[hd_ring_pop(&ring)];
    cr_expect_eq(*oldest, 5);
    cr_expect_eq(ring.count, 0);
    items[hd_ring_push(&ring)] = 6;
    cr_expect_eq(*oldest, 5);
    items[hd_ring_push(&ring)] = 7;
    cr_expect_eq(*oldest, 7);
}

Test(ring, begins_at_the_first_place_once_it_is_cleared)
{
    hd_ring ring = {.capacity = 3};
    hd_ring_push(&ring);
    hd_ring_push(&ring);
    hd_ring_pop(&ring);
    hd_ring_clear(&ring);
    cr_expect_eq(ring.count, 0);
    cr_expect_eq(hd_ring_push(&ring), 0);
    cr_expect_eq(ring.capacity, 3);
}
