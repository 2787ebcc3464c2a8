/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include <string.h>

#include "rig.h"

static void expect_register(rig *r, uint64_t offset, uint32_t expected)
{
    uint32_t value = ~expected;
    cr_expect_eq(rig_register_read(r, offset, &value), HD_STATUS_OK, "register 0x%llx", (unsigned long long)offset);
    cr_expect_eq(value, expected, "register 0x%llx is 0x%x, expected 0x%x", (unsigned long long)offset, value,
                 expected);
    value = ~expected;
    cr_expect_eq(kit_register_peek(r->kit, HD_HOST_MMIO_BASE + offset, &value, 4), 4);
    cr_expect_eq(value, expected, "a debugger sees 0x%x in register 0x%llx", value, (unsigned long long)offset);
}

static uint64_t queue_register(uint32_t queue, uint32_t reg)
{
    return HD_REGISTER_QUEUE_BASE + queue * HD_REGISTER_QUEUE_STRIDE + reg;
}

Test(command_processor, identifies_itself)
{
    rig *r = rig_create((const char *[]){"queues=3", NULL});
    expect_register(r, HD_REGISTER_IDENTIFICATION, HD_IDENTIFICATION);
    expect_register(r, HD_REGISTER_VERSION, HD_QUEUE_VERSION);
    expect_register(r, HD_REGISTER_QUEUES, 3);
    expect_register(r, HD_REGISTER_MEMORY_PAGES, RIG_MEMORY_BYTES / 4096);
    expect_register(r, HD_REGISTER_RUNNING, 0);
    expect_register(r, HD_REGISTER_ERROR, 0);
    cr_expect_eq(kit_statistic(r->kit, "register_accesses"), 6);
    cr_expect_eq(kit_statistic(r->kit, "line_accesses"), 0);
    rig_destroy(r);
}

Test(command_processor, queue_registers_read_back)
{
    rig *r = rig_create(NULL);
    rig_open_queue(r, 2);
    expect_register(r, queue_register(2, HD_QUEUE_RING), RIG_RING + 2 * RIG_QUEUE_STRIDE);
    expect_register(r, queue_register(2, HD_QUEUE_COMPLETION), RIG_COMPLETION + 2 * RIG_QUEUE_STRIDE);
    expect_register(r, queue_register(2, HD_QUEUE_ENTRIES), RIG_ENTRIES);
    expect_register(r, queue_register(2, HD_QUEUE_DOORBELL), 0);
    expect_register(r, queue_register(2, HD_QUEUE_COMPLETED), 0);
    uint8_t bytes[8];
    const uint32_t ring = RIG_RING + 2 * RIG_QUEUE_STRIDE, none = 7;
    cr_expect_eq(kit_register_peek(r->kit, HD_HOST_MMIO_BASE + queue_register(2, HD_QUEUE_RING) + 1, bytes, 7), 7);
    cr_expect_eq(memcmp(bytes, (const char *)&ring + 1, 3), 0, "parts of registers, one after the other");
    cr_expect_eq(kit_register_poke(r->kit, HD_HOST_MMIO_BASE + queue_register(2, HD_QUEUE_DOORBELL), &none, 4), 0);
    rig_destroy(r);
}

Test(command_processor, refuses_registers_that_do_not_exist_and_read_only_ones)
{
    rig *r = rig_create((const char *[]){"queues=3", NULL});
    static const uint32_t unknown[] = {0x02C, 0xFFC, 0x1014, 0x101C, 0x1060, 0xFFFFFC};
    for (uint32_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        uint32_t value;
        cr_expect_eq(rig_register_read(r, unknown[i], &value), HD_STATUS_ADDRESS_ERROR, "read 0x%x", unknown[i]);
        cr_expect_eq(rig_register_write(r, unknown[i], 1), HD_STATUS_ADDRESS_ERROR, "write 0x%x", unknown[i]);
        cr_expect_eq(kit_register_peek(r->kit, HD_HOST_MMIO_BASE + unknown[i], &value, 4), 0);
    }
    static const uint32_t read_only[] = {
        HD_REGISTER_IDENTIFICATION, HD_REGISTER_VERSION,     HD_REGISTER_QUEUES,      HD_REGISTER_MEMORY_PAGES,
        HD_REGISTER_RUNNING,        HD_REGISTER_ERROR_QUEUE, HD_REGISTER_ERROR_INDEX, 0x1000 + HD_QUEUE_COMPLETED,
    };
    for (uint32_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++)
        cr_expect_eq(rig_register_write(r, read_only[i], 1), HD_STATUS_ADDRESS_ERROR, "write 0x%x", read_only[i]);
    rig_destroy(r);
}

