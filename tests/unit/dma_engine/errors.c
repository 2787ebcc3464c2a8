/* SPDX-License-Identifier: MIT */
/* Accesses that are refused, and answers that nobody asked for. */
#include "rig.h"

#include <string.h>

#define LATE ((hd_time)1000000 * CYCLE)

static void expect_refused(uint32_t direction, uint64_t host, uint64_t device, uint64_t bytes, uint64_t address)
{
    rig rig;
    rig_open(&rig, (const char *[]){"outstanding=2", NULL});
    rig_start(&rig, 4, direction, host, device, bytes, 0);
    hd_packet *packet = rig_ended(&rig, LATE);
    cr_expect_eq(packet->tag, 4);
    cr_expect_eq(packet->argument, HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(packet->address, address, "0x%llx", (unsigned long long)packet->address);
    kit_free(rig.kit, packet);
    const uint32_t reads = rig.host.reads + rig.device.reads;
    cr_expect_leq(reads, 6, "of 16 bursts, none begins after the third");
    kit_run_until(rig.kit, LATE + 1000 * CYCLE);
    cr_expect_eq(rig.host.reads + rig.device.reads, reads, "nothing is under way");
    /* The channel is free, and works. */
    rig_start(&rig, 5, direction, 0, 0, 600, kit_now(rig.kit));
    cr_expect_eq(rig_expect_end(&rig, 2 * LATE), 5);
    cr_expect_arr_eq(rig.device.bytes, rig.host.bytes, 600);
    rig_close(&rig);
}

Test(dma_engine, an_access_that_is_refused_ends_the_copy_and_is_told)
{
    const uint64_t end = MEMORY_BYTES;
    expect_refused(HD_COPY_TO_DEVICE, end - 512, 0, 4096, RIG_HOST + end);
    expect_refused(HD_COPY_FROM_DEVICE, end - 512, 0, 4096, RIG_HOST + end);
    expect_refused(HD_COPY_TO_DEVICE, 0, end - 256, 4096, RIG_DEVICE + end);
    expect_refused(HD_COPY_FROM_DEVICE, 0, end - 256, 4096, RIG_DEVICE + end);
    expect_refused(HD_COPY_TO_DEVICE, end + 999, 0, 1, RIG_HOST + end + 999);
}

Test(dma_engine, what_comes_before_a_refused_access_is_copied)
{
    rig rig;
    rig_open(&rig, (const char *[]){"outstanding=1", NULL});
    rig_start(&rig, 0, HD_COPY_TO_DEVICE, 0, MEMORY_BYTES - 512, 1024, 0);
    hd_packet *packet = rig_ended(&rig, LATE);
    cr_expect_eq(packet->address, RIG_DEVICE + MEMORY_BYTES);
    cr_expect_arr_eq(rig.device.bytes + MEMORY_BYTES - 512, rig.host.bytes, 512);
    cr_expect_eq(kit_statistic(rig.kit, "bytes_to_device"), 512);
    kit_free(rig.kit, packet);
    rig_close(&rig);
}

Test(dma_engine, a_copy_in_no_direction_is_refused)
{
    rig rig;
    rig_open(&rig, NULL);
    rig_start(&rig, 0, HD_COPY_FILL + 1, 0, 0, 64, 0);
    hd_packet *packet = rig_ended(&rig, LATE);
    cr_expect_eq(packet->argument, HD_STATUS_COMMAND_ERROR);
    cr_expect_eq(rig.host.reads + rig.device.reads + rig.host.writes + rig.device.writes, 0);
    kit_free(rig.kit, packet);
    rig_close(&rig);
}

static void expect_fault(uint32_t port, uint64_t tag, const char *text)
{
    rig rig;
    rig_open(&rig, NULL);
    kit_expect_fault(rig.kit);
    rig_start(&rig, 0, HD_COPY_TO_DEVICE, 0, 0, 64, 0);
    hd_packet *answer = kit_packet(rig.kit, HD_MEMORY_RESPONSE, 0);
    answer->tag = tag;
    kit_send(rig.kit, port, 0, answer, 102 * CYCLE); /* its read is under way */
    kit_run_until(rig.kit, 400 * CYCLE);
    cr_assert_not_null(kit_fault_text(rig.kit));
    cr_expect_str_eq(kit_fault_text(rig.kit), text);
    cr_expect_eq(kit_waiting(rig.kit, PORT_DONE, 0), 0, "it has stopped");
    rig_close(&rig);
}

Test(dma_engine, an_answer_that_nobody_asked_for_is_reported)
{
    expect_fault(PORT_DEVICE, 0, "device: a response to an access that was not made"); /* a read of the host */
    expect_fault(PORT_HOST, 1, "host: a response to an access that was not made");     /* no burst */
    expect_fault(PORT_HOST, 999, "host: a response to an access that was not made");
    expect_fault(PORT_HOST, 0, "host: a response to an access that was not made"); /* of 0 bytes */
}
