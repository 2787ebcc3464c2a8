/* SPDX-License-Identifier: MIT */
/* The heads of the PEs' queues, of one tile and one cycle: each bank has one port, and reads a line for all that want it. */
#include "hd_link.h"
#include "state.h"

enum outcome { TAKEN, WAITS };

static fabric_bank *bank_at(tile_fabric *self, const fabric_access *access)
{
    return &self->tile[access->tile].banks[access->bank];
}

static hd_packet *take(tile_fabric *self, uint32_t pe, hd_time t)
{
    self->pe[pe].outstanding++;
    return self->services->pop(self->services->context, self->pe[pe].request, t);
}

static enum outcome wait_for_bank(tile_fabric *self)
{
    self->counters.conflicts++;
    return WAITS;
}

static enum outcome wait_for_room(tile_fabric *self)
{
    self->counters.mshr_stalls++;
    return WAITS;
}

/* Is the port of the bank taken in this cycle? */
static uint32_t is_used(const tile_fabric *self, const fabric_bank *bank)
{
    return bank->used_edge == fabric_edge(self);
}

static void use(const tile_fabric *self, fabric_bank *bank, uint64_t line)
{
    bank->used_edge = fabric_edge(self);
    bank->read_line = line;
}

static uint64_t ready(const tile_fabric *self)
{
    return fabric_edge(self) + fabric_value(self, PARAMETER_L0_LATENCY);
}

/* ---- Scratchpad banks --------------------------------------------------------------------------------------------- */

uint32_t fabric_is_scratchpad(uint64_t address)
{
    return address >= HD_TILE_SCRATCHPAD && address < HD_TILE_SCRATCHPAD_END;
}

uint8_t *fabric_scratchpad_bytes(tile_fabric *self, uint32_t pe, uint32_t offset)
{
    const fabric_reach *reach = &self->pe[pe].reach;
    const uint32_t number = offset / self->bank_bytes;
    if (number >= reach->scratchpad_count)
        return NULL;
    return &self->tile[pe / self->pes].banks[reach->scratchpads[number]].data[offset % self->bank_bytes];
}

static enum outcome scratchpad(tile_fabric *self, uint32_t pe, const hd_packet *head, hd_time t)
{
    const fabric_reach *reach = &self->pe[pe].reach;
    const uint32_t offset = (uint32_t)(head->address - HD_TILE_SCRATCHPAD), number = offset / self->bank_bytes;
    const uint32_t is_load = head->message == self->message.load;
    if (head->message == self->message.atomic) {
        fabric_mistake(self, pe, take(self, pe, t), NULL, UINT64_MAX, "scratchpad banks carry out no atomics");
        return TAKEN;
    }
    if (number >= reach->scratchpad_count) {
        fabric_mistake(self, pe, take(self, pe, t), NULL, UINT64_MAX,
                       "PE %u of tile %u reaches %u B of scratchpad banks", pe % self->pes, pe / self->pes,
                       reach->scratchpad_count * self->bank_bytes);
        return TAKEN;
    }
    fabric_bank *bank = &self->tile[pe / self->pes].banks[reach->scratchpads[number]];
    uint8_t *bytes = fabric_scratchpad_bytes(self, pe, offset);
    if (is_used(self, bank))
        return wait_for_bank(self);
    use(self, bank, NO_EDGE);
    hd_packet *request = take(self, pe, t);
    if (is_load) {
        self->counters.scratchpad_loads++;
        fabric_answer_load(self, pe, request, bytes, ready(self));
        return TAKEN;
    }
    fabric_write_bytes(bytes, request);
    self->counters.scratchpad_stores++;
    self->services->progress(self->services->context, t);
    fabric_acknowledge(self, pe, request, ready(self));
    return TAKEN;
}

/* ---- Past the first level ----------------------------------------------------------------------------------------- */

static void forward(tile_fabric *self, uint32_t pe, enum fabric_flight_kind kind, hd_packet *request)
{
    const uint32_t tile = pe / self->pes, is_load = kind == FLIGHT_LOAD;
    const uint32_t flight = fabric_take_flight(self, (fabric_flight){.kind = kind,
                                                                     .tile = tile,
                                                                     .pe = pe,
                                                                     .request = is_load ? request : NULL,
                                                                     .tag = request->tag,
                                                                     .source = request->source});
    fabric_to_second(self, tile,
                     (fabric_request){.address = request->address,
                                      .packet = is_load ? NULL : request,
                                      .flight = flight,
                                      .is_atomic = kind == FLIGHT_ATOMIC});
}

static enum outcome bypass(tile_fabric *self, uint32_t pe, const hd_packet *head, hd_time t)
{
    const uint32_t is_load = head->message == self->message.load;
    if (!fabric_has_way(self, &self->tile[pe / self->pes], 1))
        return wait_for_room(self);
    hd_packet *request = take(self, pe, t);
    self->counters.bypasses++;
    *(is_load ? &self->counters.loads : &self->counters.stores) += 1;
    if (!is_load)
        fabric_mark_stale(self, request->address / FABRIC_LINE, fabric_bytes_of(self, request), NULL, pe);
    forward(self, pe, is_load ? FLIGHT_LOAD : FLIGHT_STORE, request);
    return TAKEN;
}

