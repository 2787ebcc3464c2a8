/* SPDX-License-Identifier: MIT */
/* Tile managers: registers, work that is handed out to whoever asks first, barriers, and PEs that sleep. */
#include <string.h>

#include "state.h"

uint32_t fabric_is_register(uint64_t address)
{
    return address >= HD_TILE_REGISTERS && address < HD_TILE_REGISTERS_END;
}

static uint32_t number_of(const hd_packet *request)
{
    return (uint32_t)(request->address - HD_TILE_REGISTERS) / HD_TILE_REGISTER_BYTES;
}

static uint64_t ready(const tile_fabric *self)
{
    return fabric_edge(self) + fabric_value(self, PARAMETER_MANAGER_LATENCY);
}

static void answer(tile_fabric *self, uint32_t pe, hd_packet *request, uint32_t value)
{
    uint32_t words[FABRIC_LINE / 4];
    for (uint32_t i = 0; i < FABRIC_LINE / 4; i++)
        words[i] = value;
    fabric_answer_load(self, pe, request, (const uint8_t *)words, ready(self));
}

hd_packet *fabric_end_wait(tile_fabric *self, uint32_t pe)
{
    fabric_pe *of = &self->pe[pe];
    hd_packet *request = of->waiting;
    of->waiting = NULL;
    of->waits_for = WAIT_NONE;
    return request;
}

void fabric_answer_register(tile_fabric *self, uint32_t pe, uint32_t value)
{
    answer(self, pe, fabric_end_wait(self, pe), value);
    fabric_wake(self, fabric_edge(self) + 1);
}

/* ---- Loads -------------------------------------------------------------------------------------------------------- */

static uint32_t value_of(tile_fabric *self, uint32_t pe, uint32_t number, uint32_t *value)
{
    const fabric_tile *tile = &self->tile[pe / self->pes];
    switch (number) {
    case HD_TILE_TILE: *value = pe / self->pes; return 1;
    case HD_TILE_PE: *value = pe % self->pes; return 1;
    case HD_TILE_TILES: *value = self->tiles; return 1;
    case HD_TILE_PES: *value = self->pes; return 1;
    case HD_TILE_BANKS: *value = self->banks; return 1;
    case HD_TILE_SCRATCHPAD_BYTES: *value = self->pe[pe].reach.scratchpad_count * self->bank_bytes; return 1;
    case HD_TILE_ENABLED: *value = tile->now.enable; return 1;
    default: return 0;
    }
}

static uint32_t wait_of(uint32_t number)
{
    switch (number) {
    case HD_TILE_ITEM: return WAIT_ITEM;
    case HD_TILE_MACHINE_ITEM: return WAIT_MACHINE_ITEM;
    case HD_TILE_BARRIER: return WAIT_BARRIER;
    case HD_TILE_MACHINE_BARRIER: return WAIT_MACHINE_BARRIER;
    case HD_TILE_SWITCH: return WAIT_SWITCH;
    case HD_TILE_WRITE_BACK:
    case HD_TILE_INVALIDATE:
    case HD_TILE_FLUSH:
    case HD_TILE_COMMIT:
    case HD_TILE_COMMIT_FLUSHED: return WAIT_TASK;
    default: return WAIT_NONE;
    }
}

static void load(tile_fabric *self, uint32_t pe, hd_packet *request)
{
    const uint32_t number = number_of(request), wait = wait_of(number);
    uint32_t value;
    if (value_of(self, pe, number, &value)) {
        answer(self, pe, request, value);
    } else if (wait == WAIT_NONE) {
        fabric_mistake(self, pe, request, NULL, UINT64_MAX, "the tile manager has no register %u to load", number);
    } else {
        self->pe[pe].waiting = request;
        self->pe[pe].waits_for = wait;
        if (wait == WAIT_TASK)
            fabric_begin_task(self, pe / self->pes, pe % self->pes, number);
        else
            self->is_changed = 1;
    }
}

/* ---- Stores ------------------------------------------------------------------------------------------------------- */

static void offer(fabric_items *items, uint32_t end)
{
    items->next = items->first;
    items->end = end;
}

/* The word that settings have for the register; NULL: it is none of them. */
static uint32_t *setting_of(const tile_fabric *self, fabric_settings *wanted, uint32_t number)
{
    if (number >= HD_TILE_BANK_MODE && number < HD_TILE_BANK_MODE + self->banks)
        return &wanted->mode[number - HD_TILE_BANK_MODE];
    if (number >= HD_TILE_BANK_SCOPE && number < HD_TILE_BANK_SCOPE + self->banks)
        return &wanted->scope[number - HD_TILE_BANK_SCOPE];
    if (number >= HD_TILE_MAP && number < HD_TILE_MAP + self->pes)
        return &wanted->map[number - HD_TILE_MAP];
    if (number == HD_TILE_ENABLE)
        return &wanted->enable;
    return number == HD_TILE_SECOND_LEVEL ? &wanted->second_level : NULL;
}

