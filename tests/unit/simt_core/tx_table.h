/* SPDX-License-Identifier: MIT */
/*
 * Random transactions that are a table of accesses: words that others only read, and words of each thread's own. What a protocol
 * that validates at commit has to send for them follows from the table, and from who is refused. Of one warp with its committing
 * lanes: a log packet for each entry and partition in it; DONE/SKIP to every unit; outcomes for each lane (Kilo TM) or once
 * (WarpTM) per unit that is touched; "done" likewise per unit that is written to by who passes. Source: Fung 2015 §4.2, §6.2.
 */
#ifndef TEST_TX_TABLE_H
#define TEST_TX_TABLE_H

#include "core_rig.h"
#include "hd_transactions.h"

#define TABLE_PARTITIONS 4u
#define TABLE_THREADS 128u
#define TABLE_LANES 32u
#define TABLE_STEPS 7u

enum table_kind {
    TABLE_READ_SET,
    TABLE_WRITE_SET,
    TABLE_DONE_SKIP,
    TABLE_OUTCOME,
    TABLE_VERDICT,
    TABLE_COMMITTED,
    TABLE_KINDS
};
extern const char *const table_kinds[TABLE_KINDS];

typedef struct accesses {
    uint32_t threads;
    uint32_t stores;                              /* steps, a bit each; the others load */
    uint32_t address[TABLE_THREADS][TABLE_STEPS]; /* 0 = none */
    uint64_t seed;
    uint32_t refusals; /* percent of (lane, unit) */
} accesses;
extern accesses table; /* of this test's process, for the units too */

typedef struct expectation {
    uint32_t sent[TABLE_KINDS], flits[TABLE_KINDS];
    uint64_t attempts, commits;
    uint64_t ids; /* lanes of attempts that send anything */
} expectation;

void table_make(uint64_t seed);
/* The program, which ends with 0. */
void table_program(uint32_t words[64]);
/* Memory as the program expects it. */
void table_fill(core_rig *rig);
/* Is the lane refused by this unit? attempt: from 1, of those of the warp that send anything. */
uint32_t table_refuses(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition);
expectation table_expect(uint32_t warp_level);
/* What is told of a lane that commits. */
void table_expect_told(const hd_transaction *told);
void table_expect_memory(core_rig *rig);

#endif
