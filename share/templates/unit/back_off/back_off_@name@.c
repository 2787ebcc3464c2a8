/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "back_off_units.h"
#include "scheduler_units.h"

Test(back_off_@name@, puts_a_path_that_spins_behind_the_others)
{
    const uint64_t both = 0x3, first = 0x1;
    scheduler_parameters parameters = {.paths = 2, .paths_per_warp = 1};
    const scheduler_base base = {.unit = &scheduler_lrr, .instance = scheduler_lrr.create(&parameters)};
    parameters.base = base;
    scheduler *s = back_off_@name@.create(&parameters);
    cr_assert(base.instance && s);
    for (uint32_t path = 0; path < 2; path++)
        back_off_@name@.add(s, path, path);
    back_off_@name@.event(s, &(path_event){.kind = PATH_SPUN, .path = 0});
    cr_expect_eq(back_off_@name@.pick(s, &both, 1), 1);
    cr_expect_eq(back_off_@name@.pick(s, &first, 1), 0);
    back_off_@name@.event(s, &(path_event){.kind = PATH_ISSUED, .path = 0});
    back_off_@name@.event(s, &(path_event){.kind = PATH_ISSUED, .path = 1});
    cr_expect_eq(back_off_@name@.pick(s, &both, 2), 0);
    back_off_@name@.destroy(s);
    scheduler_lrr.destroy(base.instance);
}
