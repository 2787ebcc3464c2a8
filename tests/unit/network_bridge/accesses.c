/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Taken at once, on the network a cycle later, MEMORY cycles there, and answered on the edge of the last reply. */
enum { ALONE = LINK + MEMORY + LINK };

static void fill(uint8_t *data, uint32_t bytes, uint32_t first)
{
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(first + 3 * i);
}

Test(network_bridge, a_read_within_a_line_is_one_access)
{
    rig rig;
    rig_open(&rig, NULL, 8);
    fill(rig.memory, MEMORY_BYTES, 5);
    rig_send(&rig, 100, NULL, NULL, 28, 77, 3 * CYCLE);
    hd_packet *response = rig_response(&rig, 1000 * CYCLE);
    cr_expect_eq(kit_received_at(rig.kit), (3 + ALONE) * CYCLE);
    cr_expect_eq(response->tag, 77);
    cr_expect_eq(response->argument, HD_STATUS_OK);
    cr_assert_eq(response->body_bytes, 28);
    cr_expect_eq(response->wire_bytes, HD_HEADER_WIRE_BYTES + 28);
    cr_expect_arr_eq(hd_body(response), rig.memory + 100, 28);
    cr_expect_eq(kit_statistic(rig.kit, "line_accesses"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "reads"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "read_bytes"), 28);
    cr_expect_eq(kit_statistic(rig.kit, "latency_cycles"), MEMORY + LINK);
    cr_expect_eq(kit_statistic(rig.kit, "busy_cycles"), MEMORY + LINK);
    cr_expect_eq(kit_next(rig.kit), HD_NEVER);
    kit_free(rig.kit, response);
    rig_close(&rig);
}

Test(network_bridge, a_long_request_is_a_line_access_a_cycle)
{
    enum { BYTES = HD_PACKET_BODY_MAX, START = 60, LINES = (START + BYTES + HD_LINE_BYTES - 1) / HD_LINE_BYTES };
    static uint8_t data[BYTES];
    rig rig;
    rig_open(&rig, NULL, 16);
    fill(data, BYTES, 9);
    rig_send(&rig, START, data, NULL, BYTES, 1, 0);
    kit_free(rig.kit, rig_response(&rig, 100 * CYCLE));
    cr_expect_eq(kit_received_at(rig.kit), (ALONE + LINES - 1) * CYCLE);
    rig_send(&rig, START, NULL, NULL, BYTES, 2, 200 * CYCLE);
    hd_packet *response = rig_response(&rig, 1000 * CYCLE);
    cr_expect_eq(kit_received_at(rig.kit), (200 + ALONE + LINES - 1) * CYCLE);
    cr_assert_eq(response->body_bytes, BYTES);
    cr_expect_arr_eq(hd_body(response), data, BYTES);
    cr_expect_eq(rig.stores, LINES);
    cr_expect_eq(rig.loads, LINES);
    cr_expect_eq(kit_statistic(rig.kit, "line_accesses"), 2 * LINES);
    cr_expect_eq(kit_statistic(rig.kit, "written_bytes"), BYTES);
    kit_free(rig.kit, response);
    rig_close(&rig);
}

Test(network_bridge, byte_enables_are_honoured_and_lines_without_any_are_left_out)
{
    enum { BYTES = 384 };
    static uint8_t data[BYTES], enables[BYTES];
    rig rig;
    rig_open(&rig, NULL, 8);
    fill(data, BYTES, 1);
    for (uint32_t i = 0; i < BYTES; i++)
        enables[i] = i / 128 != 1 && i % 3 == 0 ? 0xFF : 0;
    rig_send(&rig, 0, data, enables, BYTES, 1, 0);
    kit_free(rig.kit, rig_response(&rig, 100 * CYCLE));
    for (uint32_t i = 0; i < BYTES; i++)
        cr_assert_eq(rig.memory[i], enables[i] ? data[i] : 0, "byte %u", i);
    cr_expect_eq(rig.stores, 2);
    memset(enables, 0, sizeof enables);
    rig_send(&rig, 0, data, enables, BYTES, 2, 500 * CYCLE);
    hd_packet *response = rig_response(&rig, 1000 * CYCLE);
    cr_expect_eq(response->argument, HD_STATUS_OK, "a write of nothing is answered");
    cr_expect_eq(rig.stores, 2);
    kit_free(rig.kit, response);
    rig_close(&rig);
}

Test(network_bridge, requests_overlap_and_are_answered_in_their_order)
{
    enum { REQUESTS = 6 };
    rig rig;
    rig_open(&rig, NULL, 8);
    for (uint32_t i = 0; i < REQUESTS; i++)
        rig_send(&rig, 128 * i, NULL, NULL, i ? 4 : 64, i, 0);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        hd_packet *response = rig_response(&rig, 1000 * CYCLE);
        cr_expect_eq(response->tag, i);
        cr_expect_eq(kit_received_at(rig.kit), (ALONE + i) * CYCLE);
        kit_free(rig.kit, response);
    }
    cr_expect_eq(kit_statistic(rig.kit, "max_requests"), REQUESTS);
    rig_close(&rig);
}

