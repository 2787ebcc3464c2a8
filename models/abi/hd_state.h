/* SPDX-License-Identifier: MIT */
/*
 * "heddle.state/1": saves a whole hardware block as bytes, at any moment, and brings a fresh one to that very state. (What moves a
 * stopped thread block to another core is a different ability, "heddle.context/1".)
 *
 * One function per struct walks through what can change between reset and the end of the run, in a fixed order, for both directions:
 * the stream writes each value down, or fills it with what was written. So the two cannot differ, and a member that is forgotten
 * is forgotten in both, which the conformance kit finds.
 *
 *   static void transfer(hd_block *block, const hd_state_stream *stream)
 *   {
 *       my_block *self = (my_block *)block;
 *       HD_STATE_SHAPE(stream, "entries", self->entries);       parameters that say how many there are
 *       HD_STATE_ARRAY(stream, self->table, self->entries);     an array of plain values
 *       HD_STATE_VALUE(stream, self->cursor);
 *       hd_state_ring(stream, &self->ring);
 *       for (uint32_t i = 0; i < self->ring.count; i++)
 *           hd_state_packet(stream, &self->queue[hd_ring_place(&self->ring, i)].packet);
 *   }
 *
 * What is stored: everything that later behaviour, statistics and answers depend on. What is not: pointers; what create and
 * connect have made of parameters and links (parameters may have other values where the state is loaded: latencies, policies); what the
 * platform keeps for the block (links, credits, the random stream, the time of its next call); traces and profiles.
 * A block that looks up where a pointer leads stores the index, and makes the pointer anew.
 *
 * Both are done between calls of advance, when all blocks have done everything before one time. A block is restored once it has
 * been created, connected and reset. The bytes are the simulator's own and those of this build: they are checked as a whole
 * before any block sees them, so a block need not doubt them.
 */
#ifndef HD_STATE_H
#define HD_STATE_H

#include <stdio.h>

#include "hd_block.h"
#include "hd_ring.h"
#include "hd_word_map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_STATE "heddle.state/1"

typedef struct hd_state_stream {
    void *context;
    uint32_t is_restored; /* 0: it is saved */
    uint32_t reserved;
    /* Written down, or filled. */
    void (*bytes)(void *context, void *data, size_t bytes);
    /* A packet that the block owns, with its body up to body_bytes; NULL is allowed. Restored: one that it owns from now on. */
    void (*packet)(void *context, hd_packet **packet);
    /* Must be the same where it is restored; if it is not, the state is refused before any block is touched, and the user sees the
     * block and `what` ("entries of the table"). How many shapes there are, and their values, depends on
     * parameters only: the platform also lets a block save itself after reset, to compare them. */
    void (*shape)(void *context, const char *what, uint64_t value);
} hd_state_stream;

/* Returned by hd_block_class.extension for HD_EXTENSION_STATE. */
typedef struct hd_state {
    void (*transfer)(hd_block *block, const hd_state_stream *stream);
    /* NULL: never. Whether something about this block, as it is configured, cannot be saved: 1, and text is what, in one line
     * ("its unit tx.my_protocol"). Asked before the run begins. */
    uint32_t (*refuses)(hd_block *block, char *text, size_t bytes);
} hd_state;

/* Of plain values without pointers; a clock is always the same, so that an hd_cursor is such a value. */
#define HD_STATE_VALUE(stream, lvalue) (stream)->bytes((stream)->context, &(lvalue), sizeof(lvalue))
#define HD_STATE_ARRAY(stream, pointer, count)                                                                         \
    (stream)->bytes((stream)->context, (pointer), (count) * sizeof *(pointer))
#define HD_STATE_SHAPE(stream, what, value) (stream)->shape((stream)->context, (what), (uint64_t)(value))

/* The same of a name: "scheduler gto". */
static inline void hd_state_shape_name(const hd_state_stream *stream, const char *what, const char *name)
{
    char text[2 * HD_NAME_MAX + 2];
    snprintf(text, sizeof text, "%s %s", what, *name ? name : "none");
    HD_STATE_SHAPE(stream, text, 0);
}

static inline void hd_state_packet(const hd_state_stream *stream, hd_packet **packet)
{
    stream->packet(stream->context, packet);
}

/* A number that a block does not keep as such: how many entries follow, an index in place of a pointer. Restored: what it was. */
static inline uint64_t hd_state_number(const hd_state_stream *stream, uint64_t number)
{
    HD_STATE_VALUE(stream, number);
    return number;
}

/* Index of what the pointer leads to in an array, in place of the pointer; NULL is allowed. */
#define HD_STATE_PLACE(stream, pointer, array)                                                                         \
    do {                                                                                                               \
        const uint64_t hd_state_place =                                                                                \
            hd_state_number((stream), (pointer) ? (uint64_t)((pointer) - (array)) : UINT64_MAX);                       \
        (pointer) = hd_state_place == UINT64_MAX ? NULL : (array) + hd_state_place;                                    \
    } while (0)

/* Places only; its items follow, as the block stores them. */
static inline void hd_state_ring(const hd_state_stream *stream, hd_ring *ring)
{
    HD_STATE_SHAPE(stream, "entries of a queue", ring->capacity);
    HD_STATE_VALUE(stream, ring->first);
    HD_STATE_VALUE(stream, ring->count);
}

static inline void hd_state_word_map(const hd_state_stream *stream, hd_word_map *map)
{
    HD_STATE_SHAPE(stream, "entries of a table of words", map->capacity);
    HD_STATE_VALUE(stream, map->count);
    HD_STATE_ARRAY(stream, map->slots, (size_t)map->mask + 1);
}

#ifdef __cplusplus
}
#endif

#endif
