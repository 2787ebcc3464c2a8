/* SPDX-License-Identifier: MIT */
/*
 * Order within one edge: interrupts, responses, an access of others to memory, the program runs for as long as its calls are complete, one packet
 * leaves.
 */
#include "driver_internal.h"

#include "hd_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t program_runs(const native *self)
{
    return self->runtime != NULL && runtime_status(self->runtime) == HD_HOST_RUNNING;
}

static void account_until(void *block, uint64_t edge)
{
    native *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->driver != NULL ? !host_driver_has_work(self->driver) : self->call == NULL)
        return;
    uint32_t waits = self->driver != NULL ? !driver_transfers(self->driver) : self->call->kind == HOST_CALL_WAIT;
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

static uint32_t call_is_complete(const native *self)
{
    const host_call *call = self->call;
    if (call->kind != HOST_CALL_WAIT)
        return transfer_is_complete(self, &self->own);
    return self->cursor.n >= self->call_edge &&
           (self->device_error || (int32_t)(self->completions[call->queue] - call->count) >= 0);
}

static uint32_t event_of(const host_call *call)
{
    return call->kind == HOST_CALL_WAIT ? EVENT_WAIT : call->kind == HOST_CALL_READ ? EVENT_READ : EVENT_WRITE;
}

static void trace_call(const native *self)
{
    const host_call *call = self->call;
    const uint32_t waits = call->kind == HOST_CALL_WAIT;
    hd_trace_begin(self->trace, HD_TRACE_BLOCK, event_of(call), self->cursor.t, waits ? call->queue : call->address,
                   waits ? call->count : call->bytes);
}

/* The program begins with its first call, or ends without one. */
static void trace_begin(const native *self)
{
    if (self->call == NULL && self->counters[STATISTIC_CALLS] == 0)
        hd_trace_begin(self->trace, HD_TRACE_BLOCK, EVENT_PROGRAM, self->cursor.t, 0);
    if (self->call != NULL)
        hd_trace_end(self->trace, HD_TRACE_BLOCK, event_of(self->call), self->cursor.t);
}

