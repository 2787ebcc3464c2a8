/* SPDX-License-Identifier: MIT */
/*
 * Messages of ideal transactional memory: one block for all cores knows what every transaction has read, and decides at once
 * (Fung 2015 §4.1).
 *
 * They pass between a core's ports for transactions and the block, on links of their own, not through the network. All have
 * `flow`, the warp (of all cores' warps), `epoch`, the attempt (1..255, then 1 again), and wire = header: nothing of it is meant
 * to be built. Both ways keep their order, on which the protocol rests:
 *
 *   A load is registered before it is asked of the slice. So the slice's value, with what the block says is committed and not
 *   yet in memory over it, is the newest at the moment of registration.
 *   Who has read what another commits is told before anything else is answered to its core, and before anything is written.
 *   So a transaction sees nothing that goes not together, as long as a link from the block to a core takes no longer than
 *   from the block to a slice and from there to the core.
 *
 * A block finds conflicts by words, as said below, or by values (parameter `conflicts`; Ren & Lis 2018 §III). By values it dooms
 * nobody: it tells cores what the words are now that their attempts have registered (HD_IDEAL_CHANGED), and they compare. It does
 * not write either: cores have that done, in the order of commits, and say when it is (HD_IDEAL_WRITTEN).
 */
#ifndef HD_IDEAL_H
#define HD_IDEAL_H

#include <stdint.h>

#include "hd_message.h"
#include "hd_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_IDEAL_LANES 64u

/* Values of the block's parameter `conflicts`. */
enum hd_ideal_conflicts { HD_IDEAL_BY_WORDS, HD_IDEAL_BY_VALUES };

/*
 * Core to block: lanes of a load are about to read words of the line that holds address. Body hd_ideal_read. Answer, same tag,
 * address and argument: HD_IDEAL_WORDS, body hd_ideal_words: bytes of the line that are committed and not yet in memory.
 */
#define HD_IDEAL_READ "ideal.read/1"
#define HD_IDEAL_WORDS "ideal.words/1"
typedef struct hd_ideal_read {
    uint64_t lanes;
    uint32_t pc; /* of the load. For profiles */
    uint32_t reserved;
    uint8_t word[HD_IDEAL_LANES]; /* of the line, by lane */
} hd_ideal_read;
typedef struct hd_ideal_words {
    uint32_t byte_mask[HD_LINE_BYTES / 32]; /* bit i: data[i] */
    uint8_t data[HD_LINE_BYTES];
} hd_ideal_words;

/*
 * Core to block: these lanes have run to their end, and nothing of the attempt is outstanding. Body hd_ideal_commit and then
 * argument times hd_ideal_write, by lanes in ascending order and once for each word of a lane; in several packets if need be. They
 * commit one after the other, in that order, unless another commit has written a word that the lane has read. Answer:
 * HD_IDEAL_VERDICT, body hd_ideal_verdict. All that the attempt has registered is forgotten then.
 *
 * By values: a lane's words come in the order in which it has written them, and may come again; `tag` of the last packet: as many
 * HD_IDEAL_CHANGED of the attempt as these lanes have been compared with. All of them commit, unless there have been more: then
 * none does, and nothing is forgotten.
 */
#define HD_IDEAL_COMMIT "ideal.commit/1"
#define HD_IDEAL_VERDICT "ideal.verdict/1"
typedef struct hd_ideal_commit {
    uint64_t lanes;
    uint32_t pc;      /* of tx.commit. For profiles */
    uint32_t is_last; /* packet of this commit */
} hd_ideal_commit;
typedef struct hd_ideal_write {
    uint64_t address; /* a multiple of 4 */
    uint32_t value;
    uint8_t byte_mask; /* bits 0..3, not 0 */
    uint8_t lane;
    uint16_t reserved;
} hd_ideal_write;
#define HD_IDEAL_WRITES ((HD_PACKET_BODY_MAX - (uint32_t)sizeof(hd_ideal_commit)) / (uint32_t)sizeof(hd_ideal_write))
typedef struct hd_ideal_verdict {
    uint64_t lanes; /* that have committed. The others were told by HD_IDEAL_DOOM, before this */
    uint64_t
        order; /* of the commit among all; by values, of its first lane among all lanes that have committed, from 1 */
    uint64_t committed;  /* hd_time. For who checks */
    uint32_t is_written; /* 0: it writes nothing. 1: HD_IDEAL_SETTLED follows, or HD_IDEAL_WRITTEN must */
    uint32_t is_late;    /* by values, 1: the lanes have not been compared with all that has changed */
} hd_ideal_verdict;

/* Block to core: lanes of this attempt have read what another has just committed, and cannot commit any more. Body
 * hd_ideal_doom; tag: number of the message, for traces. */
#define HD_IDEAL_DOOM "ideal.doom/1"
typedef struct hd_ideal_doom {
    uint64_t lanes;
    uint64_t address;   /* of one such word */
    uint32_t pc;        /* of a load of it */
    uint32_t winner;    /* warp, of all cores' warps */
    uint32_t winner_pc; /* of its tx.commit */
    uint32_t reserved;
} hd_ideal_doom;

/* Block to core: all that the warp has committed is in memory. */
#define HD_IDEAL_SETTLED "ideal.settled/1"

/* Block to core, by values: another has committed words that lanes of this attempt have registered. Body hd_ideal_write[argument]:
 * each of them once, all of its bytes that have been committed since it was registered, as they are now (lane: 0). */
#define HD_IDEAL_CHANGED "ideal.changed/1"

/* Core to block, by values: what a commit of the warp has sent is in memory, all or some of it. Body hd_ideal_write[argument], the
 * same as there, of which the addresses count. */
#define HD_IDEAL_WRITTEN "ideal.written/1"

#ifdef __cplusplus
}
#endif

#endif
