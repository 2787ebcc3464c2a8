/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_host.h"
#include "hd_link.h"
#include "interrupt_controller.h"
#include "state.h"

#define EXTERNAL_INTERRUPT 11u

enum { PORT_BUS, PORT_SOURCE, PORT_INTERRUPT, PORT_LINE, PORT_COUNT };
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_HARTS, PARAMETER_COUNT };
enum { EVENT_RAISED, EVENT_CLAIMED, EVENT_LEVEL, EVENT_COUNT };

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = HD_REGISTERS_ADDRESS("0x18010000000", WINDOW_BYTES),
    [PARAMETER_LATENCY] = HD_REGISTERS_LATENCY,
    [PARAMETER_HARTS] = HD_REGISTERS_HARTS,
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
                        .maximum_count = HD_REGISTERS_HARTS_MAX,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "external interrupt of each hart"},
    [PORT_LINE] = {.name = "line",
                   .direction = HD_PORT_RECEIVE,
                   .minimum_count = 0,
                   .maximum_count = LINES,
                   .latency_cycles = 1,
                   .credits = 4,
                   .doc = "levels of devices that have no events, but a line"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    HD_REGISTERS_STATISTICS,
    [STATISTIC_EVENTS] = {"events", "events", HD_STATISTIC_COUNT, 0, "events of devices, and rises of their lines"},
    [STATISTIC_CLAIMS] = {"claims", "claims", HD_STATISTIC_COUNT, 0, "events claimed by harts"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_RAISED] = {"interrupt.event", HD_TRACE_INSTANT, 0, "source", NULL, "a device has an event for the hart"},
    [EVENT_CLAIMED] = {"interrupt.claim", HD_TRACE_INSTANT, 0, "source", NULL, "the hart claims it"},
    [EVENT_LEVEL] = {"external_interrupt", HD_TRACE_COUNTER, 0, NULL, "level", "level of the line"},
};

static const hd_message_use messages[] = {
    HD_REGISTERS_MESSAGES,
    {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "source"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "line"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "interrupt"},
};

static const hd_window window = {.name = "interrupt controller",
                                 .port = "bus",
                                 .base_parameter = "address",
                                 .bytes = WINDOW_BYTES,
                                 .doc = "priorities, pending, enabled, threshold, claim"};

/* ---- Sources ------------------------------------------------------------------------------------------------------ */

uint32_t plic_pending(const plic *self)
{
    uint32_t bits = 0;
    for (uint32_t s = 1; s < SOURCES; s++)
        if ((self->sources[s].events || self->sources[s].level) && !self->sources[s].is_handled)
            bits |= UINT32_C(1) << s;
    return bits;
}

uint32_t plic_best(const plic *self, const receiver *hart, uint32_t above)
{
    const uint32_t candidates = plic_pending(self) & hart->enabled;
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

uint32_t plic_claim(plic *self, const receiver *hart, hd_time t)
{
    const uint32_t s = plic_best(self, hart, 0);
    if (!s)
        return 0;
    self->sources[s].events -= self->sources[s].events > 0;
    self->sources[s].is_handled = 1;
    self->counters[STATISTIC_CLAIMS]++;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_CLAIMED, t, s);
    return s;
}

static void raise(plic *self, uint32_t number, hd_time t)
{
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_RAISED, t, number);
    self->counters[STATISTIC_EVENTS]++;
}

static void take_levels(plic *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    for (uint32_t line = 0; line < LINES; line++)
        while (self->lines[line] && (packet = hd_link_pop(s, self->lines[line], t))) {
            source *from = &self->sources[FIRST_LINE + line];
            const uint32_t level = packet->tag != 0;
            if (level && !from->level)
                raise(self, FIRST_LINE + line, t);
            from->level = level;
            s->free(s->context, packet);
        }
}

