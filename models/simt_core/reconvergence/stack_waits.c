/* SPDX-License-Identifier: MIT */
/* A look at the stack: which lanes wait, for whom, and where they go on. */
#include "stack_state.h"

#include "instruction.h"
#include "lane_list.h"

#define PLACE_BYTES 192u

/* Lanes of the entry wait at its pc for others of it, or have yet to run from there. */
static void describe_entry(const stack_entry *entry, uint64_t above, const isa_program *program,
                           const hd_text_sink *sink)
{
    char waiting[LANE_LIST_BYTES], others[LANE_LIST_BYTES], place[PLACE_BYTES];
    uint64_t awaited = entry->mask & above;
    lane_list(entry->mask & ~above, waiting);
    lane_list(awaited ? awaited : above, others);
    isa_program_place(program, entry->pc, place, sizeof place);
    if (!awaited)
        sink->line(sink->context, "  lanes %s: at %s, call depth %u, have yet to run; lanes %s go first", waiting,
                   place, entry->depth, others);
    else if (entry->pc == ISA_RECONVERGE_AT_RETURN)
        sink->line(sink->context, "  lanes %s: have returned from call depth %u, wait for lanes %s", waiting,
                   entry->depth, others);
    else
        sink->line(sink->context, "  lanes %s: wait at reconvergence point %s, call depth %u, for lanes %s", waiting,
                   place, entry->depth, others);
}

static void describe_aborted(const stack_entry *entry, const isa_program *program, const hd_text_sink *sink)
{
    char lanes[LANE_LIST_BYTES], place[PLACE_BYTES];
    isa_program_place(program, entry->pc, place, sizeof place);
    if (entry->mask)
        sink->line(sink->context, "  lanes %s: their transaction aborted, wait to start again at %s",
                   lane_list(entry->mask, lanes), place);
}

void stack_describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    const warp_stack *ws = &((const stack *)unit)->warps[warp];
    uint64_t above = ws->size > 0 ? ws->entries[ws->size - 1].mask : 0;
    for (uint32_t e = ws->size; e-- > 1;) {
        const stack_entry *entry = &ws->entries[e - 1];
        if (entry->type == ENTRY_RETRY)
            describe_aborted(entry, program, sink);
        else if (entry->mask & ~above)
            describe_entry(entry, above, program, sink);
        above |= entry->mask;
    }
}

/* In the highest entry that has it. */
uint32_t stack_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    const warp_stack *ws = &((const stack *)unit)->warps[warp];
    uint32_t e = ws->size;
    while (e && !(ws->entries[e - 1].mask >> lane & 1))
        e--;
    if (!e)
        return 0;
    const uint32_t at = ws->entries[e - 1].pc;
    *pc = at == ISA_RECONVERGE_AT_RETURN ? ws->arrival_pcs[lane] : at;
    return 1;
}

uint32_t stack_size(const reconvergence *unit, uint32_t warp)
{
    return ((const stack *)unit)->warps[warp].size;
}

stack_entry stack_entry_at(const reconvergence *unit, uint32_t warp, uint32_t index)
{
    const stack *s = (const stack *)unit;
    stack_entry entry = s->warps[warp].entries[index];
    if (index + 1 == s->warps[warp].size) {
        entry.pc = s->paths[warp].pc;
        entry.depth = s->paths[warp].depth;
    }
    return entry;
}
