/* SPDX-License-Identifier: MIT */
/* Who may run, attempt by attempt. */
#include "serialisation.h"

#include <criterion/criterion.h>

static const turn_rules standard = {.equal_masks = 2, .in_warp = 1, .in_block = 1};

/* An attempt of these lanes, of which `failed` have aborted, the others of those that ran have committed. */
typedef struct warp_state {
    warp_turn turn;
    block_turn block;
    uint64_t left;
} warp_state;

static uint64_t begin(const turn_rules *rules, warp_state *w)
{
    const uint64_t lanes = warp_turn_lanes(rules, &w->turn, &w->block, 0, w->left);
    if (lanes)
        warp_turn_begin(&w->turn, lanes);
    return lanes;
}

static uint32_t end(const turn_rules *rules, warp_state *w, uint64_t ran, uint64_t failed)
{
    w->left &= ~(ran & ~failed);
    return w->left ? warp_turn_end(rules, &w->turn, w->left, (ran & ~failed) != 0) : 0;
}

static warp_state entered(uint64_t lanes)
{
    warp_state w = {.left = lanes};
    block_turn_reset(&w.block);
    warp_turn_enter(&w.turn);
    return w;
}

/* Four lanes, of which lane 1 loses once (Fig. 3). */
Test(local_turns, of_the_published_example)
{
    warp_state w = entered(0xF);
    cr_expect_eq(begin(&standard, &w), 0xF);
    cr_expect_eq(end(&standard, &w, 0xF, 0x2), 0);
    cr_expect_eq(w.turn.mode, TURN_NORMAL);
    cr_expect_eq(begin(&standard, &w), 0x2);
    cr_expect_eq(end(&standard, &w, 0x2, 0), 0);
    cr_expect_eq(w.left, 0);
}

/* Each attempt leaves others than the one before. */
Test(local_turns, progress_keeps_all_lanes)
{
    warp_state w = entered(0xF);
    for (uint64_t lanes = 0xF; lanes; lanes &= lanes - 1) {
        cr_expect_eq(begin(&standard, &w), lanes);
        end(&standard, &w, lanes, lanes & (lanes - 1));
        cr_expect_eq(w.turn.mode, TURN_NORMAL, "0x%lx are left", w.left);
    }
}

Test(local_turns, the_third_attempt_of_the_same_lanes_is_one_by_one)
{
    warp_state w = entered(0x7);
    cr_expect_eq(begin(&standard, &w), 0x7);
    end(&standard, &w, 0x7, 0x6);
    cr_expect_eq(w.turn.mode, TURN_NORMAL, "one has committed");
    cr_expect_eq(begin(&standard, &w), 0x6);
    cr_expect_eq(end(&standard, &w, 0x6, 0x6), 0);
    cr_expect_eq(w.turn.mode, TURN_IN_WARP);
    cr_expect_eq(begin(&standard, &w), 0x2);
    cr_expect_eq(end(&standard, &w, 0x2, 0), 0);
    cr_expect_eq(w.turn.mode, TURN_NORMAL);
    cr_expect_eq(begin(&standard, &w), 0x4);
    cr_expect_eq(end(&standard, &w, 0x4, 0x4), 0, "the count begins again");
    cr_expect_eq(w.turn.mode, TURN_NORMAL);
}

Test(local_turns, a_lane_that_fails_by_itself_waits_for_the_block)
{
    warp_state w = entered(0x6);
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(begin(&standard, &w), 0x6);
        end(&standard, &w, 0x6, 0x6);
    }
    cr_expect_eq(begin(&standard, &w), 0x2);
    cr_expect_eq(end(&standard, &w, 0x2, 0x2), 1);
    cr_expect_eq(w.turn.mode, TURN_WAITS);
    cr_expect_eq(begin(&standard, &w), 0);
    block_turn_ask(&w.block, 0);
    cr_expect_eq(block_turn_grant(&w.block), 0);
    w.turn.mode = TURN_IN_BLOCK;
    cr_expect_eq(begin(&standard, &w), 0x2);
    cr_expect_eq(end(&standard, &w, 0x2, 0), 0);
    cr_expect_eq(w.turn.mode, TURN_NORMAL);
    block_turn_release(&w.block);
    cr_expect_eq(begin(&standard, &w), 0x4);
}

