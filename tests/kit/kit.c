/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include "compose.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CREDITS_OF_THE_TEST 8u /* where the block declares none, because the link ends at the test */

void kit_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("test kit: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

void *kit_grow(void *array, uint32_t count, size_t element_bytes)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * (size_t)count : 1) * element_bytes);
    if (!array)
        kit_die("out of memory");
    return array;
}

/* Fills the endpoint numbers around the block under test, and brings in another clock. */
static hd_block *placeholder_create(const hd_services *services, const hd_value *values, char *error,
                                    size_t error_bytes)
{
    (void)services;
    (void)values;
    (void)error;
    (void)error_bytes;
    return malloc(1);
}

static void placeholder_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block;
    (void)port;
    (void)element;
    (void)out;
    (void)in;
}

static void placeholder_reset(hd_block *block)
{
    (void)block;
}

static hd_time placeholder_advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block;
    (void)now;
    (void)horizon;
    return HD_NEVER;
}

static const uint64_t *placeholder_counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static void placeholder_destroy(hd_block *block)
{
    free(block);
}

const hd_block_class kit_placeholder = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "test_placeholder",
    .type = "idle",
    .doc = "Takes up an endpoint number",
    .create = placeholder_create,
    .connect = placeholder_connect,
    .reset = placeholder_reset,
    .advance = placeholder_advance,
    .counters = placeholder_counters,
    .destroy = placeholder_destroy,
};

static const hd_unit *fitted;

void kit_fit_unit(const hd_unit *unit)
{
    fitted = unit;
}

const hd_block_class *kit_compose(const hd_block_class *block_class)
{
    const hd_block_class *composed = units_compose(block_class, &fitted, fitted != NULL);
    hd_parameter *parameters = (hd_parameter *)(uintptr_t)composed->parameters; /* the copy's own */
    for (uint32_t i = 0; i < composed->composition->place_count; i++)
        if (composed->composition->places[i].unit == fitted)
            parameters[composed->unit_slots[composed->composition->places[i].slot].parameter].standard = fitted->name;
    return composed;
}

kit_block *kit_create(const hd_block_class *block_class, const char *const *parameters)
{
    kit_block *kit = calloc(1, sizeof *kit);
    if (!kit)
        kit_die("out of memory");
    kit->block_class = kit_compose(block_class);
    block_class = kit->block_class;
    kit->engine = hd_engine_create();
    kit->clock.hz = UINT64_C(1000000000);
    kit->name = strdup("block");
    kit->count = 1;
    kit->seed = 1;
    kit->log = strdup("");
    kit->ports = calloc(block_class->port_count + 1, sizeof *kit->ports);
    kit->values = calloc(block_class->parameter_count + 1, sizeof *kit->values);
    kit_parse_parameters(kit, parameters);
    kit_address_map(kit, 2, 256, NULL);
    if (block_class->flags & HD_BLOCK_DIRECT)
        kit_direct(kit);
    return kit;
}

void kit_destroy(kit_block *kit)
{
    if (!kit)
        return;
    kit_empty_queues(kit);
    hd_engine_destroy(kit->engine);
    for (uint32_t p = 0; p < kit->block_class->port_count; p++) {
        for (uint32_t e = 0; e < kit->ports[p].count; e++) {
            free(kit->ports[p].elements[e].arrived.items);
            free(kit->ports[p].elements[e].unsent.items);
        }
        free(kit->ports[p].elements);
    }
    for (uint32_t i = 0; i < kit->text_count; i++)
        free(kit->texts[i]);
    free(kit->texts);
    free(kit->ports);
    free(kit->values);
    free(kit->routes);
    free(kit->taps);
    free(kit->points);
    free(kit->events);
    free(kit->kept);
    free(kit->recorded);
    free(kit->name);
    free(kit->log);
    free(kit->described);
    kit_clear_memory(kit);
    free(kit->memory);
    units_release(kit->block_class);
    free(kit);
}

static void before_start(const kit_block *kit, const char *what)
{
    if (kit->started)
        kit_die("%s comes before kit_start", what);
}

void kit_clock(kit_block *kit, uint64_t hz)
{
    before_start(kit, "kit_clock");
    kit->clock.hz = hz;
}

void kit_other_clock(kit_block *kit, uint64_t hz)
{
    before_start(kit, "kit_other_clock");
    kit->other_clock.hz = hz;
}

void kit_name(kit_block *kit, const char *name, uint32_t index, uint32_t count)
{
    before_start(kit, "kit_name");
    free(kit->name);
    kit->name = strdup(name);
    kit->index = index;
    kit->count = count;
}

void kit_seed(kit_block *kit, uint64_t seed)
{
    before_start(kit, "kit_seed");
    kit->seed = seed;
}

