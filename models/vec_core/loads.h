/* SPDX-License-Identifier: MIT */
/*
 * Loads that wait for memory while others enter the window (`loads` above 1). Such a load is executed when it enters, with the bytes
 * that are known of its lines (vec_image.h); it is looked up when its operands are there, and ends when its lines are. A load of lines
 * that the core has not seen yet cannot be executed before they have come: nothing enters meanwhile, as with all of them if `loads` is 1.
 */
#ifndef VEC_CORE_LOADS_H
#define VEC_CORE_LOADS_H

#include <stdint.h>

enum vec_load_state { LOAD_FREE, LOAD_OPERANDS, LOAD_LINES };

typedef struct vec_load {
    uint64_t order; /* in which they entered */
    uint32_t *lines;
    uint8_t *is_missing; /* [count] */
    uint32_t count, next, missing;
    uint32_t place; /* in the window */
    uint32_t has_waited, from_second;
    uint8_t state;
} vec_load;

typedef struct vec_loads {
    vec_load *loads;
    uint32_t capacity; /* 0: one load at a time, and nothing enters while it waits */
    uint32_t used;
    uint64_t order;
} vec_loads;

/* lines: of one load at most. 0: out of memory. */
uint32_t vec_loads_create(vec_loads *all, uint32_t capacity, uint32_t lines);
void vec_loads_destroy(vec_loads *all);
void vec_loads_reset(vec_loads *all);

#endif
