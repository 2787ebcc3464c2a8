/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"

/* Locks in other forms. */
enum { LANES = HOST_FORM_COUNT, DELAYED, THROTTLED };

static const char *const kernels[][2] = {[HOST_TM] = {"hashtable_tm", "hashtable_tm_padded"},
                                         [HOST_LOCKS] = {"hashtable_locks", "hashtable_locks_padded"},
                                         [HOST_COARSE] = {"hashtable_coarse", "hashtable_coarse_padded"},
                                         [HOST_SERIAL] = {"hashtable_serial", "hashtable_serial_padded"},
                                         [LANES] = {"hashtable_lanes", NULL},
                                         [DELAYED] = {"hashtable_delayed", NULL},
                                         [THROTTLED] = {"hashtable_throttled", NULL}};

static uint32_t form_of(const char *sync)
{
    static const char *const names[] = {
        HOST_FORM_NAMES, [LANES] = "lanes", [DELAYED] = "delayed", [THROTTLED] = "throttled"};
    return HOST_CHOICE("sync", sync, names);
}

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

static const hashtable_entry *entry_at(const table *t, uint32_t i)
{
    return (const hashtable_entry *)(t->pool + (size_t)i * t->layout.entry_bytes);
}

static uint32_t head_at(const table *t, uint32_t bucket)
{
    return *(const uint32_t *)(t->heads + (size_t)bucket * t->layout.head_bytes);
}

/* Every entry of the bucket's chain is one that belongs there, met for the first time; one thread has put later ones in front.
 * Returns how many. */
static uint32_t check_chain(const table *t, uint32_t bucket)
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
    const uint32_t form = form_of(hd_option_text("sync", "locks"));
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    const uint32_t buckets = host_option("buckets", 8000, 1, 1u << 26);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    const uint32_t inserts = host_option("inserts", 1, 1, 1024);
    const uint32_t delay = host_option("delay", 50, 0, 1u << 20);
    uint64_t random = hd_option("seed", 1);

    hd_check(kernels[form][is_padded], "option layout is 'padded'; this form of locks has only packed entries");
    const uint64_t wanted = (uint64_t)block * grid * inserts;
    hd_check(wanted <= 1u << 26, "block * grid * inserts is %llu; it must be at most %u", (unsigned long long)wanted,
             1u << 26);
    const uint32_t entries = (uint32_t)wanted;
    const hashtable_layout layout = is_padded ? HASHTABLE_PADDED : HASHTABLE_PACKED;
    const size_t entry_bytes = entries * sizeof(uint32_t), lock_bytes = buckets * sizeof(uint32_t);
    const size_t pool_bytes = (size_t)entries * layout.entry_bytes, head_bytes = (size_t)buckets * layout.head_bytes;
    hashtable_args args = {.keys = hd_malloc(entry_bytes),
                           .values = hd_malloc(entry_bytes),
                           .pool = host_poisoned(pool_bytes),
                           .heads = host_filled(0, head_bytes),
                           .locks = host_filled(0, lock_bytes),
                           .buckets = buckets,
                           .entries = entries,
                           .delay = delay};
    uint32_t *keys = hd_host_alloc(entry_bytes);
    uint32_t *values = hd_host_alloc(entry_bytes);
    uint32_t first_key = (uint32_t)hd_random(&random);
    for (uint32_t i = 0; i < entries; i++) {
        keys[i] = (first_key + i) * 0x9E3779B1u; /* odd factor: all different */
        values[i] = (uint32_t)hd_random(&random);
    }
    hd_copy_to_device(args.keys, keys, entry_bytes);
    hd_copy_to_device(args.values, values, entry_bytes);
    host_launch(kernels[form][is_padded], hd_1d(form == HOST_SERIAL ? 1 : grid), hd_1d(form == HOST_SERIAL ? 1 : block),
                form == THROTTLED ? sizeof(uint32_t) : 0, &args, sizeof args);

    const uint32_t *locks = host_download(args.locks, lock_bytes);
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        host_check_word("locks", bucket, locks[bucket], 0);
    check_table(&(table){.keys = keys,
                         .values = values,
                         .pool = host_download(args.pool, pool_bytes),
                         .heads = host_download(args.heads, head_bytes),
                         .layout = layout,
                         .seen = hd_host_alloc(entries),
                         .entries = entries,
                         .buckets = buckets,
                         .is_serial = form == HOST_SERIAL});
    return HD_PASS;
}
