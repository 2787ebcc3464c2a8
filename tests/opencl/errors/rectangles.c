/* SPDX-License-Identifier: MIT */
/* Copies of rectangles. The three calls have the same arguments in other places, and the same mistakes. */
#include "errors.h"

static const size_t nowhere[3] = {0, 0, 0}, region[3] = {8, 4, 2};

/* A copy of 2 slices of 4 rows of 8 bytes, with what is changed in it. */
typedef struct rectangle {
    cl_command_queue queue;
    cl_mem buffer;
    const size_t *origin, *region;
    size_t row, slice;
    void *host;
    cl_uint count;
    const cl_event *list;
} rectangle;

typedef cl_int rectangle_call(const rectangle *asked);

static cl_int read_rectangle(const rectangle *asked)
{
    return clEnqueueReadBufferRect(asked->queue, asked->buffer, CL_TRUE, asked->origin, nowhere, asked->region,
                                   asked->row, asked->slice, 0, 0, asked->host, asked->count, asked->list, NULL);
}

static cl_int write_rectangle(const rectangle *asked)
{
    return clEnqueueWriteBufferRect(asked->queue, asked->buffer, CL_TRUE, asked->origin, nowhere, asked->region,
                                    asked->row, asked->slice, 0, 0, asked->host, asked->count, asked->list, NULL);
}

static rectangle fine_rectangle(const good *with)
{
    static char host[64];
    return (rectangle){
        .queue = with->rig.queue, .buffer = with->buffer, .origin = nowhere, .region = region, .host = host};
}

/* The mistakes that all of a rectangle's numbers can have. */
typedef struct shape {
    size_t origin[3], region[3], row, slice;
} shape;

static const shape bad_shapes[] = {
    {{0, 0, 0}, {0, 4, 2}, 0, 0},                /* nothing */
    {{0, 0, 0}, {8, 0, 2}, 0, 0},                /* no rows */
    {{0, 0, 0}, {8, 4, 0}, 0, 0},                /* no slices */
    {{0, 0, 0}, {8, 4, 2}, 7, 0},                /* rows overlap */
    {{0, 0, 0}, {8, 4, 2}, 8, 31},               /* slices overlap */
    {{0, 0, 0}, {8, 4, 2}, 10, 45},              /* a slice is no whole number of rows */
    {{BUFFER_BYTES - 7, 0, 0}, {8, 1, 1}, 0, 0}, /* outside */
    {{0, 0, BUFFER_BYTES / 32}, {8, 4, 1}, 8, 32},
    {{0, SIZE_MAX / 4, 0}, {8, 4, 1}, 16, 0},
};
enum { BAD_SHAPES = sizeof bad_shapes / sizeof *bad_shapes };

/* The common mistakes of reads and writes. */
#define EXPECT_OF_RECTANGLE(name, call)                                                                                \
    do {                                                                                                               \
        rectangle at = fine_rectangle(with);                                                                           \
        at.queue = AS(cl_command_queue, with->buffer);                                                                 \
        EXPECT(name, INVALID_COMMAND_QUEUE, call(&at));                                                                \
        at = fine_rectangle(with);                                                                                     \
        at.buffer = with->other_buffer;                                                                                \
        EXPECT(name, INVALID_CONTEXT, call(&at));                                                                      \
        at.buffer = AS(cl_mem, with->kernel);                                                                          \
        EXPECT(name, INVALID_MEM_OBJECT, call(&at));                                                                   \
        at.buffer = with->no_access;                                                                                   \
        EXPECT(name, INVALID_OPERATION, call(&at));                                                                    \
        at = fine_rectangle(with);                                                                                     \
        at.host = NULL;                                                                                                \
        EXPECT(name, INVALID_VALUE, call(&at));                                                                        \
        at = fine_rectangle(with);                                                                                     \
        at.count = 1;                                                                                                  \
        EXPECT(name, INVALID_EVENT_WAIT_LIST, call(&at));                                                              \
        at.list = &with->other_event;                                                                                  \
        EXPECT(name, INVALID_CONTEXT, call(&at));                                                                      \
        at.list = &failed;                                                                                             \
        EXPECT(name, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, call(&at));                                            \
        for (int i = 0; i < BAD_SHAPES; i++) {                                                                         \
            at = fine_rectangle(with);                                                                                 \
            at.origin = bad_shapes[i].origin;                                                                          \
            at.region = bad_shapes[i].region;                                                                          \
            at.row = bad_shapes[i].row;                                                                                \
            at.slice = bad_shapes[i].slice;                                                                            \
            EXPECT(name, INVALID_VALUE, call(&at));                                                                    \
        }                                                                                                              \
        at = fine_rectangle(with);                                                                                     \
        EXPECT(name, SUCCESS, call(&at));                                                                              \
    } while (0)

