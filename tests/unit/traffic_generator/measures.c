/* SPDX-License-Identifier: MIT */
/* What is counted when. */
#include "rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Test(traffic_measures, the_window_begins_after_the_warm_up)
{
    enum { WARM_UP = 210, DURATION = 420 };
    rig *rig = rig_open(
        (const char *[]){"outstanding=1", "warm_up=210 cycles", "duration=420 cycles", "writes=100", NULL}, 0, 1, 8);
    kit_run_until(rig->kit, 2000 * CYCLE);
    cr_expect_eq(rig->count, (WARM_UP + DURATION) / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "store_requests"), (WARM_UP + DURATION) / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "cycles"), DURATION);
    cr_expect_eq(rig_statistic(rig, "offered"), DURATION / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "accepted"), DURATION / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "answered"), DURATION / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "bytes_written"), DURATION / FLIGHT * 128);
    cr_expect_eq(rig_statistic(rig, "bytes_read"), 0);
    cr_expect_eq(rig_statistic(rig, "latency.to_64"), DURATION / FLIGHT);
    cr_expect_eq(rig_statistic(rig, "latency_maximum"), FLIGHT);
    rig_close(rig);
}

Test(traffic_measures, end_with_the_last_answer_if_that_is_earlier)
{
    rig *rig = rig_open((const char *[]){"outstanding=1", "requests=7", NULL}, 0, 1, 8);
    kit_run_until(rig->kit, 2000 * CYCLE);
    cr_expect_eq(rig->count, 7);
    cr_expect_eq(rig_statistic(rig, "cycles"), 7 * FLIGHT);
    cr_expect_eq(rig_statistic(rig, "bytes_read"), 7 * 128);
    rig_close(rig);
}

/* Every request waits one flight longer than the one before: latencies 21, 41, 62 ... */
Test(traffic_measures, every_latency_is_in_its_bucket)
{
    enum { REQUESTS = 420 };
    static const char *const names[] = {"64",  "96",   "128",  "192",  "256",  "384",  "512",
                                        "768", "1024", "1536", "2048", "3072", "4096", "8192"};
    static const uint32_t limits[] = {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192};
    uint32_t expected[15] = {0};
    rig *rig = rig_open((const char *[]){"outstanding=1", "rate=1000", "requests=420", NULL}, 0, 1, 8);
    kit_run_until(rig->kit, 20000 * CYCLE);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        uint32_t bucket = 0;
        while (bucket < 14 && (i + 1) * FLIGHT - i > limits[bucket])
            bucket++;
        expected[bucket]++;
    }
    for (uint32_t i = 0; i < 14; i++) {
        char name[32];
        snprintf(name, sizeof name, "latency.to_%s", names[i]);
        cr_expect_eq(rig_statistic(rig, name), expected[i], "%s", name);
        cr_expect_gt(expected[i], 0);
    }
    cr_expect_eq(rig_statistic(rig, "latency.longer"), expected[14]);
    cr_expect_eq(rig_statistic(rig, "latency_maximum"), REQUESTS * FLIGHT - (REQUESTS - 1));
    const hd_mark *mark = hd_simt_core_traffic.extension(kit_instance(rig->kit), HD_EXTENSION_MARK);
    mark->mark(kit_instance(rig->kit));
    cr_expect_eq(rig_statistic(rig, "latency_maximum"), 0);
    cr_expect_eq(rig_statistic(rig, "outstanding_maximum"), 0);
    rig_close(rig);
}

static uint32_t line_count;
static char lines[2][160];
static void keep_line(void *context, const char *format, ...)
{
    va_list arguments;
    (void)context;
    va_start(arguments, format);
    vsnprintf(lines[line_count++ % 2], sizeof *lines, format, arguments);
    va_end(arguments);
}

Test(traffic_measures, it_says_what_it_waits_for)
{
    rig *rig = rig_open((const char *[]){"pattern=stride", NULL}, 0, 1, 3);
    kit_respond(rig->kit, NULL, NULL);
    kit_hold_credits(rig->kit, PORT_REQUEST, 0, 1);
    kit_run_until(rig->kit, 100 * CYCLE);
    const hd_pending *pending = hd_simt_core_traffic.extension(kit_instance(rig->kit), HD_EXTENSION_PENDING);
    const hd_text_sink sink = {NULL, keep_line};
    cr_expect(pending->has_work(kit_instance(rig->kit)));
    pending->describe(kit_instance(rig->kit), &sink);
    cr_assert_eq(line_count, 2);
    cr_expect_str_eq(lines[0],
                     "3 requests wait for replies, the first is a load of 128 bytes at 0x10000000 of cycle 0");
    cr_expect_str_eq(lines[1], "a load of 128 bytes at 0x10000180 waits for room on the network");
    rig_close(rig);
}

/* What is not due yet is no reason to call the machine stuck. */
Test(traffic_measures, a_request_of_the_future_is_no_work_left)
{
    rig *rig = rig_open((const char *[]){"rate=1", "arrivals=periodic", NULL}, 0, 1, 3);
    kit_run_until(rig->kit, 500 * CYCLE);
    cr_expect_eq(rig->count, 1);
    const hd_pending *pending = hd_simt_core_traffic.extension(kit_instance(rig->kit), HD_EXTENSION_PENDING);
    cr_expect_not(pending->has_work(kit_instance(rig->kit)));
    cr_expect_eq(kit_next(rig->kit), 1000 * CYCLE);
    rig_close(rig);
}
