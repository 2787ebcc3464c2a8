/* SPDX-License-Identifier: MIT */
#include "scripted_core.h"

#include <stdlib.h>
#include <string.h>

#include "scripted_state.h"

#define NUMBER(id, text_name, text_standard, least, most, text)                                                        \
    [id] = {.name = text_name,                                                                                         \
            .type = HD_TYPE_UNSIGNED,                                                                                  \
            .standard = text_standard,                                                                                 \
            .minimum = least,                                                                                          \
            .maximum = most,                                                                                           \
            .doc = text}
#define FLAG(id, text_name, text_standard, text)                                                                       \
    [id] = {.name = text_name, .type = HD_TYPE_BOOLEAN, .standard = text_standard, .doc = text}

static const hd_parameter parameters[PARAMETER_COUNT] = {
    NUMBER(PARAMETER_WARPS, "warps", "4", 1, SCRIPTED_WARPS, "warps"),
    NUMBER(PARAMETER_LANES, "lanes", "2", 1, SCRIPTED_LANES, "lanes of each"),
    NUMBER(PARAMETER_WORDS, "words", "6", 1, 65536, "words that they use"),
    NUMBER(PARAMETER_OPERATIONS, "operations", "4", 1, SCRIPTED_OPERATIONS, "of a transaction, at most"),
    NUMBER(PARAMETER_TRANSACTIONS, "transactions", "3", 1, 1000000, "of a warp, one after the other"),
    NUMBER(PARAMETER_STRIDE, "stride", "4", 4, 65536, "bytes from word to word"),
    NUMBER(PARAMETER_GRANULE, "granule", "32", 4, 128, "as the validation units have it"),
    NUMBER(PARAMETER_DELAY, "delay", "1", 1, 100000, "cycles that a packet may wait to leave"),
    NUMBER(PARAMETER_WARP_BITS, "warp_bits", "4", 0, 16, "of timestamps"),
    FLAG(PARAMETER_STORES_WAIT, "stores_wait", "true", "for their answer"),
    FLAG(PARAMETER_TIES, "ties", "false", "warps may have equal timestamps"),
    FLAG(PARAMETER_COUNTS, "count_requests", "false", "a store for several lanes counts once"),
    FLAG(PARAMETER_DRAINS, "drains", "true", "before a rollover goes on"),
    NUMBER(PARAMETER_PLAIN, "plain", "0", 0, 100, "percent of attempts that begin with an atomic of no effect"),
    FLAG(PARAMETER_INTRA_WARP, "intra_warp", "true", "lanes of a warp are checked against each other"),
};
static const hd_port ports[] = {
    [SCRIPTED_REQUEST] = {.name = "request",
                          .direction = HD_PORT_SEND,
                          .minimum_count = 1,
                          .maximum_count = 1,
                          .latency_cycles = 1,
                          .doc = "accesses and logs"},
    [SCRIPTED_REPLY] = {.name = "reply",
                        .direction = HD_PORT_RECEIVE,
                        .minimum_count = 1,
                        .maximum_count = 1,
                        .credits = 8,
                        .doc = "their answers"},
};
static const hd_statistic statistics[] = {
    {"commits", "lanes", HD_STATISTIC_COUNT, 0, "lanes that committed"},
    {"aborts", "lanes", HD_STATISTIC_COUNT, 0, "lanes that aborted"},
    {"rollovers", "rollovers", HD_STATISTIC_COUNT, 0, "eras that ended"},
};
static const hd_message_use messages[] = {
    {HD_GETM_LOAD, HD_MESSAGE_SENT, 0, "request"},
    {HD_GETM_STORE, HD_MESSAGE_SENT, 0, "request"},
    {HD_GETM_LOG, HD_MESSAGE_SENT, 0, "request"},
    {HD_GETM_ROLLED_OVER, HD_MESSAGE_SENT, 0, "request"},
    {HD_GETM_STORE_OK, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GETM_ABORT, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GETM_LOG_ACK, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GETM_ROLLOVER, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GETM_ROLLOVER_END, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_GLOBAL_ATOMIC, HD_MESSAGE_SENT, 0, "request"},
    {HD_GLOBAL_ATOMIC_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
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
    } names[] = {{&self->load, HD_GETM_LOAD},
                 {&self->store, HD_GETM_STORE},
                 {&self->store_ok, HD_GETM_STORE_OK},
                 {&self->abort, HD_GETM_ABORT},
                 {&self->log, HD_GETM_LOG},
                 {&self->log_ack, HD_GETM_LOG_ACK},
                 {&self->load_reply, HD_GLOBAL_LOAD_REPLY},
                 {&self->rollover, HD_GETM_ROLLOVER},
                 {&self->atomic, HD_GLOBAL_ATOMIC},
                 {&self->atomic_reply, HD_GLOBAL_ATOMIC_REPLY},
                 {&self->rolled_over, HD_GETM_ROLLED_OVER},
                 {&self->rollover_end, HD_GETM_ROLLOVER_END}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i].number = services->message(services->context, names[i].name);
    self->warp_count = (uint32_t)values[PARAMETER_WARPS].u;
    self->lane_count = (uint32_t)values[PARAMETER_LANES].u;
    self->word_count = (uint32_t)values[PARAMETER_WORDS].u;
    self->operation_count = (uint32_t)values[PARAMETER_OPERATIONS].u;
    self->transaction_count = (uint32_t)values[PARAMETER_TRANSACTIONS].u;
    self->stride = values[PARAMETER_STRIDE].u / 4 * 4;
    self->granule = values[PARAMETER_GRANULE].u;
    self->delay = (uint32_t)values[PARAMETER_DELAY].u;
    self->warp_bits = (uint32_t)values[PARAMETER_WARP_BITS].u;
    self->stores_wait = (uint32_t)values[PARAMETER_STORES_WAIT].u;
    self->has_ties = (uint32_t)values[PARAMETER_TIES].u;
    self->counts_requests = (uint32_t)values[PARAMETER_COUNTS].u;
    self->drains = (uint32_t)values[PARAMETER_DRAINS].u;
    self->plain = (uint32_t)values[PARAMETER_PLAIN].u;
    self->intra_warp = (uint32_t)values[PARAMETER_INTRA_WARP].u;
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    core *self = (core *)block;
    (void)element;
    if (port == SCRIPTED_REQUEST)
        self->out = out;
    else
        self->in = in;
}

