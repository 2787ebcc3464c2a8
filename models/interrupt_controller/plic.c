/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_host.h"
#include "hd_interrupt_line.h"
#include "hd_registers.h"
#include "hd_trace.h"
#include "interrupt_controller.h"

#define WINDOW_BYTES 0x400000u
#define PENDING 0x001000u
#define ENABLED 0x002000u
#define THRESHOLD 0x200000u
#define CLAIM 0x200004u

#define ELEMENTS 7u
#define LINES_OF_ELEMENT 4u
#define SOURCES (1 + ELEMENTS * LINES_OF_ELEMENT) /* source 0 is none */
#define PRIORITY_MAX 7u
#define EXTERNAL_INTERRUPT 11u

enum { PORT_BUS, PORT_SOURCE, PORT_INTERRUPT, PORT_COUNT };
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_COUNT };
enum { STATISTIC_EVENTS = HD_REGISTERS_STATISTIC_COUNT, STATISTIC_CLAIMS, STATISTIC_COUNT };

enum { EVENT_RAISED, EVENT_CLAIMED, EVENT_LEVEL, EVENT_COUNT };

typedef struct source {
    uint32_t priority;
    uint32_t events; /* not yet claimed */
    uint32_t is_handled;
} source;

typedef struct plic {
    hd_registers registers;
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t shown_level;  /* that was recorded last */
    uint32_t level_message;
    hd_link *events[ELEMENTS];
    hd_link *interrupt;
    hd_interrupt_line line;
    source sources[SOURCES];
    uint32_t enabled;
    uint32_t threshold;
    uint32_t stopped; /* after a fault */
    uint64_t counters[STATISTIC_COUNT];
} plic;

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = HD_REGISTERS_ADDRESS("0x18010000000", WINDOW_BYTES),
    [PARAMETER_LATENCY] = HD_REGISTERS_LATENCY,
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_BUS] = HD_REGISTERS_PORT,
    [PORT_SOURCE] = {.name = "source",
                     .direction = HD_PORT_RECEIVE,
                     .minimum_count = 0,
                     .maximum_count = ELEMENTS,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "events of devices"},
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_SEND,
                        .minimum_count = 0,
                        .maximum_count = 1,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "external interrupt of the hart"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    HD_REGISTERS_STATISTICS,
    [STATISTIC_EVENTS] = {"events", "events", HD_STATISTIC_COUNT, 0, "events of devices"},
    [STATISTIC_CLAIMS] = {"claims", "claims", HD_STATISTIC_COUNT, 0, "events claimed by the hart"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_RAISED] = {"interrupt.event", HD_TRACE_INSTANT, 0, "source", NULL, "a device has an event for the hart"},
    [EVENT_CLAIMED] = {"interrupt.claim", HD_TRACE_INSTANT, 0, "source", NULL, "the hart claims it"},
    [EVENT_LEVEL] = {"external_interrupt", HD_TRACE_COUNTER, 0, NULL, "level", "level of the line"},
};

static const hd_message_use messages[] = {
    HD_REGISTERS_MESSAGES,
    {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "source"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "interrupt"},
};

static const hd_window window = {.name = "interrupt controller",
                                 .port = "bus",
                                 .base_parameter = "address",
                                 .bytes = WINDOW_BYTES,
                                 .doc = "priorities, pending, enabled, threshold, claim"};

/* ---- Sources ------------------------------------------------------------------------------------------------------ */

static uint32_t pending(const plic *self)
{
    uint32_t bits = 0;
    for (uint32_t s = 1; s < SOURCES; s++)
        if (self->sources[s].events && !self->sources[s].is_handled)
            bits |= UINT32_C(1) << s;
    return bits;
}

/* The source to be claimed next, if its priority is above this one; 0 = none. */
static uint32_t best(const plic *self, uint32_t above)
{
    const uint32_t candidates = pending(self) & self->enabled;
    uint32_t found = 0;
    for (uint32_t s = 1; s < SOURCES; s++) {
        const uint32_t priority = self->sources[s].priority;
        if (!(candidates >> s & 1) || priority <= above)
            continue;
        above = priority;
        found = s;
    }
    return found;
}

static uint32_t claim(plic *self, hd_time t)
{
    const uint32_t s = best(self, 0);
    if (!s)
        return 0;
    self->sources[s].events--;
    self->sources[s].is_handled = 1;
    self->counters[STATISTIC_CLAIMS]++;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_CLAIMED, t, s);
    return s;
}

static void take_events(plic *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    for (uint32_t element = 0; element < ELEMENTS; element++)
        while (self->events[element] && (packet = s->pop(s->context, self->events[element], t))) {
            if (packet->argument < LINES_OF_ELEMENT) {
                const uint32_t number = 1 + LINES_OF_ELEMENT * element + packet->argument;
                self->sources[number].events++;
                hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_RAISED, t, number);
                self->counters[STATISTIC_EVENTS]++;
            } else {
                s->fault(s->context, t, "source[%u]: a device has 4 interrupt lines, this event is of line %u", element,
                         packet->argument);
                self->stopped = 1;
            }
            s->free(s->context, packet);
        }
}

