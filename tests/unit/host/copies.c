/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

#define SPAN 20000u

static int copy_at_random(void)
{
    uint64_t random = hd_option("seed", 0);
    uint8_t *reference = hd_host_alloc(SPAN);
    uint8_t *buffer = hd_host_alloc(SPAN);
    hd_device_ptr memory = hd_malloc(SPAN);
    hd_fill(memory, 0, SPAN);
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t offset = (uint32_t)(hd_random(&random) % SPAN);
        uint32_t longest = hd_random(&random) % 3 == 0 ? SPAN : 50;
        uint32_t room = SPAN - offset < longest ? SPAN - offset : longest;
        uint32_t bytes = (uint32_t)(hd_random(&random) % (room + 1));
        hd_device_ptr at = hd_offset(memory, offset);
        switch (hd_random(&random) % 3) {
        case 0:
            for (uint32_t k = 0; k < bytes; k++)
                reference[offset + k] = (uint8_t)hd_random(&random);
            hd_copy_to_device(at, reference + offset, bytes);
            break;
        case 1:
            memset(reference + offset, (int)(i & 0xFF), bytes);
            hd_fill(at, 0xABCD00 + i, bytes);
            break;
        default:
            hd_copy_from_device(buffer, at, bytes);
            hd_check(memcmp(buffer, reference + offset, bytes) == 0, "copy %u of %u bytes at %u", i, bytes, offset);
        }
    }
    hd_copy_from_device(buffer, memory, SPAN);
    hd_check(memcmp(buffer, reference, SPAN) == 0, "the whole of it");
    return HD_PASS;
}

Test(host, random_copies_agree_with_a_reference_memory)
{
    static const char *const seeds[] = {"1", "2", "3", "4", "5"};
    for (uint32_t i = 0; i < 5; i++) {
        const hd_host_option options[] = {{"seed", seeds[i]}, {NULL, NULL}};
        rig *r = rig_create(NULL, copy_at_random, options);
        r->device.random = 77 + i;
        cr_expect_eq(rig_run(r), HD_HOST_PASS, "seed %s: %s", seeds[i], rig_message(r));
        rig_destroy(r);
    }
}

static int copy_nothing(void)
{
    hd_device_ptr memory = hd_malloc(1);
    hd_copy_to_device(memory, NULL, 0);
    hd_copy_from_device(NULL, memory, 0);
    hd_fill(memory, 1, 0);
    return HD_PASS;
}

Test(host, empty_copies_do_nothing)
{
    rig *r = rig_create(NULL, copy_nothing, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS);
    /* The image and the registers of the default queue, nothing more. */
    cr_expect_eq(kit_statistic(r->kit, "writes"), 3 + 3);
    cr_expect_eq(r->device.memory[RIG_HEAP - HD_GLOBAL_BASE], 0xA5);
    rig_destroy(r);
}

static int copy_a_megabyte(void)
{
    const uint32_t bytes = 1000000;
    uint32_t *data = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < bytes / 4; i++)
        data[i] = i * 2654435761u;
    hd_device_ptr memory = hd_malloc(bytes);
    hd_copy_to_device(memory, data, bytes);
    return HD_PASS;
}

Test(host, a_large_copy_is_one_call_in_full_packets)
{
    rig *r = rig_create(NULL, copy_a_megabyte, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS);
    uint32_t count;
    const kit_event *events = kit_trace(r->kit, &count);
    uint32_t full = 0;
    for (uint32_t i = 0; i < count; i++)
        full += events[i].packet.argument == HD_PACKET_BODY_MAX && events[i].packet.address % HD_PACKET_BODY_MAX == 0;
    cr_expect_eq(full, 1000000 / 1024);
    /* Identification, version, queues, memory; two segments and one zeroed rest; three queue registers; the copy. */
    cr_expect_eq(kit_statistic(r->kit, "calls"), 4 + 3 + 3 + 1);
    cr_expect_eq(kit_statistic(r->kit, "write_bytes"), 128 + 64 + 3 * 4 + 1000000);
    cr_expect_eq(kit_statistic(r->kit, "reads"), 4);
    cr_expect_eq(kit_statistic(r->kit, "read_bytes"), 16);
    cr_expect_gt(kit_statistic(r->kit, "transfer_cycles"), 1000000 / 1024);
    rig_destroy(r);
}

static int use_table(void)
{
    uint8_t got[64];
    hd_device_ptr table = hd_symbol("table");
    hd_check(table.address == RIG_TABLE, "table is at 0x%x", table.address);
    hd_copy_from_device(got, table, sizeof got);
    for (uint32_t i = 0; i < 64; i++)
        hd_check(got[i] == (i < 16 ? i + 1 : 0), "byte %u is %u", i, got[i]);
    hd_fill(hd_offset(table, 60), 9, 4);
    return HD_PASS;
}

Test(host, loads_the_kernel_program_and_reaches_its_variables)
{
    rig *r = rig_create(NULL, use_table, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    cr_expect_eq(r->device.memory[0], 0x67);
    cr_expect_eq(r->device.memory[RIG_TABLE - HD_GLOBAL_BASE + 63], 9);
    rig_destroy(r);
}
