/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"

static rig *with_queues(const char *const *parameters, uint32_t queues)
{
    rig *r = rig_create(parameters);
    for (uint32_t i = 0; i < queues; i++)
        rig_open_queue(r, i);
    return r;
}

static void put_launch(rig *r, uint32_t queue, uint32_t index, uint32_t launch)
{
    hd_queue_descriptor descriptor = rig_descriptor(launch);
    rig_put(r, queue, index, &descriptor);
}

static hd_time cycles_on(rig *r, uint64_t cycles)
{
    hd_time t = kit_now(r->kit) + kit_cycles(r->kit, cycles);
    kit_run_until(r->kit, t);
    return t;
}

Test(command_processor, launches_a_grid_and_reports_its_completion)
{
    rig *r = with_queues(NULL, 1);
    put_launch(r, 0, 0, 42);
    cr_assert_eq(rig_ring_doorbell(r, 0, 1), HD_STATUS_OK);
    hd_time t = cycles_on(r, 200);
    hd_grid grid;
    cr_assert(rig_take_launch(r, &grid, t));
    hd_time launched = kit_received_at(r->kit) - kit_cycles(r->kit, 1);
    const hd_grid expected = rig_descriptor(42).grid;
    cr_expect_arr_eq(&grid, &expected, sizeof grid);
    uint32_t value = 0;
    rig_register_read(r, HD_REGISTER_RUNNING, &value);
    cr_expect_eq(value, 1);
    cr_expect_eq(kit_waiting(r->kit, PORT_INTERRUPT, 0), 0);

    hd_time end = kit_now(r->kit) + 500000;
    rig_end_grid(r, 42, end);
    kit_run_until(r->kit, end + 100000);
    uint32_t line;
    uint64_t tag;
    cr_assert(rig_take_interrupt(r, &line, &tag, end + 100000));
    cr_expect_eq(line, HD_INTERRUPT_LINE_COMPLETION);
    cr_expect_eq(tag, 42);
    /* The record's store leaves in the cycle of the end, is answered 21 cycles later, and the interrupt arrives one later. */
    cr_expect_eq(kit_received_at(r->kit), end + kit_cycles(r->kit, 1 + 20 + 1));
    hd_queue_completion record = rig_completion(r, 0, 0);
    cr_expect_eq(record.launch, 42);
    cr_expect_eq(record.status, HD_COMPLETION_DONE);
    cr_expect_eq(record.start_cycle, launched / 1000);
    cr_expect_eq(record.end_cycle, end / 1000);
    cr_expect_eq(kit_statistic(r->kit, "busy_cycles"), (end - launched) / 1000);
    cr_expect_eq(kit_statistic(r->kit, "launches"), 1);
    cr_expect_eq(kit_statistic(r->kit, "interrupts"), 1);
    cr_expect_gt(kit_statistic(r->kit, "launch_wait_cycles"), 10);
    cr_expect_eq(kit_progress(r->kit), end);
    rig_destroy(r);
}

static uint64_t of_host(const rig *r, hd_time end)
{
    return end / 1000 - kit_statistic(r->kit, "transfer_cycles") - kit_statistic(r->kit, "command_cycles") -
           kit_statistic(r->kit, "busy_cycles");
}

/* One access of the host, of as many bytes as a line has. */
static void write_line(rig *r, uint64_t address)
{
    const uint8_t data[HD_LINE_BYTES] = {0};
    rig_write(r, address, data, NULL, sizeof data, 7, kit_now(r->kit));
    uint64_t tag;
    cr_assert_eq(rig_response(r, &tag, NULL), HD_STATUS_OK);
    cycles_on(r, 10);
}

