/* SPDX-License-Identifier: MIT */
#include "errors.h"

typedef struct provoked {
    const char *call, *name;
} provoked;

static provoked all[1024];
static size_t count;
static int wrong;

void expect(const char *call, const char *name, cl_int expected, cl_int got, int line)
{
    if (got != expected) {
        printf("line %d: %s: %d instead of CL_%s\n", line, call, got, name);
        wrong++;
    }
    if (count < sizeof all / sizeof *all)
        all[count++] = (provoked){call, name};
}

int has_been_provoked(const char *call, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i].call, call) && !strcmp(all[i].name, name))
            return 1;
    return 0;
}

/* ---- What good calls need ------------------------------------------------------------------------------------------------- */

static const char *const source =
    "kernel void good(global int *out, int value, local int *scratch)\n"
    "{\n"
    "    scratch[get_local_id(0)] = value;\n"
    "    out[get_global_id(0)] = scratch[get_local_id(0)];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void demanding(global int *out)\n"
    "{\n"
    "    out[get_global_id(0)] = 1;\n"
    "}\n";

static cl_program program_of(cl_context context, cl_device_id device, int is_built)
{
    cl_int error;
    const char *text = source;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    CHECK(error);
    if (is_built)
        CHECK(clBuildProgram(made, 1, &device, "", NULL, NULL));
    return made;
}

static cl_mem buffer_of(cl_context context, cl_mem_flags flags)
{
    cl_int error;
    cl_mem made = clCreateBuffer(context, flags, BUFFER_BYTES, NULL, &error);
    CHECK(error);
    return made;
}

static cl_command_queue queue_of(cl_context context, cl_device_id device, cl_command_queue_properties properties)
{
    cl_int error;
    cl_command_queue made = clCreateCommandQueue(context, device, properties, &error);
    CHECK(error);
    return made;
}

static void open_contexts(good *made)
{
    cl_int error;
    rig *of = &made->rig;
    CHECK(clGetPlatformIDs(1, &made->platform, NULL));
    CHECK(clGetDeviceIDs(made->platform, CL_DEVICE_TYPE_ALL, 1, &of->device, NULL));
    of->context = clCreateContext(NULL, 1, &of->device, NULL, NULL, &error);
    CHECK(error);
    made->other = clCreateContext(NULL, 1, &of->device, NULL, NULL, &error);
    CHECK(error);
    of->queue = new_queue(of, 0);
    made->plain_queue = queue_of(of->context, of->device, 0);
    made->other_queue = queue_of(made->other, of->device, 0);
}

static cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel made = clCreateKernel(program, name, &error);
    CHECK(error);
    return made;
}

static void open_events(good *made)
{
    cl_int error;
    static const int word = 1;
    made->user = clCreateUserEvent(made->rig.context, &error);
    CHECK(error);
    made->other_event = clCreateUserEvent(made->other, &error);
    CHECK(error);
    CHECK(clEnqueueWriteBuffer(made->rig.queue, made->buffer, CL_TRUE, 0, sizeof word, &word, 0, NULL, &made->done));
}

void open_good(good *made)
{
    open_contexts(made);
    rig *of = &made->rig;
    of->program = program_of(of->context, of->device, 1);
    made->unbuilt = program_of(of->context, of->device, 0);
    made->other_program = program_of(made->other, of->device, 1);
    made->buffer = buffer_of(of->context, CL_MEM_READ_WRITE);
    made->other_buffer = buffer_of(made->other, CL_MEM_READ_WRITE);
    made->read_only = buffer_of(of->context, CL_MEM_HOST_READ_ONLY);
    made->write_only = buffer_of(of->context, CL_MEM_HOST_WRITE_ONLY);
    made->no_access = buffer_of(of->context, CL_MEM_HOST_NO_ACCESS);
    made->kernel = kernel_of(of->program, "good");
    made->demanding = kernel_of(of->program, "demanding");
    made->other_kernel = kernel_of(made->other_program, "demanding");
    set_buffer(made->kernel, 0, made->buffer);
    set_int(made->kernel, 1, 5);
    CHECK(clSetKernelArg(made->kernel, 2, 256, NULL));
    set_buffer(made->demanding, 0, made->buffer);
    set_buffer(made->other_kernel, 0, made->other_buffer);
    open_events(made);
}

void close_good(good *gone)
{
    cl_mem const buffers[] = {gone->buffer, gone->other_buffer, gone->read_only, gone->write_only, gone->no_access};
    CHECK(clReleaseEvent(gone->user));
    CHECK(clReleaseEvent(gone->other_event));
    CHECK(clReleaseEvent(gone->done));
    CHECK(clReleaseKernel(gone->kernel));
    CHECK(clReleaseKernel(gone->demanding));
    CHECK(clReleaseKernel(gone->other_kernel));
    for (int i = 0; i < 5; i++)
        CHECK(clReleaseMemObject(buffers[i]));
    CHECK(clReleaseProgram(gone->rig.program));
    CHECK(clReleaseProgram(gone->unbuilt));
    CHECK(clReleaseProgram(gone->other_program));
    CHECK(clReleaseCommandQueue(gone->rig.queue));
    CHECK(clReleaseCommandQueue(gone->plain_queue));
    CHECK(clReleaseCommandQueue(gone->other_queue));
    CHECK(clReleaseContext(gone->rig.context));
    CHECK(clReleaseContext(gone->other));
}

int main(void)
{
    static void (*const parts[])(const good *) = {try_platforms, try_contexts,   try_queues,   try_buffers,
                                                  try_transfers, try_rectangles, try_maps,     try_images,
                                                  try_programs,  try_kernels,    try_launches, try_events};
    good with;
    open_good(&with);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        parts[i](&with);
    CHECK(clFinish(with.rig.queue));
    close_good(&with);
    const int missing = count_missing();
    printf("%zu calls, %d wrong, %d missing\n", count, wrong, missing);
    return wrong || missing;
}
