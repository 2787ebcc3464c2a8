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
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_TICK, PARAMETER_HARTS, PARAMETER_COUNT };
enum { STATISTIC_TIMER_RISES = HD_REGISTERS_STATISTIC_COUNT, STATISTIC_COUNT };
enum { LINE_SOFTWARE, LINE_TIMER, LINE_COUNT };

/* What a hart has of its own. */
typedef struct receiver {
    hd_link *interrupt; /* NULL: nobody is told */
    hd_interrupt_line lines[LINE_COUNT];
    uint32_t shown[LINE_COUNT]; /* levels that were recorded last */
    uint32_t track;
    uint64_t compare;
} receiver;

typedef struct clint {
    hd_registers registers;
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    hd_clock tick;
    uint32_t level_message;
    receiver harts[HD_REGISTERS_HARTS_MAX];
    uint32_t hart_count;
    uint64_t offset; /* mtime - ticks since time 0 */
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
    [PARAMETER_HARTS] = HD_REGISTERS_HARTS,
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_BUS] = HD_REGISTERS_PORT,
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_SEND,
                        .minimum_count = 0,
                        .maximum_count = HD_REGISTERS_HARTS_MAX,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "software and timer interrupt of each hart"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    HD_REGISTERS_STATISTICS,
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

/* When mtime comes to the hart's mtimecmp. */
static hd_time due(const clint *self, const receiver *hart)
{
    const uint64_t tick = hart->compare - self->offset;
    const hd_u128 t = ((hd_u128)tick * HD_PS_PER_SECOND + self->tick.hz - 1) / self->tick.hz;
    return t >= HD_NEVER ? HD_NEVER : (hd_time)t;
}

static void set_levels(clint *self, receiver *hart, hd_time t)
{
    const uint32_t level = mtime_at(self, t) >= hart->compare;
    self->counters[STATISTIC_TIMER_RISES] += level && !hart->lines[LINE_TIMER].level;
    hart->lines[LINE_TIMER].level = level;
}

/* ---- Registers ---------------------------------------------------------------------------------------------------- */

/* The hart in whose register of so many bytes the access is, and the offset from its first byte. NULL: there is none. */
static receiver *hart_of(hd_register_access *access, uint32_t bytes)
{
    clint *self = access->device;
    const uint64_t hart = access->offset / bytes;
    access->offset %= bytes;
    return hart < self->hart_count ? &self->harts[hart] : NULL;
}

static uint32_t read_software(hd_register_access *access)
{
    const receiver *hart = hart_of(access, 4);
    access->value = hart ? hart->lines[LINE_SOFTWARE].level : 0;
    return hart ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
}

static uint32_t write_software(hd_register_access *access)
{
    receiver *hart = hart_of(access, 4);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    hart->lines[LINE_SOFTWARE].level = access->value & 1;
    return HD_STATUS_OK;
}

static uint32_t read_compare(hd_register_access *access)
{
    const receiver *hart = hart_of(access, 8);
    access->value = hart ? hd_register_part(hart->compare, access) : 0;
    return hart ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
}

static uint32_t write_compare(hd_register_access *access)
{
    receiver *hart = hart_of(access, 8);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    hart->compare = hd_register_with_part(hart->compare, access, access->value);
    return HD_STATUS_OK;
}

static uint32_t read_time(hd_register_access *access)
{
    access->value = hd_register_part(mtime_at(access->device, access->t), access);
    return HD_STATUS_OK;
}

static uint32_t write_time(hd_register_access *access)
{
    clint *self = access->device;
    const uint64_t now = mtime_at(self, access->t);
    self->offset += hd_register_with_part(now, access, access->value) - now;
    return HD_STATUS_OK;
}

