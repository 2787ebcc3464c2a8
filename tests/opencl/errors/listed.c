/* SPDX-License-Identifier: MIT */
/*
 * The errors that OpenCL 1.2 lists for each call. CL_OUT_OF_RESOURCES and CL_OUT_OF_HOST_MEMORY, which it lists for nearly all,
 * are not provoked here.
 */
#include "errors.h"

typedef struct listed {
    const char *call;
    const char *errors; /* without CL_, separated by spaces */
} listed;

#define COPY_ERRORS "INVALID_COMMAND_QUEUE INVALID_CONTEXT INVALID_MEM_OBJECT INVALID_VALUE INVALID_EVENT_WAIT_LIST"
#define IMAGE_COMMAND "INVALID_COMMAND_QUEUE INVALID_OPERATION"
#define LAUNCH_ERRORS                                                                                                  \
    "INVALID_PROGRAM_EXECUTABLE INVALID_COMMAND_QUEUE INVALID_KERNEL INVALID_CONTEXT INVALID_KERNEL_ARGS "             \
    "INVALID_WORK_GROUP_SIZE MISALIGNED_SUB_BUFFER_OFFSET MEM_OBJECT_ALLOCATION_FAILURE INVALID_EVENT_WAIT_LIST"
#define BLOCKING " EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST INVALID_OPERATION"
#define PART " MISALIGNED_SUB_BUFFER_OFFSET"

