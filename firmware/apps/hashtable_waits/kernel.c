/* SPDX-License-Identifier: MIT */
/* Insertion into a chained hash table by a lock per bucket, for which threads wait in other forms than that of hashtable_locks. */
#include "common/atomically.h"
#include "waits.h"

#define LANES_MAX 64u

/* The arguments, in registers. */
typedef struct table {
    const uint32_t *keys;
    const uint32_t *values;
    volatile hashtable_entry *pool;
    volatile uint32_t *heads;
    volatile uint32_t *locks;
    uint32_t entries;
    uint32_t buckets;
    uint32_t delay; /* cycles */
} table;

SIMT_INLINE table table_of(const hashtable_waits_args *args)
{
    return (table){.keys = HD_POINTER(const uint32_t, args->table.keys),
                   .values = HD_POINTER(const uint32_t, args->table.values),
                   .pool = HD_POINTER(volatile hashtable_entry, args->table.pool),
                   .heads = HD_POINTER(volatile uint32_t, args->table.heads),
                   .locks = HD_POINTER(volatile uint32_t, args->table.locks),
                   .entries = args->table.entries,
                   .buckets = args->table.buckets,
                   .delay = args->delay * simt_block_x()};
}

/* What others do not see before the lock is taken; returns the bucket. */
SIMT_INLINE uint32_t fill_entry(const table *t, uint32_t i)
{
    const uint32_t key = t->keys[i];
    t->pool[i].key = key;
    t->pool[i].value = t->values[i];
    return hashtable_bucket(key, t->buckets);
}

SIMT_INLINE void put_first(const table *t, uint32_t i, uint32_t bucket)
{
    t->pool[i].next = t->heads[bucket];
    t->heads[bucket] = i + 1;
}

/* Whether the lock was free, and the entry is in its bucket. */
SIMT_INLINE uint32_t try_to_insert(const table *t, uint32_t i, uint32_t bucket)
{
    if (!simt_try_lock(&t->locks[bucket]))
        return 0;
    simt_fence();
    put_first(t, i, bucket);
    simt_unlock(&t->locks[bucket]);
    return 1;
}

/* Lanes take turns, each with a loop of its own: ElTantawy 2018, Fig. 3.4. */
SIMT_KERNEL(hashtable_lanes, const hashtable_waits_args *args)
{
    const table t = table_of(args);
    for (uint32_t i = simt_global_index(); i < t.entries; i += simt_global_size()) {
        const uint32_t bucket = fill_entry(&t, i);
        for (uint32_t turn = 0; turn < LANES_MAX; turn++) {
            if (simt_opaque(turn) == simt_lane())
                ATOMICALLY_LOCKED(&t.locks[bucket], put_first(&t, i, bucket));
        }
    }
}

/* Who fails lets time pass before the next try, the more the later its block: ElTantawy 2018, Fig. 6.2. */
SIMT_KERNEL(hashtable_delayed, const hashtable_waits_args *args)
{
    const table t = table_of(args);
    for (uint32_t i = simt_global_index(); i < t.entries; i += simt_global_size()) {
        const uint32_t bucket = fill_entry(&t, i);
        uint32_t done = 0;
        while (!simt_opaque_spins(done)) {
            if (try_to_insert(&t, i, bucket)) {
                done = 1;
            } else {
                const uint32_t since = simt_cycle();
                while (simt_cycle() - since < t.delay)
                    ;
            }
        }
    }
}

/* A barrier before each try, so that few try at a time, as when the tree of Barnes and Hut is built: ElTantawy 2018 §6.5. The first word of
 * the scratchpad counts threads that are done. */
SIMT_KERNEL(hashtable_throttled, const hashtable_waits_args *args)
{
    const table t = table_of(args);
    const uint32_t threads = simt_global_size();
    uint32_t i = simt_global_index(), bucket = fill_entry(&t, i), finished = 0;
    while (finished < simt_block_size_x()) {
        simt_spins();
        if (i < t.entries && try_to_insert(&t, i, bucket)) {
            i += threads;
            if (i < t.entries)
                bucket = fill_entry(&t, i);
            else
                simt_atomic_add(simt_scratchpad, 1);
        }
        simt_barrier();
        finished = *(volatile uint32_t *)simt_scratchpad;
        simt_barrier();
    }
}

/* The same, but a block begins its next insertions together: who is done waits for who is not, as where a block goes from element to
 * element by a loop of its own. All threads have as many insertions. */
SIMT_KERNEL(hashtable_together, const hashtable_waits_args *args)
{
    const table t = table_of(args);
    uint32_t finished = 0, due = 0;
    for (uint32_t i = simt_global_index(); i < t.entries; i += simt_global_size()) {
        const uint32_t bucket = fill_entry(&t, i);
        uint32_t done = 0;
        due += simt_block_size_x();
        while (finished < due) {
            simt_spins();
            if (!done && try_to_insert(&t, i, bucket)) {
                done = 1;
                simt_atomic_add(simt_scratchpad, 1);
            }
            simt_barrier();
            finished = *(volatile uint32_t *)simt_scratchpad;
            simt_barrier();
        }
    }
}
