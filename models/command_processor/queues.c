/* SPDX-License-Identifier: MIT */
/*
 * Order within one edge: replies, one host request, finished grids and copies, launches, one copy, one line access, one
 * answer to the host, one interrupt.
 */
#include "queues.h"

#include "hd_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_processor.h"
#include "hd_debug.h"
#include "hd_link.h"

/* Each cycle belongs to a grid, to a transfer, to both, to a command that is neither, or to the host. */
static void account_time(queues *self, uint64_t cycles)
{
    const uint32_t transfers = self->host_accesses > 0 || self->copying > 0;
    if (self->running > 0)
        self->counters[STATISTIC_BUSY_CYCLES] += cycles;
    if (self->running > 0 && transfers)
        self->counters[STATISTIC_OVERLAP_CYCLES] += cycles;
    else if (transfers)
        self->counters[STATISTIC_TRANSFER_CYCLES] += cycles;
    else if (self->running == 0 && self->commanded)
        self->counters[STATISTIC_COMMAND_CYCLES] += cycles;
}

static void account_until(void *block, uint64_t edge)
{
    queues *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    account_time(self, cycles);
    if (self->launch_phase != LAUNCH_NONE)
        self->counters[STATISTIC_LAUNCH_WAIT_CYCLES] += cycles;
    if (self->stall == STALL_CREDIT)
        self->counters[STATISTIC_STALL_CREDIT_CYCLES] += cycles;
    else if (self->stall == STALL_LINES)
        self->counters[STATISTIC_STALL_LINES_CYCLES] += cycles;
}

/* Returns 1 if there is work at the next edge whatever arrives. */
static uint32_t work_at_edge(queues *self, hd_time t)
{
    lines_take_replies(self, t);
    if (self->stopped)
        return 0;
    host_access_accept(self, t);
    rings_take_done(self, t);
    copies_take_done(self, t);
    if (self->stopped)
        return 0;
    rings_start_fetches(self);
    uint32_t more = launch_step(self, t);
    more |= copies_issue(self, t);
    more |= lines_issue(self, t);
    more |= host_access_answer(self, t);
    more |= rings_interrupt(self, t);
    return more;
}

/* The next edge with work: of its own, or of what is on its way. */
static hd_time next_work(const void *block)
{
    const queues *self = block;
    if (self->stopped)
        return HD_NEVER;
    if (self->more)
        return self->cursor.t;
    hd_time next = launch_next(self);
    next = hd_earlier(next, hd_link_arrival(self->reply_in));
    next = hd_earlier(next, hd_link_arrival(self->done_in));
    if (self->copied_in != NULL)
        next = hd_earlier(next, hd_link_arrival(self->copied_in));
    if (self->free_count > 0)
        next = hd_earlier(next, hd_link_arrival(self->host_in));
    return hd_cursor_edge_from(&self->cursor, next);
}

static void work(void *block, hd_time t)
{
    queues *self = block;
    self->more = work_at_edge(self, t);
    self->commanded = rings_have_work(self);
    if (self->trace)
        queues_trace(self, t);
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next_work};
    return hd_walk_span(&walk, block, &((queues *)block)->cursor, now, horizon);
}

static void reset(hd_block *block)
{
    queues *self = (queues *)block;
    hd_cursor_init(&self->cursor, self->services->clock);
    self->accounted = 0;
    self->more = 0;
    self->stall = STALL_NONE;
    self->stopped = 0;
    self->lines_in_flight = 0;
    self->host_accesses = 0;
    self->shown_accesses = self->shown_lines = 0;
    self->commanded = 0;
    self->launching = NO_RING;
    self->launch_phase = LAUNCH_NONE;
    self->launch_aligned = 0;
    self->launch_time = 0;
    host_access_reset(self);
    rings_reset(self);
    memset(self->counters, 0, sizeof self->counters);
}

static void destroy(hd_block *block)
{
    queues *self = (queues *)block;
    if (self == NULL)
        return;
    if (self->requests != NULL && self->free_slots != NULL)
        host_access_reset(self);
    slot_fifo_destroy(&self->to_issue);
    slot_fifo_destroy(&self->to_answer);
    free(self->requests);
    free(self->free_slots);
    free(self->rings);
    free(self);
}

