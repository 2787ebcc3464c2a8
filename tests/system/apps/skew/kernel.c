/* SPDX-License-Identifier: MIT */
/* Each transaction reads one word and writes another: two that do so crosswise may not both come first. */
#include "args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(skew, const skew_args *args)
{
    const uint32_t *pairs = HD_POINTER(const uint32_t, args->pairs);
    uint32_t *words = HD_POINTER(uint32_t, args->words);
    uint32_t i = simt_global_index();
    if (i < args->threads) {
        uint32_t *from = &words[pairs[2 * i]];
        uint32_t *to = &words[pairs[2 * i + 1]];
        tm_begin();
        *to = *from + 1;
        tm_commit();
    }
}
