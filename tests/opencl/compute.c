/* SPDX-License-Identifier: MIT */
/* Kernels: sizes, arguments, what is known of them. */
#include "program.h"

enum { N = 1000 };

void add_vectors(const rig *of)
{
    int *a = numbers(N, 3), *b = numbers(N, 5), sum[N];
    cl_mem buffers[3] = {new_buffer(of, sizeof sum, a), new_buffer(of, sizeof sum, b),
                         new_buffer(of, sizeof sum, NULL)};
    cl_kernel kernel = kernel_named(of, "add");
    for (cl_uint i = 0; i < 3; i++)
        set_buffer(kernel, i, buffers[i]);
    set_int(kernel, 3, N);
    launch(of->queue, kernel, 1024, 128);
    read_ints(of, buffers[2], sum, N);
    printf("%d %d %08x\n", sum[1], sum[N - 1], digest(sum, sizeof sum));
    for (cl_uint i = 0; i < 3; i++)
        CHECK(clReleaseMemObject(buffers[i]));
    CHECK(clReleaseKernel(kernel));
    free(a);
    free(b);
}

void reduce(const rig *of)
{
    enum { GROUP = 64, GROUPS = 32 };
    int *values = numbers(GROUP * GROUPS, 7), sums[GROUPS], total = 0;
    cl_mem from = new_buffer(of, GROUP * GROUPS * sizeof(int), values), to = new_buffer(of, sizeof sums, NULL);
    cl_kernel kernel = kernel_named(of, "reduce");
    set_buffer(kernel, 0, from);
    set_buffer(kernel, 1, to);
    CHECK(clSetKernelArg(kernel, 2, GROUP * sizeof(int), NULL));
    launch(of->queue, kernel, GROUP * GROUPS, GROUP);
    read_ints(of, to, sums, GROUPS);
    for (int i = 0; i < GROUPS; i++)
        total += sums[i];
    printf("%d %d\n", sums[3], total);
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    CHECK(clReleaseKernel(kernel));
    free(values);
}

void count_bits(const rig *of)
{
    int *values = numbers(2048, 11), counts[16] = {0};
    cl_mem from = new_buffer(of, 2048 * sizeof(int), values), to = new_buffer(of, sizeof counts, counts);
    cl_kernel kernel = kernel_named(of, "histogram");
    set_buffer(kernel, 0, from);
    set_buffer(kernel, 1, to);
    launch(of->queue, kernel, 2048, 256);
    read_ints(of, to, counts, 16);
    printf("%d %d %08x\n", counts[0], counts[15], digest(counts, sizeof counts));
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    CHECK(clReleaseKernel(kernel));
    free(values);
}

/* Pocl 3.1 keeps a copy in each work-item of what the group carries, so this is not for all. */
void carry(const rig *of)
{
    enum { GROUP = 64 };
    int *values = numbers(N, 3), sums[N], carried = 17, right = 0;
    cl_mem from = new_buffer(of, N * sizeof(int), values), to = new_buffer(of, sizeof sums, NULL),
           start = new_buffer(of, sizeof carried, &carried);
    cl_kernel kernel = kernel_named(of, "carry");
    set_buffer(kernel, 0, from);
    set_buffer(kernel, 1, to);
    set_int(kernel, 2, N);
    set_buffer(kernel, 3, start);
    launch(of->queue, kernel, GROUP, GROUP);
    read_ints(of, to, sums, N);
    for (int i = 0; i < N; i++) {
        right += sums[i] == carried + values[i];
        if (i % GROUP == GROUP - 1)
            carried = sums[i];
    }
    printf("%d of %d\n", right, N);
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    CHECK(clReleaseMemObject(start));
    CHECK(clReleaseKernel(kernel));
    free(values);
}

/* ---- Places --------------------------------------------------------------------------------------------------------------- */

typedef struct shape {
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
} shape;

static void run_places(const rig *of, cl_kernel kernel, const shape *asked)
{
    size_t items = 1;
    for (cl_uint i = 0; i < asked->dimensions; i++)
        items *= asked->global[i];
    int *out = calloc(4 * items, sizeof *out);
    cl_mem buffer = new_buffer(of, 4 * items * sizeof *out, out);
    set_buffer(kernel, 0, buffer);
    CHECK(clEnqueueNDRangeKernel(of->queue, kernel, asked->dimensions, asked->offset, asked->global,
                                 asked->local[0] ? asked->local : NULL, 0, NULL, NULL));
    read_ints(of, buffer, out, 4 * items);
    printf("%zu items: %d %d %d %08x\n", items, out[0], out[4 * (items / 2)], out[4 * items - 1],
           digest(out, 4 * items * sizeof *out));
    CHECK(clReleaseMemObject(buffer));
    free(out);
}

