/* SPDX-License-Identifier: MIT */
/* Buffers and copies. */
#include "program.h"

static void print_bytes(const rig *of, cl_mem buffer, size_t bytes)
{
    uint8_t *all = malloc(bytes);
    CHECK(clEnqueueReadBuffer(of->queue, buffer, CL_TRUE, 0, bytes, all, 0, NULL, NULL));
    printf("%d %d %08x\n", all[0], all[bytes - 1], digest(all, bytes));
    free(all);
}

void copy_rectangles(const rig *of)
{
    enum { WIDTH = 16, HEIGHT = 12, DEPTH = 3 };
    uint8_t volume[WIDTH * HEIGHT * DEPTH], window[5 * 4 * 2 + 60] = {0};
    for (size_t i = 0; i < sizeof volume; i++)
        volume[i] = (uint8_t)(i * 7);
    cl_mem from = new_buffer(of, sizeof volume, volume), to = new_buffer(of, sizeof volume, volume);
    const size_t inside[3] = {3, 2, 1}, corner[3] = {0, 0, 0}, other[3] = {9, 5, 0}, region[3] = {5, 4, 2};
    const size_t slice = WIDTH * HEIGHT;
    CHECK(clEnqueueReadBufferRect(of->queue, from, CL_TRUE, inside, corner, region, WIDTH, slice, 6, 30, window, 0,
                                  NULL, NULL));
    printf("%d %d %08x\n", window[0], window[30], digest(window, sizeof window));
    CHECK(
        clEnqueueCopyBufferRect(of->queue, from, to, inside, other, region, WIDTH, slice, WIDTH, slice, 0, NULL, NULL));
    print_bytes(of, to, sizeof volume);
    CHECK(clEnqueueWriteBufferRect(of->queue, to, CL_FALSE, corner, corner, region, WIDTH, slice, 6, 30, window, 0,
                                   NULL, NULL));
    print_bytes(of, to, sizeof volume);
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
}

void map_buffers(const rig *of)
{
    cl_int error;
    int *first = numbers(512, 1);
    cl_mem buffer = new_buffer(of, 512 * sizeof(int), first);
    cl_kernel kernel = kernel_named(of, "multiply");
    int *map = clEnqueueMapBuffer(of->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100 * sizeof(int),
                                  50 * sizeof(int), 0, NULL, NULL, &error);
    CHECK(error);
    printf("%d ", map[0]);
    for (int i = 0; i < 50; i++)
        map[i] += 1000;
    CHECK(clEnqueueUnmapMemObject(of->queue, buffer, map, 0, NULL, NULL));
    set_buffer(kernel, 0, buffer);
    set_int(kernel, 1, 2);
    launch(of->queue, kernel, 512, 64);
    map = clEnqueueMapBuffer(of->queue, buffer, CL_TRUE, CL_MAP_READ, 0, 512 * sizeof(int), 0, NULL, NULL, &error);
    CHECK(error);
    printf("%d %d %08x\n", map[99], map[100], digest(map, 512 * sizeof(int)));
    CHECK(clEnqueueUnmapMemObject(of->queue, buffer, map, 0, NULL, NULL));
    map = clEnqueueMapBuffer(of->queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL, &error);
    CHECK(error);
    map[0] = 77;
    CHECK(clEnqueueUnmapMemObject(of->queue, buffer, map, 0, NULL, NULL));
    print_bytes(of, buffer, 512 * sizeof(int));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
    free(first);
}

void use_parts(const rig *of)
{
    cl_int error;
    cl_uint alignment;
    CHECK(clGetDeviceInfo(of->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, NULL));
    int *first = numbers(1024, 1), word;
    cl_mem whole = new_buffer(of, 1024 * sizeof(int), first);
    const cl_buffer_region region = {2048, 512}; /* a multiple of every usual alignment */
    cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK(error);
    cl_kernel kernel = kernel_named(of, "multiply");
    set_buffer(kernel, 0, part);
    set_int(kernel, 1, 3);
    launch(of->queue, kernel, 128, 0);
    CHECK(clEnqueueReadBuffer(of->queue, part, CL_TRUE, 4, 4, &word, 0, NULL, NULL));
    printf("%d %d\n", word, 2048 % (alignment / 8));
    print_bytes(of, whole, 1024 * sizeof(int));
    CHECK(clReleaseMemObject(whole));
    CHECK(clEnqueueReadBuffer(of->queue, part, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
    printf("%d\n", word);
    CHECK(clReleaseMemObject(part));
    CHECK(clReleaseKernel(kernel));
    free(first);
}

void copy_and_fill(const rig *of)
{
    int *first = numbers(256, 9);
    cl_mem from = new_buffer(of, 1024, first), to = new_buffer(of, 1024, NULL);
    const cl_short pattern = 0x1234;
    CHECK(clEnqueueFillBuffer(of->queue, to, &pattern, sizeof pattern, 0, 1024, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(of->queue, from, to, 13, 301, 257, 0, NULL, NULL));
    CHECK(clEnqueueFillBuffer(of->queue, to, "z", 1, 1000, 24, 0, NULL, NULL));
    print_bytes(of, to, 1024);
    CHECK(clEnqueueMigrateMemObjects(of->queue, 1, &to, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    CHECK(clFinish(of->queue));
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    free(first);
}

/* Until the device has no more; then all of it again. */
void use_all_memory(const rig *of)
{
    enum { MOST = 4096 };
    static cl_mem taken[MOST];
    cl_ulong largest;
    cl_int error = CL_SUCCESS;
    size_t count = 0;
    CHECK(clGetDeviceInfo(of->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    for (int round = 0; round < 2; round++) {
        for (count = 0; count < MOST; count++) {
            taken[count] = clCreateBuffer(of->context, 0, (size_t)largest / 8, NULL, &error);
            if (error)
                break;
        }
        printf("%s after %zu buffers\n",
               error == CL_MEM_OBJECT_ALLOCATION_FAILURE ? "CL_MEM_OBJECT_ALLOCATION_FAILURE" : "another error", count);
        for (size_t i = 0; i < count; i++)
            CHECK(clReleaseMemObject(taken[i]));
    }
    clCreateBuffer(of->context, 0, (size_t)largest + 1, NULL, &error);
    printf("%s\n", error == CL_INVALID_BUFFER_SIZE ? "CL_INVALID_BUFFER_SIZE" : "another error");
}
