/* SPDX-License-Identifier: MIT */
/*
 * "heddle.context/1": stops a thread block, saves it as bytes, and resumes it in another core.
 *
 * A thread block is identified by the tag of its block.launch. Its states under this extension:
 *
 *     RUNNING --stop--> STOPPING --(by itself)--> STOPPED --save, release--> ABSENT          on the old core
 *                                    `-> ABSENT: it ended meanwhile                         and, from a stream,
 *     ABSENT --restore--> STOPPED --resume--> RUNNING                                        on the new one
 *
 * Stopping takes simulated time: from stop on no instruction of the block issues; what is in flight completes, stores
 * are acknowledged, and dirty private lines are written back to memory. The exception is a warp that is in a transaction, or
 * waits to begin one: it continues until the transaction has committed, retries included, and the block is STOPPED when
 * the results are in memory; or it is taken back to where the transaction begins (context.tx_policy). Logs, reservations and checkpoints are therefore never moved. Other blocks of the core
 * continue. The block occupies its place in the core until release, and a place in the new core from restore on. The
 * transfer of the bytes takes no time here: whoever moves them models that.
 *
 * Moved: launch and tag; registers, fcsr and instruction count of each lane; pcs, call depths and reconvergence state;
 * barriers and the threads that wait at them; the scratchpad. Not moved: reservations of lr (the next sc fails), and the
 * age seen by the scheduler: a block that arrives is the youngest. Private memory stays in place: its address is that of
 * the context slot (hd_address.h), whatever the core. A restore drops the new core's L1 lines of global and constant
 * memory, as the first block of a grid does.
 *
 * A different ability, "heddle.state/1", saves and loads whole hardware blocks: at any moment, and exactly. This one
 * saves the architectural state of a stopped thread block and restores it elsewhere.
 *
 * All functions are called when every block has reached time t, between calls of advance, never by model code, which sends
 * messages instead (hd_message.h: block.stop, block.restore). After stop, resume, release and restore the next call of
 * advance begins at t. A block that leaves by block.stop can neither resume nor be released.
 */
#ifndef HD_CONTEXT_H
#define HD_CONTEXT_H

#include "hd_block.h"
#include "hd_message.h" /* hd_context_size */

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_CONTEXT "heddle.context/1"

#define HD_CONTEXT_ABSENT 0u /* never launched, released, or ended */
#define HD_CONTEXT_RUNNING 1u
#define HD_CONTEXT_STOPPING 2u
#define HD_CONTEXT_STOPPED 3u /* nothing of it is in flight anywhere */

typedef struct hd_context {
    /* HD_CONTEXT_* of the block with this tag. */
    uint32_t (*state)(hd_block *block, uint64_t tag);
    /* RUNNING to STOPPING. Returns 1; 0 if it is not RUNNING, and then nothing changes. The other functions likewise. A
     * block that ends while it is STOPPING sends block.done as usual. */
    uint32_t (*stop)(hd_block *block, uint64_t tag, hd_time t);
    /* STOPPED to RUNNING. */
    uint32_t (*resume)(hd_block *block, uint64_t tag, hd_time t);
    /* For a block that is not ABSENT. */
    uint32_t (*size)(hd_block *block, uint64_t tag, hd_context_size *size);
    /* For a STOPPED block, which stays: writes size.stream_bytes bytes. 0 also if `bytes` is less. */
    uint32_t (*save)(hd_block *block, uint64_t tag, void *stream, uint64_t bytes);
    /* STOPPED to ABSENT. Its place is free for the next block that waits in the core. */
    uint32_t (*release)(hd_block *block, uint64_t tag, hd_time t);
    /* A saved block to STOPPED, in any free place. Returns 0 with one line in error, and changes nothing, if the bytes
     * were not written by save of this version, if the number of lanes or the reconvergence unit differs, if the kernel
     * is not loaded, if the tag is in use, or if no place is free. */
    uint32_t (*restore)(hd_block *block, const void *stream, uint64_t bytes, hd_time t, char *error,
                        size_t error_bytes);
} hd_context;

#ifdef __cplusplus
}
#endif

#endif
