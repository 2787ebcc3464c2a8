/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "fakes.h"

TestSuite(cuda_copies, .init = fakes_begin);

#define DEVICE ((void *)0x1000)
#define OTHER ((void *)0x2000)

static char host[256], of_host[256];

static void expect(cudaError_t error, cudaError_t expected, const char *log)
{
    cr_expect_eq(error, expected, "%s instead of %s: %s", cudaGetErrorName(error), cudaGetErrorName(expected), log);
    cr_expect_str_eq(fake.log, log);
    cr_expect_eq(fake.is_in, 0);
    fake.log[0] = '\0';
}

Test(cuda_copies, go_where_they_are_told_or_the_pointers_lead)
{
    expect(cudaMemcpy(DEVICE, host, 16, cudaMemcpyHostToDevice), cudaSuccess, "to 0x1000 16; wait; ");
    expect(cudaMemcpy(host, DEVICE, 16, cudaMemcpyDeviceToHost), cudaSuccess, "from 0x1000 16; wait; ");
    expect(cudaMemcpy(OTHER, DEVICE, 16, cudaMemcpyDeviceToDevice), cudaSuccess, "0x1000 to 0x2000 16; ");
    expect(cudaMemcpy(DEVICE, host, 16, cudaMemcpyDefault), cudaSuccess, "to 0x1000 16; wait; ");
    expect(cudaMemcpy(host, DEVICE, 16, cudaMemcpyDefault), cudaSuccess, "from 0x1000 16; wait; ");
    expect(cudaMemcpy(OTHER, DEVICE, 16, cudaMemcpyDefault), cudaSuccess, "0x1000 to 0x2000 16; ");
    of_host[3] = 'x';
    expect(cudaMemcpy(host, of_host, 16, cudaMemcpyDefault), cudaSuccess, "wait for all; wait; ");
    cr_expect_eq(host[3], 'x');
}

Test(cuda_copies, that_make_no_sense_are_refused)
{
    expect(cudaMemcpy(host, of_host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "");
    expect(cudaMemcpy(host, of_host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue, "");
    expect(cudaMemcpy(DEVICE, NULL, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "");
    expect(cudaMemcpy(DEVICE, host, 16, (enum cudaMemcpyKind)7), cudaErrorInvalidMemcpyDirection, "");
    expect(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice), cudaSuccess, "");
    expect(cudaMemcpy2D(DEVICE, 8, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue, "");
}

Test(cuda_copies, of_rows_are_one_if_there_is_nothing_in_between)
{
    expect(cudaMemcpy2D(DEVICE, 16, host, 16, 16, 3, cudaMemcpyHostToDevice), cudaSuccess, "to 0x1000 48; wait; ");
    expect(cudaMemcpy2D(DEVICE, 32, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaSuccess,
           "to 0x1000 16; to 0x1020 16; wait; ");
}

Test(cuda_copies, are_waited_for_only_if_nobody_else_knows_when_they_are_done)
{
    void *pinned;
    cr_assert_eq(cudaMallocHost(&pinned, 64), cudaSuccess);
    expect(cudaMemcpyAsync(DEVICE, pinned, 64, cudaMemcpyHostToDevice, NULL), cudaSuccess, "to 0x1000 64; ");
    expect(cudaMemcpyAsync(pinned, DEVICE, 64, cudaMemcpyDeviceToHost, NULL), cudaSuccess, "from 0x1000 64; ");
    expect(cudaMemcpyAsync(DEVICE, host, 64, cudaMemcpyHostToDevice, NULL), cudaSuccess, "to 0x1000 64; then call; ");
    expect(cudaMemcpyAsync(host, DEVICE, 64, cudaMemcpyDeviceToHost, NULL), cudaSuccess, "from 0x1000 64; wait; ");
    expect(cudaMemcpyAsync(DEVICE, (char *)pinned + 1, 64, cudaMemcpyHostToDevice, NULL), cudaSuccess,
           "to 0x1000 64; then call; ");
    expect(cudaFreeHost(pinned), cudaSuccess, "wait for all; ");
}