static const listed table[] = {
    {"clGetPlatformIDs", "INVALID_VALUE"},
    {"clGetPlatformInfo", "INVALID_PLATFORM INVALID_VALUE"},
    {"clGetDeviceIDs", "INVALID_PLATFORM INVALID_DEVICE_TYPE INVALID_VALUE DEVICE_NOT_FOUND"},
    {"clGetDeviceInfo", "INVALID_DEVICE INVALID_VALUE"},
    {"clCreateSubDevices", "INVALID_DEVICE INVALID_VALUE DEVICE_PARTITION_FAILED INVALID_DEVICE_PARTITION_COUNT"},
    {"clRetainDevice", "INVALID_DEVICE"},
    {"clReleaseDevice", "INVALID_DEVICE"},
    {"clCreateContext", "INVALID_PLATFORM INVALID_PROPERTY INVALID_VALUE INVALID_DEVICE DEVICE_NOT_AVAILABLE"},
    {"clCreateContextFromType", "INVALID_PLATFORM INVALID_PROPERTY INVALID_VALUE INVALID_DEVICE_TYPE "
                                "DEVICE_NOT_AVAILABLE DEVICE_NOT_FOUND"},
    {"clRetainContext", "INVALID_CONTEXT"},
    {"clReleaseContext", "INVALID_CONTEXT"},
    {"clGetContextInfo", "INVALID_CONTEXT INVALID_VALUE"},
    {"clCreateCommandQueue", "INVALID_CONTEXT INVALID_DEVICE INVALID_VALUE INVALID_QUEUE_PROPERTIES"},
    {"clRetainCommandQueue", "INVALID_COMMAND_QUEUE"},
    {"clReleaseCommandQueue", "INVALID_COMMAND_QUEUE"},
    {"clGetCommandQueueInfo", "INVALID_COMMAND_QUEUE INVALID_VALUE"},
    {"clFlush", "INVALID_COMMAND_QUEUE"},
    {"clFinish", "INVALID_COMMAND_QUEUE"},
    {"clCreateBuffer", "INVALID_CONTEXT INVALID_VALUE INVALID_BUFFER_SIZE INVALID_HOST_PTR "
                       "MEM_OBJECT_ALLOCATION_FAILURE"},
    {"clCreateSubBuffer", "INVALID_MEM_OBJECT INVALID_VALUE INVALID_BUFFER_SIZE MISALIGNED_SUB_BUFFER_OFFSET "
                          "MEM_OBJECT_ALLOCATION_FAILURE"},
    {"clRetainMemObject", "INVALID_MEM_OBJECT"},
    {"clReleaseMemObject", "INVALID_MEM_OBJECT"},
    {"clGetMemObjectInfo", "INVALID_MEM_OBJECT INVALID_VALUE"},
    {"clSetMemObjectDestructorCallback", "INVALID_MEM_OBJECT INVALID_VALUE"},
    {"clEnqueueReadBuffer", COPY_ERRORS BLOCKING PART},
    {"clEnqueueWriteBuffer", COPY_ERRORS BLOCKING PART},
    {"clEnqueueReadBufferRect", COPY_ERRORS BLOCKING PART},
    {"clEnqueueWriteBufferRect", COPY_ERRORS BLOCKING PART},
    {"clEnqueueCopyBuffer", COPY_ERRORS PART " MEM_COPY_OVERLAP"},
    {"clEnqueueCopyBufferRect", COPY_ERRORS PART " MEM_COPY_OVERLAP"},
    {"clEnqueueFillBuffer", COPY_ERRORS PART},
    {"clEnqueueMapBuffer", COPY_ERRORS BLOCKING PART " MAP_FAILURE"},
    {"clEnqueueUnmapMemObject", COPY_ERRORS},
    {"clEnqueueMigrateMemObjects", COPY_ERRORS},
    {"clCreateImage", "INVALID_CONTEXT INVALID_OPERATION"},
    {"clGetSupportedImageFormats", "INVALID_CONTEXT INVALID_VALUE"},
    {"clEnqueueReadImage", IMAGE_COMMAND},
    {"clEnqueueWriteImage", IMAGE_COMMAND},
    {"clEnqueueFillImage", IMAGE_COMMAND},
    {"clEnqueueCopyImage", IMAGE_COMMAND},
    {"clEnqueueCopyImageToBuffer", IMAGE_COMMAND},
    {"clEnqueueCopyBufferToImage", IMAGE_COMMAND},
    {"clEnqueueMapImage", IMAGE_COMMAND},
    {"clGetImageInfo", "INVALID_MEM_OBJECT"},
    {"clCreateSampler", "INVALID_CONTEXT INVALID_OPERATION"},
    {"clRetainSampler", "INVALID_SAMPLER"},
    {"clReleaseSampler", "INVALID_SAMPLER"},
    {"clGetSamplerInfo", "INVALID_SAMPLER"},
    {"clCreateProgramWithSource", "INVALID_CONTEXT INVALID_VALUE"},
    {"clCreateProgramWithBinary", "INVALID_CONTEXT INVALID_VALUE INVALID_DEVICE INVALID_BINARY"},
    {"clCreateProgramWithBuiltInKernels", "INVALID_CONTEXT INVALID_VALUE INVALID_DEVICE"},
    {"clRetainProgram", "INVALID_PROGRAM"},
    {"clReleaseProgram", "INVALID_PROGRAM"},
    {"clBuildProgram", "INVALID_PROGRAM INVALID_VALUE INVALID_DEVICE INVALID_BINARY INVALID_BUILD_OPTIONS "
                       "INVALID_OPERATION COMPILER_NOT_AVAILABLE BUILD_PROGRAM_FAILURE"},
    {"clCompileProgram", "INVALID_PROGRAM INVALID_VALUE INVALID_DEVICE INVALID_COMPILER_OPTIONS INVALID_OPERATION "
                         "COMPILER_NOT_AVAILABLE COMPILE_PROGRAM_FAILURE"},
    {"clLinkProgram", "INVALID_CONTEXT INVALID_VALUE INVALID_PROGRAM INVALID_DEVICE INVALID_LINKER_OPTIONS "
                      "INVALID_OPERATION LINKER_NOT_AVAILABLE LINK_PROGRAM_FAILURE"},
    {"clUnloadPlatformCompiler", "INVALID_PLATFORM"},
    {"clGetProgramInfo", "INVALID_PROGRAM INVALID_VALUE INVALID_PROGRAM_EXECUTABLE"},
    {"clGetProgramBuildInfo", "INVALID_PROGRAM INVALID_VALUE INVALID_DEVICE"},
    {"clCreateKernel", "INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE INVALID_KERNEL_NAME INVALID_KERNEL_DEFINITION "
                       "INVALID_VALUE"},
    {"clCreateKernelsInProgram", "INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE INVALID_VALUE"},
    {"clRetainKernel", "INVALID_KERNEL"},
    {"clReleaseKernel", "INVALID_KERNEL"},
    {"clSetKernelArg", "INVALID_KERNEL INVALID_ARG_INDEX INVALID_ARG_VALUE INVALID_MEM_OBJECT INVALID_SAMPLER "
                       "INVALID_ARG_SIZE"},
    {"clGetKernelInfo", "INVALID_KERNEL INVALID_VALUE"},
    {"clGetKernelWorkGroupInfo", "INVALID_KERNEL INVALID_DEVICE INVALID_VALUE"},
    {"clGetKernelArgInfo", "INVALID_KERNEL INVALID_ARG_INDEX INVALID_VALUE KERNEL_ARG_INFO_NOT_AVAILABLE"},
    {"clEnqueueNDRangeKernel", LAUNCH_ERRORS " INVALID_WORK_DIMENSION INVALID_GLOBAL_WORK_SIZE INVALID_GLOBAL_OFFSET "
                                             "INVALID_WORK_ITEM_SIZE INVALID_IMAGE_SIZE"},
    {"clEnqueueTask", LAUNCH_ERRORS},
    {"clEnqueueNativeKernel", "INVALID_COMMAND_QUEUE INVALID_OPERATION"},
    {"clCreateUserEvent", "INVALID_CONTEXT"},
    {"clSetUserEventStatus", "INVALID_EVENT INVALID_VALUE INVALID_OPERATION"},
    {"clWaitForEvents", "INVALID_VALUE INVALID_CONTEXT INVALID_EVENT EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {"clGetEventInfo", "INVALID_EVENT INVALID_VALUE"},
    {"clSetEventCallback", "INVALID_EVENT INVALID_VALUE"},
    {"clRetainEvent", "INVALID_EVENT"},
    {"clReleaseEvent", "INVALID_EVENT"},
    {"clGetEventProfilingInfo", "PROFILING_INFO_NOT_AVAILABLE INVALID_VALUE INVALID_EVENT"},
    {"clEnqueueMarkerWithWaitList", "INVALID_COMMAND_QUEUE INVALID_CONTEXT INVALID_EVENT_WAIT_LIST"},
    {"clEnqueueBarrierWithWaitList", "INVALID_COMMAND_QUEUE INVALID_CONTEXT INVALID_EVENT_WAIT_LIST"},
    /* Of OpenCL 1.1, which programs still use. */
    {"clEnqueueMarker", "INVALID_COMMAND_QUEUE INVALID_VALUE"},
    {"clEnqueueWaitForEvents", "INVALID_COMMAND_QUEUE INVALID_CONTEXT INVALID_VALUE INVALID_EVENT"},
    {"clEnqueueBarrier", "INVALID_COMMAND_QUEUE"},
    {"clCreateImage2D", "INVALID_CONTEXT INVALID_OPERATION"},
    {"clCreateImage3D", "INVALID_CONTEXT INVALID_OPERATION"},
};

/* What cannot come: NULL stands for every call. */
typedef struct excuse {
    const char *call, *error, *reason;
} excuse;

static const excuse excuses[] = {
    {NULL, "DEVICE_NOT_AVAILABLE", "the device of a test is there"},
    {NULL, "COMPILER_NOT_AVAILABLE", "so is its compiler"},
    {NULL, "LINKER_NOT_AVAILABLE", "and its linker"},
    {NULL, "MISALIGNED_SUB_BUFFER_OFFSET", "there is one device: a sub-buffer that is not aligned cannot be made"},
    {NULL, "MEM_OBJECT_ALLOCATION_FAILURE",
     "buffers have their memory from the start: tests/opencl/mistakes.c uses it up"},
    {NULL, "MAP_FAILURE", "mapping copies"},
    {NULL, "INVALID_SAMPLER", "there are no samplers as arguments"},
    {NULL, "INVALID_IMAGE_SIZE", "there are no images"},
    {NULL, "KERNEL_ARG_INFO_NOT_AVAILABLE", "it always is"},
    {NULL, "INVALID_QUEUE_PROPERTIES", "the device has all properties of OpenCL 1.2"},
    {"clCreateSubDevices", "DEVICE_PARTITION_FAILED", "the device has no partitions"},
    {"clCreateSubDevices", "INVALID_DEVICE_PARTITION_COUNT", "the device has no partitions"},
    {"clBuildProgram", "INVALID_BINARY", "refused when the program is made"},
    {"clCreateKernel", "INVALID_KERNEL_DEFINITION", "there is one device"},
    {"clEnqueueNDRangeKernel", "INVALID_PROGRAM_EXECUTABLE",
     "a kernel is of a program that has been built, and keeps it"},
    {"clEnqueueTask", "INVALID_PROGRAM_EXECUTABLE", "a kernel is of a program that has been built, and keeps it"},
};

static int is_excused(const char *call, const char *name)
{
    for (size_t i = 0; i < sizeof excuses / sizeof *excuses; i++)
        if (!strcmp(excuses[i].error, name) && (!excuses[i].call || !strcmp(excuses[i].call, call)))
            return 1;
    return 0;
}

static int count_missing_of(const listed *row)
{
    char errors[512];
    int missing = 0;
    snprintf(errors, sizeof errors, "%s", row->errors);
    for (char *name = strtok(errors, " "); name; name = strtok(NULL, " "))
        if (!has_been_provoked(row->call, name) && !is_excused(row->call, name)) {
            printf("%s: CL_%s has not been provoked\n", row->call, name);
            missing++;
        }
    return missing;
}

int count_missing(void)
{
    int missing = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        missing += count_missing_of(&table[i]);
    return missing;
}
