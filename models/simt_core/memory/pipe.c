/* SPDX-License-Identifier: MIT */
/* The pipe: accesses in order of submission, at most one wide access or scratchpad pass per cycle, and their values. */
#include "state.h"

uint64_t pipe_edge_after(const memory *m, hd_time t)
{
    return hd_cursor_index_of(&m->cursor, t) + 1;
}

static void announce_drained(memory *m, uint32_t warp)
{
    m->events.drained(m->events.context, warp, m->cursor.t);
}

/* One store more or less of each thread. */
static void count_threads(memory *m, uint32_t homes, uint32_t change)
{
    const lane_homes of = homes_at(m->parameters.homes, homes);
    for (uint64_t left = homes_entry(m->parameters.homes, homes)->lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        m->outstanding.thread_stores[homes_row_of(of, lane) * m->parameters.lanes + lane] += change;
    }
}

void pipe_begin_threads(memory *m, const access_slot *slot)
{
    homes_use(m->parameters.homes, slot->access.homes);
    if (slot->is_store)
        count_threads(m, slot->access.homes, 1);
}

static void end_threads(memory *m, uint32_t homes, uint32_t is_store)
{
    if (is_store)
        count_threads(m, homes, UINT32_MAX);
    homes_drop(m->parameters.homes, homes);
}

uint32_t pipe_expect_acknowledgement(memory *m, const access_slot *slot)
{
    if (m->outstanding.thread_stores == NULL)
        return slot->access.path;
    homes_use(m->parameters.homes, slot->access.homes);
    count_threads(m, slot->access.homes, 1);
    return m->parameters.paths + slot->access.homes;
}

/* The path of a store; its threads have it no longer. */
static uint32_t acknowledge_threads(memory *m, uint32_t number)
{
    const uint32_t homes = number - m->parameters.paths;
    const uint32_t path = homes_entry(m->parameters.homes, homes)->path;
    end_threads(m, homes, 1);
    return path;
}

void pipe_acknowledge(memory *m, uint32_t number)
{
    const uint32_t path = __builtin_expect(number < m->parameters.paths, 1) ? number : acknowledge_threads(m, number);
    m->network.unacknowledged--;
    if (--m->outstanding.path_stores[path] == 0)
        announce_drained(m, warp_slot_of(path, m->paths_per_warp));
}

static void finish(memory *m, access_slot *slot)
{
    const uint32_t warp = slot->access.warp;
    const uint32_t is_store = slot->is_store;
    const uint32_t stores = m->outstanding.path_stores[slot->access.path] -= is_store;
    const uint32_t accesses = --m->warps[warp].accesses;
    slot->in_use = 0;
    if (m->outstanding.thread_stores != NULL)
        end_threads(m, slot->access.homes, slot->is_store);
    m->tickets.free[m->tickets.count++] = ticket_of(m, slot);
    if (accesses == 0 || (is_store && stores == 0))
        announce_drained(m, warp);
}

static void give(memory *m, access_slot *slot, uint64_t lanes, const uint32_t *value)
{
    const uint32_t last = slot->parts == 0 && !slot->in_pipe;
    if (last && slot->acquire)
        memory_acquire(m);
    if (last || lanes != 0)
        m->events.done(m->events.context, ticket_of(m, slot), lanes, value, last, m->cursor.t);
    if (last)
        finish(m, slot);
}

void pipe_give(memory *m, access_slot *slot, uint64_t lanes, const uint32_t *value)
{
    slot->parts--;
    give(m, slot, lanes, value);
}

static void add_completion(memory *m, completion_ring *completions, const access_slot *slot, uint64_t lanes,
                           uint64_t edge)
{
    m->values.due = edge < m->values.due ? edge : m->values.due;
    completions->entries[hd_ring_push(&completions->ring)] =
        (completion){.edge = edge, .lanes = lanes, .ticket = ticket_of(m, slot)};
}

void pipe_give_later(memory *m, completion_ring *ring, access_slot *slot, uint64_t lanes, uint32_t cycles)
{
    add_completion(m, ring, slot, lanes, m->cursor.n + cycles);
    slot->parts++;
}

void pipe_respond(memory *m, access_slot *slot, uint64_t lanes)
{
    if (m->parameters.responses == 0) {
        pipe_give(m, slot, lanes, slot->access.data);
        return;
    }
    if (m->values.response_edge < m->cursor.n) {
        m->values.response_edge = m->cursor.n;
        m->values.responses_at_edge = 0;
    }
    if (m->values.responses_at_edge == m->parameters.responses) {
        m->values.response_edge++;
        m->values.responses_at_edge = 0;
    }
    m->values.responses_at_edge++;
    m->counters->response_wait_cycles += m->values.response_edge - m->cursor.n;
    if (m->values.response_edge == m->cursor.n)
        pipe_give(m, slot, lanes, slot->access.data);
    else
        add_completion(m, &m->values.responses, slot, lanes, m->values.response_edge);
}

