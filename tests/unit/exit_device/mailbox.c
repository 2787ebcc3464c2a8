/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "exit_device.h"
#include "kit.h"

enum { PORT_BUS };
enum { CYCLE = 1000, EXIT = 0, COMMAND = 8, VALUE = 16, STATUS = 24, TEXT = 0x100 };
#define BASE HD_HOST_EXIT_BASE

static const hd_host_option options[] = {{"n", "4096"}, {"name", "a longer text"}, {"seed", "7"}};

static kit_block *open_device(void)
{
    kit_block *kit = kit_create(&hd_exit_device_mailbox, NULL);
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_start(kit);
    hd_exit_device_set_options(kit_instance(kit), options, 3);
    kit_reset(kit);
    return kit;
}

static void put(kit_block *kit, uint64_t offset, uint32_t bytes, uint64_t value)
{
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + offset, bytes, value), HD_STATUS_OK);
}

static uint64_t get(kit_block *kit, uint64_t offset, uint32_t bytes)
{
    uint64_t value = 0, seen = 0;
    cr_expect_eq(kit_register_peek(kit, BASE + offset, &seen, bytes), bytes);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + offset, bytes, &value), HD_STATUS_OK);
    cr_expect_eq(seen, value, "what a debugger sees");
    return value;
}

static uint64_t command(kit_block *kit, uint32_t what, const char *text)
{
    for (uint64_t i = 0; text && i <= strlen(text); i++)
        put(kit, TEXT + i, 1, (uint8_t)text[i]);
    put(kit, COMMAND, 4, what);
    return get(kit, STATUS, 4);
}

static const char *text_of(kit_block *kit)
{
    static char text[64];
    for (uint64_t i = 0; i < sizeof text; i += 8) {
        const uint64_t part = get(kit, TEXT + i, 8);
        memcpy(text + i, &part, 8);
    }
    return text;
}

static const hd_host_progress *progress_of(kit_block *kit)
{
    return hd_exit_device_mailbox.extension(kit_instance(kit), HD_EXTENSION_HOST_PROGRAM);
}

Test(exit_device, ends_the_program_once)
{
    static const struct {
        uint32_t verdict, status;
    } verdicts[] = {{EXIT_PASS, HD_HOST_PASS}, {EXIT_FAIL, HD_HOST_FAIL}, {EXIT_ERROR, HD_HOST_ERROR}};
    for (uint32_t i = 0; i < 3; i++) {
        kit_block *kit = open_device();
        const hd_host_progress *progress = progress_of(kit);
        cr_expect_eq(progress->status(kit_instance(kit)), HD_HOST_RUNNING);
        cr_expect_eq(progress->ended(kit_instance(kit)), HD_NEVER);
        kit_run_until(kit, 500 * CYCLE);
        put(kit, EXIT, 4, verdicts[i].verdict);
        cr_expect_eq(progress->status(kit_instance(kit)), verdicts[i].status);
        cr_expect_eq(progress->ended(kit_instance(kit)), 500 * CYCLE);
        put(kit, EXIT, 4, EXIT_PASS);
        cr_expect_eq(progress->status(kit_instance(kit)), verdicts[i].status);
        cr_expect_eq(get(kit, EXIT, 4), 0);
        kit_destroy(kit);
    }
}

Test(exit_device, shows_the_options_one_by_one)
{
    static const char *const expected[] = {"n=4096", "name=a longer text", "seed=7"};
    kit_block *kit = open_device();
    for (uint32_t i = 0; i < 3; i++) {
        put(kit, VALUE, 8, i);
        cr_expect_eq(command(kit, MAILBOX_OPTION, NULL), 1);
        cr_expect_str_eq(text_of(kit), expected[i]);
    }
    put(kit, VALUE, 8, 3);
    cr_expect_eq(command(kit, MAILBOX_OPTION, NULL), 0);
    cr_expect_eq(kit_statistic(kit, "commands"), 4);
    kit_destroy(kit);
}

Test(exit_device, keeps_launches_in_order)
{
    kit_block *kit = open_device();
    uint32_t count;
    const mailbox_launch launch = {.kernel = "double_all",
                                   .queue = 2,
                                   .complete = 1,
                                   .grid_size = {3, 1, 1},
                                   .block_size = {64, 2, 1},
                                   .start_cycle = 100,
                                   .end_cycle = UINT64_C(0x123456789)};
    for (uint32_t i = 0; i < sizeof launch; i++)
        put(kit, TEXT + i, 1, ((const uint8_t *)&launch)[i]);
    cr_expect_eq(command(kit, MAILBOX_LAUNCH, NULL), 1);
    cr_expect_eq(command(kit, MAILBOX_LAUNCH, NULL), 0, "that was number 0");
    const hd_host_launch *launches = progress_of(kit)->launches(kit_instance(kit), &count);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(launches[0].kernel, "double_all");
    cr_expect_eq(launches[0].queue, 2);
    cr_expect_eq(launches[0].grid_size[0], 3);
    cr_expect_eq(launches[0].block_size[1], 2);
    cr_expect_eq(launches[0].complete, 1);
    cr_expect_eq(launches[0].end_cycle, UINT64_C(0x123456789));
    cr_expect_eq(kit_statistic(kit, "launches"), 1);
    kit_destroy(kit);
}

