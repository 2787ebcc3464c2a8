/* SPDX-License-Identifier: MIT */
#include "state.h"

uint32_t decode_prepare(host_bus *self)
{
    const hd_services *s = self->services;
    const hd_bus_map *map = s->extension(s->context, HD_EXTENSION_BUS_MAP);
    if (!map)
        return 1;
    self->window_count = map->windows(map->context, s->endpoint, PORT_TARGET, self->windows, WINDOWS_MAX);
    return self->window_count <= WINDOWS_MAX;
}

uint32_t decode_target(const host_bus *self, uint64_t address, uint32_t bytes)
{
    uint32_t low = 0, high = self->window_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (self->windows[middle].last < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == self->window_count || self->windows[low].first > address)
        return NOBODY;
    const uint64_t behind = self->windows[low].last - address;
    return bytes && bytes - 1 > behind ? NOBODY : self->windows[low].element;
}
