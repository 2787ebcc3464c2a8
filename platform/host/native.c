/* SPDX-License-Identifier: MIT */
/*
 * Order within one edge: interrupts, responses, an access of others to memory, programs run for as long as their calls are complete, one packet
 * leaves.
 */
#include "driver_internal.h"

#include "hd_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void account_until(void *block, uint64_t edge)
{
    native *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->driver != NULL ? !host_driver_has_work(self->driver) : !guests_wait(self))
        return;
    uint32_t waits = self->driver != NULL ? !driver_transfers(self->driver) : !guests_transfer(self);
    self->counters[waits ? STATISTIC_WAIT_CYCLES : STATISTIC_TRANSFER_CYCLES] += cycles;
}

static void take_interrupts(native *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (self->interrupt_in != NULL && (packet = s->pop(s->context, self->interrupt_in, t)) != NULL) {
        self->counters[STATISTIC_INTERRUPTS]++;
        uint64_t queue = packet->tag >> 32;
        if (packet->argument == HD_INTERRUPT_LINE_COMPLETION && queue < HD_QUEUES_MAX)
            self->completions[queue]++;
        else
            self->device_error = 1;
        s->free(s->context, packet);
    }
}

/* Returns 1 if there is work at the next edge whatever arrives. */
static uint32_t work_at_edge(native *self, hd_time t)
{
    take_interrupts(self, t);
    transfer_take_responses(self, t);
    if (self->stopped)
        return 0;
    hd_memory_port_work(&self->memory, self->cursor.n, t);
    if (self->driver != NULL)
        driver_work(self->driver, t);
    else
        guests_run(self);
    return transfer_issue(self, t);
}

/* The next edge with work: of its own, or of what is on its way. */
static hd_time next_work(const void *block)
{
    const native *self = block;
    const hd_services *s = self->services;
    if (self->stopped)
        return HD_NEVER;
    if (self->more || (self->driver != NULL && self->driver->posted) || guests_want_edge(self))
        return self->cursor.t;
    hd_time next = s->arrival(s->context, self->bus_in);
    if (self->interrupt_in != NULL)
        next = hd_earlier(next, s->arrival(s->context, self->interrupt_in));
    if (self->driver != NULL && driver_next_edge(self->driver) != UINT64_MAX)
        next = hd_earlier(next, hd_clock_edge(s->clock, driver_next_edge(self->driver)));
    const uint64_t call_edge = guests_next_edge(self, self->cursor.n);
    if (call_edge != UINT64_MAX)
        next = hd_earlier(next, hd_clock_edge(s->clock, call_edge));
    return hd_earlier(hd_cursor_edge_from(&self->cursor, next), hd_memory_port_next(&self->memory, &self->cursor));
}

static void work(void *block, hd_time t)
{
    native *self = block;
    self->more = work_at_edge(self, t);
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next_work};
    return hd_walk_span(&walk, block, &((native *)block)->cursor, now, horizon);
}

static void reset(hd_block *block)
{
    native *self = (native *)block;
    const hd_services *s = self->services;
    guests_release(self);
    hd_memory_port_reset(&self->memory);
    hd_cursor_init(&self->cursor, s->clock);
    self->accounted = 0;
    self->more = 0;
    self->stopped = 0;
    self->next_transfer = 0;
    self->in_flight = 0;
    self->answered = UINT64_MAX;
    self->device_error = 0;
    memset(self->completions, 0, sizeof self->completions);
    memset(self->counters, 0, sizeof self->counters);
    if (self->driver != NULL)
        driver_reset(self->driver);
    if (!guests_reset(self))
        s->fault(s->context, 0, "no thread or no memory for the host program");
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_PACKET_BYTES].u % 4 == 0)
        return 1;
    *conflict = (hd_conflict){PARAMETER_PACKET_BYTES, PARAMETER_PACKET_BYTES,
                              "packet_bytes must be a multiple of 4, so that no register access is cut"};
    return 0;
}

static uint8_t *shared_bytes(void *owner, uint64_t address, uint32_t bytes, uint32_t is_write, uint64_t n)
{
    native *self = owner;
    (void)n;
    if (self->driver != NULL)
        return driver_shared(self->driver, address, bytes);
    uint8_t *there = guests_shared(self, address, bytes);
    if (there != NULL && is_write)
        host_record_write(&self->record, address, bytes);
    return there;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    native *self = calloc(1, sizeof *self);
    if (self == NULL ||
        !hd_memory_port_create(&self->memory, services, &values[PARAMETER_RAM_PORT_BYTES], shared_bytes, self)) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->overhead = values[PARAMETER_OVERHEAD].u;
    self->request_limit = (uint32_t)values[PARAMETER_REQUESTS].u;
    self->packet_bytes = (uint32_t)values[PARAMETER_PACKET_BYTES].u;
    guests_create(self);
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = services->message(services->context, native_messages[i].name);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    native *self = (native *)block;
    (void)element;
    if (port == PORT_BUS) {
        self->bus_out = out;
        self->bus_in = in;
    } else if (port == PORT_MEMORY) {
        self->memory.in = in;
        self->memory.out = out;
    } else {
        self->interrupt_in = in;
    }
}

static const uint64_t *counters(hd_block *block)
{
    native *self = (native *)block;
    memcpy(&self->counters[STATISTIC_RAM], &self->memory.counts, sizeof self->memory.counts);
    return self->counters;
}

static void destroy(hd_block *block)
{
    native *self = (native *)block;
    if (self == NULL)
        return;
    guests_release(self);
    hd_memory_port_destroy(&self->memory);
    driver_destroy(self->driver);
    host_record_release(&self->record);
    free(self);
}

static uint32_t has_work(hd_block *block)
{
    const native *self = (const native *)block;
    if (self->driver == NULL)
        return guests_run_on(self);
    return host_driver_has_work(self->driver) && !host_driver_awaits_owner(self->driver);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const native *self = (const native *)block;
    if (self->driver != NULL)
        driver_describe(self->driver, sink);
    else
        guests_describe(self, sink);
}

static void mark(hd_block *block)
{
    native *self = (native *)block;
    self->counters[STATISTIC_MAX_REQUESTS] = self->in_flight;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    static const hd_mark marking = {.mark = mark};
    static const hd_host_progress progress = {hd_host_native_status, hd_host_native_ended, hd_host_native_message,
                                              hd_host_native_reports, hd_host_native_launches};
    (void)block;
    if (strcmp(id, HD_EXTENSION_HOST_PROGRAM) == 0)
        return &progress;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &native_state;
    return hd_ability(id, &pending, NULL, &marking);
}

const hd_block_class hd_host_native = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "host_cpu",
    .type = "native",
    .doc = "runs the host program as a thread of this process; its computation takes no simulated time",
    .source = "heddle_rt.h",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_USES,
    .window_count = 1,
    .parameters = native_parameters,
    .ports = native_ports,
    .statistics = native_statistics,
    .trace_events = native_trace_events,
    .trace_event_count = EVENT_COUNT,
    .messages = native_messages,
    .windows = &native_window,
    .check = check,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
