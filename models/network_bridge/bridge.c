/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "network_bridge.h"
#include "state.h"

static access *nth(bridge *self, uint32_t n)
{
    return &self->accesses[hd_ring_place(&self->under_way, n)];
}

static uint32_t is_answered(const bridge *self)
{
    const access *oldest = &self->accesses[self->under_way.first];
    return self->issued > 0 && oldest->outstanding == 0;
}

/* ---- What a trace shows ------------------------------------------------------------------------------------------- */

static uint32_t track_of(const bridge *self, const access *of)
{
    return self->access_tracks + (uint32_t)(of - self->accesses);
}

static uint32_t span_of(const bridge *self, const access *of)
{
    return of->request->message == self->messages[MESSAGE_WRITE] ? EVENT_WRITE : EVENT_READ;
}

static void trace_request(bridge *self, const access *of, uint32_t status, hd_time t)
{
    const hd_packet *request = of->request;
    hd_trace_begin(self->trace, track_of(self, of), span_of(self, of), t, request->address, request->argument);
    if (status != HD_STATUS_OK)
        hd_trace_instant(self->trace, track_of(self, of), EVENT_REFUSED, t, request->address, status);
}

static void trace_level(bridge *self, hd_time t)
{
    if (self->shown_accesses != self->under_way.count)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_ACCESSES, t, self->under_way.count);
    self->shown_accesses = self->under_way.count;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    bridge *self = calloc(1, sizeof *self);
    const uint32_t limit = (uint32_t)values[PARAMETER_REQUESTS].u;
    access *accesses = calloc(limit, sizeof *accesses);
    if (!self || !accesses) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(accesses);
        return NULL;
    }
    self->services = services;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->access_tracks = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "access", limit);
    self->under_way.capacity = limit;
    self->accesses = accesses;
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = services->message(services->context, bridge_messages[i].name);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    bridge *self = (bridge *)block;
    (void)element;
    switch (port) {
    case PORT_MEMORY:
        self->memory_in = in;
        self->memory_out = out;
        break;
    case PORT_REQUEST: self->request_out = out; break;
    default: self->reply_in = in; break;
    }
}

static void drop_accesses(bridge *self)
{
    const hd_services *services = self->services;
    for (uint32_t i = 0; i < self->under_way.count; i++) {
        services->free(services->context, nth(self, i)->request);
        services->free(services->context, nth(self, i)->response);
    }
    hd_ring_clear(&self->under_way);
    self->issued = 0;
}

