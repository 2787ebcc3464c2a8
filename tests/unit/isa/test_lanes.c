/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include <criterion/criterion.h>

#define RD 5
#define VALUE 6
#define OPERAND 7

static uint32_t run(warp *w, enum isa_operation operation, uint64_t mask, uint32_t lane)
{
    isa_instruction instruction = isa_decode(encode(operation, (word_fields){.rd = RD, .rs1 = VALUE, .rs2 = OPERAND}));
    isa_cross_lane(&instruction, &w->lanes, mask);
    return *warp_register(w, RD, lane);
}

Test(votes, look_at_active_lanes_only)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, VALUE, 0);
    *warp_register(&w, VALUE, 9) = 0x80000000;
    cr_expect_eq(run(&w, ISA_OP_VOTE_ANY, UINT32_MAX, 0), 1);
    cr_expect_eq(run(&w, ISA_OP_VOTE_ANY, UINT32_C(0xFFFFFDFF), 0), 0);
    cr_expect_eq(run(&w, ISA_OP_VOTE_ALL, UINT32_MAX, 0), 0);
    cr_expect_eq(run(&w, ISA_OP_VOTE_ALL, 1 << 9, 9), 1);
}

Test(votes, ballots_show_which_lanes)
{
    warp w;
    warp_init(&w, 64);
    warp_set(&w, VALUE, 0);
    *warp_register(&w, VALUE, 1) = 5;
    *warp_register(&w, VALUE, 31) = 6;
    *warp_register(&w, VALUE, 32) = 7;
    *warp_register(&w, VALUE, 63) = 8;
    cr_expect_eq(run(&w, ISA_OP_VOTE_BALLOT_LO, ~UINT64_C(0), 40), 0x80000002);
    cr_expect_eq(run(&w, ISA_OP_VOTE_BALLOT_HI, ~UINT64_C(0), 3), 0x80000001);
    cr_expect_eq(run(&w, ISA_OP_VOTE_BALLOT_HI, UINT64_C(0x7FFFFFFFFFFFFFFF), 3), 1);
}

Test(votes, inactive_lanes_keep_their_register)
{
    warp w;
    warp_init(&w, 32);
    run(&w, ISA_OP_VOTE_ANY, 0x0000FFFF, 0);
    cr_expect_eq(*warp_register(&w, RD, 15), 1);
    cr_expect_eq(*warp_register(&w, RD, 16), warp_pattern(RD, 16));
}

Test(shuffles, read_the_lane_they_name)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, OPERAND, 3);
    cr_expect_eq(run(&w, ISA_OP_SHFL_IDX, UINT32_MAX, 20), warp_pattern(VALUE, 3));
    cr_expect_eq(run(&w, ISA_OP_SHFL_UP, UINT32_MAX, 20), warp_pattern(VALUE, 17));
    cr_expect_eq(run(&w, ISA_OP_SHFL_DOWN, UINT32_MAX, 20), warp_pattern(VALUE, 23));
    cr_expect_eq(run(&w, ISA_OP_SHFL_XOR, UINT32_MAX, 20), warp_pattern(VALUE, 23));
}

Test(shuffles, give_the_own_value_beyond_the_warp_and_from_inactive_lanes)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, OPERAND, 3);
    cr_expect_eq(run(&w, ISA_OP_SHFL_UP, UINT32_MAX, 2), warp_pattern(VALUE, 2));
    cr_expect_eq(run(&w, ISA_OP_SHFL_DOWN, UINT32_MAX, 29), warp_pattern(VALUE, 29));
    cr_expect_eq(run(&w, ISA_OP_SHFL_IDX, UINT32_C(0xFFFFFFF7), 20), warp_pattern(VALUE, 20));
    warp_set(&w, OPERAND, 0xFFFFFFFF);
    cr_expect_eq(run(&w, ISA_OP_SHFL_IDX, UINT32_MAX, 4), warp_pattern(VALUE, 4));
    cr_expect_eq(run(&w, ISA_OP_SHFL_DOWN, UINT32_MAX, 4), warp_pattern(VALUE, 4));
    cr_expect_eq(run(&w, ISA_OP_SHFL_XOR, UINT32_MAX, 4), warp_pattern(VALUE, 4));
    warp_set(&w, OPERAND, 40);
    cr_expect_eq(run(&w, ISA_OP_SHFL_IDX, UINT32_MAX, 4), warp_pattern(VALUE, 4));
}

Test(shuffles, each_lane_may_name_another)
{
    warp w;
    warp_init(&w, 32);
    for (uint32_t lane = 0; lane < 32; lane++)
        *warp_register(&w, OPERAND, lane) = 31 - lane;
    run(&w, ISA_OP_SHFL_IDX, 0xFFFF00FF, 0);
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t source = 31 - lane;
        int from_active = source < 8 || source >= 16;
        uint32_t expected = lane >= 8 && lane < 16 ? warp_pattern(RD, lane)
                            : from_active          ? warp_pattern(VALUE, source)
                                                   : warp_pattern(VALUE, lane);
        cr_expect_eq(*warp_register(&w, RD, lane), expected, "lane %u", lane);
    }
}

Test(shuffles, the_result_may_replace_the_value)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, OPERAND, 1);
    isa_instruction shuffle = isa_decode(WORD(SHFL_XOR, .rd = VALUE, .rs1 = VALUE, .rs2 = OPERAND));
    isa_cross_lane(&shuffle, &w.lanes, UINT32_MAX);
    cr_expect_eq(*warp_register(&w, VALUE, 0), warp_pattern(VALUE, 1));
    cr_expect_eq(*warp_register(&w, VALUE, 1), warp_pattern(VALUE, 0));
}
