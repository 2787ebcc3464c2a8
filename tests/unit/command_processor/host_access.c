/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "engine.h"
#include "rig.h"

static void pattern(uint8_t *data, uint32_t bytes, uint8_t seed)
{
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(seed + 7 * i);
}

Test(command_processor, writes_and_reads_back_across_lines)
{
    rig *r = rig_create(NULL);
    uint8_t data[1000];
    uint8_t got[1000];
    pattern(data, sizeof data, 3);
    rig_write(r, HD_GLOBAL_BASE + 100, data, NULL, sizeof data, 11, 0);
    uint64_t tag = 0;
    cr_expect_eq(rig_response(r, &tag, NULL), HD_STATUS_OK);
    cr_expect_eq(tag, 11);
    cr_expect_arr_eq(r->memory + 100, data, sizeof data);
    rig_read(r, HD_GLOBAL_BASE + 100, sizeof data, 12, kit_now(r->kit));
    cr_expect_eq(rig_response(r, &tag, got), HD_STATUS_OK);
    cr_expect_eq(tag, 12);
    cr_expect_arr_eq(got, data, sizeof data);
    /* Bytes 100 to 1100 touch lines 0 to 8. */
    cr_expect_eq(kit_statistic(r->kit, "line_accesses"), 2 * 9);
    cr_expect_eq(kit_statistic(r->kit, "host_reads"), 1);
    cr_expect_eq(kit_statistic(r->kit, "host_writes"), 1);
    cr_expect_eq(kit_statistic(r->kit, "host_read_bytes"), 1000);
    cr_expect_eq(kit_statistic(r->kit, "host_write_bytes"), 1000);
    rig_destroy(r);
}

Test(command_processor, sends_each_line_to_the_slice_that_holds_it)
{
    static const uint32_t endpoints[3] = {40, 41, 42};
    rig *r = rig_create(NULL);
    kit_address_map(r->kit, 3, 128, endpoints);
    r->reply_cycles = 0;
    uint8_t data[700];
    pattern(data, sizeof data, 1);
    rig_write(r, HD_GLOBAL_BASE + 64, data, NULL, sizeof data, 0, 0);
    kit_run_until(r->kit, 100000);
    uint64_t address = HD_GLOBAL_BASE + 64;
    for (uint32_t i = 0; i < 6; i++) {
        hd_packet *line = kit_receive(r->kit, PORT_REQUEST, 0, 100000);
        cr_assert_not_null(line);
        uint32_t bytes = i == 0 ? 64 : i < 5 ? 128 : 700 - 64 - 4 * 128;
        cr_expect_eq(line->address, address);
        cr_expect_eq(line->argument, bytes);
        cr_expect_eq(line->destination, endpoints[address / 128 % 3]);
        cr_expect_eq(line->unit, HD_DESTINATION_L2_SLICE);
        cr_expect_eq(line->traffic_class, HD_CLASS_HOST);
        cr_expect_eq(line->wire_bytes, HD_HEADER_WIRE_BYTES + bytes);
        kit_send(r->kit, PORT_REPLY, 0, rig_answer(r, line), 100000);
        kit_free(r->kit, line);
        address += bytes;
    }
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_OK);
    cr_expect_arr_eq(r->memory + 64, data, sizeof data);
    rig_destroy(r);
}

Test(command_processor, issues_one_line_per_cycle)
{
    rig *r = rig_create(NULL);
    r->reply_cycles = 0;
    rig_read(r, HD_GLOBAL_BASE, 512, 0, 10000);
    kit_run_until(r->kit, 100000);
    for (uint32_t i = 0; i < 4; i++) {
        hd_packet *line = kit_receive(r->kit, PORT_REQUEST, 0, 100000);
        cr_assert_not_null(line);
        cr_expect_eq(kit_received_at(r->kit), 11000 + i * 1000);
        kit_free(r->kit, line);
    }
    rig_destroy(r);
}

