/* SPDX-License-Identifier: MIT */
/* Copies of the queues: their order, what runs beside them, and what is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

static rig *with_engine(const char *const *parameters, uint32_t queues)
{
    rig *r = rig_create(parameters);
    kit_connect(r->kit, PORT_COPY, 0, 1, 4);
    kit_connect(r->kit, PORT_COPIED, 0, 1, 4);
    for (uint32_t i = 0; i < queues; i++)
        rig_open_queue(r, i);
    return r;
}

static void put_launch(rig *r, uint32_t queue, uint32_t index, uint32_t number)
{
    const hd_queue_descriptor descriptor = rig_descriptor(number);
    rig_put(r, queue, index, &descriptor);
}

static void put_copy(rig *r, uint32_t queue, uint32_t index, uint32_t number)
{
    const hd_queue_copy descriptor = rig_copy(number);
    rig_put(r, queue, index, &descriptor);
}

static void run_cycles(rig *r, uint64_t cycles)
{
    kit_run_until(r->kit, kit_now(r->kit) + kit_cycles(r->kit, cycles));
}

static uint32_t read_register(rig *r, uint32_t offset)
{
    uint32_t value = 0;
    cr_assert_eq(rig_register_read(r, offset, &value), HD_STATUS_OK);
    return value;
}

Test(command_processor, says_whether_its_queues_take_copies)
{
    rig *r = with_engine((const char *[]){"queues=3", NULL}, 0);
    cr_expect_eq(read_register(r, HD_REGISTER_QUEUES), 3 | HD_QUEUES_COPY);
    rig_destroy(r);
}

Test(command_processor, copies_and_launches_of_a_queue_run_one_after_another)
{
    rig *r = with_engine(NULL, 1);
    r->copy_cycles = 300;
    r->grid_cycles = 200;
    put_copy(r, 0, 0, 8);
    put_launch(r, 0, 1, 8); /* copies and launches have numbers of their own */
    put_copy(r, 0, 2, 9);
    cr_assert_eq(rig_ring_doorbell(r, 0, 3), HD_STATUS_OK);
    run_cycles(r, 3000);
    hd_queue_completion before = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const hd_queue_completion record = rig_completion(r, 0, i);
        cr_expect_eq(record.status, HD_COMPLETION_DONE);
        cr_expect_eq(record.launch, i < 2 ? 8 : 9);
        cr_expect_eq(record.index, i);
        cr_expect_eq(record.end_cycle - record.start_cycle, i == 1 ? 200 + 1 : 300 + 1);
        cr_expect(i == 0 || record.start_cycle > before.end_cycle + 2 * 20,
                  "its descriptor is fetched when that before is told");
        before = record;
    }
    cr_expect_eq(kit_waiting(r->kit, PORT_INTERRUPT, 0), 3);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 2);
    cr_expect_eq(kit_statistic(r->kit, "copy_bytes"), 128);
    cr_expect_eq(kit_statistic(r->kit, "transfer_cycles"), 2 * 301);
    cr_expect_eq(kit_statistic(r->kit, "busy_cycles"), 201);
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 1);
    cr_expect_eq(read_register(r, HD_QUEUE_COMPLETED + HD_REGISTER_QUEUE_BASE), 3);
    rig_destroy(r);
}

Test(command_processor, sends_the_copy_of_the_descriptor)
{
    rig *r = with_engine(NULL, 1);
    put_copy(r, 0, 0, 5);
    rig_ring_doorbell(r, 0, 1);
    run_cycles(r, 100);
    hd_packet *packet = kit_receive(r->kit, PORT_COPY, 0, kit_now(r->kit));
    cr_assert_not_null(packet);
    const hd_queue_copy expected = rig_copy(5);
    cr_expect_arr_eq(hd_body(packet), &expected.copy, sizeof expected.copy);
    cr_expect_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + sizeof expected.copy);
    kit_free(r->kit, packet);
    rig_destroy(r);
}

Test(command_processor, a_copy_runs_beside_a_grid_of_another_queue)
{
    rig *r = with_engine(NULL, 2);
    r->grid_cycles = 1000;
    r->copy_cycles = 300;
    put_launch(r, 0, 0, 0);
    put_copy(r, 1, 0, 0);
    rig_ring_doorbell(r, 0, 1);
    run_cycles(r, 100);
    rig_ring_doorbell(r, 1, 1);
    run_cycles(r, 2000);
    const hd_queue_completion grid = rig_completion(r, 0, 0), copy = rig_completion(r, 1, 0);
    cr_expect(copy.start_cycle > grid.start_cycle && copy.end_cycle < grid.end_cycle);
    cr_expect_eq(kit_statistic(r->kit, "overlap_cycles"), 301);
    cr_expect_eq(kit_statistic(r->kit, "transfer_cycles"), 0);
    rig_destroy(r);
}

Test(command_processor, a_launch_beside_a_copy_does_not_wait_for_an_idle_device)
{
    rig *r = with_engine(NULL, 2);
    r->grid_cycles = 100;
    r->copy_cycles = 1000;
    put_copy(r, 1, 0, 0);
    put_launch(r, 0, 0, 0);
    rig_ring_doorbell(r, 1, 1);
    run_cycles(r, 100);
    rig_ring_doorbell(r, 0, 1);
    run_cycles(r, 2000);
    const hd_queue_completion grid = rig_completion(r, 0, 0), copy = rig_completion(r, 1, 0);
    cr_expect(grid.start_cycle > copy.start_cycle && grid.end_cycle < copy.end_cycle);
    cr_expect_eq(kit_statistic(r->kit, "launches"), 1);
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 0);
    rig_destroy(r);
}

