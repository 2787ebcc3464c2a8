/* SPDX-License-Identifier: MIT */
/* Opportunistic early reconvergence. ElTantawy 2018 §7.3, with the entry in place of the point, of which there may be several. */
#include "mp.h"

/* A split that stands in the code that this one comes to, and may change now. */
static uint32_t leader_of(const mp *u, uint32_t split)
{
    const path *p = &u->splits.paths[split];
    const uint32_t begin = p->warp * u->lanes;
    for (uint32_t other = begin; other < begin + u->lanes; other++)
        if (other != split && other != u->called && u->paths[other].mask && u->begins[other] == p->pc &&
            u->paths[other].depth == p->depth && u->splits.outer[other] == u->splits.outer[split] &&
            u->events.is_between(u->events.context, other))
            return other;
    return NO_PATH;
}

void mp_meet_early(mp *u, uint32_t split, uint64_t cycle)
{
    const uint32_t leader = leader_of(u, split);
    if (leader == NO_PATH)
        return;
    mp_take_pc(u, leader);
    mp_count(u, MP_EARLY_MEETINGS, 1);
    if (u->paths[leader].pc != u->splits.paths[split].pc) {
        splits_meet_early(&u->splits, leader, split, cycle);
        return;
    }
    splits_join(&u->splits, leader, split);
    u->paths[leader].mask = u->splits.paths[leader].mask;
    u->events.regrouped(u->events.context, leader);
}
