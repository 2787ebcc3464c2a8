/* SPDX-License-Identifier: MIT */
/* Every bad use has its code and its words, and leaves everything as it was. */
#include "embedding.h"

#include <string.h>

Test(errors, every_code_has_a_text_of_its_own)
{
    for (heddle_error a = HEDDLE_OK; a <= HEDDLE_ERROR_INTERRUPTED; a++) {
        cr_expect(heddle_error_text(a)[0], "code %u", a);
        for (heddle_error b = HEDDLE_OK; b < a; b++)
            cr_expect_str_neq(heddle_error_text(a), heddle_error_text(b));
    }
    cr_expect_str_eq(heddle_error_text(HEDDLE_ERROR_INTERRUPTED + 1), "no such error code");
    cr_expect_str_eq(heddle_error_text(UINT32_MAX), "no such error code");
    cr_expect_str_eq(heddle_message(), "");
}

static heddle_error open_file(const char *netlist, const char *override)
{
    heddle_machine *machine = (heddle_machine *)1;
    heddle_settings settings = small_machine();
    settings.netlist = netlist;
    settings.overrides = &override;
    settings.override_count = override != NULL;
    const heddle_error error = heddle_open(&settings, &machine);
    cr_expect_eq(error == HEDDLE_OK, machine != NULL);
    if (!error)
        heddle_close(machine);
    return error;
}

Test(errors, of_machine_files_are_told_as_text)
{
    expect_refusal(open_file("nowhere.yaml", NULL), HEDDLE_ERROR_NETLIST, "nowhere.yaml");
    expect_refusal(open_file(EMBEDDING_MACHINE, "core.warps=many"), HEDDLE_ERROR_NETLIST, "error[N");
    expect_refusal(open_file(EMBEDDING_MACHINE, "core.wraps=1"), HEDDLE_ERROR_NETLIST, "warps");
    expect_refusal(open_file(EMBEDDING_FIRMWARE, NULL), HEDDLE_ERROR_NETLIST, "host_cpu, type native");
    cr_expect_eq(heddle_message()[strlen(heddle_message()) - 1] == '\n', 0);
    EXPECT(open_file(EMBEDDING_MACHINE, "core.warps=8"));
}

Test(errors, of_settings)
{
    const char *none = NULL, *nowhere = "nowhere.so";
    heddle_machine *machine;
    heddle_settings settings = small_machine();
    expect_refusal(heddle_open(NULL, &machine), HEDDLE_ERROR_ARGUMENT, "settings");
    expect_refusal(heddle_open(&settings, NULL), HEDDLE_ERROR_ARGUMENT, "machine");
    settings.struct_bytes = 8;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "struct_bytes is 8");
    settings = small_machine();
    settings.netlist = NULL;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "netlist");
    settings = small_machine();
    settings.override_count = 1;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "overrides");
    settings.overrides = &none;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "one of settings.overrides");
    settings = small_machine();
    settings.plugin_count = 1;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "plugins");
    settings.plugins = &none;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "one of settings.plugins");
    settings.plugins = &nowhere;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "N42");
    settings = small_machine();
    settings.checks = 4;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.checks is 0x4");
    settings.checks = 0;
    settings.threads = 1000;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "1000 threads");
}

