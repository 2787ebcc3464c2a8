/* SPDX-License-Identifier: MIT */
/* The number that each of any keys has been given last. */
#ifndef COMMIT_UNIT_KILO_EXACT_H
#define COMMIT_UNIT_KILO_EXACT_H

#include <stdint.h>

typedef struct exact_slot {
    uint64_t key;
    uint64_t number; /* 0: free */
} exact_slot;

typedef struct exact {
    exact_slot *slots; /* open addressing; a power of two, half of it free */
    uint64_t capacity, count;
} exact;

/* Zeroed is a valid, empty one. Out of memory ends the program: it holds as much as transactions write. */
void exact_destroy(exact *map);
void exact_reset(exact *map);

/* 0: none. */
uint64_t exact_of(const exact *map, uint64_t key);
void exact_note(exact *map, uint64_t key, uint64_t number); /* not 0 */

#endif
