/* SPDX-License-Identifier: MIT */
/*
 * Which line of a full set goes when another one comes. A policy is told which ways come and are used; ways that hold
 * nothing are taken before it is asked. Sets are numbered from 0, ways of a set likewise.
 */
#ifndef L2_SLICE_REPLACEMENT_H
#define L2_SLICE_REPLACEMENT_H

#include <stdint.h>

#include "replacements.h"

typedef struct replacement_parameters {
    uint32_t sets;
    uint32_t ways;
} replacement_parameters;

typedef struct replacement replacement;

typedef struct replacement_unit {
    const char *name;
    const char *source;
    /* Why it cannot do with so many ways, or NULL. */
    const char *(*refuses)(uint32_t ways);
    replacement *(*create)(const replacement_parameters *parameters); /* NULL: out of memory */
    void (*destroy)(replacement *unit);
    /* As after create. seed: of a policy that draws; the same seed, the same draws. */
    void (*reset)(replacement *unit, uint64_t seed);
    void (*installed)(replacement *unit, uint32_t set, uint32_t way);
    void (*used)(replacement *unit, uint32_t set, uint32_t way);
    /* A way of a set all of whose ways hold lines. It is installed next. */
    uint32_t (*victim)(replacement *unit, uint32_t set);
} replacement_unit;

#define REPLACEMENT_DECLARATION(name) extern const replacement_unit replacement_##name;
REPLACEMENTS(REPLACEMENT_DECLARATION, REPLACEMENT_DECLARATION)

#endif
