/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "replacement_units.h"

Test(replacement_@name@, takes_ways_in_turn)
{
    replacement *r = replacement_@name@.create(&(replacement_parameters){.sets = 2, .ways = 3});
    const uint8_t none[3] = {0}, second[3] = {0, 1, 0}, all[3] = {1, 1, 1};
    cr_assert_not_null(r);
    replacement_@name@.reset(r, 1);
    cr_expect_eq(replacement_@name@.victim(r, 3, none), 3);
    replacement_@name@.installed(r, 3);
    cr_expect_eq(replacement_@name@.victim(r, 3, none), 4);
    cr_expect_eq(replacement_@name@.victim(r, 3, second), 5);
    cr_expect_eq(replacement_@name@.victim(r, 3, all), NO_VICTIM);
    cr_expect_eq(replacement_@name@.victim(r, 0, none), 0, "sets know nothing of each other");
    replacement_@name@.destroy(r);
}
