/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_QUEUE_ARGS_H
#define BLOCK_QUEUE_ARGS_H

#include "heddle_args.h"

#define QUEUES_MAX 8u
#define ITEMS_MAX 1024u

/* Words of a queue in the scratchpad, before its entries. */
#define QUEUE_TAIL 0u
#define QUEUE_HEAD 1u
#define QUEUE_LOCK 2u
#define QUEUE_ENTRIES 3u

typedef struct block_queue_args {
    hd_device_ptr values;  /* [block][item], none is 0 */
    hd_device_ptr popped;  /* [block][item]: by the item's thread, in its second half */
    hd_device_ptr results; /* [block][queue]: QUEUE_ENTRIES + capacity words */
    uint32_t queues;
    uint32_t items;    /* item i goes into queue i % queues, and its thread pops from there */
    uint32_t capacity; /* of a queue */
} block_queue_args;
HD_ARGUMENT_BLOCK(block_queue_args, 24);

#endif
