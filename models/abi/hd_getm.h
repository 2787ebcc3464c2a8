/* SPDX-License-Identifier: MIT */
/*
 * Messages of GETM: eager conflict detection at the memory partitions (Ren & Lis 2018 §IV, §V).
 *
 * For each granule that an instruction of a transaction accesses, the core sends a request to the validation unit of the
 * partition. When the attempt is over it sends the write log to the commit unit. Both units are addressed by the slice's
 * endpoint and packet.unit (HD_EXTENSION_UNITS). packet.epoch numbers the attempts of a warp, 1..255 and then again from 1;
 * warp and epoch together identify the owner of a reservation. All messages are of HD_CLASS_TRANSACTION. Their size on the
 * wire is HD_HEADER_WIRE_BYTES plus the fields that hardware would send.
 *
 * Timestamps are logical. Different warps must never use equal timestamps, otherwise write skew is possible (parameter
 * tx.getm.tie_break of the core). The granule size is a parameter of core and validation unit; the netlist check ensures that
 * they are equal.
 */
#ifndef HD_GETM_H
#define HD_GETM_H

#include <stdint.h>

#include "hd_address.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Core to validation unit. Load: the bytes address .. address + argument - 1, whole words of one granule. Store: a
 * reservation, without data, of the granule at address. Body hd_getm_access. wire = header + 16. `flow` = warp.
 *
 * Replies: to an approved load, HD_GLOBAL_LOAD_REPLY from the slice, with the values at the moment of the verdict; to an
 * approved store, HD_GETM_STORE_OK, wire = header; to a refused access, HD_GETM_ABORT, body hd_getm_refusal, wire = header
 * + 8. All have the request's tag, epoch, flow, address and argument. Requests of an era other than the unit's get no
 * reply; a reply of an earlier era may still arrive after a rollover.
 */
#define HD_GETM_LOAD "getm.load/1"
#define HD_GETM_STORE "getm.store/1"
#define HD_GETM_STORE_OK "getm.store_ok/1"
#define HD_GETM_ABORT "getm.abort/1"
#define HD_GETM_ACCESS_WIRE_BYTES 16u
#define HD_GETM_ABORT_WIRE_BYTES 8u
typedef struct hd_getm_access {
    uint64_t timestamp; /* of the attempt */
    uint32_t warp;      /* number of the warp in the machine; below 2^16 */
    uint32_t count;     /* store: number of lanes' stores that it represents, >= 1. Load: 0 */
    uint32_t era;       /* number of rollovers and alignments (hd_align) since reset, as counted by the core */
    uint32_t pc;        /* of the instruction. For profiles, not on the wires */
    uint32_t woken;     /* internal to the validation unit: 0 in packets from a core */
    uint32_t reserved;
} hd_getm_access;

#define HD_GETM_GRANULE_MIN 4u /* bytes, a word; a power of two, HD_LINE_BYTES at most */

/* Cores agree on a granule that an attempt reserves before it runs, if those before it have failed too often: one such attempt
 * runs at a time. It is a store as any other, and given back by a region without data. */
#define HD_GETM_GATE ((uint64_t)HD_GLOBAL_BASE)

#define HD_GETM_NO_CAUSE UINT64_MAX
#define HD_GETM_LOAD_WRITTEN 0u  /* load: a later transaction has written the granule */
#define HD_GETM_STORE_WRITTEN 1u /* store: likewise */
#define HD_GETM_STORE_READ 2u    /* store: a later transaction has read the granule */
#define HD_GETM_STALL_FULL 3u    /* an earlier transaction has reserved the granule, and the stall buffer is full */
#define HD_GETM_REASON_COUNT 4u
typedef struct hd_getm_refusal {
    uint64_t cause;  /* timestamp that the next attempt must exceed, or HD_GETM_NO_CAUSE */
    uint32_t reason; /* HD_GETM_LOAD_WRITTEN, ... */
    /* Warp that has reserved or last written the granule (STORE_READ: last read it), and pc of that access.
     * HD_GETM_NOBODY: not known. For traces and profiles, not on the wires. */
    uint32_t winner;
    uint32_t winner_pc;
    uint32_t reserved;
} hd_getm_refusal;
#define HD_GETM_NOBODY UINT32_MAX