static void take_events(plic *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    for (uint32_t element = 0; element < ELEMENTS; element++)
        while (self->events[element] && (packet = hd_link_pop(s, self->events[element], t))) {
            if (packet->argument < LINES_OF_ELEMENT) {
                const uint32_t number = 1 + LINES_OF_ELEMENT * element + packet->argument;
                self->sources[number].events++;
                raise(self, number, t);
            } else {
                s->fault(s->context, t, "source[%u]: a device has 4 interrupt lines, this event is of line %u", element,
                         packet->argument);
                self->stopped = 1;
            }
            s->free(s->context, packet);
        }
}

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static void tell(plic *self, receiver *hart, hd_time t)
{
    hart->line.level = plic_best(self, hart, hart->threshold) != 0;
    hd_interrupt_line_send(&hart->line, self->services, hart->interrupt, self->level_message, t);
    if (hart->shown_level != hart->line.level)
        hd_trace_counter(self->trace, hart->track, EVENT_LEVEL, t, hart->line.level);
    hart->shown_level = hart->line.level;
}

static void work(void *block, hd_time t)
{
    plic *self = block;
    if (self->stopped)
        return;
    take_events(self, t);
    take_levels(self, t);
    hd_registers_work(&self->registers, t);
    for (uint32_t hart = 0; hart < self->hart_count; hart++)
        tell(self, &self->harts[hart], t);
}

static hd_time next(const void *block)
{
    const plic *self = block;
    if (self->stopped)
        return HD_NEVER;
    for (uint32_t hart = 0; hart < self->hart_count; hart++)
        if (hd_interrupt_line_waits(&self->harts[hart].line, self->harts[hart].interrupt))
            return self->registers.cursor.t;
    hd_time arrival = HD_NEVER;
    for (uint32_t element = 0; element < ELEMENTS; element++)
        if (self->events[element])
            arrival = hd_earlier(arrival, hd_link_arrival(self->events[element]));
    for (uint32_t line = 0; line < LINES; line++)
        if (self->lines[line])
            arrival = hd_earlier(arrival, hd_link_arrival(self->lines[line]));
    return hd_earlier(hd_registers_next(&self->registers), hd_cursor_edge_from(&self->registers.cursor, arrival));
}

static const hd_registers_class device_class = {
    .registers = plic_registers,
    .count = PLIC_REGISTERS,
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
    self->hart_count = (uint32_t)values[PARAMETER_HARTS].u;
    const uint32_t tracks =
        self->hart_count > 1 ? hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "hart", self->hart_count) : HD_TRACE_BLOCK;
    for (uint32_t hart = 0; hart < self->hart_count; hart++)
        self->harts[hart].track = tracks + hart;
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
    case PORT_LINE: self->lines[element] = in; break;
    default: self->harts[element].interrupt = out; break;
    }
}

static void reset(hd_block *block)
{
    plic *self = (plic *)block;
    hd_registers_reset(&self->registers);
    memset(self->sources, 0, sizeof self->sources);
    memset(self->counters, 0, sizeof self->counters);
    for (uint32_t hart = 0; hart < self->hart_count; hart++) {
        receiver *to = &self->harts[hart];
        to->line = (hd_interrupt_line){.number = EXTERNAL_INTERRUPT};
        to->shown_level = to->enabled = to->threshold = 0;
    }
    self->stopped = 0;
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    plic *self = (plic *)block;
    HD_STATE_SHAPE(stream, "harts", self->hart_count);
    hd_registers_transfer(&self->registers, stream);
    HD_STATE_VALUE(stream, self->sources);
    for (uint32_t hart = 0; hart < self->hart_count; hart++) {
        HD_STATE_VALUE(stream, self->harts[hart].line);
        HD_STATE_VALUE(stream, self->harts[hart].enabled);
        HD_STATE_VALUE(stream, self->harts[hart].threshold);
    }
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->counters);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_state state = {.transfer = transfer};
    return strcmp(id, HD_EXTENSION_STATE) == 0 ? &state : hd_registers_extension(block, id);
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
    .doc = "combines events of devices into the external interrupts of harts",
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
    .extension = extension,
};
