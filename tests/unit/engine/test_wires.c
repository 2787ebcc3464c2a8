/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_message.h"
#include "network.h"
#include "probe.h"

#define NETWORKS 25u

Test(wires, carried_by_the_outside_gives_the_same_to_the_bit)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        uint64_t results[3];
        for (uint32_t wires = WIRE_NONE; wires <= WIRE_SOME; wires++) {
            hd_engine *engine = network_random(seed, wires);
            results[wires] = network_run(engine);
            cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
            hd_engine_destroy(engine);
        }
        cr_expect_eq(results[WIRE_ALL], results[WIRE_NONE], "network %llu", (unsigned long long)seed);
        cr_expect_eq(results[WIRE_SOME], results[WIRE_NONE], "network %llu", (unsigned long long)seed);
    }
}

Test(wires, the_same_under_disturbance)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *ring = network_random(seed, WIRE_NONE);
        hd_engine *wire = network_random(seed, WIRE_SOME);
        hd_engine_disturb(wire, seed * 77 + 1);
        cr_expect_eq(network_run(ring), network_run(wire), "network %llu", (unsigned long long)seed);
        hd_engine_destroy(ring);
        hd_engine_destroy(wire);
    }
}

/* One source whose far end is the test. */
static hd_engine *lone_source(uint32_t credits)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t source =
        network_add(engine, &example_source, "source", 1000000000, (const char *[]){"packets=3", "gap=1 cycle", NULL});
    network_link(engine, source, 0, 0, HD_FOREIGN, 0, 0, 2000, 3000, credits);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    return engine;
}

Test(wires, the_engine_waits_for_the_outside_at_the_arrival_time)
{
    hd_engine *engine = lone_source(8);
    hd_wire_event event;
    hd_time next = 0;
    for (int i = 0; i < 20; i++)
        next = hd_engine_step(engine, HD_NEVER);
    cr_expect_eq(next, 2000);
    cr_expect_eq(hd_engine_wire_next(engine), 2000);
    cr_expect_leq(hd_engine_now(engine), 2000);
    cr_expect_eq(hd_engine_wire_take(engine, 1999, &event), 0);
    cr_assert_eq(hd_engine_wire_take(engine, 2000, &event), 1);
    cr_expect_eq(event.t, 2000);
    cr_expect_eq(event.packet->tag, 0);
    cr_expect_eq(hd_link_receiver(event.link).block, HD_FOREIGN);
    hd_engine_free(engine, event.packet);
    cr_expect_eq(hd_engine_wire_next(engine), 3000);
    hd_engine_destroy(engine);
}

Test(wires, a_foreign_receiver_gives_credits_back_and_the_sender_wakes)
{
    hd_engine *engine = lone_source(1);
    hd_link *link = hd_engine_link_out(engine, 0, 0, 0);
    hd_wire_event event;
    for (uint32_t i = 0; i < 3; i++) {
        while (hd_engine_step(engine, HD_NEVER) != hd_engine_wire_next(engine))
            continue;
        cr_assert(hd_engine_wire_take(engine, HD_NEVER - 1, &event));
        cr_expect_eq(event.packet->tag, i);
        cr_expect_eq(event.t, 2000 + i * 12000);
        hd_engine_free(engine, event.packet);
        cr_expect_eq(hd_engine_step(engine, HD_NEVER), HD_NEVER, "starved");
        cr_expect_eq(hd_link_deliver_credit(link, event.t + 10000), 1);
        cr_expect_eq(hd_link_deliver_credit(link, event.t + 10000), 0, "only one is outstanding");
    }
    hd_engine_destroy(engine);
}

