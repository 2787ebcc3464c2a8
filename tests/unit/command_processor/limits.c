/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

Test(command_processor, holds_no_more_host_accesses_than_the_parameter_says)
{
    rig *r = rig_create((const char *[]){"host_requests=3", NULL});
    r->reply_cycles = 0;
    for (uint32_t i = 0; i < 8; i++)
        rig_read(r, HD_GLOBAL_BASE + i * 128, 4, i, 0);
    kit_run_until(r->kit, 100000);
    cr_expect_eq(kit_waiting(r->kit, PORT_REQUEST, 0), 3);
    cr_expect_eq(kit_statistic(r->kit, "max_host_requests"), 3);
    hd_packet *line = kit_receive(r->kit, PORT_REQUEST, 0, 100000);
    kit_send(r->kit, PORT_REPLY, 0, rig_answer(r, line), 100000);
    kit_free(r->kit, line);
    kit_run_until(r->kit, 200000);
    cr_expect_eq(kit_waiting(r->kit, PORT_REQUEST, 0), 3);
    rig_destroy(r);
}

Test(command_processor, keeps_no_more_lines_in_flight_than_the_parameter_says)
{
    rig *r = rig_create((const char *[]){"lines_in_flight=5", NULL});
    r->reply_cycles = 0;
    rig_read(r, HD_GLOBAL_BASE, 1024, 0, 10000);
    kit_run_until(r->kit, 100000);
    cr_expect_eq(kit_waiting(r->kit, PORT_REQUEST, 0), 5);
    cr_expect_eq(kit_statistic(r->kit, "max_lines_in_flight"), 5);
    /* Lines leave at cycles 10 to 14; from 15 on the sixth waits. */
    cr_expect_eq(kit_statistic(r->kit, "stall_lines_cycles"), 100 - 15);
    rig_destroy(r);
}

Test(command_processor, waits_for_room_in_the_network)
{
    rig *r = rig_create(NULL);
    r->reply_cycles = 0;
    kit_connect(r->kit, PORT_REQUEST, 0, 1, 2);
    kit_hold_credits(r->kit, PORT_REQUEST, 0, 1);
    rig_read(r, HD_GLOBAL_BASE, 1024, 0, 10000);
    kit_run_until(r->kit, 50000);
    cr_expect_eq(kit_waiting(r->kit, PORT_REQUEST, 0), 2);
    kit_release_credits(r->kit, PORT_REQUEST, 0, 1, 50000);
    kit_run_until(r->kit, 100000);
    cr_expect_eq(kit_waiting(r->kit, PORT_REQUEST, 0), 3);
    /* Stalled at cycles 12 to 50, and again from 52 on. */
    cr_expect_eq(kit_statistic(r->kit, "stall_credit_cycles"), (51 - 12) + (100 - 52));
    rig_destroy(r);
}

Test(command_processor, waits_for_the_host_to_take_responses)
{
    rig *r = rig_create(NULL);
    kit_connect(r->kit, PORT_HOST, 0, 1, 1);
    kit_hold_credits(r->kit, PORT_HOST, 0, 1);
    for (uint32_t i = 0; i < 3; i++)
        rig_read(r, HD_GLOBAL_BASE, 4, i, 0);
    kit_run_until(r->kit, 100000);
    for (uint32_t i = 1; i <= 3; i++) {
        cr_expect_eq(kit_waiting(r->kit, PORT_HOST, 0), i);
        kit_release_credits(r->kit, PORT_HOST, 0, 1, i * 100000);
        kit_run_until(r->kit, (i + 1) * 100000);
    }
    rig_destroy(r);
}

Test(command_processor, refuses_memory_that_is_not_whole_pages)
{
    char error[200] = "";
    cr_expect(kit_refuses(&hd_command_processor_queues, (const char *[]){"memory=5000 B", NULL}, error, sizeof error));
    cr_expect_str_eq(error, "block: memory must be a multiple of 4 KiB");
}

Test(command_processor, high_water_marks_restart)
{
    rig *r = rig_create(NULL);
    rig_read(r, HD_GLOBAL_BASE, 1024, 0, 0);
    rig_response(r, NULL, NULL);
    cr_expect_eq(kit_statistic(r->kit, "max_lines_in_flight"), 8);
    const hd_mark *mark = hd_command_processor_queues.extension(kit_instance(r->kit), HD_EXTENSION_MARK);
    mark->mark(kit_instance(r->kit));
    cr_expect_eq(kit_statistic(r->kit, "max_lines_in_flight"), 0);
    cr_expect_eq(kit_statistic(r->kit, "max_host_requests"), 0);
    rig_destroy(r);
}
