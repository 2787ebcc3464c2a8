/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_host.h"
#include "hd_interrupt_line.h"
#include "hd_registers.h"
#include "hd_trace.h"
#include "timer.h"

#define WINDOW_BYTES 0x10000u
#define MSIP 0x0000u
#define MTIMECMP 0x4000u
#define MTIME 0xBFF8u

enum { PORT_BUS, PORT_INTERRUPT, PORT_COUNT };
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_TICK, PARAMETER_COUNT };
enum { STATISTIC_ACCESSES, STATISTIC_REFUSED, STATISTIC_TIMER_RISES, STATISTIC_COUNT };
enum { LINE_SOFTWARE, LINE_TIMER, LINE_COUNT };

typedef struct clint {
    hd_registers registers;
    const hd_services *services;
    const hd_trace *trace;      /* NULL: the run is not traced */
    uint32_t shown[LINE_COUNT]; /* levels that were recorded last */
    hd_clock tick;
    uint32_t level_message;
    hd_link *interrupt;
    hd_interrupt_line lines[LINE_COUNT];
    uint64_t offset; /* mtime - ticks since time 0 */
    uint64_t compare;
    hd_cursor cursor;
    uint64_t counters[STATISTIC_COUNT];
} clint;

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = HD_REGISTERS_ADDRESS("0x18000000000", WINDOW_BYTES),
    [PARAMETER_LATENCY] = HD_REGISTERS_LATENCY,
    [PARAMETER_TICK] = {.name = "tick",
                        .type = HD_TYPE_UNSIGNED,
                        .unit = HD_UNIT_HERTZ,
                        .standard = "10 MHz",
                        .minimum = 1,
                        .maximum = HD_PS_PER_SECOND,
                        .doc = "frequency of mtime"},
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_BUS] = HD_REGISTERS_PORT,
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_SEND,
                        .minimum_count = 0,
                        .maximum_count = 1,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "software and timer interrupt of the hart"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    [STATISTIC_ACCESSES] = HD_REGISTERS_ACCESSES,
    [STATISTIC_REFUSED] = HD_REGISTERS_REFUSED,
    [STATISTIC_TIMER_RISES] = {"timer_interrupts", "interrupts", HD_STATISTIC_COUNT, 0,
                               "times that the timer interrupt rose"},
};

/* By line. */
static const hd_trace_event trace_events[LINE_COUNT] = {
    [LINE_SOFTWARE] = {"software_interrupt", HD_TRACE_COUNTER, 0, NULL, "level", "level of the line"},
    [LINE_TIMER] = {"timer_interrupt", HD_TRACE_COUNTER, 0, NULL, "level", "level of the line"},
};

static const hd_message_use messages[] = {
    HD_REGISTERS_MESSAGES,
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "interrupt"},
};

static const hd_window window = {.name = "timer",
                                 .port = "bus",
                                 .base_parameter = "address",
                                 .bytes = WINDOW_BYTES,
                                 .doc = "msip, mtimecmp and mtime"};

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static uint64_t mtime_at(const clint *self, hd_time t)
{
    return (uint64_t)((hd_u128)t * self->tick.hz / HD_PS_PER_SECOND) + self->offset;
}

/* When mtime comes to mtimecmp. */
static hd_time due(const clint *self)
{
    const uint64_t tick = self->compare - self->offset;
    const hd_u128 t = ((hd_u128)tick * HD_PS_PER_SECOND + self->tick.hz - 1) / self->tick.hz;
    return t >= HD_NEVER ? HD_NEVER : (hd_time)t;
}

static void set_levels(clint *self, hd_time t)
{
    const uint32_t level = mtime_at(self, t) >= self->compare;
    self->counters[STATISTIC_TIMER_RISES] += level && !self->lines[LINE_TIMER].level;
    self->lines[LINE_TIMER].level = level;
}

/* ---- Registers ---------------------------------------------------------------------------------------------------- */

/* Part of a register of 8 bytes. */
static uint64_t part_of(uint64_t value, uint64_t at, uint32_t bytes)
{
    const uint64_t shifted = value >> 8 * at;
    return bytes == 8 ? shifted : shifted & UINT32_MAX;
}

static uint64_t with_part(uint64_t old, uint64_t at, uint32_t bytes, uint64_t value)
{
    const uint64_t mask = bytes == 8 ? UINT64_MAX : (uint64_t)UINT32_MAX << 8 * at;
    return (old & ~mask) | (value << 8 * at & mask);
}

