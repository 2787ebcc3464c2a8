/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_trace.h"
#include "state.h"
#include "uart.h"

#define FIFO_MAX 4096u

enum { PORT_BUS, PORT_INTERRUPT, PORT_COUNT };
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_FIFO, PARAMETER_SPEED, PARAMETER_INPUT, PARAMETER_COUNT };
enum { EVENT_CHARACTERS, EVENT_COUNT };

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = HD_REGISTERS_ADDRESS("0x18020000000", WINDOW_BYTES),
    [PARAMETER_LATENCY] = HD_REGISTERS_LATENCY,
    [PARAMETER_FIFO] = {.name = "fifo",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "16",
                        .minimum = 1,
                        .maximum = FIFO_MAX,
                        .doc = "characters that may wait to be sent"},
    [PARAMETER_SPEED] = {.name = "bytes_per_second",
                         .type = HD_TYPE_UNSIGNED,
                         .standard = "10000000",
                         .minimum = 1,
                         .maximum = 1000000000,
                         .doc = "characters sent per second, and received"},
    [PARAMETER_INPUT] =
        {.name = "input",
         .type = HD_TYPE_TEXT,
         .standard = "",
         .doc = "a file whose characters are received, relative to the current folder; stdin: standard input"},
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_BUS] = HD_REGISTERS_PORT,
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_SEND,
                        .minimum_count = 0,
                        .maximum_count = 1,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "level of its interrupt"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    HD_REGISTERS_STATISTICS,
    [STATISTIC_CHARACTERS] = {"characters", "bytes", HD_STATISTIC_COUNT, 0, "characters sent"},
    [STATISTIC_LOST] = {"lost", "bytes", HD_STATISTIC_COUNT, 0, "characters written when the FIFO was full"},
    [STATISTIC_MAX_FIFO] = {"max_fifo", "bytes", HD_STATISTIC_MAXIMUM, 0, "most characters waiting at a time"},
    [STATISTIC_RECEIVED] = {"received", "bytes", HD_STATISTIC_COUNT, 0, "characters read by the firmware"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_CHARACTERS] = {"characters", HD_TRACE_COUNTER, 0, NULL, "bytes", "characters that may wait to be sent"},
};

static const hd_message_use messages[] = {
    HD_REGISTERS_MESSAGES,
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "interrupt"},
};

static const hd_window window = {.name = "UART",
                                 .port = "bus",
                                 .base_parameter = "address",
                                 .bytes = WINDOW_BYTES,
                                 .doc = "RBR, THR, IER, IIR, LSR"};

/* ---- Characters --------------------------------------------------------------------------------------------------- */

static void end_line(uart *self, hd_time t)
{
    self->line[self->length] = 0;
    self->services->log(self->services->context, HD_LOG_PROGRAM, t, "%s", self->line);
    self->length = 0;
}

static void trace_character(uart *self, uint8_t character, hd_time t)
{
    self->counters[STATISTIC_CHARACTERS]++;
    if (character == '\r')
        return;
    if (character != '\n')
        self->line[self->length++] = character >= ' ' || character == '\t' ? (char)character : '?';
    if (character == '\n' || self->length == LINE_CHARACTERS)
        end_line(self, t);
}

static hd_time one_character(const uart *self)
{
    return HD_PS_PER_SECOND / self->speed.hz;
}

/* Said once: a driver that does not look at LSR loses many. */
static void lose(uart *self, hd_time t)
{
    if (!self->counters[STATISTIC_LOST]++)
        self->services->log(self->services->context, HD_LOG_WARNING, t,
                            "a character is lost: the FIFO (fifo: %u) is full; bit 5 of LSR says when it has room",
                            self->waiting.capacity);
}

void uart_put(uart *self, uint8_t character, hd_time t)
{
    if (self->waiting.count == self->waiting.capacity) {
        lose(self, t);
        return;
    }
    if (!self->waiting.count)
        self->leaves = t + one_character(self);
    self->fifo[hd_ring_push(&self->waiting)] = character;
    if (self->waiting.count > self->counters[STATISTIC_MAX_FIFO])
        self->counters[STATISTIC_MAX_FIFO] = self->waiting.count;
}

static void send_characters(uart *self, hd_time t)
{
    while (self->waiting.count && self->leaves <= t) {
        trace_character(self, self->fifo[hd_ring_pop(&self->waiting)], t);
        self->leaves += one_character(self);
        if (!self->waiting.count)
            uart_interrupts_emptied(&self->interrupts);
    }
}