static void give_first(memory *m, completion_ring *completions)
{
    const completion due = completions->entries[hd_ring_pop(&completions->ring)];
    access_slot *slot = &m->slots[due.ticket];
    pipe_give(m, slot, due.lanes, slot->access.data);
}

static inline void give_due(memory *m, completion_ring *ring)
{
    while (completion_edge(ring) <= m->cursor.n)
        give_first(m, ring);
}

static void count_stall(memory *m, uint64_t cycles)
{
    memory_counters *c = m->counters;
    switch (m->pipe.stall) {
    case WAIT_MSHR: c->stall_mshr_full += cycles; break;
    case WAIT_MERGE: c->stall_merge_full += cycles; break;
    case WAIT_WAY: c->stall_set_full += cycles; break;
    default: c->stall_reservation += cycles; return;
    }
    c->stall_mshr += cycles;
}

void pipe_end_stall(memory *m)
{
    if (m->pipe.stall != STARTED)
        count_stall(m, m->cursor.n - m->pipe.stalled_since);
    m->pipe.stall = STARTED;
}

/* One packet of a load or store, past the L1. */
static void start_past_l1(memory *m, access_slot *slot, uint32_t window, line_group *group, uint32_t updates)
{
    m->counters->l1_bypasses++;
    if (slot->kind == KIND_LOAD)
        network_load(m, slot, window, group);
    else
        network_store(m, slot, window, group, updates);
}

static void count_wide(memory *m, access_slot *slot, uint32_t window, uint64_t lanes)
{
    m->counters->wide_accesses++;
    m->counters->lane_accesses += lane_count(lanes);
    slot->remaining[window] &= ~lanes;
}

static uint32_t start_texture(memory *m, access_slot *slot)
{
    line_group group;
    const uint32_t result = texture_start(m, slot, &group);
    if (result == STARTED)
        count_wide(m, slot, WINDOW_GLOBAL, group.lanes);
    return result;
}

static uint32_t start_global(memory *m, access_slot *slot)
{
    const uint32_t looks_up = slot->kind == KIND_LOAD && !slot->past_l1;
    if (!looks_up && !network_is_free(m))
        return WAIT_NETWORK;
    line_group group = coalescer_next(m, slot, WINDOW_GLOBAL);
    if (looks_up) {
        const uint32_t result = l1_start(m, slot, WINDOW_GLOBAL, &group);
        if (result != STARTED)
            return result;
    } else {
        if (slot->kind == KIND_ATOMIC)
            atomics_narrow(m, slot, &group);
        uint32_t updates = 0;
        if (slot->kind == KIND_STORE && m->parameters.l1_write == L1_WRITE_THROUGH)
            updates = sectors_write(m, slot, &group);
        else if (slot->kind != KIND_LOAD)
            l1_drop_lines(m, slot, &group);
        if (slot->kind == KIND_ATOMIC)
            atomics_start(m, slot, &group);
        else
            start_past_l1(m, slot, WINDOW_GLOBAL, &group, updates);
    }
    count_wide(m, slot, WINDOW_GLOBAL, group.lanes);
    return STARTED;
}

static uint32_t start_private(memory *m, access_slot *slot)
{
    line_group group = coalescer_next(m, slot, WINDOW_PRIVATE);
    if (m->parameters.l1_private == L1_PRIVATE_BYPASS) {
        if (!network_is_free(m))
            return WAIT_NETWORK;
        start_past_l1(m, slot, WINDOW_PRIVATE, &group, 0);
    } else {
        const uint32_t result = l1_start(m, slot, WINDOW_PRIVATE, &group);
        if (result != STARTED)
            return result;
    }
    count_wide(m, slot, WINDOW_PRIVATE, group.lanes);
    return STARTED;
}

static uint32_t start_constant(memory *m, access_slot *slot)
{
    line_group group = coalescer_next(m, slot, WINDOW_CONSTANT);
    const uint32_t result = m->parameters.constant.bytes != 0 ? constant_start(m, slot, &group)
                                                              : l1_start(m, slot, WINDOW_CONSTANT, &group);
    if (result != STARTED)
        return result;
    count_wide(m, slot, WINDOW_CONSTANT, group.lanes);
    m->counters->constant_serial_cycles += slot->remaining[WINDOW_CONSTANT] != 0;
    return STARTED;
}