static uint64_t bytes_of_atomics(const hd_packet *request, uint32_t half)
{
    const hd_atomic_operation *operations = hd_body_const(request);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < request->argument; i++)
        if (operations[i].word * 4u / FABRIC_LINE == half)
            bytes |= fabric_bytes_mask(operations[i].word * 4u % FABRIC_LINE, 4);
    return bytes;
}

/* What the PE's own cache has of the line leaves before the atomic. 0: it awaits the line. */
static uint32_t make_way(tile_fabric *self, uint32_t pe, uint64_t address)
{
    fabric_access access;
    if (!fabric_find_bank(self, pe, address, &access))
        return 1;
    fabric_bank *bank = bank_at(self, &access);
    const uint32_t place = cache_tags_find(&bank->tags, access.first, access.line);
    if (place == NO_PLACE)
        return 1;
    if (bank->lines[place].is_awaited)
        return 0;
    if (bank->lines[place].dirty)
        fabric_write_back(self, access.tile, access.bank, place);
    fabric_drop_line(self, access.tile, access.bank, place);
    return 1;
}

static enum outcome atomic(tile_fabric *self, uint32_t pe, const hd_packet *head, hd_time t)
{
    const uint32_t halves = HD_LINE_BYTES / FABRIC_LINE;
    if (!fabric_has_way(self, &self->tile[pe / self->pes], halves + 1))
        return wait_for_room(self);
    for (uint32_t half = 0; half < halves; half++)
        if (bytes_of_atomics(head, half) && !make_way(self, pe, head->address + half * FABRIC_LINE))
            return wait_for_room(self);
    hd_packet *request = take(self, pe, t);
    self->counters.atomics++;
    for (uint32_t half = 0; half < halves; half++)
        fabric_mark_stale(self, request->address / FABRIC_LINE + half, bytes_of_atomics(request, half), NULL, pe);
    forward(self, pe, FLIGHT_ATOMIC, request);
    return TAKEN;
}

/* ---- First-level caches ------------------------------------------------------------------------------------------- */

static uint64_t mshr_tag(const fabric_access *access)
{
    return access->line * HD_TILE_BANKS_MAX + access->bank;
}

static void count_taken(tile_fabric *self, const hd_packet *request)
{
    *(request->message == self->message.load ? &self->counters.loads : &self->counters.stores) += 1;
}

/* Behind those that wait for the line already, even if what it needs is here: accesses to a line stay in order. */
static enum outcome join(tile_fabric *self, const fabric_access *access, uint32_t mshr, hd_time t)
{
    fabric_tile *tile = &self->tile[access->tile];
    hd_packet *request = take(self, access->pe, t);
    count_taken(self, request);
    tile->targets[cache_mshrs_push(&tile->mshrs, mshr)] = (fabric_target){request, access->pe};
    return TAKEN;
}

static enum outcome miss(tile_fabric *self, const fabric_access *access, uint32_t place, hd_time t)
{
    fabric_tile *tile = &self->tile[access->tile];
    fabric_bank *bank = bank_at(self, access);
    const fabric_reach *reach = &self->pe[access->pe].reach;
    if (cache_mshrs_is_full(&tile->mshrs) || tile->group_misses[reach->group] >= reach->mshrs ||
        !fabric_has_way(self, tile, 2))
        return wait_for_room(self);
    if (place == NO_PLACE)
        place = fabric_put_line(self, access);
    if (place == NO_PLACE)
        return wait_for_room(self);
    const uint32_t mshr = cache_mshrs_take(&tile->mshrs, mshr_tag(access));
    tile->misses[mshr] = (fabric_miss){.bank = access->bank, .place = place, .group = reach->group};
    tile->group_misses[reach->group]++;
    fabric_trace_miss(self, access->tile, mshr, access->line);
    bank->lines[place].is_awaited = 1;
    cache_tags_keep(&bank->tags, place);
    fabric_to_second(
        self, access->tile,
        (fabric_request){.address = access->line * FABRIC_LINE,
                         .flight = fabric_take_flight(
                             self, (fabric_flight){.kind = FLIGHT_FILL, .tile = access->tile, .mshr = mshr})});
    self->counters.l0_misses++;
    use(self, bank, NO_EDGE);
    return join(self, access, mshr, t);
}

static enum outcome load_hit(tile_fabric *self, const fabric_access *access, uint32_t place, hd_time t)
{
    fabric_bank *bank = bank_at(self, access);
    const uint32_t shares = is_used(self, bank);
    hd_packet *request = take(self, access->pe, t);
    self->counters.loads++;
    self->counters.l0_hits++;
    self->counters.bank_reads += !shares;
    self->counters.broadcasts += shares;
    cache_tags_use(&bank->tags, place);
    use(self, bank, access->line);
    fabric_load_line(self, access, place, request, ready(self));
    return TAKEN;
}

