/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "spin_units.h"

Test(spin_@name@, finds_a_branch_that_is_taken_many_times_in_a_row)
{
    spin *s = spin_@name@.create(&(spin_parameters){.warps = 2, .lanes = 32});
    const path_event first = {.kind = PATH_BRANCHED, .warp = 1, .pc = 0x100, .mask = 1, .taken = 1, .target = 0x80};
    path_event other = first;
    other.pc = 0x200;
    cr_assert_not_null(s);
    for (uint32_t i = 1; i < 16; i++)
        cr_expect_eq(spin_@name@.branched(s, &first), SPIN_NOT);
    cr_expect_eq(spin_@name@.branched(s, &first), SPIN_FOUND);
    cr_expect_eq(spin_@name@.branched(s, &first), SPIN_KNOWN);
    cr_expect_eq(spin_@name@.branched(s, &other), SPIN_NOT);
    cr_expect_eq(spin_@name@.branched(s, &first), SPIN_NOT);
    spin_@name@.destroy(s);
}
