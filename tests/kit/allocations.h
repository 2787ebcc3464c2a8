/* SPDX-License-Identifier: MIT */
/*
 * What malloc, calloc and aligned_alloc give to the code of a test program, for tests that heddle_watch_allocations (cmake)
 * names. Libraries that are shared, and Criterion, are not affected.
 */
#ifndef TEST_KIT_ALLOCATIONS_H
#define TEST_KIT_ALLOCATIONS_H

#include <stdint.h>

/* So many more succeed, the next fails, and those behind it succeed again. */
void allocations_refuse(uint32_t left);
/* From now on all succeed. Returns 1 if one has failed since allocations_refuse. */
uint32_t allocations_allow(void);
/* 1: what calloc gives from now on ends, but for less than 16 bytes, where memory begins that nobody may touch: neither with
 * sanitizers nor without. 0: no longer. */
void allocations_fence(uint32_t is_on);

#endif