Test(errors, of_handles)
{
    uint32_t number;
    heddle_machine *machine = open_small(), *other = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_event *event;
    heddle_kernel *kernel;
    const heddle_size size = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    REQUIRE(heddle_event_create(machine, &event));
    REQUIRE(heddle_kernel_named(other, "add", &kernel));
    expect_refusal(heddle_wait(NULL), HEDDLE_ERROR_ARGUMENT, "machine is NULL");
    expect_refusal(heddle_queue_wait(NULL), HEDDLE_ERROR_ARGUMENT, "queue is NULL");
    expect_refusal(heddle_wait((heddle_machine *)queue), HEDDLE_ERROR_HANDLE, "is no machine");
    expect_refusal(heddle_queue_wait((heddle_queue *)event), HEDDLE_ERROR_HANDLE, "is no queue");
    expect_refusal(heddle_wait((heddle_machine *)&number), HEDDLE_ERROR_HANDLE, "is no machine");
    expect_refusal(heddle_wait((heddle_machine *)UINT64_C(0x1FFFFFF000000000)), HEDDLE_ERROR_HANDLE, "closed");
    expect_refusal(heddle_launch(queue, kernel, &size, NULL, 0, NULL), HEDDLE_ERROR_HANDLE, "of another machine");
    expect_refusal(heddle_launch(queue, NULL, &size, NULL, 0, NULL), HEDDLE_ERROR_ARGUMENT, "kernel is NULL");
    expect_refusal(heddle_event_record(event, default_queue(other)), HEDDLE_ERROR_HANDLE, "of another machine");
    EXPECT(heddle_event_destroy(event));
    expect_refusal(heddle_event_wait(event), HEDDLE_ERROR_HANDLE, "the event is closed");
    expect_refusal(heddle_event_destroy(event), HEDDLE_ERROR_HANDLE, "the event is closed");
    expect_refusal(heddle_queue_destroy(queue), HEDDLE_ERROR_ARGUMENT, "default queue");
    EXPECT(heddle_close(machine));
    expect_refusal(heddle_close(machine), HEDDLE_ERROR_HANDLE, "the machine is closed");
    expect_refusal(heddle_queue_wait(queue), HEDDLE_ERROR_HANDLE, "the machine is closed");
    heddle_machine *third = open_small(); /* in its place */
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_HANDLE, "the machine is closed");
    expect_refusal(heddle_queue_wait(queue), HEDDLE_ERROR_HANDLE, "the machine is closed");
    EXPECT(heddle_close(third));
    EXPECT(heddle_close(other));
}

Test(errors, of_memory)
{
    uint32_t word = 0;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_address data = zeroed_words(machine, 4), gone = zeroed_words(machine, 4), big = 17;
    EXPECT(heddle_free(machine, gone));
    expect_refusal(heddle_allocate(machine, 0, &big), HEDDLE_ERROR_ARGUMENT, "0 bytes");
    expect_refusal(heddle_allocate(machine, 4, NULL), HEDDLE_ERROR_ARGUMENT, "address is NULL");
    expect_refusal(heddle_allocate(machine, UINT64_C(1) << 40, &big), HEDDLE_ERROR_MEMORY, "the largest free piece");
    cr_expect_eq(big, 17);
    expect_refusal(heddle_free(machine, gone), HEDDLE_ERROR_FREED, "already been freed");
    expect_refusal(heddle_free(machine, data + 4), HEDDLE_ERROR_RANGE, "was not returned");
    expect_refusal(heddle_free(machine, 0), HEDDLE_ERROR_RANGE, "was not returned");
    expect_refusal(heddle_copy_from_device(machine, &word, gone, 4), HEDDLE_ERROR_FREED, "has been freed");
    expect_refusal(heddle_copy_from_device(machine, &word, data + 16, 4), HEDDLE_ERROR_RANGE, "no allocation");
    expect_refusal(heddle_copy_to_device(machine, data, &word, 17), HEDDLE_ERROR_RANGE, "beyond the allocation of 16");
    expect_refusal(heddle_copy_to_device(machine, data, NULL, 4), HEDDLE_ERROR_ARGUMENT, "is NULL");
    expect_refusal(heddle_fill(machine, data + 12, 0, 5), HEDDLE_ERROR_RANGE, "beyond the allocation");
    expect_refusal(heddle_fill(machine, 0x10, 0, 5), HEDDLE_ERROR_RANGE, "no allocation");
    expect_refusal(heddle_queue_copy_to_device(queue, data, &word, 17), HEDDLE_ERROR_RANGE, "beyond");
    expect_refusal(heddle_queue_copy_from_device(queue, NULL, data, 4), HEDDLE_ERROR_ARGUMENT, "is NULL");
    expect_refusal(heddle_queue_fill(queue, gone, 0, 4), HEDDLE_ERROR_FREED, "has been freed");
    EXPECT(heddle_copy_to_device(machine, data, NULL, 0));
    EXPECT(heddle_queue_copy_to_device(queue, 0, NULL, 0));
    EXPECT(heddle_copy_to_device(machine, data, &word, 4));
    EXPECT(heddle_close(machine));
}

