/* SPDX-License-Identifier: MIT */
/* Order within one edge: responses, interrupts, accesses of others to RAM, the hart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static void configure(host_cpu *self, const hd_value *values)
{
    hart *h = &self->hart;
    self->reach_limit = self->quantum = hd_clock_index_at_or_after(self->services->clock, values[PARAMETER_QUANTUM].u);
    h->ram_base = HD_HOST_RAM_BASE;
    h->exceptions_stop = values[PARAMETER_EXCEPTIONS].u == EXCEPTIONS_STOP;
    h->cycles_each = (uint32_t)values[PARAMETER_CPI_EACH].u;
    for (uint32_t kind = HART_KIND_LOAD; kind < HART_KINDS; kind++)
        h->costs[kind] = (uint32_t)values[PARAMETER_CPI_LOAD + kind - HART_KIND_LOAD].u;
}

static void destroy(hd_block *block)
{
    host_cpu *self = (host_cpu *)block;
    if (!self)
        return;
    hd_memory_port_destroy(&self->memory);
    hart_destroy(&self->hart);
    free(self);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    host_cpu *self = calloc(1, sizeof *self);
    const uint32_t fits =
        self && hart_create(&self->hart, values[PARAMETER_RAM_BYTES].u, (uint32_t)values[PARAMETER_BLOCK_CACHE].u,
                            (uint32_t)values[PARAMETER_UNDO_STORES].u);
    if (!fits ||
        !hd_memory_port_create(&self->memory, services, &values[PARAMETER_RAM_PORT_BYTES], ram_port_bytes, self)) {
        snprintf(error, error_bytes, "out of memory");
        destroy((hd_block *)self);
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->messages[MESSAGE_READ] = services->message(services->context, HD_MEMORY_READ);
    self->messages[MESSAGE_WRITE] = services->message(services->context, HD_MEMORY_WRITE);
    self->messages[MESSAGE_RESPONSE] = services->message(services->context, HD_MEMORY_RESPONSE);
    self->messages[MESSAGE_LEVEL] = services->message(services->context, HD_INTERRUPT_LEVEL);
    self->firmware.entry = HD_HOST_RAM_BASE;
    configure(self, values);
    return (hd_block *)self;
}

void hd_host_cpu_set_firmware(hd_block *block, const hd_host_cpu_firmware *firmware)
{
    ((host_cpu *)block)->firmware = *firmware;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    host_cpu *self = (host_cpu *)block;
    switch (port) {
    case PORT_BUS:
        self->bus_out = out;
        self->bus_in = in;
        break;
    case PORT_MEMORY:
        self->memory.in = in;
        self->memory.out = out;
        break;
    default:
        self->interrupts[element] = in;
        if (element >= self->interrupt_ports)
            self->interrupt_ports = element + 1;
        break;
    }
}

static void reset(hd_block *block)
{
    host_cpu *self = (host_cpu *)block;
    hd_memory_port_reset(&self->memory);
    hart_reset(&self->hart, self->firmware.entry);
    memset(self->counters, 0, sizeof self->counters);
    self->activity = ACTIVITY_KNOWN;
    self->awaits_credit = 0;
    self->shown = self->shown_access = EVENT_COUNT;
    self->reach = self->reach_limit;
    self->accounted = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

/* ---- An edge ------------------------------------------------------------------------------------------------------ */

static uint32_t is_line(uint32_t line)
{
    return line == HART_SOFTWARE_INTERRUPT || line == HART_TIMER_INTERRUPT || line == HART_EXTERNAL_INTERRUPT;
}

static void take_level(host_cpu *self, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    if (!is_line(packet->argument)) {
        s->fault(s->context, t, "interrupt: a hart has no line %u", packet->argument);
        self->activity = ACTIVITY_FAULTED;
        return;
    }
    host_cpu_come_to(self, self->cursor.n);
    hart_set_interrupt(&self->hart, packet->argument, packet->tag != 0);
}

static void take_interrupts(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    for (uint32_t i = 0; i < self->interrupt_ports; i++)
        while (self->interrupts[i] && (packet = s->pop(s->context, self->interrupts[i], t))) {
            take_level(self, packet, t);
            s->free(s->context, packet);
        }
}

static void work(void *block, hd_time t)
{
    host_cpu *self = block;
    if (self->activity == ACTIVITY_FAULTED)
        return;
    bus_take_response(self, t);
    take_interrupts(self, t);
    hd_memory_port_work(&self->memory, self->cursor.n, t);
    host_cpu_run(self, t);
    if (self->trace)
        host_cpu_trace(self, t);
}

static hd_time next(const void *block)
{
    const host_cpu *self = block;
    const hd_services *s = self->services;
    if (self->activity == ACTIVITY_FAULTED)
        return HD_NEVER;
    hd_time arrival = s->arrival(s->context, self->bus_in);
    for (uint32_t i = 0; i < self->interrupt_ports; i++)
        if (self->interrupts[i])
            arrival = hd_earlier(arrival, s->arrival(s->context, self->interrupts[i]));
    const hd_time own = hd_earlier(host_cpu_next(self), hd_memory_port_next(&self->memory, &self->cursor));
    return hd_earlier(own, hd_cursor_edge_from(&self->cursor, arrival));
}

static void account_until(void *block, uint64_t edge)
{
    host_cpu *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->activity == ACTIVITY_ON_BUS)
        self->counters[STATISTIC_BUS_WAIT_CYCLES] += cycles;
    if (self->activity == ACTIVITY_ASLEEP)
        self->counters[STATISTIC_SLEEP_CYCLES] += cycles;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    host_cpu *self = (host_cpu *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    host_cpu *self = (host_cpu *)block;
    host_cpu_count(self);
    ram_port_count(self);
    return self->counters;
}

static uint32_t debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    host_cpu *self = (host_cpu *)block;
    const uint64_t offset = address - self->hart.ram_base;
    if (offset >= self->hart.ram_bytes)
        return 0;
    const uint64_t there = self->hart.ram_bytes - offset;
    const uint32_t count = bytes < there ? bytes : (uint32_t)there;
    uint8_t *ram = self->hart.ram + offset;
    if (is_write)
        hart_memory_written(&self->hart, address, count);
    memcpy(is_write ? (void *)ram : data, is_write ? data : ram, count);
    return count;
}

const hd_block_class hd_host_cpu_rv64 = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "host_cpu",
    .type = "rv64",
    .doc = "a CPU that runs firmware: one RV64IMAC hart with its RAM",
    .source = "The RISC-V Instruction Set Manual, volumes I and II",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_USES,
    .window_count = 1,
    .parameters = host_cpu_parameters,
    .ports = host_cpu_ports,
    .statistics = host_cpu_statistics,
    .messages = host_cpu_messages,
    .windows = &host_cpu_window,
    .trace_events = host_cpu_trace_events,
    .trace_event_count = EVENT_COUNT,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .debug_access = debug_access,
    .destroy = destroy,
    .extension = host_cpu_extension,
};
