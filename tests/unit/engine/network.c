/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t network_add(hd_engine *engine, const hd_block_class *block_class, const char *name, uint64_t hz,
                     const char *const *parameters)
{
    hd_value values[16];
    kit_values(block_class, parameters, values);
    return hd_engine_add_block(engine, block_class, name, 0, 1, (hd_clock){hz}, values);
}

void network_link(hd_engine *engine, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to,
                  uint32_t to_port, uint32_t to_element, hd_time latency, hd_time credit_latency, uint32_t credits)
{
    const hd_link_timing timing = {.latency = latency, .credit_latency = credit_latency, .credits = credits};
    hd_engine_add_link(engine, &(hd_binding){.from_block = from,
                                             .from_port = from_port,
                                             .from_element = from_element,
                                             .to_block = to,
                                             .to_port = to_port,
                                             .to_element = to_element,
                                             .request = timing,
                                             .response = timing});
}

typedef struct draw {
    hd_engine *engine;
    uint64_t state;
    uint32_t wires;
} draw;

static uint64_t below(draw *draw, uint64_t bound)
{
    return kit_random(&draw->state) % bound;
}

static uint64_t any_clock(draw *draw)
{
    static const uint64_t hz[] = {1000000000, 1400000000, 700000000, 924000000, 1001000000};
    return hz[below(draw, sizeof hz / sizeof *hz)];
}

static uint32_t add(draw *draw, const hd_block_class *block_class, const char *name, uint32_t index,
                    const char *const *parameters)
{
    char text[64];
    snprintf(text, sizeof text, "%s[%u]", name, index);
    return network_add(draw->engine, block_class, text, any_clock(draw), parameters);
}

static hd_link_timing any_timing(draw *draw, uint32_t sender)
{
    const hd_clock clock = hd_engine_block_clock(draw->engine, sender);
    return (hd_link_timing){.latency = hd_clock_cycles(clock, 1 + below(draw, 6)),
                            .credit_latency = hd_clock_cycles(clock, 1 + below(draw, 6)),
                            .credits = 1 + (uint32_t)below(draw, 4),
                            .is_perturbed = 1};
}

static void link(draw *draw, uint32_t from, uint32_t from_port, uint32_t from_element, uint32_t to, uint32_t to_port,
                 uint32_t to_element)
{
    hd_binding binding = {.from_block = from,
                          .from_port = from_port,
                          .from_element = from_element,
                          .to_block = to,
                          .to_port = to_port,
                          .to_element = to_element,
                          .request = any_timing(draw, from),
                          .response = any_timing(draw, to)};
    const uint32_t odd = (uint32_t)below(draw, 2);
    binding.wire = draw->wires == WIRE_ALL || (draw->wires == WIRE_SOME && odd);
    hd_engine_add_link(draw->engine, &binding);
}

hd_engine *network_random(uint64_t seed, uint32_t wires)
{
    return network_random_threads(seed, wires, 1);
}

hd_engine *network_random_threads(uint64_t seed, uint32_t wires, uint32_t threads)
{
    return network_perturbed(seed, wires, threads, 0, 0);
}