Test(wires, a_foreign_sender_is_held_to_its_credits_and_to_the_order_of_time)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t sink = network_add(engine, &example_sink, "sink", 1000000000, NULL);
    network_link(engine, HD_FOREIGN, 0, 0, sink, EXAMPLE_SINK_IN, 0, 1000, 5000, 2);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_link *link = hd_engine_link_in(engine, sink, EXAMPLE_SINK_IN, 0);
    cr_expect_eq(hd_link_outside_credits(link), 2);
    hd_packet *packets[3];
    for (uint32_t i = 0; i < 3; i++)
        packets[i] = hd_engine_alloc(engine, 16);
    cr_expect_eq(hd_link_deliver(link, packets[0], 4000), 1);
    cr_expect_eq(hd_link_deliver(link, packets[1], 3999), 0, "would overtake");
    cr_expect_eq(hd_link_deliver(link, packets[1], 4000), 1);
    cr_expect_eq(hd_link_deliver(link, packets[2], 4000), 0, "no credit left");
    hd_wire_event event;
    while (hd_engine_step(engine, HD_NEVER) != hd_engine_wire_next(engine))
        continue;
    cr_assert(hd_engine_wire_take(engine, HD_NEVER - 1, &event));
    cr_expect_null(event.packet);
    cr_expect_eq(event.t, 9000, "taken at 4000, credit latency 5000");
    cr_expect_eq(hd_link_outside_credits(link), 1);
    cr_expect_eq(hd_link_deliver(link, packets[2], 1000), 0, "past");
    cr_expect_eq(hd_link_deliver(link, packets[2], 9000), 1);
    cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
    hd_engine_destroy(engine);
}

/* It has taken nothing before, at whatever time. */
static hd_time takes_before_it_promised(probe *self, hd_time now, hd_time horizon)
{
    (void)horizon;
    cr_expect_null(self->services->pop(self->services->context, self->in[0], now));
    return HD_NEVER;
}

static hd_time promises_5000(probe *self, hd_time now)
{
    (void)self;
    return now + 5000;
}

Test(wires, taking_what_has_come_at_the_beginning_earlier_than_promised_is_a_fault)
{
    static const probe_script script = {.advance = takes_before_it_promised, .promise = promises_5000};
    hd_engine *engine = hd_engine_create();
    const uint32_t receiver = probe_add(engine, "receiver");
    network_link(engine, HD_FOREIGN, 0, 0, receiver, PROBE_IN, 0, 1000, 3000, 1);
    probe_start(engine, &script);
    cr_assert(hd_link_deliver(hd_engine_link_in(engine, receiver, PROBE_IN, 0), hd_engine_alloc(engine, 0), 0));
    hd_engine_run(engine, 100000);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_assert(fault);
    cr_expect_str_eq(fault, "receiver takes a packet from port in[0] earlier than it promised");
    hd_engine_destroy(engine);
}

Test(wires, events_come_in_order_of_time_then_link_then_packets_first)
{
    hd_engine *engine = network_random(11, WIRE_ALL);
    hd_time last = 0;
    for (hd_time next; (next = hd_engine_step(engine, HD_NEVER)) != HD_NEVER;) {
        hd_wire_event event;
        if (next != hd_engine_wire_next(engine))
            continue;
        cr_assert(hd_engine_wire_take(engine, next, &event));
        cr_expect_geq(event.t, last);
        cr_expect_geq(event.t, hd_engine_now(engine), "the engine never runs past what the outside has yet to carry");
        last = event.t;
        if (event.packet)
            cr_assert(hd_link_deliver(event.link, event.packet, event.t));
        else
            cr_assert(hd_link_deliver_credit(event.link, event.t));
    }
    hd_engine_destroy(engine);
}

/* ---- Bytes on a memory link ---------------------------------------------------------------------------------------- */

typedef struct seen_bytes {
    hd_engine *engine;
    uint64_t read, written;
} seen_bytes;

static void see_request(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet,
                        hd_time t)
{
    seen_bytes *seen = context;
    (void)port, (void)element, (void)t;
    if (block != 0)
        return;
    const int is_read = packet->message == hd_engine_message(seen->engine, HD_MEMORY_READ);
    *(is_read ? &seen->read : &seen->written) += packet->argument;
}

