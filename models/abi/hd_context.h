/* SPDX-License-Identifier: MIT */
/*
 * "heddle.context/1": a thread block can stop, leave its core as bytes, and go on in another core.
 *
 * A block of threads is named by the tag of its block.launch. Its life under this extension:
 *
 *     RUNNING --stop--> STOPPING --(by itself)--> STOPPED --save, release--> ABSENT          on the old core
 *                                    `-> ABSENT: it ended meanwhile                         and, of a stream,
 *     ABSENT --restore--> STOPPED --resume--> RUNNING                                        on the new one
 *
 * Stopping takes time of the machine: from stop on no instruction of the block issues, what is in flight completes,
 * stores are acknowledged, dirty private lines are written back to memory. Other blocks of the core go on. The block
 * keeps its place in the core until release, and has one from restore on. Nothing here takes time for the transfer of
 * the bytes: that is for whoever moves them.
 *
 * What moves: launch and tag; registers, fcsr, instruction count of each lane; pcs, call depths and reconvergence state;
 * barriers and who waits at them; the scratchpad. What does not: reservations of lr (the next sc fails); the place in
 * the core, and with it the age for a scheduler: a block that arrives is the youngest. Private memory stays where it is:
 * its address is that of the context slot (hd_address.h), whatever the core. A restore drops what the new core's L1
 * holds of global and constant memory, as a first block of a grid does.
 *
 * Whole hardware blocks are saved and loaded by another ability, "heddle.state/1": it takes a machine at any moment and
 * puts it back exactly; this one takes what a program can tell, at rest, into another place.
 *
 * All functions: when every block stands at t, between calls of advance, never by model code. After stop, resume, release
 * and restore the next call of advance begins at t.
 */
#ifndef HD_CONTEXT_H
#define HD_CONTEXT_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_CONTEXT "heddle.context/1"

#define HD_CONTEXT_ABSENT 0u /* it never came, has been released, or has ended */
#define HD_CONTEXT_RUNNING 1u
#define HD_CONTEXT_STOPPING 2u
#define HD_CONTEXT_STOPPED 3u /* nothing of it is in flight anywhere */

/* How much a block is. A transfer's time is taken from the architectural sizes, its contents from the stream. */
typedef struct hd_context_size {
    uint64_t stream_bytes;     /* what save writes now */
    uint64_t register_bytes;   /* threads x registers_per_thread x 4 */
    uint64_t scratchpad_bytes; /* of its launch */
    uint64_t control_bytes;    /* pcs, masks and reconvergence state of its warps */
    uint32_t threads;
    uint32_t warps;
} hd_context_size;

typedef struct hd_context {
    /* HD_CONTEXT_* of the block with this tag. */
    uint32_t (*state)(hd_block *block, uint64_t tag);
    /* RUNNING to STOPPING. 0: it is not RUNNING, nothing has changed; else 1. So too the other functions. A block that
     * ends while it is STOPPING says so as ever (block.done). */
    uint32_t (*stop)(hd_block *block, uint64_t tag, hd_time t);
    /* STOPPED to RUNNING. */
    uint32_t (*resume)(hd_block *block, uint64_t tag, hd_time t);
    /* Of a block that is not ABSENT. */
    uint32_t (*size)(hd_block *block, uint64_t tag, hd_context_size *size);
    /* Of a STOPPED block, which stays: size.stream_bytes bytes. 0: also if `bytes` is less. */
    uint32_t (*save)(hd_block *block, uint64_t tag, void *stream, uint64_t bytes);
    /* STOPPED to ABSENT; its place is free, and the next block that waits in the core may take it. */
    uint32_t (*release)(hd_block *block, uint64_t tag, hd_time t);
    /* A saved block to STOPPED, in whatever place is free. 0, nothing has changed and one line in error: not the bytes
     * that a save of this version wrote, a core of other lanes or another reconvergence unit, its kernel is not loaded,
     * its tag is taken, no place. */
    uint32_t (*restore)(hd_block *block, const void *stream, uint64_t bytes, hd_time t, char *error,
                        size_t error_bytes);
} hd_context;

#ifdef __cplusplus
}
#endif

#endif