Test(command_processor, honours_byte_enables_and_skips_lines_without_any)
{
    rig *r = rig_create(NULL);
    uint8_t data[400];
    uint8_t enables[400];
    uint8_t expected[400];
    pattern(data, sizeof data, 9);
    for (uint32_t i = 0; i < 400; i++) {
        enables[i] = i < 128 || i >= 256 ? (i % 3 == 0 ? 0xFF : 0) : 0;
        expected[i] = enables[i] ? data[i] : 0;
    }
    rig_write(r, HD_GLOBAL_BASE + 256, data, enables, sizeof data, 0, 0);
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_OK);
    cr_expect_arr_eq(r->memory + 256, expected, sizeof expected);
    cr_expect_eq(kit_statistic(r->kit, "line_accesses"), 3);
    memset(enables, 0, sizeof enables);
    rig_write(r, HD_GLOBAL_BASE + 256, data, enables, sizeof data, 0, kit_now(r->kit));
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_OK, "a write of nothing is answered too");
    cr_expect_eq(kit_statistic(r->kit, "line_accesses"), 3);
    rig_destroy(r);
}

Test(command_processor, answers_in_order_of_completion)
{
    rig *r = rig_create(NULL);
    r->reply_cycles = 0;
    rig_read(r, HD_GLOBAL_BASE, 4, 1, 0);
    rig_read(r, HD_GLOBAL_BASE + 128, 4, 2, 0);
    kit_run_until(r->kit, 10000);
    hd_packet *first = kit_receive(r->kit, PORT_REQUEST, 0, 10000);
    hd_packet *second = kit_receive(r->kit, PORT_REQUEST, 0, 10000);
    kit_send(r->kit, PORT_REPLY, 0, rig_answer(r, second), 20000);
    kit_send(r->kit, PORT_REPLY, 0, rig_answer(r, first), 30000);
    uint64_t tag = 0;
    cr_expect_eq(rig_response(r, &tag, NULL), HD_STATUS_OK);
    cr_expect_eq(tag, 2);
    cr_expect_eq(rig_response(r, &tag, NULL), HD_STATUS_OK);
    cr_expect_eq(tag, 1);
    kit_free(r->kit, first);
    kit_free(r->kit, second);
    rig_destroy(r);
}

static void expect_status(rig *r, uint32_t is_write, uint64_t address, uint32_t bytes, uint32_t status)
{
    static const uint8_t zeros[2048];
    if (is_write)
        rig_write(r, address, zeros, NULL, bytes, 0, kit_now(r->kit));
    else
        rig_read(r, address, bytes, 0, kit_now(r->kit));
    cr_expect_eq(rig_response(r, NULL, NULL), status, "%s of %u bytes at 0x%llx", is_write ? "write" : "read", bytes,
                 (unsigned long long)address);
}

Test(command_processor, refuses_accesses_outside_device_memory)
{
    rig *r = rig_create(NULL);
    const uint64_t end = HD_GLOBAL_BASE + (uint64_t)RIG_MEMORY_BYTES;
    for (uint32_t is_write = 0; is_write < 2; is_write++) {
        expect_status(r, is_write, 0, 4, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, HD_GLOBAL_BASE - 1, 1, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, HD_GLOBAL_BASE - 1, 2, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, HD_GLOBAL_BASE, 1, HD_STATUS_OK);
        expect_status(r, is_write, end - 1, 1, HD_STATUS_OK);
        expect_status(r, is_write, end - 1, 2, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, end, 1, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, HD_HOST_MMIO_BASE - 4, 4, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, UINT64_MAX - 3, 4, HD_STATUS_ADDRESS_ERROR);
        expect_status(r, is_write, HD_GLOBAL_BASE, 0, HD_STATUS_BURST_ERROR);
    }
    expect_status(r, 0, HD_GLOBAL_BASE, 1025, HD_STATUS_BURST_ERROR);
    cr_expect_eq(kit_statistic(r->kit, "refused_accesses"), 2 * 8 + 1);
    cr_expect_eq(kit_statistic(r->kit, "line_accesses"), 4);
    rig_destroy(r);
}

