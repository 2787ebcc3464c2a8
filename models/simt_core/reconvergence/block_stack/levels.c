/* SPDX-License-Identifier: MIT */
/* The stack of a block: where its threads part, meet again, and go on. */
#include "block_stack.h"

#include <string.h>

#include "stack.h"

/* A reconvergence point. */
typedef struct point {
    uint32_t pc, depth;
} point;

/* Where threads go on the way to their stop point, as in block_entry. */
typedef struct likely_point {
    uint32_t pc, at;
} likely_point;

static uint64_t *top_masks(const resident_block *b)
{
    return entry_masks(&b->stack, b->stack.count - 1);
}

/* The lowest entries make room for those on top. */
static void spill(block_stack *u, resident_block *b)
{
    if (b->stack.count - b->in_hardware <= block_stack_value(u, BLOCK_STACK_ENTRIES))
        return;
    b->in_hardware++;
    block_stack_count(u, BLOCK_STACK_SPILLS, 1);
}

/* The top entry is looked at. Has it been spilled? */
static uint32_t fill(block_stack *u, resident_block *b)
{
    if (b->stack.count > b->in_hardware)
        return 0;
    b->in_hardware = b->stack.count - 1;
    block_stack_count(u, BLOCK_STACK_FILLS, 1);
    return 1;
}

void levels_push(block_stack *u, resident_block *b, block_entry entry, const uint64_t *masks)
{
    memcpy(entries_add(&b->stack, entry), masks, b->warps * sizeof *masks);
    spill(u, b);
    u->maximum_depth = b->stack.count > u->maximum_depth ? b->stack.count : u->maximum_depth;
}

/* ---- Lanes part -------------------------------------------------------------------------------------------------------------- */

static uint32_t lowest_thread(const block_stack *u, const resident_block *b, uint32_t target)
{
    const uint64_t *masks = entry_masks(&b->targets, target);
    uint32_t warp = 0;
    while (warp + 1 < b->warps && !masks[warp])
        warp++;
    return warp * u->lanes + (masks[warp] ? (uint32_t)__builtin_ctzll(masks[warp]) : 0);
}

static uint32_t is_taken(const resident_block *b, uint32_t target)
{
    return b->transfer.is_branch && b->targets.entries[target].pc == b->transfer.target;
}

/* The taken side of a branch is the first one; of jumps by register that of the lowest thread. */
static uint32_t is_before(const block_stack *u, const resident_block *b, uint32_t target, uint32_t other)
{
    if (is_taken(b, target) != is_taken(b, other))
        return is_taken(b, target);
    return lowest_thread(u, b, target) < lowest_thread(u, b, other);
}

static uint32_t runs_before(const block_stack *u, const resident_block *b, uint32_t target, uint32_t other)
{
    const uint64_t first = block_stack_value(u, BLOCK_STACK_FIRST);
    const uint32_t threads = masks_threads(entry_masks(&b->targets, target), b->warps),
                   others = masks_threads(entry_masks(&b->targets, other), b->warps);
    if (first == FIRST_FEWER && threads != others)
        return threads < others;
    return is_before(u, b, target, other) == (first != FIRST_NOT_TAKEN);
}

/* Of those that are left the one that runs last. */
static uint32_t last_of(const block_stack *u, const resident_block *b)
{
    uint32_t last = 0;
    for (uint32_t target = 1; target < b->targets.count; target++)
        last = runs_before(u, b, last, target) ? target : last;
    return last;
}

static void take_target(block_entries *targets, uint32_t target)
{
    const uint32_t end = --targets->count;
    targets->entries[target] = targets->entries[end];
    memmove(entry_masks(targets, target), entry_masks(targets, end), targets->warps * sizeof *targets->masks);
}

static void add_threads(resident_block *b, uint32_t entry, const uint64_t *masks)
{
    uint64_t *to = entry_masks(&b->stack, entry);
    for (uint32_t i = 0; i < b->warps; i++)
        to[i] |= masks[i];
}

