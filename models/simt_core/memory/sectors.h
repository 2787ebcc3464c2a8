/* SPDX-License-Identifier: MIT */
/* What the files of sectored lines share (sectors.c). */
#ifndef SIMT_CORE_MEMORY_SECTORS_H
#define SIMT_CORE_MEMORY_SECTORS_H

#include "cache_sectors.h"
#include "state.h"

static inline cache *l1_of(memory *m)
{
    return &m->caches[CACHE_L1];
}

/* The MSHR that will install the line, or CACHE_NO_MSHR. */
static inline uint32_t find_miss(memory *m, uint64_t address, uint32_t traffic_class)
{
    return cache_mshrs_find(&l1_of(m)->mshrs, cache_tag(address, traffic_class));
}

static inline cache_miss *miss_of(memory *m, uint32_t index)
{
    return &l1_of(m)->misses[index];
}

static inline uint32_t shift_of(const memory *m)
{
    return m->l1.sector_shift;
}

static inline uint8_t sector_of(const memory *m, const access_slot *slot, uint32_t lane)
{
    const uint32_t offset = slot->place[lane] & (m->caches[CACHE_L1].parameters.line_bytes - 1);
    return (uint8_t)(1u << (offset >> shift_of(m)));
}

static inline uint8_t sectors_of(const memory *m, const access_slot *slot, uint64_t lanes)
{
    uint8_t sectors = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        sectors |= sector_of(m, slot, lowest_lane(left));
    return sectors;
}

/* Those of the lanes whose sector is one of these. */
static inline uint64_t lanes_in(const memory *m, const access_slot *slot, uint64_t lanes, uint8_t sectors)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        found |= (sector_of(m, slot, lowest_lane(left)) & sectors) != 0 ? left & -left : 0;
    return found;
}

/* Sectors of which these lanes, all in one line, write every byte. */
static inline uint8_t written_whole(const memory *m, const access_slot *slot, uint64_t lanes)
{
    const uint32_t line_bytes = m->caches[CACHE_L1].parameters.line_bytes;
    uint32_t words = 0;
    for (uint64_t left = slot->bytes == 4 ? lanes : 0; left != 0; left &= left - 1)
        words |= 1u << (slot->place[lowest_lane(left)] & (line_bytes - 1)) / 4;
    const uint32_t words_of_sector = 1u << (shift_of(m) - 2);
    const uint32_t all = (uint32_t)((UINT64_C(1) << words_of_sector) - 1);
    uint8_t whole = 0;
    for (uint32_t sector = 0; sector * words_of_sector < line_bytes / 4; sector++)
        whole |= (uint8_t)((words >> sector * words_of_sector & all) == all) << sector;
    return whole;
}

static inline uint8_t all_sectors(const memory *m)
{
    return cache_sectors_of_line(m->caches[CACHE_L1].parameters.line_bytes, shift_of(m));
}

#endif
