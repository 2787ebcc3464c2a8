/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

typedef struct arguments {
    hd_device_ptr data;
    uint32_t n;
    float scale;
} arguments;
HD_ARGUMENT_BLOCK(arguments, 12);

static int launch_two(void)
{
    hd_device_ptr data = hd_malloc(64);
    arguments args = {.data = data, .n = 16, .scale = 0.5f};
    hd_launched first = hd_launch(hd_kernel_named("first"), hd_3d(2, 3, 4), hd_2d(32, 2), 1000, &args, sizeof args);
    hd_set_stack(1000);
    hd_launched second = hd_launch(hd_kernel_named("second"), hd_1d(5), hd_1d(64), 0, NULL, 0);
    hd_check(first.number == 0 && second.number == 1, "%u, %u", first.number, second.number);
    hd_report("first", hd_launch_cycles(first));
    hd_report("second", hd_launch_cycles(second));
    return HD_PASS;
}

Test(host, launches_reach_the_device_as_they_were_asked_for)
{
    rig *r = rig_create(NULL, launch_two, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    cr_assert_eq(r->device.launch_count, 2);
    const hd_grid *first = &r->device.launches[0];
    cr_expect_eq(first->launch, 0);
    cr_expect_eq(first->module, RIG_MODULE);
    cr_expect_eq(first->entry_pc, RIG_FIRST_PC);
    cr_expect_eq(first->argument_bytes, 12);
    cr_expect_eq(first->scratchpad_bytes, 1000);
    cr_expect_eq(first->private_bytes, 4096);
    static const uint32_t sizes[6] = {2, 3, 4, 32, 2, 1};
    cr_expect_arr_eq(first->grid_size, sizes, 3 * sizeof(uint32_t));
    cr_expect_arr_eq(first->block_size, sizes + 3, 3 * sizeof(uint32_t));
    arguments args;
    memcpy(&args, r->device.memory + (first->argument_address - HD_GLOBAL_BASE), sizeof args);
    cr_expect_eq(args.n, 16);
    cr_expect_eq(args.scale, 0.5f);
    const hd_grid *second = &r->device.launches[1];
    cr_expect_eq(second->entry_pc, RIG_SECOND_PC);
    cr_expect_eq(second->private_bytes, 1024, "rounded up to whole lines");
    cr_expect_eq(second->argument_bytes, 0);

    uint32_t count;
    const hd_host_report *reports = hd_host_native_reports(kit_instance(r->kit), &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(reports[0].value, 100);
    cr_expect_eq(reports[1].value, 100);
    const hd_host_launch *launches = hd_host_native_launches(kit_instance(r->kit), &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(launches[1].kernel, "second");
    cr_expect_eq(launches[1].complete, 1);
    cr_expect_eq(launches[1].grid_size[0], 5);
    cr_expect_geq(launches[1].start_cycle, launches[0].end_cycle);
    cr_expect_eq(kit_statistic(r->kit, "interrupts"), 2);
    cr_expect_gt(kit_statistic(r->kit, "wait_cycles"), 0);
    rig_destroy(r);
}

static int launch_many(void)
{
    hd_queue other = hd_queue_create();
    hd_kernel kernel = hd_kernel_named("first");
    hd_launched last = {0};
    for (uint32_t i = 0; i < 300; i++) {
        last = i % 3 == 0 ? hd_launch_on(other, kernel, hd_1d(1), hd_1d(1), 0, &i, sizeof i)
                          : hd_launch(kernel, hd_1d(1), hd_1d(1), 0, &i, sizeof i);
        hd_check(last.number == i, "launch %u has number %u", i, last.number);
    }
    hd_wait(last);
    hd_wait(last);
    hd_synchronize();
    hd_synchronize();
    return HD_PASS;
}

Test(host, rings_wrap_and_the_host_waits_when_one_is_full)
{
    for (uint64_t cycles = 1; cycles <= 1000; cycles *= 1000) {
        rig *r = rig_create(NULL, launch_many, NULL);
        r->device.grid_cycles = cycles;
        cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
        cr_expect_eq(r->device.launch_count, 300);
        uint32_t count;
        const hd_host_launch *launches = hd_host_native_launches(kit_instance(r->kit), &count);
        cr_assert_eq(count, 300);
        for (uint32_t i = 0; i < 300; i++) {
            cr_expect_eq(launches[i].queue, i % 3 == 0);
            cr_expect(launches[i].complete);
            cr_expect_eq(launches[i].end_cycle - launches[i].start_cycle, cycles, "launch %u", i);
        }
        rig_destroy(r);
    }
}

static uint32_t seen[64];

static int overwrite_arguments(void)
{
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t argument = i;
        hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, &argument, sizeof argument);
        argument = 9999;
    }
    return HD_PASS;
}

Test(host, argument_blocks_are_copied_at_the_launch)
{
    rig *r = rig_create(NULL, overwrite_arguments, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    for (uint32_t i = 0; i < 64; i++) {
        memcpy(&seen[i], r->device.memory + (r->device.launches[i].argument_address - HD_GLOBAL_BASE), 4);
        cr_expect_eq(seen[i], i);
    }
    rig_destroy(r);
}

static int copy_after_launch(void)
{
    hd_device_ptr memory = hd_malloc(4);
    uint32_t value = 0;
    hd_launched launch = hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    hd_copy_from_device(&value, memory, 4);
    hd_report("end", hd_launch_cycles(launch));
    return HD_PASS;
}

Test(host, copies_wait_for_the_launches_before_them)
{
    rig *r = rig_create(NULL, copy_after_launch, NULL);
    r->device.grid_cycles = 5000;
    cr_expect_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    uint32_t count;
    const kit_event *events = kit_trace(r->kit, &count);
    hd_time copied = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].packet.message == kit_message(r->kit, HD_MEMORY_READ) && events[i].packet.argument == 4 &&
            events[i].packet.address < HD_HOST_MMIO_BASE)
            copied = events[i].t;
    }
    cr_expect_geq(copied, r->device.queues[0].busy_until);
    rig_destroy(r);
}
