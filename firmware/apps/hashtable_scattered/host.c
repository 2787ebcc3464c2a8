/* SPDX-License-Identifier: MIT */
#include "hashtable/args.h"
#include "hashtable/host_entries.h"
#include "scatter.h"

typedef struct table {
    const uint32_t *keys, *values, *pool, *heads;
    uint8_t *seen;
    uint32_t entries, buckets;
} table;

/* Word of an entry: 0 its key, 1 its value, 2 the next of its chain. */
static uint32_t word_of(const table *t, uint32_t entry, uint32_t word)
{
    return t->pool[hashtable_scatter(3 * entry + word, 3 * t->entries)];
}

/* Every entry of the bucket's chain is one that belongs there, met for the first time. Returns how many. */
static uint32_t check_chain(const table *t, uint32_t bucket)
{
    uint32_t length = 0;
    for (uint32_t link = t->heads[bucket]; link; link = word_of(t, link - 1, 2), length++) {
        hd_check(link <= t->entries, "bucket %u: link %u is %u, there are %u entries", bucket, length, link,
                 t->entries);
        const uint32_t i = link - 1;
        hd_check(!t->seen[i], "bucket %u: entry %u is linked twice", bucket, i);
        t->seen[i] = 1;
        host_check_word("pool.key", i, word_of(t, i, 0), t->keys[i]);
        host_check_word("pool.value", i, word_of(t, i, 1), t->values[i]);
        hd_check(hashtable_bucket(t->keys[i], t->buckets) == bucket, "entry %u is in bucket %u", i, bucket);
    }
    return length;
}

int hd_app_main(void)
{
    const uint32_t buckets = host_option("buckets", 8000, 1, 1u << 26);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 120, 1, 1u << 16);
    const uint32_t entries = block * grid;
    const size_t entry_bytes = entries * sizeof(uint32_t), head_bytes = (size_t)buckets * sizeof(uint32_t);
    uint32_t *keys = hd_host_alloc(entry_bytes), *values = hd_host_alloc(entry_bytes);
    draw_entries(keys, values, entries, hd_option("seed", 1));
    hashtable_args args = {.keys = host_upload(keys, entry_bytes),
                           .values = host_upload(values, entry_bytes),
                           .pool = host_poisoned(3 * entry_bytes),
                           .heads = host_filled(0, head_bytes),
                           .buckets = buckets,
                           .entries = entries};
    host_launch("hashtable_scattered", hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    uint32_t *pool = hd_host_alloc(3 * entry_bytes), *heads = hd_host_alloc(head_bytes), found = 0;
    hd_copy_from_device(pool, args.pool, 3 * entry_bytes);
    hd_copy_from_device(heads, args.heads, head_bytes);
    const table table = {.keys = keys,
                         .values = values,
                         .pool = pool,
                         .heads = heads,
                         .seen = hd_host_alloc(entries),
                         .entries = entries,
                         .buckets = buckets};
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        found += check_chain(&table, bucket);
    hd_check(found == entries, "%u of %u entries are in the table", found, entries);
    hd_report("entries", found);
    return HD_PASS;
}
