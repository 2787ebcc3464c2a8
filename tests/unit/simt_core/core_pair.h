/* SPDX-License-Identifier: MIT */
/* Two cores with one program and one memory, between which thread blocks move. */
#ifndef TEST_CORE_PAIR_H
#define TEST_CORE_PAIR_H

#include "core_rig.h"
#include "hd_context.h"

typedef struct core_pair {
    core_rig *rig[2];
    uint8_t stream[1u << 21]; /* of the block saved last */
    uint64_t stream_bytes;
    char error[256]; /* of the restore that was refused last */
} core_pair;

/* parameters as for rig_create; those of the second core may differ. The pair owns everything. */
core_pair *pair_create(const char *const *first, const char *const *second, const uint32_t *words);
void pair_destroy(core_pair *pair);
hd_time pair_now(core_pair *pair);
/* A block of x threads and so much scratchpad, now. */
void pair_launch(core_pair *pair, uint32_t core, uint32_t threads, uint32_t scratchpad);
/* Instruction words: t1 = rounds; a loop of two instructions that leaves other registers alone. */
#define DELAY(rounds) addi(T1, ZERO, rounds), addi(T1, T1, -1), bne(T1, ZERO, -4)
/* Both cores, a few cycles each in turn. */
void pair_run(core_pair *pair, uint64_t cycles);
/* Runs until so many blocks have ended on either core, and both rest. Aborts the test after 10^6 cycles. */
void pair_finish(core_pair *pair, uint32_t blocks);
/* Sum over both cores. */
uint64_t pair_statistic(core_pair *pair, const char *name);

/* Of core 0 or 1; HD_CONTEXT_*. */
uint32_t pair_state(core_pair *pair, uint32_t core, uint64_t tag);
/* The core that holds the block, 2 = none. */
uint32_t pair_holder(core_pair *pair, uint64_t tag);
void pair_stop(core_pair *pair, uint32_t core, uint64_t tag);
void pair_resume(core_pair *pair, uint32_t core, uint64_t tag);
hd_context_size pair_size(core_pair *pair, uint32_t core, uint64_t tag);
/* Stops, and runs until nothing of the block is in flight; 0 if it has ended instead. Aborts after 2 * 10^6 cycles: with
 * transactions that keep each other from committing it takes more than 10^5. */
uint32_t pair_rest(core_pair *pair, uint32_t core, uint64_t tag);
/* Of a block at rest, to pair->stream. */
void pair_save(core_pair *pair, uint32_t core, uint64_t tag);
void pair_release(core_pair *pair, uint32_t core, uint64_t tag);
/* From pair->stream; 0 and pair->error if it is refused. */
uint32_t pair_restore(core_pair *pair, uint32_t core);
/* All of this, from `core` to the other one, where it goes on; 0 if it has ended instead. */
uint32_t pair_move(core_pair *pair, uint32_t core, uint64_t tag);

typedef struct pair_moves {
    uint32_t moves, resumed, ended;
} pair_moves;

/* One block stops, and after a while goes on: on the other core, or where it is; or it has ended instead. */
void pair_disturb(core_pair *pair, uint64_t tag, uint32_t longest_pause, uint64_t *random, pair_moves *counts);

#endif
