/* SPDX-License-Identifier: MIT */
#include "debug_levels.h"
#include "hd_debug.h"

#include <stdlib.h>

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    level *self = calloc(1, sizeof *self);
    (void)error;
    (void)error_bytes;
    *self = (level){.services = services, .first = values[0].u, .end = values[1].u};
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)element, (void)in;
    if (port == OUT)
        ((level *)block)->out = out;
}

static void reset(hd_block *block)
{
    memset(((level *)block)->bytes, 0, BYTES);
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static uint32_t debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    level *self = (level *)block;
    if (address < self->first || address >= self->end)
        return 0;
    const uint32_t held = bytes < self->end - address ? bytes : (uint32_t)(self->end - address);
    if (is_write)
        memcpy(self->bytes + address, data, held);
    else
        memcpy(data, self->bytes + address, held);
    return held;
}

hd_time registers_were_asked_at;

static uint32_t access_registers(hd_block *block, hd_time t, uint64_t address, void *data, uint32_t bytes,
                                 uint32_t is_write)
{
    registers_were_asked_at = t;
    return debug_access(block, address, data, bytes, is_write);
}

static const void *offer_registers(hd_block *block, const char *id)
{
    static const hd_debug_registers registers = {access_registers};
    (void)block;
    return strcmp(id, HD_EXTENSION_DEBUG_REGISTERS) == 0 ? &registers : NULL;
}

static void destroy(hd_block *block)
{
    free(block);
}

static const hd_port ports[PORTS] = {
    [ABOVE] = {.name = "above",
               .direction = HD_PORT_TARGET,
               .maximum_count = 4,
               .latency_cycles = 1,
               .credits = 1,
               .doc = "requests"},
    [BELOW] = {.name = "below",
               .direction = HD_PORT_INITIATOR,
               .maximum_count = 4,
               .latency_cycles = 1,
               .credits = 1,
               .doc = "requests"},
    [OUT] = {.name = "out",
             .direction = HD_PORT_SEND,
             .maximum_count = 4,
             .latency_cycles = 1,
             .credits = 1,
             .doc = "messages"},
    [IN] = {.name = "in",
            .direction = HD_PORT_RECEIVE,
            .maximum_count = 4,
            .latency_cycles = 1,
            .credits = 1,
            .doc = "messages"},
};
static const hd_parameter parameters[] = {
    {.name = "first", .type = HD_TYPE_UNSIGNED, .standard = "0", .doc = "first byte held"},
    {.name = "end", .type = HD_TYPE_UNSIGNED, .standard = "0", .doc = "behind the last byte held"},
};
/* The first are registers; the second is where others are reached by the map. */
static const hd_window windows[] = {
    {.name = "registers", .port = "above", .base = 0x180, .bytes = 0x20, .doc = "its own"},
    {.name = "memory", .port = "above", .bytes = 0x100, .flags = HD_WINDOW_SHARED, .doc = "memory behind it"},
};

#define LEVEL                                                                                                          \
    .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "level", .doc = "", .source = "",   \
    .parameter_count = 2, .parameters = parameters, .port_count = PORTS, .ports = ports, .create = create,             \
    .connect = connect_port, .reset = reset, .advance = advance, .counters = counters, .destroy = destroy
const hd_block_class passing = {LEVEL, .type = "passing"},
                     holding = {LEVEL, .type = "holding", .debug_access = debug_access},
                     decoding = {LEVEL, .type = "decoding", .flags = HD_BLOCK_DECODES},
                     registering = {LEVEL, .type = "registering", .windows = windows, .window_count = 1,
                                    .extension = offer_registers},
                     sending = {LEVEL, .type = "sending", .flags = HD_BLOCK_ADDRESS_MAP, .windows = windows,
                                .window_count = 2},
                     fronting = {LEVEL, .type = "fronting", .flags = HD_BLOCK_ADDRESS_MAP,
                                 .debug_access = debug_access};

uint32_t add(hd_engine *engine, const hd_block_class *block_class, uint64_t first, uint64_t end)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    const hd_value values[] = {{.u = first}, {.u = end}};
    return hd_engine_add_block(engine, block_class, names[hd_engine_block_count(engine)], 0, 1, (hd_clock){1000000000},
                               values);
}

void join(hd_engine *engine, uint32_t above, uint32_t element, uint32_t below, uint32_t below_element)
{
    const hd_link_timing timing = {.latency = 1000, .credit_latency = 1000, .credits = 1};
    hd_engine_add_link(engine, &(hd_binding){.from_block = above,
                                             .from_port = BELOW,
                                             .from_element = element,
                                             .to_block = below,
                                             .to_port = ABOVE,
                                             .to_element = below_element,
                                             .request = timing,
                                             .response = timing});
}

void join_out(hd_engine *engine, uint32_t from, uint32_t to, uint32_t to_element)
{
    const hd_link_timing timing = {.latency = 1000, .credit_latency = 1000, .credits = 1};
    hd_engine_add_link(engine, &(hd_binding){.from_block = from,
                                             .from_port = OUT,
                                             .to_block = to,
                                             .to_port = IN,
                                             .to_element = to_element,
                                             .request = timing});
}

void start(hd_engine *engine)
{
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_engine_reset(engine, 1);
}

const level *level_of(const hd_engine *engine, uint32_t block)
{
    return (const level *)hd_engine_block(engine, block);
}

void fill(uint8_t *data)
{
    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * 7 + 1);
}