/*
 * Core to commit unit, when the warp's attempt is over and none of its requests is outstanding: the data that its lanes
 * wrote in that partition, and the reservations that they release. Body: hd_getm_region[argument]. A region with byte_mask
 * 0 releases reservations of aborted lanes. Regions with data come first. A region may occur several times, in one packet
 * or in several packets of one attempt. wire = header, + 12 + data bytes for each region with data, + 8 for each without;
 * at most HD_GETM_LOG_WIRE_BYTES. Reply when the whole packet has been applied: HD_GETM_LOG_ACK, same tag, epoch and flow,
 * wire = header.
 */
#define HD_GETM_LOG "getm.log/2"
#define HD_GETM_LOG_ACK "getm.log_ack/1"
#define HD_GETM_LOG_WIRE_BYTES 128u
#define HD_GETM_REGION_BYTES 32u
typedef struct hd_getm_region {
    uint64_t address;   /* a multiple of HD_GETM_REGION_BYTES, or of the granule if that is smaller */
    uint64_t count;     /* approved stores of these lanes here: the reservation is decremented by it */
    uint32_t byte_mask; /* bit i: data[i] is written; no bits beyond the granule */
    uint32_t warp;      /* the same in all regions of a packet */
    uint64_t reserved;
    uint8_t data[HD_GETM_REGION_BYTES];
} hd_getm_region;
static inline uint32_t hd_getm_region_wire_bytes(const hd_getm_region *region)
{
    return region->byte_mask ? 12u + (uint32_t)__builtin_popcount(region->byte_mask) : 8u;
}

/*
 * Commit unit to slice: HD_GLOBAL_STORE of a region, `flow` = warp, with hd_getm_release after the data. The validation
 * unit, called through its tap, releases the reservations when the slice accepts the store. Commit unit to validation
 * unit, for a region without data: HD_GETM_RELEASE, body hd_getm_release. Reply when done: HD_GETM_RELEASED, same tag.
 */
#define HD_GETM_RELEASE "getm.release/3"
#define HD_GETM_RELEASED "getm.released/1"
typedef struct hd_getm_release {
    /* Stores released, each at the first HD_GETM_GRANULE_MIN bytes of its granule, or of the region if that is smaller. */
    uint64_t count[HD_GETM_REGION_BYTES / HD_GETM_GRANULE_MIN];
} hd_getm_release;

/*
 * Rollover, when clocks are about to overflow. When all validation units have stopped, the one that began the rollover
 * sends HD_GETM_ROLLOVER to every core. A core then aborts all attempts without sending logs, waits until earlier logs are
 * acknowledged, sets all clocks to 0, increments its era and replies to that unit with HD_GETM_ROLLED_OVER. It sends no
 * transactional packets until that unit, when all tables are empty, sends HD_GETM_ROLLOVER_END. wire = header. Cores are
 * the blocks that declare to receive HD_GETM_ROLLOVER (HD_EXTENSION_RECEIVERS).
 *
 * Between validation units, each to the next in a ring: HD_GETM_RING_STOP, argument = index of the unit that began, and
 * HD_GETM_RING_GO, which each unit forwards when its tables are empty. wire = header.
 */
#define HD_GETM_ROLLOVER "getm.rollover/1"
#define HD_GETM_ROLLED_OVER "getm.rolled_over/1"
#define HD_GETM_ROLLOVER_END "getm.rollover_end/1"
#define HD_GETM_RING_STOP "getm.ring_stop/1"
#define HD_GETM_RING_GO "getm.ring_go/1"

#ifdef __cplusplus
}
#endif

#endif