static uint32_t start_next(memory *m, access_slot *slot, uint32_t *cycles)
{
    *cycles = 1;
    if (slot->log_left != 0)
        return transactional_log(m, slot);
    if (slot->log.served != 0) {
        transactional_serve(m, slot);
        return STARTED;
    }
    if (slot->remaining[WINDOW_GLOBAL] != 0 && slot->operation == HD_ATOMIC_STORE_CONDITIONAL && !slot->checked)
        return atomics_check_reservations(m, slot);
    if (slot->remaining[WINDOW_SCRATCHPAD] != 0) {
        *cycles = scratchpad_start(m, slot);
        return STARTED;
    }
    if (slot->remaining[WINDOW_PRIVATE] != 0)
        return start_private(m, slot);
    if (slot->remaining[WINDOW_CONSTANT] != 0)
        return start_constant(m, slot);
    if (slot->remaining[WINDOW_GLOBAL] == 0)
        return STARTED;
    if (slot->serial != 0)
        return transactional_start(m, slot);
    return slot->is_texture ? start_texture(m, slot) : start_global(m, slot);
}

static void leave(memory *m, access_slot *slot)
{
    hd_ring_pop(&m->pipe.waiting);
    slot->in_pipe = 0;
    if (slot->parts == 0)
        give(m, slot, 0, slot->access.data);
}

/* Bytes of the L1's data that a step of so many cycles moves may hold the pipe for longer. */
static uint32_t port_cycles(memory *m, uint32_t cycles)
{
    const uint32_t port = m->parameters.l1_port_bytes;
    if (port == 0 || m->pipe.moved <= cycles * port)
        return cycles;
    const uint32_t moves = (m->pipe.moved + port - 1) / port;
    m->counters->l1_port_cycles += moves - cycles;
    m->pipe.is_narrow = 1;
    return moves;
}

/* How long the pipe is held by a step of so many cycles: until the L1's data have moved, and at the last step of an access
 * until all its lanes have entered, which began with its first. */
static uint32_t held_cycles(memory *m, access_slot *slot, uint32_t is_last, uint32_t cycles)
{
    cycles = port_cycles(m, cycles);
    if (slot->entered == NO_EDGE)
        slot->entered = m->cursor.n + m->pipe.lane_cycles;
    if (!is_last || m->cursor.n + cycles >= slot->entered)
        return cycles;
    const uint32_t until = (uint32_t)(slot->entered - m->cursor.n);
    m->counters->pipe_lane_cycles += until - cycles;
    m->pipe.is_narrow = 1;
    return until;
}

static void work_head(memory *m)
{
    if (m->pipe.waiting.count == 0 || m->pipe.stall != STARTED || m->cursor.n < m->pipe.free)
        return;
    access_slot *slot = &m->slots[m->pipe.queue[m->pipe.waiting.first]];
    if (m->cursor.n < slot->ready)
        return;
    uint32_t cycles;
    const uint32_t result = start_next(m, slot, &cycles);
    m->pipe.head_waits_for_network = result == WAIT_NETWORK;
    if (result != STARTED && result != WAIT_NETWORK) {
        m->pipe.stall = result;
        m->pipe.stalled_since = m->cursor.n;
    }
    if (result != STARTED)
        return;
    const uint32_t is_last =
        (slot->remaining[WINDOW_SCRATCHPAD] | slot->remaining[WINDOW_PRIVATE] | slot->remaining[WINDOW_CONSTANT] |
         slot->remaining[WINDOW_GLOBAL] | slot->log_left | slot->log.served) == 0;
    if (m->pipe.is_narrowable)
        cycles = held_cycles(m, slot, is_last, cycles);
    m->counters->pipe_cycles += cycles;
    m->pipe.free = m->cursor.n + cycles;
    if (is_last)
        leave(m, slot);
}

void memory_advance(memory *m, const hd_cursor *edge)
{
    if (edge->n < m->unworked)
        return;
    m->cursor = *edge;
    m->unworked = edge->n + 1;
    if (m->network.reply_arrival <= edge->t)
        network_receive(m);
    if (m->values.due <= edge->n) {
        give_due(m, &m->values.hits);
        give_due(m, &m->values.passes);
        give_due(m, &m->constants.values);
        give_due(m, &m->textures.values);
        give_due(m, &m->values.responses);
        pipe_find_due(m);
    }
    if (m->l1.flush.blocks != 0)
        l1_flush(m);
    if (m->pipe.is_narrowable) {
        m->pipe.is_narrow &= m->pipe.free > edge->n;
        m->pipe.moved = 0;
        if (m->addresses.units != NULL && m->pipe.free <= edge->n)
            address_units_advance(m);
    }
    work_head(m);
    if (network_has_packet(m) && m->network.credit_arrival <= edge->t)
        network_inject(m);
    pipe_update_status(m);
}
