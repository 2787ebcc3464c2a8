/* SPDX-License-Identifier: MIT */
#include "block_stack_rig.h"

#include <criterion/criterion.h>

void block_start(rig *r, enum block_stack_parameter parameter, uint64_t value)
{
    hd_value values[RIG_VALUES] = {[BLOCK_STACK_COMPACTION] = {.u = 1},        [BLOCK_STACK_DRAIN] = {.u = 1},
                                   [BLOCK_STACK_COMPACTORS] = {.u = 1},        [BLOCK_STACK_COMPACTOR_WARPS] = {.u = 1},
                                   [BLOCK_STACK_COMPACTOR_LATENCY] = {.u = 1}, [BLOCK_STACK_ARRIVALS] = {.u = 1},
                                   [BLOCK_STACK_ENTRIES] = {.u = 16},          [BLOCK_STACK_FILL_LATENCY] = {.u = 400}};
    if (parameter != BLOCK_STACK_PARAMETERS)
        values[parameter].u = value;
    rig_start_with(r, &reconvergence_block_stack, WARPS, LANES, values);
}

void block_launch(rig *r, uint32_t slot, uint32_t threads, uint32_t pc)
{
    uint32_t slots[WARPS];
    uint64_t masks[WARPS];
    const uint32_t warps = (threads + LANES - 1) / LANES;
    for (uint32_t i = 0; i < warps; i++) {
        slots[i] = slot + i;
        masks[i] = i + 1 < warps || threads % LANES == 0 ? (1u << LANES) - 1 : (1u << threads % LANES) - 1;
    }
    r->unit->launch(r->state, &(block_warps){slots, warps}, pc, masks);
}

const block_stack *block_unit(const rig *r)
{
    return (const block_stack *)r->state;
}

const resident_block *block_at(const rig *r, uint32_t slot)
{
    return block_stack_of(block_unit(r), slot);
}

path *block_path(const rig *r, uint32_t path)
{
    return &r->unit->paths(r->state)[path];
}

static uint32_t thread_of(const rig *r, uint32_t path, uint32_t lane)
{
    const uint32_t slot = r->unit->homes(r->state)[path * LANES + lane];
    return block_unit(r)->index[slot] * LANES + lane + 1;
}

uint64_t block_threads_of(const rig *r, uint32_t path)
{
    uint64_t threads = 0;
    for (uint64_t left = block_path(r, path)->mask; left; left &= left - 1)
        threads |= T(thread_of(r, path, (uint32_t)__builtin_ctzll(left)));
    return threads;
}

uint64_t block_threads_in(const rig *r, uint32_t slot, uint32_t entry)
{
    const resident_block *b = block_at(r, slot);
    uint64_t threads = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        threads |= entry_masks(&b->stack, entry)[i] << (i * LANES + 1);
    return threads;
}

static path_event event_of(const rig *r, uint32_t path, uint32_t kind, uint64_t cycle)
{
    const struct path *p = block_path(r, path);
    return (path_event){.kind = kind, .path = path, .warp = p->warp, .pc = p->pc, .mask = p->mask, .cycle = cycle};
}

static uint64_t lanes_of(const rig *r, uint32_t path, uint64_t threads)
{
    uint64_t lanes = 0;
    for (uint64_t left = block_path(r, path)->mask; left; left &= left - 1)
        lanes |= threads & T(thread_of(r, path, (uint32_t)__builtin_ctzll(left))) ? left & -left : 0;
    return lanes;
}

void block_branch(rig *r, uint32_t path, uint64_t taken, uint32_t target, uint32_t meeting_pc, uint64_t cycle)
{
    block_branch_likely(r, path, taken, target, meeting_pc, 0, cycle);
}

void block_branch_likely(rig *r, uint32_t path, uint64_t taken, uint32_t target, uint32_t meeting_pc,
                         uint32_t likely_pc, uint64_t cycle)
{
    path_event event = event_of(r, path, PATH_BRANCHED, cycle);
    path_group groups[2];
    event.taken = lanes_of(r, path, taken);
    event.target = target;
    event.transfer = PATH_TRANSFER_BRANCH;
    event.reconvergence_pc = meeting_pc;
    event.likely_pc = likely_pc;
    event.groups = groups;
    event.group_count = groups_of_branch(block_path(r, path), event.taken, target, groups);
    r->unit->transfer(r->state, &event);
}

void block_jump(rig *r, uint32_t path, uint32_t pc, uint64_t cycle)
{
    path_event event = event_of(r, path, PATH_BRANCHED, cycle);
    const path_group to = {.mask = event.mask, .pc = pc, .depth = block_path(r, path)->depth};
    event.taken = event.mask;
    event.target = pc;
    event.transfer = PATH_TRANSFER_JUMP;
    event.groups = &to;
    event.group_count = 1;
    r->unit->transfer(r->state, &event);
}

void block_walk(rig *r, uint32_t path, uint64_t cycle)
{
    block_path(r, path)->pc = block_path(r, path)->stop_pc;
    const path_event event = event_of(r, path, PATH_ARRIVED, cycle);
    r->unit->arrive(r->state, &event);
}

void block_leave(rig *r, uint32_t path, uint64_t threads, uint64_t cycle)
{
    path_event event = event_of(r, path, PATH_EXITED, cycle);
    event.mask = lanes_of(r, path, threads);
    r->unit->exit(r->state, &event);
}

uint64_t block_compact(rig *r, uint64_t cycle)
{
    uint64_t next;
    while ((next = r->unit->next(r->state, cycle)) != UINT64_MAX) {
        cycle = next;
        r->unit->due(r->state, cycle);
    }
    return cycle + 1;
}

void block_expect(const rig *r, int line, uint32_t slot, const level *levels, uint32_t count)
{
    const resident_block *b = block_at(r, slot);
    cr_assert_eq(b->stack.count, count, "line %d: %u entries", line, b->stack.count);
    for (uint32_t e = 0; e < count; e++) {
        const block_entry *entry = &b->stack.entries[e];
        cr_assert(entry->pc == levels[e].pc && entry->stop_pc == levels[e].stop_pc &&
                      block_threads_in(r, slot, e) == levels[e].threads,
                  "line %d, entry %u: pc %x, stop %x, threads %lx", line, e, entry->pc, entry->stop_pc,
                  block_threads_in(r, slot, e));
    }
}