void kit_endpoint(kit_block *kit, uint32_t endpoint)
{
    before_start(kit, "kit_endpoint");
    if (endpoint >= KIT_ENDPOINTS)
        kit_die("endpoint %u, more than %u", endpoint, KIT_ENDPOINTS - 1);
    kit->endpoint = endpoint;
}

void kit_provide(kit_block *kit, const char *id, const void *extension)
{
    before_start(kit, "kit_provide");
    hd_engine_provide(kit->engine, id, extension);
}

void kit_address_map(kit_block *kit, uint32_t partitions, uint32_t interleave_bytes, const uint32_t *endpoints)
{
    before_start(kit, "kit_address_map");
    if (partitions > KIT_PARTITIONS_MAX)
        kit_die("%u partitions, more than %u", partitions, KIT_PARTITIONS_MAX);
    for (uint32_t i = 0; i < partitions; i++)
        kit->map_endpoints[i] = endpoints ? endpoints[i] : i + 1;
    kit->address_map = (hd_address_map){
        .partitions = partitions, .interleave_bytes = interleave_bytes, .endpoints = kit->map_endpoints};
}

void kit_provide_map(kit_block *kit, const hd_address_map *map)
{
    before_start(kit, "kit_provide_map");
    kit->address_map = *map;
}

void kit_connect_ps(kit_block *kit, uint32_t port, uint32_t element, hd_time latency, hd_time credit_latency,
                    uint32_t credits)
{
    before_start(kit, "kit_connect");
    if (port >= kit->block_class->port_count || element >= kit->block_class->ports[port].maximum_count)
        kit_die("%s has no port %u, element %u", kit->block_class->kind, port, element);
    kit_port *at = &kit->ports[port];
    if (element >= at->count) {
        at->elements = realloc(at->elements, (element + 1) * sizeof *at->elements);
        memset(at->elements + at->count, 0, (element + 1 - at->count) * sizeof *at->elements);
        at->count = element + 1;
    }
    at->elements[element].bound = 1;
    at->elements[element].timing =
        (hd_link_timing){.latency = latency, .credit_latency = credit_latency, .credits = credits};
}

void kit_connect(kit_block *kit, uint32_t port, uint32_t element, uint32_t latency, uint32_t credits)
{
    if (port >= kit->block_class->port_count)
        kit_die("%s has no port %u", kit->block_class->kind, port);
    const hd_port *declared = &kit->block_class->ports[port];
    const uint32_t declared_latency = declared->latency_cycles ? declared->latency_cycles : 1;
    const uint32_t declared_credits = declared->credits ? declared->credits : CREDITS_OF_THE_TEST;
    const hd_time ps = hd_clock_cycles(kit->clock, latency ? latency : declared_latency);
    kit_connect_ps(kit, port, element, ps, ps, credits ? credits : declared_credits);
}

void kit_tap(kit_block *kit, uint32_t port, uint32_t element, const struct hd_tap *tap, void *context)
{
    before_start(kit, "kit_tap");
    kit->taps = kit_grow(kit->taps, kit->tap_count, sizeof *kit->taps);
    kit->taps[kit->tap_count++] = (kit_tap_entry){port, element, tap, context};
}

void kit_route(kit_block *kit, uint32_t port, uint32_t endpoint, uint32_t element)
{
    before_start(kit, "kit_route");
    kit->routes = kit_grow(kit->routes, kit->route_count, sizeof *kit->routes);
    kit->routes[kit->route_count++] = (kit_route_entry){port, endpoint, element};
}

static void bind_element(kit_block *kit, uint32_t port, uint32_t element)
{
    const uint32_t direction = kit->block_class->ports[port].direction;
    const hd_link_timing timing = kit->ports[port].elements[element].timing;
    hd_binding binding = {.request = timing, .response = timing};
    if (direction == HD_PORT_SEND || direction == HD_PORT_INITIATOR) {
        binding.from_block = kit->block;
        binding.from_port = port;
        binding.from_element = element;
        binding.to_block = HD_FOREIGN;
    } else {
        binding.to_block = kit->block;
        binding.to_port = port;
        binding.to_element = element;
        binding.from_block = HD_FOREIGN;
    }
    hd_engine_add_link(kit->engine, &binding);
}

static void join_taps(kit_block *kit)
{
    for (uint32_t p = 0; p < kit->block_class->port_count; p++) {
        const hd_port *port = &kit->block_class->ports[p];
        for (uint32_t e = 0; port->direction == HD_PORT_TAP && e < port->maximum_count; e++)
            if (e < port->minimum_count || (e < kit->ports[p].count && kit->ports[p].elements[e].bound))
                kit_join_tap(kit, p, e);
    }
}

