/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Scratchpad: the block's own counts, one word per bin. */
SIMT_KERNEL(histogram, const histogram_args *args)
{
    const uint32_t *values = HD_POINTER(const uint32_t, args->values);
    uint32_t *counts = HD_POINTER(uint32_t, args->counts);
    uint32_t n = args->n;
    uint32_t bins = args->bins;
    uint32_t threads = simt_global_size();
    uint32_t thread = simt_thread_x();
    uint32_t size = simt_block_size_x();

    for (uint32_t bin = thread; bin < bins; bin += size)
        simt_scratchpad[bin] = 0;
    simt_barrier();
    for (uint32_t i = simt_global_index(); i < n; i += threads)
        simt_atomic_add(&simt_scratchpad[values[i]], 1);
    simt_barrier();
    for (uint32_t bin = thread; bin < bins; bin += size) {
        uint32_t count = simt_scratchpad[bin];
        if (count != 0)
            simt_atomic_add(&counts[bin], count);
    }
}
