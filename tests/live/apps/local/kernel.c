/* SPDX-License-Identifier: MIT */
/* A transaction has something of everything: words that all read, words that are counted, private memory, and an end of its own. */
#include "args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(local, const local_args *args)
{
    volatile uint32_t *data = simt_scratchpad;
    volatile uint32_t counted[2] = {0, 0};
    uint32_t x = simt_global_index() * 2654435761u + 12345u;
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t gives_up = args->aborts != 0 && (simt_thread_x() + round) % (args->aborts | !args->aborts) == 0;
        tm_begin_scratchpad();
        for (uint32_t i = 0; i < args->reads; i++)
            x += data[args->words + i];
        for (uint32_t i = 0; i < args->accesses; i++) {
            x = x * 1664525u + 1013904223u;
            volatile uint32_t *word = &data[x >> 12 & (args->words - 1)];
            *word = *word + 1;
            counted[0] = counted[0] + 1;
        }
        if (args->blind)
            data[args->words + args->reads] = x;
        if (gives_up & (tm_attempt() <= args->attempts))
            tm_abort(1);
        tm_commit();
    }
    if (counted[0] != args->rounds * args->accesses)
        data[0] = 0; /* private memory was not as it had been */
    simt_barrier();
    if (simt_thread_x() == 0) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < args->words; i++)
            sum += data[i];
        HD_POINTER(uint32_t, args->sums)[simt_block_x()] = sum;
    }
}
