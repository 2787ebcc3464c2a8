/* SPDX-License-Identifier: MIT */
/* Programs, kernels, launches. */
#include <string.h>

#include "program.h"
#include "rig.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static cl_program with_source(const char *text)
{
    cl_int error;
    cl_program made = opencl_create_program_with_source(context, 1, &text, NULL, &error);
    OK(error);
    return made;
}

static void set_up(void)
{
    context = new_context();
    queue = new_queue(context, 0);
    program = with_source("good");
    OK(opencl_build_program(program, 0, NULL, "-D X", NULL, NULL));
}

static cl_kernel kernel_named(const char *name)
{
    cl_int error;
    cl_kernel made = opencl_create_kernel(program, name, &error);
    OK(error);
    return made;
}

static char *text_of(cl_program of, cl_program_build_info query)
{
    static char text[256];
    OK(opencl_get_program_build_info(of, &opencl_device, query, sizeof text, text, NULL));
    return text;
}

Test(opencl_kernels, sources_are_joined, .init = set_up)
{
    const char *texts[] = {"goodness", " me", "xyz"};
    const size_t lengths[] = {4, 0, 1};
    char text[64];
    cl_program made = opencl_create_program_with_source(context, 3, texts, lengths, NULL);
    OK(opencl_get_program_info(made, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    cr_expect_str_eq(text, "good mex");
    cl_int error;
    opencl_create_program_with_source(context, 0, texts, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
    texts[1] = NULL;
    opencl_create_program_with_source(context, 2, texts, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
}

static cl_program notified;

static void CL_CALLBACK on_build(cl_program built, void *data)
{
    (void)data;
    notified = built;
}

Test(opencl_kernels, builds, .init = set_up)
{
    cl_program bad = with_source("bad");
    cl_build_status status;
    cl_kernel kernel;
    cl_int error;
    GIVES(CL_BUILD_PROGRAM_FAILURE, opencl_build_program(bad, 0, NULL, NULL, on_build, NULL));
    cr_expect_eq(notified, bad);
    cr_expect_str_eq(text_of(bad, CL_PROGRAM_BUILD_LOG), "1:1: error: not good");
    OK(opencl_get_program_build_info(bad, &opencl_device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    cr_expect_eq(status, CL_BUILD_ERROR);
    opencl_create_kernel(bad, "scale", &error);
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, error);
    cr_expect_str_eq(text_of(program, CL_PROGRAM_BUILD_OPTIONS), "-D X");
    GIVES(CL_INVALID_BUILD_OPTIONS, opencl_build_program(bad, 0, NULL, "-wrong", NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_build_program(program, 0, NULL, NULL, NULL, &error));
    kernel = kernel_named("scale");
    GIVES(CL_INVALID_OPERATION, opencl_build_program(program, 0, NULL, NULL, NULL, NULL));
    OK(opencl_release_kernel(kernel));
    OK(opencl_build_program(program, 0, NULL, NULL, NULL, NULL));
    cr_expect_eq(fake.programs, 1, "the earlier one has been unloaded");
    OK(opencl_release_program(program));
    cr_expect_eq(fake.programs, 0);
}

Test(opencl_kernels, intermediate_language, .init = set_up)
{
    const uint32_t words[5] = {0x07230203, 0x00010000, 0, 1, 0};
    uint32_t read[5];
    cl_int error;
    char version[16];
    OK(opencl_get_device_info(&opencl_device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL));
    cr_expect_str_eq(version, "SPIR-V_1.0");
    cr_expect_not_null(opencl_get_extension_function_address(&opencl_platform, "clCreateProgramWithILKHR"));
    cl_program made = opencl_create_program_with_il(context, words, sizeof words, &error);
    OK(error);
    OK(opencl_get_program_info(made, CL_PROGRAM_IL, sizeof read, read, NULL));
    cr_expect_arr_eq(read, words, sizeof words);
    GIVES(CL_BUILD_PROGRAM_FAILURE, opencl_build_program(made, 0, NULL, NULL, NULL, NULL)); /* it is not "good" */
    opencl_create_program_with_il(context, "good", 4, &error);
    GIVES(CL_INVALID_VALUE, error);
}

Test(opencl_kernels, binaries, .init = set_up)
{
    unsigned char bytes[4], *places[] = {bytes};
    size_t size;
    cl_int error, status = 9;
    cl_device_id device = &opencl_device;
    OK(opencl_get_program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    cr_expect_eq(size, 4);
    OK(opencl_get_program_info(program, CL_PROGRAM_BINARIES, sizeof places, places, NULL));
    const unsigned char *image = bytes;
    cl_program again = opencl_create_program_with_binary(context, 1, &device, &size, &image, &status, &error);
    OK(error);
    OK(status);
    opencl_create_kernel(again, "scale", &error);
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, error); /* it has not been built */
    OK(opencl_build_program(again, 0, NULL, NULL, NULL, NULL));
    OK(opencl_build_program(again, 0, NULL, NULL, NULL, NULL));
    cr_expect_eq(fake.programs, 2, "that of the source, and this one once");
    cr_expect_not_null(opencl_create_kernel(again, "scale", &error));
    bytes[0] = 'x';
    opencl_create_program_with_binary(context, 1, &device, &size, &image, &status, &error);
    GIVES(CL_INVALID_BINARY, error);
    GIVES(CL_INVALID_BINARY, status);
}

Test(opencl_kernels, names, .init = set_up)
{
    cl_int error;
    cl_uint count;
    char names[64];
    cl_kernel both[2];
    OK(opencl_get_program_info(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    cr_expect_str_eq(names, "scale;demanding");
    OK(opencl_create_kernels_in_program(program, 0, NULL, &count));
    cr_expect_eq(count, 2);
    GIVES(CL_INVALID_VALUE, opencl_create_kernels_in_program(program, 1, both, NULL));
    OK(opencl_create_kernels_in_program(program, 2, both, NULL));
    OK(opencl_get_kernel_info(both[1], CL_KERNEL_FUNCTION_NAME, sizeof names, names, NULL));
    cr_expect_str_eq(names, "demanding");
    opencl_create_kernel(program, "other", &error);
    GIVES(CL_INVALID_KERNEL_NAME, error);
    opencl_create_kernel(program, NULL, &error);
    GIVES(CL_INVALID_VALUE, error);
}

Test(opencl_kernels, arguments_are_checked, .init = set_up)
{
    cl_kernel kernel = kernel_named("scale");
    cl_mem buffer = new_buffer(context, 64), none = NULL, wrong = (cl_mem)context;
    const cl_long factor = 3;
    const size_t global = 32;
    GIVES(CL_INVALID_ARG_INDEX, opencl_set_kernel_arg(kernel, 3, 4, &factor));
    GIVES(CL_INVALID_ARG_SIZE, opencl_set_kernel_arg(kernel, 0, 4, &buffer));
    GIVES(CL_INVALID_MEM_OBJECT, opencl_set_kernel_arg(kernel, 0, sizeof wrong, &wrong));
    GIVES(CL_INVALID_ARG_SIZE, opencl_set_kernel_arg(kernel, 1, 4, &factor));
    GIVES(CL_INVALID_ARG_VALUE, opencl_set_kernel_arg(kernel, 1, 8, NULL));
    GIVES(CL_INVALID_ARG_VALUE, opencl_set_kernel_arg(kernel, 2, 8, &factor));
    GIVES(CL_INVALID_ARG_SIZE, opencl_set_kernel_arg(kernel, 2, 0, NULL));
    OK(opencl_set_kernel_arg(kernel, 0, sizeof none, &none));
    OK(opencl_set_kernel_arg(kernel, 0, sizeof buffer, &buffer));
    OK(opencl_set_kernel_arg(kernel, 1, sizeof factor, &factor));
    GIVES(CL_INVALID_KERNEL_ARGS, opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(opencl_set_kernel_arg(kernel, 2, 100, NULL));
    OK(opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static cl_kernel with_arguments(size_t local_bytes)
{
    cl_kernel kernel = kernel_named("scale");
    cl_mem buffer = new_buffer(context, 64);
    const cl_long factor = 0x1122334455667788;
    OK(opencl_set_kernel_arg(kernel, 0, sizeof buffer, &buffer));
    OK(opencl_set_kernel_arg(kernel, 1, sizeof factor, &factor));
    OK(opencl_set_kernel_arg(kernel, 2, local_bytes, NULL));
    return kernel;
}

Test(opencl_kernels, what_the_device_gets, .init = set_up)
{
    cl_kernel kernel = with_arguments(101);
    const size_t offset[] = {5, 6}, global[] = {64, 9}, local[] = {16, 3};
    cl_event event;
    uint32_t head[4], pointers[2];
    cl_long factor;
    OK(opencl_enqueue_nd_range_kernel(queue, kernel, 2, offset, global, local, 0, NULL, &event));
    OK(opencl_finish(queue));
    cr_expect_str_eq(fake.last_kernel, "scale");
    memcpy(head, fake.last_arguments, sizeof head);
    memcpy(&pointers[0], fake.last_arguments + 16, 4);
    memcpy(&factor, fake.last_arguments + 24, 8);
    memcpy(&pointers[1], fake.last_arguments + 32, 4);
    cr_expect_eq(head[0], 2);
    cr_expect_eq(head[1], 5);
    cr_expect_eq(head[2], 6);
    cr_expect_eq(head[3], 0);
    cr_expect_eq(pointers[0], kernel->buffers[0]->address);
    cr_expect_eq(factor, 0x1122334455667788);
    cr_expect_eq(pointers[1], 0x01000000 + 128, "behind 20 bytes of its own");
    cr_expect_eq(fake.last_launch.scratchpad_bytes, 232);
    cr_expect_eq(fake.last_launch.groups[0], 4);
    cr_expect_eq(fake.last_launch.groups[1], 3);
    cr_expect_eq(fake.last_launch.groups[2], 1);
    cr_expect_eq(fake.last_launch.group[1], 3);
    cr_expect_eq(time_of(event, CL_PROFILING_COMMAND_END) - time_of(event, CL_PROFILING_COMMAND_START), 9);
}

Test(opencl_kernels, arguments_are_those_of_the_call, .init = set_up)
{
    cl_kernel kernel = with_arguments(4);
    const size_t one = 1;
    const cl_long other = 1;
    cl_event gate = opencl_create_user_event(context, NULL);
    OK(opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &one, &one, 1, &gate, NULL));
    OK(opencl_set_kernel_arg(kernel, 1, sizeof other, &other));
    OK(opencl_set_user_event_status(gate, CL_COMPLETE));
    cr_expect_eq(fake.last_arguments[24], 0x88);
}

Test(opencl_kernels, sizes_are_checked, .init = set_up)
{
    static const struct {
        cl_uint dimensions;
        size_t offset, global, local;
        cl_int error;
    } cases[] = {
        {0, 0, 32, 32, CL_INVALID_WORK_DIMENSION},
        {4, 0, 32, 32, CL_INVALID_WORK_DIMENSION},
        {1, 0, 0, 32, CL_INVALID_GLOBAL_WORK_SIZE},
        {1, 0, (size_t)UINT32_MAX + 1, 1, CL_INVALID_GLOBAL_WORK_SIZE},
        {1, UINT32_MAX - 31, 32, 32, CL_INVALID_GLOBAL_OFFSET},
        {1, 0, 33, 32, CL_INVALID_WORK_GROUP_SIZE},
        {1, 0, 32, 0, CL_INVALID_WORK_GROUP_SIZE},
        {1, 0, 2048, 2048, CL_INVALID_WORK_ITEM_SIZE},
        {2, 0, 64, 64, CL_INVALID_WORK_GROUP_SIZE},
        {3, 7, 8, 8, CL_SUCCESS},
    };
    cl_kernel kernel = with_arguments(4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t offset[4] = {cases[i].offset, 0, 0, 0};
        const size_t global[4] = {cases[i].global, cases[i].global, cases[i].global, 1};
        const size_t local[4] = {cases[i].local, cases[i].local, cases[i].local, 1};
        const cl_int error =
            opencl_enqueue_nd_range_kernel(queue, kernel, cases[i].dimensions, offset, global, local, 0, NULL, NULL);
        cr_expect_eq(error, cases[i].error, "case %zu: %d", i, error);
    }
    const size_t global = 32, eight = 8;
    GIVES(CL_INVALID_GLOBAL_WORK_SIZE,
          opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_WORK_GROUP_SIZE,
          opencl_enqueue_nd_range_kernel(queue, kernel_named("demanding"), 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(opencl_enqueue_nd_range_kernel(queue, kernel_named("demanding"), 1, NULL, &global, &eight, 0, NULL, NULL));
    GIVES(CL_OUT_OF_RESOURCES,
          opencl_enqueue_nd_range_kernel(queue, with_arguments(16384), 1, NULL, &global, &eight, 0, NULL, NULL));
}

Test(opencl_kernels, groups_that_nobody_asked_for, .init = set_up)
{
    static const struct {
        size_t global[3];
        uint32_t group[3];
    } cases[] = {
        {{4096, 1, 1}, {256, 1, 1}}, {{1000, 1, 1}, {250, 1, 1}}, {{1021, 1, 1}, {1021, 1, 1}},
        {{1031, 1, 1}, {1, 1, 1}},   {{16, 16, 4}, {16, 16, 1}},  {{96, 10, 1}, {96, 2, 1}},
    };
    cl_kernel kernel = with_arguments(4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OK(opencl_enqueue_nd_range_kernel(queue, kernel, 3, NULL, cases[i].global, NULL, 0, NULL, NULL));
        cr_expect_arr_eq(fake.last_launch.group, cases[i].group, sizeof cases[i].group, "case %zu: %u %u %u", i,
                         fake.last_launch.group[0], fake.last_launch.group[1], fake.last_launch.group[2]);
    }
}

/* What a launch uses lives until it has ended. */
Test(opencl_kernels, buffers_of_a_launch, .init = set_up)
{
    cl_kernel kernel = with_arguments(4);
    const size_t one = 1;
    OK(opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(opencl_release_mem_object(kernel->buffers[0]));
    OK(opencl_release_kernel(kernel));
    OK(opencl_release_program(program));
    cr_expect_eq(fake.allocations, 1);
    cr_expect_eq(fake.programs, 1);
    OK(opencl_finish(queue));
    cr_expect_eq(fake.allocations, 0);
    cr_expect_eq(fake.programs, 0);
}

/* The launch is refused, and nothing else. */
Test(opencl_kernels, a_refused_launch, .init = set_up)
{
    cl_kernel kernel = with_arguments(4);
    const size_t one = 1;
    cl_event gate = opencl_create_user_event(context, NULL), held, next;
    fake.refuses_launches = 1;
    GIVES(CL_OUT_OF_RESOURCES, opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(opencl_enqueue_nd_range_kernel(queue, kernel, 1, NULL, &one, &one, 1, &gate, &held));
    OK(opencl_enqueue_marker_with_wait_list(queue, 1, &held, &next));
    OK(opencl_set_user_event_status(gate, CL_COMPLETE));
    OK(opencl_finish(queue));
    cr_expect_eq(status_of(held), CL_OUT_OF_RESOURCES);
    cr_expect_eq(status_of(next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    fake.refuses_launches = 0;
    OK(opencl_enqueue_task(queue, kernel, 0, NULL, NULL));
    OK(opencl_finish(queue));
}

Test(opencl_kernels, of_arguments_and_groups, .init = set_up)
{
    cl_kernel kernel = with_arguments(100);
    char text[32];
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifiers;
    cl_ulong local_bytes;
    size_t demanded[3], threads;
    OK(opencl_get_kernel_arg_info(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    cr_expect_str_eq(text, "float*");
    OK(opencl_get_kernel_arg_info(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL));
    cr_expect_eq(qualifiers, CL_KERNEL_ARG_TYPE_CONST);
    OK(opencl_get_kernel_arg_info(kernel, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    cr_expect_eq(space, CL_KERNEL_ARG_ADDRESS_LOCAL);
    GIVES(CL_INVALID_ARG_INDEX, opencl_get_kernel_arg_info(kernel, 3, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    OK(opencl_get_kernel_work_group_info(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes,
                                         NULL));
    cr_expect_eq(local_bytes, 120);
    OK(opencl_get_kernel_work_group_info(kernel_named("demanding"), &opencl_device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                         sizeof demanded, demanded, NULL));
    cr_expect_eq(demanded[0], 8);
    OK(opencl_get_kernel_work_group_info(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof threads, &threads, NULL));
    cr_expect_eq(threads, 1024);
}
