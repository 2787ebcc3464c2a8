/* SPDX-License-Identifier: MIT */
/* The first-level crossbar: which banks a PE reaches, by what the program has set. */
#include <stdio.h>

#include "state.h"

static uint32_t all_of(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* Multiply mode: every PE reaches every bank, and all are caches. */
void fabric_settings_reset(const tile_fabric *self, fabric_settings *settings)
{
    *settings = (fabric_settings){.enable = all_of(self->pes), .second_level = all_of(self->l1_banks)};
    for (uint32_t p = 0; p < self->pes; p++)
        settings->map[p] = all_of(self->banks);
}

static uint32_t reached_by(const tile_fabric *self, const fabric_settings *settings, uint32_t pe)
{
    uint32_t banks = 0;
    for (uint32_t b = 0; b < self->banks; b++) {
        const uint32_t may = settings->scope[b] == 0 || settings->scope[b] >> pe & 1;
        banks |= (may & settings->map[pe] >> b) << b;
    }
    return banks;
}

/* First PE with the same banks. */
static uint32_t group_of(const tile_fabric *self, const fabric_settings *settings, uint32_t pe, uint32_t banks)
{
    uint32_t first = 0;
    while (first < pe && reached_by(self, settings, first) != banks)
        first++;
    return first;
}

void fabric_find_reach(tile_fabric *self, uint32_t tile)
{
    const fabric_settings *settings = &self->tile[tile].now;
    const uint32_t mshrs = (uint32_t)fabric_value(self, PARAMETER_L0_MSHRS);
    for (uint32_t p = 0; p < self->pes; p++) {
        fabric_reach *reach = &fabric_pe_of(self, tile, p)->reach;
        const uint32_t banks = reached_by(self, settings, p);
        const uint32_t share = mshrs * (uint32_t)__builtin_popcount(banks) / self->banks;
        *reach = (fabric_reach){.group = group_of(self, settings, p, banks), .mshrs = share ? share : 1};
        for (uint32_t b = 0; b < self->banks; b++) {
            if (!(banks >> b & 1))
                continue;
            if (settings->mode[b] == HD_TILE_CACHE)
                reach->caches[reach->cache_count++] = (uint8_t)b;
            else
                reach->scratchpads[reach->scratchpad_count++] = (uint8_t)b;
        }
    }
}

/* ---- What makes no sense ------------------------------------------------------------------------------------------ */

static uint32_t is_beyond(uint32_t mask, uint32_t count)
{
    return (mask & ~all_of(count)) != 0;
}

uint32_t fabric_settings_wrong(const tile_fabric *self, const fabric_settings *settings, char *text, size_t bytes)
{
    for (uint32_t b = 0; b < self->banks; b++) {
        if (settings->mode[b] > HD_TILE_IS_SCRATCHPAD)
            return snprintf(text, bytes, "mode %u of bank %u: it is cache (0) or scratchpad (1)", settings->mode[b],
                            b) > 0;
        if (is_beyond(settings->scope[b], self->pes))
            return snprintf(text, bytes, "scope %#x of bank %u names more than the %u PEs of the tile",
                            settings->scope[b], b, self->pes) > 0;
    }
    for (uint32_t p = 0; p < self->pes; p++)
        if (is_beyond(settings->map[p], self->banks))
            return snprintf(text, bytes, "map %#x of PE %u names more than the %u banks of the tile", settings->map[p],
                            p, self->banks) > 0;
    if (!settings->enable || is_beyond(settings->enable, self->pes))
        return snprintf(text, bytes, "PEs %#x are enabled: of %u PEs at least one has to be, and no others",
                        settings->enable, self->pes) > 0;
    if (!settings->second_level || is_beyond(settings->second_level, self->l1_banks))
        return snprintf(text, bytes, "second-level banks %#x are reached: of %u at least one has to be, and no others",
                        settings->second_level, self->l1_banks) > 0;
    return 0;
}
