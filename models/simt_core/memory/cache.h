/* SPDX-License-Identifier: MIT */
/*
 * What the caches of a core have in common: set-associative lines, replaced as a policy says (replacement.h), and miss
 * status holding registers, one per line in flight, with the requests that wait for it in order. A line is reserved when
 * its miss is opened.
 */
#ifndef SIMT_CORE_CACHE_H
#define SIMT_CORE_CACHE_H

#include "replacement.h"

#include <stddef.h>
#include <stdint.h>

#define CACHE_WAYS_MAX 64u

/* Which bits of an address choose the set: names as in netlists. The hashes need a number of sets that is a power of two;
 * where it is none, multiplicative is linear.
 *
 *   linear          the line's number modulo the sets
 *   multiplicative  its lowest bits with a multiplicative hash of those above
 *   fermi           of 32 or 64 sets of 128 B: address bits 11 to 7, each with one of 19, 17, 15, 14, 13; bit 12 alone.
 *                   Source: Nugteren et al. 2014, the L1 of GTX 480
 *   xor             its lowest bits with as many above them
 */
#define CACHE_SET_HASHES "linear|multiplicative|fermi|xor"
enum { CACHE_LINEAR, CACHE_MULTIPLICATIVE, CACHE_FERMI, CACHE_XOR };

typedef struct cache_parameters {
    uint32_t bytes; /* a multiple of ways x line_bytes; 0 = there is no such cache */
    uint32_t ways;
    uint32_t line_bytes; /* a power of two */
    uint32_t mshrs;      /* lines that can miss at one time */
    uint32_t merges;     /* requests that can wait for one line */
    uint32_t set_hash;   /* CACHE_MULTIPLICATIVE, ... */
    uint32_t tags_only;  /* 1: no data */
    const replacement_unit *replacement;
} cache_parameters;

enum { LINE_INVALID, LINE_CLEAN, LINE_DIRTY, LINE_PENDING };
#define CACHE_SECTORS 4u /* of a line at most */
typedef struct cache_line {
    uint64_t address; /* physical */
    uint32_t state;   /* LINE_* */
    uint32_t traffic_class;
    uint32_t warp; /* private lines: whose */
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
typedef struct mshr {
    uint64_t address;
    uint64_t edges[CACHE_SECTORS]; /* of injection, by the first sector asked for; of a whole line the first one */
    uint32_t traffic_class;
    uint32_t line; /* index of the reserved line */
    uint32_t install;
    uint32_t waiting; /* entries of its part of waiters */
    /* Of sectors.c: */
    uint32_t next; /* in its chain */
    uint32_t warp; /* for whom */
    uint32_t block;
    uint8_t pending; /* sectors on their way */
} mshr;

typedef struct cache {
    cache_parameters parameters;
    uint32_t sets;
    uint32_t set_bits; /* log2 of sets, if they are chosen by a hash; else 0 */
    replacement *order;
    cache_line *lines; /* [set][way] */
    uint8_t *data;
    mshr *mshrs;
    mshr_waiter *waiters; /* [mshr][merge] */
    uint32_t *free_mshrs;
    uint32_t free_mshr_count;
} cache;

/* 0, or -1 without memory. Lines and MSHRs are as after reset. */
int cache_create(cache *c, const cache_parameters *parameters);
void cache_destroy(cache *c);
/* No lines, no misses; random replacement draws from a stream with this seed. */
void cache_reset(cache *c, uint64_t seed);

/* Those of the hashes that are not the standard one. */
uint32_t cache_hashed_set(const cache *c, uint64_t number);

/*
 * A hash of the upper bits spreads addresses that lie powers of two apart over the sets, and leaves consecutive lines in
 * different sets.
 */
static inline size_t cache_set_of(const cache *c, uint64_t address)
{
    const uint64_t number = address / c->parameters.line_bytes;
    if (c->set_bits == 0)
        return (size_t)(number % c->sets) * c->parameters.ways;
    if (c->parameters.set_hash != CACHE_MULTIPLICATIVE)
        return (size_t)cache_hashed_set(c, number) * c->parameters.ways;
    const uint64_t hash = (number >> c->set_bits) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - c->set_bits);
    return (size_t)((number ^ hash) & (c->sets - 1)) * c->parameters.ways;
}

/* The line at this address, a multiple of the line; pending ones count; NULL if there is none. */
static inline cache_line *cache_find(cache *c, uint64_t address, uint32_t traffic_class)
{
    cache_line *line = &c->lines[cache_set_of(c, address)];
    for (uint32_t way = 0; way < c->parameters.ways; ++way, ++line)
        if (line->address == address && line->state != LINE_INVALID && line->traffic_class == traffic_class)
            return line;
    return NULL;
}

/* The line was used. */
static inline void cache_touch(cache *c, const cache_line *line)
{
    c->parameters.replacement->used(c->order, (uint32_t)(line - c->lines));
}

static inline uint8_t *cache_bytes(const cache *c, const cache_line *line)
{
    return c->data + (size_t)(line - c->lines) * c->parameters.line_bytes;
}

/* A line to reserve, or NULL if every way waits for its fill. */
cache_line *cache_victim(cache *c, uint64_t address);
void cache_reserve(cache *c, cache_line *line, uint64_t address, uint32_t traffic_class);
/* The line becomes invalid; a fill in flight will not install. */
void cache_forget(cache *c, cache_line *line);

/* The same for all lines. */
void cache_forget_all(cache *c);

/* Takes a free MSHR for a reserved line; its index. */
uint32_t cache_open(cache *c, cache_line *line);
/* The same for an address, no line being pending for it; and back, whatever has become of it. */
uint32_t cache_open_apart(cache *c, uint64_t address, uint32_t traffic_class);
void cache_give_back(cache *c, uint32_t index);
/* All of them, so many as the MSHR's `waiting` says. */
mshr_waiter *cache_waiters(cache *c, uint32_t index);
uint32_t cache_can_wait(const cache *c, uint32_t index);
void cache_wait(cache *c, uint32_t index, const mshr_waiter *waiter);
/* Waiter of this position; those of a released MSHR stay until the next one opens. */
const mshr_waiter *cache_waiter(const cache *c, uint32_t index, uint32_t position);
/* The line has come: clean now if it may be installed, and the MSHR is free. What it was. */
mshr cache_release(cache *c, uint32_t index);
static inline uint32_t cache_misses_in_flight(const cache *c)
{
    return c->parameters.mshrs - c->free_mshr_count;
}

#endif
