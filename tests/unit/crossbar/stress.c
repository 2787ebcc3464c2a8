/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <time.h>

enum { INPUTS = 6, OUTPUTS = 4 };

static void connect_ports(kit_block *kit)
{
    for (uint32_t i = 0; i < INPUTS; i++)
        kit_connect(kit, INPUT, i, 1 + i % 3, 2 + i);
    for (uint32_t i = 0; i < OUTPUTS; i++)
        kit_connect(kit, OUTPUT, i, 1 + i % 2, 1 + i);
}

/* Calls of several cycles, in which much happens at once. */
static void connect_long_links(kit_block *kit)
{
    for (uint32_t i = 0; i < INPUTS; i++)
        kit_connect(kit, INPUT, i, 10 + i, 12);
    for (uint32_t i = 0; i < OUTPUTS; i++)
        kit_connect(kit, OUTPUT, i, 10 + i, 2 + 4 * i);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t[INPUTS];
    for (uint32_t i = 0; i < INPUTS; i++)
        t[i] = kit_now(kit);
    for (uint32_t i = 0; i < 600; i++) {
        const uint32_t input = (uint32_t)(kit_random(&seed) % INPUTS);
        t[input] += kit_random(&seed) % 4 ? 0 : kit_random(&seed) % 20000;
        put(kit, input, (uint32_t)(kit_random(&seed) % OUTPUTS), 1 + (uint32_t)(kit_random(&seed) % 200), i, t[input]);
    }
}

enum { ROUND_ROBIN, IDEAL, ISLIP, TYPES };
static const hd_block_class *const types[TYPES] = {&hd_crossbar_round_robin, &hd_crossbar_ideal, &hd_crossbar_islip};

Test(crossbar, conforms)
{
    for (size_t i = 0; i < TYPES; i++)
        cr_expect_eq(kit_conformance(types[i], NULL, connect_ports, random_load), 0, "%s", types[i]->type);
}

Test(crossbar, conforms_with_a_long_pipeline_and_few_credits)
{
    const char *const parameters[] = {"latency=40 cycles", "flit_bytes=7 B", NULL};
    for (size_t i = 0; i < TYPES; i++)
        cr_expect_eq(kit_conformance(types[i], parameters, connect_ports, random_load), 0, "%s", types[i]->type);
}

/* Everything at once: queues, channels, shared ports, speed-up, sets of endpoints. */
static void rich_load(kit_block *kit, uint64_t seed)
{
    hd_time t[INPUTS];
    for (uint32_t i = 0; i < INPUTS; i++)
        t[i] = kit_now(kit);
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t input = (uint32_t)(kit_random(&seed) % INPUTS);
        hd_packet *packet = kit_packet(kit, "test.packet/1", 16);
        packet->destination_set = kit_random(&seed) % 3 ? 0 : kit_random(&seed) % (1 << OUTPUTS);
        packet->destination = packet->destination_set ? 0 : (uint16_t)(kit_random(&seed) % OUTPUTS);
        packet->wire_bytes = (uint32_t)(kit_random(&seed) % 200);
        packet->traffic_class = (uint32_t)(kit_random(&seed) % HD_CLASS_COUNT);
        t[input] += kit_random(&seed) % 4 ? 0 : kit_random(&seed) % 20000;
        kit_send(kit, INPUT, input, packet, t[input]);
    }
}

Test(crossbar, conforms_with_all_that_it_has)
{
    const char *const common[] = {"queues=virtual_output", "virtual_channels=3",  "channel_by=class",   "queue_depth=5",
                                  "inputs_per_port=2",     "port_sharing=stride", "multicast_fanout=3", NULL};
    const char *const more[] = {"queues=virtual_output", "virtual_channels=3", "channel_by=class",
                                "queue_depth=5",         "inputs_per_port=2",  "multicast_fanout=3",
                                "outputs_per_port=2",    "input_speedup=3",    NULL};
    const char *const fifo[] = {"virtual_channels=2", "channel_by=class", "queue_depth=2",
                                "multicast_fanout=2", "queues=fifo",      NULL};
    for (size_t i = 0; i < TYPES; i++) {
        cr_expect_eq(kit_conformance(types[i], i == IDEAL ? common : more, connect_ports, rich_load), 0, "%s",
                     types[i]->type);
        cr_expect_eq(kit_conformance(types[i], fifo, connect_long_links, rich_load), 0, "%s", types[i]->type);
    }
}

Test(crossbar, conforms_over_long_links)
{
    for (size_t i = 0; i < TYPES; i++)
        cr_expect_eq(kit_conformance(types[i], NULL, connect_long_links, random_load), 0, "%s", types[i]->type);
}