static void reset(hd_block *block)
{
    core *self = (core *)block;
    kit_outbox_empty(&self->outbox, self->services);
    memset(self->warps, 0, sizeof self->warps);
    memset(self->counters, 0, sizeof self->counters);
    self->era = 0;
    self->is_rolling = 0;
    self->commit_count = 0;
    self->next_value = 1 + (self->services->index << 24);
    hd_cursor_init(&self->cursor, self->services->clock);
    for (uint32_t i = 0; i < self->warp_count; i++) {
        warp *warp = &self->warps[i];
        warp->number = self->services->index * self->warp_count + i;
        warp->phase = PHASE_BACK_OFF;
        scripted_begin_transaction(self, warp);
        warp->wake = draw(self, 1 + self->delay);
    }
}

hd_packet *scripted_packet(core *self, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->body_bytes = body_bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

void scripted_send(core *self, hd_packet *packet, uint64_t address, uint32_t unit, uint32_t destination, uint64_t n)
{
    packet->unit = unit;
    packet->destination = (uint16_t)(unit ? self->map->endpoints[hd_partition_of(self->map, address)] : destination);
    kit_outbox_add(&self->outbox, packet, n + draw(self, self->delay));
}

static void send_one(core *self, uint64_t n, hd_time t)
{
    hd_packet *packet = kit_outbox_take(&self->outbox, self->services, self->out, n, t);
    if (packet)
        self->services->send(self->services->context, self->out, packet, t);
}

/* Every attempt is over, without logs; those sent before have to be applied first. */
static void roll_over(core *self, uint16_t roller)
{
    self->is_rolling = 1;
    self->roller = roller;
    for (uint32_t i = 0; i < self->warp_count; i++) {
        warp *warp = &self->warps[i];
        warp->valid = warp->attempt + 1;
        if (warp->phase == PHASE_RUN)
            warp->phase = PHASE_BACK_OFF;
    }
}

static void go_on_rolling(core *self, uint64_t n)
{
    uint32_t logs = 0;
    for (uint32_t i = 0; i < self->warp_count; i++)
        logs += self->warps[i].logs;
    if (self->is_rolling != 1 || (self->drains && logs))
        return;
    for (uint32_t i = 0; i < self->warp_count; i++)
        self->warps[i].clock = 0;
    self->is_rolling = 2;
    self->era++;
    self->counters[2]++;
    scripted_send(self, scripted_packet(self, self->rolled_over, 0), 0, HD_DESTINATION_DEFAULT, self->roller, n);
}

static void take(core *self, const hd_packet *packet, uint64_t n, hd_time t)
{
    if (packet->message == self->atomic_reply)
        return;
    if (packet->message == self->rollover)
        roll_over(self, packet->source);
    else if (packet->message == self->rollover_end)
        self->is_rolling = 0;
    else if (packet->message == self->log_ack)
        self->warps[packet->tag >> 12 & 0xF].logs--;
    else
        scripted_take_answer(self, packet, n, t);
}

static void work(void *block, hd_time t)
{
    core *self = block;
    const hd_services *services = self->services;
    const uint64_t n = self->cursor.n;
    for (hd_packet *packet; (packet = services->pop(services->context, self->in, t));) {
        take(self, packet, n, t);
        services->free(services->context, packet);
    }
    go_on_rolling(self, n);
    for (uint32_t i = 0; i < self->warp_count; i++)
        scripted_step(self, &self->warps[i], n, t);
    send_one(self, n, t);
}

static hd_time next(const void *block)
{
    const core *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    hd_work_at_time(&work, self->services->arrival(self->services->context, self->in));
    kit_outbox_work(&self->outbox, &work);
    for (uint32_t i = 0; !self->is_rolling && i < self->warp_count; i++)
        if (self->warps[i].phase == PHASE_BACK_OFF && self->warps[i].logs < 64)
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
    kit_outbox_empty(&self->outbox, self->services);
    free(self->commits);
    free(self);
}

static const scripted_commit *commits(hd_block *block, uint32_t *count)
{
    const core *self = (const core *)block;
    *count = self->commit_count;
    return self->commits;
}

static uint32_t logged_by_lane(const core *self, const lane *lane, uint64_t granule)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < lane->write_count; k++)
        if (word_address(self, lane->writes[k].word) / self->granule == granule)
            count += lane->writes[k].reserved;
    return count;
}