Test(network_bridge, no_more_requests_are_inside_than_the_parameter_says)
{
    enum { REQUESTS = 6 };
    rig rig;
    rig_open(&rig, (const char *[]){"requests=1", NULL}, 8);
    for (uint32_t i = 0; i < REQUESTS; i++)
        rig_send(&rig, 128 * i, NULL, NULL, 4, i, 0);
    kit_run_until(rig.kit, 1000 * CYCLE);
    cr_expect_eq(kit_waiting(rig.kit, PORT_MEMORY, 0), REQUESTS);
    cr_expect_eq(kit_statistic(rig.kit, "max_requests"), 1);
    cr_expect_geq(kit_statistic(rig.kit, "busy_cycles"), REQUESTS * (MEMORY + LINK));
    const hd_mark *mark = hd_network_bridge_lines.extension(kit_instance(rig.kit), HD_EXTENSION_MARK);
    mark->mark(kit_instance(rig.kit));
    cr_expect_eq(kit_statistic(rig.kit, "max_requests"), 0);
    rig_close(&rig);
}

Test(network_bridge, what_makes_no_sense_is_answered_with_its_status)
{
    static const uint8_t data[4], enables[4] = {0xFF, 1, 0, 0};
    static const uint32_t expected[] = {HD_STATUS_ADDRESS_ERROR, HD_STATUS_ADDRESS_ERROR, HD_STATUS_BURST_ERROR,
                                        HD_STATUS_BURST_ERROR, HD_STATUS_BYTE_ENABLE_ERROR};
    rig rig;
    rig_open(&rig, NULL, 8);
    rig_send(&rig, UINT64_C(0) - 4, NULL, NULL, 4, 0, 0);
    rig_send(&rig, HD_PHYSICAL_CONTEXT_BASE - HD_GLOBAL_BASE - 3, NULL, NULL, 4, 1, 0);
    rig_send(&rig, 0, NULL, NULL, 0, 2, 0);
    rig_send(&rig, 0, NULL, NULL, HD_PACKET_BODY_MAX + 1, 3, 0);
    rig_send(&rig, 0, data, enables, 4, 4, 0);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        hd_packet *response = rig_response(&rig, 1000 * CYCLE);
        cr_expect_eq(response->tag, i);
        cr_expect_eq(response->argument, expected[i], "request %u", i);
        cr_expect_eq(response->body_bytes, 0);
        kit_free(rig.kit, response);
    }
    cr_expect_eq(kit_statistic(rig.kit, "refused"), sizeof expected / sizeof *expected);
    cr_expect_eq(kit_statistic(rig.kit, "line_accesses"), 0);
    rig_close(&rig);
}

Test(network_bridge, a_reply_that_nobody_asked_for_is_reported)
{
    rig rig;
    rig_open(&rig, NULL, 8);
    kit_expect_fault(rig.kit);
    kit_send(rig.kit, PORT_REPLY, 0, kit_packet(rig.kit, HD_GLOBAL_STORE_ACK, 0), 0);
    kit_run_until(rig.kit, 10 * CYCLE);
    cr_expect_not_null(strstr(kit_fault_text(rig.kit), "a line access that was not made"));
    rig_close(&rig);
}

static uint32_t line_count;
static char last_line[128];
static void keep_line(void *context, const char *format, ...)
{
    va_list arguments;
    (void)context;
    line_count++;
    va_start(arguments, format);
    vsnprintf(last_line, sizeof last_line, format, arguments);
    va_end(arguments);
}

Test(network_bridge, says_what_it_waits_for)
{
    rig rig;
    rig_open(&rig, NULL, 8);
    kit_hold_credits(rig.kit, PORT_MEMORY, 0, 1);
    for (uint32_t i = 0; i < 9; i++)
        rig_send(&rig, 128 * i, NULL, NULL, 4, i, 0);
    kit_run_until(rig.kit, 100 * CYCLE);
    cr_expect_eq(kit_next(rig.kit), HD_NEVER, "a block that waits for a credit sleeps");
    const hd_pending *pending = hd_network_bridge_lines.extension(kit_instance(rig.kit), HD_EXTENSION_PENDING);
    const hd_text_sink sink = {NULL, keep_line};
    cr_expect(pending->has_work(kit_instance(rig.kit)));
    pending->describe(kit_instance(rig.kit), &sink);
    cr_expect_eq(line_count, 1);
    cr_expect_str_eq(last_line, "a read of 4 bytes at 0x10000400 waits for room for its answer");
    rig_close(&rig);
}

Test(network_bridge, a_trace_shows_requests_from_end_to_end)
{
    rig rig;
    uint32_t count;
    static const uint8_t data[4] = {1, 2, 3, 4};
    rig_open(&rig, NULL, 8);
    kit_record(rig.kit);
    rig_send(&rig, 256, NULL, NULL, 28, 1, 3 * CYCLE);
    kit_free(rig.kit, rig_response(&rig, 1000 * CYCLE));
    const kit_traced *all = kit_recorded(rig.kit, &count);
    cr_assert_eq(count, 4, "begin, one inside, end, none");
    cr_expect_eq(all[0].t, 3 * CYCLE);
    cr_expect_str_eq(all[0].track, "access[0]");
    cr_expect_eq(all[0].values[0], HD_GLOBAL_BASE + 256);
    cr_expect_eq(all[0].values[1], 28);
    cr_expect_eq(all[2].t, kit_received_at(rig.kit) - LINK * CYCLE);
    rig_send(&rig, 0, data, NULL, 4, 2, kit_now(rig.kit));
    rig_send(&rig, 0, NULL, NULL, 0, 3, kit_now(rig.kit));
    kit_free(rig.kit, rig_response(&rig, 3000 * CYCLE));
    kit_free(rig.kit, rig_response(&rig, 3000 * CYCLE));
    cr_expect_eq(kit_recorded_count(rig.kit, "read"), 2);
    cr_expect_eq(kit_recorded_count(rig.kit, "write"), 1);
    cr_expect_eq(kit_recorded_count(rig.kit, "refused"), 1);
    rig_close(&rig);
}
