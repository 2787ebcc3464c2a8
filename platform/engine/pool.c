/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct pool_chunk {
    struct pool_chunk *next;
    uint64_t reserved; /* packets stay aligned to 16 */
} pool_chunk;

const uint32_t pool_class_bytes[HD_POOL_CLASSES] = {32, 160, 416, HD_PACKET_BODY_MAX, HD_PACKET_STREAM_MAX};

/* A full stack for a pool that has none. */
static void add_chunk(packet_pool *pool, uint32_t size_class)
{
    const size_t stride = sizeof(pool_prefix) + sizeof(hd_packet) + pool_class_bytes[size_class];
    pool_chunk *chunk = calloc(1, sizeof *chunk + HD_POOL_STACK * stride);
    if (!chunk)
        abort();
    pool_stack *stack = &pool->used[size_class];
    for (uint32_t i = HD_POOL_STACK; i-- > 0;) {
        pool_prefix *prefix = (pool_prefix *)((char *)(chunk + 1) + i * stride);
        prefix->size_class = size_class;
        prefix->next = stack->top;
        stack->top = prefix;
        ASAN_POISON_MEMORY_REGION(prefix + 1, stride - sizeof *prefix);
    }
    stack->count = HD_POOL_STACK;
    pthread_mutex_lock(&pool->depot->mutex);
    chunk->next = pool->depot->chunks;
    pool->depot->chunks = chunk;
    pthread_mutex_unlock(&pool->depot->mutex);
}

static void swap_stacks(packet_pool *pool, uint32_t size_class)
{
    const pool_stack used = pool->used[size_class];
    pool->used[size_class] = pool->spare[size_class];
    pool->spare[size_class] = used;
}

/* The stack in use is empty. */
static void refill(packet_pool *pool, uint32_t size_class)
{
    if (pool->spare[size_class].count) {
        swap_stacks(pool, size_class);
        return;
    }
    pool_depot *depot = pool->depot;
    pthread_mutex_lock(&depot->mutex);
    pool_prefix *top = depot->full[size_class];
    if (top)
        depot->full[size_class] = top->next_stack;
    pthread_mutex_unlock(&depot->mutex);
    if (top)
        pool->used[size_class] = (pool_stack){.top = top, .count = HD_POOL_STACK};
    else
        add_chunk(pool, size_class);
}

/* The stack in use is full. */
static void make_room(packet_pool *pool, uint32_t size_class)
{
    swap_stacks(pool, size_class);
    pool_stack *stack = &pool->used[size_class];
    if (!stack->count)
        return;
    pool_depot *depot = pool->depot;
    pthread_mutex_lock(&depot->mutex);
    stack->top->next_stack = depot->full[size_class];
    depot->full[size_class] = stack->top;
    pthread_mutex_unlock(&depot->mutex);
    *stack = (pool_stack){0};
}

static void add_noise(packet_pool *pool, hd_packet *packet)
{
    for (uint32_t i = 0; i < packet->body_capacity; i += 8) {
        const uint64_t noise = splitmix_next(&pool->noise);
        memcpy((char *)hd_body(packet) + i, &noise, sizeof noise);
    }
}

hd_packet *pool_alloc_slowly(packet_pool *pool, uint32_t size_class, uint32_t body_bytes)
{
    if (!pool->used[size_class].count)
        refill(pool, size_class);
    hd_packet *packet = pool_take(pool, size_class, body_bytes);
    if (pool->noise)
        add_noise(pool, packet);
    return packet;
}

void pool_keep_slowly(packet_pool *pool, pool_prefix *prefix)
{
    make_room(pool, prefix->size_class);
    pool_keep(pool, prefix);
}

void pool_depot_init(pool_depot *depot)
{
    *depot = (pool_depot){0};
    pthread_mutex_init(&depot->mutex, NULL);
}

void pool_depot_destroy(pool_depot *depot)
{
    while (depot->chunks) {
        pool_chunk *next = depot->chunks->next;
        free(depot->chunks);
        depot->chunks = next;
    }
    pthread_mutex_destroy(&depot->mutex);
}
