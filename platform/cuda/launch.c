/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "registration.h"
#include "runtime.h"

/* ---- kernel<<<grid, block, shared, stream>>> ---------------------------------------------------------------------------- */

typedef struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    void *stream;
} configuration;

static _Thread_local configuration asked;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream)
{
    asked = (configuration){grid, block, shared_bytes, stream};
    return 0;
}

unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void **stream)
{
    *grid = asked.grid;
    *block = asked.block;
    *shared_bytes = asked.shared_bytes;
    *stream = asked.stream;
    return 0;
}

/* ---- Launching ----------------------------------------------------------------------------------------------------------- */

/* What no device of these limits could run. */
static cudaError_t check(const configuration *size, const kernelc_kernel *kernel)
{
    const uint64_t threads = (uint64_t)size->block.x * size->block.y * size->block.z;
    const uint64_t blocks = (uint64_t)size->grid.x * size->grid.y * size->grid.z;
    if (!threads || !blocks || size->block.x > UINT16_MAX || size->block.y > UINT16_MAX || size->block.z > UINT16_MAX ||
        (runtime.limits.threads_per_block && threads > runtime.limits.threads_per_block))
        return cudaErrorInvalidConfiguration;
    if (runtime.limits.scratchpad_bytes && size->shared_bytes + kernel->local_bytes > runtime.limits.scratchpad_bytes)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* The program's own memory: a kernel would find something else at what is left of the address. */
static int is_of_host(const kernelc_argument *argument, const void *value)
{
    uint64_t address;
    if (argument->space != KERNELC_GLOBAL)
        return 0;
    memcpy(&address, value, sizeof address);
    return address > UINT32_MAX;
}

static cudaError_t fill_block(const kernelc_kernel *kernel, void **values, uint8_t *block)
{
    const kernelc_launch_header header = {.work_dimensions = runtime.limits.lanes};
    memcpy(block, &header, sizeof header);
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        const kernelc_argument *argument = &kernel->arguments[i];
        if (is_of_host(argument, values[i])) {
            runtime_refuse("kernel '%s': argument %u is a pointer to the host's memory", kernel->name, i);
            return cudaErrorInvalidValue;
        }
        memcpy(block + argument->offset, values[i], argument->bytes);
    }
    return cudaSuccess;
}

static cudaError_t launch(const void *host, const configuration *size, void **values)
{
    uint8_t block[HEDDLE_ARGUMENT_BYTES_MAX] = {0};
    cuda_function *function;
    heddle_queue *queue;
    cudaError_t error = function_find(host, &function);
    if (!error)
        error = check(size, function->kernel);
    if (!error)
        error = fill_block(function->kernel, values, block);
    if (!error)
        error = managed_to_device();
    if (!error)
        error = stream_queue(size->stream, &queue);
    if (error)
        return error;
    const heddle_size sizes = {.grid = {size->grid.x, size->grid.y, size->grid.z},
                               .block = {size->block.x, size->block.y, size->block.z},
                               .scratchpad_bytes =
                                   (uint32_t)(function->kernel->local_bytes + size->shared_bytes + 3) / 4 * 4};
    return runtime_error(heddle_launch(queue, function->handle, &sizes, block, function->kernel->block_bytes, NULL));
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error
                               : launch(kernel, &(configuration){grid, block, shared_bytes, stream}, arguments));
}
