/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: of a thread (32-bit windows), of packets (64-bit physical addresses), and of a host.
 *
 * The window of a thread's address determines the memory space; addresses in the global window equal physical addresses.
 * Private memory is laid out so that one word of all lanes of a warp is one line: a warp-wide spill is one access. The
 * same word of all warps of a block, and of all blocks, lies together: stacks, of which only the top is used, then spread
 * over partitions, banks and sets, however many there are.
 */
#ifndef HD_ADDRESS_H
#define HD_ADDRESS_H

#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A thread's windows ------------------------------------------------------------------------------------------- */
#define HD_UNMAPPED_END UINT32_C(0x00010000)    /* an access below is a null dereference */
#define HD_SCRATCHPAD_BASE UINT32_C(0x01000000) /* the block's scratchpad */
#define HD_SCRATCHPAD_END UINT32_C(0x02000000)
#define HD_PRIVATE_BASE UINT32_C(0x04000000) /* base .. base + private_bytes; the stack grows down from its top */
#define HD_PRIVATE_END UINT32_C(0x08000000)
#define HD_CONSTANT_BASE UINT32_C(0x0C000000) /* the launch's argument block, read-only */
#define HD_CONSTANT_END UINT32_C(0x0C010000)
#define HD_GLOBAL_BASE UINT32_C(0x10000000) /* code and data; to the end of the 32-bit space */

/* ---- Physical ----------------------------------------------------------------------------------------------------- */
#define HD_PHYSICAL_CONTEXT_BASE UINT64_C(0x0000000100000000) /* private memory of the context slots */
#define HD_CONTEXT_BYTES UINT64_C(0x0000000001000000)         /* one context slot: a block's private memory */
#define HD_CONTEXT_LINES ((uint32_t)(HD_CONTEXT_BYTES / HD_LINE_BYTES))
/* First line of a slot that holds a saved thread block (hd_message.h, "Moving thread blocks"): behind private memory and before the
 * logs of transactions, which grow down from the last line. */
#define HD_CONTEXT_SAVED_LINE (HD_CONTEXT_LINES / 4 * 3)
#define HD_CONTEXT_SAVED_LINES 8192u /* that it may take */
/* From one line of the slots to the next they move on by so many: no slot has its lines in the same few partitions where the
 * number of slots is a multiple of that of partitions. Odd, and far from simple fractions of powers of two. */
#define HD_CONTEXT_TURN 807u
#define HD_HOST_MMIO_BASE UINT64_C(0x0000010000000000) /* host side only: command processor registers */

/* Physical address of a line, 0 .. HD_CONTEXT_LINES - 1, of context slot `slot` of `slots`. Lines of equal number of all slots
 * lie side by side. */
static inline uint64_t hd_context_line(uint32_t slot, uint32_t slots, uint32_t line)
{
    const uint64_t place = (slot + (uint64_t)line * HD_CONTEXT_TURN) % slots;
    return HD_PHYSICAL_CONTEXT_BASE + ((uint64_t)line * slots + place) * HD_LINE_BYTES;
}

/* Physical address of byte `offset` of a lane's private memory, in a block of `warps` warps of `lanes` lanes. */
static inline uint64_t hd_private_address(uint32_t slot, uint32_t slots, uint32_t lanes, uint32_t warps, uint32_t warp,
                                          uint32_t lane, uint32_t offset)
{
    const uint64_t in_warp = (uint64_t)(offset / 4) * lanes * 4 + (uint64_t)lane * 4 + offset % 4;
    const uint32_t line = (uint32_t)(in_warp / HD_LINE_BYTES) * warps + warp;
    return hd_context_line(slot, slots, line) + in_warp % HD_LINE_BYTES;
}

#ifdef __cplusplus
}
#endif

#endif
