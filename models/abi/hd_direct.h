/* SPDX-License-Identifier: MIT */
/*
 * Direct memory: how a loosely timed block accesses bytes where they are stored, bypassing links, networks and caches.
 *
 * Turns. A class with HD_BLOCK_DIRECT offers HD_EXTENSION_TURN and requests turns from the platform. In a turn all blocks
 * have reached the same time t: all work before t is done, none at t has begun. Turns are taken in the order of (t, block
 * index). Direct blocks access memory only in their turns. What they see of each other, and of the host, therefore
 * depends on times alone, not on windows, transport mode or threads.
 *
 * Coherence. In a machine with a direct block every byte has one place, that of its holder. A cache in front of a holder
 * keeps no lines if HD_EXTENSION_DIRECT is available: it executes each request on the holder's bytes when it accepts it.
 * So nothing is dirty, stale or in flight at a turn, whatever the host does meanwhile, and nothing has to be revoked. The
 * blocks of one kind must be either all direct or none; the netlist check refuses a mixture.
 *
 * Revocation. A range stays valid until reset, when a direct block must forget all its ranges.
 */
#ifndef HD_DIRECT_H
#define HD_DIRECT_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A contiguous range: the bytes at physical addresses address .. address + length - 1. */
typedef struct hd_direct_range {
    uint8_t *bytes;
    uint64_t address; /* a multiple of length */
    uint32_t length;  /* a power of two, >= HD_LINE_BYTES */
    uint32_t reserved;
} hd_direct_range;

/* ---- Offered by blocks -------------------------------------------------------------------------------------------- */

/* "heddle.holder/1": provides the location of the bytes that the block holds. */
#define HD_EXTENSION_HOLDER "heddle.holder/1"
typedef struct hd_holder {
    /* The range that contains the address; bytes never written are 0. Returns 0 if the block does not hold it. */
    uint32_t (*range)(hd_block *block, uint64_t address, hd_direct_range *range);
} hd_holder;

/* "heddle.turn/1": offered by a class with HD_BLOCK_DIRECT. */
#define HD_EXTENSION_TURN "heddle.turn/1"
typedef struct hd_turn {
    /* t as requested. The block may use its state, access memory, request its next turn, and fault, log and report
     * progress at t or later. It must not use links: advance is called next, from t on. */
    void (*turn)(hd_block *block, hd_time t);
} hd_turn;

/* ---- Offered by the platform -------------------------------------------------------------------------------------- */

#define HD_DIRECT_VERSIONS 4096u /* a power of two */

/* "heddle.direct/2": available to all blocks of a machine that has a direct block. Ask in create. */
#define HD_EXTENSION_DIRECT "heddle.direct/2"
typedef struct hd_direct {
    void *context;
    /* Requests a turn at t, replacing an earlier request that has not been served. When called in a turn, t must be later
     * than that turn; when called in advance, later than the current edge by at least `lead`. */
    void (*request)(void *context, hd_time t);
    /* The range that contains a physical address, whoever holds it. Callable from the first advance on. Returns 0 if no
     * block holds it. */
    uint32_t (*range)(void *context, uint64_t address, hd_direct_range *range);
    hd_time lead;
    /* For LR and SC: LR sets watched; while watched is not 0, every write of a word increments the word's version. Words
     * share versions, so an SC may fail spuriously. Both are 0 after reset. */
    uint32_t *watched;
    uint64_t *versions; /* HD_DIRECT_VERSIONS of them */
} hd_direct;

static inline uint64_t *hd_direct_version(const hd_direct *direct, uint64_t address)
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