Test(wires, bytes_that_requests_ask_for_are_counted_on_a_link_that_shall)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t requester = network_add(engine, &example_requester, "requester", 1000000000, NULL);
    const uint32_t memory = network_add(engine, &example_memory, "memory", 1000000000, NULL);
    network_link(engine, requester, EXAMPLE_REQUESTER_MEMORY, 0, memory, EXAMPLE_MEMORY_HOST, 0, 1000, 1000, 2);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_link *link = hd_engine_link_out(engine, requester, EXAMPLE_REQUESTER_MEMORY, 0);
    seen_bytes seen = {.engine = engine};
    hd_engine_observe(engine, &(hd_observer){.context = &seen, .sent = see_request});
    hd_engine_reset(engine, 1);
    hd_engine_run(engine, 50000);
    cr_expect_eq(hd_link_bytes_of(link).read + hd_link_bytes_of(link).written, 0, "nobody asked for it");
    hd_link_count_bytes(link);
    seen.read = seen.written = 0;
    hd_engine_run(engine, 10000000);
    cr_expect_gt(seen.read, 0);
    cr_expect_gt(seen.written, 0);
    cr_expect_eq(hd_link_bytes_of(link).read, seen.read);
    cr_expect_eq(hd_link_bytes_of(link).written, seen.written);
    hd_engine_reset(engine, 1);
    cr_expect_eq(hd_link_bytes_of(link).read, 0);
    hd_engine_destroy(engine);
}

/* Over wires or not, each once. */
Test(wires, bytes_are_the_same_whoever_carries_requests)
{
    uint64_t bytes[2] = {0};
    for (uint32_t wires = WIRE_NONE; wires <= WIRE_ALL; wires++) {
        hd_engine *engine = network_random(1, wires);
        for (uint32_t b = 0; b < hd_engine_block_count(engine); b++)
            if (hd_engine_block_class(engine, b) == &example_requester)
                hd_link_count_bytes(hd_engine_link_out(engine, b, EXAMPLE_REQUESTER_MEMORY, 0));
        network_run(engine);
        for (uint32_t b = 0; b < hd_engine_block_count(engine); b++)
            if (hd_engine_block_class(engine, b) == &example_requester)
                bytes[wires] += hd_link_bytes_of(hd_engine_link_out(engine, b, EXAMPLE_REQUESTER_MEMORY, 0)).read;
        hd_engine_destroy(engine);
    }
    cr_expect_gt(bytes[WIRE_NONE], 0);
    cr_expect_eq(bytes[WIRE_ALL], bytes[WIRE_NONE]);
}

Test(wires, bytes_that_the_outside_asks_for_are_counted_too)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t memory = network_add(engine, &example_memory, "memory", 1000000000, NULL);
    const hd_link_timing timing = {.latency = 1000, .credit_latency = 1000, .credits = 2};
    hd_engine_add_link(engine, &(hd_binding){.from_block = HD_FOREIGN,
                                             .to_block = memory,
                                             .to_port = EXAMPLE_MEMORY_HOST,
                                             .request = timing,
                                             .response = timing});
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_engine_reset(engine, 1);
    hd_link *link = hd_engine_link_in(engine, memory, EXAMPLE_MEMORY_HOST, 0);
    hd_link_count_bytes(link);
    for (uint32_t i = 0; i < 3; i++) {
        hd_packet *request = hd_engine_alloc(engine, 0);
        request->message = hd_engine_message(engine, HD_MEMORY_READ);
        request->argument = 24;
        if (!hd_link_deliver(link, request, 1000)) /* the third comes without a credit */
            hd_engine_free(engine, request);
    }
    cr_expect_eq(hd_link_bytes_of(link).read, 48);
    cr_expect_eq(hd_link_bytes_of(link).written, 0);
    hd_engine_destroy(engine);
}
