/* SPDX-License-Identifier: MIT */
/* Kernels, their arguments, and launches. */
#include "errors.h"

#define UNKNOWN 0x7fff

static void try_creation(const good *with)
{
    cl_int error;
    cl_uint count;
    cl_kernel kernels[1];
    cl_program program = with->rig.program, wrong = AS(cl_program, with->buffer);
    EXPECT_MADE(clCreateKernel, INVALID_PROGRAM, clCreateKernel(wrong, "good", &error));
    EXPECT_MADE(clCreateKernel, INVALID_PROGRAM_EXECUTABLE, clCreateKernel(with->unbuilt, "good", &error));
    EXPECT_MADE(clCreateKernel, INVALID_KERNEL_NAME, clCreateKernel(program, "no_such_kernel", &error));
    EXPECT_MADE(clCreateKernel, INVALID_VALUE, clCreateKernel(program, NULL, &error));
    EXPECT(clCreateKernelsInProgram, INVALID_PROGRAM, clCreateKernelsInProgram(wrong, 1, kernels, &count));
    EXPECT(clCreateKernelsInProgram, INVALID_PROGRAM_EXECUTABLE,
           clCreateKernelsInProgram(with->unbuilt, 1, kernels, &count));
    EXPECT(clCreateKernelsInProgram, INVALID_VALUE, clCreateKernelsInProgram(program, 1, kernels, &count));
}

static void try_arguments(const good *with)
{
    cl_int value = 1;
    cl_kernel kernel = with->kernel;
    cl_mem wrong = AS(cl_mem, kernel);
    EXPECT(clSetKernelArg, INVALID_KERNEL, clSetKernelArg(AS(cl_kernel, with->buffer), 0, sizeof wrong, &wrong));
    EXPECT(clSetKernelArg, INVALID_ARG_INDEX, clSetKernelArg(kernel, 3, sizeof value, &value));
    EXPECT(clSetKernelArg, INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof value, NULL));
    EXPECT(clSetKernelArg, INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, sizeof value, &value));
    EXPECT(clSetKernelArg, INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof wrong, &wrong));
    EXPECT(clSetKernelArg, INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 3, &with->buffer));
    EXPECT(clSetKernelArg, INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 3, &value));
    EXPECT(clSetKernelArg, INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 0, NULL));
    EXPECT(clSetKernelArg, SUCCESS, clSetKernelArg(kernel, 1, sizeof value, &value));
}

