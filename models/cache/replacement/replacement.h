/* SPDX-License-Identifier: MIT */
/*
 * Which line of a full set goes when another one comes. A policy is told which lines come and are used; ways that hold nothing are
 * taken before it is asked. A line is named by its number in the cache: set * ways + way, both from 0.
 */
#ifndef CACHE_REPLACEMENT_H
#define CACHE_REPLACEMENT_H

#include "hd_state.h"
#include "hd_unit.h"

#define REPLACEMENT_INTERFACE "heddle.replacement/2" /* hd_unit.functions is a replacement_unit */

#define NO_VICTIM UINT32_MAX

typedef struct replacement_parameters {
    uint32_t sets;
    uint32_t ways;
    hd_unit_share share; /* all 0 where the policy is fixed: nobody chose it */
} replacement_parameters;

typedef struct replacement replacement;

typedef struct replacement_unit {
    uint32_t draws;                                                   /* 1: its choices follow from the seed */
    replacement *(*create)(const replacement_parameters *parameters); /* NULL: out of memory */
    void (*destroy)(replacement *unit);
    /* As after create. The same seed, the same draws. */
    void (*reset)(replacement *unit, uint64_t seed);
    void (*installed)(replacement *unit, uint32_t line);
    void (*used)(replacement *unit, uint32_t line);
    /* A line of the set whose first line this is; all its ways hold lines. stays[way]: 1 = this one must not go. Pure: until
     * something is installed or used, the answer is the same. NO_VICTIM: all must stay. After another answer the run ends, with an error. */
    uint32_t (*victim)(const replacement *unit, uint32_t first, const uint8_t *stays);
    /* What has been installed and used, and drawn, in either direction (hd_state.h). NULL: a cache with this policy cannot be saved. */
    void (*transfer)(replacement *unit, const hd_state_stream *stream);
} replacement_unit;

/* Those that must be there. */
#define REPLACEMENT_FUNCTIONS                                                                                          \
    HD_UNIT_FUNCTION(replacement_unit, create), HD_UNIT_FUNCTION(replacement_unit, destroy),                           \
        HD_UNIT_FUNCTION(replacement_unit, reset), HD_UNIT_FUNCTION(replacement_unit, installed),                      \
        HD_UNIT_FUNCTION(replacement_unit, used), HD_UNIT_FUNCTION(replacement_unit, victim)

#endif
