/* SPDX-License-Identifier: MIT */
/*
 * Random programs, run by a small interpreter on the units. Three oracles:
 * - each lane's blocks and call depths must be those it runs through alone;
 * - mimd does the same with every lane by itself;
 * - the stack issues what post-dominator reconvergence says if it is written as a recursion: run each side up to the
 *   meeting point, then go on together. That has neither a stack nor TAIL-MERGE nor PRUNE.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "reconvergence_random_program.h"
#include "reconvergence_rig.h"

#define PROGRAMS 3000u
#define MOVED_PROGRAMS 500u
#define MAX_TRACE 4096u
#define MAX_ISSUES 200000u

typedef struct step {
    uint32_t block;
    uint32_t depth;
} step;

typedef struct issue {
    uint64_t mask;
    uint32_t pc;
} issue;

typedef struct run {
    const program *program;
    uint32_t lanes;
    uint32_t first;
    uint64_t moving; /* state of a generator: now and then the warp moves to another slot; 0 = it stays */
    step traces[MAX_LANES][MAX_TRACE]; /* of each lane alone */
    uint32_t trace_lengths[MAX_LANES];
    lane_state states[MAX_LANES];
    uint32_t positions[MAX_LANES]; /* in its trace */
    issue issues[MAX_ISSUES];
    uint32_t issue_count;
    uint32_t expected_count;
    outcome places[MAX_LANES]; /* of the recursion */
    issue expected[MAX_ISSUES];
} run;

static void restart(run *r)
{
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        r->states[lane].number = lane;
        r->states[lane].steps = 0;
        r->states[lane].calls = 0;
        r->positions[lane] = 0;
    }
}

static const block *block_at(const run *r, uint32_t pc)
{
    return &r->program->blocks[r->program->block_of[(pc - BASE_PC) / 4]];
}

static uint32_t is_first(const run *r, uint32_t pc)
{
    return (pc - BASE_PC) / 4 == block_at(r, pc)->first;
}

static uint32_t is_last(const run *r, uint32_t pc)
{
    return (pc - BASE_PC) / 4 + 1 == block_at(r, pc)->first + block_at(r, pc)->length;
}

/* 0: a trace is too long. */
static uint32_t run_alone(run *r)
{
    restart(r);
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        outcome at = {.pc = BASE_PC};
        uint32_t length = 0;
        while (!at.exits) {
            const uint32_t b = r->program->block_of[(at.pc - BASE_PC) / 4];
            if (length == MAX_TRACE || r->states[lane].calls == MAX_CALLS) {
                return 0;
            }
            r->traces[lane][length++] = (step){b, at.depth};
            at = lane_step(r->program, &r->states[lane], b);
        }
        r->trace_lengths[lane] = length;
    }
    return 1;
}

/* Lanes that go to the same place; in the order of their first lanes, but the taken side of a branch first. */
static uint32_t group(const outcome *places, uint64_t mask, const run *r, const block *from, path_group *groups)
{
    uint32_t count = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const outcome to = places[__builtin_ctzll(rest)];
        uint32_t g = 0;
        while (g < count && (groups[g].pc != to.pc || groups[g].depth != to.depth)) {
            g++;
        }
        if (g == count) {
            groups[count++] = (path_group){0, to.pc, to.depth};
        }
        groups[g].mask |= rest & -rest;
    }
    if (count == 2 && from && from->kind == BRANCH && groups[1].pc == program_pc(r->program, from->targets[0])) {
        const path_group taken = groups[1];
        groups[1] = groups[0];
        groups[0] = taken;
    }
    return count;
}

/* ---- On a unit ---- */

static void check_traces(run *r, const path *p)
{
    for (uint64_t rest = p->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        const uint32_t at = r->positions[lane]++;
        cr_assert_lt(at, r->trace_lengths[lane], "seed %llu", (unsigned long long)r->program->seed);
        const step expected = r->traces[lane][at];
        cr_assert(p->pc == program_pc(r->program, expected.block) && p->depth == expected.depth,
                  "seed %llu, lane %u, block %u of its trace: pc %x, depth %u instead of %x, %u",
                  (unsigned long long)r->program->seed, lane, at, p->pc, p->depth,
                  program_pc(r->program, expected.block), expected.depth);
    }
}

static void go_straight(rig *g, uint32_t id)
{
    path *p = &g->unit->paths(g->state)[id];
    p->pc += 4;
    if (p->pc == p->stop_pc && p->depth == p->stop_depth) {
        tell_arrive(g->unit, g->state, id);
    }
}

