/* SPDX-License-Identifier: MIT */
#include "scripted_kilo.h"

#include <stdlib.h>
#include <string.h>

#include "scripted_kilo_state.h"

#define PARAMETER(identifier, name_, standard_, minimum_, maximum_, doc_)                                              \
    [SCRIPT_##identifier] = {.name = name_,                                                                            \
                             .type = HD_TYPE_UNSIGNED,                                                                 \
                             .standard = standard_,                                                                    \
                             .minimum = minimum_,                                                                      \
                             .maximum = maximum_,                                                                      \
                             .doc = doc_},
static const hd_parameter parameters[] = {SCRIPT_PARAMETERS(PARAMETER)};

#define PORT(id, name_, direction_, doc_)                                                                              \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = 1,                                                                                        \
            .maximum_count = 1,                                                                                        \
            .latency_cycles = 1,                                                                                       \
            .credits = 8,                                                                                              \
            .doc = doc_}
static const hd_port ports[] = {
    PORT(KILO_REQUEST, "request", HD_PORT_SEND, "loads and logs"),
    PORT(KILO_REPLY, "reply", HD_PORT_RECEIVE, "their answers"),
    PORT(KILO_TAKE, "transaction_request", HD_PORT_SEND, "requests for commit IDs"),
    PORT(KILO_TAKEN, "transaction_reply", HD_PORT_RECEIVE, "commit IDs"),
};
static const hd_statistic statistics[] = {
    [COUNT_COMMITS] = {"commits", "lanes", HD_STATISTIC_COUNT, 0, "lanes that committed with an ID"},
    [COUNT_ABORTS] = {"aborts", "lanes", HD_STATISTIC_COUNT, 0, "lanes that aborted"},
    [COUNT_SILENT] = {"silent", "lanes", HD_STATISTIC_COUNT, 0, "lanes that committed without"},
    [COUNT_RESENT] = {"resent", "words", HD_STATISTIC_COUNT, 0, "words that commit units asked for again"},
    [COUNT_VERDICTS] = {"verdicts", "packets", HD_STATISTIC_COUNT, 0, "messages that it waited for: verdicts"},
    [COUNT_COMMITTED] = {"committed", "packets", HD_STATISTIC_COUNT, 0, "and that all has been written"},
};
static const hd_message_use messages[] = {
    {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, 0, "request"},
    {HD_GLOBAL_ATOMIC, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_READ_SET, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_WRITE_SET, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_DONE_SKIP, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_OUTCOME, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_RESENT, HD_MESSAGE_SENT, 0, "request"},
    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GLOBAL_ATOMIC_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_KILO_VERDICT, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_KILO_COMMITTED, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_KILO_RESEND, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_KILO_TAKE_IDS, HD_MESSAGE_SENT, 0, "transaction_request"},
    {HD_KILO_IDS, HD_MESSAGE_RECEIVED, 0, "transaction_reply"},
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    core *self = calloc(1, sizeof *self);
    (void)error, (void)error_bytes;
    self->services = services;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    const struct {
        uint32_t *number;
        const char *name;
    } names[] = {{&self->message.load, HD_GLOBAL_LOAD},         {&self->message.load_reply, HD_GLOBAL_LOAD_REPLY},
                 {&self->message.atomic, HD_GLOBAL_ATOMIC},     {&self->message.atomic_reply, HD_GLOBAL_ATOMIC_REPLY},
                 {&self->message.read_set, HD_KILO_READ_SET},   {&self->message.write_set, HD_KILO_WRITE_SET},
                 {&self->message.done_skip, HD_KILO_DONE_SKIP}, {&self->message.verdict, HD_KILO_VERDICT},
                 {&self->message.outcome, HD_KILO_OUTCOME},     {&self->message.committed, HD_KILO_COMMITTED},
                 {&self->message.resend, HD_KILO_RESEND},       {&self->message.resent, HD_KILO_RESENT},
                 {&self->message.take_ids, HD_KILO_TAKE_IDS},   {&self->message.ids, HD_KILO_IDS}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i].number = services->message(services->context, names[i].name);
    for (uint32_t i = 0; i < SCRIPT_PARAMETER_COUNT; i++)
        self->parameters[i] = (uint32_t)values[i].u;
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    core *self = (core *)block;
    (void)element;
    switch (port) {
    case KILO_REQUEST: self->out = out; break;
    case KILO_REPLY: self->in = in; break;
    case KILO_TAKE: self->take = out; break;
    default: self->taken = in; break;
    }
}

static void drop_packets(core *self)
{
    kit_outbox_empty(&self->outbox, self->services);
    for (uint32_t i = 0; i < self->request_count; i++)
        self->services->free(self->services->context, self->requests[i]);
    self->request_count = 0;
}

static void reset(hd_block *block)
{
    core *self = (core *)block;
    drop_packets(self);
    memset(self->warps, 0, sizeof self->warps);
    memset(self->counters, 0, sizeof self->counters);
    memset(self->ready, 0, sizeof self->ready);
    self->commit_count = 0;
    self->next_value = 1 + (self->services->index << 24);
    hd_cursor_init(&self->cursor, self->services->clock);
    for (uint32_t i = 0; i < parameter(self, SCRIPT_WARPS); i++) {
        warp *warp = &self->warps[i];
        warp->number = self->services->index * parameter(self, SCRIPT_WARPS) + i;
        script_begin_transaction(self, warp);
        warp->wake = draw(self, 1 + parameter(self, SCRIPT_DELAY));
    }
}