static void run_program(native *self)
{
    while (program_runs(self) && (self->call == NULL || call_is_complete(self))) {
        if (self->call != NULL)
            self->call->device_error = self->device_error;
        self->own.call = NULL;
        if (self->trace)
            trace_begin(self);
        self->call = runtime_resume(self->runtime);
        if (self->call == NULL) {
            self->ended = self->cursor.t;
            hd_trace_end(self->trace, HD_TRACE_BLOCK, EVENT_PROGRAM, self->cursor.t);
            return;
        }
        self->counters[STATISTIC_CALLS]++;
        self->call_edge = self->cursor.n + self->overhead;
        if (self->trace)
            trace_call(self);
        if (self->call->kind != HOST_CALL_WAIT)
            transfer_begin(&self->own, self->call, self->call_edge);
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
        run_program(self);
    return transfer_issue(self, t);
}

/* The next edge with work: of its own, or of what is on its way. */
static hd_time next_work(const void *block)
{
    const native *self = block;
    const hd_services *s = self->services;
    if (self->stopped)
        return HD_NEVER;
    if (self->more || (self->driver != NULL && self->driver->posted) || (program_runs(self) && self->call == NULL))
        return self->cursor.t;
    hd_time next = s->arrival(s->context, self->bus_in);
    if (self->interrupt_in != NULL)
        next = hd_earlier(next, s->arrival(s->context, self->interrupt_in));
    if (self->driver != NULL && driver_next_edge(self->driver) != UINT64_MAX)
        next = hd_earlier(next, hd_clock_edge(s->clock, driver_next_edge(self->driver)));
    if (self->call != NULL && self->cursor.n <= self->call_edge)
        next = hd_earlier(next, hd_clock_edge(s->clock, self->call_edge));
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
    runtime_destroy(self->runtime);
    self->runtime = NULL;
    hd_memory_port_reset(&self->memory);
    hd_cursor_init(&self->cursor, s->clock);
    self->accounted = 0;
    self->more = 0;
    self->stopped = 0;
    self->call = NULL;
    self->call_edge = 0;
    self->own.call = NULL;
    self->own.in_flight = 0;
    self->next_transfer = 0;
    self->in_flight = 0;
    self->answered = UINT64_MAX;
    self->device_error = 0;
    self->ended = HD_NEVER;
    memset(self->completions, 0, sizeof self->completions);
    memset(self->counters, 0, sizeof self->counters);
    if (self->driver != NULL)
        driver_reset(self->driver);
    if (!self->has_program)
        return;
    self->runtime = runtime_create(&self->program);
    if (self->runtime == NULL)
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
    const native *self = owner;
    (void)is_write, (void)n;
    if (self->driver != NULL)
        return driver_shared(self->driver, address, bytes);
    return program_runs(self) ? runtime_shared(self->runtime, address, bytes) : NULL;
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
    transfer_add(self, &self->own);
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
    runtime_destroy(self->runtime);
    hd_memory_port_destroy(&self->memory);
    driver_destroy(self->driver);
    free(self);
}

static uint32_t has_work(hd_block *block)
{
    const native *self = (const native *)block;
    return self->driver != NULL ? host_driver_has_work(self->driver) : program_runs(self);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const native *self = (const native *)block;
    const host_call *call = self->call;
    if (self->driver != NULL)
        driver_describe(self->driver, sink);
    if (call == NULL && program_runs(self))
        sink->line(sink->context, "the host program computes");
    if (call == NULL)
        return;
    if (call->kind == HOST_CALL_WAIT)
        sink->line(sink->context, "the host program waits for descriptor %u of queue %u, %u are complete",
                   call->count - 1, call->queue, self->completions[call->queue]);
    else
        sink->line(sink->context, "the host program waits for %s of %llu bytes at 0x%llx: %llu sent, %u in flight",
                   call->kind == HOST_CALL_READ ? "a read" : "a write", (unsigned long long)call->bytes,
                   (unsigned long long)call->address, (unsigned long long)self->own.issued, self->in_flight);
}

static void mark(hd_block *block)
{
    native *self = (native *)block;
    self->counters[STATISTIC_MAX_REQUESTS] = self->in_flight;
}

void hd_host_native_set_program(hd_block *block, const hd_host_program *program)
{
    native *self = (native *)block;
    self->has_program = program != NULL;
    if (program != NULL)
        self->program = *program;
}

uint32_t hd_host_native_is_abandoned(const hd_block *block)
{
    const native *self = (const native *)block;
    return self->runtime != NULL && runtime_is_abandoned(self->runtime);
}

uint32_t hd_host_native_status(const hd_block *block)
{
    const native *self = (const native *)block;
    return self->runtime == NULL ? HD_HOST_NO_PROGRAM : runtime_status(self->runtime);
}

hd_time hd_host_native_ended(const hd_block *block)
{
    return ((const native *)block)->ended;
}

const char *hd_host_native_message(const hd_block *block)
{
    const native *self = (const native *)block;
    return self->runtime == NULL ? "" : runtime_message(self->runtime);
}

const hd_host_report *hd_host_native_reports(const hd_block *block, uint32_t *count)
{
    const native *self = (const native *)block;
    *count = 0;
    return self->runtime == NULL ? NULL : runtime_reports(self->runtime, count);
}

const struct runtime_heap *hd_host_native_heap(const hd_block *block)
{
    const native *self = (const native *)block;
    return self->runtime == NULL ? NULL : runtime_heap_of(self->runtime);
}

const hd_host_launch *hd_host_native_launches(const hd_block *block, uint32_t *count)
{
    const native *self = (const native *)block;
    *count = 0;
    if (self->driver != NULL)
        return host_driver_launches(self->driver, count);
    return self->runtime == NULL ? NULL : runtime_launches(self->runtime, count);
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
