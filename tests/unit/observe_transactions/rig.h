/* SPDX-License-Identifier: MIT */
/* A machine of two slices that exists only as what it tells the checker: transactions and accesses are written down by hand. */
#ifndef RIG_H
#define RIG_H

#include "hd_message.h"
#include "transaction_checker.h"

#define RIG_SLICES 2u
#define RIG_ENDPOINTS 4u
#define RIG_WORDS 64u /* words 0 .. 31 are slice 0's line, 32 .. 63 that of slice 1 */
#define RIG_BASE UINT64_C(0x10000000)

typedef struct rig {
    hd_transaction_checker *checker;
    uint32_t memory[RIG_WORDS];
    uint64_t number[RIG_SLICES];
    hd_time t;
    uint32_t rule; /* enum hd_serial_rule, of attempts from now on */
    char report[8192];
    uint64_t violations;
} rig;

/* One lane's attempt while it is written down. */
typedef struct attempt {
    hd_transaction transaction;
    hd_transaction_word reads[16], writes[16];
    hd_transaction_access accesses[32];
    uint32_t access_count; /* of what the program has done */
    uint32_t tells;        /* 1: the protocol tells of that too */
} attempt;

void rig_open(rig *rig);
void rig_close(rig *rig);
/* Begins the interval. */
void rig_begin(rig *rig);
/* Ends it; report and violations are filled. */
void rig_end(rig *rig);

attempt rig_attempt(rig *rig, uint32_t warp, uint32_t lane, uint64_t order);
/* Asks the slice, as a load of the attempt; returns what it answers and writes it down. */
uint32_t rig_read(rig *rig, attempt *attempt, uint32_t word);
/* A load that the attempt's log serves, with this value. */
void rig_own_read(attempt *attempt, uint32_t word, uint32_t value);
/* Asks the slice again, to validate the word, and tells the checker; returns what it answers. */
uint32_t rig_validate(rig *rig, const attempt *attempt, uint32_t word);
/* Into the attempt's log only, over what it has of the word. */
void rig_write(attempt *attempt, uint32_t word, uint32_t value, uint32_t byte_mask);
/* Tells the checker that it commits. */
void rig_commit(rig *rig, attempt *attempt);
/* A commit unit writes one of its words, or all. */
void rig_apply_word(rig *rig, const attempt *attempt, uint32_t index);
void rig_apply(rig *rig, const attempt *attempt);
void rig_plain_store(rig *rig, uint32_t word, uint32_t value);
uint32_t rig_plain_load(rig *rig, uint32_t word);

#endif
