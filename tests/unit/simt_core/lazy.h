/* SPDX-License-Identifier: MIT */
/*
 * A protocol that validates at commit, through the interface of tx/protocol.h: Kilo TM and WarpTM as far as their messages (Fung 2015
 * §4.2.5, Fig. 4.4a, §6.2), before scripted commit units. A program that links it has it in the place of the core's own
 * protocols.
 */
#ifndef TEST_LAZY_H
#define TEST_LAZY_H

#include "core_rig.h"
#include "hd_transactions.h"

#define LAZY_PARTITIONS 4u
#define LAZY_WARPS 8u
#define LAZY_PAIRS 512u

enum { READ_SET, WRITE_SET, DONE_SKIP, OUTCOME, CU_REPLY, CU_DONE, LAZY_KINDS };
extern const char *const lazy_messages[LAZY_KINDS];

/* A word of a log. */
typedef struct lazy_pair {
    uint32_t lane, address, value;
} lazy_pair;

/* Body of everything but logs. DONE_SKIP: lanes that touch the unit; else: lanes that it is about, and those that pass. */
typedef struct lazy_outcome {
    uint64_t lanes, pass;
} lazy_outcome;

/* Logs of a warp at one unit. */
typedef struct lazy_log {
    lazy_pair pairs[LAZY_PAIRS];
    uint32_t count;
} lazy_log;

typedef struct lazy_units {
    uint32_t warp_level; /* 0: outcomes are told lane by lane, as in Kilo TM; 1: for the warp, as in WarpTM */
    uint32_t at_once;    /* lanes of a warp that may begin an attempt together; 0: all */
    uint32_t silent; /* 1: lanes that have written nothing commit before conflicts within the warp are resolved (TCD) */
    /* Does this unit refuse the lane whatever it has read? attempt: from 1, of those that send anything. NULL: never. */
    uint32_t (*refuses)(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition);
    /* Which of a warp's lanes in trouble (enum tx_trouble) are doomed? NULL: none. */
    uint64_t (*dooms)(uint32_t warp, uint64_t lanes, uint32_t trouble);
    void (*commits)(const hd_transaction *told); /* is told of them; may be NULL */
    uint32_t sent[LAZY_KINDS];                   /* packets, in both directions */
    uint32_t flits[LAZY_KINDS];
    uint32_t attempts[LAZY_PARTITIONS][LAZY_WARPS];
    lazy_log reads[LAZY_PARTITIONS][LAZY_WARPS], writes[LAZY_PARTITIONS][LAZY_WARPS];
} lazy_units;
extern lazy_units lazy;

/* Commit units at the partitions of rigs that are created from now on, and nothing in them. */
void lazy_start(uint32_t warp_level);
/* Notes a packet on the wire. */
void lazy_count(uint32_t kind, uint32_t wire_bytes);

#endif
