/* SPDX-License-Identifier: MIT */
/* Lanes that touch the same line become one wide access (Fung 2015 §2.3.3). */
#include "state.h"
#include "vector.h"

#include <string.h>

/* Written so that compilers make vector code of it: no early exit, a constant count. */
ISA_VECTORIZED static uint32_t same_chunk_32(const uint32_t *place, uint32_t mask, uint32_t value)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < 32; i++)
        found |= (place[i] & mask) == value ? lane_bit[i] : 0;
    return found;
}

static uint64_t same_chunk(const uint32_t *place, uint32_t lanes, uint32_t mask, uint32_t value)
{
    uint64_t found = same_chunk_32(place, mask, value);
    if (lanes > 32)
        found |= (uint64_t)same_chunk_32(place + 32, mask, value) << 32;
    return found;
}

void coalescer_span(const access_slot *slot, line_group *group)
{
    if (slot->consecutive) {
        const uint32_t last = 63u - (uint32_t)__builtin_clzll(group->lanes);
        group->low = slot->place[lowest_lane(group->lanes)] - group->place;
        group->high = slot->place[last] - group->place + 4;
        return;
    }
    group->low = HD_LINE_BYTES;
    group->high = 0;
    for (uint64_t left = group->lanes; left != 0; left &= left - 1) {
        const uint32_t offset = slot->place[lowest_lane(left)] - group->place;
        group->low = offset < group->low ? offset : group->low;
        group->high = offset > group->high ? offset : group->high;
    }
    group->high += slot->bytes;
}

line_group coalescer_next(const memory *m, const access_slot *slot, uint32_t window)
{
    const uint64_t remaining = slot->remaining[window];
    const uint32_t *place = slot->place;
    const uint32_t first = place[lowest_lane(remaining)];
    line_group group = {.lanes = remaining, .place = first & ~(HD_LINE_BYTES - 1)};
    if (window == WINDOW_CONSTANT) {
        /* The constant path broadcasts one word; lanes with different words take turns. */
        group.lanes &= same_chunk(place, m->parameters.lanes, ~3u, first & ~3u);
        return group;
    }
    const uint32_t last = place[63u - (uint32_t)__builtin_clzll(remaining)];
    if (!slot->consecutive || (last & ~(HD_LINE_BYTES - 1)) != group.place)
        group.lanes &= same_chunk(place, m->parameters.lanes, ~(HD_LINE_BYTES - 1), group.place);
    return group;
}

void coalescer_narrow(const memory *m, const access_slot *slot, line_group *group, uint32_t bytes)
{
    const uint32_t *place = slot->place;
    group->place = place[lowest_lane(group->lanes)] & ~(bytes - 1);
    group->lanes &= same_chunk(place, m->parameters.lanes, ~(bytes - 1), group->place);
}

static void gather_words(const uint32_t *place, uint64_t lanes, const uint8_t *bytes, uint32_t origin, uint32_t *value)
{
    if (lanes == UINT32_MAX) {
        for (uint32_t lane = 0; lane < 32; lane++)
            memcpy(&value[lane], bytes + (place[lane] - origin), 4);
        return;
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        memcpy(&value[lowest_lane(left)], bytes + (place[lowest_lane(left)] - origin), 4);
}

void coalescer_gather(access_slot *slot, uint64_t lanes, const uint8_t *bytes, uint32_t origin)
{
    const uint32_t *place = slot->place;
    uint32_t *value = slot->access.data;
    if (slot->consecutive) { /* inactive lanes between get a value too: nobody looks at it */
        const uint32_t first = lowest_lane(lanes);
        const uint32_t count = 64u - (uint32_t)__builtin_clzll(lanes) - first;
        memcpy(value + first, bytes + (place[first] - origin), (size_t)count * 4);
        return;
    }
    if (slot->bytes == 4) {
        gather_words(place, lanes, bytes, origin, value);
        return;
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        const uint8_t *from = bytes + (place[lane] - origin);
        if (slot->bytes == 2) {
            uint16_t half;
            memcpy(&half, from, 2);
            value[lane] = half;
        } else {
            value[lane] = *from;
        }
    }
}

void coalescer_scatter(const access_slot *slot, uint64_t lanes, uint8_t *bytes, uint32_t origin)
{
    const uint32_t *place = slot->place;
    const uint32_t *data = slot->access.data;
    const uint32_t first = lowest_lane(lanes);
    if (slot->consecutive && (lanes >> first & ((lanes >> first) + 1)) == 0) {
        memcpy(bytes + (place[first] - origin), data + first, (size_t)lane_count(lanes) * 4);
        return;
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        uint8_t *to = bytes + (place[lane] - origin);
        if (slot->bytes == 4)
            memcpy(to, &data[lane], 4);
        else if (slot->bytes == 2)
            memcpy(to, &(uint16_t){(uint16_t)data[lane]}, 2);
        else
            *to = (uint8_t)data[lane];
    }
}