Test(exit_device, the_last_value_of_a_result_counts)
{
    kit_block *kit = open_device();
    uint32_t count;
    put(kit, VALUE, 8, UINT64_C(0x123456789A));
    cr_expect_eq(get(kit, VALUE, 8), UINT64_C(0x123456789A));
    cr_expect_eq(command(kit, MAILBOX_REPORT, "edges"), 1);
    put(kit, VALUE, 8, 5);
    command(kit, MAILBOX_REPORT, "levels");
    put(kit, VALUE, 8, 6);
    command(kit, MAILBOX_REPORT, "edges");
    const hd_host_report *reports = progress_of(kit)->reports(kit_instance(kit), &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(reports[0].name, "edges");
    cr_expect_eq(reports[0].value, 6);
    cr_expect_str_eq(reports[1].name, "levels");
    cr_expect_eq(kit_statistic(kit, "reports"), 2);
    kit_destroy(kit);
}

Test(exit_device, results_without_room_are_said_to_be)
{
    kit_block *kit = open_device();
    char name[100];
    for (uint32_t i = 0; i < MAILBOX_REPORTS_MAX; i++) {
        snprintf(name, sizeof name, "r%u", i);
        cr_expect_eq(command(kit, MAILBOX_REPORT, name), 1);
    }
    cr_expect_eq(command(kit, MAILBOX_REPORT, "one more"), 0);
    kit_destroy(kit);
}

Test(exit_device, tells_results_by_all_of_their_name)
{
    kit_block *kit = open_device();
    uint32_t count;
    char names[2][MAILBOX_TEXT_BYTES];
    for (uint32_t i = 0; i < 2; i++) {
        memset(names[i], 'x', sizeof names[i]);
        names[i][MAILBOX_TEXT_BYTES - 2] = (char)('a' + i);
        names[i][MAILBOX_TEXT_BYTES - 1] = 0;
        cr_expect_eq(command(kit, MAILBOX_REPORT, names[i]), 1);
    }
    const hd_host_report *reports = progress_of(kit)->reports(kit_instance(kit), &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(reports[0].name, names[0]);
    cr_expect_str_eq(reports[1].name, names[1]);
    kit_destroy(kit);
}

Test(exit_device, says_why_the_program_fails)
{
    kit_block *kit = open_device();
    cr_expect_str_eq(progress_of(kit)->message(kit_instance(kit)), "");
    command(kit, MAILBOX_MESSAGE, "a[3] is 4, expected 5");
    cr_expect_str_eq(progress_of(kit)->message(kit_instance(kit)), "a[3] is 4, expected 5");
    kit_destroy(kit);
}

Test(exit_device, what_is_no_register_or_command_is_refused)
{
    kit_block *kit = open_device();
    uint64_t value;
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + EXIT, 4, 1), HD_STATUS_COMMAND_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + COMMAND, 4, 9), HD_STATUS_COMMAND_ERROR);
    cr_expect_eq(kit_register_write(kit, PORT_BUS, BASE + COMMAND, 8, 1), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + COMMAND, 4, &value), HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_register_read(kit, PORT_BUS, BASE + TEXT + MAILBOX_TEXT_BYTES, 1, &value),
                 HD_STATUS_ADDRESS_ERROR);
    cr_expect_eq(kit_statistic(kit, "refused"), 5);
    kit_destroy(kit);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_BUS, 0, 2, 2);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 150; i++) {
        const uint32_t is_write = kit_random(&seed) % 3 != 0, bytes = 1u << kit_random(&seed) % 4;
        hd_packet *packet = kit_packet(kit, is_write ? HD_MEMORY_WRITE : HD_MEMORY_READ, is_write ? bytes : 0);
        packet->address = BASE + (kit_random(&seed) % 2 ? 8 * (kit_random(&seed) % 4) : TEXT + kit_random(&seed) % 16);
        packet->argument = bytes;
        memset(hd_body(packet), 0, packet->body_bytes);
        if (is_write)
            *(uint8_t *)hd_body(packet) = (uint8_t)(kit_random(&seed) % 6);
        t += kit_random(&seed) % 9000;
        kit_send(kit, PORT_BUS, 0, packet, t);
    }
}

Test(exit_device, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_exit_device_mailbox, NULL, connect_ports, random_load), 0);
}
