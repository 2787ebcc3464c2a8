/* SPDX-License-Identifier: MIT */
#include "program.h"

void check(cl_int error, const char *call, int line)
{
    if (!error)
        return;
    fprintf(stderr, "line %d: %s: %d\n", line, call, error);
    exit(1);
}

cl_command_queue new_queue(const rig *of, cl_command_queue_properties properties)
{
    cl_int error;
    cl_command_queue made =
        clCreateCommandQueue(of->context, of->device, properties | CL_QUEUE_PROFILING_ENABLE, &error);
    CHECK(error);
    return made;
}

cl_mem new_buffer(const rig *of, size_t bytes, const void *contents)
{
    cl_int error;
    cl_mem made = clCreateBuffer(of->context, contents ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes,
                                 (void *)(uintptr_t)contents, &error);
    CHECK(error);
    return made;
}

cl_kernel kernel_named(const rig *of, const char *name)
{
    cl_int error;
    cl_kernel made = clCreateKernel(of->program, name, &error);
    CHECK(error);
    return made;
}

void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
    CHECK(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

void set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
    CHECK(clSetKernelArg(kernel, index, sizeof value, &value));
}

void launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local)
{
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
}

void read_ints(const rig *of, cl_mem buffer, int *into, size_t count)
{
    CHECK(clEnqueueReadBuffer(of->queue, buffer, CL_TRUE, 0, count * sizeof(int), into, 0, NULL, NULL));
}

uint32_t digest(const void *data, size_t bytes)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * 16777619u;
    return hash;
}

int *numbers(size_t count, int factor)
{
    int *made = malloc(count * sizeof *made);
    for (size_t i = 0; i < count; i++)
        made[i] = (int)i * factor;
    return made;
}
