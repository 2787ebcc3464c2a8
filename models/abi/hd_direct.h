/* SPDX-License-Identifier: MIT */
/*
 * Direct memory: how a loosely timed block reads and writes bytes where they are held, past links, networks and caches.
 *
 * Turns. A class with HD_BLOCK_DIRECT offers HD_EXTENSION_TURN and asks the platform for turns. In a turn all blocks stand
 * at one time t: all that happens before t is done, nothing at t has begun. Turns are taken in the order of (t, block
 * index). Direct blocks touch memory in their turns and nowhere else: what they see of each other, and what the host and
 * they see of each other, then depends on times alone, not on windows, transport or threads.
 *
 * Coherence. In a machine with a direct block every byte has one place, that of its holder. A cache in front of a holder
 * (HD_EXTENSION_DIRECT is there when it asks) keeps no line: it carries each request out on the holder's bytes, at the time
 * at which it accepts it. So nothing is ever dirty, stale or on its way when a turn comes, whatever the host does meanwhile,
 * and nothing has to be revoked. Blocks of one kind are all direct or none is: the netlist check refuses a mixture.
 *
 * Revocation. A range stays where it is until reset, which ends all of them; a direct block forgets its ranges there.
 */
#ifndef HD_DIRECT_H
#define HD_DIRECT_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that lie side by side: of the physical addresses address .. address + length. */
typedef struct hd_direct_range {
    uint8_t *bytes;
    uint64_t address; /* a multiple of length */
    uint32_t length;  /* a power of two, >= HD_LINE_BYTES */
    uint32_t reserved;
} hd_direct_range;

/* ---- Offered by blocks -------------------------------------------------------------------------------------------- */

/* "heddle.holder/1": where the bytes that the block holds are. */
#define HD_EXTENSION_HOLDER "heddle.holder/1"
typedef struct hd_holder {
    /* The range around the address; bytes never written are 0. Returns 0 if the block does not hold it. */
    uint32_t (*range)(hd_block *block, uint64_t address, hd_direct_range *range);
} hd_holder;

/* "heddle.turn/1": of a class with HD_BLOCK_DIRECT. */
#define HD_EXTENSION_TURN "heddle.turn/1"
typedef struct hd_turn {
    /* t as requested. The block may look at its state, touch memory, ask for its next turn, fault, log and report progress
     * at t or later; links belong to advance, which is called next, from t on. */
    void (*turn)(hd_block *block, hd_time t);
} hd_turn;

/* ---- Offered by the platform -------------------------------------------------------------------------------------- */

#define HD_DIRECT_VERSIONS 4096u /* a power of two */

/* "heddle.direct/1": there if a block of the machine is direct, for all blocks of it. Ask in create. */
#define HD_EXTENSION_DIRECT "heddle.direct/1"
typedef struct hd_direct {
    void *context;
    /* Asks for a turn at t, in place of one not yet taken. In a turn, t is later than the turn; in advance it is later by
     * at least `lead` than the edge that is worked on. */
    void (*request)(void *context, hd_time t);
    /* The range around a physical address, whoever holds it. Callable from the first advance on. Returns 0 if no block
     * holds it. */
    uint32_t (*range)(void *context, uint64_t address, hd_direct_range *range);
    hd_time lead;
    /* For LR and SC: whoever writes a word while `watched` is not 0 adds 1 to its version; LR sets watched. Words share
     * versions: an SC may fail without a reason. Both 0 after reset. */
    uint32_t *watched;
    uint32_t *versions; /* HD_DIRECT_VERSIONS of them */
} hd_direct;

static inline uint32_t *hd_direct_version(const hd_direct *direct, uint64_t address)
{
    return &direct->versions[address / 4 % HD_DIRECT_VERSIONS];
}

static inline void hd_direct_written(const hd_direct *direct, uint64_t address)
{
    if (*direct->watched)
        ++*hd_direct_version(direct, address);
}

#ifdef __cplusplus
}
#endif

#endif