static void end_block(rig *g, run *r, uint32_t id)
{
    const path *p = &g->unit->paths(g->state)[id];
    const block *b = block_at(r, p->pc);
    const uint64_t mask = p->mask;
    outcome places[MAX_LANES];
    path_group groups[MAX_LANES];
    uint64_t exits = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        places[lane] = lane_step(r->program, &r->states[lane], (uint32_t)(b - r->program->blocks));
        exits |= places[lane].exits ? rest & -rest : 0;
    }
    if (exits) {
        tell_exit(g->unit, g->state, id, exits);
    }
    if (exits == mask) {
        return;
    }
    if (b->kind == FALL || b->kind == EXIT_SOME) {
        go_straight(g, id);
        return;
    }
    const uint32_t count = group(places, mask, r, b, groups);
    tell_transfer(g->unit, g->state, id, groups, count, b->reconvergence_pc);
}

static void issue_one(rig *g, run *r, uint32_t id)
{
    const path *p = &g->unit->paths(g->state)[id];
    cr_assert_lt(r->issue_count, MAX_ISSUES, "seed %llu", (unsigned long long)r->program->seed);
    r->issues[r->issue_count++] = (issue){p->mask, p->pc};
    if (is_first(r, p->pc)) {
        check_traces(r, p);
    }
    if (is_last(r, p->pc)) {
        end_block(g, r, id);
    } else {
        go_straight(g, id);
    }
}

static uint32_t move(rig *g, uint32_t warp)
{
    uint8_t bytes[8192];
    byte_stream counter = byte_stream_counter();
    rig_save(g, warp, &counter);
    cr_assert_leq(counter.at, sizeof bytes);
    byte_stream writer = byte_stream_writer(bytes, counter.at), reader = byte_stream_reader(bytes, counter.at);
    rig_save(g, warp, &writer);
    rig_drop(g, warp);
    cr_assert_eq(g->unit->live_lanes(g->state, warp), 0);
    cr_assert_eq(rig_restore(g, !warp, &reader), 0);
    cr_assert_eq(reader.at, counter.at);
    return !warp;
}

static void run_on(run *r, const reconvergence_unit *unit)
{
    rig g;
    uint32_t warp = 0;
    const uint64_t all = UINT64_MAX >> (64 - r->lanes);
    restart(r);
    r->issue_count = 0;
    rig_start(&g, unit, 2, r->lanes, r->first);
    rig_launch(&g, 0, BASE_PC, all);
    const uint32_t paths = g.unit->path_count(g.state);
    while (g.unit->live_lanes(g.state, warp)) {
        const uint32_t before = r->issue_count;
        for (uint32_t id = 0; id < paths; id++) {
            const path *p = &g.unit->paths(g.state)[id];
            if (p->mask) {
                cr_assert_eq(p->mask & ~g.unit->live_lanes(g.state, warp), 0);
                issue_one(&g, r, id);
            }
        }
        cr_assert_neq(r->issue_count, before, "seed %llu: lanes are left, but no path",
                      (unsigned long long)r->program->seed);
        if (r->moving && random_next(&r->moving) % 4 == 0) {
            warp = move(&g, warp);
        }
    }
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        cr_assert_eq(r->positions[lane], r->trace_lengths[lane], "seed %llu: lane %u ended early",
                     (unsigned long long)r->program->seed, lane);
    }
    cr_assert_eq(g.added, g.removed);
    cr_assert_leq(g.unit->maximum_depth(g.state), 2 * r->lanes - 1);
    rig_stop(&g);
}

/* ---- As a recursion ---- */

typedef struct meeting {
    uint32_t pc;
    uint32_t depth;
} meeting;

/* Does the later group b run before a? */
static int runs_before(const run *r, path_group b, path_group a)
{
    const int fewer = __builtin_popcountll(b.mask) < __builtin_popcountll(a.mask);
    return r->first == FIRST_NOT_TAKEN || (r->first == FIRST_FEWER && fewer);
}

static void put_in_order(const run *r, path_group *groups, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const path_group moved = groups[i];
        uint32_t at = i;
        for (; at > 0 && runs_before(r, moved, groups[at - 1]); at--) {
            groups[at] = groups[at - 1];
        }
        groups[at] = moved;
    }
}

/* Executes at the place all of mask stand at; the lanes that did not exit. */
static uint64_t execute(run *r, uint64_t mask)
{
    const uint32_t pc = r->places[__builtin_ctzll(mask)].pc;
    const block *b = block_at(r, pc);
    r->expected[r->expected_count++] = (issue){mask, pc};
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (!is_last(r, pc)) {
            r->places[lane].pc += 4;
            continue;
        }
        r->places[lane] = lane_step(r->program, &r->states[lane], (uint32_t)(b - r->program->blocks));
        mask &= r->places[lane].exits ? ~(rest & -rest) : UINT64_MAX;
    }
    return mask;
}