Test(command_processor, a_copy_waits_while_an_aligned_launch_is_prepared)
{
    rig *r = with_engine((const char *[]){"settle=400 cycles", NULL}, 2);
    r->grid_cycles = 100;
    r->copy_cycles = 50;
    put_launch(r, 0, 0, 0);
    put_copy(r, 1, 0, 0);
    rig_ring_doorbell(r, 0, 1);
    rig_ring_doorbell(r, 1, 1); /* fetched before the launch settles */
    run_cycles(r, 2000);
    const hd_queue_completion grid = rig_completion(r, 0, 0), copy = rig_completion(r, 1, 0);
    cr_expect_geq(copy.start_cycle, grid.start_cycle);
    cr_expect_eq(kit_statistic(r->kit, "aligned_launches"), 1);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 1);
    rig_destroy(r);
}

Test(command_processor, no_more_copies_leave_than_the_engine_takes)
{
    rig *r = rig_create(NULL);
    kit_connect(r->kit, PORT_COPY, 0, 1, 2);
    kit_connect(r->kit, PORT_COPIED, 0, 1, 4);
    kit_hold_credits(r->kit, PORT_COPY, 0, 1);
    r->copy_cycles = 100;
    for (uint32_t q = 0; q < 3; q++) {
        rig_open_queue(r, q);
        put_copy(r, q, 0, q);
        rig_ring_doorbell(r, q, 1);
    }
    run_cycles(r, 1000);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 2);
    cr_expect_eq(kit_release_credits(r->kit, PORT_COPY, 0, 1, kit_now(r->kit)), 1);
    run_cycles(r, 1000);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 3);
    rig_destroy(r);
}

/* ---- Refused ------------------------------------------------------------------------------------------------------ */

static void expect_stopped(rig *r, uint32_t error)
{
    rig_ring_doorbell(r, 0, 1);
    run_cycles(r, 1000);
    uint32_t line;
    uint64_t tag;
    cr_assert(rig_take_interrupt(r, &line, &tag, kit_now(r->kit)));
    cr_expect_eq(line, HD_INTERRUPT_LINE_ERROR);
    cr_expect_eq(tag, 0);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR), error);
    cr_expect_eq(kit_statistic(r->kit, "bad_descriptors"), 1);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 0);
}

Test(command_processor, a_copy_that_is_refused_stops_its_queue_and_says_where)
{
    rig *r = with_engine(NULL, 1);
    r->copy_cycles = 30;
    r->copy_status = HD_STATUS_ADDRESS_ERROR;
    put_copy(r, 0, 0, 3);
    expect_stopped(r, HD_QUEUE_ERROR_COPY);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_STATUS), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_LOW), 0x12345678);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_HIGH), 0x80);
    cr_expect_eq(rig_register_write(r, HD_REGISTER_ERROR_STATUS, 0), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(rig_register_write(r, HD_REGISTER_ERROR, 0), HD_STATUS_OK);
    cr_expect_eq(read_register(r, HD_REGISTER_ERROR_STATUS) | read_register(r, HD_REGISTER_ERROR_LOW), 0);

    r->copy_status = HD_STATUS_OK;
    rig_open_queue(r, 0);
    rig_ring_doorbell(r, 0, 1);
    run_cycles(r, 1000);
    cr_expect_eq(kit_statistic(r->kit, "copies"), 1);
    rig_destroy(r);
}

static void expect_out_of_range(const hd_queue_copy *copy)
{
    rig *r = with_engine(NULL, 1);
    r->copy_cycles = 30;
    rig_put(r, 0, 0, copy);
    expect_stopped(r, HD_QUEUE_ERROR_RANGE);
    rig_destroy(r);
}

Test(command_processor, copies_of_nothing_nowhere_and_beyond_memory_are_refused)
{
    hd_queue_copy copy = rig_copy(0);
    copy.copy.bytes = 0;
    expect_out_of_range(&copy);
    copy.copy.bytes = 65;
    expect_out_of_range(&copy);
    copy.copy.bytes = UINT64_MAX;
    expect_out_of_range(&copy);
    copy = rig_copy(0);
    copy.copy.device_address = HD_GLOBAL_BASE - 1;
    expect_out_of_range(&copy);
    copy = rig_copy(0);
    copy.copy.direction = HD_COPY_FILL + 1;
    expect_out_of_range(&copy);
}

Test(command_processor, without_an_engine_a_copy_is_no_descriptor)
{
    rig *r = rig_create(NULL);
    rig_open_queue(r, 0);
    put_copy(r, 0, 0, 0);
    expect_stopped(r, HD_QUEUE_ERROR_DESCRIPTOR);
    rig_destroy(r);
}

Test(command_processor, a_copy_that_ends_without_having_begun_is_reported)
{
    rig *r = with_engine(NULL, 1);
    kit_expect_fault(r->kit);
    hd_packet *done = kit_packet(r->kit, HD_COPY_DONE, 0);
    done->tag = 1;
    kit_send(r->kit, PORT_COPIED, 0, done, kit_now(r->kit));
    run_cycles(r, 10);
    cr_assert_not_null(kit_fault_text(r->kit));
    cr_expect_str_eq(kit_fault_text(r->kit), "copied: queue 1 has no copy under way");
    rig_destroy(r);
}
