/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"
#include "runtime_heap.h"

static int reuse_what_is_free(void)
{
    hd_device_ptr a = hd_malloc(300);
    hd_device_ptr b = hd_malloc(1);
    hd_device_ptr c = hd_malloc(256);
    hd_check(a.address % 256 == 0 && b.address == a.address + 512 && c.address == b.address + 256, "0x%x, 0x%x, 0x%x",
             a.address, b.address, c.address);
    hd_free(b);
    hd_check(hd_malloc(257).address > c.address, "257 bytes do not fit where 256 were");
    hd_check(hd_malloc(256).address == b.address, "the first gap that is large enough");
    hd_free(b);
    hd_free((hd_device_ptr){0});
    return HD_PASS;
}

Test(host, device_memory_is_given_first_fit)
{
    rig_expect(reuse_what_is_free, NULL, HD_HOST_PASS, "");
}

static int fill_the_device(void)
{
    for (uint32_t i = 0; i < 1000; i++)
        hd_malloc(1 << 20);
    return HD_PASS;
}

Test(host, running_out_of_device_memory_says_how_much_is_left)
{
    rig *r = rig_create(NULL, fill_the_device, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_ERROR);
    /* The default queue has 64 descriptors, 64 records and 64 argument blocks of 4096 bytes behind the image. */
    uint32_t left = DEVICE_BYTES - (RIG_HEAP - HD_GLOBAL_BASE) - 64 * (128 + 32 + 4096) - 3 * (1 << 20);
    char expected[200];
    snprintf(expected, sizeof expected,
             "hd_malloc: out of device memory: 1048576 bytes asked for, the largest free piece has %u", left);
    cr_expect_str_eq(rig_message(r), expected);
    rig_destroy(r);
}

Test(host, a_random_sequence_of_allocations_never_overlaps)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        runtime_heap heap = {.begin = 0x10000123, .end = 0x10010000};
        static uint8_t owner[0x10000];
        uint32_t address[100] = {0};
        uint32_t bytes[100] = {0};
        memset(owner, 0, sizeof owner);
        uint64_t random = seed;
        for (uint32_t step = 0; step < 3000; step++) {
            uint32_t i = (uint32_t)(hd_random(&random) % 100);
            if (address[i] != 0) {
                cr_assert_eq(heap_free(&heap, address[i], (heap_site){0}), HEAP_OK);
                cr_assert_eq(heap_free(&heap, address[i], (heap_site){0}), HEAP_FREED_TWICE);
                memset(owner + (address[i] - 0x10000000), 0, bytes[i]);
                address[i] = 0;
                continue;
            }
            bytes[i] = 1 + (uint32_t)(hd_random(&random) % 2000);
            uint64_t largest = heap_largest_gap(&heap);
            uint32_t result = heap_allocate(&heap, bytes[i], HEAP_USER, (heap_site){0}, &address[i]);
            cr_assert_eq(result, bytes[i] <= largest ? HEAP_OK : HEAP_FULL, "seed %llu", (unsigned long long)seed);
            if (result != HEAP_OK) {
                address[i] = 0;
                continue;
            }
            cr_assert(address[i] >= heap.begin && address[i] + bytes[i] <= heap.end && address[i] % 256 == 0);
            for (uint32_t k = 0; k < bytes[i]; k++)
                cr_assert_eq(owner[address[i] - 0x10000000 + k]++, 0, "seed %llu", (unsigned long long)seed);
            cr_assert_eq(heap_find(&heap, address[i] + bytes[i] - 1)->address, address[i]);
        }
        heap_release(&heap);
    }
}
