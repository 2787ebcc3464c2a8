/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "fakes.h"
#include "kernel_format.h"
#include "registration.h"

TestSuite(cuda_launches, .init = fakes_begin);

static const void *const some_kernel = "kernel";

static const kernelc_argument arguments[] = {
    {.space = KERNELC_PRIVATE, .offset = 32, .bytes = 4},
    {.space = KERNELC_GLOBAL, .offset = 40, .bytes = 4},
};

static cudaError_t launch(dim3 grid, dim3 block, size_t shared)
{
    return cudaLaunchKernel(some_kernel, grid, block, NULL, shared, NULL);
}

Test(cuda_launches, that_no_device_could_run_are_refused)
{
    static const struct {
        dim3 grid, block;
        size_t shared;
        cudaError_t error;
    } rows[] = {
        {{1, 1, 1}, {1024, 1, 1}, 0, cudaSuccess},
        {{1, 1, 1}, {1025, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {32, 32, 2}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {0, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 0, 1}, {1, 1, 1}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {65536, 65536, 65536}, 0, cudaErrorInvalidConfiguration},
        {{1, 1, 1}, {1, 1, 1}, (48 << 10) - 100, cudaSuccess},
        {{1, 1, 1}, {1, 1, 1}, (48 << 10) - 99, cudaErrorInvalidValue},
    };
    fake.kernel.local_bytes = 100;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake.log[0] = '\0';
        cr_expect_eq(launch(rows[i].grid, rows[i].block, rows[i].shared), rows[i].error, "row %zu", i);
        cr_expect_str_eq(fake.log, rows[i].error ? "" : "launch; ", "row %zu", i);
    }
    cr_expect_eq(cudaLaunchKernel(NULL, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL),
                 cudaErrorInvalidDeviceFunction);
    cr_expect_eq(fake.is_in, 0);
}

Test(cuda_launches, have_shared_memory_in_whole_words)
{
    fake.kernel.local_bytes = 100;
    cr_assert_eq(launch((dim3){2, 3, 4}, (dim3){5, 6, 7}, 5), cudaSuccess);
    cr_expect_eq(fake.size.scratchpad_bytes, 108);
    cr_expect_eq(fake.size.grid[2], 4);
    cr_expect_eq(fake.size.block[1], 6);
}

Test(cuda_launches, put_arguments_where_the_kernel_has_them)
{
    int number = 4711, found;
    uint64_t pointer = 0x10000000;
    void *values[] = {&number, &pointer};
    fake.kernel.argument_count = 2;
    fake.kernel.arguments = arguments;
    fake.kernel.block_bytes = 44;
    cr_assert_eq(cudaLaunchKernel(some_kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, values, 0, NULL), cudaSuccess);
    memcpy(&found, fake.block + 32, sizeof found);
    cr_expect_eq(found, 4711);
    memcpy(&found, fake.block + 40, sizeof found);
    cr_expect_eq(found, 0x10000000);
    pointer = (uintptr_t)values | 1ull << 32;
    cr_expect_eq(cudaLaunchKernel(some_kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, values, 0, NULL),
                 cudaErrorInvalidValue);
    cr_expect_str_eq(fake.log, "launch; refused; ");
}

Test(cuda_launches, are_configured_before_they_are_made)
{
    dim3 grid, block;
    size_t shared;
    void *stream;
    __cudaPushCallConfiguration((dim3){1, 2, 3}, (dim3){4, 5, 6}, 7, &fake);
    __cudaPopCallConfiguration(&grid, &block, &shared, &stream);
    cr_expect(grid.x == 1 && grid.z == 3 && block.y == 5 && shared == 7 && stream == &fake);
}

Test(cuda_errors, have_names_and_texts_and_that_of_a_stopped_machine_stays)
{
    fakes_begin();
    cr_expect_str_eq(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    cr_expect_str_eq(cudaGetErrorString(cudaSuccess), "no error");
    cr_expect_str_eq(cudaGetErrorName((cudaError_t)123456), "unrecognized error code");
    runtime.last = cudaErrorInvalidValue;
    cr_expect_eq(cudaPeekAtLastError(), cudaErrorInvalidValue);
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidValue);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
    runtime.last = runtime.stopped = cudaErrorLaunchFailure;
    cr_expect_eq(cudaGetLastError(), cudaErrorLaunchFailure);
    cr_expect_eq(cudaGetLastError(), cudaErrorLaunchFailure);
}
