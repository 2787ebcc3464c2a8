/* SPDX-License-Identifier: MIT */
#ifndef HASHTABLE_ARGS_H
#define HASHTABLE_ARGS_H

#include "common/granule.h"
#include "heddle_args.h"

/* A chained entry. Entry i is called i + 1 in heads and next; 0 ends a chain. */
typedef struct hashtable_entry {
    uint32_t key;
    uint32_t value;
    uint32_t next;
} hashtable_entry;

/* Bytes from one entry, or head, to the next. */
typedef struct hashtable_layout {
    uint32_t entry_bytes;
    uint32_t head_bytes;
} hashtable_layout;
#define HASHTABLE_PACKED ((hashtable_layout){sizeof(hashtable_entry), sizeof(uint32_t)})
#define HASHTABLE_PADDED ((hashtable_layout){GRANULE_BYTES, GRANULE_BYTES})

typedef struct hashtable_args {
    hd_device_ptr keys;   /* uint32_t[entries], all different */
    hd_device_ptr values; /* uint32_t[entries] */
    hd_device_ptr pool;   /* hashtable_entry, one for each key */
    hd_device_ptr heads;  /* uint32_t, one for each bucket, 0 */
    hd_device_ptr locks;  /* uint32_t[buckets], 0; the first is also the one for all */
    uint32_t buckets;
    uint32_t entries;
} hashtable_args;
HD_ARGUMENT_BLOCK(hashtable_args, 28);

/* A call would need a stack. */
__attribute__((always_inline)) static inline uint32_t hashtable_bucket(uint32_t key, uint32_t buckets)
{
    key ^= key >> 16;
    key *= 0x7FEB352D;
    key ^= key >> 15;
    return key % buckets;
}

#endif
