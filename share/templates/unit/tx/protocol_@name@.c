/* SPDX-License-Identifier: MIT */
#include "core_rig.h"

#include <criterion/criterion.h>

Test(tx_@name@, commits_what_it_has_read)
{
    const uint32_t words[] = {lui(A0, DATA), begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    const char *const parameters[] = {"tx=@name@", NULL};
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), 32);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), 0);
    rig_destroy(rig);
}
