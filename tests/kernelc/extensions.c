/* SPDX-License-Identifier: MIT */
/* extensions.cl on machines: what heddle_opencl.h says, printf, and fma. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define SOURCE KERNELC_SOURCES "/extensions.cl"

enum { THREADS = 64, WORDS = 12 };

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void check_lanes(const bench_machine *on, uint32_t lanes)
{
    uint32_t out[THREADS][WORDS];
    const uint64_t odd = UINT64_C(0xAAAAAAAAAAAAAAAA) & (lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1);
    bench b = bench_open(on, SOURCE);
    const heddle_address to = bench_buffer(&b, NULL, sizeof out);
    bench_launch(&b, "lanes", &(bench_sizes){1, {0}, {1, 1, 1}, {THREADS, 1, 1}}, (bench_value[]){BUFFER(to)}, 1);
    bench_read(&b, out, to, sizeof out);
    for (uint32_t i = 0; i < THREADS; i++) {
        const uint32_t lane = i % lanes, first = i - lane, value = 3 * i;
        const uint32_t expected[WORDS] = {lane,
                                          i / lanes,
                                          1,
                                          0,
                                          (uint32_t)odd,
                                          lanes == 64 ? 1u << 8 : 0,
                                          3 * (first + 1),
                                          lane > 0 ? value - 3 : value,
                                          lane < lanes - 1 ? value + 3 : value,
                                          3 * (i ^ 1),
                                          out[i][10],
                                          0};
        for (uint32_t w = 0; w < WORDS; w++)
            cr_assert_eq(out[i][w], expected[w], "%u lanes, thread %u, word %u: %u, not %u", lanes, i, w, out[i][w],
                         expected[w]);
        cr_assert_float_eq(float_of(out[i][10]), 0.5f * (float)(i ^ 2) + 1, 1e-6);
    }
    bench_close(&b);
}

Test(opencl_extensions, lanes_speak_to_each_other)
{
    static const uint32_t lanes[] = {8, 16, 32, 64};
    static const char *const types[] = {"core.type=timed", "core.type=functional"};
    for (size_t i = 0; i < 8; i++) {
        char count[32];
        snprintf(count, sizeof count, "core.lanes=%u", lanes[i / 2]);
        check_lanes(&(bench_machine){KERNELC_SMALL, {count, types[i % 2]}}, lanes[i / 2]);
    }
}

static void check_transfers(const bench_machine *on)
{
    enum { ACCOUNTS = 7 };
    int32_t accounts[ACCOUNTS] = {0}, expected[ACCOUNTS] = {0};
    uint32_t pairs[THREADS][2];
    for (uint32_t i = 0; i < THREADS; i++) {
        pairs[i][0] = i * 5 % ACCOUNTS;
        pairs[i][1] = (i * 3 + 1) % ACCOUNTS;
        expected[pairs[i][0]]--;
        expected[pairs[i][1]]++;
    }
    bench b = bench_open(on, SOURCE);
    const heddle_address to = bench_buffer(&b, accounts, sizeof accounts), from = bench_buffer(&b, pairs, sizeof pairs);
    bench_launch(&b, "transfers", &(bench_sizes){1, {0}, {2, 1, 1}, {THREADS / 2, 1, 1}},
                 (bench_value[]){BUFFER(to), BUFFER(from)}, 2);
    bench_read(&b, accounts, to, sizeof accounts);
    cr_assert_arr_eq(accounts, expected, sizeof expected);
    bench_close(&b);
}

Test(opencl_extensions, transactions_are_atomic)
{
    check_transfers(&(bench_machine){KERNELC_MACHINES "/../variants/gtx480_ideal_tm.yaml", {NULL}});
    check_transfers(&(bench_machine){KERNELC_MACHINES "/../variants/gtx480_getm.yaml", {NULL}});
    check_transfers(&(bench_machine){KERNELC_MACHINES "/../variants/gtx480_kilo_tm.yaml", {NULL}});
}

/* ---- printf ---------------------------------------------------------------------------------------------------------- */

typedef struct printed {
    char text[512];
} printed;

static void keep(void *context, const char *line)
{
    printed *all = context;
    strncat(all->text, line, sizeof all->text - strlen(all->text) - 2);
    strcat(all->text, "\n");
}

Test(opencl_extensions, printf_prints)
{
    printed all = {""};
    const float values[] = {0.5f, -3};
    bench b = bench_open_with(&(bench_machine){KERNELC_SMALL, {NULL}}, SOURCE,
                              &(heddle_callbacks){.context = &all, .print = keep});
    const heddle_address from = bench_buffer(&b, values, sizeof values);
    bench_launch(&b, "prints", &(bench_sizes){1, {0}, {1, 1, 1}, {32, 1, 1}}, (bench_value[]){BUFFER(from)}, 1);
    cr_expect(strstr(all.text, "extensions.cl:40: block (0,0,0), thread (0,0,0): 0: 0.5 here\n"), "%s", all.text);
    cr_expect(strstr(all.text, "thread (1,0,0): 1: -3 here\n"), "%s", all.text);
    bench_close(&b);
}

/* ---- Doubles --------------------------------------------------------------------------------------------------------- */

Test(opencl_extensions, fma_of_doubles_rounds_once)
{
    enum { RESULTS = 6, EXACT = 3 };
    const double values[] = {1.1, 1.3, 1e17, 1.7e15}, x = values[0], y = values[1], angle = values[3];
    const double expected[RESULTS] = {fma(x, y, -(x * y)), fmod(values[2], 3), remainder(values[2], 7),
                                      sin(angle),          cos(angle),         tan(angle)};
    double out[RESULTS];
    bench b = bench_open(&(bench_machine){KERNELC_SMALL, {NULL}}, SOURCE);
    const heddle_address from = bench_buffer(&b, values, sizeof values), to = bench_buffer(&b, NULL, sizeof out);
    bench_launch(&b, "rounded_once", &(bench_sizes){1, {0}, {1, 1, 1}, {1, 1, 1}},
                 (bench_value[]){BUFFER(from), BUFFER(to)}, 2);
    bench_read(&b, out, to, sizeof out);
    bench_close(&b);
    cr_assert_neq(expected[0], 0);
    for (int i = 0; i < RESULTS; i++)
        cr_expect(fabs(out[i] - expected[i]) <= (i < EXACT ? 0 : 1e-15 * fabs(expected[i])), "%d: %.17g, not %.17g", i,
                  out[i], expected[i]);
}
