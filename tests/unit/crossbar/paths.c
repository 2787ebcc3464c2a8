/* SPDX-License-Identifier: MIT */
/* Contexts of thread blocks go point to point. */
#include "bench.h"

#include "hd_message.h"

static const char *const with_path[] = {"context_path=64 B", NULL};
enum { SETUP = 10, LINE = HD_LINE_BYTES + HD_HEADER_WIRE_BYTES };

static void put_context(kit_block *kit, uint32_t input, uint32_t output, uint32_t wire_bytes, uint32_t flow, hd_time t)
{
    hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
    packet->source = (uint16_t)input;
    packet->destination = (uint16_t)output;
    packet->wire_bytes = wire_bytes;
    packet->traffic_class = HD_CLASS_CONTEXT;
    packet->flow = flow;
    kit_send(kit, INPUT, input, packet, t);
}

/* Cycle at which the crossbar sent its i-th packet. */
static uint64_t sent(kit_block *kit, uint32_t i)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_lt(i, count);
    return events[i].t / CYCLE;
}

/* 10 cycles once, then 2 for each line of 128 B, without headers. */
Test(crossbar, a_path_takes_its_time_once_and_moves_64_bytes_a_cycle)
{
    kit_block *kit = make(with_path, 1, 2, 16);
    for (uint32_t i = 0; i < 8; i++)
        put_context(kit, 0, 1, LINE, HD_FLOW_BUFFER, 0);
    kit_run_until(kit, 200 * CYCLE);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(sent(kit, i), SETUP + 2 * i + LATENCY + 1, "line %u: %lu", i, sent(kit, i));
    cr_expect_eq(kit_statistic(kit, "context_setups"), 1);
    cr_expect_eq(kit_statistic(kit, "bytes.context"), 8 * LINE);
    kit_destroy(kit);
}

/* The path is there until one of its ends has another; what needs none passes in between as ever. */
Test(crossbar, a_path_stays_until_another_takes_its_place)
{
    kit_block *kit = make(with_path, 2, 2, 16);
    put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 0);
    put(kit, 0, 1, 32, 0, 20 * CYCLE);
    put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 40 * CYCLE);
    put_context(kit, 1, 0, LINE, HD_FLOW_BUFFER, 60 * CYCLE); /* the output has another input */
    put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 80 * CYCLE);
    put_context(kit, 0, 1, LINE, HD_FLOW_BUFFER, 100 * CYCLE); /* the input has another output */
    put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 120 * CYCLE);
    kit_run_until(kit, 300 * CYCLE);
    const uint64_t line = LATENCY + 1,
                   expected[] = {SETUP + line,      20 + LATENCY,       40 + line,         60 + SETUP + line,
                                 80 + SETUP + line, 100 + SETUP + line, 120 + SETUP + line};
    for (uint32_t i = 0; i < 7; i++)
        cr_expect_eq(sent(kit, i), expected[i], "packet %u: %lu", i, sent(kit, i));
    cr_expect_eq(kit_statistic(kit, "context_setups"), 5);
    kit_destroy(kit);
}

/* Requests and acknowledgements, contexts that go to memory, and all if there are no paths. */
Test(crossbar, what_has_no_line_of_a_buffer_needs_no_path)
{
    kit_block *kit = make(with_path, 1, 1, 16);
    put_context(kit, 0, 0, HD_HEADER_WIRE_BYTES, HD_FLOW_BUFFER, 0);
    put_context(kit, 0, 0, LINE, 0, 20 * CYCLE);
    kit_run_until(kit, 200 * CYCLE);
    cr_expect_eq(sent(kit, 0), LATENCY);
    cr_expect_eq(sent(kit, 1), 20 + LATENCY + flits_of(LINE) - 1);
    cr_expect_eq(kit_statistic(kit, "context_setups"), 0);
    kit_destroy(kit);
    kit = make(NULL, 1, 1, 16);
    put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 0);
    kit_run_until(kit, 200 * CYCLE);
    cr_expect_eq(sent(kit, 0), LATENCY + flits_of(LINE) - 1);
    cr_expect_eq(kit_statistic(kit, "context_setups"), 0);
    kit_destroy(kit);
}

/* However it arbitrates, with buffers or without. */
Test(crossbar, every_type_has_paths)
{
    static const char *const buffered[] = {"context_path=32 B", "context_setup=3 cycles", "queues=virtual_output",
                                           NULL};
    const hd_block_class *const types[] = {&hd_crossbar_round_robin, &hd_crossbar_islip, &hd_crossbar_ideal};
    for (uint32_t i = 0; i < 3; i++) {
        kit_block *kit = make_of(types[i], buffered, 1, 1, 16);
        put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 0);
        put_context(kit, 0, 0, LINE, HD_FLOW_BUFFER, 0);
        kit_run_until(kit, 200 * CYCLE);
        cr_expect_eq(sent(kit, 0), 3 + LATENCY + 3, "%lu", sent(kit, 0));
        cr_expect_eq(sent(kit, 1), 3 + 4 + LATENCY + 3, "%lu", sent(kit, 1));
        kit_destroy(kit);
    }
}
