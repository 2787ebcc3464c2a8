/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Of a block that moves, the tiles of the first two arrays are where they have come from as well; the third is nowhere else. */
SIMT_KERNEL(smem_tile, const smem_tile_args *args)
{
    const uint32_t words = args->words, thread = simt_thread_x(), threads = simt_block_size_x();
    uint32_t *first = (uint32_t *)simt_scratchpad, *second = first + words, *computed = second + words;
    const uint32_t *from_first = HD_POINTER(const uint32_t, args->first) + simt_block_x() * args->steps * words;
    uint32_t *from_second = HD_POINTER(uint32_t, args->second) + simt_block_x() * args->steps * words;
    for (uint32_t step = 0; step < args->steps; step++) {
        if (step)
            simt_barrier_number(1); /* all have read the tiles before */
        for (uint32_t at = thread; at < words; at += threads)
            first[at] = from_first[at];
        for (uint32_t at = thread; at < words; at += threads)
            second[at] = from_second[at];
        simt_barrier_number(0);
        if (args->updates)
            for (uint32_t at = thread; at < words; at += threads)
                from_second[at] = at;
        for (uint32_t round = 0; round < args->rounds; round++) {
            for (uint32_t at = thread; at < words; at += threads) {
                const uint32_t beside = at + 1 == words ? 0 : at + 1;
                computed[at] = smem_tile_next(computed[at], first[beside], second[at]);
            }
        }
        from_first += words;
        from_second += words;
    }
    const uint32_t *unwritten = computed + words;
    uint32_t *results = HD_POINTER(uint32_t, args->results) + simt_block_x() * words;
    for (uint32_t at = thread; at < words; at += threads)
        results[at] = computed[at] + (args->adds_unwritten ? unwritten[at] : 0);
}
