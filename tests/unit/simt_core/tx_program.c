/* SPDX-License-Identifier: MIT */
#include "tx_program.h"

#include <criterion/criterion.h>

void tx_expect_results(getm_rig *g, uint32_t lanes, uint32_t (*expected)(uint32_t lane))
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        cr_expect_eq(rig_word(g->rig, RESULTS + 4 * lane), expected(lane), "lane %u: %u", lane,
                     rig_word(g->rig, RESULTS + 4 * lane));
}
