/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

static int free_twice(void)
{
    hd_device_ptr p = hd_malloc(10);
    hd_free(p);
    hd_free(p);
    return HD_PASS;
}

static int free_inside(void)
{
    hd_free(hd_offset(hd_malloc(100), 4));
    return HD_PASS;
}

static int malloc_nothing(void)
{
    hd_malloc(0);
    return HD_PASS;
}

static int copy_too_much(void)
{
    static uint8_t data[200];
    hd_copy_to_device(hd_offset(hd_malloc(100), 40), data, 61);
    return HD_PASS;
}

static int read_too_much(void)
{
    static uint8_t data[200];
    hd_copy_from_device(data, hd_malloc(100), 101);
    return HD_PASS;
}

static int fill_what_is_free(void)
{
    hd_device_ptr p = hd_malloc(100);
    hd_free(p);
    hd_fill(p, 0, 1);
    return HD_PASS;
}

Test(host, misuse_of_device_memory_ends_the_program)
{
    /* The default queue's rings lie between the image and the first allocation. */
    const uint32_t p = RIG_HEAP + 64 * (128 + 32 + 4096);
    char expected[200];
    snprintf(expected, sizeof expected, "hd_free: 0x%08x has already been freed", p);
    rig_expect(free_twice, NULL, HD_HOST_ERROR, expected);
    snprintf(expected, sizeof expected, "hd_free: 0x%08x was not returned by hd_malloc", p + 4);
    rig_expect(free_inside, NULL, HD_HOST_ERROR, expected);
    rig_expect(malloc_nothing, NULL, HD_HOST_ERROR, "hd_malloc: 0 bytes asked for");
    snprintf(expected, sizeof expected,
             "hd_copy_to_device: 61 bytes at 0x%08x: beyond the allocation of 100 bytes at 0x%08x", p + 40, p);
    rig_expect(copy_too_much, NULL, HD_HOST_ERROR, expected);
    snprintf(expected, sizeof expected,
             "hd_copy_from_device: 101 bytes at 0x%08x: beyond the allocation of 100 bytes at 0x%08x", p, p);
    rig_expect(read_too_much, NULL, HD_HOST_ERROR, expected);
    snprintf(expected, sizeof expected, "hd_fill: 1 bytes at 0x%08x: the memory has been freed", p);
    rig_expect(fill_what_is_free, NULL, HD_HOST_ERROR, expected);
}

static int free_a_ring(void)
{
    hd_free((hd_device_ptr){RIG_HEAP});
    return HD_PASS;
}

static int fill_a_ring(void)
{
    hd_fill((hd_device_ptr){RIG_HEAP}, 0, 1);
    return HD_PASS;
}

Test(host, the_rings_are_not_the_programs)
{
    rig_expect(free_a_ring, NULL, HD_HOST_ERROR, "hd_free: 0x10000200 was not returned by hd_malloc");
    rig_expect(fill_a_ring, NULL, HD_HOST_ERROR, "hd_fill: 1 bytes at 0x10000200: there is no allocation");
}

static int unknown_kernel(void)
{
    hd_kernel_named("frist");
    return HD_PASS;
}

static int unknown_symbol(void)
{
    hd_symbol("first");
    return HD_PASS;
}

static int empty_grid(void)
{
    hd_launch(hd_kernel_named("second"), hd_2d(3, 0), hd_1d(32), 0, NULL, 0);
    return HD_PASS;
}

static int empty_block(void)
{
    hd_launch(hd_kernel_named("second"), hd_1d(3), hd_1d(0), 0, NULL, 0);
    return HD_PASS;
}

static int no_kernel(void)
{
    hd_kernel none = {0};
    hd_launch(none, hd_1d(3), hd_1d(1), 0, NULL, 0);
    return HD_PASS;
}