static void try_host_rectangles(const good *with)
{
    cl_int error;
    cl_event failed = clCreateUserEvent(with->rig.context, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(failed, -5));
    EXPECT_OF_RECTANGLE(clEnqueueReadBufferRect, read_rectangle);
    EXPECT_OF_RECTANGLE(clEnqueueWriteBufferRect, write_rectangle);
    rectangle at = fine_rectangle(with);
    at.buffer = with->write_only;
    EXPECT(clEnqueueReadBufferRect, INVALID_OPERATION, read_rectangle(&at));
    at.buffer = with->read_only;
    EXPECT(clEnqueueWriteBufferRect, INVALID_OPERATION, write_rectangle(&at));
    CHECK(clReleaseEvent(failed));
}

static void try_device_rectangles(const good *with)
{
    static const size_t near[3] = {4, 0, 0}, far[3] = {0, 16, 0}, pitches[2] = {8, 16};
    cl_command_queue queue = with->rig.queue;
    cl_mem buffer = with->buffer, to = with->read_only;
#define COPY(queue, from, to, from_origin, to_origin, count, list)                                                     \
    clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, 0, 0, 0, 0, count, list, NULL)
    EXPECT(clEnqueueCopyBufferRect, INVALID_COMMAND_QUEUE,
           COPY(AS(cl_command_queue, buffer), buffer, to, nowhere, nowhere, 0, NULL));
    EXPECT(clEnqueueCopyBufferRect, INVALID_CONTEXT, COPY(queue, with->other_buffer, to, nowhere, nowhere, 0, NULL));
    EXPECT(clEnqueueCopyBufferRect, INVALID_CONTEXT,
           COPY(queue, buffer, with->other_buffer, nowhere, nowhere, 0, NULL));
    EXPECT(clEnqueueCopyBufferRect, INVALID_CONTEXT, COPY(queue, buffer, to, nowhere, nowhere, 1, &with->other_event));
    EXPECT(clEnqueueCopyBufferRect, INVALID_MEM_OBJECT,
           COPY(queue, AS(cl_mem, with->kernel), to, nowhere, nowhere, 0, NULL));
    EXPECT(clEnqueueCopyBufferRect, INVALID_EVENT_WAIT_LIST, COPY(queue, buffer, to, nowhere, nowhere, 1, NULL));
    EXPECT(clEnqueueCopyBufferRect, MEM_COPY_OVERLAP, COPY(queue, buffer, buffer, nowhere, near, 0, NULL));
    EXPECT(clEnqueueCopyBufferRect, SUCCESS, COPY(queue, buffer, buffer, nowhere, far, 0, NULL));
    for (int i = 0; i < BAD_SHAPES; i++) {
        const shape *bad = &bad_shapes[i];
        EXPECT(clEnqueueCopyBufferRect, INVALID_VALUE,
               clEnqueueCopyBufferRect(queue, buffer, to, bad->origin, nowhere, bad->region, bad->row, bad->slice, 0, 0,
                                       0, NULL, NULL));
        EXPECT(clEnqueueCopyBufferRect, INVALID_VALUE,
               clEnqueueCopyBufferRect(queue, buffer, to, nowhere, bad->origin, bad->region, 0, 0, bad->row, bad->slice,
                                       0, NULL, NULL));
    }
    EXPECT(clEnqueueCopyBufferRect, INVALID_VALUE, /* one buffer has one pitch */
           clEnqueueCopyBufferRect(queue, buffer, buffer, nowhere, far, region, pitches[0], 0, pitches[1], 0, 0, NULL,
                                   NULL));
}

void try_rectangles(const good *with)
{
    try_host_rectangles(with);
    try_device_rectangles(with);
}