static uint32_t logged_in_packet(const core *self, const hd_packet *packet, uint64_t granule)
{
    const hd_getm_region *regions = hd_body_const(packet);
    uint32_t count = 0;
    for (uint32_t i = 0; packet->message == self->log && i < packet->argument; i++)
        count += regions[i].address / self->granule == granule ? regions[i].count : 0;
    return count;
}

static uint32_t logged(hd_block *block, uint64_t granule)
{
    const core *self = (const core *)block;
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->warp_count; i++)
        for (uint32_t bits = self->warps[i].phase == PHASE_RUN ? self->warps[i].todo : 0; bits; bits &= bits - 1)
            count += logged_by_lane(self, &self->warps[i].lanes[__builtin_ctz(bits)], granule);
    for (uint32_t i = 0; i < self->outbox.count; i++)
        count += logged_in_packet(self, self->outbox.packets[i].packet, granule);
    return count;
}

static uint32_t asked(hd_block *block, uint64_t granule)
{
    const core *self = (const core *)block;
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->warp_count; i++) {
        const warp *warp = &self->warps[i];
        for (uint32_t k = 0; warp->phase == PHASE_RUN && k < warp->request_count; k++) {
            const request *request = &warp->requests[k];
            const uint32_t first = request->words[__builtin_ctz(request->lanes)];
            if (request->is_open && request->is_store && word_address(self, first) / self->granule == granule)
                count += (uint32_t)__builtin_popcount(request->lanes);
        }
    }
    return count;
}

static uint32_t has_work(hd_block *block)
{
    const core *self = (const core *)block;
    uint32_t open = self->outbox.count + self->is_rolling;
    for (uint32_t i = 0; i < self->warp_count; i++)
        open += self->warps[i].phase != PHASE_DONE || self->warps[i].logs;
    return open != 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const core *self = (const core *)block;
    for (uint32_t i = 0; i < self->warp_count; i++) {
        const warp *warp = &self->warps[i];
        if (warp->phase != PHASE_DONE || warp->logs)
            sink->line(sink->context, "warp %u: phase %u, attempt %u, time %u, %u answers and %u logs missing",
                       warp->number, warp->phase, (unsigned)warp->attempt, (unsigned)warp->timestamp, warp->outstanding,
                       warp->logs);
    }
}

static const void *extension(hd_block *block, const char *id)
{
    static const scripted_history history = {commits, logged, asked};
    static const hd_pending pending = {has_work, describe};
    (void)block;
    if (!strcmp(id, SCRIPTED_EXTENSION_HISTORY))
        return &history;
    return strcmp(id, HD_EXTENSION_PENDING) ? NULL : &pending;
}

const hd_block_class scripted_core = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "scripted_core",
    .type = "getm",
    .doc = "runs random transactions",
    .source = "",
    .flags = HD_BLOCK_SELF_DRIVEN | HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETER_COUNT,
    .port_count = sizeof ports / sizeof *ports,
    .statistic_count = sizeof statistics / sizeof *statistics,
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
