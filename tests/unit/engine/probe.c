/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include "engine_internal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const hd_port ports[] = {
    [PROBE_IN] = {.name = "in", .direction = HD_PORT_RECEIVE, .maximum_count = 4, .latency_cycles = 1, .credits = 2},
    [PROBE_OUT] = {.name = "out", .direction = HD_PORT_SEND, .maximum_count = 4, .latency_cycles = 1, .credits = 2},
    [PROBE_MEMORY] =
        {.name = "memory", .direction = HD_PORT_INITIATOR, .maximum_count = 1, .latency_cycles = 1, .credits = 2},
    [PROBE_TAPPED] = {.name = "tapped", .direction = HD_PORT_TAPPED, .maximum_count = 1},
    [PROBE_TAP] = {.name = "tap", .direction = HD_PORT_TAP, .maximum_count = 1},
};
static const hd_statistic statistics[] = {{.name = "calls", .unit = "calls", .kind = HD_STATISTIC_COUNT, .doc = ""}};

static const hd_trace_event trace_events[PROBE_EVENTS] = {
    [PROBE_WORK] = {"work", HD_TRACE_SPAN, 0, "number|0xaddress", NULL, "Something that takes time"},
    [PROBE_POINT] = {"point", HD_TRACE_INSTANT, 0, "number", NULL, "Something that takes none"},
    [PROBE_LEVEL] = {"level", HD_TRACE_COUNTER, 0, NULL, "packets", "How much there is"},
    [PROBE_ARROW] = {"arrow", HD_TRACE_FLOW, 0, NULL, NULL, "From one thing to another"},
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    probe *self = calloc(1, sizeof *self);
    self->services = services;
    self->script = services->extension(services->context, PROBE_SCRIPT);
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "slot", PROBE_SLOTS);
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    probe *self = (probe *)block;
    if (port == PROBE_MEMORY) {
        self->memory_out = out;
        self->memory_in = in;
    } else if (port == PROBE_OUT) {
        self->out[element] = out;
    } else {
        self->in[element] = in;
    }
}

static void reset(hd_block *block)
{
    probe *self = (probe *)block;
    self->calls = 0;
    self->counters[0] = 0;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    probe *self = (probe *)block;
    if (self->calls < PROBE_CALLS_MAX) {
        self->now[self->calls] = now;
        self->horizon[self->calls++] = horizon;
    }
    self->counters[0]++;
    return self->script->advance ? self->script->advance(self, now, horizon) : HD_NEVER;
}

static hd_time promise(hd_block *block, hd_time now)
{
    probe *self = (probe *)block;
    return self->script->promise ? self->script->promise(self, now) : now;
}

static const uint64_t *counters(hd_block *block)
{
    return ((probe *)block)->counters;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    probe *self = (probe *)block;
    if (self->script->align)
        self->script->align(self, t, sink);
}

static uint32_t has_work(hd_block *block)
{
    probe *self = (probe *)block;
    return self->script->has_work ? self->script->has_work(self) : 0;
}

static hd_time computes_since(hd_block *block, hd_time t, uint32_t anew)
{
    probe *self = (probe *)block;
    return self->script->computes_since ? self->script->computes_since(self, t, anew) : HD_NEVER;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    (void)block;
    sink->line(sink->context, "waits for %s", "the test");
}

static void attach(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element)
{
    (void)block;
    (void)element;
    (void)tap;
    (void)listener;
    (void)listener_element;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_align align_table = {.align = align};
    static const hd_pending pending_table = {.has_work = has_work, .describe = describe};
    static const hd_tapped tapped_table = {.attach = attach};
    static const hd_computes computes = {.since = computes_since};
    if (strcmp(id, HD_EXTENSION_COMPUTES) == 0)
        return &computes;
    if (strcmp(id, HD_EXTENSION_TAP) == 0)
        return ((probe *)block)->script->tap;
    if (strcmp(id, HD_EXTENSION_TAPPED) == 0)
        return &tapped_table;
    if (strcmp(id, HD_EXTENSION_ALIGN) == 0)
        return &align_table;
    return strcmp(id, HD_EXTENSION_PENDING) == 0 ? &pending_table : NULL;
}

#define PROBE_CLASS(type_, flags_)                                                                                     \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "probe", .type = type_,         \
        .doc = "Does what the test says", .source = "written for these tests", .flags = flags_, .port_count = 5,       \
        .statistic_count = 1, .ports = ports, .statistics = statistics, .create = create, .connect = connect,          \
        .reset = reset, .advance = advance, .promise = promise, .counters = counters, .destroy = destroy,              \
        .extension = extension, .trace_events = trace_events, .trace_event_count = PROBE_EVENTS                        \
    }

const hd_block_class probe_class = PROBE_CLASS("plain", 0);
const hd_block_class probe_forwarder_class = PROBE_CLASS("forwarder", HD_BLOCK_FORWARDS);
const hd_block_class probe_ahead_class = PROBE_CLASS("ahead", HD_BLOCK_LOOKS_AHEAD);

uint32_t probe_add(hd_engine *engine, const char *name)
{
    return hd_engine_add_block(engine, &probe_class, name, 0, 1, (hd_clock){1000000000}, NULL);
}

probe *probe_of(hd_engine *engine, uint32_t block)
{
    return (probe *)hd_engine_block(engine, block);
}

void probe_start(hd_engine *engine, const probe_script *script)
{
    hd_engine_provide(engine, PROBE_SCRIPT, script);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
}

void probe_keep_to_windows(hd_engine *engine)
{
    hd_engine_limit_windows(engine, HD_WINDOW_MAX - 1, NULL);
}

void probe_link(hd_engine *engine, uint32_t from, uint32_t from_element, uint32_t to, uint32_t to_element,
                hd_time latency, hd_time credit_latency, uint32_t credits)
{
    hd_engine_add_link(
        engine, &(hd_binding){.from_block = from,
                              .from_port = PROBE_OUT,
                              .from_element = from_element,
                              .to_block = to,
                              .to_port = PROBE_IN,
                              .to_element = to_element,
                              .request = {.latency = latency, .credit_latency = credit_latency, .credits = credits}});
}

hd_packet *probe_packet(probe *self, uint64_t tag)
{
    hd_packet *packet = self->services->alloc(self->services->context, 8);
    packet->tag = tag;
    return packet;
}
