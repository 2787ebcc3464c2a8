/* SPDX-License-Identifier: MIT */
/*
 * Counts by place in the program. A lost slot goes to the pc that waits, not to the one that caused the wait: of the paths that
 * wait for the cause of the slot (account.c), to the one that has waited longest.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static uint32_t row_of(const simt_core *core, uint32_t warp, uint32_t pc)
{
    const hd_profile_table *table = &core->profile.table;
    const uint32_t slot = core->warps[warp].block;
    return slot == NO_SLOT ? table->words : place_row(table, core->blocks[slot].launch.grid.module, pc);
}

static uint32_t row_of_path(const simt_core *core, uint32_t path)
{
    return row_of(core, core->paths[path].warp, core->paths[path].pc);
}

static uint64_t *row_at(simt_core *core, uint32_t row)
{
    return core->profile.table.counts + (size_t)row * core->profile.ability.column_count;
}

void profile_count_path(simt_core *core, uint32_t path, enum core_profile_column column, uint64_t count)
{
    row_at(core, row_of_path(core, path))[column] += count;
}

void profile_count_at(simt_core *core, uint32_t warp, uint32_t pc, uint32_t column, uint64_t count)
{
    row_at(core, row_of(core, warp, pc))[column] += count;
}

void profile_conflict(simt_core *core, uint32_t warp, uint32_t pc, uint32_t winner_pc, uint64_t count)
{
    const hd_profile_table *table = &core->profile.table;
    if (table->conflict)
        table->conflict(table->context, row_of(core, warp, pc), row_of(core, warp, winner_pc), count);
}

static void count_wait(simt_core *core, uint32_t path, uint64_t until)
{
    profile_place *place = &core->profile.places[path];
    const uint8_t status = core->path_states[path].status;
    if (status != PATH_NONE && status != PATH_STOPPED)
        row_at(core, place->row)[PROFILE_wait_cycles] += until - place->counted;
    place->counted = until;
}

void profile_status(simt_core *core, uint32_t path)
{
    profile_place *place = &core->profile.places[path];
    count_wait(core, path, core->account.settled);
    place->since = core->account.settled;
    place->row = row_of_path(core, path);
}

void profile_issue(simt_core *core, uint32_t path)
{
    const reconvergence_unit *unit = core->reconvergence.unit;
    const path_state *state = &core->path_states[path];
    const uint32_t row = core->profile.issued[state->scheduler] = row_of_path(core, path);
    uint64_t *counts = row_at(core, row);
    counts[PROFILE_warp_instructions]++;
    counts[PROFILE_thread_instructions] += state->count.active;
    counts[PROFILE_lost_lanes] += core->lane_count - state->count.active;
    if (unit->launch_warps)
        counts[PROFILE_lost_lanes_before] +=
            unit->launch_warps(core->reconvergence.state, path) * core->lane_count - state->count.active;
}

static uint32_t waits_for(const simt_core *core, uint32_t port, uint32_t path, enum core_slot slot)
{
    const path_state *state = &core->path_states[path];
    if (state->scheduler != port)
        return 0;
    if (state->status == PATH_READY && (slot == CORE_slots_registers || slot == CORE_slots_backed_off))
        return 1;
    if (state->status == PATH_READY)
        return slot == CORE_slots_unit_busy
                   ? state->unit != UNIT_MEMORY
                   : slot == CORE_slots_network || slot == CORE_slots_memory_width || slot == CORE_slots_memory_pipe;
    return account_wait(state->status) == slot;
}

static uint32_t longest_waiting(const simt_core *core, uint32_t port, enum core_slot slot)
{
    uint32_t longest = NO_PATH;
    for (uint32_t path = 0; path < core->path_count; path++) {
        if (waits_for(core, port, path, slot) &&
            (longest == NO_PATH || core->profile.places[path].since < core->profile.places[longest].since))
            longest = path;
    }
    return longest;
}

/* Who waits longest remains so until it waits no more: the others came later. */
static uint32_t row_of_wait(simt_core *core, uint32_t port, enum core_slot slot)
{
    profile_charge *charge = &core->profile.charges[port][slot];
    if (!waits_for(core, port, charge->path, slot) || core->profile.places[charge->path].since != charge->since) {
        charge->path = longest_waiting(core, port, slot);
        charge->since = core->profile.places[charge->path].since;
    }
    return core->profile.places[charge->path].row;
}

