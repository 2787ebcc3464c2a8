/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"

static int parse(trace *trace, const char *text, uint32_t index, char error[256])
{
    return trace_parse(trace, "t", text, strlen(text), index, 4, error, 256);
}

Test(traffic_trace, reads_the_accesses_of_one_generator)
{
    static const char text[] = "# two of them\n"
                               "1 5 load 0x10000000 128\n"
                               "\n"
                               "0\t5  store 268435584 7 # odd\r\n"
                               " * 9 atomic 0x100000FC 4\n"
                               "1 9 load 0xFFFFFF80 128";
    char error[256] = "";
    trace trace;
    cr_assert(parse(&trace, text, 1, error), "%s", error);
    cr_assert_eq(trace.count, 3);
    cr_expect_eq(trace.accesses[0].cycle, 5);
    cr_expect_eq(trace.accesses[0].address, 0x10000000);
    cr_expect_eq(trace.accesses[0].bytes, 128);
    cr_expect_eq(trace.accesses[0].operation, OPERATION_LOAD);
    cr_expect_eq(trace.accesses[1].operation, OPERATION_ATOMIC);
    cr_expect_eq(trace.accesses[1].bytes, 4);
    cr_expect_eq(trace.accesses[2].address, 0xFFFFFF80);
    trace_free(&trace);
    cr_assert(parse(&trace, text, 0, error));
    cr_assert_eq(trace.count, 2);
    cr_expect_eq(trace.accesses[0].address, 0x10000080);
    cr_expect_eq(trace.accesses[0].operation, OPERATION_STORE);
    trace_free(&trace);
    cr_assert(parse(&trace, "", 0, error));
    cr_expect_eq(trace.count, 0);
    trace_free(&trace);
}

