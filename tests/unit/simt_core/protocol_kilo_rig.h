/* SPDX-License-Identifier: MIT */
/*
 * A core with `tx: kilo`, or a protocol built upon it, before a scripted vendor of commit IDs and scripted commit units, which let one attempt after the other
 * through, in the order of IDs (Fung 2015 §4.2.5, Fig. 4.4a). What is sent is checked against the protocol, and counted.
 */
#ifndef TEST_PROTOCOL_KILO_RIG_H
#define TEST_PROTOCOL_KILO_RIG_H

#include "core_rig.h"
#include "hd_kilo.h"

#define KILO_PARTITIONS 4u
#define KILO_GROUPS 4096u
#define KILO_RIG_WARPS 64u

enum kilo_kind {
    KIND_READ_SET,
    KIND_WRITE_SET,
    KIND_DONE_SKIP,
    KIND_OUTCOME,
    KIND_RESENT,
    KIND_TAKE_IDS,
    KIND_VERDICT,
    KIND_COMMITTED,
    KIND_RESEND,
    KIND_IDS,
    KILO_KINDS
};

/* A set of a group at one partition. */
typedef struct kilo_set {
    hd_kilo_word *words;
    uint32_t count, capacity;
} kilo_set;

typedef struct kilo_group {
    hd_kilo_group group;
    uint32_t warp, epoch, attempt; /* attempt: from 1, of those of the warp that have sent anything */
    kilo_set reads[KILO_PARTITIONS], writes[KILO_PARTITIONS];
    uint64_t touched[KILO_PARTITIONS];
    uint64_t judged[KILO_PARTITIONS]; /* lanes that have been told a verdict here, */
    uint64_t passed[KILO_PARTITIONS]; /* of these, a good one */
    uint64_t ended[KILO_PARTITIONS];  /* lanes that have had an outcome here */
    uint64_t outcome[2];              /* lanes that have failed, or committed, anywhere */
    uint32_t done;                    /* partitions whose logs are complete, bits */
    uint32_t asked;                   /* words that have to be sent again: requests */
} kilo_group;

/* A kernel begins: S1 is the address of the thread's own word, T0 is 1. */
#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)
/* CSRs */
#define ATTEMPT 0xCD0
#define TIMESTAMP 0xCD1

typedef struct kilo_rig {
    core_rig *rig;
    const char *protocol, *names; /* what names of its statistics begin with */
    uint32_t aggregates;
    uint32_t delay;  /* cycles until an answer arrives, */
    uint32_t spread; /* and so many more for each partition before its own */
    uint32_t
        at_once; /* 1: units judge whom they have heard all of, whatever others do: nobody may be in another's way */
    uint32_t id_delay; /* until commit IDs do */
    uint32_t keep;     /* words of each lane's sets that a unit keeps; UINT32_MAX: all */
    uint64_t next_id;
    /* Does the unit refuse the lane whatever it has read? NULL: never. */
    uint32_t (*refuses)(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition);
    /* Has the word of a load been written, and is somebody about to? NULL: never. */
    hd_kilo_written (*written)(uint64_t address, hd_time t);
    void (*told)(const hd_transaction *told); /* is told of commits; may be NULL */
    uint32_t sent[KILO_KINDS], flits[KILO_KINDS];
    kilo_group *groups; /* in the order of their IDs */
    uint32_t group_count, first_open;
    uint32_t attempts[KILO_RIG_WARPS];
    uint32_t commits, silent; /* that were told */
    hd_transaction last;      /* of these; what it points to has gone */
    uint32_t delayed;         /* outcomes that have come while words were asked for again */
    uint32_t backward;        /* of a lane behind one of a higher lane */
    uint32_t turns;           /* packets that are of another warp than those before */
    uint32_t latest_warp;
    hd_time first_load;       /* when the first load of a transaction came */
    const kilo_set *again_of; /* what has come again of the request that is being answered */
    uint32_t again_lane, again;
} kilo_rig;

/* parameters: beside tx=kilo and those that go with aggregates. */
kilo_rig *kilo_rig_create(const char *const *parameters, uint32_t aggregates, const uint32_t *words);
/* The same with another protocol. */
kilo_rig *kilo_rig_create_of(const char *protocol, const char *names, const char *const *parameters,
                             uint32_t aggregates, const uint32_t *words);
void kilo_rig_destroy(kilo_rig *k);
/* A unit says that the word is being committed (HD_KILO_ENTER), or not any more (HD_KILO_LEAVE); set: 0 is read, 1 is written. */
void kilo_rig_tell(kilo_rig *k, const char *message, uint32_t set, uint32_t address, hd_time t);
/* The same of several words, in one message. */
void kilo_rig_tell_words(kilo_rig *k, const char *message, uint32_t set, const uint32_t *addresses, uint32_t count,
                         hd_time t);
/* What is being committed in this partition, as a signature of 64 bits (HD_KILO_SIGNATURE). */
void kilo_rig_sign(kilo_rig *k, uint32_t set, uint32_t partition, uint64_t bits, hd_time t);
/* Runs to the end; then all attempts are over, in all units. */
void kilo_rig_finish(kilo_rig *k);
uint64_t kilo_rig_statistic(kilo_rig *k, const char *name);
/* Of the protocol's own: "commit_ids". */
uint64_t kilo_rig_own(kilo_rig *k, const char *name);

#endif
