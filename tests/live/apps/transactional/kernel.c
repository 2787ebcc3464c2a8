/* SPDX-License-Identifier: MIT */
/* A transaction has something of everything: words that are counted, read again, and written in part; private memory. */
#include "args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(transactional, const transactional_args *args)
{
    volatile uint32_t *data = HD_POINTER(volatile uint32_t, args->data);
    volatile uint32_t counted[2] = {0, 0};
    uint32_t index = simt_global_index();
    uint32_t x = index * 2654435761u + 12345u;
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t gives_up = args->aborts != 0 && (index + round) % (args->aborts | !args->aborts) == 0;
        tm_begin();
        for (uint32_t i = 0; i < args->accesses; i++) {
            x = x * 1664525u + 1013904223u;
            volatile uint32_t *word = &data[(x >> 12 & args->mask) * args->spread];
            *word = *word + 1;
            counted[0] = counted[0] + 1;
            ((volatile uint8_t *)word)[3] = (uint8_t)*word;
        }
        if (gives_up & (tm_attempt() == 1))
            tm_abort(1);
        tm_commit();
    }
    if (counted[0] != args->rounds * args->accesses)
        data[0] = 0x00FFFFFF; /* private memory was not as it had been */
}