Test(command_processor, refuses_register_accesses_of_another_size_or_alignment)
{
    rig *r = rig_create(NULL);
    static const struct {
        uint32_t offset, bytes;
    } odd[] = {{0, 1}, {0, 2}, {0, 8}, {0, 1024}, {2, 4}, {1, 4}};
    for (uint32_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        static const uint8_t zeros[1024];
        rig_read(r, HD_HOST_MMIO_BASE + odd[i].offset, odd[i].bytes, 0, kit_now(r->kit));
        cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_BURST_ERROR, "case %u", i);
        rig_write(r, HD_HOST_MMIO_BASE + odd[i].offset, zeros, NULL, odd[i].bytes, 0, kit_now(r->kit));
        cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_BURST_ERROR, "case %u", i);
    }
    const uint32_t value = 0;
    const uint8_t enables[4] = {0xFF, 0xFF, 0xFF, 0xFF};
    rig_write(r, HD_HOST_MMIO_BASE + HD_REGISTER_ERROR, &value, enables, 4, 0, kit_now(r->kit));
    cr_expect_eq(rig_response(r, NULL, NULL), HD_STATUS_BYTE_ENABLE_ERROR);
    rig_destroy(r);
}

Test(command_processor, refuses_rings_that_are_misaligned_or_outside_memory)
{
    rig *r = rig_create(NULL);
    const uint32_t end = HD_GLOBAL_BASE + RIG_MEMORY_BYTES;
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_RING), HD_GLOBAL_BASE + 64), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_RING), end), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_RING), 128), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_COMPLETION), HD_GLOBAL_BASE + 16),
                 HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 4), HD_STATUS_ADDRESS_ERROR,
                 "no ring is set");
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_COMPLETION), HD_GLOBAL_BASE), HD_STATUS_OK);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_RING), end - 4 * 128), HD_STATUS_OK);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 8), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 3), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 4), HD_STATUS_OK);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_COMPLETION), end - 32), HD_STATUS_OK);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 4), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_ENTRIES), 0), HD_STATUS_OK);
    cr_expect_eq(rig_ring_doorbell(r, 0, 1), HD_STATUS_ADDRESS_ERROR, "disabled");
    rig_destroy(r);
}

Test(command_processor, refuses_doorbells_that_overrun_the_ring_or_go_back)
{
    rig *r = rig_create(NULL);
    rig_open_queue(r, 0);
    for (uint32_t i = 0; i < 2; i++) {
        hd_queue_descriptor descriptor = rig_descriptor(i);
        rig_put(r, 0, i, &descriptor);
    }
    cr_expect_eq(rig_ring_doorbell(r, 0, RIG_ENTRIES + 1), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_ring_doorbell(r, 0, 2), HD_STATUS_OK);
    cr_expect_eq(rig_ring_doorbell(r, 0, 1), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, queue_register(0, HD_QUEUE_RING), RIG_RING), HD_STATUS_ADDRESS_ERROR,
                 "the queue is not idle");
    rig_destroy(r);
}

/* Whenever the host asks: between two descriptors the queue is not idle either. */
Test(command_processor, refuses_another_ring_until_all_descriptors_are_done)
{
    enum { WRITES = 400 };
    const uint32_t base = RIG_RING;
    rig *r = rig_create(NULL);
    rig_open_queue(r, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const hd_queue_descriptor descriptor = rig_descriptor(i);
        rig_put(r, 0, i, &descriptor);
    }
    r->grid_cycles = 5;
    cr_assert_eq(rig_ring_doorbell(r, 0, 2), HD_STATUS_OK);
    const hd_time begin = kit_now(r->kit);
    for (uint32_t i = 0; i < WRITES; i++)
        rig_write(r, HD_HOST_MMIO_BASE + queue_register(0, HD_QUEUE_RING), &base, NULL, 4, i,
                  begin + kit_cycles(r->kit, i));
    uint32_t refused = 0, was_accepted = 0;
    for (uint32_t i = 0; i < WRITES; i++) {
        const uint32_t is_refused = rig_response(r, NULL, NULL) != HD_STATUS_OK;
        cr_expect_not(was_accepted && is_refused, "write %u is refused, one before it was not", i);
        was_accepted |= !is_refused;
        refused += is_refused;
    }
    cr_expect_gt(refused, 0);
    cr_expect(was_accepted, "the queue is idle in the end");
    expect_register(r, queue_register(0, HD_QUEUE_COMPLETED), 2);
    rig_destroy(r);
}
