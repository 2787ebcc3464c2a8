/* SPDX-License-Identifier: MIT */
/*
 * A block whose warps run random transactions on a scratchpad: what the core does with conflict tables, steps of banks and turns, and
 * nothing else. Any warp may be the next to do something. What is committed is held against the order of commits, and what
 * has to hold of words and turns is looked at after each step.
 */
#ifndef LOCAL_TM_SCRIPTED_GROUP_H
#define LOCAL_TM_SCRIPTED_GROUP_H

#include "area.h"
#include "serialisation.h"

#define GROUP_OPERATIONS 6u
#define GROUP_LANES 8u

typedef struct group_shape {
    uint32_t algorithm, release, is_strict;
    uint32_t warps, lanes, banks, rows, operations;
    uint32_t transactions; /* of each warp */
    turn_rules rules;
} group_shape;

typedef struct group_totals {
    uint64_t commits, aborts, attempts, in_warp, in_block, gave_way, shared;
} group_totals;

typedef struct group_access {
    uint64_t time;
    uint32_t word, stores, value, reserved;
} group_access;

/* A lane's transaction: this attempt of it, or the one that has committed. */
typedef struct group_lane {
    uint32_t sum; /* of what it has read; what it stores comes from that */
    uint32_t count;
    group_access access[GROUP_OPERATIONS];
} group_lane;

typedef struct group_warp {
    uint32_t stores[GROUP_OPERATIONS];
    uint64_t mask[GROUP_OPERATIONS];
    uint32_t word[GROUP_OPERATIONS][GROUP_LANES];
    group_lane lanes[GROUP_LANES];
    warp_turn turn;
    uint32_t transactions; /* that it still has to begin, or to end */
    uint32_t is_running, next;
    uint64_t left, running;
} group_warp;

typedef struct scripted_group {
    group_shape shape;
    area *area;
    block_turn turn;
    group_warp warps[OWNERSHIP_WARPS];
    uint32_t committed[AREA_WORDS]; /* memory, without what may still be taken back */
    group_lane *history;            /* in the order of commits */
    uint32_t history_count;
    uint64_t time, random;
    group_totals *totals;
    char *wrong; /* of WRONG_BYTES, "" while all is well */
} scripted_group;
#define WRONG_BYTES 256u

/* 1: all has committed and nothing is wrong. */
uint32_t scripted_group_run(const group_shape *shape, uint64_t seed, group_totals *totals, char *wrong);

/* ---- scripted_group_check.c: 0, and why not in wrong ---- */
uint32_t group_is_sound(const scripted_group *g);
uint32_t group_is_serialisable(const scripted_group *g);

#endif
