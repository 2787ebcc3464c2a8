/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_address.h"
#include "round_robin.h"

uint32_t dispatch_accepts(round_robin *self, const hd_grid *grid, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < 3; i++) {
        if (grid->grid_size[i] == 0 || grid->block_size[i] == 0) {
            s->fault(s->context, t, "launch %u (entry 0x%08x): a grid or block size is zero", grid->launch,
                     grid->entry_pc);
            return 0;
        }
    }
    uint64_t needed = 0;
    uint64_t available = 0;
    const char *what = NULL;
    for (uint32_t core = 0; core < self->core_count; core++) {
        const hd_core_capacity *capacity = &self->cores[core].capacity;
        uint64_t private_bytes = resources_private_bytes(grid, capacity);
        resources all = resources_of_core(capacity);
        resources need = resources_of_block(grid, capacity);
        uint32_t lacking = resources_lacking(&all, &need);
        if (lacking == RESOURCE_COUNT && private_bytes <= HD_CONTEXT_BYTES)
            return 1;
        if (what != NULL)
            continue;
        what = lacking == RESOURCE_COUNT ? "bytes of private memory" : resource_names[lacking];
        needed = lacking == RESOURCE_COUNT ? private_bytes : need.amount[lacking];
        available = lacking == RESOURCE_COUNT ? HD_CONTEXT_BYTES : all.amount[lacking];
    }
    s->fault(s->context, t, "launch %u (entry 0x%08x): a block of %u x %u x %u threads needs %llu %s, a core has %llu",
             grid->launch, grid->entry_pc, grid->block_size[0], grid->block_size[1], grid->block_size[2],
             (unsigned long long)needed, what, (unsigned long long)available);
    return 0;
}

grid_state *dispatch_oldest(round_robin *self)
{
    for (uint32_t i = 0; i < self->grid_count; i++) {
        if (!self->grids[i].exhausted)
            return &self->grids[i];
    }
    return NULL;
}

static uint32_t lowest_free_slot(const round_robin *self)
{
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        if (!self->slots[slot].busy)
            return slot;
    }
    return NO_SLOT;
}

grid_state *dispatch_find_grid(round_robin *self, uint32_t launch)
{
    for (uint32_t i = 0; i < self->grid_count; i++) {
        if (self->grids[i].grid.launch == launch)
            return &self->grids[i];
    }
    return NULL;
}

/* Nothing is why where one only waits for its next turn. */
uint32_t dispatch_choose_core(round_robin *self, const grid_state *state, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t waits_for_turn = 0;
    self->stall = STALL_ROOM;
    for (uint32_t i = 0; i < self->core_count; i++) {
        uint32_t index = (self->next_core + i) % self->core_count;
        const core_state *core = &self->cores[index];
        resources need = resources_of_block(&state->grid, &core->capacity);
        if (resources_lacking(&core->available, &need) != RESOURCE_COUNT)
            continue;
        if (resources_private_bytes(&state->grid, &core->capacity) > HD_CONTEXT_BYTES)
            continue;
        if (core->turn > self->cursor.n) {
            waits_for_turn = 1;
            continue;
        }
        if (s->credits(s->context, self->dispatch_out[core->dispatch_element], t) > 0) {
            self->stall = STALL_NONE;
            return index;
        }
        self->stall = STALL_CREDIT;
    }
    if (waits_for_turn)
        self->stall = STALL_NONE;
    return NO_CORE;
}

static void step_to_next_block(grid_state *state)
{
    for (uint32_t i = 0; i < 3; i++) {
        if (++state->next_block[i] < state->grid.grid_size[i])
            return;
        state->next_block[i] = 0;
    }
    state->exhausted = 1;
}

static uint32_t first_on_core(grid_state *state, uint32_t core)
{
    uint64_t bit = UINT64_C(1) << (core % 64);
    uint32_t seen = (state->seen_cores[core / 64] & bit) != 0;
    state->seen_cores[core / 64] |= bit;
    return !seen;
}

static void trace_dispatch(const round_robin *self, const hd_block_launch *launch, uint32_t core, hd_time t)
{
    const uint64_t number = hd_block_number(launch);
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_DISPATCH, t, number, launch->grid.launch, core);
    hd_trace_flow(self->trace, EVENT_DISPATCH, EVENT_START, t, HD_TRACE_FROM,
                  (uint64_t)launch->grid.launch << 32 | (uint32_t)number);
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident + 1u);
}

/* The next block of the grid goes to this core, into this slot. */
static void send_launch(round_robin *self, grid_state *state, uint32_t index, uint32_t slot, hd_time t)
{
    const hd_services *s = self->services;
    const core_state *core = &self->cores[index];
    hd_block_launch launch = {
        .grid = state->grid,
        .first_of_grid = first_on_core(state, index),
        .context_slot = slot,
        .context_slots = self->slot_limit,
    };
    memcpy(launch.block_index, state->next_block, sizeof launch.block_index);
    hd_packet *packet = s->alloc(s->context, sizeof launch);
    packet->message = self->messages[MESSAGE_BLOCK_LAUNCH];
    packet->source = (uint16_t)s->endpoint;
    packet->destination = (uint16_t)core->endpoint;
    packet->tag = slot;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + sizeof launch;
    packet->body_bytes = sizeof launch;
    memcpy(hd_body(packet), &launch, sizeof launch);
    s->send(s->context, self->dispatch_out[core->dispatch_element], packet, t);
    trace_dispatch(self, &launch, index, t);
}

static void dispatch_one(round_robin *self, grid_state *state, uint32_t index, uint32_t slot, hd_time t)
{
    core_state *core = &self->cores[index];
    core->turn = self->cursor.n + self->core_interval;
    self->slots[slot] = (resident_block){
        .busy = 1,
        .core = index,
        .launch = state->grid.launch,
        .since = self->cursor.n,
        .taken = resources_of_block(&state->grid, &core->capacity),
    };
    resources_take(&core->available, &self->slots[slot].taken);
    send_launch(self, state, index, slot, t);
    self->counters[STATISTIC_BLOCKS]++;
    self->resident++;
    if (self->resident > self->counters[STATISTIC_MAX_RESIDENT_BLOCKS])
        self->counters[STATISTIC_MAX_RESIDENT_BLOCKS] = self->resident;
    state->resident++;
    self->next_core = (index + 1) % self->core_count;
    step_to_next_block(state);
}

uint32_t dispatch_blocks(round_robin *self, hd_time t)
{
    const uint32_t most = self->core_interval != 0 ? self->core_count : self->dispatches_per_cycle;
    self->stall = STALL_NONE;
    for (uint32_t i = 0; i < most; i++) {
        grid_state *state = dispatch_oldest(self);
        if (state == NULL)
            return 0;
        uint32_t slot = lowest_free_slot(self);
        if (slot == NO_SLOT) {
            self->stall = STALL_SLOT;
            return 0;
        }
        uint32_t core = dispatch_choose_core(self, state, t);
        if (core == NO_CORE)
            return self->stall == STALL_NONE;
        dispatch_one(self, state, core, slot, t);
    }
    return dispatch_oldest(self) != NULL;
}
