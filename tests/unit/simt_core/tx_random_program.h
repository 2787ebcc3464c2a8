/* SPDX-License-Identifier: MIT */
/* Programs of random transactions: on shared words and private ones, with branches, some of which give up at first. */
#ifndef TEST_TX_RANDOM_PROGRAM_H
#define TEST_TX_RANDOM_PROGRAM_H

#include "core_rig.h"

#define TX_RANDOM_WORDS 400u
#define TX_RANDOM_COUNTER (DATA + 0x3000u) /* and 64 bytes further */

/* Returns how many transactions each thread runs: by so many the sum of both counters grows. */
uint32_t random_transactions(uint64_t seed, uint32_t *words);
/* So many have committed: the counters say so, and the statistics agree. */
void random_transactions_are_done(core_rig *rig, uint64_t commits, uint64_t seed);

#endif