Test(command_processor, counts_each_cycle_for_what_it_went_into)
{
    rig *r = with_queues(NULL, 1);
    put_launch(r, 0, 0, 42);
    cr_expect_eq(kit_statistic(r->kit, "command_cycles") + kit_statistic(r->kit, "transfer_cycles"), 0);
    write_line(r, HD_GLOBAL_BASE + 0xF000);
    /* It arrives, is sent at the same edge, and answered to the host at that of the reply. */
    cr_expect_eq(kit_statistic(r->kit, "transfer_cycles"), 21);
    cr_expect_eq(kit_statistic(r->kit, "command_cycles"), 0);

    cr_assert_eq(rig_ring_doorbell(r, 0, 1), HD_STATUS_OK);
    hd_time t = cycles_on(r, 200);
    hd_grid grid;
    cr_assert(rig_take_launch(r, &grid, t));
    const uint64_t waited = kit_statistic(r->kit, "command_cycles");
    cr_expect_geq(waited, 21 + kit_statistic(r->kit, "launch_wait_cycles"));
    cr_expect_eq(kit_statistic(r->kit, "overlap_cycles"), 0);
    write_line(r, HD_GLOBAL_BASE + 0xF000);
    cr_expect_eq(kit_statistic(r->kit, "overlap_cycles"), 21);
    cr_expect_eq(kit_statistic(r->kit, "transfer_cycles"), 21);

    hd_time end = kit_now(r->kit) + 500000;
    rig_end_grid(r, 42, end);
    kit_run_until(r->kit, end + 100000);
    cr_expect_eq(kit_statistic(r->kit, "command_cycles"), waited + 21, "the record is written in 21 cycles");
    cr_expect_eq(kit_statistic(r->kit, "overlap_cycles"), 21);
    const uint64_t host = of_host(r, kit_now(r->kit));
    cycles_on(r, 100);
    cr_expect_eq(of_host(r, kit_now(r->kit)), host + 100, "nothing is under way");
    rig_destroy(r);
}

Test(command_processor, runs_the_launches_of_one_queue_one_after_another)
{
    rig *r = with_queues(NULL, 1);
    for (uint32_t i = 0; i < 3; i++)
        put_launch(r, 0, i, i);
    cr_assert_eq(rig_ring_doorbell(r, 0, 3), HD_STATUS_OK);
    for (uint32_t i = 0; i < 3; i++) {
        hd_time t = cycles_on(r, 500);
        hd_grid grid;
        cr_assert(rig_take_launch(r, &grid, t));
        cr_expect_eq(grid.launch, i);
        cr_expect_not(rig_take_launch(r, &grid, t));
        rig_end_grid(r, i, t);
    }
    cycles_on(r, 500);
    cr_expect_eq(kit_waiting(r->kit, PORT_INTERRUPT, 0), 3);
    cr_expect_eq(kit_statistic(r->kit, "max_grids"), 1);
    rig_destroy(r);
}

Test(command_processor, grids_of_different_queues_run_at_the_same_time)
{
    rig *r = with_queues(NULL, 3);
    for (uint32_t queue = 0; queue < 3; queue++) {
        put_launch(r, queue, 0, 10 + queue);
        put_launch(r, queue, 1, 20 + queue);
        cr_assert_eq(rig_ring_doorbell(r, queue, 2), HD_STATUS_OK);
    }
    hd_time t = cycles_on(r, 1000);
    cr_expect_eq(kit_waiting(r->kit, PORT_LAUNCH, 0), 3);
    cr_expect_eq(kit_statistic(r->kit, "max_grids"), 3);
    rig_end_grid(r, 11, t); /* the middle queue's goes on alone */
    t = cycles_on(r, 1000);
    hd_grid grid = {0};
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(rig_take_launch(r, &grid, t));
        cr_expect_eq(grid.stream, grid.launch % 10,
                     "the queue that it was launched in, whatever the descriptor has there");
    }
    cr_expect_eq(grid.launch, 21);
    uint32_t line;
    uint64_t tag;
    cr_assert(rig_take_interrupt(r, &line, &tag, t));
    cr_expect_eq(tag, UINT64_C(1) << 32 | 11);
    rig_destroy(r);
}

Test(command_processor, serves_queues_in_turn_when_only_one_grid_may_run)
{
    rig *r = with_queues((const char *[]){"concurrent_grids=1", NULL}, 3);
    r->grid_cycles = 50;
    for (uint32_t queue = 0; queue < 3; queue++) {
        for (uint32_t i = 0; i < 2; i++)
            put_launch(r, queue, i, 10 * queue + i);
        cr_assert_eq(rig_ring_doorbell(r, queue, 2), HD_STATUS_OK);
    }
    hd_time t = cycles_on(r, 5000);
    static const uint32_t order[] = {0, 10, 20, 1, 11, 21};
    for (uint32_t i = 0; i < 6; i++) {
        hd_grid grid;
        cr_assert(rig_take_launch(r, &grid, t));
        cr_expect_eq(grid.launch, order[i]);
    }
    cr_expect_eq(kit_statistic(r->kit, "max_grids"), 1);
    rig_destroy(r);
}

Test(command_processor, a_ring_is_used_again_from_its_beginning)
{
    rig *r = with_queues(NULL, 1);
    r->grid_cycles = 5;
    for (uint32_t i = 0; i < 3 * RIG_ENTRIES; i++) {
        put_launch(r, 0, i, i);
        cr_assert_eq(rig_ring_doorbell(r, 0, i + 1), HD_STATUS_OK);
        cycles_on(r, 300);
        cr_expect_eq(rig_completion(r, 0, i).launch, i);
        cr_expect_eq(rig_completion(r, 0, i).index, i);
    }
    cr_expect_eq(kit_statistic(r->kit, "launches"), 3 * RIG_ENTRIES);
    rig_destroy(r);
}

