/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "runtime.h"

#define PICOSECONDS_OF_A_MILLISECOND 1e9

struct CUevent_st {
    heddle_event *event;
    int is_recorded;
    int has_time;
};

static cudaError_t create(cudaEvent_t *event, unsigned flags)
{
    cudaEvent_t made = calloc(1, sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    made->has_time = !(flags & cudaEventDisableTiming);
    const cudaError_t error = runtime_error(heddle_event_create(runtime.machine, &made->event));
    if (error)
        free(made);
    else
        *event = made;
    return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : create(event, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

static cudaError_t destroy(cudaEvent_t event)
{
    const cudaError_t error = runtime_error(heddle_event_destroy(event->event));
    free(event);
    return error;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : event ? destroy(event) : cudaErrorInvalidResourceHandle);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream)
{
    heddle_queue *queue;
    cudaError_t error = event ? stream_queue(stream, &queue) : cudaErrorInvalidResourceHandle;
    if (!error)
        error = runtime_error(heddle_event_record(event->event, queue));
    if (!error)
        event->is_recorded = 1;
    return error;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : record(event, stream));
}

static cudaError_t wait_for(cudaEvent_t event)
{
    const cudaError_t error = event ? runtime_error(heddle_event_wait(event->event)) : cudaErrorInvalidResourceHandle;
    return error ? error : managed_to_host();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : wait_for(event));
}

static cudaError_t wait_in_stream(cudaStream_t stream, cudaEvent_t event)
{
    heddle_queue *queue;
    const cudaError_t error = event ? stream_queue(stream, &queue) : cudaErrorInvalidResourceHandle;
    return error ? error : runtime_error(heddle_queue_wait_event(queue, event->event));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    (void)flags;
    return runtime_leave(error ? error : wait_in_stream(stream, event));
}

/* cudaErrorNotReady: it is not yet done. */
static cudaError_t time_of(cudaEvent_t event, uint64_t *time)
{
    uint32_t is_done = 0;
    if (!event)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = runtime_error(heddle_event_poll(event->event, &is_done, time));
    return error || is_done ? error : cudaErrorNotReady;
}

static cudaError_t query(cudaEvent_t event)
{
    uint64_t time;
    const cudaError_t error = time_of(event, &time);
    if (error != cudaErrorNotReady)
        return error;
    const cudaError_t passed = runtime_let_pass();
    return passed ? passed : cudaErrorNotReady;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : query(event));
}

static cudaError_t elapsed(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    uint64_t began = 0, ended = 0;
    if (!from || !to || !from->is_recorded || !to->is_recorded || !from->has_time || !to->has_time)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = time_of(from, &began);
    if (!error)
        error = time_of(to, &ended);
    if (!error)
        *milliseconds = (float)(((double)ended - (double)began) / PICOSECONDS_OF_A_MILLISECOND);
    return error;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : elapsed(milliseconds, from, to));
}
