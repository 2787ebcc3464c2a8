/* SPDX-License-Identifier: MIT */
#include "load_bench.h"
#include "network_bench.h"

#include <stdio.h>
#include <time.h>

enum { ROUTER = 3, WIRE = 1 };

static kit_block *mesh(const char *const *parameters, uint32_t inputs, uint32_t outputs, uint32_t credits)
{
    return make_of(&hd_crossbar_mesh_2d, parameters, inputs, outputs, credits);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static uint32_t hops(uint32_t columns, uint32_t a, uint32_t b)
{
    return distance(a % columns, b % columns) + distance(a / columns, b / columns);
}

static hd_time zero_load(uint32_t hops, uint32_t router, uint32_t wire, uint32_t flits)
{
    return (hd_time)((hops + 1) * router + hops * wire + flits - 1) * CYCLE;
}

/* Every pair of nodes, one packet at a time. */
Test(crossbar_mesh, a_lone_packet_takes_what_its_hops_take)
{
    enum { COLUMNS = 5, NODES = 15 };
    static const struct {
        const char *parameters[5];
        uint32_t router, wire;
    } meshes[] = {
        {{"columns=5", "rows=3", NULL}, ROUTER, WIRE},
        {{"columns=5", "rows=3", "router_latency=1 cycle", NULL}, 1, WIRE},
        {{"columns=5", "rows=3", "router_latency=5 cycles", "link_latency=2 cycles", NULL}, 5, 2},
    };
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
        kit_block *kit = mesh(meshes[m].parameters, NODES, NODES, 8);
        hd_time t = 0;
        uint64_t flit_hops = 0;
        for (uint32_t from = 0; from < NODES; from++)
            for (uint32_t to = 0; to < NODES; to++, t += 1000 * CYCLE) {
                const uint32_t flits = 1 + (from + to) % 3, far = hops(COLUMNS, from, to);
                put(kit, from, to, flits * FLIT, 0, t);
                kit_run_until(kit, t + 1000 * CYCLE);
                uint32_t count;
                const kit_event *last = kit_trace(kit, &count) + from * NODES + to;
                cr_assert_eq(count, from * NODES + to + 1);
                cr_assert_eq(last->t - t, zero_load(far, meshes[m].router, meshes[m].wire, flits), "%u to %u", from,
                             to);
                cr_assert_eq(last->element, to);
                flit_hops += far * flits;
            }
        cr_expect_eq(kit_statistic(kit, "flit_hops"), flit_hops);
        cr_expect_eq(kit_statistic(kit, "packets"), NODES * NODES);
        cr_expect_eq(kit_statistic(kit, "queueing_cycles"), 0);
        cr_expect_eq(kit_next(kit), HD_NEVER);
        kit_destroy(kit);
    }
}

/* A long packet goes at a flit a cycle as long as the buffers cover a credit's way back: router, link, and the next cycle. */
Test(crossbar_mesh, buffers_that_cover_the_round_trip_keep_a_link_busy)
{
    enum { FLITS = 64 };
    static const struct {
        const char *flits;
        hd_time last;
    } buffers[] = {{"buffer_flits=8", 2 * ROUTER + WIRE + FLITS - 1},
                   {"buffer_flits=5", 2 * ROUTER + WIRE + FLITS - 1}};
    for (size_t i = 0; i < 2; i++) {
        kit_block *kit = mesh((const char *[]){buffers[i].flits, "columns=2", "rows=1", NULL}, 2, 2, 8);
        put(kit, 0, 1, FLITS * FLIT, 0, 0);
        kit_run_until(kit, 1000 * CYCLE);
        uint32_t count;
        cr_expect_eq(kit_trace(kit, &count)[0].t, buffers[i].last * CYCLE, "%s: %llu", buffers[i].flits,
                     (unsigned long long)kit_trace(kit, &count)[0].t);
        kit_destroy(kit);
    }
    kit_block *kit = mesh((const char *[]){"buffer_flits=1", "columns=2", "rows=1", NULL}, 2, 2, 8);
    put(kit, 0, 1, FLITS * FLIT, 0, 0);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    cr_expect_geq(kit_trace(kit, &count)[0].t, (hd_time)FLITS * (ROUTER + 1) * CYCLE);
    kit_destroy(kit);
}

/* Nodes 0 and 1 of a row both send to node 2: they share the link between 1 and 2 in turn. */
Test(crossbar_mesh, packets_of_two_inputs_share_a_link_in_turn)
{
    enum { PACKETS = 20, FLITS = 3 };
    kit_block *kit = mesh((const char *[]){"columns=3", "rows=1", NULL}, 2, 3, 8);
    for (uint32_t i = 0; i < PACKETS; i++)
        for (uint32_t input = 0; input < 2; input++)
            put(kit, input, 2, FLITS * FLIT, i, 0);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2 * PACKETS);
    for (uint32_t i = 8; i < 2 * PACKETS - 8; i++) {
        cr_expect_neq(events[i].packet.source, events[i + 1].packet.source);
        cr_expect_eq(events[i + 1].t - events[i].t, FLITS * CYCLE, "flits of packets in one channel do not mix");
    }
    kit_destroy(kit);
}

