/* SPDX-License-Identifier: MIT */
/*
 * How tries to take a lock end: of the accesses that the source names (ISA_FLAG_LOCK), in cores with a spin detector, or with patience for
 * thread blocks that hold locks (context.lock_patience). An atomic whose
 * result is used tries, but for a swap of 0; all others free the lock. A compare-and-swap takes it if it finds what it expects, any
 * other atomic if it finds 0. Source: ElTantawy 2018, Figs. 6.1 and 6.11.
 */
#ifndef SIMT_CORE_LOCK_TRIES_H
#define SIMT_CORE_LOCK_TRIES_H

#include "hd_block.h"
#include "hd_state.h"
#include "lane_homes.h"
#include "ticket.h"

typedef struct simt_core simt_core;
struct memory_access;

#define HELD_LOCKS_MAX 256u /* of a warp; of further ones it is not known that it has them */

/* Of an access that is on its way. */
typedef struct lock_try {
    uint32_t address[64];
    uint32_t free[64]; /* the word that it takes the lock by */
} lock_try;

/* Locks that the threads of a warp have. */
typedef struct held_locks {
    uint32_t count;
    uint32_t address[HELD_LOCKS_MAX];
} held_locks;

typedef struct lock_tries {
    lock_try *tries;  /* [ticket] */
    held_locks *held; /* [row]; NULL: nobody asks */
} lock_tries;

/* If the core is to know them. 0 = done; else there is no memory. */
int lock_tries_create(simt_core *core);
void lock_tries_destroy(simt_core *core);
/* Nobody holds a lock. */
void lock_tries_reset(simt_core *core);
void lock_tries_transfer(simt_core *core, const hd_state_stream *stream);
/* The warp of this row is a new one. */
void lock_tries_launch(simt_core *core, uint32_t row);
/* Locks that its threads have. */
uint32_t lock_tries_held(const simt_core *core, uint32_t row);
/* `address`: as the program gave them. The ticket is marked if an answer is a try's. */
void lock_tries_submitted(simt_core *core, const struct memory_access *access, const uint32_t *address,
                          uint32_t ticket);
/* Of a ticket that is marked: these lanes have the word that was there. */
void lock_tries_answered(simt_core *core, uint32_t ticket, uint64_t lanes, const uint32_t *value);

#endif