static uint32_t allocate(queues *self, uint32_t host_requests)
{
    self->requests = calloc(host_requests, sizeof *self->requests);
    self->free_slots = calloc(host_requests, sizeof *self->free_slots);
    self->rings = calloc(self->ring_count, sizeof *self->rings);
    return slot_fifo_create(&self->to_issue, host_requests) && slot_fifo_create(&self->to_answer, host_requests) &&
           self->requests != NULL && self->free_slots != NULL && self->rings != NULL;
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_MEMORY].u % 4096 == 0)
        return 1;
    *conflict = (hd_conflict){PARAMETER_MEMORY, PARAMETER_MEMORY, "memory must be a multiple of 4 KiB"};
    return 0;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    queues *self = NULL;
    const char *problem = "out of memory";
    const hd_address_map *map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    if (map == NULL) {
        problem = "needs the address map of the machine";
        goto refused;
    }
    self = calloc(1, sizeof *self);
    if (self == NULL)
        goto refused;
    self->services = services;
    self->map = map;
    self->rendezvous = services->extension(services->context, HD_EXTENSION_RENDEZVOUS);
    self->ring_count = (uint32_t)values[PARAMETER_QUEUES].u;
    self->grid_limit = (uint32_t)values[PARAMETER_CONCURRENT_GRIDS].u;
    self->line_limit = (uint32_t)values[PARAMETER_LINES_IN_FLIGHT].u;
    self->memory_bytes = (uint32_t)values[PARAMETER_MEMORY].u;
    self->launch_align = (uint32_t)values[PARAMETER_LAUNCH_ALIGN].u;
    self->settle_cycles = values[PARAMETER_SETTLE].u;
    self->launch_cycles = values[PARAMETER_LAUNCH_LATENCY].u;
    if (!allocate(self, (uint32_t)values[PARAMETER_HOST_REQUESTS].u))
        goto refused;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->queue_tracks = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "queue", self->ring_count);
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = services->message(services->context, queues_messages[i].name);
    return (hd_block *)self;

refused:
    destroy((hd_block *)self);
    snprintf(error, error_bytes, "%s", problem);
    return NULL;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    queues *self = (queues *)block;
    (void)element;
    switch (port) {
    case PORT_REQUEST: self->request_out = out; break;
    case PORT_REPLY: self->reply_in = in; break;
    case PORT_HOST:
        self->host_out = out;
        self->host_in = in;
        break;
    case PORT_INTERRUPT: self->interrupt_out = out; break;
    case PORT_LAUNCH: self->launch_out = out; break;
    case PORT_DONE: self->done_in = in; break;
    case PORT_COPY: self->copy_out = out; break;
    case PORT_COPIED: self->copied_in = in; break;
    default: break;
    }
}

static const uint64_t *counters(hd_block *block)
{
    return ((queues *)block)->counters;
}

static uint32_t has_work(hd_block *block)
{
    const queues *self = (const queues *)block;
    return self->free_count < self->to_issue.ring.capacity || rings_have_work(self);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const reasons[] = {
        [RING_IDLE] = "is about to be fetched",
        [RING_FETCH_DUE] = "waits to be fetched",
        [RING_FETCHING] = "is being fetched",
        [RING_READY] = "waits for a grid to end",
        [RING_LAUNCHING] = "waits for its start",
        [RING_RUNNING] = "is running",
        [RING_COPY_DUE] = "waits for the DMA engine",
        [RING_COPYING] = "is being copied",
        [RING_COMPLETION_DUE] = "is done; its completion record waits to be written",
        [RING_COMPLETING] = "is done; its completion record is being written",
        [RING_INTERRUPT_WANTED] = "is done; its interrupt waits for the host",
        [RING_ERROR_WANTED] = "is invalid; the interrupt waits for the host",
    };
    const queues *self = (const queues *)block;
    uint32_t under_way = self->to_issue.ring.capacity - self->free_count;
    if (under_way > 0)
        sink->line(sink->context, "%u host accesses under way, %u line accesses in flight", under_way,
                   self->lines_in_flight);
    for (uint32_t i = 0; i < self->ring_count; i++) {
        const ring *ring = &self->rings[i];
        if (ring_has_work(ring))
            sink->line(sink->context, "queue %u: descriptor %u (%s %u) %s", i, ring->completed,
                       ring->is_copy ? "copy" : "launch", ring->number, reasons[ring->state]);
    }
}

static void mark(hd_block *block)
{
    queues *self = (queues *)block;
    self->counters[STATISTIC_MAX_LINES_IN_FLIGHT] = self->lines_in_flight;
    self->counters[STATISTIC_MAX_HOST_REQUESTS] = self->to_issue.ring.capacity - self->free_count;
    self->counters[STATISTIC_MAX_GRIDS] = self->running;
    self->counters[STATISTIC_MAX_COPIES] = self->copying;
}

/* Of what the host has written, what has not left as lines. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const queues *self = (const queues *)block;
    for (uint32_t i = 0; i < self->to_issue.ring.count; i++) {
        const host_request *access = &self->requests[self->to_issue.slots[hd_ring_place(&self->to_issue.ring, i)]];
        sink->write(sink->context, access->request, access->offset);
    }
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    static const hd_mark marking = {.mark = mark};
    static const hd_under_way under_way = {.each = each_under_way};
    static const hd_debug_registers registers = {registers_debug};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_DEBUG_REGISTERS) == 0)
        return &registers;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &queues_state;
    return hd_ability(id, &pending, NULL, &marking);
}

const hd_block_class hd_command_processor_queues = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "command_processor",
    .type = "queues",
    .doc = "host accesses to device memory, registers, and queues of launches and copies with completion records and "
           "interrupts",
    .source = "hd_queue.h; launch model of Fung 2015 §2.1",
    .flags = HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_COUNT,
    .window_count = WINDOW_COUNT,
    .parameters = queues_parameters,
    .ports = queues_ports,
    .statistics = queues_statistics,
    .messages = queues_messages,
    .windows = queues_windows,
    .trace_events = queues_trace_events,
    .trace_event_count = EVENT_COUNT,
    .check = check,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
