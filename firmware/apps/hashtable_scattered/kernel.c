/* SPDX-License-Identifier: MIT */
/*
 * hashtable by transactions, with words that do not lie beside each other: each of an entry's three is anywhere in the pool, so that what
 * transactions of a warp access has no order (Fung 2015 §4.3 does not say where its entries lie).
 */
#include "hashtable/args.h"
#include "scatter.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(hashtable_scattered, const hashtable_args *args)
{
    const uint32_t *keys = HD_POINTER(const uint32_t, args->keys);
    const uint32_t *values = HD_POINTER(const uint32_t, args->values);
    uint32_t *pool = HD_POINTER(uint32_t, args->pool);
    uint32_t *heads = HD_POINTER(uint32_t, args->heads);
    uint32_t entries = args->entries;
    uint32_t buckets = args->buckets;
    uint32_t threads = simt_global_size();

    for (uint32_t i = simt_global_index(); i < entries; i += threads) {
        uint32_t key = keys[i];
        uint32_t value = values[i];
        uint32_t bucket = hashtable_bucket(key, buckets);
        uint32_t *at_key = &pool[hashtable_scatter(3 * i, 3 * entries)];
        uint32_t *at_value = &pool[hashtable_scatter(3 * i + 1, 3 * entries)];
        uint32_t *at_next = &pool[hashtable_scatter(3 * i + 2, 3 * entries)];

        tm_begin();
        *at_key = key;
        *at_value = value;
        *at_next = heads[bucket];
        heads[bucket] = i + 1;
        tm_commit();
    }
}