static int arguments_too_large(void)
{
    static uint8_t data[5000];
    hd_launch(hd_kernel_named("first"), hd_1d(3), hd_1d(1), 0, data, sizeof data);
    return HD_PASS;
}

static int arguments_missing(void)
{
    hd_launch(hd_kernel_named("first"), hd_1d(3), hd_1d(1), 0, NULL, 4);
    return HD_PASS;
}

static int unknown_queue(void)
{
    hd_launch_on((hd_queue){3}, hd_kernel_named("first"), hd_1d(3), hd_1d(1), 0, NULL, 0);
    return HD_PASS;
}

static int too_many_queues(void)
{
    hd_queue_create();
    hd_queue_create();
    return HD_PASS;
}

static int unknown_launch(void)
{
    hd_wait((hd_launched){0});
    return HD_PASS;
}

Test(host, misuse_of_launches_ends_the_program_and_names_the_kernel)
{
    rig_expect(unknown_kernel, NULL, HD_HOST_ERROR, "hd_kernel_named: the kernel program has no function 'frist'");
    rig_expect(unknown_symbol, NULL, HD_HOST_ERROR, "hd_symbol: the kernel program has no variable 'first'");
    rig_expect(empty_grid, NULL, HD_HOST_ERROR, "hd_launch of 'second': the grid of 3 x 0 x 1 blocks is empty");
    rig_expect(empty_block, NULL, HD_HOST_ERROR, "hd_launch of 'second': the block of 0 x 1 x 1 threads is empty");
    rig_expect(no_kernel, NULL, HD_HOST_ERROR, "hd_launch: no kernel: use hd_kernel_named");
    rig_expect(arguments_too_large, NULL, HD_HOST_ERROR,
               "hd_launch of 'first': 5000 bytes of arguments, at most 4096 are allowed");
    rig_expect(arguments_missing, NULL, HD_HOST_ERROR, "hd_launch of 'first': 4 bytes of arguments at NULL");
    rig_expect(unknown_queue, NULL, HD_HOST_ERROR, "hd_launch of 'first': there is no queue 3");
    rig_expect(too_many_queues, NULL, HD_HOST_ERROR, "hd_queue_create: the device has no more than 2 queues");
    rig_expect(unknown_launch, NULL, HD_HOST_ERROR, "hd_wait: there is no launch 0");
}

static int launch_and_wait(void)
{
    hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    hd_synchronize();
    return HD_PASS;
}

Test(host, a_descriptor_that_the_device_refuses_is_reported)
{
    rig *r = rig_create(NULL, launch_and_wait, NULL);
    r->device.error = HD_QUEUE_ERROR_PRIVATE;
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    cr_expect_str_eq(rig_message(r),
                     "the device refused descriptor 0 of queue 0: the stack is not a multiple of 128 bytes");
    rig_destroy(r);
}

Test(host, another_device_is_reported)
{
    rig *r = rig_create(NULL, launch_and_wait, NULL);
    r->device.identification = 17;
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    cr_expect_str_eq(rig_message(r),
                     "there is no device of version 1 behind the host's bus: identification 0x00000011, "
                     "version 1");
    rig_destroy(r);
}

static int reach_for_memory_that_is_not_there(void)
{
    hd_device_ptr all = hd_malloc(6 << 20);
    hd_fill(all, 1, 6 << 20);
    return HD_PASS;
}

Test(host, an_access_that_the_device_refuses_is_reported)
{
    rig *r = rig_create(NULL, reach_for_memory_that_is_not_there, NULL);
    r->device.pages = 2 * DEVICE_PAGES; /* it has half of what its register says */
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    char expected[200];
    snprintf(expected, sizeof expected, "the device refused a write of %u bytes at 0x%08x: address error at 0x%08x",
             6u << 20, RIG_HEAP + 64 * (128 + 32 + 4096), HD_GLOBAL_BASE + DEVICE_BYTES);
    cr_expect_str_eq(rig_message(r), expected);
    rig_destroy(r);
}
