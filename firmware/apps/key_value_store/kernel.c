/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Keys have different lengths: lanes leave their loop one by one. */
SIMT_INLINE uint32_t hash_of(const store_key *key)
{
    uint32_t hash = key->words;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < key->words; i++)
        hash = store_hash_mix(hash, key->word[i]);
    return hash;
}

SIMT_INLINE uint32_t is_equal(const store_key *a, const store_key *b)
{
    if (a->words != b->words)
        return 0;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < a->words; i++)
        if (a->word[i] != b->word[i])
            return 0;
    return 1;
}

SIMT_INLINE store_item *find(const store_args *args, const store_key *key)
{
    uint32_t hash = hash_of(key);
    store_item *item = HD_POINTER(store_item, HD_POINTER(const hd_device_ptr, args->chains)[hash & args->mask]);
    while (item && !(item->hash == hash && is_equal(&item->key, key)))
        item = HD_POINTER(store_item, item->next);
    return item;
}

/* A request per thread. */
SIMT_KERNEL(key_value_store, const store_args *args)
{
    uint32_t index = simt_global_index();
    if (index >= args->count)
        return;
    store_reply *reply = HD_POINTER(store_reply, args->replies) + index;
    store_item *item = find(args, HD_POINTER(const store_key, args->requests) + index);
    if (!item) {
        reply->status = REPLY_MISS;
        reply->value_words = 0;
    } else if (item->expires <= args->now) {
        reply->status = REPLY_EXPIRED;
        reply->value_words = 0;
    } else {
        simt_atomic_maxu(&item->used, args->now);
        reply->status = REPLY_HIT;
        reply->value_words = item->value_words;
#pragma GCC unroll 1
        for (uint32_t i = 0; i < item->value_words; i++)
            reply->value[i] = item->value[i];
    }
}
