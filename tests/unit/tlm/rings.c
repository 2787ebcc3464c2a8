/* SPDX-License-Identifier: MIT */
/* Rings, transport calls and monitors give the same to the picosecond. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "rig.h"

static const char messages[] = "blocks:\n"
                               "  source: {kind: example_source, type: random, count: 3, clock: clk,\n"
                               "           parameters: {packets: 200, first_destination: 7, destinations: 2}}\n"
                               "  delay: {kind: example_delayer, type: random, count: 3, clock: clk}\n"
                               "  net: {kind: example_forwarder, type: bufferless, clock: clk}\n"
                               "  sink: {kind: example_sink, type: paced, count: 2, clock: clk}\n"
                               "links:\n"
                               "  - {from: source.out, to: delay.in, credits: 2}\n"
                               "  - {from: delay.out, to: net.in, latency: 3 cycles}\n"
                               "  - {from: net.out, to: sink.in, credits: 1, credit_latency: 4 cycles}\n";

static const char memory[] = "blocks:\n"
                             "  requester: {kind: example_requester, type: checking, clock: clk, parameters: "
                             "{requests: 300, outstanding: 8}}\n"
                             "  memory: {kind: example_memory, type: fixed, clock: clk, parameters: {latency: 7 "
                             "cycles}}\n"
                             "links:\n"
                             "  - {from: requester.memory, to: memory.host, credits: 3, response_credits: 2}\n";

static uint32_t every_link(void *context, uint32_t link)
{
    (void)context, (void)link;
    return 1;
}

static uint32_t first_link(void *context, uint32_t link)
{
    (void)context;
    return link == 0;
}

static const hd_tlm_options ways[] = {
    {0}, {.always = 1}, {.monitor = every_link}, {.monitor = first_link}, {.always = 1, .checked = 1}};
#define WAYS (sizeof ways / sizeof *ways)

Test(rings, carry_messages_as_transport_calls_do)
{
    uint64_t seen[WAYS][4];
    for (size_t way = 0; way < WAYS; way++) {
        rig rig;
        rig_open(&rig, messages, NULL, ways[way]);
        const char *fault = rig_run(&rig, way % 2 ? 1000000 : 12345);
        cr_expect_null(fault, "%s", fault);
        for (uint32_t i = 0; i < 2; i++) {
            char name[16];
            snprintf(name, sizeof name, "sink[%u]", i);
            seen[way][2 * i] = rig_count(&rig, name, "checksum");
            seen[way][2 * i + 1] = rig_count(&rig, name, "times");
        }
        cr_expect_eq(hd_tlm_transport_calls(rig.machine) > 0, way > 0);
        cr_expect_eq(hd_tlm_monitored_calls(rig.machine) > 0, ways[way].monitor != NULL);
        hd_conservation packets = hd_engine_packets(rig.engine);
        cr_expect_eq(packets.held + packets.in_links, 0, "packets were lost");
        cr_expect_eq(hd_engine_check_credits(rig.engine, NULL), 0);
        for (int i = 0; i < 4; i++)
            cr_expect_eq(seen[way][i], seen[0][i], "way %zu differs", way);
        rig_close(&rig);
    }
}

Test(rings, carry_memory_accesses_as_transport_calls_do)
{
    uint64_t seen[WAYS][3];
    for (size_t way = 0; way < WAYS; way++) {
        rig rig;
        rig_open(&rig, memory, NULL, ways[way]);
        const char *fault = rig_run(&rig, way % 2 ? 1000000 : 12345);
        cr_expect_null(fault, "%s", fault);
        seen[way][0] = rig_count(&rig, "requester", "reads");
        seen[way][1] = rig_count(&rig, "requester", "aligned_at");
        seen[way][2] = rig_count(&rig, "memory", "served");
        cr_expect_geq(rig_count(&rig, "requester", "done"), 300);
        cr_expect_eq(hd_tlm_monitored_calls(rig.machine) > 0, ways[way].monitor || ways[way].checked);
        cr_expect_eq(hd_engine_check_credits(rig.engine, NULL), 0);
        for (int i = 0; i < 3; i++)
            cr_expect_eq(seen[way][i], seen[0][i], "way %zu differs", way);
        rig_close(&rig);
    }
}
