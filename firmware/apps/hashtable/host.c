/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#ifndef HASHTABLE_KERNEL /* hashtable_tm has another one */
#define HASHTABLE_KERNEL "hashtable"
#endif

typedef struct table {
    const uint32_t *keys;
    const uint32_t *values;
    const hashtable_entry *pool;
    const uint32_t *heads;
    uint8_t *seen;
    uint32_t entries;
    uint32_t buckets;
} table;

/* Every entry of the bucket's chain is one that belongs there, met for the first time. Returns how many. */
static uint32_t check_chain(const table *t, uint32_t bucket)
{
    uint32_t length = 0;
    for (uint32_t link = t->heads[bucket]; link != 0; link = t->pool[link - 1].next) {
        hd_check(link <= t->entries, "bucket %u: link %u is %u, there are %u entries", bucket, length, link,
                 t->entries);
        uint32_t i = link - 1;
        hd_check(!t->seen[i], "bucket %u: entry %u is linked twice", bucket, i);
        t->seen[i] = 1;
        host_check_word("pool.key", i, t->pool[i].key, t->keys[i]);
        host_check_word("pool.value", i, t->pool[i].value, t->values[i]);
        uint32_t home = hashtable_bucket(t->keys[i], t->buckets);
        hd_check(home == bucket, "entry %u is in bucket %u, expected %u", i, bucket, home);
        length++;
    }
    return length;
}

static void check_table(const table *t)
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

int hd_app_main(void)
{
    uint32_t buckets = host_option("buckets", 8000, 1, 1u << 26);
    uint32_t block = host_option("block", 192, 1, 1024);
    uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    uint32_t inserts = host_option("inserts", 1, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    uint64_t wanted = (uint64_t)block * grid * inserts;
    hd_check(wanted <= 1u << 26, "block * grid * inserts is %llu; it must be at most %u", (unsigned long long)wanted,
             1u << 26);
    uint32_t entries = (uint32_t)wanted;
    size_t entry_bytes = entries * sizeof(uint32_t);
    size_t bucket_bytes = buckets * sizeof(uint32_t);
    uint32_t *keys = hd_host_alloc(entry_bytes);
    uint32_t *values = hd_host_alloc(entry_bytes);
    uint32_t first_key = (uint32_t)hd_random(&random);
    for (uint32_t i = 0; i < entries; i++) {
        keys[i] = (first_key + i) * 0x9E3779B1u; /* odd factor: all different */
        values[i] = (uint32_t)hd_random(&random);
    }

    hashtable_args args = {.keys = host_upload(keys, entry_bytes),
                           .values = host_upload(values, entry_bytes),
                           .pool = host_poisoned(entries * sizeof(hashtable_entry)),
                           .heads = host_filled(0, bucket_bytes),
                           .locks = host_filled(0, bucket_bytes),
                           .buckets = buckets,
                           .entries = entries};
    host_launch(HASHTABLE_KERNEL, hd_1d(grid), hd_1d(block), 0, &args, sizeof args);

    hashtable_entry *pool = hd_host_alloc(entries * sizeof(hashtable_entry));
    uint32_t *heads = hd_host_alloc(bucket_bytes);
    uint32_t *locks = hd_host_alloc(bucket_bytes);
    hd_copy_from_device(pool, args.pool, entries * sizeof(hashtable_entry));
    hd_copy_from_device(heads, args.heads, bucket_bytes);
    hd_copy_from_device(locks, args.locks, bucket_bytes);
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        host_check_word("locks", bucket, locks[bucket], 0);
    check_table(&(table){.keys = keys,
                         .values = values,
                         .pool = pool,
                         .heads = heads,
                         .seen = hd_host_alloc(entries),
                         .entries = entries,
                         .buckets = buckets});
    return HD_PASS;
}