static void store(tile_fabric *self, uint32_t pe, hd_packet *request)
{
    fabric_tile *tile = &self->tile[pe / self->pes];
    const uint32_t number = number_of(request);
    uint32_t *setting = setting_of(self, &tile->wanted, number), value = 0;
    memcpy(&value, hd_store_data_const(hd_body_const(request)), request->argument < 4 ? request->argument : 4);
    if (setting)
        *setting = value;
    else if (number == HD_TILE_ITEM_FIRST)
        tile->items.first = value;
    else if (number == HD_TILE_ITEM_END)
        offer(&tile->items, value);
    else if (number == HD_TILE_MACHINE_ITEM_FIRST)
        self->items.first = value;
    else if (number == HD_TILE_MACHINE_ITEM_END)
        offer(&self->items, value);
    else {
        fabric_mistake(self, pe, request, NULL, UINT64_MAX, "the tile manager has no register %u to store", number);
        return;
    }
    fabric_acknowledge(self, pe, request, ready(self));
}

void fabric_register(tile_fabric *self, uint32_t pe, hd_packet *request)
{
    if (request->message == self->message.load)
        load(self, pe, request);
    else if (request->message == self->message.store && request->argument == 4)
        store(self, pe, request);
    else
        fabric_mistake(self, pe, request, NULL, UINT64_MAX,
                       "a register of the tile manager is loaded or stored, as a word");
}

/* ---- Who waits ---------------------------------------------------------------------------------------------------- */

static uint32_t is_enabled(const tile_fabric *self, uint32_t pe)
{
    return self->tile[pe / self->pes].now.enable >> pe % self->pes & 1;
}

static void hand_out(tile_fabric *self, uint32_t pe)
{
    fabric_items *items = self->pe[pe].waits_for == WAIT_ITEM ? &self->tile[pe / self->pes].items : &self->items;
    const uint32_t has_one = items->next < items->end;
    self->counters.items += has_one;
    if (has_one) {
        self->services->progress(self->services->context, self->cursor.t);
        fabric_trace_item(self, pe, items->next);
    }
    fabric_answer_register(self, pe, has_one ? items->next++ : HD_TILE_NO_ITEM);
}

/* Do all PEs first .. end-1 that are enabled wait for it? */
static uint32_t have_arrived(const tile_fabric *self, uint32_t first, uint32_t end, uint32_t wait)
{
    for (uint32_t p = first; p < end; p++)
        if (is_enabled(self, p) && self->pe[p].waits_for != wait)
            return 0;
    return 1;
}

static void open_barrier(tile_fabric *self, uint32_t first, uint32_t end, uint32_t wait)
{
    if (!have_arrived(self, first, end, wait))
        return;
    self->counters.barriers++;
    self->services->progress(self->services->context, self->cursor.t);
    for (uint32_t p = first; p < end; p++)
        if (is_enabled(self, p))
            fabric_answer_register(self, p, 0);
}

static void begin_switch(tile_fabric *self, uint32_t tile)
{
    const uint32_t first = tile * self->pes;
    if (self->tile[tile].task.phase == PHASE_NONE && have_arrived(self, first, first + self->pes, WAIT_SWITCH))
        fabric_begin_task(self, tile, (uint32_t)__builtin_ctz(self->tile[tile].now.enable), HD_TILE_SWITCH);
}

void fabric_end_switch(tile_fabric *self, uint32_t tile)
{
    for (uint32_t p = tile * self->pes; p < (tile + 1) * self->pes; p++) {
        fabric_pe *pe = &self->pe[p];
        const uint32_t has_slept = pe->has_slept;
        if (pe->waits_for != WAIT_SWITCH)
            continue;
        pe->has_slept = !is_enabled(self, p);
        if (is_enabled(self, p))
            fabric_answer_register(self, p, has_slept);
    }
}

static void count_waiting(tile_fabric *self)
{
    self->gated = self->at_barriers = 0;
    for (uint32_t p = 0; p < self->tiles * self->pes; p++) {
        const uint32_t wait = self->pe[p].waits_for, waits = wait != WAIT_NONE && wait != WAIT_TASK;
        self->gated += waits && !is_enabled(self, p);
        self->at_barriers += (wait == WAIT_BARRIER || wait == WAIT_MACHINE_BARRIER) && is_enabled(self, p);
        fabric_trace_pe(self, p, is_enabled(self, p));
    }
}

void fabric_manage(tile_fabric *self)
{
    const uint32_t all = self->tiles * self->pes;
    if (!self->is_changed)
        return;
    self->is_changed = 0;
    for (uint32_t p = 0; p < all; p++)
        if (is_enabled(self, p) && (self->pe[p].waits_for == WAIT_ITEM || self->pe[p].waits_for == WAIT_MACHINE_ITEM))
            hand_out(self, p);
    for (uint32_t i = 0; i < self->tiles; i++)
        open_barrier(self, i * self->pes, (i + 1) * self->pes, WAIT_BARRIER);
    for (uint32_t i = 0; i < self->tiles; i++)
        begin_switch(self, i);
    open_barrier(self, 0, all, WAIT_MACHINE_BARRIER);
    count_waiting(self);
}
