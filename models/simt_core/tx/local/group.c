/* SPDX-License-Identifier: MIT */
/* Blocks: their shadow memory, and warps that are alone in one. */
#include "tx/local/local.h"

#include <assert.h>

hd_scratchpad_rows local_scratchpad_rows(const tx *unit)
{
    const local *l = (const local *)unit;
    return (hd_scratchpad_rows){
        .bytes = (uint16_t)(4 * l->t->core.scratchpad_banks), .backups = 1, .owned = SHADOW_OWNERS_PER_WORD};
}

void local_open_ownership(local *l, local_group *group)
{
    group->ownership = (ownership){
        .algorithm = (uint32_t)local_parameter(l, LOCAL_DETECTION),
        .release = (uint32_t)local_parameter(l, LOCAL_SHARED_RELEASE),
        .lanes = l->t->core.lane_count,
        .layout = group->ownership.layout,
        .bytes = memory_scratchpad(l->t->core.memory) + group->offset,
    };
    ownership_open(&group->ownership, &l->words, group->offset / 4);
}

static void open_group(local *l, local_group *group, const tx_block *block)
{
    const uint64_t threads =
        (uint64_t)block->grid->block_size[0] * block->grid->block_size[1] * block->grid->block_size[2];
    group->number = block->number;
    group->warp_count = block->warps;
    group->offset = block->scratchpad_offset;
    group->fits = threads <= OWNERSHIP_THREADS && block->warps <= OWNERSHIP_WARPS;
    block_turn_reset(&group->turn);
    group->ownership.layout =
        (shadow_layout){.banks = l->t->core.scratchpad_banks,
                        .rows = shadow_rows_of(l->t->core.scratchpad_banks, block->grid->scratchpad_bytes),
                        .is_flat = (uint32_t)local_parameter(l, LOCAL_LAYOUT)};
    local_open_ownership(l, group);
}

void local_new_warp(tx *unit, uint32_t warp)
{
    local *l = (local *)unit;
    const tx_block block = l->t->core.port->block_of(l->t->core.context, warp);
    local_group *group = &l->groups[block.slot];
    l->warps[warp] =
        (local_warp){.group = block.slot, .index = block.index, .finishes = UINT64_MAX, .stands = UINT64_MAX};
    if (group->number != block.number)
        open_group(l, group, &block);
    if (block.index < OWNERSHIP_WARPS)
        group->warps[block.index] = warp;
}

void local_wake(local *l, uint64_t edge)
{
    l->next = edge < l->next ? edge : l->next;
    tx_wake(l->t, edge);
}

void local_take_back(local *l, uint32_t warp, uint64_t lanes)
{
    ownership *o = &local_group_of(l, warp)->ownership;
    uint32_t restored[BANK_STEPS_BANKS] = {0};
    for (uint64_t left = lanes; left; left &= left - 1)
        ownership_abort(o, local_thread_of(l, warp, (uint32_t)__builtin_ctzll(left)), restored);
    const uint32_t cycles = bank_restore_cycles(o, &l->timing, restored);
    *local_counter(l, LOCAL_RESTORE_CYCLES) += cycles;
    const uint64_t ready = l->t->core.now->n + cycles;
    if (cycles && ready > l->warps[warp].ready) {
        l->warps[warp].ready = ready;
        local_wake(l, ready);
    }
}

/* Whatever its attempt has done is taken back; it waits, and begins again. */
static void give_way(local *l, uint32_t warp, uint32_t winner)
{
    local_warp *lw = &l->warps[warp];
    const tx_warp *w = tx_warp_of(l->t, warp);
    lw->gives_way = 1;
    warp_turn_give_way(&lw->turn);
    tx_abort_for(l->t, warp, tx_running(l->t, warp),
                 &(tx_cause){.reason = TX_OWN_REASONS + LOCAL_ABORTS_GAVE_WAY,
                             .pc = w->state > TX_RUN ? w->commit_pc : l->t->core.paths[w->path].pc,
                             .winner = tx_global_warp(l->t, winner),
                             .winner_pc = tx_warp_of(l->t, winner)->begin_pc});
    ownership_end_attempt(&local_group_of(l, warp)->ownership, lw->index);
}

void local_grant(local *l, local_group *group)
{
    const uint32_t index = block_turn_grant(&group->turn);
    if (index == TURN_NOBODY)
        return;
    const uint32_t alone = group->warps[index];
    uint64_t ready = l->t->core.now->n;
    for (uint32_t i = 0; i < group->warp_count; i++) {
        const uint32_t warp = group->warps[i];
        if (i != index && l->warps[warp].is_running && !l->warps[warp].gives_way)
            give_way(l, warp, alone);
        ready = l->warps[warp].ready > ready ? l->warps[warp].ready : ready;
    }
    ownership_clear_shared(&group->ownership);
    assert(!group->ownership.set_count && "who is alone meets nobody's words");
    l->warps[alone].turn.mode = TURN_IN_BLOCK;
    l->warps[alone].ready = ready;
}
