/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The block's part of the stream is in the scratchpad, with the words that its last windows have beyond it. */
SIMT_KERNEL(sliding_hash, const sliding_hash_args *args)
{
    const uint32_t *stream = HD_POINTER(const uint32_t, args->stream);
    uint32_t *part = (uint32_t *)simt_scratchpad;
    uint32_t block = simt_block_size_x(), i = simt_global_index();
    uint32_t first = simt_block_x() * block, end = args->words + args->window - 1;
    for (uint32_t at = simt_thread_x(); at < block + args->window - 1 && first + at < end; at += block)
        part[at] = stream[first + at];
    simt_barrier();
    if (i < args->words)
        HD_POINTER(uint32_t, args->hashes)[i] = sliding_hash_of(part + simt_thread_x(), args->window);
}
