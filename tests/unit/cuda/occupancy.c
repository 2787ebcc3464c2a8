/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "fakes.h"

TestSuite(cuda_occupancy, .init = fakes_begin);

Test(cuda_occupancy, is_that_of_what_a_core_has_least_of)
{
    static const struct {
        uint32_t local_bytes;
        int threads;
        size_t shared;
        int blocks;
    } rows[] = {
        {0, 32, 0, 8},           /* blocks */
        {0, 256, 0, 6},          /* 48 warps */
        {0, 257, 0, 5},          /* the last warp is not full */
        {0, 1024, 0, 1},         /* 32 of 48 warps */
        {0, 1025, 0, 0},         /* no block is that large */
        {12 << 10, 32, 0, 4},    /* shared memory of the kernel */
        {12 << 10, 32, 4096, 3}, /* and of the launch */
        {0, 32, 48 << 10, 1},    /* all of it */
        {0, 32, (48 << 10) + 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int blocks = -1;
        fake.kernel.local_bytes = rows[i].local_bytes;
        cr_assert_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, "kernel", rows[i].threads, rows[i].shared),
                     cudaSuccess);
        cr_expect_eq(blocks, rows[i].blocks, "row %zu: %d", i, blocks);
    }
    int blocks;
    cr_expect_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, "kernel", 0, 0), cudaErrorInvalidValue);
    cr_expect_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0), cudaErrorInvalidDeviceFunction);
}

Test(cuda_occupancy, attributes_tell_of_kernel_and_device)
{
    struct cudaFuncAttributes attributes;
    fake.kernel.local_bytes = 1024;
    cr_assert_eq(cudaFuncGetAttributes(&attributes, "kernel"), cudaSuccess);
    cr_expect_eq(attributes.sharedSizeBytes, 1024);
    cr_expect_eq(attributes.maxDynamicSharedSizeBytes, 47 << 10);
    cr_expect_eq(attributes.maxThreadsPerBlock, 1024);
}