static uint32_t other_unit_arrives(const char *channels)
{
    kit_block *kit = mesh((const char *[]){channels, "columns=3", "rows=1", "output_nodes=2", NULL}, 1, 2, 2);
    network_provide_units(kit);
    kit_route(kit, OUTPUT, NETWORK_ELEMENTS, 1);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < 6; i++) {
        hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
        packet->unit = i == 5;
        packet->wire_bytes = 8 * FLIT;
        kit_send(kit, INPUT, 0, packet, 0);
    }
    kit_run_until(kit, 1000 * CYCLE);
    const uint32_t arrived = kit_waiting(kit, OUTPUT, 1);
    cr_expect_eq(kit_next(kit), HD_NEVER, "a mesh that waits for a credit sleeps");
    const hd_pending *pending = hd_crossbar_mesh_2d.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(kit)));
    kit_destroy(kit);
    return arrived;
}

Test(crossbar_mesh, a_channel_that_is_stuck_does_not_stop_another)
{
    cr_expect_eq(other_unit_arrives("virtual_channels=1"), 0);
    cr_expect_eq(other_unit_arrives("virtual_channels=2"), 1);
}

Test(crossbar_mesh, elements_stand_where_their_lists_say)
{
    kit_block *kit =
        mesh((const char *[]){"columns=4", "rows=4", "input_nodes=5, 0-2", "output_nodes=15", NULL}, 6, 2, 8);
    static const uint32_t nodes[] = {5, 0, 1, 2, 5, 0};
    for (uint32_t i = 0; i < 6; i++) {
        put(kit, i, i % 2, FLIT, 0, 1000 * i * CYCLE);
        kit_run_until(kit, 1000 * (i + 1) * CYCLE);
        uint32_t count;
        const kit_event *event = &kit_trace(kit, &count)[i];
        cr_expect_eq(event->t - 1000 * i * CYCLE, zero_load(hops(4, nodes[i], 15), ROUTER, WIRE, 1), "input %u", i);
        cr_expect_eq(event->element, i % 2);
    }
    kit_destroy(kit);
}

Test(crossbar_mesh, refuses_what_is_no_mesh)
{
    static const struct {
        const char *parameters[4];
        const char *text;
    } bad[] = {{{"columns=32", "rows=16", NULL}, "columns times rows exceed 256 nodes"},
               {{"input_nodes=3,x", NULL}, "input_nodes is not a list of nodes"},
               {{"input_nodes=3-", NULL}, "input_nodes is not a list of nodes"},
               {{"input_nodes=3-1", NULL}, "input_nodes is not a list of nodes"},
               {{"output_nodes=0-16", NULL}, "output_nodes names a node that the mesh does not have"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char error[1024] = "";
        cr_expect(kit_refuses(&hd_crossbar_mesh_2d, bad[i].parameters, error, sizeof error));
        cr_expect_not_null(strstr(error, bad[i].text), "%s", error);
    }
}

void random_mesh(network_setting *setting, uint64_t *random)
{
    const uint32_t columns = 1 + (uint32_t)(kit_random(random) % 5), rows = 1 + (uint32_t)(kit_random(random) % 5);
    setting_add(setting, "columns=%u", columns);
    setting_add(setting, "rows=%u", rows);
    setting_add(setting, "flit_bytes=%u B", 1 + (uint32_t)(kit_random(random) % 64));
    setting_add(setting, "router_latency=%u cycles", 1 + (uint32_t)(kit_random(random) % 4));
    setting_add(setting, "link_latency=%u cycles", 1 + (uint32_t)(kit_random(random) % 4));
    setting_add(setting, "buffer_flits=%u", 1 + (uint32_t)(kit_random(random) % 9));
    setting_add(setting, "virtual_channels=%u", 1 + (uint32_t)(kit_random(random) % 4));
    setting_add(setting, "channel_by=%s", kit_random(random) % 2 ? "unit" : "class");
    setting_add(setting, "output_nodes=%u", (uint32_t)(kit_random(random) % (columns * rows)));
    if (kit_random(random) % 2)
        setting->list[--setting->count] = NULL;
}

Test(network_random, mesh)
{
    const uint64_t packets =
        network_stress(&hd_crossbar_mesh_2d, random_mesh, (uint64_t)time(NULL), network_packets(20000));
    printf("network packets: mesh_2d %llu\n", (unsigned long long)packets);
}

/* Half of all packets cross the middle of a row of k nodes, k / 4 for each link there: 4 / k of a flit per node and cycle at
 * most. Wormhole with one channel reaches a good part of that. */
Test(crossbar_mesh, saturates_below_what_its_bisection_carries)
{
    static const struct {
        const char *columns, *rows;
        uint32_t nodes;
        double bound, least;
    } meshes[] = {{"columns=4", "rows=4", 16, 1.0, 0.5}, {"columns=8", "rows=8", 64, 0.5, 0.25}};
    for (size_t i = 0; i < 2; i++) {
        const load_result result =
            load_run(&(load){.type = &hd_crossbar_mesh_2d,
                             .parameters = (const char *[]){meshes[i].columns, meshes[i].rows, NULL},
                             .inputs = meshes[i].nodes,
                             .outputs = meshes[i].nodes,
                             .offered = LOAD_SATURATED,
                             .flits = 1,
                             .cycles = 600,
                             .seed = 5});
        printf("mesh of %u nodes: %.3f of %.3f\n", meshes[i].nodes, result.carried, meshes[i].bound);
        cr_expect_geq(result.carried, meshes[i].least);
        cr_expect_leq(result.carried, meshes[i].bound);
    }
}
