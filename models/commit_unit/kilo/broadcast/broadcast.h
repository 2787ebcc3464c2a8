/* SPDX-License-Identifier: MIT */
/*
 * Which words of the partition are being committed, for whoever wants to know (Ren & Lis 2018 §VI): how many transactions of which the
 * unit has logs read each word, and how many write it, and messages when that becomes some, or none; or signatures of all words of
 * which there are some, when these change (signature.c). A table of limited size: words for which there is no room, and what a
 * counter cannot count, are left out. Nothing depends on it here.
 */
#ifndef COMMIT_UNIT_KILO_BROADCAST_H
#define COMMIT_UNIT_KILO_BROADCAST_H

#include "hd_block.h"
#include "hd_kilo.h"
#include "hd_word_map.h"

enum broadcast_set { BROADCAST_READS, BROADCAST_WRITES, BROADCAST_SETS };

typedef struct address_list {
    uint32_t *items;
    uint32_t count, capacity;
} address_list;

/* Words of which a bit of the signature says that there are some, and the signature that has been told. */
typedef struct signature_count {
    uint32_t words[HD_KILO_SIGNATURE_BITS];
    uint64_t told;
} signature_count;

typedef struct broadcast {
    uint32_t is_on;
    uint32_t signs;         /* signatures are told, not words */
    uint32_t at_retirement; /* words leave when a warp's transactions have retired, or when they have verdicts */
    uint32_t is_exact;      /* messages have the size of what they say, or that of a header */
    uint32_t interval;      /* every so many changes are told together */
    uint32_t cost;          /* cycles for each word */
    uint64_t busy;          /* cycles for which it counts */
    uint64_t counter_maximum;
    hd_word_map counts;                                         /* of each word: readers, and writers << 32 */
    address_list entered[BROADCAST_SETS], left[BROADCAST_SETS]; /* not told yet */
    signature_count signature[BROADCAST_SETS];                  /* of those that have some */
    uint32_t changes;                                           /* since they were told */
    uint16_t *receivers;                                        /* endpoints */
    uint32_t receiver_count;
} broadcast;

typedef struct kilo_unit kilo_unit;
typedef struct group group;

/* 0: out of memory. Of one that is all 0. */
uint32_t broadcast_create(broadcast *broadcast, const hd_value *values);
void broadcast_destroy(broadcast *broadcast);
/* Nobody has a log. Finds out who listens. */
void broadcast_reset(kilo_unit *self);
/* A word of a log of the group has come. */
void broadcast_count(kilo_unit *self, group *group, enum broadcast_set set, uint32_t address);
/* All logs of the group are here, and there are some. */
void broadcast_tell_entered(kilo_unit *self);
/* Whether the unit takes nothing at this edge, because it counts. */
uint32_t broadcast_is_busy(kilo_unit *self);
/* Nothing is counted, and nothing remains to be told. */
uint32_t broadcast_is_empty(const broadcast *broadcast);
/* signature.c */
void broadcast_sign(broadcast *broadcast, enum broadcast_set set, uint32_t address);
void broadcast_unsign(broadcast *broadcast, enum broadcast_set set, uint32_t address);
/* Whether signatures are not what has been told; tells them. */
uint32_t broadcast_signatures_differ(const broadcast *broadcast);
void broadcast_tell_signatures(kilo_unit *self);

/* The words of the group are not being committed any more: once of each. */
void broadcast_release(kilo_unit *self, group *group);

#endif
