/* SPDX-License-Identifier: MIT */
/* The question that is being asked: of which branch and side, and what is known by now. */
#ifndef ISA_DEADLOCK_SEARCH_H
#define ISA_DEADLOCK_SEARCH_H

#include "deadlock_cycles.h"
#include "deadlock_locks.h"
#include "deadlock_slice.h"

typedef struct deadlock_search {
    const isa_deadlock_options *options;
    deadlock_graph graph;
    deadlock_memory memory;
    deadlock_cycles cycles;
    deadlock_slice slice;
    deadlock_locks locks;
    uint32_t *reads;   /* [count]: of the cycle in question, ascending */
    uint32_t *blocked; /* [count]: writes that the others are kept from, and */
    uint32_t *kept;    /* [count]: those of them that may change what it reads */
    uint32_t *reached; /* [count]: number of the last walk to them that was here */
    uint32_t walk;
    uint32_t *body; /* [count]: the cycle with the loops of changed edges in it */
    uint32_t branch, side, other, meeting;
    uint32_t also; /* a branch that decides as well if it is in the cycle; count: none */
    uint32_t read_count, blocked_count;
    uint32_t has_blocked; /* of this side */
    uint8_t *is_found;    /* [graph.loop_count] */
    isa_deadlocks *result;
    uint32_t capacity;
    int failed;
} deadlock_search;

/* May this write of those that the others are kept from change what this read reads, so that the loop ends? */
int deadlock_is_awaited(deadlock_search *s, uint32_t read, uint32_t write);

/* deadlock_report.c: a finding of this cycle; memory that is short is said in `failed`. And all of them in their order. */
void deadlock_report(deadlock_search *s, const uint32_t *loop, uint32_t size, uint32_t write_count);
void deadlock_sort(isa_deadlocks *deadlocks);

static inline int deadlock_ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

#endif
