/* SPDX-License-Identifier: MIT */
/*
 * The delay limit of a core: how long after a spinning warp has begun an iteration it may begin the next. After each window it rises
 * if spin branches are a large share of what has issued, and falls by twice as much if fewer instructions have come with each of them
 * than in the window before. Source: ElTantawy 2018 §6.3.3, Fig. 6.4.
 */
#ifndef SIMT_CORE_BOWS_LIMIT_H
#define SIMT_CORE_BOWS_LIMIT_H

#include <stdint.h>

typedef struct bows_rules {
    uint64_t window;           /* cycles, not 0 */
    uint64_t minimum, maximum; /* cycles */
    uint64_t step;             /* cycles */
    uint64_t share;            /* of spin branches, above which it rises, in thousandths */
    uint64_t
        decline; /* of the instructions per spin branch of the window before, below which it falls, in thousandths */
    uint32_t
        zero_is_infinite; /* a window without spin branches had infinitely many instructions for each; 0: it does not count */
} bows_rules;

typedef struct bows_window {
    uint64_t total, spins; /* instructions, and spin branches that were taken */
} bows_window;

typedef struct bows_limit {
    uint64_t cycles; /* the limit */
    uint64_t number; /* of the window that `now` is of */
    bows_window now, before;
} bows_limit;

void bows_limit_reset(bows_limit *limit, const bows_rules *rules);
/* A window is over. */
void bows_limit_adapt(bows_limit *limit, const bows_rules *rules);
/* All windows that end at this cycle or before are over; called before anything of the cycle is counted. Returns how many. */
uint64_t bows_limit_advance(bows_limit *limit, const bows_rules *rules, uint64_t cycle);

#endif
