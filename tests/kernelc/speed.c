/* SPDX-License-Identifier: MIT */
/* How good the code is, beside gcc's of the same algorithm, and how long it takes to make it: the best of several times. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "work_folder.h"

#define REQUIRE(call) cr_assert_eq((call), HEDDLE_OK, "%s: %s", #call, heddle_message())

enum { SIDE = 128, TIMES = 5 };

static const bench_machine gtx480 = {KERNELC_MACHINES "/gtx480.yaml", {NULL}};
static const float matrix[SIDE * SIDE];

static uint64_t opencl_cycles(void)
{
    const uint32_t n = SIDE;
    bench b = bench_open(&gtx480, KERNELC_SOURCES "/kernels.cl");
    const heddle_address in = bench_buffer(&b, matrix, sizeof matrix), other = bench_buffer(&b, matrix, sizeof matrix),
                         out = bench_buffer(&b, NULL, sizeof matrix);
    const uint64_t cycles = bench_launch(&b, "matmul", &(bench_sizes){2, {0}, {SIDE / 16, SIDE / 16, 1}, {16, 16, 1}},
                                         (bench_value[]){BUFFER(in), BUFFER(other), BUFFER(out), VALUE(n)}, 4);
    bench_close(&b);
    return cycles;
}

/* The app matmul, launched as its host does. */
static uint64_t app_cycles(void)
{
    const heddle_settings settings = {.struct_bytes = sizeof settings, .netlist = gtx480.netlist};
    const heddle_size size = {{SIDE / 16, SIDE / 16, 1}, {16, 16, 1}, 2048};
    struct {
        heddle_address a, b, c;
        uint32_t n;
    } arguments = {.n = SIDE};
    bench b = {0};
    uint32_t launch;
    heddle_kernel *kernel;
    heddle_launch_record record;
    REQUIRE(heddle_open(&settings, &b.machine));
    REQUIRE(heddle_load(b.machine, KERNELC_APPS "/matmul/kernel.elf"));
    REQUIRE(heddle_default_queue(b.machine, &b.queue));
    arguments.a = bench_buffer(&b, matrix, sizeof matrix);
    arguments.b = bench_buffer(&b, matrix, sizeof matrix);
    arguments.c = bench_buffer(&b, NULL, sizeof matrix);
    REQUIRE(heddle_kernel_named(b.machine, "matmul", &kernel));
    REQUIRE(heddle_launch(b.queue, kernel, &size, &arguments, sizeof arguments, &launch));
    REQUIRE(heddle_wait(b.machine));
    REQUIRE(heddle_launch_info(b.machine, launch, &record));
    bench_close(&b);
    return record.end_cycle - record.start_cycle;
}

Test(opencl_speed, matmul_is_as_fast_as_the_app)
{
    const uint64_t opencl = opencl_cycles(), app = app_cycles();
    cr_log_info("matmul of %u x %u: %lu cycles, the app %lu", SIDE, SIDE, (unsigned long)opencl, (unsigned long)app);
    cr_expect_leq(10 * opencl, 11 * app, "%lu cycles, the app %lu", (unsigned long)opencl, (unsigned long)app);
}

static double milliseconds_of(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Of this process and of those that it starts: one waits for the other, so that is how long it takes where nobody else computes. */
static double milliseconds(const kernelc_input *input)
{
    kernelc_output made;
    const double before = milliseconds_of(RUSAGE_SELF) + milliseconds_of(RUSAGE_CHILDREN);
    cr_assert_eq(heddle_kernelc_compile(input, &made), KERNELC_DONE, "%s", made.log);
    heddle_kernelc_free(&made);
    return milliseconds_of(RUSAGE_SELF) + milliseconds_of(RUSAGE_CHILDREN) - before;
}

static double best(const kernelc_input *input)
{
    double least = 1e9;
    for (int i = 0; i < TIMES; i++) {
        const double now = milliseconds(input);
        least = now < least ? now : least;
    }
    return least;
}

Test(opencl_speed, compiling_does_not_make_users_wait)
{
    arena memory = {0};
    kernelc_input input = {.cache = ""};
    char *folder = work_folder_make();
    input.data = file_read(&memory, KERNELC_SOURCES "/kernels.cl", &input.bytes);
    cr_assert(folder && input.data);
    const double compiled = best(&input);
    input.cache = folder;
    milliseconds(&input);
    const double found = best(&input);
    cr_log_info("ten kernels: %.0f ms; from the cache: %.1f ms", compiled, found);
    cr_expect_lt(10 * found, compiled);
    work_folder_remove(folder);
    arena_free(&memory);
}
