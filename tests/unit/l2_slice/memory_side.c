/* SPDX-License-Identifier: MIT */
#include "memory_side.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compose.h"
#include "crossbar.h"
#include "dram.h"
#include "host_bus.h"
#include "l2_slice.h"
#include "network_bridge.h"
#include "tile_fabric.h"

enum { REQUESTER_ENDPOINT = 32 };
enum { CROSSBAR_INPUT, CROSSBAR_OUTPUT };
enum { SLICE_REQUEST, SLICE_REPLY, SLICE_MEMORY };
enum { DRAM_ACCESS };
enum { BUS_INITIATOR, BUS_TARGET };
enum { FABRIC_WAYS = 2 }; /* to memory */
enum { BRIDGE_MEMORY, BRIDGE_REQUEST, BRIDGE_REPLY };

static const hd_clock core_clock = {UINT64_C(1400000000)};
static const hd_clock slice_clock = {UINT64_C(700000000)};
static const hd_clock memory_clock = {UINT64_C(924000000)};

static uint32_t add_of(struct memory_side *side, const hd_block_class *block_class, const char *name, uint32_t index,
                       uint32_t count, hd_clock clock, const char *const *parameters)
{
    hd_value values[64];
    kit_values(block_class, parameters, values);
    return hd_engine_add_block(side->engine, block_class, name, index, count, clock, values);
}

static uint32_t add_one(struct memory_side *side, const hd_block_class *block_class, const char *name,
                        const char *const *parameters)
{
    return add_of(side, block_class, name, 0, 1, core_clock, parameters);
}

/* A link with the latency and credits that the declarations give it. */
static hd_link_timing timing(hd_clock from, uint32_t credits)
{
    const hd_time cycle = hd_clock_cycles(from, 1);
    return (hd_link_timing){.latency = cycle, .credit_latency = cycle, .credits = credits};
}

static void bind_port(struct memory_side *side, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                      uint32_t to_port, uint32_t to_element, hd_clock clock, uint32_t credits)
{
    const hd_binding binding = {.from_block = from,
                                .from_port = from_port,
                                .from_element = from_element,
                                .to_block = to,
                                .to_port = to_port,
                                .to_element = to_element,
                                .request = timing(clock, credits),
                                .response = timing(memory_clock, credits)};
    hd_engine_add_link(side->engine, &binding);
}

static void add_blocks(struct memory_side *side, const memory_side_form *form)
{
    side->request_network = add_one(side, form->network, "request_network", form->network_parameters);
    side->reply_network = add_one(side, form->network, "reply_network", form->network_parameters);
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        side->slice_endpoints[i] =
            add_of(side, side->slice_class, "l2", i, PARTITIONS, slice_clock, form->slice_parameters);
        const uint32_t channel = add_of(side, &hd_dram_banked, "dram", i, PARTITIONS, memory_clock, NULL);
        side->slices = i ? side->slices : side->slice_endpoints[0];
        side->channels = i ? side->channels : channel;
    }
    side->bus = add_one(side, &hd_host_bus_decoder, "bus", NULL);
    side->bridge = add_one(side, &hd_network_bridge_lines, "bridge", NULL);
    side->fabric = form->fabric_parameters
                       ? add_one(side, &hd_tile_fabric_reconfigurable, "fabric", form->fabric_parameters)
                       : HD_FOREIGN;
}

static uint32_t is_pe(const struct memory_side *side, uint32_t requester)
{
    return side->fabric != HD_FOREIGN && requester < MEMORY_SIDE_PES;
}

/* The ports of both networks that the requester has, if it is no PE. */
static uint32_t network_element(const struct memory_side *side, uint32_t requester)
{
    return side->fabric == HD_FOREIGN ? requester : requester - MEMORY_SIDE_PES + FABRIC_WAYS;
}

/* All there is lies behind the bridge. */
static uint32_t bus_windows(void *context, uint32_t endpoint, uint32_t port, hd_bus_window *windows, uint32_t capacity)
{
    (void)context, (void)endpoint, (void)port, (void)capacity;
    windows[0] = (hd_bus_window){.last = UINT64_MAX};
    return 1;
}

