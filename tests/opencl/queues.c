/* SPDX-License-Identifier: MIT */
/* Queues, events, callbacks. */
#include <stdatomic.h>
#include <time.h>

#include "program.h"

enum { PARTS = 6, WORDS = 4096, BYTES = WORDS * sizeof(int) };

static cl_ulong time_of(cl_event event, cl_profiling_info query)
{
    cl_ulong time;
    CHECK(clGetEventProfilingInfo(event, query, sizeof time, &time, NULL));
    return time;
}

static int is_in_order(cl_event event)
{
    const cl_ulong queued = time_of(event, CL_PROFILING_COMMAND_QUEUED);
    const cl_ulong submitted = time_of(event, CL_PROFILING_COMMAND_SUBMIT);
    const cl_ulong began = time_of(event, CL_PROFILING_COMMAND_START), ended = time_of(event, CL_PROFILING_COMMAND_END);
    return queued <= submitted && submitted <= began && began <= ended;
}

static int is_after(cl_event later, cl_event earlier)
{
    return time_of(later, CL_PROFILING_COMMAND_START) >= time_of(earlier, CL_PROFILING_COMMAND_END);
}

/* ---- Three queues: to the device, kernels, from the device --------------------------------------------------------------- */

typedef struct piece {
    cl_mem buffer;
    cl_event to, kernel, from;
} piece;

static void enqueue_piece(cl_command_queue queues[3], cl_kernel kernel, piece *made, int *data)
{
    const size_t global = WORDS, local = 128;
    CHECK(clEnqueueWriteBuffer(queues[0], made->buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &made->to));
    set_buffer(kernel, 0, made->buffer);
    CHECK(clEnqueueNDRangeKernel(queues[1], kernel, 1, NULL, &global, &local, 1, &made->to, &made->kernel));
    CHECK(clEnqueueReadBuffer(queues[2], made->buffer, CL_FALSE, 0, BYTES, data, 1, &made->kernel, &made->from));
}

static void release_piece(piece *gone)
{
    CHECK(clReleaseEvent(gone->to));
    CHECK(clReleaseEvent(gone->kernel));
    CHECK(clReleaseEvent(gone->from));
    CHECK(clReleaseMemObject(gone->buffer));
}

/* How many commands ran while another did, of a kind that could. */
static int count_overlaps(const piece *pieces)
{
    int count = 0;
    for (int i = 0; i + 1 < PARTS; i++)
        count += !is_after(pieces[i + 1].to, pieces[i].kernel) || !is_after(pieces[i + 1].to, pieces[i].from);
    return count;
}

static int pipeline(const rig *of, const char *name)
{
    cl_command_queue queues[3] = {new_queue(of, 0), new_queue(of, 0), new_queue(of, 0)};
    cl_kernel kernel = kernel_named(of, "multiply");
    int *data = numbers(PARTS * WORDS, 1), is_good = 1;
    piece pieces[PARTS];
    set_int(kernel, 1, 5);
    for (int i = 0; i < PARTS; i++) {
        pieces[i].buffer = new_buffer(of, BYTES, NULL);
        enqueue_piece(queues, kernel, &pieces[i], data + i * WORDS);
    }
    for (int i = 0; i < 3; i++)
        CHECK(clFlush(queues[i]));
    CHECK(clFinish(queues[2]));
    for (int i = 0; i < PARTS; i++)
        is_good &= is_in_order(pieces[i].to) && is_after(pieces[i].kernel, pieces[i].to) &&
                   is_after(pieces[i].from, pieces[i].kernel);
    printf("%s: %d %08x, %s\n", name, data[PARTS * WORDS - 1], digest(data, PARTS * BYTES),
           is_good ? "times in order" : "times are wrong");
    const int overlaps = count_overlaps(pieces);
    for (int i = 0; i < PARTS; i++)
        release_piece(&pieces[i]);
    for (int i = 0; i < 3; i++)
        CHECK(clReleaseCommandQueue(queues[i]));
    CHECK(clReleaseKernel(kernel));
    free(data);
    return overlaps;
}