Test(command_processor, waits_until_the_host_takes_interrupts)
{
    rig *r = rig_create(NULL);
    kit_connect(r->kit, PORT_INTERRUPT, 0, 1, 1);
    rig_open_queue(r, 0);
    r->grid_cycles = 5;
    kit_hold_credits(r->kit, PORT_INTERRUPT, 0, 1);
    for (uint32_t i = 0; i < 3; i++)
        put_launch(r, 0, i, i);
    rig_ring_doorbell(r, 0, 3);
    for (uint32_t i = 1; i <= 3; i++) {
        hd_time t = cycles_on(r, 1000);
        cr_expect_eq(kit_waiting(r->kit, PORT_INTERRUPT, 0), i);
        kit_release_credits(r->kit, PORT_INTERRUPT, 0, 1, t);
    }
    rig_destroy(r);
}

Test(command_processor, a_busy_queue_does_not_keep_another_from_memory)
{
    rig *r = rig_create((const char *[]){"launch_align=false", NULL});
    kit_connect(r->kit, PORT_REQUEST, 0, 1, 1);
    rig_open_queue(r, 0);
    rig_open_queue(r, 1);
    r->reply_cycles = 0;
    kit_hold_credits(r->kit, PORT_REQUEST, 0, 1);
    put_launch(r, 0, 0, 0);
    rig_ring_doorbell(r, 0, 1);
    hd_time t = cycles_on(r, 10);
    rig_ring_doorbell(r, 1, 1);
    hd_packet *fetch = kit_receive(r->kit, PORT_REQUEST, 0, t);
    cr_assert_not_null(fetch);
    kit_send(r->kit, PORT_REPLY, 0, rig_answer(r, fetch), kit_now(r->kit));
    kit_free(r->kit, fetch);
    t = cycles_on(r, 100);
    rig_end_grid(r, 0, t);
    /* Queue 0 wants its completion written, but queue 1 has not been fetched yet. */
    t = cycles_on(r, 100);
    kit_release_credits(r->kit, PORT_REQUEST, 0, 1, t);
    t = cycles_on(r, 100);
    hd_packet *line = kit_receive(r->kit, PORT_REQUEST, 0, t);
    cr_assert_not_null(line);
    cr_expect_eq(line->address, RIG_RING + RIG_QUEUE_STRIDE);
    kit_free(r->kit, line);
    rig_destroy(r);
}

Test(command_processor, faults_when_a_grid_ends_that_does_not_run)
{
    rig *r = with_queues(NULL, 1);
    kit_expect_fault(r->kit);
    rig_end_grid(r, 7, kit_now(r->kit) + 1000);
    cycles_on(r, 10);
    cr_assert_not_null(kit_fault_text(r->kit));
    cr_expect_not_null(strstr(kit_fault_text(r->kit), "launch 7 is not running"));
    rig_destroy(r);
}

static void append(void *context, const char *format, ...)
{
    char *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), 1000 - strlen(text), format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

Test(command_processor, says_what_its_queues_wait_for)
{
    rig *r = with_queues((const char *[]){"concurrent_grids=1", NULL}, 2);
    const hd_pending *pending = hd_command_processor_queues.extension(kit_instance(r->kit), HD_EXTENSION_PENDING);
    cr_expect_not(pending->has_work(kit_instance(r->kit)));
    put_launch(r, 0, 0, 5);
    put_launch(r, 1, 0, 6);
    rig_ring_doorbell(r, 0, 1);
    rig_ring_doorbell(r, 1, 1);
    cycles_on(r, 1000);
    cr_expect(pending->has_work(kit_instance(r->kit)));
    char text[1024] = "";
    pending->describe(kit_instance(r->kit), &(hd_text_sink){text, append});
    cr_expect_str_eq(text, "queue 0: descriptor 0 (launch 5) is running\n"
                           "queue 1: descriptor 0 (launch 6) waits for a grid to end\n");
    r->reply_cycles = 0;
    rig_read(r, HD_GLOBAL_BASE, 4, 0, kit_now(r->kit));
    cycles_on(r, 10);
    text[0] = '\0';
    pending->describe(kit_instance(r->kit), &(hd_text_sink){text, append});
    cr_expect_not_null(strstr(text, "1 host accesses under way, 1 line accesses in flight\n"));
    rig_destroy(r);
}
