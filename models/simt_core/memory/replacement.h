/* SPDX-License-Identifier: MIT */
/*
 * Which line of a full set a cache gives up. A policy sees when lines are reserved and used, and is asked for a victim;
 * ways without a line are taken before it is asked, and ways that wait for a fill are never taken.
 *
 *   lru     the line that was not used for longest
 *   plru    a binary tree per set whose nodes point away from the latest use; ways must be a power of two. Source: Al-Zoubi,
 *           Milenkovic and Milenkovic 2004. Where the tree points to a way that waits for a fill, the next one that does
 *           not is taken
 *   random  any, from a stream that starts anew with each aligned launch
 *   fifo    the line that was reserved first, whatever its uses
 */
#ifndef SIMT_CORE_REPLACEMENT_H
#define SIMT_CORE_REPLACEMENT_H

#include "cache.h"

typedef struct cache_replacement {
    const char *name;
    void (*reserved)(cache *c, cache_line *line);
    void (*used)(cache *c, cache_line *line);
    /* Changes nothing. A line of the set that begins there, all of whose ways are taken; NULL if all of them wait for fills. */
    cache_line *(*victim)(cache *c, cache_line *set);
} cache_replacement;

/* By number, in the order of CACHE_REPLACEMENTS. */
const cache_replacement *cache_replacement_of(uint32_t number);

#endif
