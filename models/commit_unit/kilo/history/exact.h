/* SPDX-License-Identifier: MIT */
/* The number that each of any keys has been given last. */
#ifndef COMMIT_UNIT_KILO_EXACT_H
#define COMMIT_UNIT_KILO_EXACT_H

#include <stdint.h>

#include "hd_state.h"

typedef struct exact_entry exact_entry;

typedef struct exact {
    exact_entry *entries;
} exact;

/* Zeroed is a valid, empty one. Out of memory ends the program: it holds as much as transactions write. */
void exact_reset(exact *map); /* frees all that it has */

/* 0: none. */
uint64_t exact_of(const exact *map, uint64_t key);
/* An empty one becomes what was saved (hd_state.h). */
void exact_transfer(exact *map, const hd_state_stream *stream);
void exact_note(exact *map, uint64_t key, uint64_t number); /* not 0 */

#endif
