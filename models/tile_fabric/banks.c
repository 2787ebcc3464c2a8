/* SPDX-License-Identifier: MIT */
/* First-level banks that are caches: lines by bytes, written back, allocated by loads and by stores, which fetch nothing. */
#include <string.h>

#include "state.h"

static fabric_bank *bank_of(tile_fabric *self, uint32_t tile, uint32_t bank)
{
    return &self->tile[tile].banks[bank];
}

static uint8_t *data_of(fabric_bank *bank, uint32_t place)
{
    return &bank->data[(size_t)place * FABRIC_LINE];
}

uint64_t fabric_bytes_of(const tile_fabric *self, const hd_packet *request)
{
    const uint32_t offset = (uint32_t)(request->address % FABRIC_LINE);
    uint64_t mask;
    if (request->message == self->message.load)
        return fabric_bytes_mask(offset, request->argument);
    memcpy(&mask, ((const hd_store *)hd_body_const(request))->byte_mask, sizeof mask);
    return mask << offset;
}

uint32_t fabric_find_bank(tile_fabric *self, uint32_t pe, uint64_t address, fabric_access *access)
{
    const fabric_reach *reach = &self->pe[pe].reach;
    if (!reach->cache_count)
        return 0;
    access->tile = pe / self->pes;
    access->pe = pe;
    access->line = address / FABRIC_LINE;
    access->bytes = 0;
    access->bank = reach->caches[access->line % reach->cache_count];
    access->first = cache_tags_set(&bank_of(self, access->tile, access->bank)->tags, access->line / reach->cache_count);
    return 1;
}

/* ---- Lines come and go -------------------------------------------------------------------------------------------- */

static hd_packet *store_of(tile_fabric *self, uint64_t address, const uint8_t *data, uint64_t dirty)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(dirty) & ~3u;
    const uint32_t bytes = (64u - (uint32_t)__builtin_clzll(dirty) - first + 3) & ~3u;
    hd_packet *packet =
        fabric_memory_request(self, self->message.store, address + first, (uint32_t)sizeof(hd_store) + bytes);
    hd_store *store = hd_body(packet);
    const uint64_t mask = dirty >> first;
    memset(store->byte_mask, 0, sizeof store->byte_mask);
    memcpy(store->byte_mask, &mask, sizeof mask);
    memcpy(hd_store_data(store), data + first, bytes);
    packet->argument = bytes;
    packet->wire_bytes += bytes;
    return packet;
}

void fabric_write_back(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    fabric_bank *of = bank_of(self, tile, bank);
    fabric_line *line = &of->lines[place];
    const uint64_t address = of->tags.tags[place] * FABRIC_LINE;
    fabric_trace_write_back(self, tile, bank, place);
    self->counters.write_backs++;
    self->counters.write_back_bytes += (uint64_t)__builtin_popcountll(line->dirty);
    self->tile[tile].write_backs++;
    fabric_to_second(
        self, tile,
        (fabric_request){.address = address,
                         .packet = store_of(self, address, data_of(of, place), line->dirty),
                         .flight = fabric_take_flight(self, (fabric_flight){.kind = FLIGHT_WRITE_BACK, .tile = tile})});
    line->dirty = 0;
}

void fabric_drop_line(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place)
{
    fabric_directory_remove(self, tile, bank, place);
    cache_tags_clear(&bank_of(self, tile, bank)->tags, place);
}

uint32_t fabric_put_line(tile_fabric *self, const fabric_access *access)
{
    fabric_bank *bank = bank_of(self, access->tile, access->bank);
    const uint32_t place = cache_tags_room(&bank->tags, access->first);
    if (place == NO_PLACE)
        return NO_PLACE;
    if (!cache_tags_is_empty(&bank->tags, place)) {
        if (bank->lines[place].dirty) {
            if (!fabric_has_way(self, &self->tile[access->tile], 2))
                return NO_PLACE;
            fabric_write_back(self, access->tile, access->bank, place);
        }
        fabric_drop_line(self, access->tile, access->bank, place);
    }
    bank->lines[place] = (fabric_line){0};
    cache_tags_put(&bank->tags, place, access->line);
    fabric_directory_put(self, access->tile, access->bank, place);
    return place;
}

/* ---- Accesses to lines that are here ------------------------------------------------------------------------------ */

static uint32_t offset_of(const hd_packet *request)
{
    return (uint32_t)(request->address % FABRIC_LINE);
}

