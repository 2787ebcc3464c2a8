/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "hd_accesses.h"
#include "hd_link.h"
#include "state.h"

/* ---- What waits --------------------------------------------------------------------------------------------------- */

static uint32_t has_request(const fabric_pe *pe)
{
    return pe->outstanding || (pe->request && hd_link_arrival(pe->request) != HD_NEVER);
}

static uint32_t has_work(hd_block *block)
{
    const tile_fabric *self = (const tile_fabric *)block;
    for (uint32_t p = 0; p < self->tiles * self->pes; p++)
        if (has_request(&self->pe[p]))
            return 1;
    return self->free_count != self->flight_count;
}

static uint32_t waiting_in(const tile_fabric *self, uint32_t tile, uint32_t wait)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < self->pes; p++)
        count += self->pe[tile * self->pes + p].waits_for == wait;
    return count;
}

static void describe_tile(const tile_fabric *self, uint32_t tile, const hd_text_sink *sink)
{
    static const char *const what[] = {
        [WAIT_ITEM] = "for an item of their tile",       [WAIT_MACHINE_ITEM] = "for an item of the machine",
        [WAIT_BARRIER] = "at the barrier of their tile", [WAIT_MACHINE_BARRIER] = "at the barrier of the machine",
        [WAIT_SWITCH] = "for a switch of their tile",    [WAIT_TASK] = "for a flush or a commit"};
    const fabric_tile *of = &self->tile[tile];
    for (uint32_t wait = WAIT_ITEM; wait <= WAIT_TASK; wait++)
        if (waiting_in(self, tile, wait))
            sink->line(sink->context,
                       "tile %" PRIu32 ": %" PRIu32 " of %" PRIu32 " PEs wait %s; PEs %#" PRIx32 " are enabled", tile,
                       waiting_in(self, tile, wait), self->pes, what[wait], of->now.enable);
    if (of->mshrs.in_use)
        sink->line(sink->context, "tile %" PRIu32 ": %" PRIu32 " lines awaited", tile, of->mshrs.in_use);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const tile_fabric *self = (const tile_fabric *)block;
    for (uint32_t i = 0; i < self->tiles; i++)
        describe_tile(self, i, sink);
    if (self->free_count != self->flight_count)
        sink->line(sink->context, "%" PRIu32 " requests to the second level under way",
                   self->flight_count - self->free_count);
}

/* ---- Between kernels ---------------------------------------------------------------------------------------------- */

static void drain_line(tile_fabric *self, const fabric_bank *bank, uint32_t place, const hd_write_back_sink *sink)
{
    const uint64_t address = bank->tags.tags[place] * FABRIC_LINE;
    uint64_t dirty = bank->lines[place].dirty;
    self->counters.drained_lines += dirty != 0;
    while (dirty) {
        const uint32_t first = (uint32_t)__builtin_ctzll(dirty);
        const uint64_t rest = ~(dirty >> first);
        const uint32_t bytes = rest ? (uint32_t)__builtin_ctzll(rest) : 64 - first;
        sink->write_back(sink->context, address + first, &bank->data[(size_t)place * FABRIC_LINE + first], bytes);
        dirty &= ~fabric_bytes_mask(first, bytes);
    }
}

static uint32_t is_newest(const fabric_line *line)
{
    return (line->dirty & line->stale) == 0;
}

/* Bytes that others have stored since go first, so that theirs are what remains. */
static void drain(tile_fabric *self, const hd_write_back_sink *sink)
{
    for (uint32_t is_newer = 0; is_newer < 2; is_newer++)
        for (uint32_t b = 0; b < self->tiles * self->banks; b++) {
            const fabric_bank *bank = &self->tile[b / self->banks].banks[b % self->banks];
            for (uint32_t place = 0; place < self->bank_lines; place++)
                if (!cache_tags_is_empty(&bank->tags, place) && is_newest(&bank->lines[place]) == is_newer)
                    drain_line(self, bank, place, sink);
        }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    tile_fabric *self = (tile_fabric *)block;
    (void)t;
    drain(self, sink);
    fabric_forget(self);
}

/* ---- What accesses mean to who checks programs -------------------------------------------------------------------- */

/* Where something is handed on: of a tile, or, behind those of all tiles, of the machine. */
enum { WORD_BARRIER, WORD_ITEMS, WORD_SWITCH, WORDS };

static hd_access_word word_of(uint32_t order, uint32_t tile, uint32_t which)
{
    return (hd_access_word){order, HD_TILE_REGISTERS + (tile * WORDS + which) * 4};
}

static hd_access_word load_of(const tile_fabric *self, uint32_t tile, uint32_t number)
{
    const uint32_t meets = HD_ACCESS_PUBLISHES | HD_ACCESS_SEES;
    switch (number) {
    case HD_TILE_BARRIER: return word_of(meets, tile, WORD_BARRIER);
    case HD_TILE_MACHINE_BARRIER: return word_of(meets, self->tiles, WORD_BARRIER);
    case HD_TILE_SWITCH: return word_of(meets, tile, WORD_SWITCH);
    case HD_TILE_ITEM: return word_of(HD_ACCESS_SEES, tile, WORD_ITEMS);
    case HD_TILE_MACHINE_ITEM: return word_of(HD_ACCESS_SEES, self->tiles, WORD_ITEMS);
    default: return (hd_access_word){0};
    }
}

static hd_access_word store_of(const tile_fabric *self, uint32_t tile, uint32_t number)
{
    switch (number) {
    case HD_TILE_ITEM_END: return word_of(HD_ACCESS_PUBLISHES, tile, WORD_ITEMS);
    case HD_TILE_MACHINE_ITEM_END: return word_of(HD_ACCESS_PUBLISHES, self->tiles, WORD_ITEMS);
    default: return (hd_access_word){0};
    }
}

/* Scratchpad banks order nobody. */
static uint32_t find_word(hd_block *block, uint32_t port, uint32_t element, uint32_t address, uint32_t is_store,
                          hd_access_word *word)
{
    const tile_fabric *self = (const tile_fabric *)block;
    const uint32_t number = (address - HD_TILE_REGISTERS) / HD_TILE_REGISTER_BYTES, tile = element / self->pes;
    *word = (hd_access_word){0};
    if (port != TILE_FABRIC_REQUEST || !(fabric_is_register(address) || fabric_is_scratchpad(address)))
        return 0;
    if (fabric_is_register(address))
        *word = (is_store ? store_of : load_of)(self, tile, number);
    return 1;
}

const void *fabric_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_access_words words = {find_word};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &fabric_under_way;
    if (strcmp(id, HD_EXTENSION_DEBUG_PORTS) == 0)
        return &fabric_debug_ports;
    if (strcmp(id, HD_EXTENSION_ACCESS_WORDS) == 0)
        return &words;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &fabric_state;
    return hd_ability(id, &pending, &alignment, NULL);
}
