/* SPDX-License-Identifier: MIT */
/* Sums of the levels of the blocks of each core. A block that stops counts until it has left, one that enters from then on. */
#include "usage.h"

uint32_t usage_fits(const usage *u, uint32_t core, const usage_levels *levels)
{
    const usage_core *c = &u->core[core];
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        if (c->resident && c->sum.of[m] + levels->of[m] > u->settings.limits[m])
            return 0;
    return 1;
}

void usage_place(usage *u, uint32_t slot, uint32_t core)
{
    usage_block *block = &u->blocks[slot];
    block->core = core;
    u->core[core].resident++;
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        u->core[core].sum.of[m] += block->levels.of[m];
}

void usage_leave(usage *u, uint32_t slot)
{
    const usage_block *block = &u->blocks[slot];
    u->core[block->core].resident--;
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        u->core[block->core].sum.of[m] -= block->levels.of[m];
}

void usage_change(usage *u, uint32_t slot, const usage_levels *levels)
{
    usage_block *block = &u->blocks[slot];
    for (uint32_t m = 0; m < USAGE_METRICS; m++) {
        u->core[block->core].sum.of[m] += levels->of[m] - block->levels.of[m];
        u->core[block->core].has_eased |= levels->of[m] < block->levels.of[m];
    }
    block->levels = *levels;
}
