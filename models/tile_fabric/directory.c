/* SPDX-License-Identifier: MIT */
/*
 * Which first-level banks have a line. No hardware of the machine: it finds loads that see what a forgotten flush has left, and
 * changes no time. Places of all banks have one number, and those with the same hash of their line are a chain.
 */
#include "state.h"

#define END UINT32_MAX

static uint32_t number_of(const tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    return (tile * self->banks + bank) * self->bank_lines + place;
}

static fabric_bank *bank_of(const tile_fabric *self, uint32_t number)
{
    const uint32_t bank = number / self->bank_lines;
    return &self->tile[bank / self->banks].banks[bank % self->banks];
}

static fabric_line *line_of(const tile_fabric *self, uint32_t number)
{
    return &bank_of(self, number)->lines[number % self->bank_lines];
}

static uint32_t *chain_of(const tile_fabric *self, uint64_t line)
{
    return &self->chains[(uint32_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32) & self->chain_mask];
}

void fabric_directory_put(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    const uint32_t number = number_of(self, tile, bank, place);
    uint32_t *chain = chain_of(self, self->tile[tile].banks[bank].tags.tags[place]);
    line_of(self, number)->next_place = *chain;
    *chain = number;
}

void fabric_directory_remove(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    const uint32_t number = number_of(self, tile, bank, place);
    uint32_t *at = chain_of(self, self->tile[tile].banks[bank].tags.tags[place]);
    while (*at != number)
        at = &line_of(self, *at)->next_place;
    *at = line_of(self, number)->next_place;
}

void fabric_mark_stale(tile_fabric *self, uint64_t line, uint64_t bytes, const fabric_line *own, uint32_t pe)
{
    for (uint32_t at = *chain_of(self, line); at != END; at = line_of(self, at)->next_place) {
        fabric_line *other = line_of(self, at);
        if (other == own || bank_of(self, at)->tags.tags[at % self->bank_lines] != line)
            continue;
        other->stale |= bytes & (other->is_awaited ? UINT64_MAX : other->valid); /* what comes may be older */
        other->stale_by = pe;
    }
}

uint64_t fabric_dirty_elsewhere(const tile_fabric *self, uint64_t line, uint64_t bytes, const fabric_line *own,
                                uint32_t *tile)
{
    uint64_t dirty = 0;
    for (uint32_t at = *chain_of(self, line); at != END; at = line_of(self, at)->next_place) {
        const fabric_line *other = line_of(self, at);
        if (other == own || bank_of(self, at)->tags.tags[at % self->bank_lines] != line || !(other->dirty & bytes))
            continue;
        dirty |= other->dirty & bytes;
        *tile = at / self->bank_lines / self->banks;
    }
    return dirty;
}

void fabric_directory_each(tile_fabric *self, uint64_t line,
                           void (*meet)(void *context, fabric_line *line, uint8_t *data), void *context)
{
    for (uint32_t at = *chain_of(self, line); at != END; at = line_of(self, at)->next_place) {
        const uint32_t place = at % self->bank_lines;
        fabric_bank *bank = bank_of(self, at);
        if (bank->tags.tags[place] == line)
            meet(context, &bank->lines[place], &bank->data[(size_t)place * FABRIC_LINE]);
    }
}
