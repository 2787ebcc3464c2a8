/* SPDX-License-Identifier: MIT */
/* Chained hash table, one lock per bucket: ElTantawy 2018, Figures 1.2a and 3.5. */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(hashtable, const hashtable_args *args)
{
    const uint32_t *keys = HD_POINTER(const uint32_t, args->keys);
    const uint32_t *values = HD_POINTER(const uint32_t, args->values);
    volatile hashtable_entry *pool = HD_POINTER(volatile hashtable_entry, args->pool);
    volatile uint32_t *heads = HD_POINTER(volatile uint32_t, args->heads);
    volatile uint32_t *locks = HD_POINTER(volatile uint32_t, args->locks);
    uint32_t entries = args->entries;
    uint32_t buckets = args->buckets;
    uint32_t threads = simt_global_size();

    for (uint32_t i = simt_global_index(); i < entries; i += threads) {
        uint32_t key = keys[i];
        uint32_t bucket = hashtable_bucket(key, buckets);
        pool[i].key = key;
        pool[i].value = values[i];

        /* The release must stay inside the loop: a SIMT stack parks the lanes that leave it. With a flag that gcc sees
         * through it would move the release behind the loop. */
        uint32_t done = 0;
        while (!simt_opaque(done)) {
            if (simt_try_lock(&locks[bucket])) {
                simt_fence();
                pool[i].next = heads[bucket];
                heads[bucket] = i + 1;
                simt_unlock(&locks[bucket]);
                done = 1;
            }
        }
    }
}