void try_kernels(const good *with)
{
    char room[1];
    cl_kernel kernel = with->kernel, wrong = AS(cl_kernel, with->buffer);
    cl_device_id device = with->rig.device;
    try_creation(with);
    try_arguments(with);
    EXPECT(clRetainKernel, INVALID_KERNEL, clRetainKernel(wrong));
    EXPECT(clReleaseKernel, INVALID_KERNEL, clReleaseKernel(wrong));
    EXPECT(clGetKernelInfo, INVALID_KERNEL, clGetKernelInfo(wrong, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    EXPECT(clGetKernelInfo, INVALID_VALUE, clGetKernelInfo(kernel, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetKernelInfo, INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof room, room, NULL));
#define GROUP_INFO(kernel, device, query, bytes, room)                                                                 \
    clGetKernelWorkGroupInfo(kernel, device, query, bytes, room, NULL)
    EXPECT(clGetKernelWorkGroupInfo, INVALID_KERNEL, GROUP_INFO(wrong, device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL));
    EXPECT(clGetKernelWorkGroupInfo, INVALID_DEVICE,
           GROUP_INFO(kernel, AS(cl_device_id, wrong), CL_KERNEL_WORK_GROUP_SIZE, 0, NULL));
    EXPECT(clGetKernelWorkGroupInfo, INVALID_VALUE, GROUP_INFO(kernel, device, UNKNOWN, 0, NULL));
    EXPECT(clGetKernelWorkGroupInfo, INVALID_VALUE,
           GROUP_INFO(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof room, room));
    EXPECT(clGetKernelWorkGroupInfo, INVALID_VALUE, /* only of custom devices and built-in kernels */
           GROUP_INFO(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL));
#define ARGUMENT_INFO(kernel, index, query, bytes, room) clGetKernelArgInfo(kernel, index, query, bytes, room, NULL)
    EXPECT(clGetKernelArgInfo, INVALID_KERNEL, ARGUMENT_INFO(wrong, 0, CL_KERNEL_ARG_NAME, 0, NULL));
    EXPECT(clGetKernelArgInfo, INVALID_ARG_INDEX, ARGUMENT_INFO(kernel, 3, CL_KERNEL_ARG_NAME, 0, NULL));
    EXPECT(clGetKernelArgInfo, INVALID_VALUE, ARGUMENT_INFO(kernel, 0, UNKNOWN, 0, NULL));
    EXPECT(clGetKernelArgInfo, INVALID_VALUE, ARGUMENT_INFO(kernel, 0, CL_KERNEL_ARG_NAME, sizeof room, room));
}

/* ---- Launches ----------------------------------------------------------------------------------------------------------------- */

static cl_kernel kernel_without_arguments(const good *with)
{
    cl_int error;
    cl_kernel made = clCreateKernel(with->rig.program, "good", &error);
    CHECK(error);
    return made;
}

static void try_launch_handles(const good *with)
{
    static const size_t global = 64, local = 8;
    cl_command_queue queue = with->rig.queue, wrong_queue = AS(cl_command_queue, with->buffer);
    cl_kernel kernel = with->kernel, wrong = AS(cl_kernel, with->buffer), unset = kernel_without_arguments(with);
#define LAUNCH(queue, kernel, count, list)                                                                             \
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, count, list, NULL)
#define TASK(queue, kernel, count, list) clEnqueueTask(queue, kernel, count, list, NULL)
    EXPECT(clEnqueueNDRangeKernel, INVALID_COMMAND_QUEUE, LAUNCH(wrong_queue, kernel, 0, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_KERNEL, LAUNCH(queue, wrong, 0, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_CONTEXT, LAUNCH(queue, with->other_kernel, 0, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_CONTEXT, LAUNCH(queue, kernel, 1, &with->other_event));
    EXPECT(clEnqueueNDRangeKernel, INVALID_KERNEL_ARGS, LAUNCH(queue, unset, 0, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_EVENT_WAIT_LIST, LAUNCH(queue, kernel, 1, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_EVENT_WAIT_LIST, LAUNCH(queue, kernel, 0, &with->done));
    EXPECT(clEnqueueNDRangeKernel, SUCCESS, LAUNCH(queue, kernel, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_COMMAND_QUEUE, TASK(wrong_queue, kernel, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_KERNEL, TASK(queue, wrong, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_CONTEXT, TASK(queue, with->other_kernel, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_KERNEL_ARGS, TASK(queue, unset, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_WORK_GROUP_SIZE, TASK(queue, with->demanding, 0, NULL));
    EXPECT(clEnqueueTask, INVALID_EVENT_WAIT_LIST, TASK(queue, kernel, 1, NULL));
    EXPECT(clEnqueueTask, SUCCESS, TASK(queue, kernel, 0, NULL));
    CHECK(clReleaseKernel(unset));
}

typedef struct sizes {
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
} sizes;

static cl_int launch_error(const good *with, cl_kernel kernel, const sizes *asked)
{
    return clEnqueueNDRangeKernel(with->rig.queue, kernel, asked->dimensions, asked->offset, asked->global,
                                  asked->local[0] ? asked->local : NULL, 0, NULL, NULL);
}

static void try_sizes(const good *with)
{
    size_t most, items[3];
    cl_uint bits;
    cl_device_id device = with->rig.device;
    cl_kernel kernel = with->kernel;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    const size_t largest = bits == 32 ? UINT32_MAX : SIZE_MAX;
#define SIZES(...) launch_error(with, kernel, &(sizes){__VA_ARGS__})
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_DIMENSION, SIZES(0, .global = {8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_DIMENSION, SIZES(4, .global = {8, 1, 1}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_GLOBAL_WORK_SIZE, SIZES(1, .global = {0}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_GLOBAL_WORK_SIZE, SIZES(3, .global = {8, 8, 0}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_GLOBAL_WORK_SIZE,
           clEnqueueNDRangeKernel(with->rig.queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL));
    EXPECT(clEnqueueNDRangeKernel, INVALID_GLOBAL_OFFSET, SIZES(1, .offset = {largest}, .global = {8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_GLOBAL_OFFSET, SIZES(2, .offset = {0, largest - 3}, .global = {8, 8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_GROUP_SIZE, SIZES(1, .global = {9}, .local = {8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_GROUP_SIZE, SIZES(2, .global = {8, 9}, .local = {8, 8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_GROUP_SIZE, SIZES(2, .global = {most, 2}, .local = {most, 2}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_ITEM_SIZE, SIZES(1, .global = {2 * items[0]}, .local = {2 * items[0]}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_ITEM_SIZE,
           SIZES(3, .global = {1, 1, 2 * items[2]}, .local = {1, 1, 2 * items[2]}));
    kernel = with->demanding;
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_GROUP_SIZE, SIZES(1, .global = {8}));
    EXPECT(clEnqueueNDRangeKernel, INVALID_WORK_GROUP_SIZE, SIZES(1, .global = {8}, .local = {4}));
    EXPECT(clEnqueueNDRangeKernel, SUCCESS, SIZES(1, .global = {8}, .local = {8}));
}

static void CL_CALLBACK run_natively(void *data)
{
    (void)data;
}

void try_launches(const good *with)
{
    int data = 0;
    try_launch_handles(with);
    try_sizes(with);
#define NATIVE(queue) clEnqueueNativeKernel(queue, run_natively, &data, sizeof data, 0, NULL, NULL, 0, NULL, NULL)
    EXPECT(clEnqueueNativeKernel, INVALID_COMMAND_QUEUE, NATIVE(AS(cl_command_queue, with->buffer)));
    EXPECT(clEnqueueNativeKernel, INVALID_OPERATION, NATIVE(with->rig.queue));
}
