/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* All of a block's context is in use while its threads count: eight registers each, and every word of the scratchpad, which is read at the
 * end. */
SIMT_KERNEL(ctx_sweep, const ctx_sweep_args *args)
{
    uint32_t *scratchpad = (uint32_t *)simt_scratchpad;
    const uint32_t threads = simt_block_size_x(), thread = simt_thread_x(), block = simt_block_x();
    for (uint32_t at = thread; at < args->words; at += threads)
        scratchpad[at] = ctx_sweep_word(block, at);
    simt_barrier();
    uint32_t state[8];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < 8; i++)
        state[i] = simt_global_index() * 8 + i;
    for (uint32_t round = 0; round < args->rounds; round++) {
#pragma GCC unroll 8
        for (uint32_t i = 0; i < 8; i++)
            state[i] = ctx_sweep_step(state[i]);
    }
    uint32_t result = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < 8; i++)
        result ^= state[i];
    simt_barrier();
    for (uint32_t at = (thread + 1) % threads; at < args->words; at += threads)
        result += scratchpad[at];
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = result;
}
