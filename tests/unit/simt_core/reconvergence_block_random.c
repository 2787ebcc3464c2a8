/* SPDX-License-Identifier: MIT */
/*
 * Random programs on a block of several warps, with its warps in any order: each thread runs through the blocks of code that it runs
 * through alone. After each step the warps that the block awaits are those that exist and those that are in the compactor.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_stack/block_stack.h"
#include "likely.h"
#include "reconvergence_random_program.h"
#include "reconvergence_rig.h"

#define PROGRAMS 3000u
#define MAX_THREADS 64u
#define MAX_STEPS 400000u

typedef struct block_run {
    rig r;
    program program;
    uint32_t lanes, warps, base; /* base: slot of the first warp */
    lane_state states[MAX_THREADS];
    outcome expected[MAX_THREADS]; /* where the thread is next */
    uint32_t live;
    uint64_t random, cycle, parted;
    uint32_t moves;  /* now and then */
    uint32_t likely; /* LIKELY_* */
} block_run;

static uint32_t dice(block_run *b, uint32_t sides)
{
    return (uint32_t)(random_next(&b->random) % sides);
}

static path *path_at(const block_run *b, uint32_t id)
{
    return &b->r.unit->paths(b->r.state)[id];
}

static uint32_t thread_of(const block_run *b, uint32_t id, uint32_t lane)
{
    return (b->r.unit->homes(b->r.state)[id * b->lanes + lane] - b->base) * b->lanes + lane;
}

static const block *block_of(const block_run *b, uint32_t pc)
{
    return &b->program.blocks[b->program.block_of[(pc - BASE_PC) / 4]];
}

static void check_threads(const block_run *b, uint32_t id)
{
    const path *p = path_at(b, id);
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const outcome *expected = &b->expected[thread_of(b, id, (uint32_t)__builtin_ctzll(left))];
        cr_assert(!expected->exits && expected->pc == p->pc && expected->depth == p->depth,
                  "seed %lu: a thread is at %x, depth %u, not at %x, %u", b->program.seed, p->pc, p->depth,
                  expected->pc, expected->depth);
    }
}

static path_event event_of(const block_run *b, uint32_t id, uint32_t kind)
{
    const path *p = path_at(b, id);
    return (path_event){.kind = kind, .path = id, .warp = p->warp, .pc = p->pc, .mask = p->mask, .cycle = b->cycle};
}

static void go_straight(block_run *b, uint32_t id)
{
    path *p = path_at(b, id);
    p->pc += 4;
    const path_event event = event_of(b, id, PATH_ARRIVED);
    if (p->pc == p->stop_pc && p->depth == p->stop_depth)
        b->r.unit->arrive(b->r.state, &event);
}

static enum path_transfer transfer_of(uint32_t kind)
{
    switch (kind) {
    case BRANCH: return PATH_TRANSFER_BRANCH;
    case JUMP:
    case CALL:
    case TAIL_CALL: return PATH_TRANSFER_JUMP;
    default: return PATH_TRANSFER_REGISTER;
    }
}

static uint32_t group(const block_run *b, uint32_t id, uint64_t mask, path_group *groups)
{
    uint32_t count = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        const outcome *to = &b->expected[thread_of(b, id, (uint32_t)__builtin_ctzll(left))];
        uint32_t g = 0;
        while (g < count && (groups[g].pc != to->pc || groups[g].depth != to->depth))
            g++;
        if (g == count)
            groups[count++] = (path_group){.pc = to->pc, .depth = to->depth};
        groups[g].mask |= left & -left;
    }
    return count;
}

