/* SPDX-License-Identifier: MIT */
#include "machine_parts.h"

#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_extension.h"
#include "hd_message.h"

#define RESIDENT_MAX 4u

/* ---- Memory: one access per edge ----------------------------------------------------------------------------------- */

typedef struct memory_block {
    const hd_services *services;
    hd_link *in, *out;
    hd_cursor cursor;
    uint64_t counters[2];
    uint8_t data[FLAT_MEMORY_BYTES];
} memory_block;

static const hd_port memory_ports[] = {
    {"request", HD_PORT_RECEIVE, 1, 1, 1, 8, "accesses"},
    {"reply", HD_PORT_SEND, 1, 1, 1, 8, "answers"},
};
static const hd_statistic memory_statistics[] = {
    {"accesses", "accesses", HD_STATISTIC_COUNT, 0, "accesses"},
    {"alignments", "alignments", HD_STATISTIC_COUNT, 0, "times aligned"},
};
static const hd_message_use memory_messages[] = {
    {HD_GLOBAL_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GLOBAL_STORE, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_SENT, 0, "reply"},
};

static hd_block *memory_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    memory_block *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void memory_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    memory_block *self = (memory_block *)block;
    (void)element;
    if (port == FLAT_MEMORY_REQUEST)
        self->in = in;
    else
        self->out = out;
}

static void memory_reset(hd_block *block)
{
    memory_block *self = (memory_block *)block;
    hd_cursor_init(&self->cursor, self->services->clock);
    memset(self->counters, 0, sizeof self->counters);
}

static void serve(memory_block *self, hd_packet *request, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t is_load = request->message == s->message(s->context, HD_GLOBAL_LOAD);
    uint8_t *at = self->data + (request->address - HD_GLOBAL_BASE);
    hd_packet *reply = s->alloc(s->context, is_load ? request->argument : 0);
    reply->message = s->message(s->context, is_load ? HD_GLOBAL_LOAD_REPLY : HD_GLOBAL_STORE_ACK);
    reply->source = (uint16_t)s->endpoint;
    reply->destination = request->source;
    reply->tag = request->tag;
    reply->address = request->address;
    reply->argument = request->argument;
    reply->body_bytes = is_load ? request->argument : 0;
    const hd_store *store = hd_body_const(request);
    for (uint32_t i = 0; i < request->argument; i++) {
        if (is_load)
            ((uint8_t *)hd_body(reply))[i] = at[i];
        else if (store->byte_mask[i / 32] >> (i % 32) & 1)
            at[i] = hd_store_data_const(store)[i];
    }
    s->send(s->context, self->out, reply, t);
    s->free(s->context, request);
    self->counters[0]++;
}

static hd_time memory_advance(hd_block *block, hd_time now, hd_time horizon)
{
    memory_block *self = (memory_block *)block;
    const hd_services *s = self->services;
    if (now > self->cursor.t)
        hd_cursor_seek(&self->cursor, now);
    uint32_t can_send = 1;
    while (self->cursor.t < horizon && s->arrival(s->context, self->in) < horizon) {
        can_send = s->credits(s->context, self->out, self->cursor.t) > 0;
        hd_packet *request = can_send ? s->pop(s->context, self->in, self->cursor.t) : NULL;
        if (request != NULL)
            serve(self, request, self->cursor.t);
        hd_cursor_next(&self->cursor);
    }
    hd_time next = s->arrival(s->context, self->in);
    if (next == HD_NEVER || !can_send)
        return HD_NEVER;
    return next > self->cursor.t ? hd_clock_edge(s->clock, hd_clock_index_at_or_after(s->clock, next)) : self->cursor.t;
}

static const uint64_t *memory_counters(hd_block *block)
{
    return ((memory_block *)block)->counters;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void memory_align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    (void)t;
    (void)sink;
    ((memory_block *)block)->counters[1]++;
}

static const void *memory_extension(hd_block *block, const char *id)
{
    static const hd_align aligning = {memory_align};
    (void)block;
    return strcmp(id, HD_EXTENSION_ALIGN) == 0 ? &aligning : NULL;
}

const hd_block_class flat_memory = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "l2_slice",
    .type = "flat",
    .doc = "memory for tests",
    .source = "tests",
    .port_count = 2,
    .statistic_count = 2,
    .message_count = 4,
    .ports = memory_ports,
    .statistics = memory_statistics,
    .messages = memory_messages,
    .create = memory_create,
    .connect = memory_connect,
    .reset = memory_reset,
    .advance = memory_advance,
    .counters = memory_counters,
    .destroy = destroy,
    .extension = memory_extension,
};

/* ---- Core: every block takes COUNTING_CORE_CYCLES ------------------------------------------------------------------ */

