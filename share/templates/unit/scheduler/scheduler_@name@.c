/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "scheduler_units.h"

Test(scheduler_@name@, picks_the_oldest_that_is_ready)
{
    scheduler *s = scheduler_@name@.create(&(scheduler_parameters){.paths = 4, .paths_per_warp = 1});
    const uint64_t all = 0xF, last_two = 0xC, none = 0;
    const uint64_t ages[] = {3, 1, 4, 2};
    cr_assert_not_null(s);
    for (uint32_t path = 0; path < 4; path++)
        scheduler_@name@.add(s, path, ages[path]);
    cr_expect_eq(scheduler_@name@.pick(s, &all, 0), 1);
    cr_expect_eq(scheduler_@name@.pick(s, &all, 1), 1);
    cr_expect_eq(scheduler_@name@.pick(s, &last_two, 2), 3);
    cr_expect_eq(scheduler_@name@.pick(s, &none, 3), NO_PATH);
    scheduler_@name@.destroy(s);
}
