/* SPDX-License-Identifier: MIT */
/*
 * Where an address lies among the partitions of a map, as hd_partition_of and hd_partition_offset tell, for blocks that ask of every
 * request: a multiplication in place of divisions wherever the map has plain partitions.
 */
#ifndef HD_INTERLEAVE_H
#define HD_INTERLEAVE_H

#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_interleave {
    const hd_address_map *map; /* NULL: one partition holds everything */
    uint64_t reciprocal;       /* 2^64 / partitions, rounded up; 0: there is one, or they have parts */
    uint32_t shift;            /* of the bytes that lie side by side */
    uint32_t reserved;
} hd_interleave;

static inline void hd_interleave_init(hd_interleave *interleave, const hd_address_map *map)
{
    interleave->map = map;
    interleave->reciprocal = 0;
    interleave->shift = 0;
    interleave->reserved = 0;
    if (!map)
        return;
    interleave->shift = (uint32_t)__builtin_ctz(map->interleave_bytes);
    if (map->sub_partitions <= 1 && map->partitions > 1)
        interleave->reciprocal = UINT64_MAX / map->partitions + 1;
}

/* The address within its partition, and which one that is: 0 without a map. */
static inline uint64_t hd_interleave_offset(const hd_interleave *interleave, uint64_t address, uint32_t *partition)
{
    const hd_address_map *map = interleave->map;
    const uint64_t chunk = address >> interleave->shift;
    uint64_t turn;
    *partition = 0;
    if (!map)
        return address;
    if (!interleave->reciprocal || chunk >> 47) {
        *partition = hd_partition_of(map, address);
        return hd_partition_offset(map, address);
    }
    /* Exact: the error of the reciprocal, less than the partitions, below 2^16, times the chunk is below 2^64. */
    turn = (uint64_t)((hd_u128)chunk * interleave->reciprocal >> 64);
    *partition = map->hash ? hd_partition_of(map, address) : (uint32_t)(chunk - turn * map->partitions);
    return turn << interleave->shift | (address & ((UINT64_C(1) << interleave->shift) - 1));
}

#ifdef __cplusplus
}
#endif

#endif
