/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_HASHTABLE_ARGS_H
#define BLOCK_HASHTABLE_ARGS_H

#include "heddle_args.h"

#define BUCKETS_MAX 1024u
#define KEYS_MAX 1024u

/* In the scratchpad: the first node of each bucket; the next of each node; locks of buckets. Nodes are numbered from 1, 0 is none. */
typedef struct block_hashtable_args {
    hd_device_ptr keys;    /* [block][key] */
    hd_device_ptr results; /* [block]: buckets, nodes */
    uint32_t buckets;
    uint32_t key_count;
} block_hashtable_args;
HD_ARGUMENT_BLOCK(block_hashtable_args, 16);

#endif
