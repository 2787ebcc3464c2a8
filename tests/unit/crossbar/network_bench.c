/* SPDX-License-Identifier: MIT */
#include "network_bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUND 4000u /* packets */
#define ENDPOINTS (NETWORK_ELEMENTS * NETWORK_UNITS)

void setting_add(network_setting *setting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(setting->text[setting->count], sizeof setting->text[0], format, arguments);
    va_end(arguments);
    setting->list[setting->count] = setting->text[setting->count];
    setting->list[++setting->count] = NULL;
}

static uint32_t below(uint64_t *random, uint32_t bound)
{
    return (uint32_t)(kit_random(random) % bound);
}

static void add_common(network_setting *setting, uint64_t *random)
{
    setting_add(setting, "flit_bytes=%u B", 1 + below(random, 64));
    setting_add(setting, "virtual_channels=%u", 1 + below(random, 2) * below(random, 4));
    setting_add(setting, "channel_by=%s", below(random, 2) ? "unit" : "class");
}

void random_ideal(network_setting *setting, uint64_t *random)
{
    add_common(setting, random);
    setting_add(setting, "latency=%u cycles", 1 + below(random, 30));
    setting_add(setting, "queues=%s", below(random, 2) ? "fifo" : "virtual_output");
    setting_add(setting, "queue_depth=%u", 1 + below(random, 12));
    setting_add(setting, "inputs_per_port=%u", 1 + below(random, 4));
    setting_add(setting, "port_sharing=%s", below(random, 2) ? "neighbours" : "stride");
    setting_add(setting, "multicast_fanout=%u", 1 + below(random, 5));
}

void random_crossbar(network_setting *setting, uint64_t *random)
{
    random_ideal(setting, random);
    setting_add(setting, "outputs_per_port=%u", 1 + below(random, 4));
    setting_add(setting, "input_speedup=%u", 1 + below(random, 4));
}

void random_islip(network_setting *setting, uint64_t *random)
{
    random_crossbar(setting, random);
    setting_add(setting, "iterations=%u", 1 + below(random, 4));
}

/* ---- Units */

static uint32_t unit_endpoint(void *context, uint32_t endpoint, uint32_t unit)
{
    (void)context;
    return endpoint + unit * NETWORK_ELEMENTS;
}

void network_provide_units(kit_block *kit)
{
    static const hd_units units = {NULL, unit_endpoint};
    kit_provide(kit, HD_EXTENSION_UNITS, &units);
}

/* ---- A round */

typedef struct round {
    kit_block *kit;
    uint32_t inputs, outputs, endpoints; /* of unit 0 */
    uint32_t element[ENDPOINTS];         /* output that leads to it */
    uint32_t *expected[NETWORK_ELEMENTS][ENDPOINTS];
    uint32_t put[NETWORK_ELEMENTS][ENDPOINTS], got[NETWORK_ELEMENTS][ENDPOINTS];
    uint64_t copies;
} round_state;

static void connect_all(round_state *round, uint64_t *random)
{
    for (uint32_t i = 0; i < round->inputs; i++)
        kit_connect(round->kit, INPUT, i, 1 + below(random, 4), 1 + below(random, 12));
    for (uint32_t i = 0; i < round->outputs; i++)
        kit_connect(round->kit, OUTPUT, i, 1 + below(random, 4), 1 + below(random, 12));
    for (uint32_t e = 0; e < ENDPOINTS; e++) {
        round->element[e] = below(random, round->outputs);
        kit_route(round->kit, OUTPUT, e, round->element[e]);
    }
    network_provide_units(round->kit);
}

static hd_packet *random_packet(round_state *round, uint32_t source, uint32_t id, uint64_t *random)
{
    hd_packet *packet = kit_packet(round->kit, "test.packet/1", 8);
    packet->source = (uint16_t)source;
    packet->unit = below(random, NETWORK_UNITS);
    packet->destination = (uint16_t)below(random, round->endpoints);
    packet->wire_bytes = below(random, 8) ? below(random, 200) : 1;
    packet->traffic_class = below(random, HD_CLASS_COUNT + 1);
    packet->tag = id;
    memcpy(hd_body(packet), &packet->tag, 8);
    if (below(random, 4) == 0)
        packet->destination_set = kit_random(random) & ((UINT64_C(1) << (round->endpoints - packet->destination)) - 1);
    return packet;
}

