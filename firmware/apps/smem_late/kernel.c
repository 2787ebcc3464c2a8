/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A block that moves before the first barrier has nothing in its scratchpad. */
SIMT_KERNEL(smem_late, const smem_late_args *args)
{
    uint32_t *scratchpad = (uint32_t *)simt_scratchpad;
    const uint32_t threads = simt_block_size_x(), thread = simt_thread_x();
    uint32_t state = smem_late_steps(simt_global_index(), args->rounds);
    for (uint32_t at = thread; at < args->words; at += threads)
        scratchpad[at] = state + at;
    simt_barrier();
    state = smem_late_steps(state, args->late);
    for (uint32_t at = (thread + 1) % threads; at < args->words; at += threads)
        state ^= scratchpad[at];
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = state;
}
