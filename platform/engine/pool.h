/* SPDX-License-Identifier: MIT */
/* The pools of packets. */
#ifndef HD_ENGINE_POOL_H
#define HD_ENGINE_POOL_H

#include <pthread.h>
#include <stdint.h>

#include "hd_packet.h"

#if defined(__SANITIZE_ADDRESS__)
#define HD_POOL_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HD_POOL_POISON 1
#endif
#endif
#ifdef HD_POOL_POISON
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

#define HD_POOL_CLASSES 5u
#define HD_POOL_STACK 64u /* packets of a full stack */

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
/* Of bodies, by class. */
extern const uint32_t pool_class_bytes[HD_POOL_CLASSES];

/* In place of pool_alloc if the stack in use is empty, or bodies are filled. */
hd_packet *pool_alloc_slowly(packet_pool *pool, uint32_t size_class, uint32_t body_bytes);
/* In place of what is left of pool_free if the stack in use is full. */
void pool_keep_slowly(packet_pool *pool, pool_prefix *prefix);

static inline uint32_t pool_class_of(uint32_t body_bytes)
{
    uint32_t size_class = 0;
    while (body_bytes > pool_class_bytes[size_class])
        size_class++;
    return size_class;
}

/* Of the stack in use, which is not empty. */
static inline hd_packet *pool_take(packet_pool *pool, uint32_t size_class, uint32_t body_bytes)
{
    pool_stack *stack = &pool->used[size_class];
    pool_prefix *prefix = stack->top;
    stack->top = prefix->next;
    stack->count--;
    prefix->live = 1;
    pool->allocated++;
    hd_packet *packet = (hd_packet *)(prefix + 1);
    ASAN_UNPOISON_MEMORY_REGION(packet, sizeof *packet + pool_class_bytes[size_class]);
    *packet = (hd_packet){.body_bytes = body_bytes, .body_capacity = pool_class_bytes[size_class]};
    return packet;
}

/* body_bytes <= HD_PACKET_STREAM_MAX */
static inline hd_packet *pool_alloc(packet_pool *pool, uint32_t body_bytes)
{
    const uint32_t size_class = pool_class_of(body_bytes);
    if (__builtin_expect(!pool->used[size_class].count || pool->noise, 0))
        return pool_alloc_slowly(pool, size_class, body_bytes);
    return pool_take(pool, size_class, body_bytes);
}

/* On the stack in use, which is not full. */
static inline void pool_keep(packet_pool *pool, pool_prefix *prefix)
{
    pool_stack *stack = &pool->used[prefix->size_class];
    prefix->next = stack->top;
    stack->top = prefix;
    stack->count++;
    ASAN_POISON_MEMORY_REGION(prefix + 1, sizeof(hd_packet) + pool_class_bytes[prefix->size_class]);
}

/* 0 = the packet was free already */
static inline uint32_t pool_free(packet_pool *pool, hd_packet *packet)
{
    pool_prefix *prefix = (pool_prefix *)packet - 1;
    if (__builtin_expect(!prefix->live, 0))
        return 0;
    prefix->live = 0;
    pool->freed++;
    if (__builtin_expect(pool->used[prefix->size_class].count == HD_POOL_STACK, 0))
        pool_keep_slowly(pool, prefix);
    else
        pool_keep(pool, prefix);
    return 1;
}

#endif