Test(traffic_trace, says_what_is_wrong_and_where)
{
    static const char *const cases[][2] = {
        {"0 0 load 0x10000000", "t:1: it must be GENERATOR CYCLE load|store|atomic ADDRESS BYTES"},
        {"#\n0 0 load 0x10000000 4 4", "t:2: it must be GENERATOR CYCLE load|store|atomic ADDRESS BYTES"},
        {"4 0 load 0x10000000 4", "t:1: generator '4'; it must be * or a number below 4"},
        {"** 0 load 0x10000000 4", "t:1: generator '**'; it must be * or a number below 4"},
        {"0 -1 load 0x10000000 4", "t:1: cycle '-1'; it must be a number below 2^63"},
        {"0 18446744073709551616 load 0x10000000 4",
         "t:1: cycle '18446744073709551616'; it must be a number below 2^63"},
        {"0 0 read 0x10000000 4", "t:1: operation 'read'; it must be load, store or atomic"},
        {"0 0 load x 4", "t:1: address 'x'; it must be a number such as 0x10000000"},
        {"0 0 load 0x 4", "t:1: address '0x'; it must be a number such as 0x10000000"},
        {"0 0 load 0x10000000 4B", "t:1: size '4B'; it must be a number of bytes"},
        {"0 0 load 0x10000000 0", "t:1: 0 bytes; an access has 1 to 128"},
        {"0 0 load 0x10000000 129", "t:1: 129 bytes; an access has 1 to 128"},
        {"0 0 load 0x0FFFFFFF 1", "t:1: address 0xfffffff is outside of global memory, 0x10000000 to 0xffffffff"},
        {"0 0 load 0xFFFFFFFF 2", "t:1: address 0xffffffff is outside of global memory, 0x10000000 to 0xffffffff"},
        {"0 0 load 0x1000007F 2", "t:1: 2 bytes at 0x1000007f leave their line of 128 bytes"},
        {"0 0 atomic 0x10000002 4", "t:1: an atomic has 4 bytes at a multiple of 4"},
        {"0 0 atomic 0x10000000 8", "t:1: an atomic has 4 bytes at a multiple of 4"},
        {"1 7 load 0x10000000 4\n* 6 load 0x10000000 4", "t:2: cycle 6 comes after cycle 7 of generator 1"},
        {"0 0 \x01\xFFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 0x10000000 4",
         "t:1: operation '\?\?xxxxxxxxxxxxxxxxxxxxxx...'; it must be load, store or atomic"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[256] = "";
        trace trace;
        cr_expect_not(parse(&trace, cases[i][0], 0, error), "%s", cases[i][0]);
        cr_expect_str_eq(error, cases[i][1]);
        trace_free(&trace);
    }
}

static void write_file(char path[32], const char *text)
{
    strcpy(path, "/tmp/trace_XXXXXX");
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

Test(traffic_trace, is_replayed_not_before_its_cycles)
{
    char path[32], set[64];
    write_file(path,
               "2 10 store 0x10000105 3\n2 10 load 0x10000104 8\n0 11 load 0x10000000 4\n2 300 atomic 0x10000104 4\n");
    snprintf(set, sizeof set, "trace=%s", path);
    rig *rig = rig_open((const char *[]){"pattern=trace", set, "duration=1 cycle", NULL}, 2, 3, 8);
    kit_run_until(rig->kit, 1000 * CYCLE);
    cr_assert_eq(rig->count, 3);
    cr_expect_eq(rig->requests[0].t, (10 + LINK) * CYCLE);
    cr_expect_eq(rig->requests[0].address, 0x105);
    cr_expect_eq(rig->requests[0].bytes, 3);
    cr_expect_eq(rig->requests[1].t, (11 + LINK) * CYCLE, "one a cycle");
    cr_expect_eq(rig->requests[2].t, (300 + LINK) * CYCLE);
    cr_expect_eq(rig_statistic(rig, "offered"), 3);
    cr_expect_eq(rig_statistic(rig, "latency_cycles"), 3 * FLIGHT + 1);
    cr_expect_eq(rig_statistic(rig, "flight_cycles"), 3 * FLIGHT);
    cr_expect_eq(rig_statistic(rig, "cycles"), 300 + FLIGHT);
    cr_expect_eq(rig_statistic(rig, "bytes_compared"), 8 + 4);
    rig_close(rig);
    unlink(path);
}

/* One after the other: 21, 42, 63 cycles, and the last 84 of which it has waited from the twentieth on. */
Test(traffic_trace, a_latency_of_a_limit_is_in_its_bucket)
{
    char path[32], set[64];
    write_file(path, "* 0 load 0x10000000 4\n* 0 load 0x10000000 4\n* 0 load 0x10000000 4\n* 20 load 0x10000000 4\n");
    snprintf(set, sizeof set, "trace=%s", path);
    rig *rig = rig_open((const char *[]){"pattern=trace", set, "outstanding=1", NULL}, 0, 1, 8);
    kit_run_until(rig->kit, 1000 * CYCLE);
    cr_expect_eq(rig_statistic(rig, "latency_maximum"), 64);
    cr_expect_eq(rig_statistic(rig, "latency.to_64"), 4);
    rig_close(rig);
    unlink(path);
}

Test(traffic_trace, is_refused_with_file_and_line)
{
    char path[32], set[64], error[256], expected[96];
    write_file(path, "0 0 load 0x10000000 4\n0 0 jump 0x10000000 4\n");
    snprintf(set, sizeof set, "trace=%s", path);
    snprintf(expected, sizeof expected, "%s:2: operation 'jump'", path);
    cr_assert(kit_refuses(&hd_simt_core_traffic, (const char *[]){"pattern=trace", set, NULL}, error, sizeof error));
    cr_expect(strstr(error, expected), "%s", error);
    unlink(path);
    cr_assert(kit_refuses(&hd_simt_core_traffic, (const char *[]){"pattern=trace", set, NULL}, error, sizeof error));
    cr_expect(strstr(error, "No such file"), "%s", error);
}