/* Runs the lanes, which stand at one place, until all have come to `stop` or exited; those that came. */
static uint64_t run_together(run *r, uint64_t mask, meeting stop)
{
    while (mask) {
        const outcome at = r->places[__builtin_ctzll(mask)];
        const block *b = block_at(r, at.pc);
        const block *from = b; /* of a branch the taken side comes first */
        path_group groups[MAX_LANES];
        uint32_t count = 0;
        if (at.pc == stop.pc && at.depth == stop.depth) {
            return mask;
        }
        mask = execute(r, mask);
        uint32_t returned = is_last(r, at.pc) && b->kind == RETURN;
        if (returned && stop.pc == AT_RETURN && stop.depth == at.depth) {
            return mask;
        }
        while ((count = group(r->places, mask, r, from, groups)) > 1) {
            meeting meet = {b->reconvergence_pc, at.depth};
            if (returned) {
                const uint32_t inside = stop.pc != NO_STOP && stop.depth == groups[0].depth;
                meet = inside ? stop : (meeting){AT_RETURN, groups[0].depth};
            }
            put_in_order(r, groups, count);
            mask = 0;
            for (uint32_t g = 0; g < count; g++) {
                mask |= run_together(r, groups[g].mask, meet);
            }
            if (meet.pc == stop.pc && meet.depth == stop.depth) {
                return mask;
            }
            returned = meet.pc == AT_RETURN;
            from = NULL;
            if (!returned) {
                break;
            }
        }
    }
    return 0;
}

static void check_order(run *r)
{
    restart(r);
    r->expected_count = 0;
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        r->places[lane] = (outcome){.pc = BASE_PC};
    }
    run_together(r, UINT64_MAX >> (64 - r->lanes), (meeting){NO_STOP, 0});
    for (uint32_t i = 0; i < r->issue_count && i < r->expected_count; i++) {
        cr_assert(r->issues[i].pc == r->expected[i].pc && r->issues[i].mask == r->expected[i].mask,
                  "seed %llu, issue %u: pc %x, mask %llx instead of %x, %llx", (unsigned long long)r->program->seed, i,
                  r->issues[i].pc, (unsigned long long)r->issues[i].mask, r->expected[i].pc,
                  (unsigned long long)r->expected[i].mask);
    }
    cr_assert_eq(r->issue_count, r->expected_count);
}

Test(reconvergence_random, runs_every_lane_of_any_program_as_it_runs_alone)
{
    static const uint32_t lane_counts[] = {2, 3, 4, 8, 8, 16, 32, 64};
    static program p;
    run *r = calloc(1, sizeof *r);
    cr_assert_not_null(r);
    const uint64_t seed = 20180101;
    uint64_t made = 0;
    uint64_t issues[2] = {0};
    uint64_t kinds[KIND_COUNT] = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t s = seed; made < PROGRAMS; s++) {
        r->program = &p;
        r->lanes = lane_counts[s % 8];
        r->first = (uint32_t)(s / 8 % 3);
        if (!program_make(&p, s) || !run_alone(r)) {
            continue;
        }
        made++;
        run_on(r, &reconvergence_mimd);
        issues[0] += r->issue_count;
        run_on(r, &reconvergence_stack);
        issues[1] += r->issue_count;
        check_order(r);
        for (uint32_t b = 0; b < p.count; b++) {
            kinds[p.blocks[b].kind]++;
        }
    }
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        cr_assert_gt(kinds[kind], 0, "no program had kind %u", kind);
    }
    cr_assert_lt(issues[1], issues[0], "lanes of a stack run together");
    free(r);
}

Test(reconvergence_random, does_the_same_when_the_warp_moves_to_other_slots)
{
    static program p;
    run *r = calloc(1, sizeof *r);
    cr_assert_not_null(r);
    const uint64_t seed = 20260401;
    uint64_t made = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t s = seed; made < MOVED_PROGRAMS; s++) {
        r->program = &p;
        r->lanes = 1u << (1 + s % 6);
        r->first = (uint32_t)(s / 8 % 3);
        r->moving = s;
        if (!program_make(&p, s) || !run_alone(r)) {
            continue;
        }
        made++;
        run_on(r, &reconvergence_mimd);
        run_on(r, &reconvergence_stack);
        check_order(r);
    }
    free(r);
}
