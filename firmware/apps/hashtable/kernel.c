/* SPDX-License-Identifier: MIT */
/*
 * Insertion into a chained hash table, by a lock per bucket (ElTantawy 2018, Figures 1.2a and 3.5) or by transactions that read one
 * word and write four (Fung 2015 §4.3). Each form of synchronisation is a kernel, for each layout.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_synchronization.h"

/* The arguments, in registers. */
typedef struct table {
    const uint32_t *keys;
    const uint32_t *values;
    volatile uint8_t *pool;
    volatile uint8_t *heads;
    volatile uint32_t *locks;
    uint32_t entries;
    uint32_t buckets;
    hashtable_layout layout;
} table;

SIMT_INLINE table table_of(const hashtable_args *args, hashtable_layout layout)
{
    return (table){.keys = HD_POINTER(const uint32_t, args->keys),
                   .values = HD_POINTER(const uint32_t, args->values),
                   .pool = HD_POINTER(volatile uint8_t, args->pool),
                   .heads = HD_POINTER(volatile uint8_t, args->heads),
                   .locks = HD_POINTER(volatile uint32_t, args->locks),
                   .entries = args->entries,
                   .buckets = args->buckets,
                   .layout = layout};
}

SIMT_INLINE volatile hashtable_entry *entry_of(const table *t, uint32_t i)
{
    return (volatile hashtable_entry *)&t->pool[i * t->layout.entry_bytes];
}

SIMT_INLINE volatile uint32_t *head_of(const table *t, uint32_t bucket)
{
    return (volatile uint32_t *)&t->heads[bucket * t->layout.head_bytes];
}

/* The entry becomes the first of its bucket. */
SIMT_INLINE void put_first(volatile hashtable_entry *entry, volatile uint32_t *head, uint32_t i)
{
    entry->next = *head;
    *head = i + 1;
}

/* All of the insertion. */
SIMT_INLINE void insert_entry(const table *t, uint32_t i, uint32_t key, uint32_t value, uint32_t bucket)
{
    volatile hashtable_entry *entry = entry_of(t, i);
    volatile uint32_t *head = head_of(t, bucket);
    uint32_t next = *head;
    entry->key = key;
    entry->value = value;
    entry->next = next;
    *head = i + 1;
}

/* ---- Forms of synchronisation ----------------------------------------------------------------------------------------- */

/* As published: the bucket is locked for what others see. */
SIMT_INLINE void insert_locks(const table *t, uint32_t i)
{
    uint32_t key = t->keys[i];
    uint32_t bucket = hashtable_bucket(key, t->buckets);
    volatile hashtable_entry *entry = entry_of(t, i);
    entry->key = key;
    entry->value = t->values[i];
    ATOMICALLY_LOCKED(&t->locks[bucket], put_first(entry, head_of(t, bucket), i));
}

SIMT_INLINE void insert_tm(const table *t, uint32_t i)
{
    uint32_t key = t->keys[i];
    uint32_t value = t->values[i];
    uint32_t bucket = hashtable_bucket(key, t->buckets);
    ATOMICALLY_TM(insert_entry(t, i, key, value, bucket));
}

SIMT_INLINE void insert_coarse(const table *t, uint32_t i)
{
    uint32_t key = t->keys[i];
    uint32_t value = t->values[i];
    uint32_t bucket = hashtable_bucket(key, t->buckets);
    ATOMICALLY_LOCKED(t->locks, insert_entry(t, i, key, value, bucket));
}

SIMT_INLINE void insert_serial(const table *t, uint32_t i)
{
    uint32_t key = t->keys[i];
    uint32_t value = t->values[i];
    uint32_t bucket = hashtable_bucket(key, t->buckets);
    ATOMICALLY_ALONE(insert_entry(t, i, key, value, bucket));
}

#define KERNEL(name, insert, layout)                                                                                   \
    SIMT_KERNEL(name, const hashtable_args *args)                                                                      \
    {                                                                                                                  \
        const table t = table_of(args, layout);                                                                        \
        const uint32_t threads = simt_global_size();                                                                   \
        for (uint32_t i = simt_global_index(); i < t.entries; i += threads)                                            \
            insert(&t, i);                                                                                             \
    }                                                                                                                  \
    SIMT_NO_ALIAS(name);

#define KERNELS(form)                                                                                                  \
    KERNEL(hashtable_##form, insert_##form, HASHTABLE_PACKED)                                                          \
    KERNEL(hashtable_##form##_padded, insert_##form, HASHTABLE_PADDED)

KERNELS(locks)
KERNELS(tm)
KERNELS(coarse)
KERNELS(serial)