static const hd_register registers[] = {
    {MSIP, 4 * HD_REGISTERS_HARTS_MAX, 4, read_software, write_software, NULL, 0},
    {MTIMECMP, 8 * HD_REGISTERS_HARTS_MAX, 4 | 8, read_compare, write_compare, NULL, 0},
    {MTIME, 8, 4 | 8, read_time, write_time, NULL, 0},
};

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static void tell(clint *self, receiver *hart, hd_time t)
{
    for (uint32_t i = 0; i < LINE_COUNT; i++) {
        hd_interrupt_line_send(&hart->lines[i], self->services, hart->interrupt, self->level_message, t);
        if (hart->shown[i] != hart->lines[i].level)
            hd_trace_counter(self->trace, hart->track, i, t, hart->lines[i].level);
        hart->shown[i] = hart->lines[i].level;
    }
}

static void work(void *block, hd_time t)
{
    clint *self = block;
    hd_registers_work(&self->registers, t);
    for (uint32_t hart = 0; hart < self->hart_count; hart++) {
        set_levels(self, &self->harts[hart], t);
        tell(self, &self->harts[hart], t);
    }
}

static hd_time next_of(const clint *self, const receiver *hart)
{
    for (uint32_t i = 0; i < LINE_COUNT; i++)
        if (hd_interrupt_line_waits(&hart->lines[i], hart->interrupt))
            return self->registers.cursor.t;
    return hart->lines[LINE_TIMER].level ? HD_NEVER : hd_cursor_edge_from(&self->registers.cursor, due(self, hart));
}

static hd_time next(const void *block)
{
    const clint *self = block;
    hd_time t = hd_registers_next(&self->registers);
    for (uint32_t hart = 0; hart < self->hart_count; hart++)
        t = hd_earlier(t, next_of(self, &self->harts[hart]));
    return t;
}

static const hd_registers_class device_class = {
    .registers = registers,
    .count = sizeof registers / sizeof *registers,
    .widths = HD_REGISTER_WIDTHS,
    .work = work,
    .next = next,
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    clint *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->tick.hz = values[PARAMETER_TICK].u;
    self->hart_count = (uint32_t)values[PARAMETER_HARTS].u;
    const uint32_t tracks =
        self->hart_count > 1 ? hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "hart", self->hart_count) : HD_TRACE_BLOCK;
    for (uint32_t hart = 0; hart < self->hart_count; hart++)
        self->harts[hart].track = tracks + hart;
    self->level_message = services->message(services->context, HD_INTERRUPT_LEVEL);
    hd_registers_create(&self->registers, services, &device_class, self->counters, values[PARAMETER_ADDRESS].u,
                        WINDOW_BYTES, values[PARAMETER_LATENCY].u);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    clint *self = (clint *)block;
    if (port == PORT_INTERRUPT)
        self->harts[element].interrupt = out;
    else
        hd_registers_connect(block, port, element, out, in);
}

static void reset(hd_block *block)
{
    clint *self = (clint *)block;
    hd_registers_reset(&self->registers);
    for (uint32_t hart = 0; hart < self->hart_count; hart++) {
        receiver *to = &self->harts[hart];
        to->lines[LINE_SOFTWARE] = (hd_interrupt_line){.number = 3};
        to->lines[LINE_TIMER] = (hd_interrupt_line){.number = 7};
        memset(to->shown, 0, sizeof to->shown);
        to->compare = UINT64_MAX;
    }
    self->offset = 0;
    memset(self->counters, 0, sizeof self->counters);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    clint *self = (clint *)block;
    HD_STATE_SHAPE(stream, "harts", self->hart_count);
    hd_registers_transfer(&self->registers, stream);
    for (uint32_t hart = 0; hart < self->hart_count; hart++) {
        HD_STATE_VALUE(stream, self->harts[hart].lines);
        HD_STATE_VALUE(stream, self->harts[hart].compare);
    }
    HD_STATE_VALUE(stream, self->offset);
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
        hd_registers_reset(&((clint *)block)->registers);
    free(block);
}

const hd_block_class hd_timer_clint = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "timer",
    .type = "clint",
    .doc = "the timers and software interrupts of harts",
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
    .advance = hd_registers_advance,
    .counters = hd_registers_counters,
    .destroy = destroy,
    .extension = extension,
};
