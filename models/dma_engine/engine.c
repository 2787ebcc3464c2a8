/* SPDX-License-Identifier: MIT */
/* Order within one edge: answers of the host, of the device, a copy that has ended, a new one, accesses to the host, to the
 * device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dma_engine.h"
#include "hd_link.h"
#include "state.h"

/* ---- Copies ------------------------------------------------------------------------------------------------------- */

static uint32_t has_ended(const channel *at)
{
    return at->is_busy && !at->under_way && (at->issued == at->copy.bytes || at->status != HD_STATUS_OK);
}

static channel *ended(const dma *self)
{
    for (uint32_t i = 0; i < self->channel_count && self->busy; i++)
        if (has_ended(&self->channels[i]))
            return &self->channels[i];
    return NULL;
}

static void send_done(dma *self, hd_time t)
{
    const hd_services *s = self->services;
    channel *at = ended(self);
    self->done_awaits_credit = 0;
    if (!at)
        return;
    if (!hd_link_has_credit(s, self->done_out, t)) {
        self->done_awaits_credit = 1;
        return;
    }
    hd_packet *packet = s->alloc(s->context, 0);
    packet->message = self->messages[MESSAGE_DONE];
    packet->source = (uint16_t)s->endpoint;
    packet->tag = at->tag;
    packet->argument = at->status;
    packet->address = at->refused_address;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    s->send(s->context, self->done_out, packet, t);
    s->progress(s->context, t);
    self->counters[STATISTIC_COPIES]++;
    self->counters[STATISTIC_COPY_CYCLES] += self->cursor.n - at->begun;
    dma_trace_end(self, at, t);
    at->is_busy = 0;
    self->busy--;
}

static channel *idle(const dma *self)
{
    channel *at = self->channels;
    while (at->is_busy)
        at++;
    return at;
}

static void take_copy(dma *self, hd_time t)
{
    const hd_services *s = self->services;
    if (self->busy == self->channel_count)
        return;
    hd_packet *packet = hd_link_pop(s, self->command_in, t);
    if (!packet)
        return;
    channel *at = idle(self);
    burst *bursts = at->bursts;
    *at = (channel){.is_busy = 1,
                    .tag = packet->tag,
                    .begun = self->cursor.n,
                    .start = self->cursor.n + self->setup,
                    .bursts = bursts};
    memcpy(&at->copy, hd_body_const(packet), sizeof at->copy);
    if (at->copy.direction > HD_COPY_FILL) {
        at->copy.direction = HD_COPY_FILL;
        at->status = HD_STATUS_COMMAND_ERROR;
    }
    dma_trace_begin(self, at, packet, t);
    s->free(s->context, packet);
    self->busy++;
    dma_maximum(self, STATISTIC_MAX_COPIES, self->busy);
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static void account_until(void *block, uint64_t edge)
{
    dma *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->busy)
        self->counters[STATISTIC_BUSY_CYCLES] += cycles;
}

static void work(void *block, hd_time t)
{
    dma *self = block;
    for (uint32_t i = 0; i < SIDES && !self->stopped; i++)
        sides_receive(self, i, t);
    if (self->stopped)
        return;
    send_done(self, t);
    take_copy(self, t);
    for (uint32_t i = 0; i < SIDES; i++)
        sides_send(self, i, t);
    if (self->trace)
        dma_trace_levels(self, t);
}