void profile_slots(simt_core *core, uint32_t port, enum core_slot slot, uint64_t cycles)
{
    uint32_t row;
    switch (slot) {
    case CORE_slots_issued:
    case CORE_slots_port_busy: row = core->profile.issued[port]; break;
    case CORE_slots_registers:
        row = core->operands.window ? core->profile.issued[port] : row_of_wait(core, port, slot);
        break;
    case CORE_slots_idle: row = core->profile.table.words; break;
    default: row = row_of_wait(core, port, slot); break;
    }
    row_at(core, row)[PROFILE_slots_issued + slot] += cycles;
}

void profile_settle(simt_core *core, uint64_t edge)
{
    for (uint32_t path = 0; path < core->path_count; path++)
        count_wait(core, path, edge);
}

static void begin(hd_block *block, const hd_profile_table *table)
{
    simt_core *core = (simt_core *)block;
    const uint64_t edge = hd_cursor_index_of(&core->now, core->edges.horizon);
    account_until(core, edge);
    core->profile.table = *table;
    issue_set_listeners(core);
    for (uint32_t path = 0; path < core->path_count; path++)
        core->profile.places[path] = (profile_place){.since = edge, .counted = edge, .row = row_of_path(core, path)};
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        core->profile.issued[port] = table->words;
}

void profile_reset(simt_core *core)
{
    const core_profile kept = core->profile;
    memset(kept.places, 0, core->path_count * sizeof *kept.places);
    core->profile = (core_profile){.places = kept.places, .columns = kept.columns, .ability = kept.ability};
    issue_set_listeners(core);
}

static const hd_statistic columns[] = {
#define CORE_COLUMN(text, measure, sort, description, ...)                                                             \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    CORE_PROFILE(CORE_COLUMN)
#undef CORE_COLUMN
};

/* Of all units whose statistics come before that of this number. */
static uint32_t columns_before(const simt_core *core, uint32_t statistic)
{
    const struct hd_composition *units = core->block_class->composition;
    uint32_t count = 0;
    for (uint32_t i = 0; i < units->place_count; i++)
        if (!units->places[i].is_again && units->places[i].first_statistic < statistic)
            count += units->places[i].unit->profiled_count;
    return count;
}

int profile_create(simt_core *core)
{
    const struct hd_composition *units = core->block_class->composition;
    const uint32_t count = PROFILE_COLUMN_COUNT + columns_before(core, UINT32_MAX);
    hd_statistic *all = calloc(count, sizeof *all);
    core->profile.places = calloc(core->path_count, sizeof *core->profile.places);
    core->profile.columns = all;
    if (!all || !core->profile.places)
        return -1;
    memcpy(all, columns, sizeof columns);
    all += PROFILE_COLUMN_COUNT;
    for (uint32_t i = 0; i < units->place_count; i++)
        for (uint32_t s = 0; !units->places[i].is_again && s < units->places[i].unit->profiled_count; s++)
            *all++ = units->places[i].unit->statistics[s];
    core->profile.ability = (hd_profile){.columns = core->profile.columns, .column_count = count, .begin = begin};
    return 0;
}

void profile_destroy(simt_core *core)
{
    free(core->profile.places);
    free(core->profile.columns);
}

uint32_t profile_column(const simt_core *core, enum core_unit slot, uint32_t statistic)
{
    return PROFILE_COLUMN_COUNT + columns_before(core, core->chosen[slot]->first_statistic) + statistic;
}