Test(command_processor, refuses_damaged_byte_enables_and_unknown_commands)
{
    rig *r = rig_create(NULL);
    const uint8_t data[4] = {1, 2, 3, 4};
    const uint8_t bad[4] = {0xFF, 0xFF, 1, 0};
    rig_write(r, HD_GLOBAL_BASE, data, bad, 4, 0, 0);
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_BYTE_ENABLE_ERROR);
    hd_packet *packet = kit_packet(r->kit, HD_MEMORY_WRITE, 6);
    packet->address = HD_GLOBAL_BASE;
    packet->argument = 4;
    packet->source = 5;
    kit_send(r->kit, PORT_HOST, 0, packet, kit_now(r->kit));
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_BYTE_ENABLE_ERROR);
    packet = kit_packet(r->kit, HD_GLOBAL_ATOMIC, 4);
    packet->address = HD_GLOBAL_BASE;
    packet->argument = 4;
    packet->source = 5;
    kit_send(r->kit, PORT_HOST, 0, packet, kit_now(r->kit));
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_COMMAND_ERROR);
    cr_expect_eq(r->memory[0], 0);
    rig_destroy(r);
}

Test(command_processor, faults_on_a_reply_to_nothing)
{
    rig *r = rig_create(NULL);
    kit_expect_fault(r->kit);
    hd_packet *packet = kit_packet(r->kit, HD_GLOBAL_STORE_ACK, 0);
    packet->tag = 3;
    kit_send(r->kit, PORT_REPLY, 0, packet, 1000);
    kit_run_until(r->kit, 10000);
    cr_assert_not_null(kit_fault_text(r->kit));
    cr_expect_not_null(strstr(kit_fault_text(r->kit), "a line access that was not made"));
    rig_destroy(r);
}

/* What it would do afterwards is of no worth: not even what comes in the same cycle is looked at. */
Test(command_processor, stands_still_after_a_reply_to_nothing)
{
    rig *r = rig_create(NULL);
    kit_expect_fault(r->kit);
    hd_packet *packet = kit_packet(r->kit, HD_GLOBAL_STORE_ACK, 0);
    packet->tag = 3;
    kit_send(r->kit, PORT_REPLY, 0, packet, 1000);
    rig_read(r, HD_HOST_MMIO_BASE + HD_REGISTER_VERSION, 4, 1, 1000);
    kit_run_until(r->kit, 100000);
    cr_expect_eq(kit_fault_time(r->kit), 1000);
    cr_expect_null(kit_receive(r->kit, PORT_HOST, 0, 100000));
    cr_expect_eq(kit_statistic(r->kit, "register_accesses"), 0);
    rig_destroy(r);
}

/* Host accesses to memory begin and end; the trace has each number of them once, and 0 in the end. */
Test(command_processor, a_trace_counts_host_accesses)
{
    rig *r = rig_create(NULL);
    kit_record(r->kit);
    for (uint32_t i = 0; i < 3; i++)
        rig_read(r, HD_GLOBAL_BASE + 128 * i, 4, i, 0);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_OK);
    kit_run_until(r->kit, kit_now(r->kit) + 10000);
    uint32_t count;
    uint64_t most = 0, last = 0;
    const kit_traced *all = kit_recorded(r->kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i].event, "host_accesses") != 0)
            continue;
        cr_expect_eq(all[i].form, HD_TRACED_COUNTER);
        cr_expect_neq(all[i].values[0], last, "only changes are recorded");
        last = all[i].values[0];
        most = last > most ? last : most;
    }
    cr_expect_eq(most, 3);
    cr_expect_eq(last, 0);
    rig_destroy(r);
}
