/* SPDX-License-Identifier: MIT */
/* Transactions that take what there is of something: each other's words, stores to one word, attempts. */
#include "args.h"
#include "simt.h"
#include "tm.h"

/* Each thread reads many words anywhere and counts in a few: whoever commits is in the way of nearly all others. */
SIMT_KERNEL(crowd, const contention_args *args)
{
    volatile uint32_t *data = HD_POINTER(volatile uint32_t, args->data);
    uint32_t words = args->words, loads = args->loads, stores = args->stores;
    uint32_t seed = simt_global_index() * 2654435761u + 12345u;
    tm_begin();
    uint32_t x = seed;
    for (uint32_t i = 0; i < loads; i++) {
        x = x * 1664525u + 1013904223u;
        (void)data[(x >> 8) % words];
    }
    for (uint32_t i = 0; i < stores; i++) {
        x = x * 1664525u + 1013904223u;
        volatile uint32_t *word = &data[(x >> 8) % words];
        *word = *word + 1;
    }
    tm_commit();
}

/* One thread stores to one word again and again; then it needs that the word is free again. */
SIMT_KERNEL(repeated, const contention_args *args)
{
    volatile uint32_t *word = HD_POINTER(volatile uint32_t, args->data);
    uint32_t stores = args->stores;
    tm_begin();
    for (uint32_t i = 1; i < stores; i++)
        *word = i;
    tm_commit();
    tm_begin();
    *word = *word + 1;
    tm_commit();
}

/* Warp 1 commits what warp 0 has read in its first attempt; of warp 0 nothing is heard in so many more. */
SIMT_KERNEL(silent, const contention_args *args)
{
    volatile uint32_t *data = HD_POINTER(volatile uint32_t, args->data);
    uint32_t thread = simt_global_index(), attempts = args->attempts;
    for (volatile uint32_t wait = thread < 32 ? 0 : 100; wait != 0; wait--)
        ;
    tm_begin();
    if (thread >= 32) {
        data[0] = data[0] + 1;
    } else if (tm_attempt() == 1) {
        for (uint32_t i = data[0]; i < 100000; i++)
            __asm__ volatile("");
    } else if (tm_attempt() < attempts) {
        tm_abort(1);
    } else {
        data[1] = data[1] + 1;
    }
    tm_commit();
}