static void expect(round_state *round, const hd_packet *packet, uint32_t id)
{
    const uint64_t set = packet->destination_set ? packet->destination_set : 1;
    for (uint64_t bits = set; bits; bits &= bits - 1) {
        const uint32_t destination = packet->destination + (uint32_t)__builtin_ctzll(bits);
        const uint32_t endpoint = destination + packet->unit * NETWORK_ELEMENTS;
        uint32_t **ids = &round->expected[packet->source][endpoint];
        uint32_t *count = &round->put[packet->source][endpoint];
        if ((*count & (*count - 1)) == 0)
            *ids = realloc(*ids, (*count ? 2 * *count : 1) * sizeof **ids);
        (*ids)[(*count)++] = id;
        round->copies++;
    }
}

static uint32_t check(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    round_state *round = context;
    (void)port;
    (void)t;
    const uint64_t set = packet->destination_set ? packet->destination_set : 1;
    uint64_t body;
    memcpy(&body, hd_body(packet), 8);
    cr_assert_eq(body, packet->tag);
    for (uint64_t bits = set; bits; bits &= bits - 1) {
        const uint32_t endpoint =
            packet->destination + (uint32_t)__builtin_ctzll(bits) + packet->unit * NETWORK_ELEMENTS;
        uint32_t *got = &round->got[packet->source][endpoint];
        cr_assert_eq(round->element[endpoint], element);
        cr_assert_lt(*got, round->put[packet->source][endpoint], "a packet too many");
        cr_assert_eq(packet->tag, round->expected[packet->source][endpoint][(*got)++], "out of order");
        round->copies--;
    }
    kit_free(kit, packet);
    return 1;
}

static void random_back_pressure(round_state *round, uint64_t *random, hd_time t)
{
    const uint32_t which = below(random, round->outputs);
    kit_run_until(round->kit, t);
    kit_hold_credits(round->kit, OUTPUT, which, below(random, 2));
    kit_release_credits(round->kit, OUTPUT, which, below(random, 4), t);
}

static void drain(round_state *round, hd_time t)
{
    for (uint32_t i = 0; i < round->outputs; i++) {
        kit_hold_credits(round->kit, OUTPUT, i, 0);
        kit_release_credits(round->kit, OUTPUT, i, UINT32_MAX, kit_now(round->kit));
    }
    kit_run_until(round->kit, t + UINT64_C(100000000) * CYCLE);
}

static void run_round(const hd_block_class *type, random_setting *setting_of, uint64_t seed)
{
    network_setting setting = {.count = 0};
    uint64_t random = seed;
    setting_of(&setting, &random);
    round_state round = {.kit = kit_create(type, setting.list)};
    round.inputs = 1 + below(&random, NETWORK_ELEMENTS);
    round.outputs = 1 + below(&random, NETWORK_ELEMENTS);
    round.endpoints = 1 + below(&random, NETWORK_ELEMENTS);
    connect_all(&round, &random);
    kit_respond(round.kit, check, &round);
    hd_time t = 0;
    for (uint32_t id = 0; id < ROUND; id++) {
        const uint32_t input = below(&random, round.inputs);
        hd_packet *packet = random_packet(&round, input, id, &random);
        expect(&round, packet, id);
        kit_send(round.kit, INPUT, input, packet, t);
        if (below(&random, 16) == 0)
            random_back_pressure(&round, &random, t += 1 + kit_random(&random) % 60000);
    }
    drain(&round, t);
    cr_assert_eq(round.copies, 0, "%s, round of seed %llu: %llu packets are lost", type->type, (unsigned long long)seed,
                 (unsigned long long)round.copies);
    cr_assert_eq(kit_next(round.kit), HD_NEVER);
    kit_destroy(round.kit);
    for (uint32_t i = 0; i < NETWORK_ELEMENTS; i++)
        for (uint32_t e = 0; e < ENDPOINTS; e++)
            free(round.expected[i][e]);
}

uint64_t network_stress(const hd_block_class *type, random_setting *random, uint64_t seed, uint64_t packets)
{
    uint64_t done = 0;
    for (uint64_t round = 0; round * ROUND < packets; round++) {
        const uint64_t at = seed + round * UINT64_C(0x9E3779B97F4A7C15);
        printf("%s seed %llu\n", type->type, (unsigned long long)at);
        run_round(type, random, at);
        done += ROUND;
    }
    return done;
}

uint64_t network_packets(uint64_t few)
{
    const char *text = getenv("HEDDLE_NETWORK_PACKETS");
    return text ? strtoull(text, NULL, 10) : few;
}