static void add_way_by_bus(struct memory_side *side)
{
    bind_port(side, HD_FOREIGN, 0, 0, side->bus, BUS_INITIATOR, 0, core_clock, 8);
    bind_port(side, side->bus, BUS_TARGET, 0, side->bridge, BRIDGE_MEMORY, 0, core_clock, 8);
    const uint32_t element = network_element(side, MEMORY_SIDE_BUS);
    bind_port(side, side->bridge, BRIDGE_REQUEST, 0, side->request_network, CROSSBAR_INPUT, element, core_clock, 8);
    bind_port(side, side->reply_network, CROSSBAR_OUTPUT, element, side->bridge, BRIDGE_REPLY, 0, core_clock, 8);
}

static void add_fabric_ways(struct memory_side *side)
{
    for (uint32_t i = 0; i < FABRIC_WAYS; i++) {
        bind_port(side, side->fabric, TILE_FABRIC_MEMORY, i, side->request_network, CROSSBAR_INPUT, i, core_clock, 8);
        bind_port(side, side->reply_network, CROSSBAR_OUTPUT, i, side->fabric, TILE_FABRIC_FILL, i, core_clock, 64);
    }
}

static void add_requester(struct memory_side *side, uint32_t requester)
{
    const uint32_t by = is_pe(side, requester), element = by ? requester : network_element(side, requester);
    bind_port(side, HD_FOREIGN, 0, 0, by ? side->fabric : side->request_network,
              by ? TILE_FABRIC_REQUEST : CROSSBAR_INPUT, element, core_clock, 8);
    bind_port(side, by ? side->fabric : side->reply_network, by ? TILE_FABRIC_REPLY : CROSSBAR_OUTPUT, element,
              HD_FOREIGN, 0, 0, core_clock, 8);
}

static void add_routes(struct memory_side *side, uint32_t requester)
{
    if (is_pe(side, requester))
        return;
    hd_engine_set_route(side->engine, side->reply_network, CROSSBAR_OUTPUT, REQUESTER_ENDPOINT + requester,
                        network_element(side, requester));
    for (uint32_t p = 0; p < PARTITIONS; p++)
        hd_engine_set_route(side->engine, side->slice_endpoints[p], SLICE_REPLY, REQUESTER_ENDPOINT + requester, 0);
}

static void add_links(struct memory_side *side)
{
    for (uint32_t i = 0; i < REQUESTERS; i++)
        add_requester(side, i);
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        const uint32_t slice = side->slice_endpoints[i];
        bind_port(side, side->request_network, CROSSBAR_OUTPUT, i, slice, SLICE_REQUEST, 0, core_clock, 16);
        bind_port(side, slice, SLICE_REPLY, 0, side->reply_network, CROSSBAR_INPUT, i, slice_clock, 8);
        bind_port(side, slice, SLICE_MEMORY, 0, slice + 1, DRAM_ACCESS, 0, slice_clock, 8);
    }
    for (uint32_t i = 0; i < REQUESTERS; i++)
        add_routes(side, i);
}

struct memory_side *memory_side_make_as(const memory_side_form *form, on_reply *function, void *context)
{
    struct memory_side *side = calloc(1, sizeof *side);
    side->engine = hd_engine_create();
    side->slice_class = kit_compose(form->slice ? form->slice : &hd_l2_slice_write_back);
    side->on_reply = function;
    side->context = context;
    side->map = (hd_address_map){.partitions = PARTITIONS, .interleave_bytes = 256, .endpoints = side->slice_endpoints};
    static const hd_bus_map bus_map = {.windows = bus_windows};
    hd_engine_provide(side->engine, HD_EXTENSION_ADDRESS_MAP, &side->map);
    hd_engine_provide(side->engine, HD_EXTENSION_BUS_MAP, &bus_map);
    add_blocks(side, form);
    add_links(side);
    add_way_by_bus(side);
    if (side->fabric != HD_FOREIGN)
        add_fabric_ways(side);
    cr_assert_eq(hd_engine_elaborate(side->engine, NULL), 0);
    hd_engine_reset(side->engine, 1);
    return side;
}