static void tell(uart *self, hd_time t)
{
    self->interrupt_line.level = uart_interrupts_are_pending(&self->interrupts, uart_has_received(self, t));
    hd_interrupt_line_send(&self->interrupt_line, self->services, self->interrupt, self->level_message, t);
}

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static void work(void *block, hd_time t)
{
    uart *self = block;
    send_characters(self, t);
    hd_registers_work(&self->registers, t);
    tell(self, t);
    if (self->shown != self->waiting.count)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_CHARACTERS, t, self->waiting.count);
    self->shown = self->waiting.count;
}

static hd_time next(const void *block)
{
    const uart *self = block;
    const hd_cursor *cursor = &self->registers.cursor;
    hd_time own = self->waiting.count ? hd_cursor_edge_from(cursor, self->leaves) : HD_NEVER;
    if (hd_interrupt_line_waits(&self->interrupt_line, self->interrupt))
        return cursor->t;
    if (self->interrupts.enabled & UART_RECEIVED)
        own = hd_earlier(own, hd_cursor_edge_from(cursor, uart_receiver_next(&self->receiver)));
    return hd_earlier(own, hd_registers_next(&self->registers));
}

static const hd_registers_class device_class = {
    .registers = uart_registers,
    .count = UART_REGISTERS,
    .widths = 1,
    .work = work,
    .next = next,
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    uart *self = calloc(1, sizeof *self);
    uint8_t *fifo = calloc(values[PARAMETER_FIFO].u, 1);
    if (!self || !fifo) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(fifo);
        return NULL;
    }
    if (!uart_receiver_open(&self->receiver, values[PARAMETER_INPUT].text,
                            HD_PS_PER_SECOND / values[PARAMETER_SPEED].u)) {
        snprintf(error, error_bytes, "input: %s cannot be read", values[PARAMETER_INPUT].text);
        uart_receiver_close(&self->receiver);
        free(self);
        free(fifo);
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->level_message = services->message(services->context, HD_INTERRUPT_LEVEL);
    self->fifo = fifo;
    self->waiting.capacity = (uint32_t)values[PARAMETER_FIFO].u;
    self->speed.hz = values[PARAMETER_SPEED].u;
    hd_registers_create(&self->registers, services, &device_class, self->counters, values[PARAMETER_ADDRESS].u,
                        WINDOW_BYTES, values[PARAMETER_LATENCY].u);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    if (port == PORT_INTERRUPT)
        ((uart *)block)->interrupt = out;
    else
        hd_registers_connect(block, port, element, out, in);
}

static void reset(hd_block *block)
{
    uart *self = (uart *)block;
    hd_registers_reset(&self->registers);
    memset(self->kept, 0, sizeof self->kept);
    memset(self->counters, 0, sizeof self->counters);
    hd_ring_clear(&self->waiting);
    uart_receiver_reset(&self->receiver);
    memset(self->divisor, 0, sizeof self->divisor);
    self->interrupts = (uart_interrupts){0};
    self->interrupt_line = (hd_interrupt_line){0};
    self->shown = self->length = 0;
    self->leaves = 0;
}

static void destroy(hd_block *block)
{
    uart *self = (uart *)block;
    if (!self)
        return;
    hd_registers_reset(&self->registers);
    uart_receiver_close(&self->receiver);
    free(self->fifo);
    free(self);
}

static void mark(hd_block *block)
{
    uart *self = (uart *)block;
    self->counters[STATISTIC_MAX_FIFO] = self->waiting.count;
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    uart *self = (uart *)block;
    hd_registers_transfer(&self->registers, stream);
    hd_state_ring(stream, &self->waiting);
    HD_STATE_ARRAY(stream, self->fifo, self->waiting.capacity);
    HD_STATE_VALUE(stream, self->leaves);
    HD_STATE_VALUE(stream, self->kept);
    HD_STATE_VALUE(stream, self->line);
    HD_STATE_VALUE(stream, self->length);
    uart_receiver_transfer(&self->receiver, stream);
    HD_STATE_VALUE(stream, self->interrupts);
    HD_STATE_VALUE(stream, self->divisor);
    HD_STATE_VALUE(stream, self->interrupt_line);
    HD_STATE_VALUE(stream, self->counters);
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    const uint32_t is_typed = ((const uart *)block)->receiver.file == stdin;
    if (is_typed)
        snprintf(text, bytes, "its input is typed while it runs (input: " UART_STANDARD_INPUT ")");
    return is_typed;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_mark marking = {mark};
    static const hd_state state = {transfer, refuses};
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &state;
    const void *registers = hd_registers_extension(block, id);
    return registers ? registers : hd_ability(id, NULL, NULL, &marking);
}

const hd_block_class hd_uart_transmitter = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "uart",
    .type = "transmitter",
    .doc = "prints text of the firmware, and has it read some",
    .source = "National Semiconductor PC16550D, RBR, THR, IER, IIR and LSR",
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
