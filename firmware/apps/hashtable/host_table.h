/* SPDX-License-Identifier: MIT */
/* A hash table that a kernel fills, as its host program sees it: what goes into it, and whether it is there. */
#ifndef HASHTABLE_HOST_TABLE_H
#define HASHTABLE_HOST_TABLE_H

#include "args.h"
#include "hashtable/host_entries.h"

typedef struct table {
    const uint32_t *keys;
    const uint32_t *values;
    const uint8_t *pool;
    const uint8_t *heads;
    hashtable_layout layout;
    uint8_t *seen;
    uint32_t entries;
    uint32_t buckets;
    uint32_t is_serial;
} table;

static inline const hashtable_entry *entry_at(const table *t, uint32_t i)
{
    return (const hashtable_entry *)(t->pool + (size_t)i * t->layout.entry_bytes);
}

static inline uint32_t head_at(const table *t, uint32_t bucket)
{
    return *(const uint32_t *)(t->heads + (size_t)bucket * t->layout.head_bytes);
}

/* Every entry of the bucket's chain is one that belongs there, met for the first time; one thread has put later ones in front.
 * Returns how many. */
static inline uint32_t check_chain(const table *t, uint32_t bucket)
{
    uint32_t length = 0, before = t->entries + 1;
    for (uint32_t link = head_at(t, bucket); link != 0; link = entry_at(t, link - 1)->next) {
        hd_check(link <= t->entries, "bucket %u: link %u is %u, there are %u entries", bucket, length, link,
                 t->entries);
        uint32_t i = link - 1;
        hd_check(!t->seen[i], "bucket %u: entry %u is linked twice", bucket, i);
        hd_check(!t->is_serial || link < before, "bucket %u: entry %u comes behind %u", bucket, i, before - 1);
        t->seen[i] = 1;
        host_check_word("pool.key", i, entry_at(t, i)->key, t->keys[i]);
        host_check_word("pool.value", i, entry_at(t, i)->value, t->values[i]);
        uint32_t home = hashtable_bucket(t->keys[i], t->buckets);
        hd_check(home == bucket, "entry %u is in bucket %u, expected %u", i, bucket, home);
        before = link;
        length++;
    }
    return length;
}

static inline void check_table(const table *t)
{
    uint32_t found = 0;
    uint32_t longest = 0;
    for (uint32_t bucket = 0; bucket < t->buckets; bucket++) {
        uint32_t length = check_chain(t, bucket);
        found += length;
        longest = length > longest ? length : longest;
    }
    for (uint32_t i = 0; i < t->entries; i++)
        hd_check(t->seen[i], "entry %u, key %u, is in no bucket, expected bucket %u", i, t->keys[i],
                 hashtable_bucket(t->keys[i], t->buckets));
    hd_report("entries", found);
    hd_report("longest_chain", longest);
}

/* Different keys and random values on the device, for an empty table with this many free locks. */
static inline table make_table(hashtable_args *args, uint32_t entries, uint32_t buckets, hashtable_layout layout,
                               uint64_t random)
{
    const size_t entry_bytes = entries * sizeof(uint32_t), lock_bytes = buckets * sizeof(uint32_t);
    const size_t pool_bytes = (size_t)entries * layout.entry_bytes, head_bytes = (size_t)buckets * layout.head_bytes;
    *args = (hashtable_args){.keys = hd_malloc(entry_bytes),
                             .values = hd_malloc(entry_bytes),
                             .pool = host_poisoned(pool_bytes),
                             .heads = host_filled(0, head_bytes),
                             .locks = host_filled(0, lock_bytes),
                             .buckets = buckets,
                             .entries = entries};
    uint32_t *keys = hd_host_alloc(entry_bytes);
    uint32_t *values = hd_host_alloc(entry_bytes);
    draw_entries(keys, values, entries, random);
    hd_copy_to_device(args->keys, keys, entry_bytes);
    hd_copy_to_device(args->values, values, entry_bytes);
    return (table){.keys = keys, .values = values, .layout = layout, .entries = entries, .buckets = buckets};
}

/* After the kernel: locks are free, and everything is there. */
static inline void fetch_and_check_table(table *t, const hashtable_args *args)
{
    const uint32_t *locks = host_download(args->locks, t->buckets * sizeof(uint32_t));
    for (uint32_t bucket = 0; bucket < t->buckets; bucket++)
        host_check_word("locks", bucket, locks[bucket], 0);
    t->pool = host_download(args->pool, (size_t)t->entries * t->layout.entry_bytes);
    t->heads = host_download(args->heads, (size_t)t->buckets * t->layout.head_bytes);
    t->seen = hd_host_alloc(t->entries);
    check_table(t);
}

/* block * grid * inserts threads' insertions, if a table may have as many. */
static inline uint32_t entries_of(uint32_t block, uint32_t grid, uint32_t inserts)
{
    const uint64_t wanted = (uint64_t)block * grid * inserts;
    hd_check(wanted <= 1u << 26, "block * grid * inserts is %llu; it must be at most %u", (unsigned long long)wanted,
             1u << 26);
    return (uint32_t)wanted;
}

#endif