Test(errors, of_kernels)
{
    heddle_kernel *kernel;
    heddle_address address;
    heddle_machine *machine;
    const heddle_settings settings = small_machine();
    REQUIRE(heddle_open(&settings, &machine));
    expect_refusal(heddle_kernel_named(machine, "add", &kernel), HEDDLE_ERROR_UNKNOWN, "no kernel program is loaded");
    expect_refusal(heddle_load(machine, "nowhere.elf"), HEDDLE_ERROR_FILE, "nowhere.elf");
    expect_refusal(heddle_load(machine, "/"), HEDDLE_ERROR_FILE, "/");
    expect_refusal(heddle_load(machine, EMBEDDING_MACHINE), HEDDLE_ERROR_KERNELS, "refused");
    expect_refusal(heddle_load_image(machine, "x", 1), HEDDLE_ERROR_KERNELS, "refused");
    expect_refusal(heddle_load_image(machine, NULL, 1), HEDDLE_ERROR_ARGUMENT, "image");
    REQUIRE(heddle_allocate(machine, 4096, &address));
    expect_refusal(heddle_load(machine, EMBEDDING_KERNELS), HEDDLE_ERROR_KERNELS, "load it before allocating");
    EXPECT(heddle_free(machine, address));
    EXPECT(heddle_load(machine, EMBEDDING_KERNELS));
    expect_refusal(heddle_load(machine, EMBEDDING_KERNELS), HEDDLE_ERROR_KERNELS, "where another one lies");
    expect_refusal(heddle_kernel_named(machine, "sub", &kernel), HEDDLE_ERROR_UNKNOWN,
                   "no kernel program has a function 'sub'");
    cr_expect_null(kernel);
    expect_refusal(heddle_kernel_named(machine, "table", &kernel), HEDDLE_ERROR_UNKNOWN, "'table'");
    expect_refusal(heddle_variable(machine, "add", &address, NULL), HEDDLE_ERROR_UNKNOWN,
                   "no kernel program has a variable 'add'");
    expect_refusal(heddle_set_stack(machine, UINT32_MAX), HEDDLE_ERROR_ARGUMENT, "more than a thread can have");
    EXPECT(heddle_close(machine));
}

Test(errors, of_launches)
{
    uint32_t number = 99;
    heddle_kernel *kernel;
    heddle_launch_record record;
    heddle_machine *machine = open_small();
    heddle_queue *queue = default_queue(machine);
    heddle_size size = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    REQUIRE(heddle_kernel_named(machine, "add", &kernel));
    expect_refusal(heddle_launch(queue, kernel, NULL, NULL, 0, &number), HEDDLE_ERROR_ARGUMENT, "size is NULL");
    expect_refusal(heddle_launch(queue, kernel, &size, NULL, 12, &number), HEDDLE_ERROR_ARGUMENT,
                   "12 bytes of arguments at NULL");
    expect_refusal(heddle_launch(queue, kernel, &size, &size, 5000, &number), HEDDLE_ERROR_ARGUMENT, "at most 4096");
    expect_refusal(heddle_launch(queue, kernel, &size, &size, 16, &number), HEDDLE_ERROR_ARGUMENT,
                   "the argument block has 16 bytes, array_args of the kernel has 12");
    size.grid[2] = 0;
    expect_refusal(heddle_launch(queue, kernel, &size, NULL, 0, &number), HEDDLE_ERROR_ARGUMENT,
                   "the grid of 1 x 1 x 0 blocks");
    size.grid[2] = 1;
    size.block[0] = 0;
    expect_refusal(heddle_launch(queue, kernel, &size, NULL, 0, &number), HEDDLE_ERROR_ARGUMENT,
                   "the block of 0 x 1 x 1 threads");
    cr_expect_eq(number, 99);
    expect_refusal(heddle_launch_info(machine, 0, &record), HEDDLE_ERROR_ARGUMENT, "there is no launch 0");
    expect_refusal(heddle_launch_wait(machine, 0), HEDDLE_ERROR_ARGUMENT, "there is no launch 0");
    EXPECT(heddle_close(machine));
}