/* Pushes the targets that still have a way to go; the one that runs first ends on top. */
static void push_targets(block_stack *u, resident_block *b, point stop, likely_point likely)
{
    while (b->targets.count) {
        const uint32_t target = last_of(u, b);
        const block_entry to = {.pc = b->targets.entries[target].pc,
                                .depth = b->targets.entries[target].depth,
                                .stop_pc = stop.pc,
                                .stop_depth = stop.depth,
                                .likely_pc = likely.pc,
                                .likely_at = likely.at};
        if (block_entry_meets(&to, to.pc, to.depth))
            add_threads(b, likely.at, entry_masks(&b->targets, target));
        else if (!block_entry_stops(&to, to.pc, to.depth)) /* else PRUNE */
            levels_push(u, b, to, entry_masks(&b->targets, target));
        take_target(&b->targets, target);
    }
}

static void push_likely(block_stack *u, resident_block *b, point meet, likely_point inherited, uint32_t pc)
{
    static const uint64_t nobody[MAX_WARPS];
    levels_push(u, b,
                (block_entry){.pc = pc,
                              .depth = meet.depth,
                              .stop_pc = meet.pc,
                              .stop_depth = meet.depth,
                              .likely_pc = inherited.pc,
                              .likely_at = inherited.at},
                nobody);
}

/* The top entry's threads go to the targets, to meet again; and most of those that part there, at likely_pc, if that is not 0. */
static void part(block_stack *u, resident_block *b, point meet, uint32_t likely_pc)
{
    block_entry *top = block_stack_top(b);
    likely_point likely = {0};
    if (block_entry_stops(top, meet.pc, meet.depth)) {
        likely = (likely_point){top->likely_pc, top->likely_at};
        b->stack.count--; /* TAIL-MERGE */
    } else {
        top->pc = meet.pc;
        top->depth = meet.depth;
    }
    if (likely_pc && b->targets.count > 1 && likely_pc != meet.pc && likely_pc != likely.pc) {
        push_likely(u, b, meet, likely, likely_pc);
        likely = (likely_point){likely_pc, b->stack.count - 1};
    }
    push_targets(u, b, meet, likely);
}

/* Threads that return together go to the targets, at one depth: as with a stack of a warp. */
static void go(block_stack *u, resident_block *b)
{
    block_entry *top = block_stack_top(b);
    const block_entry to = b->targets.entries[0];
    if (b->targets.count > 1) {
        const uint32_t inside = top->stop_pc != NO_STOP && top->stop_depth == to.depth;
        part(u, b, (point){inside ? top->stop_pc : ISA_RECONVERGE_AT_RETURN, to.depth}, 0);
        return;
    }
    top->pc = to.pc;
    top->depth = to.depth;
    b->targets.count = 0;
}

/* The top entry's threads have all returned: they go on where each returned to. */
static void take_arrivals(block_stack *u, resident_block *b)
{
    const uint32_t depth = block_stack_top(b)->depth - 1;
    const uint64_t *masks = top_masks(b);
    b->transfer.is_branch = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        for (uint64_t left = masks[i]; left; left &= left - 1) {
            const size_t thread = (size_t)b->slots[i] * u->lanes + (uint32_t)__builtin_ctzll(left);
            entries_at(&b->targets, u->arrival_pcs[thread], depth)[i] |= left & -left;
        }
    go(u, b);
}

static void transfer(block_stack *u, resident_block *b)
{
    const block_transfer *t = &b->transfer;
    const uint32_t returns = b->targets.entries[0].depth < t->depth;
    if (!t->is_branch && (returns || b->targets.count == 1))
        go(u, b);
    else
        part(u, b, (point){t->meeting_pc, t->depth}, t->likely_pc);
}

uint32_t levels_advance(block_stack *u, resident_block *b)
{
    uint32_t filled = 0;
    if (b->arrival == ARRIVED_AT_LIKELY_POINT)
        add_threads(b, block_stack_top(b)->likely_at, top_masks(b));
    if (b->arrival == ARRIVED_AT_POINT || b->arrival == ARRIVED_AT_LIKELY_POINT)
        b->stack.count--;
    else if (b->arrival == ARRIVED_AT_TRANSFER)
        transfer(u, b);
    while (b->stack.count) {
        filled += fill(u, b);
        const block_entry *top = block_stack_top(b);
        if (block_entry_meets(top, top->pc, top->depth))
            add_threads(b, top->likely_at, top_masks(b));
        if (!masks_any(top_masks(b), b->warps) || block_entry_stops(top, top->pc, top->depth) ||
            block_entry_meets(top, top->pc, top->depth))
            b->stack.count--;
        else if (top->pc == ISA_RECONVERGE_AT_RETURN)
            take_arrivals(u, b);
        else
            break;
    }
    return filled;
}
