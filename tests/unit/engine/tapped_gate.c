/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_tap.h"
#include "hd_work.h"
#include "tapped.h"

enum { ROOM = 4, TAKEN_MAX = 16 };

typedef struct gate {
    const hd_services *services;
    hd_link *in;
    hd_link *out;
    hd_packet *queue[ROOM + TAKEN_MAX]; /* in the order in which they leave */
    uint32_t count;
    uint64_t free_at; /* first edge at which the next one may leave */
    uint64_t state;
    uint64_t counters[3]; /* passed, taken, told */
    hd_cursor cursor;
} gate;

static const hd_port ports[] = {
    [GATE_IN] = {.name = "in",
                 .direction = HD_PORT_RECEIVE,
                 .minimum_count = 1,
                 .maximum_count = 1,
                 .latency_cycles = 1,
                 .credits = 2,
                 .doc = "packets"},
    [GATE_OUT] = {.name = "out",
                  .direction = HD_PORT_SEND,
                  .minimum_count = 1,
                  .maximum_count = 1,
                  .latency_cycles = 1,
                  .credits = 2,
                  .doc = "the same, later"},
    [GATE_TAP] = {.name = "tap",
                  .direction = HD_PORT_TAP,
                  .minimum_count = 1,
                  .maximum_count = 4,
                  .doc = "what becomes of them"},
};
static const hd_statistic statistics[] = {{"passed", "packets", HD_STATISTIC_COUNT, 0, "packets passed on"},
                                          {"taken", "packets", HD_STATISTIC_COUNT, 0, "packets taken away"},
                                          {"told", "calls", HD_STATISTIC_COUNT, 0, "calls of its tap"}};

static void see(gate *self, uint64_t what, hd_time t)
{
    self->state = (self->state ^ what ^ t << 8) * UINT64_C(0x9E3779B97F4A7C15);
    self->state ^= self->state >> 29;
}

static uint32_t on_sample(hd_block *block, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    gate *self = (gate *)block;
    self->counters[2]++;
    see(self, access->number * 4 + element, access->t);
    *note = self->state;
    if (element != 0 || access->port == 0 || self->state % 4 != 1 || self->counters[1] >= TAKEN_MAX)
        return HD_TAP_PASS;
    self->counters[1]++;
    self->queue[self->count++] = access->request;
    return HD_TAP_TAKE;
}

static uint32_t on_write(hd_block *block, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    (void)element;
    see((gate *)block, *note + access->request->tag, access->t);
    return HD_TAP_PASS;
}

static void on_release(hd_block *block, uint32_t element, const hd_tap_release *release)
{
    gate *self = (gate *)block;
    (void)element;
    see(self, release->note, release->t);
    release->reply->tag += self->state % 1000 + release->number;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    gate *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    gate *self = (gate *)block;
    (void)element;
    if (port == GATE_IN)
        self->in = in;
    else
        self->out = out;
}

static void drop(gate *self)
{
    for (uint32_t i = 0; i < self->count; i++)
        self->services->free(self->services->context, self->queue[i]);
    self->count = 0;
}

static void reset(hd_block *block)
{
    gate *self = (gate *)block;
    drop(self);
    self->free_at = self->state = 0;
    memset(self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void work(gate *self, hd_time t)
{
    const hd_services *services = self->services;
    if (self->count < ROOM && services->peek(services->context, self->in, t)) {
        self->queue[self->count++] = services->pop(services->context, self->in, t);
        see(self, 1, t);
    }
    if (!self->count || self->cursor.n < self->free_at || !services->credits(services->context, self->out, t))
        return;
    see(self, 2, t);
    services->send(services->context, self->out, self->queue[0], t);
    self->counters[0]++;
    self->count--;
    memmove(self->queue, self->queue + 1, self->count * sizeof *self->queue);
    self->free_at = self->cursor.n + 1 + self->state % 5;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    gate *self = (gate *)block;
    hd_cursor_catch_up(&self->cursor, now);
    for (;;) {
        hd_work next = hd_work_none();
        if (self->count)
            hd_work_at_edge(&next, self->free_at);
        if (self->count < ROOM)
            hd_work_at_time(&next, self->services->arrival(self->services->context, self->in));
        hd_cursor at = self->cursor;
        if (!hd_work_seek(&next, &at))
            return HD_NEVER;
        if (at.t >= horizon)
            return at.t;
        self->cursor = at;
        work(self, at.t);
        hd_cursor_next(&self->cursor);
    }
}

static const uint64_t *counters(hd_block *block)
{
    return ((gate *)block)->counters;
}

static void destroy(hd_block *block)
{
    drop((gate *)block);
    free(block);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_tap tap = {on_sample, on_write, on_release};
    (void)block;
    return strcmp(id, HD_EXTENSION_TAP) == 0 ? &tap : NULL;
}

const hd_block_class tapped_gate = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "test_listener",
    .type = "gate",
    .doc = "lets packets pass, or keeps them",
    .source = "written for these tests",
    .port_count = 3,
    .statistic_count = 3,
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
