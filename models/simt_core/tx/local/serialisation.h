/* SPDX-License-Identifier: MIT */
/*
 * Who may run when transactions get in each other's way again and again. A warp whose attempts fail with the same lanes runs one lane
 * at a time (serialised in the warp); if that lane fails too, another warp is in its way, and it runs alone in the block
 * (serialised in the block): all other warps of the block give their attempts up and wait. So each warp commits something in a
 * bounded number of attempts. Source: Villegas et al., GPU-LocalTM, §3.
 *
 *   mode      attempt ends with               next
 *   NORMAL    the same lanes as before        IN_WARP
 *   NORMAL    others                          NORMAL
 *   IN_WARP   the lane has committed          NORMAL
 *   IN_WARP   it has not                      WAITS, and IN_BLOCK when it is its turn
 *   IN_BLOCK  the lane has committed          NORMAL
 *   any       no lane left                    the transaction is over
 *
 * A warp that has to give way begins again, in NORMAL; one that waits keeps its place.
 */
#ifndef SIMT_CORE_TX_LOCAL_SERIALISATION_H
#define SIMT_CORE_TX_LOCAL_SERIALISATION_H

#include "ownership.h"

enum { TURN_NORMAL, TURN_IN_WARP, TURN_WAITS, TURN_IN_BLOCK };
#define TURN_SELECTIONS "lowest|rotate"
enum { TURN_LOWEST, TURN_ROTATE };

typedef struct turn_rules {
    uint32_t equal_masks; /* so many attempts in a row leave the same lanes: from then on one lane at a time; >= 1 */
    uint32_t selection;   /* TURN_LOWEST, ... */
    uint32_t in_warp;     /* 0: a warp in trouble waits for the block at once */
    uint32_t in_block;    /* 0: it goes on, a lane at a time */
} turn_rules;

/* Of a warp. */
typedef struct warp_turn {
    uint32_t mode;     /* TURN_* */
    uint32_t selected; /* lane that runs alone, or has last */
    uint64_t previous; /* lanes that the latest attempt in NORMAL left, 0: none */
    uint32_t equal;    /* attempts in a row that left them */
} warp_turn;

/* Of a block. Warps are numbered within it. */
typedef struct block_turn {
    uint32_t holder; /* warp that is alone, or TURN_NOBODY */
    uint32_t waiting, first;
    uint32_t queue[OWNERSHIP_WARPS];
} block_turn;
#define TURN_NOBODY UINT32_MAX

void block_turn_reset(block_turn *block);
/* A transaction begins. */
void warp_turn_enter(warp_turn *turn);
/* Which of these lanes, not 0, may begin an attempt; 0: none now. */
uint64_t warp_turn_lanes(const turn_rules *rules, const warp_turn *turn, const block_turn *block, uint32_t warp,
                         uint64_t lanes);
/* These begin one. */
void warp_turn_begin(warp_turn *turn, uint64_t lanes);
/* An attempt is over, and leaves lanes, not 0, to try again; committed: whether some lane has committed. Returns 1: the warp is to
 * wait for the block (block_turn_ask). */
uint32_t warp_turn_end(const turn_rules *rules, warp_turn *turn, uint64_t left, uint32_t committed);
/* It has to give way to another warp. */
void warp_turn_give_way(warp_turn *turn);

/* The warp queues to be alone. */
void block_turn_ask(block_turn *block, uint32_t warp);
/* Whoever is next is alone, if nobody is: returns it, else TURN_NOBODY. Its mode is for the caller to set. */
uint32_t block_turn_grant(block_turn *block);
static inline void block_turn_release(block_turn *block)
{
    block->holder = TURN_NOBODY;
}

#endif
