/* SPDX-License-Identifier: MIT */
/*
 * Streams are queues of the device; if there are more of them than queues, some share one. The default stream is that of old: its work
 * waits for all that the other streams have, and their later work for it, but for streams that are created cudaStreamNonBlocking.
 */
#include <stdlib.h>

#include "runtime.h"

#define QUEUES_MAX 64u

struct CUstream_st {
    struct CUstream_st *next;
    heddle_queue *queue;
    heddle_event *mark; /* for others to wait for; NULL: none did */
    int is_blocking;    /* waits for the default stream, and it for this one */
    int has_work;       /* since the default stream has waited for it */
    uint64_t round;     /* of the default stream's work, that it waits for */
};

static struct CUstream_st default_stream = {.is_blocking = 1};
static cudaStream_t all;
static heddle_queue *queues[QUEUES_MAX]; /* of streams, in turns */
static uint32_t queue_count, next_queue;
static uint64_t rounds; /* how often the default stream has got work after another */

static cudaStream_t stream_of(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy ? &default_stream : stream;
}

static int is_open(cudaStream_t stream)
{
    cudaStream_t other = all;
    while (other && other != stream)
        other = other->next;
    return other || stream == &default_stream;
}

/* ---- Who waits for whom ------------------------------------------------------------------------------------------------ */

/* `later` waits for all that `earlier` has. */
static cudaError_t join(cudaStream_t later, cudaStream_t earlier)
{
    if (later->queue == earlier->queue)
        return cudaSuccess;
    cudaError_t error = cudaSuccess;
    if (!earlier->mark)
        error = runtime_error(heddle_event_create(runtime.machine, &earlier->mark));
    if (!error)
        error = runtime_error(heddle_event_record(earlier->mark, earlier->queue));
    return error ? error : runtime_error(heddle_queue_wait_event(later->queue, earlier->mark));
}

static cudaError_t order_default(void)
{
    cudaError_t error = cudaSuccess;
    for (cudaStream_t stream = all; stream && !error; stream = stream->next)
        if (stream->is_blocking && stream->has_work) {
            error = join(&default_stream, stream);
            stream->has_work = 0;
        }
    rounds++;
    return error;
}

static cudaError_t order_other(cudaStream_t stream)
{
    stream->has_work = 1;
    if (!stream->is_blocking || stream->round == rounds)
        return cudaSuccess;
    stream->round = rounds;
    return join(stream, &default_stream);
}

static cudaError_t open_default(void)
{
    return default_stream.queue ? cudaSuccess
                                : runtime_error(heddle_default_queue(runtime.machine, &default_stream.queue));
}

cudaError_t stream_queue(cudaStream_t stream, heddle_queue **queue)
{
    cudaError_t error = open_default();
    stream = stream_of(stream);
    if (!error && !is_open(stream))
        error = cudaErrorInvalidResourceHandle;
    if (!error)
        error = stream == &default_stream ? order_default() : order_other(stream);
    if (!error)
        *queue = stream->queue;
    return error;
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------------- */

cudaError_t streams_wait(void)
{
    const cudaError_t error = runtime_error(heddle_wait(runtime.machine));
    return error ? error : managed_to_host();
}

cudaError_t stream_wait(cudaStream_t stream)
{
    heddle_queue *queue;
    cudaError_t error = stream_queue(stream, &queue);
    if (!error)
        error = runtime_error(heddle_queue_wait(queue));
    return error ? error : managed_to_host();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : stream_wait(stream));
}

static cudaError_t query(cudaStream_t stream)
{
    heddle_queue *queue;
    uint32_t is_done = 0;
    cudaError_t error = stream_queue(stream, &queue);
    if (!error)
        error = runtime_error(heddle_queue_poll(queue, &is_done));
    if (error || is_done)
        return error;
    error = runtime_let_pass();
    return error ? error : cudaErrorNotReady;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : query(stream));
}

/* ---- Creating ---------------------------------------------------------------------------------------------------------- */

/* A queue of its own if the device has one left, else one that another stream has. */
static cudaError_t choose_queue(cudaStream_t stream)
{
    heddle_queue *queue;
    if (queue_count < QUEUES_MAX) {
        const heddle_error error = heddle_queue_create(runtime.machine, &queue);
        if (!error)
            queues[queue_count++] = queue;
        else if (error != HEDDLE_ERROR_QUEUES)
            return runtime_error(error);
    }
    stream->queue = queue_count ? queues[next_queue++ % queue_count] : default_stream.queue;
    return cudaSuccess;
}

static cudaError_t create(cudaStream_t *stream, unsigned flags)
{
    cudaStream_t made = calloc(1, sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    made->is_blocking = !(flags & cudaStreamNonBlocking);
    cudaError_t error = open_default();
    if (!error)
        error = choose_queue(made);
    if (error) {
        free(made);
        return error;
    }
    made->next = all;
    *stream = all = made;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : create(stream, flags));
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

/* Its queue goes on, and is another stream's some time. */
static cudaError_t destroy(cudaStream_t stream)
{
    cudaStream_t *at = &all;
    while (*at && *at != stream)
        at = &(*at)->next;
    if (!*at)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = stream->is_blocking && stream->has_work ? join(&default_stream, stream) : cudaSuccess;
    *at = stream->next;
    if (stream->mark)
        heddle_event_destroy(stream->mark);
    free(stream);
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : destroy(stream));
}

/* ---- Calls of the program's functions ---------------------------------------------------------------------------------- */

typedef struct callback {
    cudaStreamCallback_t function; /* NULL: the other is called */
    cudaHostFn_t plain;
    cudaStream_t stream;
    void *context;
} callback;

static void call(void *context, uint64_t time)
{
    const callback *asked = context;
    (void)time;
    if (asked->function)
        asked->function(asked->stream, cudaSuccess, asked->context);
    else
        asked->plain(asked->context);
    free(context);
}

static cudaError_t append_call(cudaStream_t stream, const callback *asked)
{
    heddle_queue *queue;
    callback *kept = malloc(sizeof *kept);
    cudaError_t error = kept ? stream_queue(stream, &queue) : cudaErrorMemoryAllocation;
    if (!error) {
        *kept = *asked;
        error = runtime_error(heddle_queue_call(queue, call, kept));
    }
    if (error)
        free(kept);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *context, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    (void)flags;
    return runtime_leave(
        error ? error : append_call(stream, &(callback){.function = function, .stream = stream, .context = context}));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *context)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : append_call(stream, &(callback){.plain = function, .context = context}));
}
