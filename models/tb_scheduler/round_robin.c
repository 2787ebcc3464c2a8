/* SPDX-License-Identifier: MIT */
/*
 * Order within one edge: events of the cores by element, then one launch, then dispatches and blocks that go on or stop, then
 * one finished grid.
 */
#include <string.h>

#include "hd_extension.h"
#include "hd_link.h"
#include "hd_work.h"
#include "round_robin.h"
#include "tb_scheduler.h"

static void account_until(void *block, uint64_t edge)
{
    round_robin *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->grid_count > 0)
        self->counters[STATISTIC_BUSY_CYCLES] += cycles;
    if (self->grid_count > 0 && dispatch_oldest(self) != NULL)
        self->counters[STATISTIC_DISPATCH_CYCLES] += cycles;
    self->counters[STATISTIC_RESIDENT_BLOCK_CYCLES] += cycles * self->resident;
    if (self->stall == STALL_ROOM)
        self->counters[STATISTIC_STALL_ROOM_CYCLES] += cycles;
    else if (self->stall == STALL_SLOT)
        self->counters[STATISTIC_STALL_SLOT_CYCLES] += cycles;
    else if (self->stall == STALL_CREDIT)
        self->counters[STATISTIC_STALL_CREDIT_CYCLES] += cycles;
    else if (self->stall == STALL_POLICY)
        self->counters[STATISTIC_STALL_POLICY_CYCLES] += cycles;
}

static void learn_capacity(round_robin *self, uint32_t element, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    core_state *core = &self->cores[element];
    hd_core_capacity capacity;
    memcpy(&capacity, hd_body_const(packet), sizeof capacity);
    uint32_t dispatch = s->route(s->context, PORT_DISPATCH, packet->source);
    if (dispatch >= CORES_MAX || self->dispatch_out[dispatch] == NULL || core->known || capacity.lanes == 0) {
        s->fault(s->context, t, "event[%u]: the capacity of endpoint %u %s", element, packet->source,
                 core->known           ? "arrives a second time"
                 : capacity.lanes == 0 ? "has warps of no lanes"
                                       : "comes from a core that dispatch does not reach");
        self->stopped = 1;
        return;
    }
    core->known = 1;
    core->endpoint = packet->source;
    core->dispatch_element = dispatch;
    core->capacity = capacity;
    core->available = resources_of_core(&capacity);
    self->known_cores++;
}

void round_robin_finish(round_robin *self, uint32_t slot, hd_time t)
{
    const hd_services *s = self->services;
    resident_block *block = &self->slots[slot];
    resources_give(&self->cores[block->core].available, &block->taken);
    dispatch_find_grid(self, block->launch)->resident--;
    policy_tell(self, THREAD_BLOCK_ENDED, slot);
    levels_forget(self, slot);
    transport_ended(self, slot);
    block->busy = 0;
    self->resident--;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident);
    s->progress(s->context, t);
}

static void finish_block(round_robin *self, uint32_t element, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    resident_block *block = moves_block_of(self, element, packet);
    if (block == NULL) {
        s->fault(s->context, t, "event[%u]: block %llu is done, but does not run there", element,
                 (unsigned long long)packet->tag);
        self->stopped = 1;
        return;
    }
    if (block->leaves)
        block->has_ended = 1;
    else
        round_robin_finish(self, (uint32_t)packet->tag, t);
}

static void take_events(round_robin *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < self->core_count && !self->stopped; i++) {
        hd_packet *packet;
        while (!self->stopped && (packet = hd_link_pop(s, self->event_in[i], t)) != NULL) {
            if (packet->message == self->messages[MESSAGE_CAPACITY]) {
                learn_capacity(self, i, packet, t);
            } else if (packet->message == self->messages[MESSAGE_BLOCK_DONE]) {
                finish_block(self, i, packet, t);
            } else if (policy_take(self, i, packet, t)) {
                continue; /* the packet is not ours any more */
            } else {
                s->fault(s->context, t, "event[%u]: a message of a type that has no meaning here", i);
                self->stopped = 1;
            }
            s->free(s->context, packet);
        }
    }
}

static uint32_t can_take_launch(const round_robin *self)
{
    return self->known_cores == self->core_count && self->grid_count < self->grid_limit;
}

static uint32_t free_track(const round_robin *self)
{
    uint64_t taken = 0;
    for (uint32_t i = 0; i < self->grid_count; i++)
        taken |= UINT64_C(1) << self->grids[i].track;
    return (uint32_t)__builtin_ctzll(~taken);
}

