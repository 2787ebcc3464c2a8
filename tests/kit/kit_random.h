/* SPDX-License-Identifier: MIT */
/* Random numbers for tests, by themselves: no engine, no block. */
#ifndef HD_KIT_RANDOM_H
#define HD_KIT_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A small generator for stimuli (splitmix64): advances *state, returns the next number. */
uint64_t kit_random(uint64_t *state);

#ifdef __cplusplus
}
#endif

#endif
