/* SPDX-License-Identifier: MIT */
#ifndef HASHTABLE_ARGS_H
#define HASHTABLE_ARGS_H

#include "heddle_args.h"

/* A chained entry. Entry i is called i + 1 in heads and next; 0 ends a chain. */
typedef struct hashtable_entry {
    uint32_t key;
    uint32_t value;
    uint32_t next;
} hashtable_entry;

typedef struct hashtable_args {
    hd_device_ptr keys;   /* uint32_t[entries], all different */
    hd_device_ptr values; /* uint32_t[entries] */
    hd_device_ptr pool;   /* hashtable_entry[entries] */
    hd_device_ptr heads;  /* uint32_t[buckets], 0 */
    hd_device_ptr locks;  /* uint32_t[buckets], 0 */
    uint32_t buckets;
    uint32_t entries;
} hashtable_args;
HD_ARGUMENT_BLOCK(hashtable_args, 28);

static inline uint32_t hashtable_bucket(uint32_t key, uint32_t buckets)
{
    key ^= key >> 16;
    key *= 0x7FEB352D;
    key ^= key >> 15;
    return key % buckets;
}

#endif