uint32_t round_robin_has_transactions(const round_robin *self, uint32_t module)
{
    return self->programs && self->programs->uses_scratchpad_transactions(self->programs->context, module);
}

static void take_launch(round_robin *self, hd_time t)
{
    const hd_services *s = self->services;
    if (self->stopped || !can_take_launch(self))
        return;
    hd_packet *packet = hd_link_pop(s, self->launch_in, t);
    if (packet == NULL)
        return;
    char refusal[REFUSAL_BYTES];
    grid_state state = {.requester = packet->source};
    memcpy(&state.grid, hd_body_const(packet), sizeof state.grid);
    s->free(s->context, packet);
    if (dispatch_find_grid(self, state.grid.launch) != NULL) {
        s->fault(s->context, t, "launch %u is already held", state.grid.launch);
        self->stopped = 1;
        return;
    }
    state.has_transactions = round_robin_has_transactions(self, state.grid.module);
    if (!dispatch_accepts(self, &state, refusal, sizeof refusal)) {
        s->fault(s->context, t, "launch %u (entry 0x%08x): %s", state.grid.launch, state.grid.entry_pc, refusal);
        self->stopped = 1;
        return;
    }
    state.track = free_track(self);
    hd_trace_begin(self->trace, self->grid_tracks + state.track, EVENT_GRID, t, state.grid.launch,
                   (uint64_t)state.grid.grid_size[0] * state.grid.grid_size[1] * state.grid.grid_size[2]);
    self->grids[self->grid_count++] = state;
    if (self->grid_count > self->counters[STATISTIC_MAX_GRIDS])
        self->counters[STATISTIC_MAX_GRIDS] = self->grid_count;
}

static grid_state *oldest_finished(round_robin *self)
{
    for (uint32_t i = 0; i < self->grid_count; i++) {
        if (self->grids[i].exhausted && self->grids[i].resident == 0)
            return &self->grids[i];
    }
    return NULL;
}

/* Returns 1 if another finished grid can follow at the next edge. */
static uint32_t report_finished_grid(round_robin *self, hd_time t)
{
    const hd_services *s = self->services;
    grid_state *state = oldest_finished(self);
    if (state == NULL || !hd_link_has_credit(s, self->done_out, t))
        return 0;
    hd_packet *packet = s->alloc(s->context, 0);
    packet->message = self->messages[MESSAGE_GRID_DONE];
    packet->source = (uint16_t)s->endpoint;
    packet->destination = (uint16_t)state->requester;
    packet->tag = state->grid.launch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    s->send(s->context, self->done_out, packet, t);
    self->counters[STATISTIC_GRIDS]++;
    hd_trace_end(self->trace, self->grid_tracks + state->track, EVENT_GRID, t);
    size_t behind = (size_t)(self->grids + self->grid_count - (state + 1));
    memmove(state, state + 1, behind * sizeof *state);
    self->grid_count--;
    return oldest_finished(self) != NULL;
}

/* Returns 1 if there is work at the next edge whatever arrives. */
static uint32_t work_at_edge(round_robin *self, hd_time t)
{
    take_events(self, t);
    take_launch(self, t);
    if (self->stopped)
        return 0;
    const uint32_t more = policy_work(self, t);
    return report_finished_grid(self, t) | more;
}

static hd_time next_arrival(const round_robin *self)
{
    if (self->stopped)
        return HD_NEVER;
    hd_time next = can_take_launch(self) ? hd_link_arrival(self->launch_in) : HD_NEVER;
    for (uint32_t i = 0; i < self->core_count; i++) {
        hd_time t = hd_link_arrival(self->event_in[i]);
        next = t < next ? t : next;
    }
    return next;
}

/* The next edge with work: of its own, or of what is on its way. */
static hd_time next_work(const void *block)
{
    const round_robin *self = block;
    if (self->more)
        return self->cursor.t;
    const hd_time arrival = hd_cursor_edge_from(&self->cursor, next_arrival(self));
    const uint64_t edge = self->stopped ? UINT64_MAX : policy_next(self);
    if (edge == UINT64_MAX)
        return arrival;
    return hd_earlier(arrival, edge <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, edge));
}

static void work(void *block, hd_time t)
{
    round_robin *self = block;
    self->more = work_at_edge(self, t);
}

hd_time round_robin_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next_work};
    return hd_walk_span(&walk, block, &((round_robin *)block)->cursor, now, horizon);
}