hd_engine *network_perturbed(uint64_t seed, uint32_t wires, uint32_t threads, uint64_t perturbation, hd_time delay)
{
    static const char *const intervals[] = {"interval=1 cycle", "interval=4 cycles", "interval=9 cycles"};
    static const char *const gaps[] = {"gap=1 cycle", "gap=5 cycles", "gap=200 cycles"};
    static const char *const mosts[] = {"most=3 cycles", "most=8 cycles", "most=40 cycles"};
    draw draw = {.engine = hd_engine_create(), .state = seed, .wires = wires};
    hd_engine_set_threads(draw.engine, threads);
    hd_engine_perturb(draw.engine, perturbation, delay);
    const uint32_t inputs = 1 + (uint32_t)below(&draw, 4);
    uint32_t sinks[4];
    for (uint32_t i = 0; i < 4; i++) /* endpoints 0 to 3 */
        sinks[i] = add(&draw, &example_sink, "sink", i, (const char *[]){intervals[below(&draw, 3)], NULL});
    uint32_t forwarders[3];
    for (uint32_t i = 0; i < 3; i++)
        forwarders[i] = add(&draw, &example_forwarder, "forwarder", i, NULL);
    for (uint32_t i = 0; i < inputs; i++) {
        const uint32_t source =
            add(&draw, &example_source, "source", i,
                (const char *[]){"packets=60", gaps[below(&draw, 3)], "first_destination=0", "destinations=4", NULL});
        const uint32_t delayer =
            add(&draw, &example_delayer, "delayer", i, (const char *[]){mosts[below(&draw, 3)], NULL});
        link(&draw, source, EXAMPLE_SOURCE_OUT, 0, delayer, EXAMPLE_DELAYER_IN, 0);
        link(&draw, delayer, EXAMPLE_DELAYER_OUT, 0, forwarders[0], EXAMPLE_FORWARDER_IN, i);
    }
    for (uint32_t i = 0; i < 2; i++) {
        link(&draw, forwarders[0], EXAMPLE_FORWARDER_OUT, i, forwarders[1 + i], EXAMPLE_FORWARDER_IN, 0);
        for (uint32_t j = 0; j < 2; j++)
            link(&draw, forwarders[1 + i], EXAMPLE_FORWARDER_OUT, j, sinks[2 * i + j], EXAMPLE_SINK_IN, 0);
        const uint32_t requester = add(&draw, &example_requester, "requester", i, NULL);
        const uint32_t memory = add(&draw, &example_memory, "memory", i, NULL);
        link(&draw, requester, EXAMPLE_REQUESTER_MEMORY, 0, memory, EXAMPLE_MEMORY_HOST, 0);
    }
    cr_assert_eq(hd_engine_elaborate(draw.engine, NULL), 0);
    hd_engine_reset(draw.engine, seed);
    return draw.engine;
}

typedef struct sent {
    hd_time t;
    uint32_t block;
    uint32_t sequence;
    uint64_t hash;
} sent;

typedef struct trace {
    sent *events;
    uint32_t count;
    uint32_t capacity;
} trace;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static void on_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    trace *trace = context;
    if (trace->count == trace->capacity) {
        trace->capacity = trace->capacity ? 2 * trace->capacity : 1024;
        trace->events = realloc(trace->events, trace->capacity * sizeof *trace->events);
    }
    uint64_t hash = mix(mix(mix(port, element), packet->tag), packet->address);
    const uint8_t *body = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->body_bytes; i++)
        hash = mix(hash, body[i]);
    trace->events[trace->count] = (sent){.t = t, .block = block, .sequence = trace->count, .hash = hash};
    trace->count++;
}

static int compare(const void *a, const void *b)
{
    const sent *left = a, *right = b;
    if (left->t != right->t)
        return left->t < right->t ? -1 : 1;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

static void carry(hd_engine *engine)
{
    hd_wire_event event;
    cr_assert(hd_engine_wire_take(engine, hd_engine_wire_next(engine), &event));
    if (event.packet)
        cr_assert(hd_link_deliver(event.link, event.packet, event.t));
    else
        cr_assert(hd_link_deliver_credit(event.link, event.t));
}

static void run_to_the_end(hd_engine *engine)
{
    for (hd_time next = 0; (next = hd_engine_step(engine, HD_NEVER)) != HD_NEVER;)
        if (next == hd_engine_wire_next(engine))
            carry(engine);
    const char *fault = hd_engine_fault(engine, NULL, NULL);
    cr_expect_null(fault, "%s", fault ? fault : "");
}

static uint64_t mix_blocks(uint64_t hash, const hd_engine *engine)
{
    for (uint32_t b = 0; b < hd_engine_block_count(engine); b++) {
        for (uint32_t i = 0; i < hd_engine_block_class(engine, b)->statistic_count; i++)
            hash = mix(hash, hd_engine_counters(engine, b)[i]);
        hash = mix(hash, hd_engine_random_state(engine, b));
    }
    return hash;
}

uint64_t network_run_unobserved(hd_engine *engine)
{
    run_to_the_end(engine);
    return mix_blocks(0, engine);
}

uint64_t network_run(hd_engine *engine)
{
    trace trace = {0};
    hd_engine_observe(engine, &(hd_observer){.context = &trace, .sent = on_sent});
    run_to_the_end(engine);
    qsort(trace.events, trace.count, sizeof *trace.events, compare);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < trace.count; i++)
        hash = mix(mix(mix(hash, trace.events[i].t), trace.events[i].block), trace.events[i].hash);
    hash = mix_blocks(hash, engine);
    free(trace.events);
    hd_engine_observe(engine, &(hd_observer){0});
    return hash;
}
