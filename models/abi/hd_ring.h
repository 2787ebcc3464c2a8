/* SPDX-License-Identifier: MIT */
/*
 * The places of a ring, a queue of bounded length: which place of an array the next item takes and where the oldest is. The array
 * belongs to the user and has `capacity` items of any type. Places go around by comparison, so any capacity costs the same.
 *
 *   items[hd_ring_push(&ring)] = item;    while (ring.count) use(items[hd_ring_pop(&ring)]);
 */
#ifndef HD_RING_H
#define HD_RING_H

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_ring {
    uint32_t capacity; /* below 2^31 */
    uint32_t first;    /* place of the oldest item */
    uint32_t count;    /* of items, up to capacity */
} hd_ring;

/* Place of item i, counted from the oldest; i <= capacity. */
static inline uint32_t hd_ring_place(const hd_ring *ring, uint32_t i)
{
    const uint32_t place = ring->first + i;
    return place < ring->capacity ? place : place - ring->capacity;
}

/* Place of a new item, behind all others. The ring is not full. */
static inline uint32_t hd_ring_push(hd_ring *ring)
{
    assert(ring->count < ring->capacity);
    return hd_ring_place(ring, ring->count++);
}

/* Place of the oldest item, which is in the ring no longer; it stays as it is until the next push. The ring is not empty. */
static inline uint32_t hd_ring_pop(hd_ring *ring)
{
    assert(ring->count > 0);
    const uint32_t place = ring->first;
    ring->first = hd_ring_place(ring, 1);
    ring->count--;
    return place;
}

/* No items; the first one will be at place 0. */
static inline void hd_ring_clear(hd_ring *ring)
{
    ring->first = ring->count = 0;
}

#ifdef __cplusplus
}
#endif

#endif
