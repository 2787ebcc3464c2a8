/* SPDX-License-Identifier: MIT */
/* Threads that do what a test says, and the checkers of programs, without a machine. */
#ifndef OBSERVE_CHECKS_RIG_H
#define OBSERVE_CHECKS_RIG_H

#include <stdio.h>

#include "access_transactions.h"
#include "memory_checker.h"
#include "race_checker.h"

#define RIG_LANES 4u /* of a warp */
#define RIG_BLOCK 8u /* threads of a block */
#define RIG_GRID 4u  /* blocks of a kernel */
#define GLOBAL 0x10000000u
#define SCRATCHPAD 0x01000000u
/* Words of a block in front of memory: MEET publishes and sees, HAND publishes what is stored, loads of TAKE see that, OTHER does neither. */
enum { MEET = 0xFF000000u, HAND = 0xFF000020u, TAKE = 0xFF000040u, OTHER = 0xFF000060u };

typedef struct rig {
    hd_access_stream *stream;
    hd_access_transactions transactions;
    hd_access_blocks blocks;
    hd_memory_checker *memory;
    hd_race_checker *races;
    uint64_t number;
    hd_time t;
    hd_allocation items[8];
    uint32_t live, freed;
    char *text;
    FILE *page;
    size_t bytes;
    uint32_t found; /* places, by rig_finish */
} rig;

/* One kernel is about to run, of RIG_GRID blocks. */
void rig_open(rig *rig);
/* All blocks of launch 0 begin. */
void rig_begin(rig *rig);
void rig_begin_launch(rig *rig, uint32_t launch, uint32_t blocks);
void rig_end_launch(rig *rig, uint32_t launch, uint32_t blocks);
/* The checkers see what has been reported. */
void rig_drain(rig *rig);
/* What they have found since the last call, to the end of text, which is the caller's to free. */
void rig_show(rig *rig);
/* Likewise; the rig closes. */
void rig_finish(rig *rig);

void rig_allocate(rig *rig, uint32_t number, uint32_t address, uint32_t bytes, uint32_t owner);
void rig_free(rig *rig, uint32_t number);

/* A thread of a kernel: block * RIG_BLOCK + its number there. pc: where its next access stands. */
typedef struct rig_thread {
    uint32_t launch;
    uint32_t number;
} rig_thread;
#define T(n) ((rig_thread){0, (n)})

void rig_access(rig *rig, rig_thread by, uint32_t kind, uint32_t flags, uint32_t address, uint32_t bytes,
                uint32_t value, uint32_t pc);
/* What it asked for last has come. */
void rig_sample(rig *rig, rig_thread by);
/* A word of it: */
void rig_load(rig *rig, rig_thread by, uint32_t address);
void rig_store(rig *rig, rig_thread by, uint32_t address, uint32_t value);
void rig_atomic(rig *rig, rig_thread by, uint32_t flags, uint32_t address); /* and it is sampled at once */
void rig_load_cg(rig *rig, rig_thread by, uint32_t address);                /* likewise */
void rig_fence(rig *rig, rig_thread by, uint32_t flags);
void rig_barrier(rig *rig, uint32_t block);
void rig_warp_sync(rig *rig, uint32_t block, uint32_t warp);
void rig_lane(rig *rig, rig_thread by, uint32_t kind); /* COMMIT, ABORT */
/* A store of the host passes a slice. */
void rig_written(rig *rig, uint32_t address, uint32_t bytes);

/* The rig closes: nothing was found. */
void rig_expect_clean(rig *rig);
/* Each part, up to a NULL, is in the text of what was found, which is given back. */
void rig_expect_texts(rig *rig, const char *const *parts);

#endif
