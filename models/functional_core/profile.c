/* SPDX-License-Identifier: MIT */
/* Counts by place in the program: of instructions and lanes alone, as there are no cycles to divide. */
#include "state.h"

static uint64_t *counts_at(functional_core *core, const path *p, uint32_t pc)
{
    const uint32_t module = core->blocks[core->warps[p->warp].block].launch.grid.module;
    return core->profile.counts + (size_t)place_row(&core->profile, module, pc) * PROFILE_COLUMN_COUNT;
}

void functional_profile_add(functional_core *core, const path *p, uint32_t pc, enum functional_column column,
                            uint64_t count)
{
    counts_at(core, p, pc)[column] += count;
}

void functional_profile_run(functional_core *core, uint32_t path, uint64_t instructions)
{
    const struct path *p = &core->paths[path];
    const uint32_t active = core->path_states[path].count.active;
    for (uint64_t i = 0; i < instructions; i++) {
        uint64_t *counts = counts_at(core, p, p->pc + 4 * (uint32_t)i);
        counts[PROFILE_warp_instructions]++;
        counts[PROFILE_thread_instructions] += active;
        counts[PROFILE_lost_lanes] += core->lane_count - active;
    }
}

static void begin(hd_block *block, const hd_profile_table *table)
{
    ((functional_core *)block)->profile = *table;
}

static const hd_statistic columns[] = {
#define FUNCTIONAL_COLUMN(text, measure, sort, description)                                                            \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    PLACES_INSTRUCTIONS(FUNCTIONAL_COLUMN) PLACES_TRANSACTIONS(FUNCTIONAL_COLUMN)
#undef FUNCTIONAL_COLUMN
};

const hd_profile functional_profile = {.columns = columns, .column_count = PROFILE_COLUMN_COUNT, .begin = begin};
