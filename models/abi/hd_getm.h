/* SPDX-License-Identifier: MIT */
/*
 * Messages of GETM: eager conflict detection at the memory partitions (Ren & Lis 2018 §IV, §V).
 *
 * A core asks the validation unit of the partition for each granule that an instruction of a transaction touches, and sends
 * the write log to its commit unit when the attempt is over. Both are addressed as the partition's slice with packet.unit
 * (HD_EXTENSION_UNITS). packet.epoch is the attempt, 1..255, then 1 again: with `warp` it is the owner of a reservation. All are
 * of HD_CLASS_TRANSACTION. Bytes on the wire count HD_HEADER_WIRE_BYTES and the fields that hardware would send.
 *
 * Timestamps are logical. Whoever makes them sees to it that different warps never have equal ones, or lives with write
 * skew: parameter tie_break of the core. A granule's size is a parameter of core and validation unit, which the netlist check
 * holds equal.
 */
#ifndef HD_GETM_H
#define HD_GETM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Core to validation unit. Load: address .. address + argument, whole words of one granule. Store: a reservation, without
 * data, for the granule at address. Body hd_getm_access. wire = header + 16. Packets have `flow` = warp.
 *
 * A load that is approved is answered by the slice: HD_GLOBAL_LOAD_REPLY with the values of the moment of the verdict. A
 * store that is approved: HD_GETM_STORE_OK, wire = header. A refusal: HD_GETM_ABORT, body hd_getm_refusal, wire = header + 8.
 * All with the request's tag, epoch, flow, address and argument. What is asked in another era than the unit's is not
 * answered, and an answer of an earlier era may still come after a rollover.
 */
#define HD_GETM_LOAD "getm.load/1"
#define HD_GETM_STORE "getm.store/1"
#define HD_GETM_STORE_OK "getm.store_ok/1"
#define HD_GETM_ABORT "getm.abort/1"
#define HD_GETM_ACCESS_WIRE_BYTES 16u
#define HD_GETM_ABORT_WIRE_BYTES 8u
typedef struct hd_getm_access {
    uint64_t timestamp; /* of the attempt */
    uint32_t warp;      /* of all cores' warps; below 2^16 */
    uint32_t count;     /* store: stores of lanes that it stands for, >= 1. Load: 0 */
    uint32_t era;       /* rollovers and alignments (hd_align) since reset, as its core has counted them */
    uint32_t pc;        /* of its instruction. For profiles, not on the wires */
    uint32_t woken;     /* the validation unit's own: 0 in what a core sends */
    uint32_t reserved;
} hd_getm_access;

#define HD_GETM_GRANULE_MIN 16u /* bytes; a power of two, HD_LINE_BYTES at most */

#define HD_GETM_NO_CAUSE UINT64_MAX
#define HD_GETM_LOAD_WRITTEN 0u /* a later transaction has written it */
#define HD_GETM_STORE_WRITTEN 1u
#define HD_GETM_STORE_READ 2u /* a later transaction has read it */
#define HD_GETM_STALL_FULL 3u /* no room to wait for an earlier transaction that has reserved it */
#define HD_GETM_REASON_COUNT 4u
typedef struct hd_getm_refusal {
    uint64_t cause;  /* timestamp that the next attempt has to exceed, or HD_GETM_NO_CAUSE */
    uint32_t reason; /* HD_GETM_LOAD_WRITTEN, ... */
    /* Warp that holds, wrote or, after STORE_READ, read the granule last, and pc of the access with which it began to;
     * HD_GETM_NOBODY: not known. For traces and profiles, not on the wires. */
    uint32_t winner;
    uint32_t winner_pc;
    uint32_t reserved;
} hd_getm_refusal;
#define HD_GETM_NOBODY UINT32_MAX

/*
 * Core to commit unit, when the warp's attempt is over and nothing of it is outstanding: what its lanes wrote in that
 * partition, and the reservations that they give back. Body: argument times hd_getm_region. A region with byte_mask 0 gives back
 * reservations of lanes that aborted. Those with data come first; within a packet and from packet to packet of one
 * attempt a region may come again. wire = header + 12 + data bytes for a region with data, + 8 for one without; at most
 * HD_GETM_LOG_WIRE_BYTES. Answer, when all of the packet is applied: HD_GETM_LOG_ACK, same tag, epoch and flow, wire = header.
 */
#define HD_GETM_LOG "getm.log/1"
#define HD_GETM_LOG_ACK "getm.log_ack/1"
#define HD_GETM_LOG_WIRE_BYTES 128u
#define HD_GETM_REGION_BYTES 32u
typedef struct hd_getm_region {
    uint64_t address;   /* a multiple of HD_GETM_REGION_BYTES, or of the granule if that is smaller */
    uint32_t byte_mask; /* bit i: data[i] is written; none beyond the granule */
    uint32_t count;     /* stores approved for these lanes here: what the reservation goes down by */
    uint32_t warp;      /* the same in all regions of a packet */
    uint32_t reserved;
    uint8_t data[HD_GETM_REGION_BYTES];
} hd_getm_region;
static inline uint32_t hd_getm_region_wire_bytes(const hd_getm_region *region)
{
    return region->byte_mask ? 12u + (uint32_t)__builtin_popcount(region->byte_mask) : 8u;
}

/*
 * Commit unit to slice: HD_GLOBAL_STORE of a region, `flow` = warp, with hd_getm_release behind the data. The validation unit
 * gives the reservations back when the slice accepts it, by its tap. Commit unit to validation unit, directly, for a region
 * without data: HD_GETM_RELEASE, body hd_getm_release, answered by HD_GETM_RELEASED, same tag, when it is done.
 */
#define HD_GETM_RELEASE "getm.release/1"
#define HD_GETM_RELEASED "getm.released/1"
typedef struct hd_getm_release {
    uint32_t
        count[HD_GETM_REGION_BYTES / HD_GETM_GRANULE_MIN]; /* stores given back, by granule of the region; first alone
                                                                   if the granule is no smaller */
} hd_getm_release;

/*
 * Clocks are about to overflow. One validation unit, once all of them have stopped, to every core: HD_GETM_ROLLOVER. A core then
 * aborts every attempt without logs, waits until the logs sent before are acknowledged, sets all clocks to 0, counts one era
 * more and answers that unit: HD_GETM_ROLLED_OVER. It sends nothing transactional until that unit, which then knows
 * that all tables are empty, says HD_GETM_ROLLOVER_END. wire = header. Cores are the blocks that declare to receive
 * HD_GETM_ROLLOVER (HD_EXTENSION_RECEIVERS).
 *
 * Between validation units, each to the next in a ring: HD_GETM_RING_STOP, argument = index of the unit that began, and
 * HD_GETM_RING_GO, which each passes on when its tables are empty. wire = header.
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
