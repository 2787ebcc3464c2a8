/* SPDX-License-Identifier: MIT */
/*
 * Instructions are counted when they issue. Refused cycles are settled at edges with work: from one to the next, whoever is ready
 * and finds no room in the memory pipe stays so. A window ends before anything else happens at its last edge.
 */
#include "levels.h"

#include "core_lanes.h"
#include "hd_link.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bit(uint32_t slot)
{
    return UINT64_C(1) << slot;
}

int levels_create(simt_core *core)
{
    const hd_services *services = core->services;
    level_counts *levels = &core->levels;
    levels->message_watch = services->message(services->context, HD_BLOCK_WATCH);
    levels->message_level = services->message(services->context, HD_BLOCK_LEVEL);
    if (core_parameter_of(core, PARAMETER_CONTEXT_LEVELS))
        levels->blocks = calloc(LEVELS_BLOCKS_MAX, sizeof *levels->blocks);
    return core_parameter_of(core, PARAMETER_CONTEXT_LEVELS) && !levels->blocks;
}

void levels_destroy(simt_core *core)
{
    free(core->levels.blocks);
}

void levels_reset(simt_core *core)
{
    level_counts *levels = &core->levels;
    levels->watched = levels->refused = levels->owed = levels->settled = levels->demanded = 0;
    levels->next = UINT64_MAX;
    levels->awaits_credit = 0;
}

static void begin_window(simt_core *core, uint32_t slot, uint64_t edge)
{
    watched_block *block = &core->levels.blocks[slot];
    block->begun = edge;
    memset(&block->window, 0, sizeof block->window);
}

/* The first edge at which a window ends. */
static void find_next(level_counts *levels)
{
    levels->next = UINT64_MAX;
    for (uint64_t left = levels->watched; left; left &= left - 1) {
        const watched_block *block = &levels->blocks[__builtin_ctzll(left)];
        const uint64_t end = block->begun + block->watch.period;
        levels->next = end < levels->next ? end : levels->next;
    }
}

/* Slots with a memory instruction that is ready and has no room now, and how many there are of it in those whose attempts count. */
static uint64_t find_refused(simt_core *core)
{
    level_counts *levels = &core->levels;
    uint64_t slots = 0;
    for (uint64_t left = levels->demanded; left; left &= left - 1)
        levels->blocks[__builtin_ctzll(left)].refused_warps = 0;
    for (uint32_t port = 0; port < core->scheduler_count; port++) {
        if (core->memory_status->room >> port & 1)
            continue;
        for (uint32_t word = 0; word < core->issue.ready_words; word++)
            for (uint64_t left = core->issue.ready[UNIT_MEMORY][word] & core->issue.own[port][word]; left;
                 left &= left - 1) {
                const uint32_t path = word * 64 + (uint32_t)__builtin_ctzll(left);
                const uint32_t slot = core->warps[core->paths[path].warp].block;
                slots |= bit(slot);
                levels->blocks[slot].refused_warps += levels->demanded >> slot & 1;
            }
    }
    return slots & levels->watched;
}

/* Refused cycles of the edges below this one. */
static void settle(level_counts *levels, uint64_t edge)
{
    for (uint64_t left = edge > levels->settled ? levels->refused : 0; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        levels->blocks[slot].window.memory_refused_cycles += edge - levels->settled;
        levels->blocks[slot].window.memory_attempts += levels->blocks[slot].refused_warps * (edge - levels->settled);
    }
    levels->settled = edge;
}

/* What the window says at this edge, as it is told. */
static hd_block_level read_window(const simt_core *core, const watched_block *block)
{
    hd_block_level level = block->window;
    level.cycles = core->now.n - block->begun;
    level.slots = level.cycles * core->scheduler_count / core->issue.cycles;
    level.memory_level =
        hd_level_of(level.memory_refused_cycles, level.cycles, block->watch.memory_steps, block->watch.highest);
    level.float_level =
        hd_level_of(level.float_instructions, level.slots, block->watch.float_steps, block->watch.highest);
    level.demand_level =
        hd_level_of(level.memory_attempts, level.cycles, block->watch.demand_steps, block->watch.highest);
    level.abort_level = hd_level_of(level.tx_aborted, level.tx_ended, block->watch.abort_steps, block->watch.highest);
    return level;
}

/* What is watched, over all blocks. */
static void add_up(simt_core *core, const hd_block_level *level)
{
    core->counters.levels_cycles += level->cycles;
    core->counters.levels_slots += level->slots;
    core->counters.levels_refused_cycles += level->memory_refused_cycles;
    core->counters.levels_float_instructions += level->float_instructions;
    core->counters.levels_memory_attempts += level->memory_attempts;
    core->counters.levels_tx_ended += level->tx_ended;
    core->counters.levels_tx_aborted += level->tx_aborted;
}

static uint32_t has_changed(const hd_block_level *level, const hd_block_watch *known)
{
    return level->memory_level != known->memory_level || level->float_level != known->float_level ||
           level->demand_level != known->demand_level || level->abort_level != known->abort_level;
}

