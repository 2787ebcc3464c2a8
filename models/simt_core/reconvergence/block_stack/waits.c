/* SPDX-License-Identifier: MIT */
#include "block_stack.h"

#include <inttypes.h>

#include "instruction.h"
#include "lane_list.h"

#define PLACE_BYTES 192u

/* Lanes of the warp that are in a warp of the top entry, or are to be. */
static uint64_t running(const block_stack *u, const resident_block *b, uint32_t warp)
{
    uint64_t lanes = b->latch[u->index[warp]];
    for (uint32_t i = 0; i < b->made; i++)
        for (uint64_t left = u->paths[b->slots[i]].mask; left; left &= left - 1)
            if (block_stack_row(u, b->slots[i])[__builtin_ctzll(left)] == warp)
                lanes |= left & -left;
    return lanes;
}

static void describe_arrived(const resident_block *b, uint64_t lanes, const isa_program *program,
                             const hd_text_sink *sink)
{
    char text[LANE_LIST_BYTES], place[PLACE_BYTES];
    const block_entry *top = &b->stack.entries[b->stack.count - 1];
    const uint32_t at_transfer = b->arrival == ARRIVED_AT_TRANSFER;
    const uint32_t pc = at_transfer ? b->transfer.pc : top->stop_pc;
    isa_program_place(program, pc, place, sizeof place);
    sink->line(sink->context, "  lanes %s: have arrived at %s %s, wait for %" PRIu32 " warps of the block",
               lane_list(lanes, text), at_transfer ? "the branch" : "the reconvergence point",
               pc == ISA_RECONVERGE_AT_RETURN ? "of their return" : place, b->awaited);
}

static void describe_entry(const block_entry *entry, uint64_t lanes, const isa_program *program,
                           const hd_text_sink *sink)
{
    char text[LANE_LIST_BYTES], place[PLACE_BYTES];
    isa_program_place(program, entry->pc, place, sizeof place);
    if (entry->pc == ISA_RECONVERGE_AT_RETURN)
        sink->line(sink->context, "  lanes %s: have returned from call depth %" PRIu32 ", wait for others of the block",
                   lane_list(lanes, text), entry->depth);
    else
        sink->line(sink->context,
                   "  lanes %s: go on at %s, call depth %" PRIu32 ", when others of the block have run that go first",
                   lane_list(lanes, text), place, entry->depth);
}

void block_stack_describe(const reconvergence *unit, uint32_t warp, const isa_program *program,
                          const hd_text_sink *sink)
{
    const block_stack *u = (const block_stack *)unit;
    const resident_block *b = block_stack_of(u, warp);
    uint64_t seen = 0;
    for (uint32_t e = b->stack.count; e-- > 0;) {
        const uint64_t lanes = entry_masks(&b->stack, e)[u->index[warp]] & ~seen;
        const uint64_t arrived = e + 1 == b->stack.count ? lanes & ~running(u, b, warp) : 0;
        if (arrived)
            describe_arrived(b, arrived, program, sink);
        else if (lanes && e + 1 < b->stack.count)
            describe_entry(&b->stack.entries[e], lanes, program, sink);
        seen |= lanes;
    }
}

/* ---- Where one of them goes on ---------------------------------------------------------------------------------------------- */

/* The last of these entries that has the lane; count: none has. */
static uint32_t entry_with(const block_entries *list, uint32_t index, uint32_t lane)
{
    uint32_t e = list->count;
    while (e && !(entry_masks(list, e - 1)[index] >> lane & 1))
        e--;
    return e ? e - 1 : list->count;
}

/* Of a thread in this entry that runs in no warp. */
static uint32_t entry_pc(const resident_block *b, uint32_t e, uint32_t index, uint32_t lane)
{
    const block_entry *entry = &b->stack.entries[e];
    if (e + 1 < b->stack.count || b->latch[index] >> lane & 1)
        return entry->pc;
    return b->arrival == ARRIVED_AT_LIKELY_POINT ? entry->likely_pc : entry->stop_pc;
}

uint32_t block_stack_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    const block_stack *u = (const block_stack *)unit;
    const resident_block *b = block_stack_of(u, warp);
    const uint32_t index = u->index[warp];
    const uint32_t target = entry_with(&b->targets, index, lane), e = entry_with(&b->stack, index, lane);
    if (target < b->targets.count) {
        *pc = b->targets.entries[target].pc;
        return 1;
    }
    if (e == b->stack.count)
        return 0;
    *pc = entry_pc(b, e, index, lane);
    if (*pc == ISA_RECONVERGE_AT_RETURN)
        *pc = u->arrival_pcs[(size_t)warp * u->lanes + lane];
    return 1;
}
