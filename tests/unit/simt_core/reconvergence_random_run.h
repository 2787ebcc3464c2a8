/* SPDX-License-Identifier: MIT */
/* A random program, run by a small interpreter on a unit: each lane's blocks and call depths must be those it runs through alone. */
#ifndef RECONVERGENCE_RANDOM_RUN_H
#define RECONVERGENCE_RANDOM_RUN_H

#include "reconvergence_random_program.h"
#include "reconvergence_rig.h"

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
    uint32_t likely;        /* LIKELY_* of a stack */
    const hd_value *values; /* of the unit, RIG_VALUES; NULL: `first` and `likely` alone */
    uint64_t moving;        /* state of a generator: now and then the warp moves to another slot; 0 = it stays */
    step traces[MAX_LANES][MAX_TRACE]; /* of each lane alone */
    uint32_t trace_lengths[MAX_LANES];
    lane_state states[MAX_LANES];
    uint32_t next[MAX_LANES];      /* pc behind its last instruction */
    uint32_t positions[MAX_LANES]; /* in its trace */
    issue issues[MAX_ISSUES];
    uint32_t issue_count;
    void (*check)(const reconvergence *state, uint32_t warp); /* after each instruction; NULL: nothing */
    uint32_t timed; /* each turn of the paths is a cycle: units that act by themselves do */
    uint32_t expected_count;
    outcome places[MAX_LANES]; /* of the recursion */
    issue expected[MAX_ISSUES];
} run;

/* All lanes are where the program begins. */
void run_restart(run *r);
/* 0: a trace is too long. */
uint32_t run_alone(run *r);
/* On the unit; what issued is in r->issues. */
void run_on(run *r, const reconvergence_unit *unit);

const block *run_block_at(const run *r, uint32_t pc);
/* Is it the last instruction of its block? */
uint32_t run_is_last(const run *r, uint32_t pc);
/* Lanes that go to the same place; in the order of their first lanes, but the taken side of a branch first. */
uint32_t run_group(const outcome *places, uint64_t mask, const run *r, const block *from, path_group *groups);

#endif
