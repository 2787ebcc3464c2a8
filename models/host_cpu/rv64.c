/* SPDX-License-Identifier: MIT */
/* Order within one edge: responses, interrupts, accesses of others to RAM, the harts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

/* Harts that run at a time take turns after an instruction or two: most of a longer block would be decoded for nothing. One that runs
 * alone is hardly slower. */
#define BLOCK_OF_SEVERAL 8u

static void configure(hart *h, const hd_value *values)
{
    static const uint32_t pmp_entries[] = {0, 16, 64}; /* by the choice */
    h->has_user_mode = values[PARAMETER_USER_MODE].u != 0;
    h->protection.entries = pmp_entries[values[PARAMETER_PMP_ENTRIES].u];
    h->protection.granule = (uint32_t)__builtin_ctzll(values[PARAMETER_PMP_GRANULARITY].u) - 2;
    h->triggers.count = (uint32_t)values[PARAMETER_TRIGGERS].u;
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
    for (uint32_t i = 0; self->harts && i < self->hart_count; i++)
        hart_destroy(&self->harts[i].hart);
    free(self->harts);
    free(self);
}

/* Returns 0 if memory is out. */
static uint32_t create_harts(host_cpu *self, const hd_value *values)
{
    const uint32_t block_cache = (uint32_t)values[PARAMETER_BLOCK_CACHE].u;
    uint32_t fits = 1;
    self->hart_count = (uint32_t)values[PARAMETER_HARTS].u;
    self->harts = calloc(self->hart_count, sizeof *self->harts);
    for (uint32_t i = 0; self->harts && i < self->hart_count; i++) {
        hart *h = &self->harts[i].hart, *first = &self->harts[0].hart;
        fits &=
            i ? hart_create_beside(h, first, i, block_cache)
              : hart_create(h, values[PARAMETER_RAM_BYTES].u, block_cache, (uint32_t)values[PARAMETER_UNDO_STORES].u);
        if (self->hart_count > 1)
            h->block_operations = BLOCK_OF_SEVERAL;
        configure(h, values);
    }
    return self->harts && fits;
}

static const char *create_parts(host_cpu *self, const hd_services *services, const hd_value *values)
{
    const uint64_t granularity = values[PARAMETER_PMP_GRANULARITY].u;
    if (granularity & (granularity - 1))
        return "pmp.granularity must be a power of two";
    if (!create_harts(self, values) ||
        !hd_memory_port_create(&self->memory, services, &values[PARAMETER_RAM_PORT_BYTES], ram_port_bytes, self))
        return "out of memory";
    return NULL;
}

static void create_tracks(host_cpu *self)
{
    const uint32_t tracks =
        self->hart_count > 1 ? hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "hart", self->hart_count) : HD_TRACE_BLOCK;
    for (uint32_t i = 0; i < self->hart_count; i++)
        self->harts[i].track = tracks + i;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    host_cpu *self = calloc(1, sizeof *self);
    const char *refusal = self ? create_parts(self, services, values) : "out of memory";
    if (refusal) {
        snprintf(error, error_bytes, "%s", refusal);
        destroy((hd_block *)self);
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->messages[MESSAGE_READ] = services->message(services->context, HD_MEMORY_READ);
    self->messages[MESSAGE_WRITE] = services->message(services->context, HD_MEMORY_WRITE);
    self->messages[MESSAGE_RESPONSE] = services->message(services->context, HD_MEMORY_RESPONSE);
    self->messages[MESSAGE_LEVEL] = services->message(services->context, HD_INTERRUPT_LEVEL);
    self->firmware.entry = self->firmware.entry_of_others = HD_HOST_RAM_BASE;
    self->reach_limit = self->quantum = hd_clock_index_at_or_after(services->clock, values[PARAMETER_QUANTUM].u);
    create_tracks(self);
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

static void reset_harts(host_cpu *self)
{
    for (uint32_t i = 1; i < self->hart_count; i++)
        self->harts[0].hart.ram_is_clear &= self->harts[i].hart.ram_is_clear;
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        hart_reset(&one->hart, i ? self->firmware.entry_of_others : self->firmware.entry);
        one->doing = DOING_RUNS;
        one->stop = one->kept_stop = HART_LIMIT;
        one->shown = one->shown_access = EVENT_COUNT;
    }
}

static void reset(hd_block *block)
{
    host_cpu *self = (host_cpu *)block;
    hd_memory_port_reset(&self->memory);
    reset_harts(self);
    memset(self->counters, 0, sizeof self->counters);
    self->activity = ACTIVITY_KNOWN;
    self->front = NULL;
    self->reach = self->reach_limit;
    self->accounted = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

/* ---- An edge ------------------------------------------------------------------------------------------------------ */

static uint32_t is_line(uint32_t line)
{
    return line == HART_SOFTWARE_INTERRUPT || line == HART_TIMER_INTERRUPT || line == HART_EXTERNAL_INTERRUPT;
}

static void take_level(host_cpu *self, hart *of, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    if (!is_line(packet->argument)) {
        s->fault(s->context, t, "interrupt: a hart has no line %u", packet->argument);
        self->activity = ACTIVITY_FAULTED;
        return;
    }
    host_cpu_come_to(self, self->cursor.n);
    hart_set_interrupt(of, packet->argument, packet->tag != 0);
}

static void take_interrupts(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    for (uint32_t i = 0; i < self->interrupt_ports; i++)
        while (self->interrupts[i] && (packet = hd_link_pop(s, self->interrupts[i], t))) {
            take_level(self, &self->harts[i / 2 % self->hart_count].hart, packet, t);
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
    if (self->activity == ACTIVITY_FAULTED)
        return HD_NEVER;
    hd_time arrival = hd_link_arrival(self->bus_in);
    for (uint32_t i = 0; i < self->interrupt_ports; i++)
        if (self->interrupts[i])
            arrival = hd_earlier(arrival, hd_link_arrival(self->interrupts[i]));
    const hd_time own = hd_earlier(host_cpu_next(self), hd_memory_port_next(&self->memory, &self->cursor));
    return hd_earlier(own, hd_cursor_edge_from(&self->cursor, arrival));
}

static void account_until(void *block, uint64_t edge)
{
    host_cpu *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    for (uint32_t i = 0; i < self->hart_count; i++) {
        if (self->harts[i].doing == DOING_ON_BUS)
            self->counters[STATISTIC_BUS_WAIT_CYCLES] += cycles;
        if (self->harts[i].doing == DOING_SLEEPS)
            self->counters[STATISTIC_SLEEP_CYCLES] += cycles;
    }
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
    const hart *first = &self->harts[0].hart;
    const uint64_t offset = address - first->ram_base;
    if (offset >= first->ram_bytes)
        return 0;
    const uint64_t there = first->ram_bytes - offset;
    const uint32_t count = bytes < there ? bytes : (uint32_t)there;
    uint8_t *ram = first->ram + offset;
    if (is_write)
        ram_port_written(self, address, count);
    memcpy(is_write ? (void *)ram : data, is_write ? data : ram, count);
    return count;
}

const hd_block_class hd_host_cpu_rv64 = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "host_cpu",
    .type = "rv64",
    .doc = "a CPU that runs firmware: RV64IMAC harts with their RAM",
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