static hd_time next(const void *block)
{
    const dma *self = block;
    if (self->stopped)
        return HD_NEVER;
    if (!self->done_awaits_credit && ended(self))
        return self->cursor.t;
    hd_time earliest = hd_earlier(sides_next(self, SIDE_HOST), sides_next(self, SIDE_DEVICE));
    if (self->busy < self->channel_count)
        earliest = hd_earlier(earliest, hd_cursor_edge_from(&self->cursor, hd_link_arrival(self->command_in)));
    return earliest;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    dma *self = (dma *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static void drop_copies(dma *self)
{
    for (uint32_t i = 0; i < self->channel_count; i++) {
        channel *at = &self->channels[i];
        for (uint32_t k = 0; k < self->outstanding; k++)
            if (at->bursts[k].state != BURST_FREE)
                bursts_free(self, &at->bursts[k], at);
        at->is_busy = 0;
    }
    self->busy = 0;
}

static void destroy(hd_block *block)
{
    dma *self = (dma *)block;
    if (!self)
        return;
    if (self->channels && self->bursts)
        drop_copies(self);
    free(self->channels);
    free(self->bursts);
    free(self);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    static const char *const names[] = {HD_COPY_START, HD_COPY_DONE, HD_MEMORY_READ, HD_MEMORY_WRITE,
                                        HD_MEMORY_RESPONSE};
    const uint32_t channels = (uint32_t)values[PARAMETER_CHANNELS].u;
    dma *self = calloc(1, sizeof *self);
    if (self) {
        self->outstanding = (uint32_t)values[PARAMETER_OUTSTANDING].u;
        self->channels = calloc(channels, sizeof *self->channels);
        self->bursts = calloc((size_t)channels * self->outstanding, sizeof *self->bursts);
    }
    if (!self || !self->channels || !self->bursts) {
        snprintf(error, error_bytes, "out of memory");
        destroy((hd_block *)self);
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->channel_tracks = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "channel", channels);
    self->channel_count = channels;
    self->burst_bytes = (uint32_t)values[PARAMETER_BURST].u;
    self->setup = values[PARAMETER_SETUP].u;
    self->sides[SIDE_HOST].width = values[PARAMETER_LINK_WIDTH].u;
    for (uint32_t i = 0; i < channels; i++)
        self->channels[i].bursts = self->bursts + (size_t)i * self->outstanding;
    for (uint32_t i = 0; i < MESSAGE_COUNT; i++)
        self->messages[i] = services->message(services->context, names[i]);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    dma *self = (dma *)block;
    (void)element;
    switch (port) {
    case PORT_COMMAND: self->command_in = in; break;
    case PORT_DONE: self->done_out = out; break;
    default:
        self->sides[port == PORT_HOST ? SIDE_HOST : SIDE_DEVICE].out = out;
        self->sides[port == PORT_HOST ? SIDE_HOST : SIDE_DEVICE].in = in;
        break;
    }
}

static void reset(hd_block *block)
{
    dma *self = (dma *)block;
    drop_copies(self);
    sides_reset(self);
    self->done_awaits_credit = self->stopped = 0;
    self->accounted = 0;
    self->shown_bursts = 0;
    memset(self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static const uint64_t *counters(hd_block *block)
{
    return ((dma *)block)->counters;
}

/* ---- Abilities ---------------------------------------------------------------------------------------------------- */

static uint32_t has_work(hd_block *block)
{
    return ((const dma *)block)->busy > 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const directions[] = {"to the device", "from the device", "of a fill"};
    const dma *self = (const dma *)block;
    for (uint32_t i = 0; i < self->channel_count; i++) {
        const channel *at = &self->channels[i];
        if (at->is_busy)
            sink->line(sink->context,
                       "channel %u: copy %u of %llu bytes %s device: %llu asked for, %u bursts under way", i,
                       at->copy.number, (unsigned long long)at->copy.bytes, directions[at->copy.direction],
                       (unsigned long long)at->issued, at->under_way);
    }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    (void)t, (void)sink;
    dma *self = (dma *)block;
    for (uint32_t i = 0; i < SIDES; i++)
        self->sides[i].next_channel = 0;
}

static void mark(hd_block *block)
{
    dma *self = (dma *)block;
    self->counters[STATISTIC_MAX_COPIES] = self->busy;
    self->counters[STATISTIC_MAX_BURSTS] = self->bursts_under_way;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align aligning = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &dma_state;
    return hd_ability(id, &pending, &aligning, &marking);
}

const hd_block_class hd_dma_engine_channels = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "dma_engine",
    .type = "channels",
    .doc = "copies of the launch queues between host memory and device memory",
    .source = "hd_message.h; a bus-master DMA controller with independent channels",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_USES,
    .parameters = dma_parameters,
    .ports = dma_ports,
    .statistics = dma_statistics,
    .messages = dma_messages,
    .trace_events = dma_trace_events,
    .trace_event_count = EVENT_COUNT,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
