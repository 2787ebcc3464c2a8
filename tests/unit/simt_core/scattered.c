/* SPDX-License-Identifier: MIT */
#include "scattered.h"

#include <criterion/criterion.h>
#include <string.h>

static uint32_t first_load(uint32_t lane)
{
    return DATA + 64 * lane;
}
static uint32_t second_load(uint32_t lane)
{
    return DATA + 2048 + 128 * lane;
}
static uint32_t store(uint32_t lane)
{
    return DATA + 8192 + 4 * lane;
}

const uint32_t *scattered_words(void)
{
    static uint32_t program[20];
    const uint32_t words[20] = {lui(A0, DATA),
                                csrr(S0, 0xCCC),
                                slli(A1, S0, 6),
                                add(A1, A1, A0),
                                slli(A2, S0, 7),
                                add(A2, A2, A0),
                                addi(A2, A2, 2047),
                                slli(A3, S0, 2),
                                lui(A4, DATA + 8192),
                                add(A3, A3, A4),
                                andi(T0, S0, 1),
                                begin_tx(1),
                                lw(T1, 0, A1),
                                lw(T2, 1, A2),
                                add(T1, T1, T2),
                                bne(T0, ZERO, 8),
                                sw(T1, 0, A3),
                                commit_tx(),
                                ret(),
                                0};
    memcpy(program, words, sizeof program);
    return program;
}

void scattered_launch(core_rig *rig)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        rig_set_word(rig, first_load(lane), 100 + lane);
        rig_set_word(rig, second_load(lane), 1000 * lane);
    }
    rig_launch(rig, LANES, 0);
}

void scattered_expect(core_rig *rig)
{
    for (uint32_t lane = 0; lane < LANES; lane += 2)
        cr_expect_eq(rig_word(rig, store(lane)), 100 + lane + 1000 * lane, "lane %u", lane);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
}

uint32_t scattered_refuses_lane_4_once(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition)
{
    (void)warp, (void)partition;
    return lane == 4 && attempt == 1;
}