void fabric_load_line(tile_fabric *self, const fabric_access *access, uint32_t place, hd_packet *request,
                      uint64_t ready)
{
    fabric_bank *bank = bank_of(self, access->tile, access->bank);
    const fabric_line *line = &bank->lines[place];
    const uint8_t *bytes = data_of(bank, place) + offset_of(request);
    const uint64_t stale = line->stale & access->bytes;
    uint32_t other = line->stale_by / self->pes;
    if (!stale) {
        fabric_answer_load(self, access->pe, request, bytes, ready);
        return;
    }
    const uint64_t elsewhere = fabric_dirty_elsewhere(self, access->line, stale, line, &other);
    fabric_stale_load(self, access->pe, request, bytes, stale >> offset_of(request), other, elsewhere != 0);
}

static void change_line(fabric_bank *bank, uint32_t place, uint64_t mask, const hd_packet *request)
{
    uint8_t *to = data_of(bank, place) + offset_of(request);
    const uint8_t *from = hd_store_data_const(hd_body_const(request));
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t byte = (uint32_t)__builtin_ctzll(left) - offset_of(request);
        to[byte] = from[byte];
    }
    bank->lines[place].valid |= mask;
    bank->lines[place].stale &= ~mask;
}

void fabric_update_line(tile_fabric *self, const fabric_access *access, uint32_t place, const hd_packet *request)
{
    fabric_bank *bank = bank_of(self, access->tile, access->bank);
    if (place != NO_PLACE)
        change_line(bank, place, access->bytes, request);
    fabric_mark_stale(self, access->line, access->bytes, place == NO_PLACE ? NULL : &bank->lines[place], access->pe);
}

void fabric_store_line(tile_fabric *self, const fabric_access *access, uint32_t place, hd_packet *request,
                       uint64_t ready)
{
    fabric_bank *bank = bank_of(self, access->tile, access->bank);
    fabric_line *line = &bank->lines[place];
    change_line(bank, place, access->bytes, request);
    line->dirty |= access->bytes;
    fabric_mark_stale(self, access->line, access->bytes, line, access->pe);
    self->services->progress(self->services->context, self->cursor.t);
    fabric_acknowledge(self, access->pe, request, ready);
}

/* ---- A line that was awaited -------------------------------------------------------------------------------------- */

static void merge(tile_fabric *self, fabric_bank *bank, uint32_t place, const uint8_t *data)
{
    fabric_line *line = &bank->lines[place];
    uint8_t *to = data_of(bank, place);
    const uint64_t came = ~line->valid;
    uint32_t other = 0;
    for (uint64_t left = came; left; left &= left - 1)
        to[__builtin_ctzll(left)] = data[__builtin_ctzll(left)];
    line->valid = UINT64_MAX;
    line->is_awaited = 0;
    cache_tags_let_go(&bank->tags, place);
    const uint64_t newer = fabric_dirty_elsewhere(self, bank->tags.tags[place], came, line, &other);
    line->stale |= newer;
    if (newer)
        line->stale_by = other * self->pes;
}

static void serve(tile_fabric *self, const fabric_miss *miss, const fabric_target *target)
{
    hd_packet *request = target->request;
    fabric_access access = {.tile = target->pe / self->pes,
                            .pe = target->pe,
                            .bank = miss->bank,
                            .line = request->address / FABRIC_LINE,
                            .bytes = fabric_bytes_of(self, request)};
    const uint64_t ready = fabric_edge(self) + 1;
    if (request->message == self->message.load)
        fabric_load_line(self, &access, miss->place, request, ready);
    else
        fabric_store_line(self, &access, miss->place, request, ready);
}

void fabric_fill_line(tile_fabric *self, uint32_t tile, uint32_t mshr, const uint8_t *data)
{
    fabric_tile *of = &self->tile[tile];
    const fabric_miss miss = of->misses[mshr];
    self->counters.l0_fills++;
    merge(self, &of->banks[miss.bank], miss.place, data);
    while (cache_mshrs_waiting(&of->mshrs, mshr)) {
        fabric_target *waiting = &of->targets[cache_mshrs_pop(&of->mshrs, mshr)];
        const fabric_target target = *waiting;
        waiting->request = NULL;
        serve(self, &miss, &target);
    }
    of->group_misses[miss.group]--;
    cache_mshrs_release(&of->mshrs, mshr);
    fabric_trace_fill(self, tile, mshr);
}