static void end_window(simt_core *core, uint32_t slot)
{
    level_counts *levels = &core->levels;
    watched_block *block = &levels->blocks[slot];
    const hd_block_level level = read_window(core, block);
    add_up(core, &level);
    if (block->watch.every_window || has_changed(&level, &block->watch)) {
        block->report = level;
        levels->owed |= bit(slot);
    } else {
        levels->owed &= ~bit(slot); /* what waits is not so any more */
    }
    begin_window(core, slot, core->now.n);
}

static uint32_t has_credit(simt_core *core)
{
    const hd_services *services = core->services;
    core->levels.awaits_credit = !hd_link_has_credit(services, core->links.event, core->now.t);
    if (core->levels.awaits_credit)
        core->edges.credit_arrival = services->credit_arrival(services->context, core->links.event);
    return !core->levels.awaits_credit;
}

static void send_report(simt_core *core, uint32_t slot)
{
    watched_block *block = &core->levels.blocks[slot];
    block->watch.memory_level = block->report.memory_level;
    block->watch.float_level = block->report.float_level;
    block->watch.demand_level = block->report.demand_level;
    block->watch.abort_level = block->report.abort_level;
    core->levels.owed &= ~bit(slot);
    simt_core_send(core->services, core->links.event, core->levels.message_level, core->blocks[slot].tag,
                   &block->report, sizeof block->report, core->now.t);
}

void levels_watch(simt_core *core, const hd_packet *packet)
{
    const uint32_t slot = context_find(core, packet->tag);
    if (slot != NO_SLOT)
        levels_begin(core, slot, hd_body_const(packet));
}

void levels_begin(simt_core *core, uint32_t slot, const hd_block_watch *watch)
{
    level_counts *levels = &core->levels;
    settle(levels, core->now.n);
    levels->owed &= ~bit(slot);
    levels->watched |= bit(slot);
    levels->blocks[slot].watch = *watch;
    levels->blocks[slot].refused_warps = 0;
    levels->demanded &= ~bit(slot);
    levels->demanded |= levels->blocks[slot].watch.demand_steps ? bit(slot) : 0;
    begin_window(core, slot, core->now.n);
    find_next(levels);
}

void levels_count_issue(simt_core *core, uint32_t slot, uint32_t is_float, uint32_t is_memory)
{
    hd_block_level *window = &core->levels.blocks[slot].window;
    window->instructions++;
    window->float_instructions += is_float;
    window->memory_attempts += is_memory & core->levels.demanded >> slot;
}

void levels_count_attempts(simt_core *core, uint32_t warp, uint32_t committed, uint32_t aborted)
{
    const uint32_t slot = core->warps[warp].block;
    if (slot == NO_SLOT || !(core->levels.watched & bit(slot)))
        return;
    core->levels.blocks[slot].window.tx_ended += committed + aborted;
    core->levels.blocks[slot].window.tx_aborted += aborted;
}

void levels_begin_edge(simt_core *core)
{
    level_counts *levels = &core->levels;
    levels->awaits_credit = 0;
    if (levels->next <= core->now.n) {
        settle(levels, core->now.n);
        for (uint64_t left = levels->watched; left; left &= left - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(left);
            if (levels->blocks[slot].begun + levels->blocks[slot].watch.period <= core->now.n)
                end_window(core, slot);
        }
        find_next(levels);
    }
}

/* Credits are those of ends and contexts first: levels wait, and would wait for ever to end if these did. */
void levels_end_edge(simt_core *core)
{
    level_counts *levels = &core->levels;
    settle(levels, core->now.n);
    levels->refused = find_refused(core);
    for (uint64_t left = levels->owed; left && has_credit(core); left &= left - 1)
        send_report(core, (uint32_t)__builtin_ctzll(left));
}

uint32_t levels_end(simt_core *core, uint32_t slot)
{
    level_counts *levels = &core->levels;
    if (!(levels->watched & bit(slot)))
        return 1;
    if (!has_credit(core))
        return 0;
    settle(levels, core->now.n);
    levels->blocks[slot].report = read_window(core, &levels->blocks[slot]);
    levels->blocks[slot].report.last = 1;
    send_report(core, slot);
    levels_drop(core, slot);
    return 1;
}

void levels_drop(simt_core *core, uint32_t slot)
{
    level_counts *levels = &core->levels;
    if (!(levels->watched & bit(slot)))
        return;
    settle(levels, core->now.n);
    const hd_block_level rest = read_window(core, &levels->blocks[slot]);
    add_up(core, &rest);
    levels->watched &= ~bit(slot);
    levels->demanded &= ~bit(slot);
    levels->refused &= ~bit(slot);
    levels->owed &= ~bit(slot);
    levels->awaits_credit &= levels->watched != 0;
    find_next(levels);
}

void levels_transfer(level_counts *levels, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "levels of thread blocks", levels->blocks != NULL);
    HD_STATE_VALUE(stream, levels->watched);
    HD_STATE_VALUE(stream, levels->refused);
    HD_STATE_VALUE(stream, levels->owed);
    HD_STATE_VALUE(stream, levels->settled);
    HD_STATE_VALUE(stream, levels->next);
    HD_STATE_VALUE(stream, levels->demanded);
    HD_STATE_VALUE(stream, levels->awaits_credit);
    for (uint64_t left = levels->watched | levels->owed; left; left &= left - 1)
        HD_STATE_VALUE(stream, levels->blocks[__builtin_ctzll(left)]);
}
