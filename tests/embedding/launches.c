/* SPDX-License-Identifier: MIT */
/* What a machine can launch, what it refuses, and when launches begin and end. */
#include "embedding.h"

#include <string.h>

static heddle_limits limits_of(heddle_machine *machine)
{
    heddle_limits limits = {.struct_bytes = sizeof limits};
    REQUIRE(heddle_limits_get(machine, &limits));
    return limits;
}

Test(launches, have_the_limits_of_the_machine)
{
    heddle_machine *machine = open_small();
    const heddle_limits limits = limits_of(machine);
    cr_expect_eq(limits.cores, 2);
    cr_expect_eq(limits.lanes, 32);
    cr_expect_eq(limits.warps_per_core, 16);
    cr_expect_eq(limits.blocks_per_core, 4);
    cr_expect_eq(limits.threads_per_block, 512);
    cr_expect_eq(limits.scratchpad_bytes, 16384);
    cr_expect_eq(limits.argument_bytes, 4096);
    cr_expect_eq(limits.copies_by_dma, 0);
    cr_expect_eq(limits.cache_bytes, 32768);
    cr_expect_gt(limits.queues, 1);
    cr_expect_gt(limits.clock_period, 0);
    cr_expect_gt(limits.memory_bytes, limits.free_bytes);
    heddle_address data;
    expect_refusal(heddle_allocate(machine, limits.free_bytes + 1, &data), HEDDLE_ERROR_MEMORY, "largest free");
    EXPECT(heddle_allocate(machine, limits.free_bytes, &data));
    EXPECT(heddle_close(machine));
}

/* Nothing behind what a program of an older header has. */
Test(launches, limits_are_written_as_far_as_the_program_knows_them)
{
    heddle_limits limits;
    heddle_machine *machine = open_small();
    memset(&limits, 0x55, sizeof limits);
    limits.struct_bytes = 24;
    EXPECT(heddle_limits_get(machine, &limits));
    cr_expect_eq(limits.struct_bytes, 24);
    cr_expect_neq(limits.free_bytes, UINT64_C(0x5555555555555555));
    cr_expect_eq(limits.cores, 0x55555555u);
    limits.struct_bytes = 0;
    expect_refusal(heddle_limits_get(machine, &limits), HEDDLE_ERROR_ARGUMENT, "limits.struct_bytes is 0");
    expect_refusal(heddle_limits_get(machine, NULL), HEDDLE_ERROR_ARGUMENT, "limits is NULL");
    EXPECT(heddle_close(machine));
}

static void expect_launch(heddle_machine *machine, const heddle_size *size, const char *refusal)
{
    heddle_kernel *kernel;
    uint32_t number = 99;
    const array_args args = {.data = {zeroed_words(machine, 1024)}, .n = 1024, .value = 1};
    REQUIRE(heddle_kernel_named(machine, "add", &kernel));
    const heddle_error error = heddle_launch(default_queue(machine), kernel, size, &args, sizeof args, &number);
    if (!refusal) {
        cr_expect_eq(error, HEDDLE_OK, "%s", heddle_message());
        EXPECT(heddle_wait(machine));
        return;
    }
    expect_refusal(error, HEDDLE_ERROR_LAUNCH, refusal);
    cr_expect_eq(number, 99);
}

/* At each limit it runs; beyond, it is refused, and the machine is as good as before. */
Test(launches, beyond_a_limit_are_refused_and_the_machine_goes_on)
{
    heddle_machine *machine = open_small();
    const heddle_limits limits = limits_of(machine);
    const uint32_t threads = limits.threads_per_block;
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {threads, 1, 1}, 0}, NULL);
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {threads + 1, 1, 1}, 0},
                  "heddle_launch of 'add': a block of 513 x 1 x 1 threads needs");
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0}, "a core has");
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {1, 1, 1}, limits.scratchpad_bytes}, NULL);
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {1, 1, 1}, limits.scratchpad_bytes + 1},
                  "needs 16385 bytes of scratchpad, a core has 16384");
    EXPECT(heddle_set_stack(machine, 1 << 24));
    expect_launch(machine, &(heddle_size){{1, 1, 1}, {64, 1, 1}, 0}, "bytes of private memory");
    EXPECT(heddle_set_stack(machine, 4096));
    expect_launch(machine, &(heddle_size){{16, 1, 1}, {64, 1, 1}, 0}, NULL);
    cr_expect_eq(value_of(machine, "tb_scheduler.grids"), 3);
    EXPECT(heddle_close(machine));
}

Test(launches, begin_and_end_at_times)
{
    heddle_launch_times first = {.struct_bytes = sizeof first}, second = first;
    heddle_launch_record record;
    heddle_machine *machine = open_small();
    const heddle_address data = zeroed_words(machine, 64);
    const uint64_t appended = now(machine), period = limits_of(machine).clock_period;
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 1));
    EXPECT(launch(machine, default_queue(machine), "add", data, 64, 1));
    EXPECT(heddle_launch_times_get(machine, 0, &first));
    cr_expect_eq(first.appended, appended);
    cr_expect_eq(first.submitted + first.began + first.ended + first.finished, 0);
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_launch_times_get(machine, 0, &first));
    EXPECT(heddle_launch_times_get(machine, 1, &second));
    EXPECT(heddle_launch_info(machine, 0, &record));
    cr_expect(first.appended < first.submitted && first.submitted < first.began && first.began < first.ended &&
              first.ended < first.finished && first.finished <= now(machine));
    cr_expect_leq(first.ended, second.began);
    cr_expect_eq(second.appended, appended);
    const uint64_t cycles = (first.ended - first.began) / period, expected = record.end_cycle - record.start_cycle;
    cr_expect(cycles >= expected && cycles <= expected + expected / 100 + 1, "%llu %llu", (unsigned long long)cycles,
              (unsigned long long)expected);
    expect_refusal(heddle_launch_times_get(machine, 2, &second), HEDDLE_ERROR_ARGUMENT, "there is no launch 2");
    second.struct_bytes = 0;
    expect_refusal(heddle_launch_times_get(machine, 0, &second), HEDDLE_ERROR_ARGUMENT, "times.struct_bytes is 0");
    EXPECT(heddle_close(machine));
}
