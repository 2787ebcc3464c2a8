/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

static uint32_t read_register(rig *r, uint32_t offset)
{
    uint32_t value = 0;
    cr_assert_eq(rig_register_read(r, offset, &value), HD_STATUS_OK);
    return value;
}

/* Queue 2: a good launch, then this descriptor, which must be refused for this reason. */
static void expect_refusal(const hd_queue_descriptor *bad, uint32_t error)
{
    rig *r = rig_create(NULL);
    r->grid_cycles = 5;
    rig_open_queue(r, 2);
    hd_queue_descriptor good = rig_descriptor(0);
    rig_put(r, 2, 0, &good);
    rig_put(r, 2, 1, bad);
    cr_assert_eq(rig_ring_doorbell(r, 2, 2), HD_STATUS_OK);
    hd_time t = kit_now(r->kit) + 1000000;
    kit_run_until(r->kit, t);
    uint32_t line;
    uint64_t tag;
    cr_assert(rig_take_interrupt(r, &line, &tag, t));
    cr_expect_eq(line, HD_INTERRUPT_LINE_COMPLETION);
    cr_assert(rig_take_interrupt(r, &line, &tag, t));
    cr_expect_eq(line, HD_INTERRUPT_LINE_ERROR);
    cr_expect_eq(tag, UINT64_C(2) << 32 | 1);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR), error);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_QUEUE), 2);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_INDEX), 1);
    cr_expect_eq(kit_statistic(r->kit, "launches"), 1);
    cr_expect_eq(kit_statistic(r->kit, "bad_descriptors"), 1);

    /* Cleared and opened again, the queue goes on. */
    cr_expect_eq(rig_register_write(r, HD_REGISTER_ERROR, 0), HD_STATUS_OK);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR), HD_QUEUE_ERROR_NONE);
    rig_open_queue(r, 2);
    cr_assert_eq(rig_ring_doorbell(r, 2, 1), HD_STATUS_OK);
    kit_run_until(r->kit, kit_now(r->kit) + 1000000);
    cr_expect_eq(kit_statistic(r->kit, "launches"), 2);
    rig_destroy(r);
}

Test(command_processor, stops_a_queue_at_a_descriptor_without_its_mark)
{
    hd_queue_descriptor bad = rig_descriptor(1);
    bad.mark = 0;
    expect_refusal(&bad, HD_QUEUE_ERROR_DESCRIPTOR);
}

Test(command_processor, stops_a_queue_at_an_empty_grid)
{
    for (uint32_t i = 0; i < 3; i++) {
        hd_queue_descriptor bad = rig_descriptor(1);
        bad.grid.grid_size[i] = 0;
        expect_refusal(&bad, HD_QUEUE_ERROR_GRID);
        bad = rig_descriptor(1);
        bad.grid.block_size[i] = 0;
        expect_refusal(&bad, HD_QUEUE_ERROR_GRID);
    }
}

Test(command_processor, stops_a_queue_at_private_memory_of_part_of_a_line)
{
    hd_queue_descriptor bad = rig_descriptor(1);
    bad.grid.private_bytes = 192;
    expect_refusal(&bad, HD_QUEUE_ERROR_PRIVATE);
}

Test(command_processor, stops_a_queue_at_a_launch_number_that_is_running)
{
    rig *r = rig_create(NULL);
    for (uint32_t queue = 0; queue < 2; queue++) {
        rig_open_queue(r, queue);
        hd_queue_descriptor same = rig_descriptor(3);
        rig_put(r, queue, 0, &same);
        cr_assert_eq(rig_ring_doorbell(r, queue, 1), HD_STATUS_OK);
        kit_run_until(r->kit, kit_now(r->kit) + 1000000);
    }
    cr_expect_eq(kit_statistic(r->kit, "launches"), 1);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR), HD_QUEUE_ERROR_LAUNCH);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_QUEUE), 1);
    rig_destroy(r);
}
