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

#include "likely.h"
#include "reconvergence_random_run.h"

#define PROGRAMS 3000u
#define MOVED_PROGRAMS 500u

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
    const block *b = run_block_at(r, pc);
    r->expected[r->expected_count++] = (issue){mask, pc};
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (!run_is_last(r, pc)) {
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
        const block *b = run_block_at(r, at.pc);
        const block *from = b; /* of a branch the taken side comes first */
        path_group groups[MAX_LANES];
        uint32_t count = 0;
        if (at.pc == stop.pc && at.depth == stop.depth) {
            return mask;
        }
        mask = execute(r, mask);
        uint32_t returned = run_is_last(r, at.pc) && b->kind == RETURN;
        if (returned && stop.pc == AT_RETURN && stop.depth == at.depth) {
            return mask;
        }
        while ((count = run_group(r->places, mask, r, from, groups)) > 1) {
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
    run_restart(r);
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

Test(reconvergence_random, does_the_same_with_any_likely_convergence_points)
{
    static program p;
    run *r = calloc(1, sizeof *r);
    cr_assert_not_null(r);
    const uint64_t seed = 20260601;
    uint64_t made = 0, differ = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t s = seed; made < PROGRAMS; s++) {
        r->program = &p;
        r->lanes = 1u << (1 + s % 6);
        r->first = (uint32_t)(s / 8 % 3);
        if (!program_make(&p, s) || !run_alone(r)) {
            continue;
        }
        made++;
        r->moving = 0;
        r->likely = LIKELY_NONE;
        run_on(r, &reconvergence_stack);
        const uint32_t without = r->issue_count;
        r->likely = LIKELY_BY_LOOPS;
        r->moving = s % 4 ? 0 : s;
        run_on(r, &reconvergence_stack);
        differ += r->issue_count != without;
    }
    cr_expect_gt(differ, PROGRAMS / 100);
    printf("%lu of %u programs issue other instructions\n", differ, PROGRAMS);
    free(r);
}