struct memory_side *memory_side_make(on_reply *function, void *context)
{
    return memory_side_make_as(&(memory_side_form){.network = &hd_crossbar_round_robin}, function, context);
}

void memory_side_destroy(struct memory_side *side)
{
    hd_engine_destroy(side->engine);
    units_release(side->slice_class);
    free(side);
}

hd_packet *memory_side_packet(struct memory_side *side, uint32_t requester, const char *message, uint64_t address,
                              uint32_t argument, uint32_t body_bytes)
{
    hd_packet *packet = hd_engine_alloc(side->engine, body_bytes);
    memset(hd_body(packet), 0, body_bytes);
    packet->message = hd_engine_message(side->engine, message);
    packet->source = (uint16_t)(REQUESTER_ENDPOINT + requester);
    packet->destination = (uint16_t)side->map.endpoints[hd_partition_of(&side->map, address)];
    packet->address = address;
    packet->argument = argument;
    packet->body_bytes = body_bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

static hd_link *request_link(struct memory_side *side, uint32_t requester)
{
    if (requester == MEMORY_SIDE_BUS)
        return hd_engine_link_in(side->engine, side->bus, BUS_INITIATOR, 0);
    if (is_pe(side, requester))
        return hd_engine_link_in(side->engine, side->fabric, TILE_FABRIC_REQUEST, requester);
    return hd_engine_link_in(side->engine, side->request_network, CROSSBAR_INPUT, network_element(side, requester));
}

/* Whose end it is on this side of the link. */
static uint32_t requester_of(const struct memory_side *side, hd_link_end end)
{
    const uint32_t is_network = end.block == side->request_network || end.block == side->reply_network;
    return end.element + (is_network && side->fabric != HD_FOREIGN ? MEMORY_SIDE_PES - FABRIC_WAYS : 0);
}

uint32_t memory_side_credits(struct memory_side *side, uint32_t requester)
{
    return hd_link_outside_credits(request_link(side, requester));
}

uint32_t memory_side_send(struct memory_side *side, uint32_t requester, hd_packet *packet, hd_time t)
{
    return hd_link_deliver(request_link(side, requester), packet, t + hd_clock_cycles(core_clock, 1));
}

hd_time memory_side_run(struct memory_side *side)
{
    hd_time last = 0;
    for (;;) {
        const hd_time next = hd_engine_step(side->engine, HD_NEVER);
        cr_assert_null(hd_engine_fault(side->engine, NULL, NULL), "%s", hd_engine_fault(side->engine, NULL, NULL));
        if (next == HD_NEVER)
            return last;
        hd_wire_event event;
        while (hd_engine_wire_next(side->engine) == next && hd_engine_wire_take(side->engine, next, &event)) {
            last = event.t;
            if (!event.packet) {
                side->on_reply(side, requester_of(side, hd_link_receiver(event.link)), NULL, event.t);
                continue;
            }
            cr_assert(hd_link_deliver_credit(event.link, event.t + hd_clock_cycles(core_clock, 1)));
            side->on_reply(side, requester_of(side, hd_link_sender(event.link)), event.packet, event.t);
            hd_engine_free(side->engine, event.packet);
        }
    }
}

uint64_t memory_side_statistic(struct memory_side *side, uint32_t first, uint32_t count, const char *name)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t block = first + 2 * i;
        const hd_block_class *block_class = hd_engine_block_class(side->engine, block);
        uint32_t found = 0;
        for (uint32_t s = 0; s < block_class->statistic_count; s++) {
            if (strcmp(block_class->statistics[s].name, name) == 0) {
                sum += hd_engine_counters(side->engine, block)[s];
                found = 1;
            }
        }
        cr_assert(found, "no statistic %s", name);
    }
    return sum;
}