/* 20,000 packets against outputs that hold back their credits at random. */
static void deliver_under_stress(const hd_block_class *type, uint64_t seed)
{
    enum { PACKETS = 20000 };
    kit_block *kit = make_of(type, NULL, INPUTS, OUTPUTS, 4);
    uint64_t next_tag[INPUTS][OUTPUTS] = {{0}};
    uint64_t sent_bytes = 0;
    hd_time t = 0;
    for (uint32_t i = 0; i < PACKETS; i++) {
        const uint32_t input = (uint32_t)(kit_random(&seed) % INPUTS);
        const uint32_t output = (uint32_t)(kit_random(&seed) % OUTPUTS);
        const uint32_t bytes = 1 + (uint32_t)(kit_random(&seed) % 160);
        put(kit, input, output, bytes, next_tag[input][output]++, t);
        sent_bytes += bytes;
        if (kit_random(&seed) % 16)
            continue;
        t += 1 + kit_random(&seed) % 60000;
        const uint32_t which = (uint32_t)(kit_random(&seed) % OUTPUTS);
        kit_run_until(kit, t);
        kit_hold_credits(kit, OUTPUT, which, kit_random(&seed) % 2);
        kit_release_credits(kit, OUTPUT, which, (uint32_t)(kit_random(&seed) % 4), t);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        kit_hold_credits(kit, OUTPUT, i, 0);
        kit_release_credits(kit, OUTPUT, i, UINT32_MAX, kit_now(kit));
    }
    kit_run_until(kit, t + UINT64_C(1000000) * CYCLE);

    uint64_t expected[INPUTS][OUTPUTS] = {{0}};
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, PACKETS);
    for (uint32_t i = 0; i < count; i++) {
        const hd_packet *packet = &events[i].packet;
        cr_assert_eq(packet->destination, events[i].element);
        cr_assert_eq(packet->tag, expected[packet->source][packet->destination]++);
    }
    cr_expect_eq(kit_statistic(kit, "bytes.global"), sent_bytes);
    cr_expect_eq(kit_statistic(kit, "packets"), PACKETS);
    cr_expect_gt(kit_statistic(kit, "credit_stall_cycles"), 0);
    cr_expect_leq(kit_statistic(kit, "busy_cycles"), kit_statistic(kit, "flits"));
    cr_expect_eq(kit_next(kit), HD_NEVER);
    kit_destroy(kit);
}

Test(crossbar, delivers_every_packet_once_and_in_order_under_stress)
{
    const uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < TYPES; i++)
        deliver_under_stress(types[i], seed);
}

/* Where credits do not run out, no packet comes later than over arbiters. */
Test(crossbar, the_ideal_network_is_an_upper_bound)
{
    enum { PACKETS = 2000 };
    static hd_time received[2][PACKETS];
    const uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    hd_time last[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        uint64_t random = seed;
        hd_time t = 0;
        kit_block *kit = make_of(types[i], NULL, INPUTS, OUTPUTS, PACKETS);
        for (uint32_t k = 0; k < PACKETS; k++) {
            t += kit_random(&random) % 3000;
            put(kit, (uint32_t)(kit_random(&random) % INPUTS), (uint32_t)(kit_random(&random) % OUTPUTS),
                1 + (uint32_t)(kit_random(&random) % 136), k, t);
        }
        kit_run_until(kit, t + UINT64_C(100000) * CYCLE);
        uint32_t count;
        const kit_event *events = kit_trace(kit, &count);
        cr_assert_eq(count, PACKETS);
        for (uint32_t k = 0; k < count; k++) {
            received[i][events[k].packet.tag] = events[k].t;
            last[i] += events[k].t;
        }
        kit_destroy(kit);
    }
    for (uint32_t k = 0; k < PACKETS; k++)
        cr_assert_leq(received[1][k], received[0][k], "packet %u", k);
    cr_expect_lt(last[1], last[0], "contention costs nothing");
}

Test(crossbar_mesh, conforms)
{
    static const char *const settings[][8] = {
        {"columns=3", "rows=2", NULL},
        {"columns=2", "rows=2", "virtual_channels=3", "channel_by=class", "buffer_flits=2", "link_latency=3 cycles",
         NULL},
        {"columns=1", "rows=4", "output_nodes=3", "virtual_channels=2", "router_latency=1 cycle", NULL}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        cr_expect_eq(kit_conformance(&hd_crossbar_mesh_2d, settings[i], connect_ports, rich_load), 0);
        cr_expect_eq(kit_conformance(&hd_crossbar_mesh_2d, settings[i], connect_long_links, random_load), 0);
    }
}