hd_packet *script_packet(core *self, const warp *warp, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = warp->number;
    packet->epoch = warp->epoch;
    packet->tag = (uint64_t)(warp - self->warps) << 8;
    packet->body_bytes = body_bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

void script_send(core *self, hd_packet *packet, uint32_t partition, uint32_t unit, uint64_t n)
{
    uint64_t ready = n + draw(self, parameter(self, SCRIPT_DELAY));
    if (unit == HD_DESTINATION_COMMIT_UNIT)
        ready = self->ready[partition] = ready > self->ready[partition] ? ready : self->ready[partition];
    packet->unit = unit;
    packet->destination = (uint16_t)self->map->endpoints[partition];
    kit_outbox_add(&self->outbox, packet, ready);
}

static void send_one(core *self, uint64_t n, hd_time t)
{
    hd_packet *packet = kit_outbox_take(&self->outbox, self->services, self->out, n, t);
    if (!packet)
        return;
    script_note_first(self, packet, t);
    self->services->send(self->services->context, self->out, packet, t);
}

static void send_requests(core *self, hd_time t)
{
    const hd_services *services = self->services;
    while (self->request_count && services->credits(services->context, self->take, t)) {
        services->send(services->context, self->take, self->requests[0], t);
        memmove(self->requests, self->requests + 1, --self->request_count * sizeof *self->requests);
    }
}

static void take(core *self, const hd_packet *packet, uint64_t n)
{
    if (packet->message == self->message.load_reply)
        script_take_load(self, packet, n);
    else if (packet->message == self->message.ids)
        script_take_ids(self, packet, n);
    else if (packet->message != self->message.atomic_reply)
        script_take_answer(self, packet, n);
}

static void work(void *block, hd_time t)
{
    core *self = block;
    const hd_services *services = self->services;
    const uint64_t n = self->cursor.n;
    hd_link *const links[] = {self->in, self->taken};
    for (uint32_t i = 0; i < 2; i++)
        for (hd_packet *packet; (packet = services->pop(services->context, links[i], t));) {
            take(self, packet, n);
            services->free(services->context, packet);
        }
    for (uint32_t i = 0; i < parameter(self, SCRIPT_WARPS); i++)
        script_step(self, &self->warps[i], n);
    send_one(self, n, t);
    send_requests(self, t);
}

static hd_time next(const void *block)
{
    const core *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    hd_work_at_time(&work, self->services->arrival(self->services->context, self->in));
    hd_work_at_time(&work, self->services->arrival(self->services->context, self->taken));
    kit_outbox_work(&self->outbox, &work);
    for (uint32_t i = 0; i < parameter(self, SCRIPT_WARPS); i++)
        if (self->warps[i].phase == PHASE_BACK_OFF)
            hd_work_at_edge(&work, self->warps[i].wake);
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    core *self = (core *)block;
    return kit_walk_edges(self, &self->cursor, work, next, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return ((core *)block)->counters;
}

static void destroy(hd_block *block)
{
    core *self = (core *)block;
    drop_packets(self);
    free(self->commits);
    free(self);
}

static const kilo_commit *commits(hd_block *block, uint32_t *count)
{
    const core *self = (const core *)block;
    *count = self->commit_count;
    return self->commits;
}

static uint32_t has_work(hd_block *block)
{
    const core *self = (const core *)block;
    uint32_t open = self->outbox.count + self->request_count;
    for (uint32_t i = 0; i < parameter(self, SCRIPT_WARPS); i++)
        open += self->warps[i].phase != PHASE_DONE;
    return open != 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const core *self = (const core *)block;
    for (uint32_t i = 0; i < parameter(self, SCRIPT_WARPS); i++) {
        const warp *warp = &self->warps[i];
        if (warp->phase != PHASE_DONE)
            sink->line(sink->context, "warp %u: phase %u, %u loads missing, lanes %#x, commit IDs from %u",
                       warp->number, warp->phase, warp->outstanding, warp->live, (unsigned)warp->group.first);
    }
}

static const void *extension(hd_block *block, const char *id)
{
    static const kilo_history history = {commits};
    static const hd_pending pending = {has_work, describe};
    (void)block;
    if (!strcmp(id, KILO_EXTENSION_HISTORY))
        return &history;
    return strcmp(id, HD_EXTENSION_PENDING) ? NULL : &pending;
}

const hd_block_class scripted_kilo = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "scripted_core",
    .type = "kilo",
    .doc = "runs random transactions of Kilo TM",
    .source = "",
    .flags = HD_BLOCK_SELF_DRIVEN | HD_BLOCK_ADDRESS_MAP,
    .parameter_count = SCRIPT_PARAMETER_COUNT,
    .port_count = sizeof ports / sizeof *ports,
    .statistic_count = COUNT_COUNT,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