void run_pipeline(const rig *of)
{
    pipeline(of, "three queues");
}

void overlap_copies(const rig *of)
{
    printf("%d of %d copies beside what came before\n", pipeline(of, "three queues"), PARTS - 1);
}

void run_out_of_order(const rig *of)
{
    cl_command_queue queue = new_queue(of, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel kernel = kernel_named(of, "multiply");
    int *data = numbers(WORDS, 1);
    cl_event events[4];
    const size_t global = WORDS, local = 128;
    cl_mem buffer = new_buffer(of, BYTES, NULL);
    set_buffer(kernel, 0, buffer);
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &events[0]));
    set_int(kernel, 1, 3);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 1, &events[0], &events[1]));
    set_int(kernel, 1, 7);
    CHECK(clEnqueueBarrierWithWaitList(queue, 1, &events[1], &events[2]));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &events[3]));
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 1, &events[3], NULL));
    printf("%d %08x, %s\n", data[WORDS - 1], digest(data, BYTES),
           is_after(events[3], events[1]) ? "times in order" : "times are wrong");
    for (int i = 0; i < 4; i++)
        CHECK(clReleaseEvent(events[i]));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseCommandQueue(queue));
    free(data);
}

/* ---- Callbacks ------------------------------------------------------------------------------------------------------------ */

static atomic_int completed;

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *data)
{
    (void)event;
    atomic_fetch_add(&completed, status == CL_COMPLETE ? *(int *)data : 1000);
}

static atomic_int destroyed;

static void CL_CALLBACK on_destruction(cl_mem buffer, void *data)
{
    (void)buffer;
    atomic_fetch_add(&destroyed, *(int *)data);
}

/* Nobody waits by a call. */
static void await(atomic_int *place, int value)
{
    for (int i = 0; i < 2000 && atomic_load(place) != value; i++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    printf("%d ", atomic_load(place));
}

void call_back(const rig *of)
{
    static int one = 1, ten = 10;
    int *data = numbers(WORDS, 1);
    cl_event events[2];
    cl_mem buffer = new_buffer(of, BYTES, NULL);
    CHECK(clSetMemObjectDestructorCallback(buffer, on_destruction, &ten));
    CHECK(clEnqueueWriteBuffer(of->queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &events[0]));
    CHECK(clEnqueueReadBuffer(of->queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, &events[1]));
    CHECK(clSetEventCallback(events[0], CL_COMPLETE, on_complete, &one));
    CHECK(clSetEventCallback(events[1], CL_COMPLETE, on_complete, &ten));
    CHECK(clFlush(of->queue));
    await(&completed, 11);
    CHECK(clFinish(of->queue));
    for (int i = 0; i < 2; i++)
        CHECK(clReleaseEvent(events[i]));
    CHECK(clReleaseMemObject(buffer));
    await(&destroyed, 10);
    printf("\n");
    free(data);
}

void hold_back(const rig *of)
{
    cl_int error, status, word = 0;
    cl_mem buffer = new_buffer(of, sizeof word, NULL);
    cl_event gate = clCreateUserEvent(of->context, &error), events[2];
    CHECK(error);
    const cl_int written = 42;
    CHECK(clEnqueueWriteBuffer(of->queue, buffer, CL_FALSE, 0, 4, &written, 1, &gate, &events[0]));
    CHECK(clEnqueueReadBuffer(of->queue, buffer, CL_FALSE, 0, 4, &word, 1, &events[0], &events[1]));
    CHECK(clFlush(of->queue));
    CHECK(clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    printf("%s %d, ", status > CL_RUNNING ? "held" : "not held", word);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK(clWaitForEvents(2, events));
    printf("then %d\n", word);
    for (int i = 0; i < 2; i++)
        CHECK(clReleaseEvent(events[i]));
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseMemObject(buffer));
}
