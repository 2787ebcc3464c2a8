/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>
#include <string.h>

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

#define STACK_PACKETS 64u

typedef struct pool_chunk {
    struct pool_chunk *next;
    uint64_t reserved; /* packets stay aligned to 16 */
} pool_chunk;

static const uint32_t class_bytes[HD_POOL_CLASSES] = {32, 160, 416, HD_PACKET_BODY_MAX, HD_PACKET_STREAM_MAX};

static uint32_t class_of(uint32_t body_bytes)
{
    for (uint32_t c = 0; c < HD_POOL_CLASSES; c++)
        if (body_bytes <= class_bytes[c])
            return c;
    return HD_POOL_CLASSES;
}

/* A full stack for a pool that has none. */
static void add_chunk(packet_pool *pool, uint32_t size_class)
{
    const size_t stride = sizeof(pool_prefix) + sizeof(hd_packet) + class_bytes[size_class];
    pool_chunk *chunk = calloc(1, sizeof *chunk + STACK_PACKETS * stride);
    if (!chunk)
        abort();
    pool_stack *stack = &pool->used[size_class];
    for (uint32_t i = STACK_PACKETS; i-- > 0;) {
        pool_prefix *prefix = (pool_prefix *)((char *)(chunk + 1) + i * stride);
        prefix->size_class = size_class;
        prefix->next = stack->top;
        stack->top = prefix;
        ASAN_POISON_MEMORY_REGION(prefix + 1, stride - sizeof *prefix);
    }
    stack->count = STACK_PACKETS;
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
        pool->used[size_class] = (pool_stack){.top = top, .count = STACK_PACKETS};
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

hd_packet *pool_alloc(packet_pool *pool, uint32_t body_bytes)
{
    const uint32_t size_class = class_of(body_bytes);
    if (size_class == HD_POOL_CLASSES)
        return NULL;
    pool_stack *stack = &pool->used[size_class];
    if (__builtin_expect(!stack->count, 0))
        refill(pool, size_class);
    pool_prefix *prefix = stack->top;
    stack->top = prefix->next;
    stack->count--;
    prefix->live = 1;
    pool->allocated++;
    hd_packet *packet = (hd_packet *)(prefix + 1);
    ASAN_UNPOISON_MEMORY_REGION(packet, sizeof *packet + class_bytes[size_class]);
    memset(packet, 0, sizeof *packet);
    packet->body_capacity = class_bytes[size_class];
    packet->body_bytes = body_bytes;
    if (pool->noise)
        for (uint32_t i = 0; i < packet->body_capacity; i += 8) {
            const uint64_t noise = splitmix_next(&pool->noise);
            memcpy((char *)hd_body(packet) + i, &noise, sizeof noise);
        }
    return packet;
}

uint32_t pool_free(packet_pool *pool, hd_packet *packet)
{
    pool_prefix *prefix = (pool_prefix *)packet - 1;
    if (!prefix->live)
        return 0;
    prefix->live = 0;
    pool_stack *stack = &pool->used[prefix->size_class];
    if (__builtin_expect(stack->count == STACK_PACKETS, 0))
        make_room(pool, prefix->size_class);
    prefix->next = stack->top;
    stack->top = prefix;
    stack->count++;
    pool->freed++;
    ASAN_POISON_MEMORY_REGION(packet, sizeof *packet + class_bytes[prefix->size_class]);
    return 1;
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
