/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_tap.h"
#include "hd_work.h"
#include "tapped.h"

enum { REQUESTS = 4, WORDS = 8 };

typedef struct ledger {
    const hd_services *services;
    hd_link *requests[REQUESTS];
    hd_link *reply;
    struct {
        const hd_tap *tap;
        hd_block *listener;
        uint32_t element;
    } taps[HD_TAP_COUNT_MAX];
    uint32_t tap_count;
    uint32_t next;
    uint64_t words[WORDS];
    uint64_t counters[1]; /* accepted */
    hd_cursor cursor;
} ledger;

static const hd_port ports[] = {
    [LEDGER_REQUEST] = {.name = "request",
                        .direction = HD_PORT_RECEIVE,
                        .maximum_count = REQUESTS,
                        .credits = 2,
                        .latency_cycles = 1,
                        .doc = "packets"},
    [LEDGER_REPLY] = {.name = "reply",
                      .direction = HD_PORT_SEND,
                      .minimum_count = 1,
                      .maximum_count = 1,
                      .latency_cycles = 1,
                      .credits = 2,
                      .doc = "one for each that it accepted"},
    [LEDGER_TAP] = {.name = "tap", .direction = HD_PORT_TAPPED, .maximum_count = HD_TAP_COUNT_MAX, .doc = "listeners"},
};
static const hd_statistic statistics[] = {{"accepted", "packets", HD_STATISTIC_COUNT, 0, "packets accepted"}};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    ledger *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    ledger *self = (ledger *)block;
    if (port == LEDGER_REPLY)
        self->reply = out;
    else
        self->requests[element] = in;
}

static void attach(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element)
{
    ledger *self = (ledger *)block;
    self->taps[element].tap = tap;
    self->taps[element].listener = listener;
    self->taps[element].element = listener_element;
    self->tap_count = element + 1;
}

static void reset(hd_block *block)
{
    ledger *self = (ledger *)block;
    self->next = 0;
    memset(self->words, 0, sizeof self->words);
    self->counters[0] = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

static uint32_t ask(ledger *self, const hd_tap_access *access, uint64_t *notes)
{
    for (uint32_t i = 0; i < self->tap_count; i++) {
        notes[i] = 0;
        const hd_tap *tap = self->taps[i].tap;
        if (tap->on_sample(self->taps[i].listener, self->taps[i].element, access, &notes[i]) == HD_TAP_TAKE ||
            tap->on_write(self->taps[i].listener, self->taps[i].element, access, &notes[i]) == HD_TAP_TAKE)
            return 0;
    }
    return 1;
}

static void accept(ledger *self, uint32_t port, hd_time t)
{
    const hd_services *services = self->services;
    uint64_t notes[HD_TAP_COUNT_MAX];
    hd_packet *packet = services->pop(services->context, self->requests[port], t);
    const hd_tap_access access = {.request = packet, .t = t, .number = self->counters[0], .port = port};
    if (!ask(self, &access, notes))
        return;
    self->counters[0]++;
    packet->address = self->words[packet->tag % WORDS] += packet->tag;
    for (uint32_t i = 0; i < self->tap_count; i++) {
        const hd_tap_release release = {.reply = packet, .t = t, .number = access.number, .note = notes[i]};
        self->taps[i].tap->release(self->taps[i].listener, self->taps[i].element, &release);
    }
    services->send(services->context, self->reply, packet, t);
}

static hd_time next_packet(const ledger *self)
{
    hd_time first = HD_NEVER;
    for (uint32_t i = 0; i < REQUESTS; i++)
        if (self->requests[i])
            first = hd_earlier(first, self->services->arrival(self->services->context, self->requests[i]));
    return first;
}

static void work(ledger *self, hd_time t)
{
    const hd_services *services = self->services;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t port = (self->next + i) % REQUESTS;
        if (!self->requests[port] || !services->peek(services->context, self->requests[port], t))
            continue;
        if (services->credits(services->context, self->reply, t)) {
            self->next = port + 1;
            accept(self, port, t);
        }
        return;
    }
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    ledger *self = (ledger *)block;
    hd_cursor_catch_up(&self->cursor, now);
    while (self->cursor.t < horizon) {
        work(self, self->cursor.t);
        hd_cursor_next(&self->cursor);
        if (next_packet(self) > self->cursor.t)
            break;
    }
    const hd_time next = hd_cursor_edge_from(&self->cursor, next_packet(self));
    return next < horizon ? horizon : next;
}

static const uint64_t *counters(hd_block *block)
{
    return ((ledger *)block)->counters;
}

static void destroy(hd_block *block)
{
    free(block);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_tapped tapped = {attach};
    (void)block;
    return strcmp(id, HD_EXTENSION_TAPPED) == 0 ? &tapped : NULL;
}

const hd_block_class tapped_ledger = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "test_ordering_point",
    .type = "ledger",
    .doc = "accepts packets one after another",
    .source = "written for these tests",
    .port_count = 3,
    .statistic_count = 1,
    .ports = ports,
    .statistics = statistics,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