static uint32_t is_wide(uint64_t offset, uint64_t base, uint32_t bytes)
{
    return offset - base < 8 && bytes >= 4;
}

static uint32_t read_register(void *device, uint64_t offset, uint32_t bytes, uint64_t *value, hd_time t)
{
    const clint *self = device;
    if (offset == MSIP && bytes == 4)
        *value = self->lines[LINE_SOFTWARE].level;
    else if (is_wide(offset, MTIMECMP, bytes))
        *value = part_of(self->compare, offset - MTIMECMP, bytes);
    else if (is_wide(offset, MTIME, bytes))
        *value = part_of(mtime_at(self, t), offset - MTIME, bytes);
    else
        return HD_STATUS_ADDRESS_ERROR;
    return HD_STATUS_OK;
}

static uint32_t write_register(void *device, uint64_t offset, uint32_t bytes, uint64_t value, hd_time t)
{
    clint *self = device;
    const uint64_t now = mtime_at(self, t);
    if (offset == MSIP && bytes == 4)
        self->lines[LINE_SOFTWARE].level = value & 1;
    else if (is_wide(offset, MTIMECMP, bytes))
        self->compare = with_part(self->compare, offset - MTIMECMP, bytes, value);
    else if (is_wide(offset, MTIME, bytes))
        self->offset += with_part(now, offset - MTIME, bytes, value) - now;
    else
        return HD_STATUS_ADDRESS_ERROR;
    set_levels(self, t);
    return HD_STATUS_OK;
}

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    static const hd_registers_class device_class = {read_register, write_register};
    clint *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->tick.hz = values[PARAMETER_TICK].u;
    self->level_message = services->message(services->context, HD_INTERRUPT_LEVEL);
    hd_registers_create(&self->registers, services, &device_class, self, values[PARAMETER_ADDRESS].u, WINDOW_BYTES,
                        values[PARAMETER_LATENCY].u);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    clint *self = (clint *)block;
    (void)element;
    if (port == PORT_INTERRUPT) {
        self->interrupt = out;
        return;
    }
    self->registers.in = in;
    self->registers.out = out;
}

static void reset(hd_block *block)
{
    clint *self = (clint *)block;
    hd_registers_reset(&self->registers);
    self->lines[LINE_SOFTWARE] = (hd_interrupt_line){.number = 3};
    self->lines[LINE_TIMER] = (hd_interrupt_line){.number = 7};
    memset(self->shown, 0, sizeof self->shown);
    self->offset = 0;
    self->compare = UINT64_MAX;
    memset(self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void work(void *block, hd_time t)
{
    clint *self = block;
    hd_registers_work(&self->registers, self->cursor.n, t);
    set_levels(self, t);
    for (uint32_t i = 0; i < LINE_COUNT; i++) {
        hd_interrupt_line_tell(&self->lines[i], self->services, self->interrupt, self->level_message, t);
        if (self->shown[i] != self->lines[i].level)
            hd_trace_counter(self->trace, HD_TRACE_BLOCK, i, t, self->lines[i].level);
        self->shown[i] = self->lines[i].level;
    }
}

static hd_time next(const void *block)
{
    const clint *self = block;
    hd_time t = hd_registers_next(&self->registers, &self->cursor);
    for (uint32_t i = 0; i < LINE_COUNT; i++)
        if (hd_interrupt_line_waits(&self->lines[i], self->interrupt))
            return self->cursor.t;
    if (!self->lines[LINE_TIMER].level)
        t = hd_earlier(t, hd_cursor_edge_from(&self->cursor, due(self)));
    return t;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = hd_walk_accounts_nothing, .work = work, .next = next};
    clint *self = (clint *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    clint *self = (clint *)block;
    self->counters[STATISTIC_ACCESSES] = self->registers.accesses;
    self->counters[STATISTIC_REFUSED] = self->registers.refused;
    return self->counters;
}

static void destroy(hd_block *block)
{
    if (block)
        hd_registers_reset(&((clint *)block)->registers);
    free(block);
}

const hd_block_class hd_timer_clint = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "timer",
    .type = "clint",
    .doc = "the timer and the software interrupt of a hart",
    .source = "SiFive FU540-C000 Manual, chapter 9 (CLINT); The RISC-V Instruction Set Manual, volume II, §3.2.1",
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
    .trace_event_count = LINE_COUNT,
    .windows = &window,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
};
