/* SPDX-License-Identifier: MIT */
/* Splits meet before they have come to their point, because one of them comes to where the other is. ElTantawy 2018 §7.3. */
#include "splits.h"

void splits_join(splits *s, uint32_t split, uint32_t other)
{
    const uint64_t lanes = s->paths[other].mask;
    splits_remove(s, other);
    s->paths[split].mask |= lanes;
}

void splits_meet_early(splits *s, uint32_t split, uint32_t other, uint64_t cycle)
{
    const path here = s->paths[split];
    path *p = &s->paths[other];
    split_point stop = {here.stop_pc, here.stop_depth};
    const uint32_t outer = splits_entry_for(s, here.warp, here.mask | p->mask, (split_point){here.pc, here.depth},
                                            &stop, s->outer[split], cycle);
    if (outer == s->outer[split])
        return; /* there is no room for an entry: they meet where they would have */
    s->meetings[outer].pending = p->mask;
    s->outer[other] = outer;
    p->stop_pc = stop.pc;
    p->stop_depth = stop.depth;
    splits_remove(s, split);
}
