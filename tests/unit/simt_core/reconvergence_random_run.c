/* SPDX-License-Identifier: MIT */
#include "reconvergence_random_run.h"

#include <criterion/criterion.h>

void run_restart(run *r)
{
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        r->states[lane].number = lane;
        r->states[lane].steps = 0;
        r->states[lane].calls = 0;
        r->positions[lane] = 0;
    }
}

const block *run_block_at(const run *r, uint32_t pc)
{
    return &r->program->blocks[r->program->block_of[(pc - BASE_PC) / 4]];
}

static uint32_t is_first(const run *r, uint32_t pc)
{
    return (pc - BASE_PC) / 4 == run_block_at(r, pc)->first;
}

uint32_t run_is_last(const run *r, uint32_t pc)
{
    return (pc - BASE_PC) / 4 + 1 == run_block_at(r, pc)->first + run_block_at(r, pc)->length;
}

uint32_t run_alone(run *r)
{
    run_restart(r);
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

uint32_t run_group(const outcome *places, uint64_t mask, const run *r, const block *from, path_group *groups)
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
    const block *b = run_block_at(r, p->pc);
    const uint64_t mask = p->mask;
    outcome places[MAX_LANES];
    path_group groups[MAX_LANES];
    uint64_t exits = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        places[lane] = lane_step(r->program, &r->states[lane], (uint32_t)(b - r->program->blocks));
        if (b->kind != FALL && b->kind != EXIT_SOME)
            r->next[lane] = places[lane].pc;
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
    const uint32_t count = run_group(places, mask, r, b, groups);
    tell_branch(g->unit, g->state, id, groups, count, b->reconvergence_pc,
                r->likely ? program_likely_pc(r->program, b) : 0);
}

/* Who is in no path, waits behind the last instruction. */
static void check_waiting(const rig *g, const run *r, uint32_t warp)
{
    uint64_t waiting = g->unit->waiting_pc ? g->unit->live_lanes(g->state, warp) : 0;
    for (uint32_t id = 0; id < g->unit->path_count(g->state); id++)
        waiting &= ~g->unit->paths(g->state)[id].mask;
    for (; waiting; waiting &= waiting - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(waiting);
        uint32_t pc = 0;
        cr_assert(g->unit->waiting_pc(g->state, warp, lane, &pc) && pc == r->next[lane],
                  "seed %llu, lane %u: waits at %x, not %x", (unsigned long long)r->program->seed, lane, pc,
                  r->next[lane]);
    }
}

static void issue_one(rig *g, run *r, uint32_t id)
{
    const path *p = &g->unit->paths(g->state)[id];
    cr_assert_lt(r->issue_count, MAX_ISSUES, "seed %llu", (unsigned long long)r->program->seed);
    r->issues[r->issue_count++] = (issue){p->mask, p->pc};
    if (is_first(r, p->pc)) {
        check_traces(r, p);
    }
    for (uint64_t left = p->mask; left; left &= left - 1) {
        r->next[__builtin_ctzll(left)] = p->pc + 4;
    }
    if (run_is_last(r, p->pc)) {
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

void run_on(run *r, const reconvergence_unit *unit)
{
    rig g;
    uint32_t warp = 0;
    const uint64_t all = UINT64_MAX >> (64 - r->lanes);
    run_restart(r);
    r->issue_count = 0;
    rig_cycle = 0;
    if (r->values)
        rig_start_with(&g, unit, 2, r->lanes, r->values);
    else
        rig_start_with(
            &g, unit, 2, r->lanes,
            (const hd_value[RIG_VALUES]){[STACK_FIRST] = {.u = r->first}, [STACK_LIKELY_POINTS] = {.u = r->likely}});
    rig_launch(&g, 0, BASE_PC, all);
    const uint32_t paths = g.unit->path_count(g.state);
    while (g.unit->live_lanes(g.state, warp)) {
        const uint32_t before = r->issue_count;
        for (uint32_t id = 0; id < paths; id++) {
            const path *p = &g.unit->paths(g.state)[id];
            if (p->mask) {
                cr_assert_eq(p->mask & ~g.unit->live_lanes(g.state, warp), 0);
                issue_one(&g, r, id);
                check_waiting(&g, r, warp);
                if (r->check)
                    r->check(g.state, warp);
            }
        }
        cr_assert_neq(r->issue_count, before, "seed %llu: lanes are left, but no path",
                      (unsigned long long)r->program->seed);
        rig_cycle++;
        if (r->timed && unit->next && unit->next(g.state, rig_cycle - 1) == rig_cycle)
            unit->due(g.state, rig_cycle);
        if (r->moving && random_next(&r->moving) % 4 == 0) {
            warp = move(&g, warp);
        }
    }
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
        cr_assert_eq(r->positions[lane], r->trace_lengths[lane], "seed %llu: lane %u ended early",
                     (unsigned long long)r->program->seed, lane);
    }
    cr_assert_eq(g.added, g.removed);
    cr_assert_leq(g.unit->maximum_depth(g.state), r->likely ? 3 * r->lanes - 2 : 2 * r->lanes - 1);
    rig_stop(&g);
}
