/* SPDX-License-Identifier: MIT */
/* Both words of a pair are the same, for whoever commits. Whoever sees them differ loads from where no word is. */
#include "args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(pairs, const pairs_args *args)
{
    volatile uint32_t *first = HD_POINTER(volatile uint32_t, args->first);
    volatile uint32_t *second = HD_POINTER(volatile uint32_t, args->second);
    volatile uint8_t *zero = HD_POINTER(volatile uint8_t, args->zero);
    uint32_t index = simt_global_index();
    uint32_t writes = index % args->writers == 0;
    uint32_t x = index * 2654435761u + 12345u;
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t differ = 0;
        tm_begin();
        differ = 0;
        for (uint32_t look = 0; look < args->looks; look++) {
            x = x * 1664525u + 1013904223u;
            uint32_t pair = x >> 12 & args->mask;
            uint32_t apart = first[pair] != second[pair];
            differ += apart + *(volatile uint32_t *)(zero + apart);
            if (writes) {
                first[pair] = first[pair] + 1;
                second[pair] = second[pair] + 1;
            }
        }
        tm_commit();
        if (differ)
            simt_atomic_add(HD_POINTER(uint32_t, args->torn), differ);
    }
}