static void reset(hd_block *block)
{
    bridge *self = (bridge *)block;
    drop_accesses(self);
    memset(self->counters, 0, sizeof self->counters);
    memset(self->accesses, 0, self->under_way.capacity * sizeof *self->accesses);
    self->accounted = 0;
    self->shown_accesses = 0;
    self->waits_to_issue = self->waits_to_answer = self->stopped = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void destroy(hd_block *block)
{
    bridge *self = (bridge *)block;
    if (!self)
        return;
    drop_accesses(self);
    free(self->accesses);
    free(self);
}

/* ---- An edge ------------------------------------------------------------------------------------------------------ */

static void take_reply(bridge *self, const hd_packet *reply, hd_time t)
{
    const hd_services *services = self->services;
    access *to = reply->tag < self->under_way.capacity ? &self->accesses[reply->tag] : NULL;
    if (!to || !to->outstanding) {
        services->fault(services->context, t, "%s: a reply to a line access that was not made", services->name);
        self->stopped = 1;
        return;
    }
    if (reply->message == self->messages[MESSAGE_LOAD_REPLY])
        memcpy((uint8_t *)hd_body(to->response) + (reply->address - to->request->address), hd_body_const(reply),
               reply->argument);
    to->outstanding--;
}

static void take_replies(bridge *self, hd_time t)
{
    const hd_services *services = self->services;
    for (hd_packet *reply; (reply = hd_link_pop(services, self->reply_in, t));) {
        take_reply(self, reply, t);
        services->free(services->context, reply);
    }
}

static void count_request(bridge *self, const hd_packet *request, uint32_t status)
{
    const uint32_t is_read = request->message == self->messages[MESSAGE_READ];
    if (status != HD_STATUS_OK) {
        self->counters[STATISTIC_REFUSED]++;
        return;
    }
    self->counters[is_read ? STATISTIC_READS : STATISTIC_WRITES]++;
    self->counters[is_read ? STATISTIC_READ_BYTES : STATISTIC_WRITTEN_BYTES] += request->argument;
}

static void accept(bridge *self, hd_time t)
{
    const hd_services *services = self->services;
    if (self->under_way.count == self->under_way.capacity)
        return;
    hd_packet *request = hd_link_pop(services, self->memory_in, t);
    if (!request)
        return;
    const uint32_t status = bridge_check(self, request);
    const uint32_t is_read = request->message == self->messages[MESSAGE_READ];
    const uint32_t bytes = status == HD_STATUS_OK && is_read ? request->argument : 0;
    hd_packet *response = hd_memory_response(services, self->messages[MESSAGE_RESPONSE], request, status, bytes);
    count_request(self, request, status);
    access *taken = &self->accesses[hd_ring_push(&self->under_way)];
    *taken = (access){
        .request = request,
        .response = response,
        .taken_at = self->cursor.n,
        .offset = status == HD_STATUS_OK ? 0 : request->argument,
    };
    trace_request(self, taken, status, t);
    if (self->under_way.count > self->counters[STATISTIC_REQUESTS_MAXIMUM])
        self->counters[STATISTIC_REQUESTS_MAXIMUM] = self->under_way.count;
}

/* One line access; those that no byte of a write needs cost nothing. */
static void issue(bridge *self, hd_time t)
{
    const hd_services *services = self->services;
    self->waits_to_issue = 0;
    while (self->issued < self->under_way.count) {
        access *next = nth(self, self->issued);
        if (next->offset == next->request->argument) {
            self->issued++;
            continue;
        }
        if (!hd_link_has_credit(services, self->request_out, t)) {
            self->waits_to_issue = 1;
            return;
        }
        hd_packet *line = bridge_next_line(self, (uint32_t)(next - self->accesses));
        if (!line)
            continue;
        next->outstanding++;
        self->issued += next->offset == next->request->argument;
        self->counters[STATISTIC_LINES]++;
        services->send(services->context, self->request_out, line, t);
        return;
    }
}

static void answer(bridge *self, hd_time t)
{
    const hd_services *services = self->services;
    self->waits_to_answer = 0;
    if (!is_answered(self))
        return;
    if (!hd_link_has_credit(services, self->memory_out, t)) {
        self->waits_to_answer = 1;
        return;
    }
    access *oldest = nth(self, 0);
    self->counters[STATISTIC_LATENCY_CYCLES] += self->cursor.n - oldest->taken_at;
    services->send(services->context, self->memory_out, oldest->response, t);
    hd_trace_end(self->trace, track_of(self, oldest), span_of(self, oldest), t);
    services->free(services->context, oldest->request);
    hd_ring_pop(&self->under_way);
    self->issued--;
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static void account_until(void *block, uint64_t edge)
{
    bridge *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->under_way.count)
        self->counters[STATISTIC_BUSY_CYCLES] += cycles;
}

static void work(void *block, hd_time t)
{
    bridge *self = block;
    if (self->stopped)
        return;
    take_replies(self, t);
    accept(self, t);
    issue(self, t);
    answer(self, t);
    trace_level(self, t);
}

static hd_time next(const void *block)
{
    const bridge *self = block;
    if (self->stopped)
        return HD_NEVER;
    if ((self->issued < self->under_way.count && !self->waits_to_issue) ||
        (is_answered(self) && !self->waits_to_answer))
        return self->cursor.t;
    hd_time arrival = hd_link_arrival(self->reply_in);
    if (self->under_way.count < self->under_way.capacity) {
        const hd_time request = hd_link_arrival(self->memory_in);
        arrival = request < arrival ? request : arrival;
    }
    return hd_cursor_edge_from(&self->cursor, arrival);
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    bridge *self = (bridge *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return ((bridge *)block)->counters;
}

const hd_block_class hd_network_bridge_lines = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "network_bridge",
    .type = "lines",
    .doc = "converts memory accesses of a TLM initiator to line accesses on the network",
    .source = "what the command processor does for its host",
    .flags = HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_COUNT,
    .window_count = 1,
    .parameters = bridge_parameters,
    .ports = bridge_ports,
    .statistics = bridge_statistics,
    .messages = bridge_messages,
    .trace_events = bridge_trace_events,
    .trace_event_count = EVENT_COUNT,
    .windows = &bridge_window,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = bridge_extension,
};