static enum outcome store(tile_fabric *self, const fabric_access *access, uint32_t place, hd_time t)
{
    fabric_bank *bank = bank_at(self, access);
    if (place == NO_PLACE)
        place = fabric_put_line(self, access);
    if (place == NO_PLACE)
        return wait_for_room(self);
    hd_packet *request = take(self, access->pe, t);
    self->counters.stores++;
    self->counters.l0_hits++;
    cache_tags_use(&bank->tags, place);
    use(self, bank, NO_EDGE);
    fabric_store_line(self, access, place, request, ready(self));
    return TAKEN;
}

/* Behind a fill that is under way, so that it does not bring back what was there before. */
static enum outcome store_through(tile_fabric *self, const fabric_access *access, uint32_t place, hd_time t)
{
    fabric_bank *bank = bank_at(self, access);
    if ((place != NO_PLACE && bank->lines[place].is_awaited) || !fabric_has_way(self, &self->tile[access->tile], 1))
        return wait_for_room(self);
    hd_packet *request = take(self, access->pe, t);
    self->counters.stores++;
    use(self, bank, NO_EDGE);
    fabric_update_line(self, access, place, request);
    forward(self, access->pe, FLIGHT_STORE, request);
    return TAKEN;
}

static enum outcome cached(tile_fabric *self, fabric_access *access, const hd_packet *head, hd_time t)
{
    fabric_tile *tile = &self->tile[access->tile];
    fabric_bank *bank = bank_at(self, access);
    const uint32_t place = cache_tags_find(&bank->tags, access->first, access->line);
    const fabric_line *line = place == NO_PLACE ? NULL : &bank->lines[place];
    const uint32_t is_load = head->message == self->message.load;
    access->bytes = fabric_bytes_of(self, head);
    const uint32_t hits = is_load && line && !line->is_awaited && !(access->bytes & ~line->valid);
    if (is_used(self, bank) && !(hits && bank->read_line == access->line))
        return wait_for_bank(self);
    if (hits)
        return load_hit(self, access, place, t);
    if (!is_load && fabric_value(self, PARAMETER_L0_WRITE) != WRITE_BACK)
        return store_through(self, access, place, t);
    if (line && line->is_awaited) {
        const uint32_t mshr = cache_mshrs_find(&tile->mshrs, mshr_tag(access));
        if (!cache_mshrs_can_wait(&tile->mshrs, mshr))
            return wait_for_room(self);
        self->counters.l0_merges++;
        use(self, bank, NO_EDGE);
        return join(self, access, mshr, t);
    }
    return is_load ? miss(self, access, place, t) : store(self, access, place, t);
}

/* ---- A head ------------------------------------------------------------------------------------------------------- */

/* NULL: it is a request that the fabric knows. */
static const char *mistake_in(const tile_fabric *self, const hd_packet *head)
{
    if (head->message == self->message.atomic)
        return head->address % HD_LINE_BYTES ? "a request for atomics does not begin with a line" : NULL;
    if (head->message != self->message.load && head->message != self->message.store)
        return "it is no load, store or atomic";
    if (!head->argument || head->address % FABRIC_LINE + head->argument > FABRIC_LINE)
        return "it crosses a line of 64 B, or is of 0 B";
    return NULL;
}

static enum outcome accept_head(tile_fabric *self, uint32_t pe, const hd_packet *head, hd_time t)
{
    fabric_access access;
    const char *wrong = mistake_in(self, head);
    if (self->pe[pe].outstanding == FABRIC_REPLIES)
        return WAITS;
    if (wrong) {
        fabric_refuse(self, pe, take(self, pe, t), t, wrong);
        return TAKEN;
    }
    if (fabric_is_register(head->address)) {
        fabric_register(self, pe, take(self, pe, t));
        return TAKEN;
    }
    if (fabric_is_scratchpad(head->address))
        return scratchpad(self, pe, head, t);
    if (head->message == self->message.atomic)
        return atomic(self, pe, head, t);
    /* Private memory moves to another tile with the next thread block of its slot, which nobody would flush. */
    if (head->traffic_class == HD_CLASS_PRIVATE || !fabric_find_bank(self, pe, head->address, &access))
        return bypass(self, pe, head, t);
    return cached(self, &access, head, t);
}

void fabric_accept(tile_fabric *self, uint32_t index, hd_time t)
{
    fabric_tile *tile = &self->tile[index];
    const uint32_t first = tile->turn;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < self->pes; i++) {
        const uint32_t p = index * self->pes + (first + i) % self->pes;
        if (tile->task.phase != PHASE_NONE)
            return;
        if (!self->pe[p].request || self->pe[p].waiting)
            continue;
        const hd_packet *head = hd_link_peek(self->pe[p].request, t);
        if (!head)
            continue;
        taken += accept_head(self, p, head, t) == TAKEN;
        fabric_wake(self, fabric_edge(self) + 1);
    }
    if (taken)
        tile->turn = (first + 1) % self->pes;
}
