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

#define CHUNK_PACKETS 64u

typedef struct pool_chunk {
    struct pool_chunk *next;
    uint64_t reserved; /* packets stay aligned to 16 */
} pool_chunk;

static const uint32_t class_bytes[HD_POOL_CLASSES] = {32, 160, 416, HD_PACKET_BODY_MAX};

static uint32_t class_of(uint32_t body_bytes)
{
    for (uint32_t c = 0; c < HD_POOL_CLASSES; c++)
        if (body_bytes <= class_bytes[c])
            return c;
    return HD_POOL_CLASSES;
}

static void add_chunk(packet_pool *pool, uint32_t size_class)
{
    const size_t stride = sizeof(pool_prefix) + sizeof(hd_packet) + class_bytes[size_class];
    pool_chunk *chunk = calloc(1, sizeof *chunk + CHUNK_PACKETS * stride);
    if (!chunk)
        abort();
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (uint32_t i = CHUNK_PACKETS; i-- > 0;) {
        pool_prefix *prefix = (pool_prefix *)((char *)(chunk + 1) + i * stride);
        prefix->size_class = size_class;
        prefix->next = pool->free[size_class];
        pool->free[size_class] = prefix;
        ASAN_POISON_MEMORY_REGION(prefix + 1, stride - sizeof *prefix);
    }
}

hd_packet *pool_alloc(packet_pool *pool, uint32_t body_bytes)
{
    const uint32_t size_class = class_of(body_bytes);
    if (size_class == HD_POOL_CLASSES)
        return NULL;
    if (!pool->free[size_class])
        add_chunk(pool, size_class);
    pool_prefix *prefix = pool->free[size_class];
    pool->free[size_class] = prefix->next;
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
    prefix->next = pool->free[prefix->size_class];
    pool->free[prefix->size_class] = prefix;
    pool->freed++;
    ASAN_POISON_MEMORY_REGION(packet, sizeof *packet + class_bytes[prefix->size_class]);
    return 1;
}

void pool_destroy(packet_pool *pool)
{
    while (pool->chunks) {
        pool_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
}