/* The last instruction of a block of code. A tail call by all is a jump: by some it could not be. */
static void end_block(block_run *b, uint32_t id, const block *code)
{
    path_event event = event_of(b, id, PATH_BRANCHED);
    path_group groups[MAX_LANES];
    uint64_t exits = 0;
    for (uint64_t left = event.mask; left; left &= left - 1) {
        const uint32_t thread = thread_of(b, id, (uint32_t)__builtin_ctzll(left));
        b->expected[thread] = lane_step(&b->program, &b->states[thread], (uint32_t)(code - b->program.blocks));
        exits |= b->expected[thread].exits ? left & -left : 0;
    }
    if (exits) {
        path_event leaves = event_of(b, id, PATH_EXITED);
        leaves.mask = exits;
        b->live -= (uint32_t)__builtin_popcountll(exits);
        b->r.unit->exit(b->r.state, &leaves);
    }
    if (exits == event.mask)
        return;
    if (code->kind == FALL || code->kind == EXIT_SOME) {
        go_straight(b, id);
        return;
    }
    event.group_count = group(b, id, event.mask, groups);
    event.groups = groups;
    event.transfer = transfer_of(code->kind);
    if (event.transfer == PATH_TRANSFER_JUMP && event.group_count > 1)
        event.transfer = PATH_TRANSFER_REGISTER;
    event.target = code->kind == BRANCH ? program_pc(&b->program, code->targets[0]) : groups[0].pc;
    event.reconvergence_pc = code->reconvergence_pc;
    event.likely_pc = b->likely ? program_likely_pc(&b->program, code) : 0;
    b->parted += event.group_count > 1;
    b->r.unit->transfer(b->r.state, &event);
}

static void step(block_run *b, uint32_t id)
{
    const uint32_t pc = path_at(b, id)->pc, at = (pc - BASE_PC) / 4;
    const block *code = block_of(b, pc);
    if (at == code->first)
        check_threads(b, id);
    if (at + 1 == code->first + code->length)
        end_block(b, id, code);
    else
        go_straight(b, id);
}

static void check_awaited(const block_run *b)
{
    const resident_block *resident = block_stack_of((const block_stack *)b->r.state, b->base);
    uint32_t exist = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        exist += path_at(b, b->base + i)->mask != 0;
    if (!resident->stack.count) {
        cr_assert_eq(exist, 0);
        return;
    }
    cr_assert_eq(resident->awaited,
                 exist + (resident->by_rows ? static_warps(resident->latch, b->warps)
                                            : compacted_warps(resident->latch, b->warps)),
                 "seed %lu", b->program.seed);
}

/* Who is in no warp goes on where it was to. */
static void check_waiting(const block_run *b)
{
    uint32_t runs[MAX_THREADS] = {0};
    for (uint32_t id = b->base; id < b->base + b->warps; id++)
        for (uint64_t left = path_at(b, id)->mask; left; left &= left - 1)
            runs[thread_of(b, id, (uint32_t)__builtin_ctzll(left))] = 1;
    for (uint32_t thread = 0; thread < b->warps * b->lanes; thread++) {
        const uint32_t warp = b->base + thread / b->lanes, lane = thread % b->lanes;
        uint32_t pc = 0;
        if (runs[thread] || !(b->r.unit->live_lanes(b->r.state, warp) >> lane & 1))
            continue;
        cr_assert(b->r.unit->waiting_pc(b->r.state, warp, lane, &pc) && pc == b->expected[thread].pc,
                  "seed %lu: thread %u waits at %x, not %x", b->program.seed, thread, pc, b->expected[thread].pc);
    }
}

/* To the other half of the slots. */
static void move(block_run *b)
{
    static uint8_t bytes[1 << 16];
    uint32_t from[MAX_THREADS], to[MAX_THREADS];
    const uint32_t base = b->base ? 0 : b->warps;
    for (uint32_t i = 0; i < b->warps; i++) {
        from[i] = b->base + i;
    }
    byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
    b->r.unit->save(b->r.state, &(block_warps){from, b->warps}, &writer);
    cr_assert_not(writer.too_short);
    b->r.unit->drop(b->r.state, &(block_warps){from, b->warps});
    for (uint32_t i = 0; i < b->warps; i++)
        to[i] = base + i;
    byte_stream reader = byte_stream_reader(bytes, writer.at);
    cr_assert_eq(b->r.unit->restore(b->r.state, &(block_warps){to, b->warps}, &reader), 0, "seed %lu", b->program.seed);
    cr_assert_eq(reader.at, writer.at);
    b->base = base;
}

