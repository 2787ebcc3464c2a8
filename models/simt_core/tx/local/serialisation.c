/* SPDX-License-Identifier: MIT */
#include "serialisation.h"

void block_turn_reset(block_turn *block)
{
    *block = (block_turn){.holder = TURN_NOBODY};
}

void warp_turn_enter(warp_turn *turn)
{
    *turn = (warp_turn){.mode = TURN_NORMAL, .selected = 63};
}

/* The first lane behind the one before, or the lowest. */
static uint64_t selected_of(const turn_rules *rules, const warp_turn *turn, uint64_t lanes)
{
    const uint64_t behind = lanes & ~((UINT64_C(2) << turn->selected) - 1);
    const uint64_t from = rules->selection == TURN_ROTATE && behind ? behind : lanes;
    return from & -from;
}

uint64_t warp_turn_lanes(const turn_rules *rules, const warp_turn *turn, const block_turn *block, uint32_t warp,
                         uint64_t lanes)
{
    if (turn->mode == TURN_WAITS || (block->holder != TURN_NOBODY && block->holder != warp))
        return 0;
    return turn->mode == TURN_NORMAL ? lanes : selected_of(rules, turn, lanes);
}

void warp_turn_begin(warp_turn *turn, uint64_t lanes)
{
    if (turn->mode != TURN_NORMAL)
        turn->selected = (uint32_t)__builtin_ctzll(lanes);
}

static uint32_t in_trouble(const turn_rules *rules, warp_turn *turn)
{
    turn->previous = turn->equal = 0;
    if (rules->in_warp && turn->mode == TURN_NORMAL) {
        turn->mode = TURN_IN_WARP;
        return 0;
    }
    if (!rules->in_block)
        return 0;
    turn->mode = TURN_WAITS;
    return 1;
}

uint32_t warp_turn_end(const turn_rules *rules, warp_turn *turn, uint64_t left, uint32_t committed)
{
    if (turn->mode != TURN_NORMAL) {
        if (!committed)
            return in_trouble(rules, turn);
        turn->mode = TURN_NORMAL;
        turn->previous = turn->equal = 0;
        return 0;
    }
    turn->equal = left == turn->previous ? turn->equal + 1 : 1;
    turn->previous = left;
    return turn->equal >= rules->equal_masks ? in_trouble(rules, turn) : 0;
}

void warp_turn_give_way(warp_turn *turn)
{
    turn->mode = TURN_NORMAL;
    turn->previous = turn->equal = 0;
}

void block_turn_ask(block_turn *block, uint32_t warp)
{
    block->queue[(block->first + block->waiting++) % OWNERSHIP_WARPS] = warp;
}

uint32_t block_turn_grant(block_turn *block)
{
    if (block->holder != TURN_NOBODY || !block->waiting)
        return TURN_NOBODY;
    block->holder = block->queue[block->first];
    block->first = (block->first + 1) % OWNERSHIP_WARPS;
    block->waiting--;
    return block->holder;
}
