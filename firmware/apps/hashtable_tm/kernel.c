/* SPDX-License-Identifier: MIT */
/* Chained hash table, a transaction for each insertion: one word read, four written. Fung 2015 §4.3. */
#include "hashtable/args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(hashtable_tm, const hashtable_args *args)
{
    const uint32_t *keys = HD_POINTER(const uint32_t, args->keys);
    const uint32_t *values = HD_POINTER(const uint32_t, args->values);
    hashtable_entry *pool = HD_POINTER(hashtable_entry, args->pool);
    uint32_t *heads = HD_POINTER(uint32_t, args->heads);
    uint32_t entries = args->entries;
    uint32_t buckets = args->buckets;
    uint32_t threads = simt_global_size();

    for (uint32_t i = simt_global_index(); i < entries; i += threads) {
        uint32_t key = keys[i];
        uint32_t value = values[i];
        uint32_t bucket = hashtable_bucket(key, buckets);

        tm_begin();
        pool[i] = (hashtable_entry){.key = key, .value = value, .next = heads[bucket]};
        heads[bucket] = i + 1;
        tm_commit();
    }
}