void places(const rig *of)
{
    static const shape shapes[] = {
        {1, {0}, {256}, {64}},
        {1, {0}, {1021}, {0}},
        {1, {100}, {37}, {37}},
        {1, {5}, {999}, {0}},
        {2, {3, 4}, {30, 7}, {10, 1}},
        {2, {0}, {17, 13}, {0}},
        {3, {1, 2, 3}, {8, 6, 5}, {4, 3, 1}},
        {3, {0}, {7, 5, 3}, {0}},
    };
    cl_kernel kernel = kernel_named(of, "places");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        run_places(of, kernel, &shapes[i]);
    CHECK(clReleaseKernel(kernel));
}

/* ---- Arguments -------------------------------------------------------------------------------------------------------------- */

void pass_arguments(const rig *of)
{
    const struct {
        cl_int number;
        cl_short small;
        cl_char letter;
    } record = {100, 20, 3};
    const cl_int table[] = {1, 2};
    const cl_char c = -3;
    const cl_short s = 40;
    const cl_long l = ((cl_long)5 << 32) + 600;
    const cl_int4 v = {{1, 2, 3, 4}};
    const cl_uchar3 t = {{7, 8, 9}};
    int out[4];
    cl_mem to = new_buffer(of, sizeof out, NULL), constants = new_buffer(of, sizeof table, table);
    cl_kernel kernel = kernel_named(of, "kinds");
    set_buffer(kernel, 0, to);
    set_buffer(kernel, 1, constants);
    CHECK(clSetKernelArg(kernel, 2, sizeof c, &c));
    CHECK(clSetKernelArg(kernel, 3, sizeof s, &s));
    CHECK(clSetKernelArg(kernel, 4, sizeof l, &l));
    CHECK(clSetKernelArg(kernel, 5, sizeof v, &v));
    CHECK(clSetKernelArg(kernel, 6, sizeof record, &record));
    CHECK(clSetKernelArg(kernel, 7, sizeof t, &t));
    CHECK(clEnqueueTask(of->queue, kernel, 0, NULL, NULL));
    read_ints(of, to, out, 4);
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    CHECK(clReleaseMemObject(to));
    CHECK(clReleaseMemObject(constants));
    CHECK(clReleaseKernel(kernel));
}

void ask_of_arguments(const rig *of)
{
    cl_kernel kernel = kernel_named(of, "kinds");
    cl_uint count;
    CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    for (cl_uint i = 0; i < count; i++) {
        char type[64], name[64];
        cl_kernel_arg_address_qualifier space;
        cl_kernel_arg_type_qualifier qualifiers;
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL));
        printf("%s %s %x %x\n", type, name, (unsigned)space, (unsigned)(qualifiers & CL_KERNEL_ARG_TYPE_CONST));
    }
    CHECK(clReleaseKernel(kernel));
}

/* What a build has made makes a program that does the same. */
void reuse_binary(const rig *of)
{
    size_t bytes;
    cl_int error, status;
    CHECK(clGetProgramInfo(of->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *image = malloc(bytes);
    CHECK(clGetProgramInfo(of->program, CL_PROGRAM_BINARIES, sizeof image, &image, NULL));
    rig other = *of;
    other.program =
        clCreateProgramWithBinary(of->context, 1, &of->device, &bytes, (const unsigned char **)&image, &status, &error);
    CHECK(error);
    CHECK(status);
    CHECK(clBuildProgram(other.program, 1, &of->device, NULL, NULL, NULL));
    add_vectors(&other);
    CHECK(clReleaseProgram(other.program));
    free(image);
}

void print_values(const rig *of)
{
    const cl_long wide[2] = {-123456789012345, (cl_long)0x8123456789ABCDEF};
    const float quarter = 0.25f;
    cl_mem buffer = new_buffer(of, sizeof wide, wide);
    cl_kernel kernel = kernel_named(of, "print_values");
    set_buffer(kernel, 0, buffer);
    CHECK(clSetKernelArg(kernel, 1, sizeof quarter, &quarter));
    launch(of->queue, kernel, 1, 1);
    CHECK(clFinish(of->queue));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
}