/* ---- Registers ---------------------------------------------------------------------------------------------------- */

static uint32_t read_priority(hd_register_access *access)
{
    access->value = ((const plic *)access->device)->sources[access->offset / 4].priority;
    return HD_STATUS_OK;
}

static uint32_t write_priority(hd_register_access *access)
{
    if (access->offset == 0)
        return HD_STATUS_ADDRESS_ERROR;
    ((plic *)access->device)->sources[access->offset / 4].priority = access->value & PRIORITY_MAX;
    return HD_STATUS_OK;
}

static uint32_t read_pending(hd_register_access *access)
{
    access->value = pending(access->device);
    return HD_STATUS_OK;
}

static uint32_t read_enabled(hd_register_access *access)
{
    access->value = ((const plic *)access->device)->enabled;
    return HD_STATUS_OK;
}

static uint32_t write_enabled(hd_register_access *access)
{
    ((plic *)access->device)->enabled = (uint32_t)access->value & ((UINT32_C(1) << SOURCES) - 2);
    return HD_STATUS_OK;
}

static uint32_t read_threshold(hd_register_access *access)
{
    access->value = ((const plic *)access->device)->threshold;
    return HD_STATUS_OK;
}

static uint32_t write_threshold(hd_register_access *access)
{
    ((plic *)access->device)->threshold = access->value & PRIORITY_MAX;
    return HD_STATUS_OK;
}

static uint32_t read_claim(hd_register_access *access)
{
    access->value = claim(access->device, access->t);
    return HD_STATUS_OK;
}

static uint32_t write_claim(hd_register_access *access)
{
    if (access->value >= SOURCES)
        return HD_STATUS_ADDRESS_ERROR;
    ((plic *)access->device)->sources[access->value].is_handled = 0;
    return HD_STATUS_OK;
}

static const hd_register registers[] = {
    {0, 4 * SOURCES, 4, read_priority, write_priority},
    {PENDING, 4, 4, read_pending, NULL},
    {ENABLED, 4, 4, read_enabled, write_enabled},
    {THRESHOLD, 4, 4, read_threshold, write_threshold},
    {CLAIM, 4, 4, read_claim, write_claim},
};

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static void work(void *block, hd_time t)
{
    plic *self = block;
    if (self->stopped)
        return;
    take_events(self, t);
    hd_registers_work(&self->registers, t);
    self->line.level = best(self, self->threshold) != 0;
    hd_interrupt_line_send(&self->line, self->services, self->interrupt, self->level_message, t);
    if (self->shown_level != self->line.level)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_LEVEL, t, self->line.level);
    self->shown_level = self->line.level;
}

static hd_time next(const void *block)
{
    const plic *self = block;
    const hd_services *s = self->services;
    if (self->stopped)
        return HD_NEVER;
    if (hd_interrupt_line_waits(&self->line, self->interrupt))
        return self->registers.cursor.t;
    hd_time arrival = HD_NEVER;
    for (uint32_t element = 0; element < ELEMENTS; element++)
        if (self->events[element])
            arrival = hd_earlier(arrival, s->arrival(s->context, self->events[element]));
    return hd_earlier(hd_registers_next(&self->registers), hd_cursor_edge_from(&self->registers.cursor, arrival));
}

static const hd_registers_class device_class = {
    .registers = registers,
    .count = sizeof registers / sizeof *registers,
    .widths = 4,
    .work = work,
    .next = next,
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    plic *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->level_message = services->message(services->context, HD_INTERRUPT_LEVEL);
    hd_registers_create(&self->registers, services, &device_class, self->counters, values[PARAMETER_ADDRESS].u,
                        WINDOW_BYTES, values[PARAMETER_LATENCY].u);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    plic *self = (plic *)block;
    switch (port) {
    case PORT_BUS: hd_registers_connect(block, port, element, out, in); break;
    case PORT_SOURCE: self->events[element] = in; break;
    default: self->interrupt = out; break;
    }
}

static void reset(hd_block *block)
{
    plic *self = (plic *)block;
    hd_registers_reset(&self->registers);
    memset(self->sources, 0, sizeof self->sources);
    memset(self->counters, 0, sizeof self->counters);
    self->line = (hd_interrupt_line){.number = EXTERNAL_INTERRUPT};
    self->shown_level = self->enabled = self->threshold = self->stopped = 0;
}

static void destroy(hd_block *block)
{
    if (block)
        hd_registers_reset(&((plic *)block)->registers);
    free(block);
}

const hd_block_class hd_interrupt_controller_plic = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "interrupt_controller",
    .type = "plic",
    .doc = "combines events of devices into the external interrupt of a hart",
    .source = "RISC-V Platform-Level Interrupt Controller Specification 1.0",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = sizeof messages / sizeof *messages,
    .window_count = 1,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .trace_events = trace_events,
    .trace_event_count = EVENT_COUNT,
    .windows = &window,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = hd_registers_advance,
    .counters = hd_registers_counters,
    .destroy = destroy,
};