static void bind_ports(kit_block *kit)
{
    for (uint32_t p = 0; p < kit->block_class->port_count; p++) {
        if (kit->block_class->ports[p].direction >= HD_PORT_TAPPED)
            continue;
        for (uint32_t e = 0; e < kit->block_class->ports[p].minimum_count; e++)
            if (e >= kit->ports[p].count || !kit->ports[p].elements[e].bound)
                kit_connect(kit, p, e, 0, 0);
        for (uint32_t e = 0; e < kit->ports[p].count; e++)
            if (kit->ports[p].elements[e].bound)
                bind_element(kit, p, e);
        for (uint32_t i = 0; i < KIT_ENDPOINTS && kit->ports[p].count; i++)
            hd_engine_set_route(kit->engine, kit->block, p, i, i < kit->ports[p].count ? i : 0);
    }
    for (uint32_t i = 0; i < kit->route_count; i++)
        hd_engine_set_route(kit->engine, kit->block, kit->routes[i].port, kit->routes[i].endpoint,
                            kit->routes[i].element);
}

static void find_links(kit_block *kit)
{
    for (uint32_t p = 0; p < kit->block_class->port_count; p++)
        for (uint32_t e = 0; e < kit->ports[p].count; e++) {
            kit_element *element = &kit->ports[p].elements[e];
            element->out = hd_engine_link_out(kit->engine, kit->block, p, e);
            element->in = hd_engine_link_in(kit->engine, kit->block, p, e);
            if (element->out)
                hd_link_set_user(element->out, element);
            if (element->in)
                hd_link_set_user(element->in, element);
        }
}

typedef struct error_text {
    char *text;
    size_t bytes;
} error_text;

static void keep_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep_line(void *context, const char *format, ...)
{
    const error_text *error = context;
    const size_t used = strlen(error->text);
    va_list arguments;
    va_start(arguments, format);
    if (used + 2 < error->bytes) {
        if (used)
            strcat(error->text, "\n");
        vsnprintf(error->text + used + !!used, error->bytes - used - !!used, format, arguments);
    }
    va_end(arguments);
}

uint32_t kit_try_start(kit_block *kit, char *error, size_t error_bytes)
{
    if (kit->started)
        return 1;
    error[0] = 0;
    if (kit->parameter_error[0]) {
        snprintf(error, error_bytes, "%s", kit->parameter_error);
        return 0;
    }
    hd_engine_provide(kit->engine, HD_EXTENSION_ADDRESS_MAP, &kit->address_map);
    for (uint32_t i = 0; i < kit->endpoint; i++)
        hd_engine_add_block(kit->engine, &kit_placeholder, "placeholder", i, kit->endpoint, kit->clock, NULL);
    kit->block =
        hd_engine_add_block(kit->engine, kit->block_class, kit->name, kit->index, kit->count, kit->clock, kit->values);
    if (kit->other_clock.hz)
        hd_engine_add_block(kit->engine, &kit_placeholder, "other clock", 0, 1, kit->other_clock, NULL);
    if (kit->memory && !(kit->block_class->flags & HD_BLOCK_DIRECT))
        hd_engine_add_block(kit->engine, &kit->direct, "direct", 0, 1, kit->clock, NULL);
    bind_ports(kit);
    join_taps(kit);
    for (uint32_t i = 0; i < kit->tap_count; i++)
        hd_engine_add_tap(kit->engine, kit->block, kit->taps[i].port, kit->taps[i].element, kit->taps[i].tap,
                          kit->taps[i].context);
    error_text text = {error, error_bytes};
    const hd_text_sink sink = {.context = &text, .line = keep_line};
    kit_observe(kit);
    kit->started = 1;
    if (hd_engine_elaborate(kit->engine, &sink))
        return 0;
    find_links(kit);
    hd_engine_disturb(kit->engine, kit->disturbance);
    kit_reset(kit);
    return 1;
}

void kit_start(kit_block *kit)
{
    char error[1024];
    if (!kit_try_start(kit, error, sizeof error))
        kit_die("%s/%s refused: %s", kit->block_class->kind, kit->block_class->type, error);
}

uint32_t kit_refuses(const hd_block_class *block_class, const char *const *parameters, char *error, size_t error_bytes)
{
    kit_block *kit = kit_create(block_class, parameters);
    const uint32_t refused = !kit_try_start(kit, error, error_bytes);
    kit_destroy(kit);
    return refused;
}

void kit_reset(kit_block *kit)
{
    kit_start(kit);
    kit_empty_queues(kit);
    kit_clear_results(kit);
    kit_clear_memory(kit);
    hd_engine_reset(kit->engine, kit->seed);
}

void kit_disturb(kit_block *kit, uint64_t seed)
{
    kit->disturbance = seed;
    if (kit->started)
        hd_engine_disturb(kit->engine, seed);
}
