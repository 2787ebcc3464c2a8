/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "hd_address.h"
#include "round_robin.h"

/* Of a resource: with that of the scratchpad goes what transactions keep of it. */
static const char *name_of(uint32_t resource, uint64_t needed, const hd_grid *grid)
{
    return resource == RESOURCE_SCRATCHPAD && needed > grid->scratchpad_bytes
               ? "bytes of scratchpad with what its transactions keep of them"
               : resource_names[resource];
}

static uint32_t is_empty(const hd_grid *grid)
{
    for (uint32_t i = 0; i < 3; i++)
        if (grid->grid_size[i] == 0 || grid->block_size[i] == 0)
            return 1;
    return 0;
}

/* RESOURCE_COUNT: private memory. */
static uint32_t lacking_on(const hd_core_capacity *capacity, const grid_state *state, uint64_t *needed,
                           uint64_t *available)
{
    const resources all = resources_of_core(capacity),
                    need = resources_of_block(&state->grid, state->has_transactions, capacity);
    const uint32_t lacking = resources_lacking(&all, &need);
    *needed = lacking == RESOURCE_COUNT ? resources_private_bytes(&state->grid, capacity) : need.amount[lacking];
    *available = lacking == RESOURCE_COUNT ? HD_CONTEXT_BYTES : all.amount[lacking];
    return lacking;
}

uint32_t dispatch_accepts(const round_robin *self, const grid_state *state, char *text, size_t bytes)
{
    const hd_grid *grid = &state->grid;
    uint64_t needed = 0, available = 0;
    if (is_empty(grid)) {
        snprintf(text, bytes, "a grid or block size is zero");
        return 0;
    }
    for (uint32_t core = self->core_count; core-- > 0;) { /* the first core is the one that is spoken of */
        const uint32_t lacking = lacking_on(&self->cores[core].capacity, state, &needed, &available);
        if (needed <= available)
            return 1;
        snprintf(text, bytes, "a block of %u x %u x %u threads needs %llu %s, a core has %llu", grid->block_size[0],
                 grid->block_size[1], grid->block_size[2], (unsigned long long)needed,
                 lacking == RESOURCE_COUNT ? "bytes of private memory" : name_of(lacking, needed, grid),
                 (unsigned long long)available);
    }
    return 0;
}

grid_state *dispatch_oldest(const round_robin *self)
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

static uint32_t fits(const core_state *core, const grid_state *state)
{
    const resources need = resources_of_block(&state->grid, state->has_transactions, &core->capacity);
    return resources_lacking(&core->available, &need) == RESOURCE_COUNT &&
           resources_private_bytes(&state->grid, &core->capacity) <= HD_CONTEXT_BYTES;
}

/* Nothing is why where one only waits for its next turn. */
static uint32_t why_none(uint32_t waits_for_turn, uint32_t lacks_credit)
{
    if (waits_for_turn)
        return STALL_NONE;
    return lacks_credit ? STALL_CREDIT : STALL_ROOM;
}

static void add_core(uint64_t *set, uint32_t core)
{
    set[core / 64] |= UINT64_C(1) << (core % 64);
}

uint32_t dispatch_choose_core(round_robin *self, const thread_block *block, hd_time t)
{
    const grid_state *state = dispatch_find_grid(self, block->grid->launch);
    uint64_t has_room[CORE_SET_WORDS] = {0}, takes[CORE_SET_WORDS] = {0};
    uint32_t taking = 0, waits_for_turn = 0, lacks_credit = 0;
    for (uint32_t i = 0; i < self->core_count; i++) {
        const core_state *core = &self->cores[i];
        if (!fits(core, state))
            continue;
        add_core(has_room, i);
        if (core->turn > self->cursor.n || transport_is_entering(self, i)) {
            waits_for_turn = 1;
        } else if (moves_has_credit(self, i, t)) {
            add_core(takes, i);
            taking = 1;
        } else {
            lacks_credit = 1;
        }
    }
    self->stall = why_none(waits_for_turn, lacks_credit);
    if (!taking)
        return NO_CORE;
    const thread_block_cores cores = {.count = self->core_count, .has_room = has_room, .takes = takes};
    const uint32_t core = self->policy_unit->choose_core(self->policy, block, &cores, self->cursor.n);
    self->stall = core == NO_CORE ? STALL_POLICY : STALL_NONE;
    return core;
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
    resident_block *block = &self->slots[slot];
    core->turn = self->cursor.n + self->core_interval;
    *block = (resident_block){
        .busy = 1,
        .core = index,
        .launch = state->grid.launch,
        .taken = resources_of_block(&state->grid, state->has_transactions, &core->capacity),
    };
    memcpy(block->block_index, state->next_block, sizeof block->block_index);
    resources_take(&core->available, &block->taken);
    send_launch(self, state, index, slot, t);
    self->counters[STATISTIC_BLOCKS]++;
    self->resident++;
    if (self->resident > self->counters[STATISTIC_MAX_RESIDENT_BLOCKS])
        self->counters[STATISTIC_MAX_RESIDENT_BLOCKS] = self->resident;
    state->resident++;
    policy_tell(self, THREAD_BLOCK_LAUNCHED, slot);
    levels_ask(self, slot);
    step_to_next_block(state);
}

/* The next one of the grid. */
static thread_block next_block(const round_robin *self, const grid_state *state, uint32_t slot)
{
    thread_block block = {.slot = slot,
                          .core = NO_CORE,
                          .grid = &state->grid,
                          .context_bytes = resources_context_bytes(&state->grid, &self->cores[0].capacity)};
    memcpy(block.block_index, state->next_block, sizeof block.block_index);
    return block;
}

/* Have all blocks started that come before the next one of this grid? */
static uint32_t is_next(const round_robin *self, uint32_t grid)
{
    for (uint32_t i = 0; i < grid; i++) {
        if (!self->grids[i].exhausted &&
            (self->order == ORDER_ARRIVAL || self->grids[i].grid.stream == self->grids[grid].grid.stream))
            return 0;
    }
    return !self->grids[grid].exhausted;
}

/* The next block of the first grid whose next block gets a core. Returns 1 if one does; else *waits is 1 if one only waits for its
 * turn, and self->stall is what that of the oldest grid waits for. */
static uint32_t dispatch_next(round_robin *self, uint32_t slot, uint32_t *waits, hd_time t)
{
    uint32_t stall = STALL_NONE, tried = 0;
    *waits = 0;
    for (uint32_t i = 0; i < self->grid_count; i++) {
        if (!is_next(self, i))
            continue;
        const thread_block block = next_block(self, &self->grids[i], slot);
        const uint32_t core = dispatch_choose_core(self, &block, t);
        if (core != NO_CORE) {
            dispatch_one(self, &self->grids[i], core, slot, t);
            return 1;
        }
        *waits |= self->stall == STALL_NONE;
        stall = tried++ == 0 ? self->stall : stall;
    }
    self->stall = stall;
    return 0;
}

uint32_t dispatch_blocks(round_robin *self, hd_time t)
{
    const uint32_t most = self->core_interval != 0 ? self->core_count : self->dispatches_per_cycle;
    uint32_t waits;
    self->stall = STALL_NONE;
    for (uint32_t i = 0; i < most; i++) {
        if (dispatch_oldest(self) == NULL)
            return 0;
        uint32_t slot = lowest_free_slot(self);
        if (slot == NO_SLOT) {
            self->stall = STALL_SLOT;
            return 0;
        }
        if (!dispatch_next(self, slot, &waits, t))
            return waits;
    }
    return dispatch_oldest(self) != NULL;
}