Test(local_turns, others_stand_while_one_is_alone)
{
    warp_state w = entered(0x3);
    block_turn_ask(&w.block, 1);
    cr_expect_eq(block_turn_grant(&w.block), 1);
    cr_expect_eq(begin(&standard, &w), 0);
    block_turn_release(&w.block);
    cr_expect_eq(begin(&standard, &w), 0x3);
}

Test(local_turns, requests_are_granted_in_their_order)
{
    block_turn block;
    block_turn_reset(&block);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t warp = 0; warp < OWNERSHIP_WARPS; warp++)
            block_turn_ask(&block, (warp * 3) % OWNERSHIP_WARPS);
        for (uint32_t warp = 0; warp < OWNERSHIP_WARPS; warp++) {
            cr_expect_eq(block_turn_grant(&block), (warp * 3) % OWNERSHIP_WARPS);
            cr_expect_eq(block_turn_grant(&block), TURN_NOBODY, "one is alone");
            block_turn_release(&block);
        }
        cr_expect_eq(block_turn_grant(&block), TURN_NOBODY);
        block_turn_ask(&block, 5);
        block_turn_grant(&block);
        block_turn_release(&block);
    }
}

Test(local_turns, who_gives_way_begins_again)
{
    warp_state w = entered(0x6);
    begin(&standard, &w);
    end(&standard, &w, 0x6, 0x6);
    warp_turn_give_way(&w.turn);
    begin(&standard, &w);
    end(&standard, &w, 0x6, 0x6);
    cr_expect_eq(w.turn.mode, TURN_NORMAL, "one attempt, not two");
}

/* Each rule by itself: what it changes of two attempts in vain. */
Test(local_turns, rules_by_themselves)
{
    const turn_rules at_once = {.equal_masks = 1, .in_warp = 1, .in_block = 1};
    const turn_rules no_warp = {.equal_masks = 2, .in_block = 1}, no_block = {.equal_masks = 2, .in_warp = 1};
    warp_state w = entered(0x6);
    begin(&at_once, &w);
    end(&at_once, &w, 0x6, 0x6);
    cr_expect_eq(w.turn.mode, TURN_IN_WARP);
    w = entered(0x6);
    begin(&no_warp, &w);
    end(&no_warp, &w, 0x6, 0x6);
    begin(&no_warp, &w);
    cr_expect_eq(end(&no_warp, &w, 0x6, 0x6), 1);
    cr_expect_eq(w.turn.mode, TURN_WAITS);
    w = entered(0x6);
    for (uint32_t i = 0; i < 2; i++) {
        begin(&no_block, &w);
        end(&no_block, &w, 0x6, 0x6);
    }
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(begin(&no_block, &w), 0x2);
        cr_expect_eq(end(&no_block, &w, 0x2, 0x2), 0);
        cr_expect_eq(w.turn.mode, TURN_IN_WARP);
    }
}

Test(local_turns, lanes_may_take_turns)
{
    const turn_rules rotate = {.equal_masks = 1, .in_warp = 1, .selection = TURN_ROTATE};
    warp_state w = entered(UINT64_C(0xC000000000000006));
    static const uint32_t lanes[] = {1, 2, 62, 63, 1};
    begin(&rotate, &w);
    end(&rotate, &w, w.left, w.left);
    for (uint32_t i = 0; i < 5; i++) {
        cr_expect_eq(begin(&rotate, &w), UINT64_C(1) << lanes[i]);
        end(&rotate, &w, UINT64_C(1) << lanes[i], UINT64_C(1) << lanes[i]);
    }
}
