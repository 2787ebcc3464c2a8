/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

enum { AWAY = 0x8000 }; /* where no program looks */

Test(host_cpu, others_read_and_write_its_ram)
{
    static rig rig;
    uint8_t data[64];
    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(3 * i + 1);
    rig_open(&rig, "count", NULL);
    rig_access(&rig, AWAY + 3, data, sizeof data, 100 * CYCLE);
    rig_access(&rig, AWAY + 3, NULL, sizeof data, 100 * CYCLE);
    kit_free(rig.kit, rig_answer(&rig, 1000 * CYCLE));
    hd_packet *answer = rig_answer(&rig, 1000 * CYCLE);
    cr_assert_eq(answer->body_bytes, sizeof data);
    cr_expect_arr_eq(hd_body(answer), data, sizeof data);
    kit_free(rig.kit, answer);
    cr_expect_eq(kit_statistic(rig.kit, "ram_reads"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "ram_writes"), 1);
    cr_expect_eq(kit_statistic(rig.kit, "ram_read_bytes"), 64);
    cr_expect_eq(kit_statistic(rig.kit, "ram_written_bytes"), 64);
    rig_close(&rig);
}

Test(host_cpu, its_port_has_a_width_and_a_latency)
{
    static rig rig;
    rig_open(&rig, "count", (const char *[]){"ram.port_bytes=8 B", "ram.latency=30 cycles", NULL});
    for (uint32_t i = 0; i < 4; i++)
        rig_access(&rig, AWAY, NULL, 64, 100 * CYCLE);
    for (uint32_t i = 0; i < 4; i++) {
        kit_free(rig.kit, rig_answer(&rig, 1000 * CYCLE));
        cr_expect_eq(kit_received_at(rig.kit), (100 + 8 * (i + 1) + 30 - 1 + LINK) * CYCLE, "answer %u", i);
    }
    rig_close(&rig);
}

Test(host_cpu, no_more_accesses_are_under_way_than_the_parameter_says)
{
    static rig rig;
    rig_open(&rig, "count", (const char *[]){"ram.requests=2", "ram.latency=50 cycles", NULL});
    for (uint32_t i = 0; i < 4; i++)
        rig_access(&rig, AWAY, NULL, 16, 100 * CYCLE);
    kit_run_until(rig.kit, 110 * CYCLE);
    cr_expect_eq(kit_statistic(rig.kit, "ram_reads"), 2);
    kit_run_until(rig.kit, 500 * CYCLE);
    cr_expect_eq(kit_statistic(rig.kit, "ram_reads"), 4);
    rig_close(&rig);
}

static uint32_t status_of(rig *rig, hd_packet *packet)
{
    kit_send(rig->kit, PORT_MEMORY, 0, packet, kit_now(rig->kit));
    hd_packet *answer = rig_answer(rig, kit_now(rig->kit) + 500 * CYCLE);
    const uint32_t status = answer->argument;
    kit_free(rig->kit, answer);
    return status;
}

static hd_packet *request(rig *rig, const char *message, uint64_t offset, uint32_t bytes, uint32_t body)
{
    hd_packet *packet = kit_packet(rig->kit, message, body);
    packet->address = HD_HOST_RAM_BASE + offset;
    packet->argument = bytes;
    return packet;
}

Test(host_cpu, what_makes_no_sense_at_its_port_is_refused)
{
    static rig rig;
    rig_open(&rig, "count", NULL);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_READ, RAM_BYTES - 4, 8, 0)), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_READ, UINT64_C(0) - 8, 8, 0)), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_READ, 0, 0, 0)), HD_STATUS_BURST_ERROR);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_READ, 0, 1025, 0)), HD_STATUS_BURST_ERROR);
    hd_packet *masked = request(&rig, HD_MEMORY_WRITE, AWAY, 2, 4);
    memcpy(hd_body(masked), (uint8_t[]){1, 2, 0xFF, 7}, 4);
    cr_expect_eq(status_of(&rig, masked), HD_STATUS_BYTE_ENABLE_ERROR);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_WRITE, AWAY, 2, 3)), HD_STATUS_BYTE_ENABLE_ERROR);
    cr_expect_eq(status_of(&rig, request(&rig, HD_MEMORY_RESPONSE, AWAY, 2, 0)), HD_STATUS_COMMAND_ERROR);
    cr_expect_eq(kit_statistic(rig.kit, "ram_refused"), 7);
    masked = request(&rig, HD_MEMORY_WRITE, AWAY, 2, 4);
    memcpy(hd_body(masked), (uint8_t[]){1, 2, 0, 0xFF}, 4);
    cr_expect_eq(status_of(&rig, masked), HD_STATUS_OK);
    cr_expect_eq(rig_ram(&rig, AWAY), 0x200);
    rig_close(&rig);
}
