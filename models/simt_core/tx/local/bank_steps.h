/* SPDX-License-Identifier: MIT */
/*
 * A warp's load or store in the banks. Each bank serves one lane in a step, the lowest first, and all banks work at once; a step looks at the
 * words as they were when it began. Lanes that lose in a step are known to all banks before the next: their words are restored
 * and free. So two lanes that meet each other's words in one step both lose; in one bank only the first one does.
 * Source: Villegas et al., GPU-LocalTM, §3.
 *
 * A step takes as long as the bank with most to do: accesses to data, backups and owners, which the flat layout has in other banks, and the
 * state of the word; and then
 * as long as the bank with most words to restore.
 */
#ifndef SIMT_CORE_TX_LOCAL_BANK_STEPS_H
#define SIMT_CORE_TX_LOCAL_BANK_STEPS_H

#include "ownership.h"

#define BANK_STEPS_LANES 64u
#define BANK_STEPS_BANKS 64u

/* Which words of a lane that aborts a bank finds how: it knows them; it reads all owners; at no cost. */
#define BANK_RESTORES "owned_words|scan|ideal"
enum { BANK_RESTORE_OWNED, BANK_RESTORE_SCAN, BANK_RESTORE_IDEAL };

typedef struct bank_timing {
    uint32_t access;    /* cycles of one access of a bank */
    uint32_t state;     /* and of the state of the word, for each access of a lane */
    uint32_t restore;   /* BANK_RESTORE_* */
    uint32_t is_strict; /* 0: lanes that lose are known to banks behind the one where they lose in the same step */
} bank_timing;

typedef struct bank_request {
    uint64_t lanes;
    uint64_t running;      /* lanes of the warp in this attempt, these among them */
    const uint32_t *word;  /* [lane], of the block */
    uint32_t first_thread; /* that of lane 0 */
    uint32_t stores;
} bank_request;

typedef struct bank_outcome {
    uint64_t lost;           /* lanes that have lost: their words are restored and free */
    uint64_t fresh;          /* lanes whose word they had not written before, lost or not */
    uint32_t cycles;         /* all in all, of which */
    uint32_t restore_cycles; /* to restore, and */
    uint32_t
        data_cycles; /* of the data alone: what the same access would take without transactions, a lane at a time */
    uint8_t conflict[BANK_STEPS_LANES];
    uint16_t winner[BANK_STEPS_LANES]; /* thread, or OWNERSHIP_THREADS */
} bank_outcome;

void bank_steps_run(ownership *o, const bank_timing *timing, const bank_request *request, bank_outcome *outcome);

/* Cycles for which banks with so many words to restore each are busy. */
uint32_t bank_restore_cycles(const ownership *o, const bank_timing *timing, const uint32_t *restored);

#endif