Test(errors, of_statistics)
{
    uint64_t value = 5;
    heddle_statistic statistic;
    uint32_t count;
    heddle_machine *machine = open_small();
    expect_refusal(heddle_statistic_value(machine, "cycles", &value), HEDDLE_ERROR_UNKNOWN, "no path of a statistic");
    expect_refusal(heddle_statistic_value(machine, "core[2].cycles", &value), HEDDLE_ERROR_UNKNOWN,
                   "no block 'core[2]'");
    expect_refusal(heddle_statistic_value(machine, "cor.cycles", &value), HEDDLE_ERROR_UNKNOWN, "no block 'cor'");
    expect_refusal(heddle_statistic_value(machine, "core.bicycles", &value), HEDDLE_ERROR_UNKNOWN,
                   "no statistic 'bicycles'");
    expect_refusal(heddle_statistic_value(machine, NULL, &value), HEDDLE_ERROR_ARGUMENT, "path");
    cr_expect_eq(value, 5);
    EXPECT(heddle_statistic_count(machine, &count));
    expect_refusal(heddle_statistic_at(machine, count, &statistic), HEDDLE_ERROR_ARGUMENT, "is asked for");
    expect_refusal(heddle_results(machine, NULL), HEDDLE_ERROR_ARGUMENT, "text");
    expect_refusal(heddle_report(machine, NULL, 1), HEDDLE_ERROR_ARGUMENT, "name");
    EXPECT(heddle_close(machine));
}

/* The machine is at its end: time does not pass any more, all else can still be asked. */
static void expect_end(heddle_machine *machine, heddle_error error, const char *part)
{
    uint64_t time = now(machine);
    const char *results;
    expect_refusal(heddle_wait(machine), error, part);
    expect_refusal(heddle_advance_for(machine, 1000), error, part);
    heddle_queue *queue;
    expect_refusal(heddle_default_queue(machine, &queue), error, part);
    cr_expect_eq(now(machine), time);
    cr_expect_gt(value_of(machine, "core.warp_instructions"), 0);
    EXPECT(heddle_results(machine, &results));
    EXPECT(heddle_close(machine));
}

Test(errors, of_a_kernel_end_the_machine)
{
    heddle_machine *machine = open_small();
    heddle_address data = zeroed_words(machine, 1);
    EXPECT(launch(machine, default_queue(machine), "add", data, 1, 1));
    EXPECT(launch(machine, default_queue(machine), "lose_its_way", data, 1, 16));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_FAULT, "lose_its_way");
    expect_end(machine, HEDDLE_ERROR_FAULT, "lose_its_way");
}

/* The default queue lies right before the first allocation: descriptors, completion records, arguments. */
Test(errors, a_kernel_that_writes_over_a_queue)
{
    heddle_machine *machine = open_small();
    const heddle_address data = zeroed_words(machine, 64), ring = data - 64 * (128 + 32 + 4096);
    for (uint32_t i = 0; i < 6; i++)
        EXPECT(launch(machine, default_queue(machine), "add", ring, 64 * 32, 1));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_DEVICE, "the device refused descriptor");
    expect_end(machine, HEDDLE_ERROR_DEVICE, "the device refused descriptor");
}

Test(errors, a_kernel_that_never_ends)
{
    const char *const sets[] = {"watchdog=20 us"};
    heddle_settings settings = small_machine();
    settings.overrides = sets;
    settings.override_count = 1;
    heddle_machine *machine = open_with(&settings);
    EXPECT(launch(machine, default_queue(machine), "wait_for_ever", zeroed_words(machine, 1), 1, 1));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_LIVELOCK, "no progress");
    expect_end(machine, HEDDLE_ERROR_LIVELOCK, "no progress");
}

Test(errors, a_kernel_whose_warps_wait_for_each_other)
{
    heddle_machine *machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "wait_for_each_other", zeroed_words(machine, 1), 1, 1));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_DEADLOCK, "waits at a barrier");
    expect_end(machine, HEDDLE_ERROR_DEADLOCK, "nothing moves any more");
}

/* The limit that nobody has set is one of what is under way. */
Test(errors, a_machine_that_stands_idle_for_longer_than_any_kernel_may_run)
{
    heddle_machine *machine = open_small();
    EXPECT(heddle_advance_for(machine, UINT64_C(3000000000000)));
    EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    cr_expect_gt(now(machine), UINT64_C(3000000000000));
    EXPECT(heddle_close(machine));
}

Test(errors, the_limit_of_simulated_time)
{
    const char *const sets[] = {"limit=30 us"};
    heddle_settings settings = small_machine();
    settings.overrides = sets;
    settings.override_count = 1;
    heddle_machine *machine = open_with(&settings);
    expect_refusal(heddle_advance_for(machine, UINT64_C(40000000)), HEDDLE_ERROR_LIMIT, "limit of simulated time");
    cr_expect_eq(now(machine), 30000000);
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_LIMIT, "limit of simulated time");
    EXPECT(heddle_close(machine));
}
