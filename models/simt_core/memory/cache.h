/* SPDX-License-Identifier: MIT */
/*
 * What the caches of a core have in common: tags and MSHRs (models/cache), lines with their state and data, and the accesses that wait
 * for a line in flight, in order. A line takes its place when its miss is opened, unless that is opened apart.
 */
#ifndef SIMT_CORE_CACHE_H
#define SIMT_CORE_CACHE_H

#include "cache_mshrs.h"
#include "cache_tags.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cache_parameters {
    uint32_t bytes; /* a multiple of ways x line_bytes; 0 = there is no such cache */
    uint32_t ways;
    uint32_t line_bytes; /* a power of two, 32 at least */
    uint32_t mshrs;      /* lines that can miss at one time */
    uint32_t merges;     /* requests that can wait for one line */
    uint32_t set_hash;   /* CACHE_MULTIPLICATIVE, ... */
    uint32_t tags_only;  /* 1: no data */
    const replacement_unit *replacement;
    hd_unit_share share; /* of the replacement policy */
} cache_parameters;

/* An empty place is clean. */
enum { LINE_CLEAN, LINE_DIRTY, LINE_PENDING };
#define CACHE_SECTORS 4u /* of a line at most */
typedef struct cache_line {
    uint32_t state; /* LINE_* */
    uint32_t warp;  /* private lines: whose */
    uint32_t block;
    uint32_t mshr;           /* pending lines */
    uint8_t valid;           /* lines with sectors: those that are here, a bit each */
    uint8_t dirty;           /* likewise: those that memory does not have */
    uint32_t unacknowledged; /* stores that updated what is or was here, on their way */
} cache_line;

/* An access of the memory pipe, or a fetch. */
typedef struct mshr_waiter {
    union {
        uint64_t lanes;
        uint64_t sequence;
    };
    union {
        uint32_t ticket;
        uint32_t path;
    };
} mshr_waiter;
/* A line in flight. */
typedef struct cache_miss {
    uint64_t edges[CACHE_SECTORS]; /* of injection, by the first sector asked for; of a whole line the first one */
    uint32_t line;                 /* index of the reserved line */
    /* Of sectors.c: */
    uint32_t warp; /* for whom */
    uint32_t block;
    uint8_t pending; /* sectors on their way */
} cache_miss;

typedef struct cache {
    cache_parameters parameters;
    uint32_t line_shift; /* log2 of line_bytes */
    cache_tags tags;
    cache_line *lines; /* [place] */
    uint8_t *data;
    cache_mshrs mshrs;
    cache_miss *misses;   /* [MSHR] */
    mshr_waiter *waiters; /* [target] */
} cache;

/* 0, or -1 without memory. Lines and MSHRs are as after reset. */
int cache_create(cache *c, const cache_parameters *parameters);
void cache_destroy(cache *c);
/* No lines, no misses; random replacement draws from a stream with this seed. */
void cache_reset(cache *c, uint64_t seed);

/* Lines of two classes of traffic are two lines, whatever their addresses: a tag is a line's address and class. */
#define CACHE_CLASS_MASK UINT64_C(31)
static inline uint64_t cache_tag(uint64_t address, uint32_t traffic_class)
{
    return address | traffic_class;
}
static inline uint64_t cache_tag_address(uint64_t tag)
{
    return tag & ~CACHE_CLASS_MASK;
}
static inline uint32_t cache_tag_class(uint64_t tag)
{
    return (uint32_t)(tag & CACHE_CLASS_MASK);
}

/* First place of the set of an address. */
static inline uint32_t cache_set(const cache *c, uint64_t address)
{
    return cache_tags_set(&c->tags, address >> c->line_shift);
}

static inline uint32_t cache_place(const cache *c, const cache_line *line)
{
    return (uint32_t)(line - c->lines);
}
/* Address and class of what lies there; of an empty place none there is. */
static inline uint64_t cache_address(const cache *c, const cache_line *line)
{
    return cache_tag_address(c->tags.tags[cache_place(c, line)]);
}
static inline uint32_t cache_class(const cache *c, const cache_line *line)
{
    return cache_tag_class(c->tags.tags[cache_place(c, line)]);
}
static inline uint32_t cache_is_empty(const cache *c, const cache_line *line)
{
    return cache_tags_is_empty(&c->tags, cache_place(c, line));
}

/* The line at this address, a multiple of the line; pending ones count; NULL if there is none. */
static inline cache_line *cache_find(const cache *c, uint64_t address, uint32_t traffic_class)
{
    const uint32_t place = cache_tags_find(&c->tags, cache_set(c, address), cache_tag(address, traffic_class));
    return place == CACHE_NO_PLACE ? NULL : &c->lines[place];
}

/* The line was used. */
static inline void cache_touch(const cache *c, const cache_line *line)
{
    cache_tags_use(&c->tags, cache_place(c, line));
}

static inline uint8_t *cache_bytes(const cache *c, const cache_line *line)
{
    return c->data + (size_t)cache_place(c, line) * c->parameters.line_bytes;
}

/* A place to reserve, or NULL if every way waits for its fill. */
static inline cache_line *cache_victim(const cache *c, uint64_t address)
{
    const uint32_t place = cache_tags_room(&c->tags, cache_set(c, address));
    return place == CACHE_NO_PLACE ? NULL : &c->lines[place];
}

/* No sector is valid. The state is the caller's to set. */
void cache_reserve(cache *c, cache_line *line, uint64_t address, uint32_t traffic_class);
/* The place becomes empty; a fill in flight will not install. */
void cache_forget(cache *c, cache_line *line);
/* The same for all lines. */
void cache_forget_all(cache *c);

/* Takes a free MSHR for a reserved line, which is pending now; its index. */
uint32_t cache_open(cache *c, cache_line *line);
/* The same for an address, no line being pending for it. */
uint32_t cache_open_apart(cache *c, uint64_t address, uint32_t traffic_class);
/* The line is pending for an MSHR that was opened apart; and is not, what it waited for having come. */
void cache_await(cache *c, cache_line *line, uint32_t index);
void cache_settle(cache *c, cache_line *line, uint32_t state);
void cache_wait(cache *c, uint32_t index, const mshr_waiter *waiter);
/* Waiter of this position; those of a released MSHR stay until the next one opens. */
static inline const mshr_waiter *cache_waiter(const cache *c, uint32_t index, uint32_t position)
{
    return &c->waiters[cache_mshrs_target(&c->mshrs, index, position)];
}
/* The line has come, and the MSHR is free: the line, clean now; NULL: it is not to be installed. */
cache_line *cache_release(cache *c, uint32_t index);

#endif
