/* SPDX-License-Identifier: MIT */
/* What the standard says of mistakes. */
#include <unistd.h>

#include "program.h"

static const char *name_of(cl_int error)
{
    static const struct {
        cl_int error;
        const char *name;
    } names[] = {
#define NAME(error) {error, #error}
        NAME(CL_SUCCESS),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_PROGRAM_EXECUTABLE),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_ARG_INDEX),
        NAME(CL_INVALID_ARG_SIZE),
        NAME(CL_INVALID_WORK_DIMENSION),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_BUFFER_SIZE),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_EVENT_WAIT_LIST),
        NAME(CL_MEM_COPY_OVERLAP),
        NAME(CL_INVALID_HOST_PTR),
        NAME(CL_OUT_OF_RESOURCES),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].error == error)
            return names[i].name;
    return "another error";
}

static void show(const char *what, cl_int error)
{
    printf("%s: %s\n", what, name_of(error));
}

static void compile_wrong(const rig *of)
{
    static const char *source = "kernel void wrong(global int *a)\n{\n    a[0] = nothing;\n}\n";
    char log[8192] = "";
    cl_int error;
    cl_program program = clCreateProgramWithSource(of->context, 1, &source, NULL, &error);
    CHECK(error);
    show("compile error", clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    CHECK(clGetProgramBuildInfo(program, of->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    printf("the log names %s%s\n", strstr(log, "nothing") ? "it" : "nothing",
           strstr(log, ":3:") ? " and its line" : "");
    clCreateKernel(program, "wrong", &error);
    show("its kernel", error);
    CHECK(clReleaseProgram(program));
}

void make_mistakes(const rig *of)
{
    cl_int error;
    const size_t sixteen = 16, seven = 7;
    int word = 0;
    cl_mem buffer = new_buffer(of, 1024, NULL);
    cl_kernel kernel = kernel_named(of, "multiply");
    compile_wrong(of);
    clCreateKernel(of->program, "unknown", &error);
    show("unknown kernel", error);
    show("argument 2", clSetKernelArg(kernel, 2, sizeof word, &word));
    show("size of an argument", clSetKernelArg(kernel, 1, 8, &word));
    show("arguments missing", clEnqueueNDRangeKernel(of->queue, kernel, 1, NULL, &sixteen, NULL, 0, NULL, NULL));
    set_buffer(kernel, 0, buffer);
    set_int(kernel, 1, 1);
    show("dimensions", clEnqueueNDRangeKernel(of->queue, kernel, 4, NULL, &sixteen, NULL, 0, NULL, NULL));
    show("groups", clEnqueueNDRangeKernel(of->queue, kernel, 1, NULL, &sixteen, &seven, 0, NULL, NULL));
    clCreateBuffer(of->context, 0, 0, NULL, &error);
    show("empty buffer", error);
    clCreateBuffer(of->context, CL_MEM_USE_HOST_PTR, 4, NULL, &error);
    show("no memory named", error);
    show("beyond the end", clEnqueueReadBuffer(of->queue, buffer, CL_TRUE, 1022, 4, &word, 0, NULL, NULL));
    show("wait list", clEnqueueReadBuffer(of->queue, buffer, CL_TRUE, 0, 4, &word, 1, NULL, NULL));
    show("overlap", clEnqueueCopyBuffer(of->queue, buffer, buffer, 0, 10, 20, 0, NULL, NULL));
    CHECK(clFinish(of->queue));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
}

/* ---- The machine stops --------------------------------------------------------------------------------------------------- */

void stray(const rig *of)
{
    cl_mem buffer = new_buffer(of, 64, NULL);
    cl_kernel kernel = kernel_named(of, "stray");
    set_buffer(kernel, 0, buffer);
    set_int(kernel, 1, 0x30000000);
    launch(of->queue, kernel, 1, 1);
    printf("clFinish: %d\n", clFinish(of->queue));
}

void wait_forever(const rig *of)
{
    const int zero = 0;
    cl_mem buffer = new_buffer(of, 4, &zero);
    cl_kernel kernel = kernel_named(of, "endless");
    set_buffer(kernel, 0, buffer);
    launch(of->queue, kernel, 1, 1);
    fflush(stdout);
    printf("clFinish: %d\n", clFinish(of->queue));
}

/* ---- More local memory than there is ------------------------------------------------------------------------------------- */

static void launch_in_vain(const rig *of, cl_kernel kernel)
{
    const size_t one = 1;
    cl_mem buffer = new_buffer(of, 64, NULL);
    set_buffer(kernel, 0, buffer);
    fflush(stdout);
    show("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(of->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK(clFinish(of->queue));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
}

void need_local_memory(const rig *of)
{
    cl_kernel kernel = kernel_named(of, "local_own");
    set_int(kernel, 1, 5);
    launch_in_vain(of, kernel);
}

void give_local_memory(const rig *of)
{
    cl_kernel kernel = kernel_named(of, "local_argument");
    CHECK(clSetKernelArg(kernel, 1, 70000, NULL));
    launch_in_vain(of, kernel);
}

/* ---- Ends --------------------------------------------------------------------------------------------------------------- */

void crash(const rig *of)
{
    (void)of;
    abort();
}

void sleep_long(const rig *of)
{
    (void)of;
    sleep(600);
}
