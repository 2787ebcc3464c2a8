/* SPDX-License-Identifier: MIT */
/* A key's node becomes the first of its bucket: Villegas et al., GPU-LocalTM, §5, "HT". */
#include "args.h"
#include "common/in_scratchpad.h"

typedef struct place {
    volatile uint32_t *bucket, *next, *lock;
    uint32_t node;
} place;

typedef void run(const place *p);

SIMT_INLINE void insert(const place *p)
{
    *p->next = *p->bucket;
    *p->bucket = p->node;
}

SIMT_INLINE void run_tm(const place *p)
{
    IN_SCRATCHPAD_TM(insert(p));
}

SIMT_INLINE void run_locks(const place *p)
{
    IN_SCRATCHPAD_LOCKED(p->lock, insert(p));
}

SIMT_INLINE void run_atomics(const place *p)
{
    *p->next = simt_atomic_swap(p->bucket, p->node);
}

SIMT_INLINE void run_serial(const place *p)
{
    insert(p);
}

SIMT_INLINE void insert_key(const block_hashtable_args *args, uint32_t i, run *run)
{
    const uint32_t key = HD_POINTER(const uint32_t, args->keys)[simt_block_x() * args->key_count + i];
    const uint32_t bucket = key % args->buckets;
    const place p = {.bucket = &simt_scratchpad[bucket],
                     .next = &simt_scratchpad[args->buckets + i],
                     .lock = &simt_scratchpad[args->buckets + args->key_count + bucket],
                     .node = i + 1};
    run(&p);
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_hashtable_##form, const block_hashtable_args *args)                                              \
    {                                                                                                                  \
        DEAL(i, args->key_count, insert_key(args, i, run_##form));                                                     \
        in_scratchpad_copy_out(args->results, args->buckets + args->key_count);                                        \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(atomics, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)
