/* SPDX-License-Identifier: MIT */
/* A box of words that is filled, cut, copied and mapped in the device's memory, and in the same way in the program's. */
#include "library.h"

enum { SIDE = 16, WORDS = SIDE * SIDE * SIDE, BYTES = WORDS * sizeof(cl_uint), ROW = SIDE * sizeof(cl_uint) };

typedef struct box {
    cl_uint at[SIDE][SIDE][SIDE];
} box;

typedef struct pair {
    const library *of;
    cl_mem buffer;
    box mirror; /* what should be in it */
} pair;

static void fill(pair *with)
{
    static const cl_uint pattern[2] = {0x01020304, 0xa0b0c0d0};
    CHECK(clEnqueueFillBuffer(with->of->rig.queue, with->buffer, pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL));
    for (int i = 0; i < WORDS; i++)
        ((cl_uint *)with->mirror.at)[i] = pattern[i % 2];
}

/* From a box of the program with another size of rows and slices. */
static void write_box(pair *with)
{
    static cl_uint host[6][7][9];
    static const size_t to[3] = {3 * sizeof(cl_uint), 2, 5}, from[3] = {1 * sizeof(cl_uint), 1, 0};
    static const size_t region[3] = {8 * sizeof(cl_uint), 5, 6};
    for (int i = 0; i < 6 * 7 * 9; i++)
        ((cl_uint *)host)[i] = (cl_uint)i * 17;
    CHECK(clEnqueueWriteBufferRect(with->of->rig.queue, with->buffer, CL_TRUE, to, from, region, ROW, SIDE * ROW,
                                   sizeof host[0][0], sizeof host[0], host, 0, NULL, NULL));
    for (int z = 0; z < 6; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 8; x++)
                with->mirror.at[5 + z][2 + y][3 + x] = host[z][1 + y][1 + x];
}

/* Within the buffer: a box to a place that it does not overlap. */
static void copy_box(pair *with)
{
    static const size_t from[3] = {2 * sizeof(cl_uint), 1, 4}, to[3] = {9 * sizeof(cl_uint), 9, 12};
    static const size_t region[3] = {6 * sizeof(cl_uint), 7, 3};
    CHECK(clEnqueueCopyBufferRect(with->of->rig.queue, with->buffer, with->buffer, from, to, region, ROW, SIDE * ROW,
                                  ROW, SIDE * ROW, 0, NULL, NULL));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 6; x++)
                with->mirror.at[12 + z][9 + y][9 + x] = with->mirror.at[4 + z][1 + y][2 + x];
}

/* A slice as a buffer of its own, mapped to be read and written. */
static void change_part(pair *with)
{
    cl_int error;
    cl_mem part = new_part(with->buffer, 3 * SIDE * ROW, SIDE * ROW);
    cl_uint *mapped = clEnqueueMapBuffer(with->of->rig.queue, part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, ROW, 2 * ROW,
                                         0, NULL, NULL, &error);
    CHECK(error);
    for (int i = 0; i < 2 * SIDE; i++)
        mapped[i] = mapped[i] * 3 + 1;
    CHECK(clEnqueueUnmapMemObject(with->of->rig.queue, part, mapped, 0, NULL, NULL));
    for (int y = 1; y < 3; y++)
        for (int x = 0; x < SIDE; x++)
            with->mirror.at[3][y][x] = with->mirror.at[3][y][x] * 3 + 1;
    CHECK(clReleaseMemObject(part));
}

/* Another buffer, whose memory is the program's, gets a copy; both are kept where they are by a migration. */
static int copy_to_host_memory(pair *with)
{
    static box seen;
    cl_int error;
    cl_mem buffers[2] = {with->buffer};
    memset(&seen, 0, sizeof seen);
    buffers[1] = clCreateBuffer(with->of->rig.context, CL_MEM_USE_HOST_PTR, BYTES, &seen, &error);
    CHECK(error);
    CHECK(clEnqueueMigrateMemObjects(with->of->rig.queue, 2, buffers, 0, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(with->of->rig.queue, with->buffer, buffers[1], 0, 0, BYTES, 0, NULL, NULL));
    void *mapped =
        clEnqueueMapBuffer(with->of->rig.queue, buffers[1], CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
    CHECK(error);
    const int is_right = mapped == &seen && !memcmp(&seen, &with->mirror, BYTES);
    CHECK(clEnqueueUnmapMemObject(with->of->rig.queue, buffers[1], mapped, 0, NULL, NULL));
    CHECK(clFinish(with->of->rig.queue));
    CHECK(clReleaseMemObject(buffers[1]));
    return is_right;
}

void run_copies(const library *of)
{
    static pair with;
    with = (pair){.of = of, .buffer = new_buffer(&of->rig, BYTES, NULL)};
    fill(&with);
    write_box(&with);
    copy_box(&with);
    change_part(&with);
    const int is_right = copy_to_host_memory(&with);
    report("copies", is_right, digest(&with.mirror, BYTES));
    CHECK(clReleaseMemObject(with.buffer));
}
