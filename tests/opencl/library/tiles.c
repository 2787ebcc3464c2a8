/* SPDX-License-Identifier: MIT */
/*
 * An image in strips: one queue copies strips to the device, one blurs them out of order, one copies them back. Two strips have
 * memory at a time, so the third waits until the first is done. Nothing begins before the program opens a gate.
 */
#include <stdatomic.h>
#include <time.h>

#include "library.h"

enum { WIDTH = 128, STRIP = 16, STRIPS = 6, HEIGHT = STRIP * STRIPS, SLOTS = 2, TILE = 16 };

/* With a border of one pixel, which is 0. */
typedef struct image {
    cl_uint bordered[HEIGHT + 2][WIDTH + 2];
    cl_uint blurred[HEIGHT][WIDTH];
} image;

static void draw(image *made)
{
    uint32_t state = 77;
    memset(made, 0, sizeof *made);
    for (int y = 1; y <= HEIGHT; y++)
        for (int x = 1; x <= WIDTH; x++)
            made->bordered[y][x] = next_random(&state) % 256;
}

static int is_blurred(const image *of)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            cl_uint sum = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    sum += of->bordered[y + dy][x + dx] * (dx == 1 ? 2u : 1u) * (dy == 1 ? 2u : 1u);
            if (of->blurred[y][x] != sum / 16)
                return 0;
        }
    return 1;
}

/* ---- The pipeline -------------------------------------------------------------------------------------------------------- */

typedef struct slot {
    cl_mem in, out;
    cl_event free; /* its last contents have been read; NULL: it had none */
} slot;

typedef struct strip {
    cl_event written, blurred, read;
} strip;

typedef struct pipeline {
    const library *of;
    cl_kernel blur;
    cl_event gate;
    slot slots[SLOTS];
    strip strips[STRIPS];
    atomic_int callbacks;
} pipeline;

static void CL_CALLBACK count_strip(cl_event event, cl_int status, void *data)
{
    (void)event;
    atomic_fetch_add((atomic_int *)data, status == CL_COMPLETE ? 1 : 1000);
}

/* The strip's rows and one on either side. */
static void enqueue_strip(pipeline *with, image *shown, int number)
{
    static const size_t nowhere[3] = {0, 0, 0}, global[2] = {WIDTH, STRIP}, local[2] = {TILE, TILE};
    slot *in = &with->slots[number % SLOTS];
    strip *made = &with->strips[number];
    const size_t row = sizeof shown->bordered[0], out_row = sizeof shown->blurred[0];
    const size_t region[3] = {row, STRIP + 2, 1}, out_region[3] = {out_row, STRIP, 1};
    const size_t origin[3] = {0, (size_t)number * STRIP, 0};
    cl_event waits[2] = {with->gate, in->free};
    CHECK(clEnqueueWriteBufferRect(with->of->rig.queue, in->in, CL_FALSE, nowhere, origin, region, row, 0, row, 0,
                                   shown->bordered, in->free ? 2 : 1, waits, &made->written));
    set_buffer(with->blur, 0, in->in);
    set_buffer(with->blur, 1, in->out);
    CHECK(clEnqueueNDRangeKernel(with->of->kernels, with->blur, 2, NULL, global, local, 1, &made->written,
                                 &made->blurred));
    CHECK(clEnqueueReadBufferRect(with->of->results, in->out, CL_FALSE, nowhere, origin, out_region, out_row, 0,
                                  out_row, 0, shown->blurred, 1, &made->blurred, &made->read));
    CHECK(clSetEventCallback(made->read, CL_COMPLETE, count_strip, &with->callbacks));
    in->free = made->read;
}

static void open_pipeline(pipeline *made, const library *of)
{
    cl_int error;
    memset(made, 0, sizeof *made);
    made->of = of;
    made->blur = kernel_named(&of->rig, "blur");
    made->gate = clCreateUserEvent(of->rig.context, &error);
    CHECK(error);
    set_uint(made->blur, 2, WIDTH);
    for (int i = 0; i < SLOTS; i++) {
        made->slots[i].in = new_buffer(&of->rig, (STRIP + 2) * (WIDTH + 2) * sizeof(cl_uint), NULL);
        made->slots[i].out = new_buffer(&of->rig, STRIP * WIDTH * sizeof(cl_uint), NULL);
    }
}

static void close_pipeline(pipeline *gone)
{
    for (int i = 0; i < STRIPS; i++) {
        CHECK(clReleaseEvent(gone->strips[i].written));
        CHECK(clReleaseEvent(gone->strips[i].blurred));
        CHECK(clReleaseEvent(gone->strips[i].read));
    }
    for (int i = 0; i < SLOTS; i++) {
        CHECK(clReleaseMemObject(gone->slots[i].in));
        CHECK(clReleaseMemObject(gone->slots[i].out));
    }
    CHECK(clReleaseEvent(gone->gate));
    CHECK(clReleaseKernel(gone->blur));
}

/* ---- What the events say ----------------------------------------------------------------------------------------------------- */

static cl_ulong time_of(cl_event event, cl_profiling_info query)
{
    cl_ulong time;
    CHECK(clGetEventProfilingInfo(event, query, sizeof time, &time, NULL));
    return time;
}

static int is_after(cl_event later, cl_event earlier)
{
    return time_of(later, CL_PROFILING_COMMAND_START) >= time_of(earlier, CL_PROFILING_COMMAND_END);
}

static int are_times_in_order(const pipeline *of)
{
    int is_right = 1;
    for (int i = 0; i < STRIPS; i++) {
        const strip *at = &of->strips[i];
        is_right &= is_after(at->blurred, at->written) && is_after(at->read, at->blurred);
        if (i >= SLOTS)
            is_right &= is_after(at->written, of->strips[i - SLOTS].read);
    }
    return is_right;
}

static int is_held(cl_event event)
{
    cl_int status;
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status > CL_RUNNING;
}

/* Callbacks may come after the call that waited. */
static int were_called(pipeline *of, int count)
{
    for (int i = 0; i < 2000 && atomic_load(&of->callbacks) != count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return atomic_load(&of->callbacks) == count;
}

void run_tiles(const library *of)
{
    static image shown;
    pipeline with;
    draw(&shown);
    open_pipeline(&with, of);
    for (int i = 0; i < STRIPS; i++)
        enqueue_strip(&with, &shown, i);
    CHECK(clFlush(of->rig.queue));
    int is_right = is_held(with.strips[0].written) && is_held(with.strips[STRIPS - 1].read);
    CHECK(clSetUserEventStatus(with.gate, CL_COMPLETE));
    CHECK(clFinish(of->results));
    is_right &= were_called(&with, STRIPS) && are_times_in_order(&with) && is_blurred(&shown);
    report("tiles", is_right, digest(shown.blurred, sizeof shown.blurred));
    close_pipeline(&with);
}
