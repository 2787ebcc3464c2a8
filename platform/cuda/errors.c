/* SPDX-License-Identifier: MIT */
#include "runtime.h"

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define X(name, number, text) {name, #name, text},
#include "heddle_cuda_errors.def"
#undef X
};

static const char unknown[] = "unrecognized error code";

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return unknown;
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].text;
    return unknown;
}

cudaError_t cudaPeekAtLastError(void)
{
    return runtime.last;
}

/* That of a machine that has stopped stays. */
cudaError_t cudaGetLastError(void)
{
    const cudaError_t last = runtime.last;
    runtime.last = runtime.stopped;
    return last;
}
