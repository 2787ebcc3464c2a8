/* SPDX-License-Identifier: MIT */
/*
 * Cataclysmic purging (Beaumont 2019 §3.6.1): a block whose working set is in the cache is light. If what a block leaves behind when it
 * moves goes through the cache too, it displaces working sets; their blocks become heavy, and are moved in turn.
 */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(thrash, const thrash_args *args)
{
    uint32_t *scratchpad = (uint32_t *)simt_scratchpad;
    const uint32_t thread = simt_thread_x(), threads = simt_block_size_x();
    const uint32_t *words = HD_POINTER(const uint32_t, args->words) + simt_block_x() * args->word_count;
    for (uint32_t at = thread; at < args->scratchpad_words; at += threads)
        scratchpad[at] = simt_global_index() + at;
    uint32_t sum = simt_global_index();
    float number = (float)thread;
    for (uint32_t round = 0; round < args->rounds; round++) {
        for (uint32_t at = thread; at < args->word_count; at += threads)
            sum = thrash_add(sum, words[at]);
        for (uint32_t step = 0; step < args->float_steps; step++)
            number = thrash_step(number);
    }
    for (uint32_t at = thread; at < args->scratchpad_words; at += threads)
        sum = thrash_add(sum, scratchpad[at]);
    HD_POINTER(uint32_t, args->sums)[simt_global_index()] = sum;
    HD_POINTER(float, args->numbers)[simt_global_index()] = number;
}
