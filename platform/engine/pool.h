/* SPDX-License-Identifier: MIT */
/* The pools of packets. */
#ifndef HD_ENGINE_POOL_H
#define HD_ENGINE_POOL_H

#include <pthread.h>
#include <stdint.h>

#include "hd_packet.h"

#define HD_POOL_CLASSES 5u

typedef struct pool_prefix { /* lies before every packet */
    struct pool_prefix *next;
    struct pool_prefix *next_stack; /* of the top of a stack in the depot */
    uint32_t size_class;
    uint32_t live;
    uint64_t reserved; /* packets stay aligned to 16 */
} pool_prefix;

/* Packets that are free, linked by next. */
typedef struct pool_stack {
    pool_prefix *top;
    uint32_t count;
    uint32_t reserved;
} pool_stack;

/* What all pools of an engine share: full stacks, and the memory. */
typedef struct pool_depot {
    pthread_mutex_t mutex;
    pool_prefix *full[HD_POOL_CLASSES]; /* tops of full stacks, linked by next_stack */
    struct pool_chunk *chunks;
} pool_depot;

/* One thread's. A packet is freed to the pool of whoever frees it; a pool that has two full stacks of a size gives one to
 * the depot, so that nothing piles up where requests end and nothing runs out where they begin. */
typedef struct packet_pool {
    pool_stack used[HD_POOL_CLASSES];
    pool_stack spare[HD_POOL_CLASSES]; /* empty or full */
    pool_depot *depot;
    uint64_t allocated;
    uint64_t freed;
    uint64_t noise; /* state of the generator that fills bodies; 0 = leave them */
} packet_pool;

void pool_depot_init(pool_depot *depot);
void pool_depot_destroy(pool_depot *depot);
hd_packet *pool_alloc(packet_pool *pool, uint32_t body_bytes);
/* 0 = the packet was free already */
uint32_t pool_free(packet_pool *pool, hd_packet *packet);

#endif
