/* SPDX-License-Identifier: MIT */
/* Several programs on one device. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "rig.h"

#define SECOND_PC 0x10001000u             /* where the kernels of the second program lie */
#define KERNEL_BYTES 0x20000u             /* it takes some time to load them */
#define BEHIND (SECOND_PC + KERNEL_BYTES) /* the first address that is free */

static const uint8_t code[64] = {0x67, 0x80, 0x00, 0x00};
static isa_segment segments[] = {
    {.address = SECOND_PC, .file_bytes = sizeof code, .memory_bytes = KERNEL_BYTES, .data = code}};
static isa_symbol symbols[] = {{.name = "other", .address = SECOND_PC, .bytes = 64, .is_function = 1}};
static const isa_program kernels = {.segment_count = 1, .segments = segments, .symbol_count = 1, .symbols = symbols};

typedef struct seen {
    uint32_t memory;
    uint32_t launches[2];
} seen;
static seen of_program[2];

/* Allocates, launches on both of its queues, waits for the second launch alone, and reads back what it wrote. */
static int work(uint32_t program, const char *kernel)
{
    seen *own = &of_program[program];
    const uint32_t written = 0xABC00000u + program;
    uint32_t read = 0;
    const hd_device_ptr memory = hd_malloc(256);
    const hd_queue queue = hd_queue_create();
    hd_check(queue.number == 1, "the queue is called %u", queue.number);
    own->memory = memory.address;
    hd_copy_to_device(memory, &written, sizeof written);
    own->launches[0] = hd_launch(hd_kernel_named(kernel), hd_1d(1), hd_1d(1), 0, NULL, 0).number;
    const hd_launched second = hd_launch_on(queue, hd_kernel_named(kernel), hd_1d(2), hd_1d(1), 0, NULL, 0);
    own->launches[1] = second.number;
    hd_wait(second);
    hd_report("cycles", hd_launch_cycles(second));
    hd_copy_from_device(&read, memory, sizeof read);
    hd_check(read == written, "%x", read);
    return HD_PASS;
}

static int work_first(void)
{
    return work(0, "first");
}

static int work_second(void)
{
    return work(1, "other");
}

static int fails(void)
{
    hd_launch(hd_kernel_named("other"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    hd_fail("it does not work");
}

static int waits_for_another(void)
{
    hd_wait((hd_launched){0});
    return HD_PASS;
}

static int asks_for_a_foreign_kernel(void)
{
    hd_kernel_named("first");
    return HD_PASS;
}

static void reset(rig *r, uint32_t queues)
{
    device_reset(&r->device);
    r->device.queue_count = queues;
    kit_reset(r->kit);
}

static rig *start(int (*first)(void), int (*second)(void))
{
    rig *r = rig_create(NULL, first, NULL);
    const hd_host_program programs[] = {
        {.entry = first, .kernels = &rig_kernels, .module = RIG_MODULE, .name = "one"},
        {.entry = second, .kernels = &kernels, .module = RIG_MODULE + 1, .name = "two"}};
    hd_host_native_set_programs(kit_instance(r->kit), programs, 2);
    reset(r, DEVICE_QUEUES);
    return r;
}

Test(host_several, each_has_its_queues_memory_and_launches)
{
    rig *r = start(work_first, work_second);
    cr_assert_eq(rig_run(r), HD_HOST_PASS, "%s", rig_message(r));
    cr_assert_eq(r->device.launch_count, 4);
    cr_expect_geq(of_program[0].memory, BEHIND, "behind the kernels of both");
    cr_expect_geq(of_program[1].memory, BEHIND);
    cr_expect_neq(of_program[0].memory, of_program[1].memory);
    for (uint32_t i = 0; i < 4; i++) {
        const hd_grid *grid = &r->device.launches[i];
        const uint32_t is_second = grid->module == RIG_MODULE + 1;
        cr_expect_eq(grid->entry_pc, is_second ? SECOND_PC : RIG_FIRST_PC);
        cr_expect_eq(grid->launch, of_program[is_second].launches[grid->grid_size[0] - 1]);
    }
    uint32_t count;
    const hd_host_launch *launches = hd_host_native_launches(kit_instance(r->kit), &count);
    cr_assert_eq(count, 4);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_eq(launches[i].complete, 1);
        cr_expect_eq(hd_host_native_owner(kit_instance(r->kit), launches[i].queue),
                     strcmp(launches[i].kernel, "first") != 0);
    }
    cr_expect_eq(launches[of_program[0].launches[0]].queue, 0, "the default queues are the first ones");
    cr_expect_eq(launches[of_program[1].launches[0]].queue, 1);
    cr_expect_eq(hd_host_native_owner(kit_instance(r->kit), 40), UINT32_MAX);
    rig_destroy(r);
}

Test(host_several, the_run_ends_when_all_have_ended)
{
    rig *r = start(work_first, fails);
    cr_expect_eq(rig_run(r), HD_HOST_FAIL);
    cr_expect_str_eq(rig_message(r), "two: it does not work");
    const hd_host_standing one = hd_host_native_standing(kit_instance(r->kit), 0);
    const hd_host_standing two = hd_host_native_standing(kit_instance(r->kit), 1);
    cr_expect_eq(one.status, HD_HOST_PASS);
    cr_expect_eq(one.report_count, 1);
    cr_expect_str_eq(one.message, "");
    cr_expect_eq(two.status, HD_HOST_FAIL);
    cr_expect_str_eq(two.message, "it does not work");
    cr_expect_lt(two.ended, one.ended);
    cr_expect_eq(hd_host_native_ended(kit_instance(r->kit)), one.ended);
    rig_destroy(r);
}

Test(host_several, none_has_what_is_the_others)
{
    rig *r = start(work_first, waits_for_another);
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    cr_expect_str_eq(rig_message(r), "two: hd_wait: there is no launch 0");
    rig_destroy(r);
    r = start(work_first, asks_for_a_foreign_kernel);
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    cr_expect_str_eq(rig_message(r), "two: hd_kernel_named: the kernel program has no function 'first'");
    rig_destroy(r);
}

Test(host_several, queues_may_not_be_enough)
{
    rig *r = start(work_first, work_second);
    reset(r, 3);
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    cr_expect_str_eq(rig_message(r),
                     "two: hd_queue_create: the device has no more than 3 queues, and other programs use some of them");
    rig_destroy(r);
}

Test(host_several, a_reset_begins_anew)
{
    rig *r = start(work_first, work_second);
    rig_run(r);
    const seen before[2] = {of_program[0], of_program[1]};
    const hd_time ended = hd_host_native_ended(kit_instance(r->kit));
    reset(r, DEVICE_QUEUES);
    cr_expect_eq(hd_host_native_status(kit_instance(r->kit)), HD_HOST_RUNNING);
    cr_expect_eq(rig_run(r), HD_HOST_PASS);
    cr_expect_arr_eq(of_program, before, sizeof before);
    cr_expect_eq(hd_host_native_ended(kit_instance(r->kit)), ended);
    rig_destroy(r);
}
