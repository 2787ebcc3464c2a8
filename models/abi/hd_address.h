/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: of a thread (32-bit windows), of packets (64-bit physical addresses), and of a host.
 *
 * The window of a thread's address determines the memory space; addresses in the global window equal physical addresses.
 * Private memory is laid out so that one word of all lanes of a warp is one line: a warp-wide spill is one access.
 */
#ifndef HD_ADDRESS_H
#define HD_ADDRESS_H

#include <stdint.h>

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
#define HD_CONTEXT_STRIDE UINT64_C(0x0000000001000000)        /* one context slot: a block's private memory */
#define HD_HOST_MMIO_BASE UINT64_C(0x0000010000000000)        /* host side only: command processor registers */

/* Physical address of byte `offset` of a lane's private memory. warp = warp in block, lanes = lanes per warp. */
static inline uint64_t hd_private_address(uint64_t private_base, uint32_t private_bytes, uint32_t lanes, uint32_t warp,
                                          uint32_t lane, uint32_t offset)
{
    uint64_t warp_base = private_base + (uint64_t)warp * lanes * private_bytes;
    return warp_base + (uint64_t)(offset / 4) * lanes * 4 + (uint64_t)lane * 4 + offset % 4;
}

#ifdef __cplusplus
}
#endif

#endif
