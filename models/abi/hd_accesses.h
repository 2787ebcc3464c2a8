/* SPDX-License-Identifier: MIT */
/*
 * Reports of what threads do with memory, to the platform, which checks the program for mistakes.
 *
 * "heddle.accesses/1" is offered by the platform (hd_services.extension) while it checks, otherwise NULL; then nothing is
 * reported and there is no cost. A block that runs programs reports, in the order in which they happen to a warp:
 *
 *   LOAD, STORE   an instruction issues
 *   ATOMIC        likewise; what it reads is reported by SAMPLED
 *   SAMPLED       lanes of an ATOMIC, or of a LOAD with UNCACHED, have their values
 *   FENCE         all earlier accesses of these lanes are done and visible
 *   BARRIER       all live threads of the block have arrived, and go on
 *   WARP_SYNC     all live lanes of the warp have arrived, and go on
 *   COMMIT        these lanes' transaction takes place; before any of its data is written for others to see, or at once with it
 *   ABORT         these lanes' attempt had no effect
 *   BEGIN, END    a thread block starts; all its stores are visible
 *
 * Reports change nothing: results are the same to the bit. t does not decrease from one report of a block to its next but for
 * SAMPLED; what several blocks report is ordered by t, then by their order in the machine. A block that
 * runs ahead of others (hd_direct.h) reports the time of its turn, which says whose accesses come first.
 */
#ifndef HD_ACCESSES_H
#define HD_ACCESSES_H

#include "hd_block.h"
#include "hd_message.h"
#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_ACCESS_LOAD 0u
#define HD_ACCESS_STORE 1u
#define HD_ACCESS_ATOMIC 2u
#define HD_ACCESS_SAMPLED 3u
#define HD_ACCESS_FENCE 4u
#define HD_ACCESS_BARRIER 5u
#define HD_ACCESS_WARP_SYNC 6u
#define HD_ACCESS_COMMIT 7u
#define HD_ACCESS_ABORT 8u
#define HD_ACCESS_BEGIN 9u
#define HD_ACCESS_END 10u

/* flags */
#define HD_ACCESS_ACQUIRE 1u        /* ATOMIC with .aq; FENCE with R among its successors */
#define HD_ACCESS_RELEASE 2u        /* ATOMIC with .rl */
#define HD_ACCESS_UNCACHED 4u       /* LOAD past the L1 */
#define HD_ACCESS_READS 8u          /* ATOMIC that writes nothing: lr.w */
#define HD_ACCESS_TRANSACTIONAL 16u /* LOAD, STORE: counts if its lane commits */
#define HD_ACCESS_RELAXED 32u       /* LOAD: the program means to read what others may be writing */

typedef struct hd_access {
    hd_time t;
    uint32_t kind;       /* HD_ACCESS_LOAD ... */
    uint32_t flags;      /* HD_ACCESS_ACQUIRE ... */
    uint32_t warp;       /* in the block; of all but BARRIER, BEGIN, END */
    uint32_t warp_lanes; /* lanes of a warp: thread = warp * warp_lanes + lane */
    uint64_t lanes;      /* that take part; of all but BARRIER, WARP_SYNC, BEGIN, END */
    uint32_t pc;         /* of the instruction; LOAD, STORE, ATOMIC */
    uint32_t bytes;      /* of each lane's access; LOAD, STORE, ATOMIC */
    uint32_t ticket;     /* ATOMIC, UNCACHED, SAMPLED: which of those in flight of this reporter */
    uint32_t reserved;
    const uint32_t
        *address; /* [lane], in the windows of hd_address.h; LOAD, STORE, ATOMIC. Lanes that do not take part: any */
    const uint32_t *value; /* [lane]: what a STORE stores, in the low bytes; else NULL */
} hd_access;

#define HD_EXTENSION_ACCESSES "heddle.accesses/1"
typedef struct hd_accesses {
    void *context;
    /* All that access and block point to is copied. endpoint: the caller's. block: in which it happens. */
    void (*told)(void *context, uint32_t endpoint, const hd_block_launch *block, const hd_access *access);
} hd_accesses;

/*
 * "heddle.access_words/1", offered by blocks that answer threads at some addresses themselves, as registers of barriers do, and say
 * what is a mistake there: what an access to one means for the order of threads.
 */
#define HD_EXTENSION_ACCESS_WORDS "heddle.access_words/1"
#define HD_ACCESS_PUBLISHES 1u /* as a store: what is visible when it issues, it hands on to whoever */
#define HD_ACCESS_SEES 2u      /* as a load past the L1, from those who have, when it is sampled */
typedef struct hd_access_word {
    uint32_t order;   /* a set of HD_ACCESS_PUBLISHES, HD_ACCESS_SEES */
    uint32_t address; /* a word of the block's, for those who hand on to each other */
} hd_access_word;
typedef struct hd_access_words {
    /* 1: the address is such a one for whoever is linked to the element of the port. 0: it is one as others are. */
    uint32_t (*find)(hd_block *block, uint32_t port, uint32_t element, uint32_t address, uint32_t is_store,
                     hd_access_word *word);
} hd_access_words;

#ifdef __cplusplus
}
#endif

#endif