static void start(block_run *b, uint64_t seed)
{
    static const uint32_t shapes[][2] = {{2, 4}, {4, 1}, {4, 4}, {8, 2}, {8, 8}, {2, 1}, {16, 4}, {3, 5}};
    const uint64_t shape = seed % 8;
    const hd_value values[RIG_VALUES] = {[BLOCK_STACK_FIRST] = {.u = seed / 8 % 3},
                                         [BLOCK_STACK_COMPACTION] = {.u = seed % 7 != 0},
                                         [BLOCK_STACK_STATIC_WHEN_NO_GAIN] = {.u = seed % 3 == 0},
                                         [BLOCK_STACK_RESUME_WHEN_UNIFORM] = {.u = seed % 5 == 0},
                                         [BLOCK_STACK_DRAIN] = {.u = 1},
                                         [BLOCK_STACK_COMPACTORS] = {.u = 1 + seed % 2},
                                         [BLOCK_STACK_COMPACTOR_WARPS] = {.u = 1 + seed / 2 % 2},
                                         [BLOCK_STACK_COMPACTOR_LATENCY] = {.u = 1 + seed / 4 % 3},
                                         [BLOCK_STACK_ARRIVALS] = {.u = 1},
                                         [BLOCK_STACK_ENTRIES] = {.u = 1 + seed % 4},
                                         [BLOCK_STACK_FILL_LATENCY] = {.u = seed % 9},
                                         [BLOCK_STACK_LIKELY_POINTS] = {.u = b->likely}};
    uint32_t slots[MAX_THREADS];
    uint64_t masks[MAX_THREADS];
    b->lanes = shapes[shape][0];
    b->warps = shapes[shape][1];
    b->base = 0;
    b->cycle = 0;
    b->random = seed;
    const uint32_t threads = b->lanes * b->warps - (b->warps > 1 ? dice(b, b->lanes) : 0);
    b->live = threads;
    for (uint32_t i = 0; i < b->warps; i++) {
        const uint32_t left = threads - i * b->lanes;
        slots[i] = i;
        masks[i] = (UINT64_C(1) << (left < b->lanes ? left : b->lanes)) - 1;
    }
    for (uint32_t t = 0; t < MAX_THREADS; t++) {
        b->states[t].number = t;
        b->states[t].steps = b->states[t].calls = 0;
        b->expected[t] = (outcome){.pc = BASE_PC};
    }
    rig_start_with(&b->r, &reconvergence_block_stack, 2 * b->warps, b->lanes, values);
    b->r.unit->launch(b->r.state, &(block_warps){slots, b->warps}, BASE_PC, masks);
}

static void run(block_run *b)
{
    uint64_t steps = 0;
    while (b->live) {
        cr_assert_lt(steps++, MAX_STEPS, "seed %lu: no end", b->program.seed);
        const uint64_t next = b->r.unit->next(b->r.state, b->cycle);
        uint32_t chosen = NO_PATH, count = 0;
        for (uint32_t i = 0; i < b->warps; i++)
            if (path_at(b, b->base + i)->mask && dice(b, ++count) == 0)
                chosen = b->base + i;
        cr_assert(chosen != NO_PATH || next != UINT64_MAX, "seed %lu: threads are left, but no path", b->program.seed);
        b->cycle++;
        if (next == b->cycle)
            b->r.unit->due(b->r.state, b->cycle);
        if (chosen != NO_PATH)
            step(b, chosen);
        check_awaited(b);
        check_waiting(b);
        if (b->moves && dice(b, 8) == 0)
            move(b);
    }
    cr_assert_eq(b->r.added, b->r.removed, "seed %lu", b->program.seed);
    rig_stop(&b->r);
}

static void run_programs(uint64_t seed, uint32_t programs, uint32_t moves, uint32_t likely)
{
    block_run *b = calloc(1, sizeof *b);
    cr_assert_not_null(b);
    b->moves = moves;
    b->likely = likely;
    printf("seed %lu\n", seed);
    for (uint32_t made = 0; made < programs; seed++) {
        if (!program_make(&b->program, seed))
            continue;
        made++;
        start(b, seed);
        run(b);
    }
    cr_expect_gt(b->parted, programs);
    free(b);
}

Test(reconvergence_block_random, every_thread_of_a_block_runs_as_it_runs_alone)
{
    run_programs(20150301, PROGRAMS, 0, LIKELY_NONE);
}

Test(reconvergence_block_random, does_the_same_when_the_block_moves)
{
    run_programs(20150401, PROGRAMS / 4, 1, LIKELY_NONE);
}

Test(reconvergence_block_random, does_the_same_with_any_likely_convergence_points)
{
    run_programs(20150501, PROGRAMS, 0, LIKELY_BY_LOOPS);
    run_programs(20150601, PROGRAMS / 4, 1, LIKELY_BY_LOOPS);
}
