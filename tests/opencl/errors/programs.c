/* SPDX-License-Identifier: MIT */
/* Programs: made, built, compiled, linked, asked. */
#include "errors.h"

#define UNKNOWN 0x7fff

static void CL_CALLBACK notify(cl_program program, void *data)
{
    (void)program;
    (void)data;
}

static cl_program program_of(const good *with, const char *text)
{
    cl_int error;
    cl_program made = clCreateProgramWithSource(with->rig.context, 1, &text, NULL, &error);
    CHECK(error);
    return made;
}

static void try_sources(const good *with)
{
    cl_int error;
    cl_context context = with->rig.context, wrong = AS(cl_context, with->buffer);
    const char *texts[2] = {"kernel void a(global int *b) {}", NULL};
    EXPECT_MADE(clCreateProgramWithSource, INVALID_CONTEXT, clCreateProgramWithSource(wrong, 1, texts, NULL, &error));
    EXPECT_MADE(clCreateProgramWithSource, INVALID_VALUE, clCreateProgramWithSource(context, 0, texts, NULL, &error));
    EXPECT_MADE(clCreateProgramWithSource, INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &error));
    EXPECT_MADE(clCreateProgramWithSource, INVALID_VALUE, clCreateProgramWithSource(context, 2, texts, NULL, &error));
}

static void try_binaries(const good *with)
{
    cl_int error, status = CL_SUCCESS;
    static const unsigned char garbage[] = "this is no program";
    const unsigned char *image = garbage, *no_image = NULL;
    const size_t bytes = sizeof garbage, no_bytes = 0;
    cl_context context = with->rig.context;
    cl_device_id device = with->rig.device, wrong = AS(cl_device_id, with->buffer);
#define BINARY(context, count, devices, bytes, image)                                                                  \
    clCreateProgramWithBinary(context, count, devices, bytes, image, &status, &error)
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_CONTEXT,
                BINARY(AS(cl_context, with->buffer), 1, &device, &bytes, &image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 0, &device, &bytes, &image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 1, NULL, &bytes, &image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 1, &device, NULL, &image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 1, &device, &bytes, NULL));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 1, &device, &no_bytes, &image));
    EXPECT(clCreateProgramWithBinary, INVALID_VALUE, status); /* of that device */
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_VALUE, BINARY(context, 1, &device, &bytes, &no_image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_DEVICE, BINARY(context, 1, &wrong, &bytes, &image));
    EXPECT_MADE(clCreateProgramWithBinary, INVALID_BINARY, BINARY(context, 1, &device, &bytes, &image));
    EXPECT(clCreateProgramWithBinary, INVALID_BINARY, status);
#define BUILT_IN(context, count, devices, names)                                                                       \
    clCreateProgramWithBuiltInKernels(context, count, devices, names, &error)
    EXPECT_MADE(clCreateProgramWithBuiltInKernels, INVALID_CONTEXT,
                BUILT_IN(AS(cl_context, with->buffer), 1, &device, "a"));
    EXPECT_MADE(clCreateProgramWithBuiltInKernels, INVALID_VALUE, BUILT_IN(context, 0, &device, "a"));
    EXPECT_MADE(clCreateProgramWithBuiltInKernels, INVALID_VALUE, BUILT_IN(context, 1, &device, NULL));
    EXPECT_MADE(clCreateProgramWithBuiltInKernels, INVALID_VALUE, BUILT_IN(context, 1, &device, "no_such_kernel"));
    EXPECT_MADE(clCreateProgramWithBuiltInKernels, INVALID_DEVICE, BUILT_IN(context, 1, &wrong, "a"));
}

static void try_builds(const good *with)
{
    int data;
    cl_device_id device = with->rig.device, wrong_device = AS(cl_device_id, with->buffer);
    cl_program fine = program_of(with, "kernel void a(global int *b) { b[0] = 1; }");
    cl_program bad = program_of(with, "kernel void a(global int *b) { b[0] = c; }");
#define BUILD(program, count, devices, options, notify, data)                                                          \
    clBuildProgram(program, count, devices, options, notify, data)
    EXPECT(clBuildProgram, INVALID_PROGRAM, BUILD(AS(cl_program, with->buffer), 1, &device, "", NULL, NULL));
    EXPECT(clBuildProgram, INVALID_VALUE, BUILD(fine, 0, &device, "", NULL, NULL));
    EXPECT(clBuildProgram, INVALID_VALUE, BUILD(fine, 1, NULL, "", NULL, NULL));
    EXPECT(clBuildProgram, INVALID_VALUE, BUILD(fine, 1, &device, "", NULL, &data));
    EXPECT(clBuildProgram, INVALID_DEVICE, BUILD(fine, 1, &wrong_device, "", notify, NULL));
    EXPECT(clBuildProgram, INVALID_BUILD_OPTIONS, BUILD(fine, 1, &device, "-no-such-option", NULL, NULL));
    EXPECT(clBuildProgram, BUILD_PROGRAM_FAILURE, BUILD(bad, 1, &device, "", NULL, NULL));
    EXPECT(clBuildProgram, INVALID_OPERATION, BUILD(with->rig.program, 1, &device, "", NULL, NULL)); /* has kernels */
    CHECK(clReleaseProgram(bad));
    CHECK(clReleaseProgram(fine));
}

