/* SPDX-License-Identifier: MIT */
/* MSHRs: limits, order, and a random run against a list. */
#include "cache_mshrs.h"

#include <criterion/criterion.h>
#include <stddef.h>

#include "kit_random.h"

enum { COUNT = 5, TARGETS = 3, TAGS = 12, STEPS = 20000 };

Test(cache_mshrs, are_as_many_as_was_said)
{
    cache_mshrs m;
    cr_assert_eq(cache_mshrs_create(&m, COUNT, TARGETS), 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_expect_not(cache_mshrs_is_full(&m));
        cr_expect_eq(m.in_use, i);
        cr_expect_eq(cache_mshrs_find(&m, 128 * i), CACHE_NO_MSHR);
        cr_expect_eq(cache_mshrs_find(&m, 128 * i), CACHE_NO_MSHR);
        cr_expect_eq(cache_mshrs_take(&m, 128 * i), i, "in order after reset");
    }
    cr_expect(cache_mshrs_is_full(&m));
    cache_mshrs_release(&m, 3);
    cache_mshrs_release(&m, 1);
    cr_expect_eq(cache_mshrs_take(&m, 7), 1, "the latest to be free is the first to be taken");
    cr_expect_eq(cache_mshrs_take(&m, 8), 3);
    cache_mshrs_reset(&m);
    cr_expect_eq(m.in_use, 0);
    cr_expect_eq(cache_mshrs_find(&m, 7), CACHE_NO_MSHR);
    cr_expect_eq(cache_mshrs_take(&m, 9), 0);
    cache_mshrs_destroy(&m);
}

Test(cache_mshrs, have_room_for_so_many_targets_in_order)
{
    cache_mshrs m;
    uint32_t items[COUNT * TARGETS] = {0};
    cr_assert_eq(cache_mshrs_create(&m, COUNT, TARGETS), 0);
    cache_mshrs_take(&m, 128);
    const uint32_t number = cache_mshrs_take(&m, 256);
    for (uint32_t i = 0; i < TARGETS; i++) {
        cr_expect(cache_mshrs_can_wait(&m, number));
        items[cache_mshrs_push(&m, number)] = i;
    }
    cr_expect_not(cache_mshrs_can_wait(&m, number));
    cr_expect(cache_mshrs_can_wait(&m, 0), "the room of another is its own");
    for (uint32_t i = 0; i < 20; i++) { /* round and round */
        cr_expect_eq(items[cache_mshrs_target(&m, number, 1)], i + 1);
        cr_expect_eq(items[cache_mshrs_pop(&m, number)], i);
        items[cache_mshrs_push(&m, number)] = i + TARGETS;
    }
    const uint32_t waiting = cache_mshrs_waiting(&m, number);
    cache_mshrs_release(&m, number);
    cr_expect_eq(waiting, TARGETS);
    for (uint32_t i = 0; i < waiting; i++)
        cr_expect_eq(items[cache_mshrs_target(&m, number, i)], 20 + i, "targets of a released one can be read");
    cr_expect_eq(cache_mshrs_take(&m, 512), number);
    cr_expect_eq(cache_mshrs_waiting(&m, number), 0);
    cache_mshrs_destroy(&m);
}

/* What is in use, by number. */
typedef struct entry {
    uint64_t tag;
    uint32_t in_use;
    uint32_t is_hidden;
} entry;

static uint32_t expected(const entry *model, uint64_t tag)
{
    for (uint32_t i = 0; i < COUNT; i++)
        if (model[i].in_use && !model[i].is_hidden && model[i].tag == tag)
            return i;
    return CACHE_NO_MSHR;
}

/* Lines are awaited, dropped while they are, and awaited anew before the first answer has come. */
Test(cache_mshrs, find_a_line_until_it_is_hidden_or_released)
{
    cache_mshrs m;
    entry model[COUNT] = {{0}};
    uint64_t seed = 1;
    uint32_t twice = 0;
    cr_assert_eq(cache_mshrs_create(&m, COUNT, TARGETS), 0);
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint64_t tag = kit_random(&seed) % TAGS * 32;
        const uint32_t number = (uint32_t)(kit_random(&seed) % COUNT), found = cache_mshrs_find(&m, tag);
        cr_assert_eq(found, expected(model, tag));
        switch (kit_random(&seed) % 4) {
        case 0:
            if (model[number].in_use) {
                cache_mshrs_release(&m, number);
                model[number].in_use = 0;
            }
            break;
        case 1:
            if (model[number].in_use) {
                cache_mshrs_hide(&m, number);
                model[number].is_hidden = 1;
            }
            break;
        default:
            if (found == CACHE_NO_MSHR && !cache_mshrs_is_full(&m)) {
                for (uint32_t other = 0; other < COUNT; other++)
                    twice += model[other].in_use && model[other].tag == tag;
                const uint32_t taken = cache_mshrs_take(&m, tag);
                cr_assert_not(model[taken].in_use);
                model[taken] = (entry){.tag = tag, .in_use = 1};
            }
        }
        uint32_t in_use = 0;
        for (uint32_t k = 0; k < COUNT; k++)
            in_use += model[k].in_use;
        cr_assert_eq(m.in_use, in_use);
        cr_assert_eq(cache_mshrs_is_full(&m), in_use == COUNT);
    }
    cr_expect_gt(twice, 100);
    cache_mshrs_destroy(&m);
}
