/* SPDX-License-Identifier: MIT */
/*
 * The tags of a set-associative cache: which line lies in which way of which set, and which one goes when another comes. A place
 * for a line is named by its number: set * ways + way. What lies there - data, sectors, state - is the cache's own, in arrays
 * that have an entry for each place.
 *
 * A tag is what tells lines apart that may share a set: the line's address, with whatever else the cache has in the bits below it.
 *
 * Ways can be kept: the line that is there, or nothing, stays there, and no other comes in its place. So a way waits for its fill;
 * so a way can be locked, or serve another purpose, for any time. All functions expect the arguments described and cannot fail, but
 * create.
 */
#ifndef CACHE_TAGS_H
#define CACHE_TAGS_H

#include <stdint.h>

#include "cache_sets.h"
#include "replacement_units.h"

#define CACHE_NO_TAG UINT64_MAX
#define CACHE_NO_PLACE UINT32_MAX

typedef struct cache_tags {
    cache_sets sets;
    uint32_t ways;
    uint32_t places;
    uint64_t *tags; /* [place]; CACHE_NO_TAG: nothing lies there */
    uint8_t *kept;  /* [place] */
    const replacement_unit *policy;
    replacement *order;
    hd_unit_share share; /* of the policy; services NULL: the block has none to tell of its mistakes */
} cache_tags;

/* 0, all places empty; or -1 without memory: to destroy what there is is allowed. set_hash: CACHE_LINEAR, ..., what
 * cache_sets_refuse does not refuse; sets and ways are what the policy can do with. */
int cache_tags_create(cache_tags *t, uint32_t set_hash, const replacement_unit *policy,
                      const replacement_parameters *parameters);
void cache_tags_destroy(cache_tags *t);
/* All places empty, none kept. A policy that draws starts the stream of this seed. */
void cache_tags_reset(cache_tags *t, uint64_t seed);

/* First place of the set of the line with this number. */
static inline uint32_t cache_tags_set(const cache_tags *t, uint64_t number)
{
    return cache_set_of(&t->sets, number) * t->ways;
}

/* Where the line lies in the set that begins at `first`; CACHE_NO_PLACE: it does not. */
static inline uint32_t cache_tags_find(const cache_tags *t, uint32_t first, uint64_t tag)
{
    /* Four at a time: few jumps, which are hard to foretell, and no more comparisons than need be. */
    const uint64_t *tags = &t->tags[first];
    uint32_t way = 0;
    for (; way + 4 <= t->ways; way += 4) {
        const uint32_t found = (uint32_t)(tags[way] == tag) | (uint32_t)(tags[way + 1] == tag) << 1 |
                               (uint32_t)(tags[way + 2] == tag) << 2 | (uint32_t)(tags[way + 3] == tag) << 3;
        if (found)
            return first + way + (uint32_t)__builtin_ctz(found);
    }
    for (; way < t->ways; way++)
        if (tags[way] == tag)
            return first + way;
    return CACHE_NO_PLACE;
}

static inline uint32_t cache_tags_is_empty(const cache_tags *t, uint32_t place)
{
    return t->tags[place] == CACHE_NO_TAG;
}

/* A place in the set for one more line: an empty one, else that of the line that goes; CACHE_NO_PLACE: all are kept. Changes nothing.
 * If the policy names a line that may not go the run ends, and it is named; then this is another one. */
uint32_t cache_tags_room(const cache_tags *t, uint32_t first);

/* The line lies there from now on, in the place of the one that did. */
static inline void cache_tags_put(cache_tags *t, uint32_t place, uint64_t tag)
{
    t->tags[place] = tag;
    t->policy->installed(t->order, place);
}

/* Nothing lies there any more. */
static inline void cache_tags_clear(cache_tags *t, uint32_t place)
{
    t->tags[place] = CACHE_NO_TAG;
}

/* The line there was used. */
static inline void cache_tags_use(const cache_tags *t, uint32_t place)
{
    t->policy->used(t->order, place);
}

static inline void cache_tags_keep(cache_tags *t, uint32_t place)
{
    t->kept[place] = 1;
}

static inline void cache_tags_let_go(cache_tags *t, uint32_t place)
{
    t->kept[place] = 0;
}

#endif
