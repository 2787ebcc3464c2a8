/* SPDX-License-Identifier: MIT */
/* Platforms, devices, contexts, queues. */
#include "errors.h"

#define UNKNOWN 0x7fff /* a query that there is not */

static void CL_CALLBACK notify(const char *text, const void *more, size_t bytes, void *data)
{
    (void)text;
    (void)more;
    (void)bytes;
    (void)data;
}

static void try_devices(const good *with)
{
    char room[1];
    cl_uint count;
    cl_device_id device = with->rig.device, wrong = AS(cl_device_id, with->buffer), made;
    static const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    EXPECT(clGetDeviceIDs, INVALID_PLATFORM,
           clGetDeviceIDs(AS(cl_platform_id, device), CL_DEVICE_TYPE_ALL, 1, &made, NULL));
    EXPECT(clGetDeviceIDs, INVALID_DEVICE_TYPE, clGetDeviceIDs(with->platform, 0, 1, &made, NULL));
    EXPECT(clGetDeviceIDs, INVALID_DEVICE_TYPE, clGetDeviceIDs(with->platform, 1u << 20, 1, &made, NULL));
    EXPECT(clGetDeviceIDs, INVALID_VALUE, clGetDeviceIDs(with->platform, CL_DEVICE_TYPE_ALL, 0, &made, NULL));
    EXPECT(clGetDeviceIDs, INVALID_VALUE, clGetDeviceIDs(with->platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
    EXPECT(clGetDeviceIDs, DEVICE_NOT_FOUND,
           clGetDeviceIDs(with->platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &made, &count));
    EXPECT(clGetDeviceInfo, INVALID_DEVICE, clGetDeviceInfo(wrong, CL_DEVICE_NAME, 0, NULL, NULL));
    EXPECT(clGetDeviceInfo, INVALID_VALUE, clGetDeviceInfo(device, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetDeviceInfo, INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof room, room, NULL));
    EXPECT(clCreateSubDevices, INVALID_DEVICE, clCreateSubDevices(wrong, halves, 1, &made, NULL));
    EXPECT(clCreateSubDevices, INVALID_VALUE, clCreateSubDevices(device, halves, 1, &made, NULL));
    EXPECT(clRetainDevice, INVALID_DEVICE, clRetainDevice(wrong));
    EXPECT(clReleaseDevice, INVALID_DEVICE, clReleaseDevice(wrong));
}

void try_platforms(const good *with)
{
    char room[1];
    cl_platform_id platform;
    EXPECT(clGetPlatformIDs, INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
    EXPECT(clGetPlatformIDs, INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL));
    EXPECT(clGetPlatformInfo, INVALID_PLATFORM,
           clGetPlatformInfo(AS(cl_platform_id, with->buffer), CL_PLATFORM_NAME, 0, NULL, NULL));
    EXPECT(clGetPlatformInfo, INVALID_VALUE, clGetPlatformInfo(with->platform, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetPlatformInfo, INVALID_VALUE,
           clGetPlatformInfo(with->platform, CL_PLATFORM_NAME, sizeof room, room, NULL));
    EXPECT(clUnloadPlatformCompiler, INVALID_PLATFORM, clUnloadPlatformCompiler(AS(cl_platform_id, with->buffer)));
    EXPECT(clUnloadPlatformCompiler, SUCCESS, clUnloadPlatformCompiler(with->platform));
    try_devices(with);
}

/* ---- Contexts -------------------------------------------------------------------------------------------------------------- */

/* What both ways of making a context have in common: a list of properties. */
typedef struct properties {
    cl_context_properties no_platform[3], unknown[3], twice[5], no_value[3];
} properties;

static properties bad_properties(const good *with)
{
    const cl_context_properties platform = (cl_context_properties)with->platform;
    return (properties){.no_platform = {CL_CONTEXT_PLATFORM, (cl_context_properties)with->buffer, 0},
                        .unknown = {UNKNOWN, 1, 0},
                        .twice = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0},
                        .no_value = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0}};
}

static void try_creation(const good *with)
{
    cl_int error;
    int data;
    const properties bad = bad_properties(with);
    cl_device_id device = with->rig.device, devices[2] = {device, AS(cl_device_id, with->buffer)};
    EXPECT_MADE(clCreateContext, INVALID_PLATFORM, clCreateContext(bad.no_platform, 1, &device, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_PROPERTY, clCreateContext(bad.unknown, 1, &device, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_PROPERTY, clCreateContext(bad.twice, 1, &device, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_PROPERTY, clCreateContext(bad.no_value, 1, &device, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_VALUE, clCreateContext(NULL, 0, &device, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &error));
    EXPECT_MADE(clCreateContext, INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, &data, &error));
    EXPECT_MADE(clCreateContext, INVALID_DEVICE, clCreateContext(NULL, 2, devices, notify, NULL, &error));
}

static void try_creation_by_type(const good *with)
{
    cl_int error;
    int data;
    const properties bad = bad_properties(with);
    const cl_context_properties fine[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)with->platform, 0};
    EXPECT_MADE(clCreateContextFromType, INVALID_PROPERTY,
                clCreateContextFromType(bad.twice, CL_DEVICE_TYPE_ALL, NULL, NULL, &error));
    EXPECT_MADE(clCreateContextFromType, INVALID_VALUE,
                clCreateContextFromType(fine, CL_DEVICE_TYPE_ALL, NULL, &data, &error));
    EXPECT_MADE(clCreateContextFromType, INVALID_DEVICE_TYPE,
                clCreateContextFromType(fine, 1u << 20, NULL, NULL, &error));
    EXPECT_MADE(clCreateContextFromType, DEVICE_NOT_FOUND,
                clCreateContextFromType(fine, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &error));
    EXPECT_MADE(clCreateContextFromType, INVALID_PLATFORM,
                clCreateContextFromType(bad.no_platform, CL_DEVICE_TYPE_ALL, NULL, NULL, &error));
}

void try_contexts(const good *with)
{
    char room[1];
    cl_context context = with->rig.context, wrong = AS(cl_context, with->buffer);
    try_creation(with);
    try_creation_by_type(with);
    EXPECT(clRetainContext, INVALID_CONTEXT, clRetainContext(wrong));
    EXPECT(clReleaseContext, INVALID_CONTEXT, clReleaseContext(wrong));
    EXPECT(clGetContextInfo, INVALID_CONTEXT, clGetContextInfo(wrong, CL_CONTEXT_DEVICES, 0, NULL, NULL));
    EXPECT(clGetContextInfo, INVALID_VALUE, clGetContextInfo(context, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetContextInfo, INVALID_VALUE, clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof room, room, NULL));
}

/* ---- Queues ----------------------------------------------------------------------------------------------------------------- */

void try_queues(const good *with)
{
    char room[1];
    cl_int error;
    cl_context context = with->rig.context;
    cl_device_id device = with->rig.device;
    cl_command_queue queue = with->rig.queue, wrong = AS(cl_command_queue, with->buffer);
    EXPECT_MADE(clCreateCommandQueue, INVALID_CONTEXT,
                clCreateCommandQueue(AS(cl_context, with->buffer), device, 0, &error));
    EXPECT_MADE(clCreateCommandQueue, INVALID_DEVICE,
                clCreateCommandQueue(context, AS(cl_device_id, with->buffer), 0, &error));
    EXPECT_MADE(clCreateCommandQueue, INVALID_VALUE, clCreateCommandQueue(context, device, 1u << 20, &error));
    EXPECT(clRetainCommandQueue, INVALID_COMMAND_QUEUE, clRetainCommandQueue(wrong));
    EXPECT(clReleaseCommandQueue, INVALID_COMMAND_QUEUE, clReleaseCommandQueue(wrong));
    EXPECT(clGetCommandQueueInfo, INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(wrong, CL_QUEUE_CONTEXT, 0, NULL, NULL));
    EXPECT(clGetCommandQueueInfo, INVALID_VALUE, clGetCommandQueueInfo(queue, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetCommandQueueInfo, INVALID_VALUE,
           clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof room, room, NULL));
    EXPECT(clFlush, INVALID_COMMAND_QUEUE, clFlush(wrong));
    EXPECT(clFinish, INVALID_COMMAND_QUEUE, clFinish(wrong));
}
