/* SPDX-License-Identifier: MIT */
/* What the addresses of a warp have in common: enough to treat most accesses as one. */
#ifndef SIMT_CORE_EXTENT_H
#define SIMT_CORE_EXTENT_H

#include <stdint.h>

/* What the active lanes' addresses have in common. */
typedef struct extent {
    uint32_t low;
    uint32_t high;
    uint32_t bits;            /* of all of them */
    uint32_t not_consecutive; /* 0: lane i at the address of lane 0 + 4 i */
    uint32_t not_uniform;
} extent;

/* address has 32 elements, 64 if lanes is more than 32; mask is not 0. low and high hold unless addresses wrap. */
extent extent_of(const uint32_t *address, uint64_t mask, uint32_t lanes);

extern const uint32_t lane_bit[32]; /* 1 << lane, as a table, for vector code without shifts by lane */

#endif
