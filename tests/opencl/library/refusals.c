/* SPDX-License-Identifier: MIT */
/* What a program gets wrong, and goes on after: the standard's error, and the library works as before. */
#include "library.h"

typedef struct refusal {
    const char *what;
    cl_int expected, got;
} refusal;

static int count_wrong(const refusal *rows, size_t count)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].got != rows[i].expected) {
            fprintf(stderr, "%s: %d instead of %d\n", rows[i].what, rows[i].got, rows[i].expected);
            wrong++;
        }
    return wrong;
}

static cl_int build_error(const library *of, const char *source, const char *options, char *log, size_t log_bytes)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(of->rig.context, 1, &source, NULL, &error);
    CHECK(error);
    error = clBuildProgram(program, 1, &of->rig.device, options, NULL, NULL);
    *log = '\0';
    CHECK(clGetProgramBuildInfo(program, of->rig.device, CL_PROGRAM_BUILD_LOG, log_bytes, log, NULL));
    CHECK(clReleaseProgram(program));
    return error;
}

static int refuse_programs(const library *of)
{
    static char log[65536];
    cl_int no_name, no_binary, status;
    const unsigned char garbage[8] = "garbage", *image = garbage;
    const size_t bytes = sizeof garbage;
    const cl_int wrong_source =
        build_error(of, "kernel void a(global int *b)\n{\n    b[0] = missing;\n}\n", "", log, sizeof log);
    const int says_where = strstr(log, "missing") != NULL && strstr(log, ":3:") != NULL;
    clCreateKernel(of->rig.program, "no_such_kernel", &no_name);
    clCreateProgramWithBinary(of->rig.context, 1, &of->rig.device, &bytes, &image, &status, &no_binary);
    const refusal rows[] = {
        {"a wrong program", CL_BUILD_PROGRAM_FAILURE, wrong_source},
        {"its log says where", 1, says_where},
        {"an unknown option", CL_INVALID_BUILD_OPTIONS,
         build_error(of, "kernel void a(global int *b) {}", "-no-such-option", log, sizeof log)},
        {"an unknown kernel", CL_INVALID_KERNEL_NAME, no_name},
        {"a binary that is none", CL_INVALID_BINARY, no_binary},
    };
    return count_wrong(rows, sizeof rows / sizeof *rows);
}

static cl_int launch_error(const library *of, cl_kernel kernel, cl_uint dimensions, size_t global, size_t local)
{
    const size_t globals[4] = {global, 2, 1, 1}, locals[4] = {local, 2, 1, 1};
    return clEnqueueNDRangeKernel(of->rig.queue, kernel, dimensions, NULL, globals, local ? locals : NULL, 0, NULL,
                                  NULL);
}

static int refuse_launches(const library *of)
{
    size_t largest;
    cl_mem buffer = new_buffer(&of->rig, 256, NULL);
    cl_kernel kernel = kernel_named(&of->rig, "add_sums");
    CHECK(clGetDeviceInfo(of->rig.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof largest, &largest, NULL));
    const cl_int unset = launch_error(of, kernel, 1, 64, 64);
    set_buffer(kernel, 0, buffer);
    set_buffer(kernel, 1, buffer);
    set_uint(kernel, 2, 0);
    const refusal rows[] = {
        {"arguments that are not set", CL_INVALID_KERNEL_ARGS, unset},
        {"no dimension", CL_INVALID_WORK_DIMENSION, launch_error(of, kernel, 0, 64, 64)},
        {"four dimensions", CL_INVALID_WORK_DIMENSION, launch_error(of, kernel, 4, 64, 64)},
        {"a group that does not divide", CL_INVALID_WORK_GROUP_SIZE, launch_error(of, kernel, 1, 65, 64)},
        {"a group that is too large", CL_INVALID_WORK_GROUP_SIZE, launch_error(of, kernel, 2, largest, largest)},
        {"an argument too many", CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 3, sizeof buffer, &buffer)},
        {"an argument of another size", CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 8, &largest)},
        {"a good launch", CL_SUCCESS, launch_error(of, kernel, 1, 64, 64)},
    };
    const int wrong = count_wrong(rows, sizeof rows / sizeof *rows);
    CHECK(clFinish(of->rig.queue));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(buffer));
    return wrong;
}

static cl_int part_error(cl_mem whole, size_t offset, size_t bytes)
{
    cl_int error;
    const cl_buffer_region region = {offset, bytes};
    clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    return error;
}

static int refuse_memory(const library *of)
{
    char word[4] = "";
    cl_int none, huge;
    cl_ulong largest;
    cl_command_queue queue = of->rig.queue;
    cl_mem buffer = new_buffer(&of->rig, 256, NULL);
    CHECK(clGetDeviceInfo(of->rig.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    clCreateBuffer(of->rig.context, 0, 0, NULL, &none);
    clCreateBuffer(of->rig.context, 0, (size_t)largest + 1, NULL, &huge);
    const refusal rows[] = {
        {"a buffer without bytes", CL_INVALID_BUFFER_SIZE, none},
        {"a buffer that is too large", CL_INVALID_BUFFER_SIZE, huge},
        {"a read behind the end", CL_INVALID_VALUE,
         clEnqueueReadBuffer(queue, buffer, CL_TRUE, 253, 4, word, 0, NULL, NULL)},
        {"a copy onto itself", CL_MEM_COPY_OVERLAP,
         clEnqueueCopyBuffer(queue, buffer, buffer, 0, 8, 16, 0, NULL, NULL)},
        {"a part behind the end", CL_INVALID_VALUE, part_error(buffer, 0, 257)},
        {"a part without bytes", CL_INVALID_BUFFER_SIZE, part_error(buffer, 0, 0)},
        {"a pattern of three bytes", CL_INVALID_VALUE,
         clEnqueueFillBuffer(queue, buffer, word, 3, 0, 6, 0, NULL, NULL)},
        {"an unmap of what is not mapped", CL_INVALID_VALUE,
         clEnqueueUnmapMemObject(queue, buffer, word, 0, NULL, NULL)},
    };
    const int wrong = count_wrong(rows, sizeof rows / sizeof *rows);
    CHECK(clReleaseMemObject(buffer));
    return wrong;
}

/* A gate that ends with an error takes all with it that waits for it. */
static int refuse_events(const library *of)
{
    cl_int error, status;
    char word[4] = "";
    cl_event gate = clCreateUserEvent(of->rig.context, &error), written;
    CHECK(error);
    cl_mem buffer = new_buffer(&of->rig, 256, NULL);
    CHECK(clEnqueueWriteBuffer(of->rig.queue, buffer, CL_FALSE, 0, 4, word, 1, &gate, &written));
    CHECK(clSetUserEventStatus(gate, -7));
    const cl_int waited = clWaitForEvents(1, &written), again = clSetUserEventStatus(gate, CL_COMPLETE);
    CHECK(clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    const refusal rows[] = {
        {"a wait for what has failed", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, waited},
        {"its status is an error", 1, status < 0},
        {"a gate that is opened twice", CL_INVALID_OPERATION, again},
        {"a list without events", CL_INVALID_EVENT_WAIT_LIST,
         clEnqueueReadBuffer(of->rig.queue, buffer, CL_TRUE, 0, 4, word, 1, NULL, NULL)},
    };
    const int wrong = count_wrong(rows, sizeof rows / sizeof *rows);
    CHECK(clReleaseEvent(written));
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseMemObject(buffer));
    return wrong;
}

void run_refusals(const library *of)
{
    const int wrong = refuse_programs(of) + refuse_launches(of) + refuse_memory(of) + refuse_events(of);
    report("refusals", !wrong, 0);
}