typedef struct core_block {
    const hd_services *services;
    hd_link *in, *out;
    hd_cursor cursor;
    uint32_t reported;
    uint32_t count; /* resident, oldest first */
    uint64_t end[RESIDENT_MAX];
    uint64_t tag[RESIDENT_MAX];
    uint64_t counters[2];
} core_block;

static const hd_port core_ports[] = {
    {"dispatch", HD_PORT_RECEIVE, 1, 1, 1, 8, "blocks"},
    {"event", HD_PORT_SEND, 1, 1, 1, 8, "capacity and ends"},
};
static const hd_statistic core_statistics[] = {
    {"blocks", "blocks", HD_STATISTIC_COUNT, 0, "blocks"},
    {"threads", "threads", HD_STATISTIC_COUNT, 0, "their threads"},
};
static const hd_message_use core_messages[] = {
    {HD_BLOCK_LAUNCH, HD_MESSAGE_RECEIVED, 0, "dispatch"},
    {HD_CORE_CAPACITY, HD_MESSAGE_SENT, 0, "event"},
    {HD_BLOCK_DONE, HD_MESSAGE_SENT, 0, "event"},
};

static hd_block *core_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    core_block *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void core_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    core_block *self = (core_block *)block;
    (void)element;
    if (port == COUNTING_CORE_DISPATCH)
        self->in = in;
    else
        self->out = out;
}

static void core_reset(hd_block *block)
{
    core_block *self = (core_block *)block;
    hd_cursor_init(&self->cursor, self->services->clock);
    self->reported = 0;
    self->count = 0;
    memset(self->counters, 0, sizeof self->counters);
}

static void tell(core_block *self, const char *message, uint64_t tag, const void *body, uint32_t bytes, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->message = s->message(s->context, message);
    packet->source = (uint16_t)s->endpoint;
    packet->tag = tag;
    packet->body_bytes = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    if (bytes > 0)
        memcpy(hd_body(packet), body, bytes);
    s->send(s->context, self->out, packet, t);
}

static void core_edge(core_block *self, hd_time t)
{
    static const hd_core_capacity capacity = {
        .lanes = 32, .warps = 8, .threads = 256, .blocks = RESIDENT_MAX, .registers = 8192, .registers_per_thread = 32};
    const hd_services *s = self->services;
    if (!self->reported)
        tell(self, HD_CORE_CAPACITY, 0, &capacity, sizeof capacity, t);
    self->reported = 1;
    while (self->count > 0 && self->end[0] <= self->cursor.n && s->credits(s->context, self->out, t) > 0) {
        tell(self, HD_BLOCK_DONE, self->tag[0], NULL, 0, t);
        self->count--;
        memmove(self->end, self->end + 1, self->count * sizeof self->end[0]);
        memmove(self->tag, self->tag + 1, self->count * sizeof self->tag[0]);
    }
    hd_packet *packet;
    while (self->count < RESIDENT_MAX && (packet = s->pop(s->context, self->in, t)) != NULL) {
        const hd_block_launch *launch = hd_body_const(packet);
        const uint32_t *size = launch->grid.block_size;
        self->counters[0]++;
        self->counters[1] += size[0] * size[1] * size[2];
        self->end[self->count] = self->cursor.n + COUNTING_CORE_CYCLES;
        self->tag[self->count++] = packet->tag;
        s->free(s->context, packet);
    }
}

static hd_time core_next(const core_block *self)
{
    const hd_services *s = self->services;
    hd_time next = self->count < RESIDENT_MAX ? s->arrival(s->context, self->in) : HD_NEVER;
    uint64_t edge = next == HD_NEVER ? UINT64_MAX : hd_clock_index_at_or_after(s->clock, next);
    if (self->count > 0 && self->end[0] < edge)
        edge = self->end[0];
    if (edge == UINT64_MAX)
        return HD_NEVER;
    return edge > self->cursor.n ? hd_clock_edge(s->clock, edge) : self->cursor.t;
}

static hd_time core_advance(hd_block *block, hd_time now, hd_time horizon)
{
    core_block *self = (core_block *)block;
    hd_time next = now;
    while (next < horizon) {
        if (next > self->cursor.t)
            hd_cursor_seek(&self->cursor, next);
        if (self->cursor.t >= horizon)
            break;
        core_edge(self, self->cursor.t);
        hd_cursor_next(&self->cursor);
        next = core_next(self);
    }
    return core_next(self);
}

static const uint64_t *core_counters(hd_block *block)
{
    return ((core_block *)block)->counters;
}

const hd_block_class counting_core = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "simt_core",
    .type = "counting",
    .doc = "a core that only counts",
    .source = "tests",
    .port_count = 2,
    .statistic_count = 2,
    .message_count = 3,
    .ports = core_ports,
    .statistics = core_statistics,
    .messages = core_messages,
    .create = core_create,
    .connect = core_connect,
    .reset = core_reset,
    .advance = core_advance,
    .counters = core_counters,
    .destroy = destroy,
};