static void try_compilations(const good *with)
{
    int data;
    const char *name = "a.h";
    cl_device_id device = with->rig.device, wrong_device = AS(cl_device_id, with->buffer);
    cl_program fine = program_of(with, "kernel void a(global int *b) { b[0] = 1; }");
    cl_program bad = program_of(with, "kernel void a(global int *b) { b[0] = c; }");
    cl_program header = program_of(with, "#define ONE 1\n"), wrong = AS(cl_program, with->buffer);
#define COMPILE(program, count, devices, options, header_count, headers, names, data)                                  \
    clCompileProgram(program, count, devices, options, header_count, headers, names, NULL, data)
    EXPECT(clCompileProgram, INVALID_PROGRAM, COMPILE(wrong, 1, &device, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_PROGRAM, COMPILE(fine, 1, &device, "", 1, &wrong, &name, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 0, &device, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 1, NULL, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 1, &device, "", 0, &header, &name, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 1, &device, "", 1, NULL, &name, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 1, &device, "", 1, &header, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_VALUE, COMPILE(fine, 1, &device, "", 0, NULL, NULL, &data));
    EXPECT(clCompileProgram, INVALID_DEVICE, COMPILE(fine, 1, &wrong_device, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_COMPILER_OPTIONS, COMPILE(fine, 1, &device, "-no-such", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, INVALID_OPERATION, COMPILE(with->rig.program, 1, &device, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, COMPILE_PROGRAM_FAILURE, COMPILE(bad, 1, &device, "", 0, NULL, NULL, NULL));
    EXPECT(clCompileProgram, SUCCESS, COMPILE(fine, 1, &device, "", 1, &header, &name, NULL));
    CHECK(clReleaseProgram(header));
    CHECK(clReleaseProgram(bad));
    CHECK(clReleaseProgram(fine));
}

static cl_int link_error(cl_context context, cl_uint count, const cl_device_id *devices, const char *options,
                         cl_uint program_count, const cl_program *programs, void *data)
{
    cl_int error;
    cl_program made = clLinkProgram(context, count, devices, options, program_count, programs, NULL, data, &error);
    if (made)
        CHECK(clReleaseProgram(made));
    return error;
}

static void try_links(const good *with)
{
    int data;
    cl_context context = with->rig.context;
    cl_device_id device = with->rig.device, wrong_device = AS(cl_device_id, with->buffer);
    cl_program twice[2], wrong = AS(cl_program, with->buffer);
    for (int i = 0; i < 2; i++) {
        twice[i] = program_of(with, "kernel void a(global int *b) { b[0] = 1; }");
        CHECK(clCompileProgram(twice[i], 1, &device, "", 0, NULL, NULL, NULL, NULL));
    }
    EXPECT(clLinkProgram, INVALID_CONTEXT, link_error(AS(cl_context, wrong), 1, &device, "", 1, twice, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 0, &device, "", 1, twice, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 1, NULL, "", 1, twice, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 1, &device, "", 0, NULL, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 1, &device, "", 0, twice, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 1, &device, "", 1, NULL, NULL));
    EXPECT(clLinkProgram, INVALID_VALUE, link_error(context, 1, &device, "", 1, twice, &data));
    EXPECT(clLinkProgram, INVALID_PROGRAM, link_error(context, 1, &device, "", 1, &wrong, NULL));
    EXPECT(clLinkProgram, INVALID_DEVICE, link_error(context, 1, &wrong_device, "", 1, twice, NULL));
    EXPECT(clLinkProgram, INVALID_LINKER_OPTIONS, link_error(context, 1, &device, "-no-such", 1, twice, NULL));
    EXPECT(clLinkProgram, INVALID_OPERATION, link_error(context, 1, &device, "", 1, &with->unbuilt, NULL));
    EXPECT(clLinkProgram, LINK_PROGRAM_FAILURE, link_error(context, 1, &device, "", 2, twice, NULL));
    EXPECT(clLinkProgram, SUCCESS, link_error(context, 1, &device, "", 1, twice, NULL));
    for (int i = 0; i < 2; i++)
        CHECK(clReleaseProgram(twice[i]));
}

static void try_questions(const good *with)
{
    char room[1];
    cl_program program = with->rig.program, wrong = AS(cl_program, with->buffer);
    cl_device_id device = with->rig.device;
    EXPECT(clGetProgramInfo, INVALID_PROGRAM, clGetProgramInfo(wrong, CL_PROGRAM_SOURCE, 0, NULL, NULL));
    EXPECT(clGetProgramInfo, INVALID_VALUE, clGetProgramInfo(program, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetProgramInfo, INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof room, room, NULL));
    EXPECT(clGetProgramInfo, INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof room, room, NULL));
    EXPECT(clGetProgramInfo, INVALID_PROGRAM_EXECUTABLE,
           clGetProgramInfo(with->unbuilt, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL));
    EXPECT(clGetProgramInfo, INVALID_PROGRAM_EXECUTABLE,
           clGetProgramInfo(with->unbuilt, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL));
    EXPECT(clGetProgramBuildInfo, INVALID_PROGRAM,
           clGetProgramBuildInfo(wrong, device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    EXPECT(clGetProgramBuildInfo, INVALID_DEVICE,
           clGetProgramBuildInfo(program, AS(cl_device_id, wrong), CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    EXPECT(clGetProgramBuildInfo, INVALID_VALUE, clGetProgramBuildInfo(program, device, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetProgramBuildInfo, INVALID_VALUE,
           clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof room, room, NULL));
    EXPECT(clRetainProgram, INVALID_PROGRAM, clRetainProgram(wrong));
    EXPECT(clReleaseProgram, INVALID_PROGRAM, clReleaseProgram(wrong));
}

void try_programs(const good *with)
{
    try_sources(with);
    try_binaries(with);
    try_builds(with);
    try_compilations(with);
    try_links(with);
    try_questions(with);
}
