/* SPDX-License-Identifier: MIT */
/* The thread compactor: a priority encoder per lane, over the warps of the block. Fung 2015 §3.3.2. */
#include <string.h>

#include "bits.h"
#include "block_stack.h"
#include "lane_homes.h"

#define PLANES 9u /* of a count of warps, MAX_WARPS included */

/* Counts each lane's threads, a bit of all counts in each plane; then the largest, bit by bit. */
uint32_t compacted_warps(const uint64_t *masks, uint32_t warps)
{
    uint64_t planes[PLANES] = {0}, largest = UINT64_MAX;
    uint32_t most = 0;
    for (uint32_t i = 0; i < warps; i++) {
        uint64_t carry = masks[i];
        for (uint32_t plane = 0; carry; plane++) {
            const uint64_t next = planes[plane] & carry;
            planes[plane] ^= carry;
            carry = next;
        }
    }
    for (uint32_t plane = PLANES; plane-- > 0;) {
        if (!(planes[plane] & largest))
            continue;
        largest &= planes[plane];
        most |= 1u << plane;
    }
    return most;
}

static uint64_t put(uint64_t *from, uint64_t lanes, uint32_t warp, uint32_t *rows)
{
    *from &= ~lanes;
    for (uint64_t left = lanes; left; left &= left - 1)
        rows[__builtin_ctzll(left)] = warp;
    return lanes;
}

uint64_t compactor_take(uint64_t *latch, uint32_t warps, uint32_t by_rows, uint32_t *rows)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i < warps && !(by_rows && taken); i++)
        taken |= put(&latch[i], latch[i] & ~taken, i, rows);
    return taken;
}

uint32_t static_warps(const uint64_t *masks, uint32_t warps)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < warps; i++)
        count += masks[i] != 0;
    return count;
}

void compactor_add(block_stack *u, resident_block *b, uint64_t cycle)
{
    const uint64_t *masks = entry_masks(&b->stack, b->stack.count - 1);
    const uint32_t rows = static_warps(masks, b->warps), fewest = compacted_warps(masks, b->warps);
    b->by_rows = !block_stack_value(u, BLOCK_STACK_COMPACTION) ||
                 (rows == fewest && block_stack_value(u, BLOCK_STACK_STATIC_WHEN_NO_GAIN));
    memcpy(b->compacted, masks, b->warps * sizeof *masks);
    memcpy(b->latch, masks, b->warps * sizeof *masks);
    b->awaited = b->by_rows ? rows : fewest;
    b->made = 0;
    block_stack_count(u, BLOCK_STACK_WARPS_MADE, b->awaited);
    block_stack_count(u, BLOCK_STACK_WARPS_SAVED, rows - b->awaited);
    compactor_resume(u, b, cycle);
}

void compactor_resume(block_stack *u, const resident_block *b, uint64_t cycle)
{
    u->queue[u->queued++] =
        (compaction){.block = b->first, .cycle = cycle + block_stack_value(u, BLOCK_STACK_COMPACTOR_LATENCY)};
}

uint32_t compactor_make(block_stack *u, resident_block *b)
{
    const block_entry *top = &b->stack.entries[b->stack.count - 1];
    const uint32_t path = b->slots[b->made++];
    uint32_t *row = block_stack_row(u, path);
    struct path *p = &u->paths[path];
    p->mask = compactor_take(b->latch, b->warps, b->by_rows, row);
    for (uint64_t left = p->mask; left; left &= left - 1)
        row[__builtin_ctzll(left)] = b->slots[row[__builtin_ctzll(left)]];
    p->pc = top->pc;
    p->depth = top->depth;
    block_stack_set_stop(b, p);
    p->home = homes_common(row, p->mask);
    u->arrived[path] = 0;
    return path;
}

/* The warps of the launch are dealt out among those that have been made of them, of which there are no more. */
uint32_t compactor_launch_warps(const block_stack *u, uint32_t path)
{
    const resident_block *b = block_stack_of(u, path);
    const uint32_t all = static_warps(b->compacted, b->warps),
                   made = b->by_rows ? all : compacted_warps(b->compacted, b->warps);
    return all / made + (u->index[path] < all % made);
}

/* Those that have been served make room for others, from the next cycle on. */
static void take_out_served(block_stack *u, uint32_t served, uint64_t cycle)
{
    const uint32_t compactors = (uint32_t)block_stack_value(u, BLOCK_STACK_COMPACTORS);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < u->queued; i++) {
        if (!masks_any(u->blocks[u->queue[i].block].latch, u->blocks[u->queue[i].block].warps))
            continue;
        u->queue[kept] = u->queue[i];
        if (i >= served && kept < compactors && u->queue[kept].cycle <= cycle)
            u->queue[kept].cycle = cycle + 1;
        kept++;
    }
    u->queued = kept;
}

static uint32_t in_compactors(const block_stack *u)
{
    const uint64_t compactors = block_stack_value(u, BLOCK_STACK_COMPACTORS);
    return u->queued < compactors ? u->queued : (uint32_t)compactors;
}

void compactor_work(block_stack *u, uint64_t cycle)
{
    const uint32_t served = in_compactors(u);
    for (uint32_t i = 0; i < served; i++) {
        resident_block *b = &u->blocks[u->queue[i].block];
        if (u->queue[i].cycle > cycle)
            continue;
        block_stack_count(u, BLOCK_STACK_COMPACTOR_CYCLES, 1);
        u->queue[i].cycle = cycle + 1;
        for (uint64_t left = block_stack_value(u, BLOCK_STACK_COMPACTOR_WARPS); left && masks_any(b->latch, b->warps);
             left--)
            u->events.added(u->events.context, compactor_make(u, b));
    }
    take_out_served(u, served, cycle);
}

uint64_t compactor_next(const block_stack *u, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < in_compactors(u); i++)
        next = u->queue[i].cycle < next ? u->queue[i].cycle : next;
    return next > cycle ? next : cycle + 1;
}

void compactor_drop(block_stack *u, const resident_block *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < u->queued; i++)
        if (u->queue[i].block != b->first)
            u->queue[kept++] = u->queue[i];
    u->queued = kept;
}
