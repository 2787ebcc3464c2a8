/* SPDX-License-Identifier: MIT */
/* A thread's address windows: which memory an address means, and which accesses are refused, in which words. */
#ifndef SIMT_CORE_WINDOW_H
#define SIMT_CORE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "hd_address.h"

enum { WINDOW_SCRATCHPAD, WINDOW_PRIVATE, WINDOW_CONSTANT, WINDOW_GLOBAL, WINDOWS };
enum { KIND_LOAD, KIND_STORE, KIND_ATOMIC };

/* What a warp's addresses mean, set when its block is launched. */
typedef struct memory_view {
    uint32_t block; /* block slot */
    uint32_t warp_in_block;
    uint32_t scratchpad_offset; /* of the block's part of the core's scratchpad */
    uint32_t scratchpad_bytes;
    uint32_t context_slot; /* of hd_block_launch */
    uint32_t context_slots;
    uint32_t warps_in_block;
    uint32_t private_bytes; /* per thread */
    uint32_t constant_bytes;
    uint32_t reserved;      /* no padding: it is stored as it is */
    uint64_t constant_base; /* physical, a multiple of 4 */
    uint64_t memory_end;    /* of hd_address_map */
} memory_view;

/* Physical address of line `line` of the warp's private memory: one word of each lane after the other. */
static inline uint64_t window_private_line(const memory_view *view, uint32_t line)
{
    return hd_context_line(view->context_slot, view->context_slots, line * view->warps_in_block + view->warp_in_block);
}

/* The same of the last lines of the context slot, where the logs of transactions are: line 0 is the last one of them. */
static inline uint64_t window_log_line(const memory_view *view, uint32_t line)
{
    return hd_context_line(view->context_slot, view->context_slots,
                           HD_CONTEXT_LINES - 1 - (line * view->warps_in_block + view->warp_in_block));
}

/* The window of an address that is not refused. */
static inline uint32_t window_of(uint32_t address)
{
    if (address >= HD_GLOBAL_BASE)
        return WINDOW_GLOBAL;
    if (address >= HD_CONSTANT_BASE)
        return WINDOW_CONSTANT;
    return address >= HD_PRIVATE_BASE ? WINDOW_PRIVATE : WINDOW_SCRATCHPAD;
}

/* Others may read and write what is there. */
static inline uint32_t window_is_shared(uint32_t address)
{
    const uint32_t window = window_of(address);
    return window == WINDOW_GLOBAL || window == WINDOW_SCRATCHPAD;
}

#define WINDOW_ALLOWED 0u
/* Why an access (KIND_*) of 1, 2 or 4 bytes is refused; WINDOW_ALLOWED = it is not. An access that is allowed lies in one
 * window, and what is allowed at the lowest and at the highest of aligned addresses of one window is allowed between. */
uint32_t window_refusal(const memory_view *view, uint32_t kind, uint32_t bytes, uint32_t address);
/* One sentence part: "misaligned 4-byte load of 0x10000002". */
void window_describe(const memory_view *view, uint32_t kind, uint32_t bytes, uint32_t address, uint32_t refusal,
                     char *text, size_t text_bytes);

#endif
