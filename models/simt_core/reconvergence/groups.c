/* SPDX-License-Identifier: MIT */
#include "reconvergence.h"

uint32_t groups_by_target(uint64_t mask, const uint32_t *target, uint32_t depth, path_group *groups)
{
    uint32_t count = 0;
    for (uint64_t left = mask; left; count++) {
        uint32_t pc = target[__builtin_ctzll(left)];
        uint64_t same = 0;
        for (uint64_t rest = left; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(rest);
            if (target[lane] == pc)
                same |= UINT64_C(1) << lane;
        }
        groups[count] = (path_group){.mask = same, .pc = pc, .depth = depth};
        left &= ~same;
    }
    return count;
}

uint32_t groups_of_branch(const path *path, uint64_t taken, uint32_t target, path_group *groups)
{
    uint32_t count = 0;
    if (taken)
        groups[count++] = (path_group){.mask = taken, .pc = target, .depth = path->depth};
    if (path->mask & ~taken)
        groups[count++] = (path_group){.mask = path->mask & ~taken, .pc = path->pc + 4, .depth = path->depth};
    return count;
}
