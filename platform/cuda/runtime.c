/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* recursive mutexes */
#include "runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "library_machine.h"

#define PREFIX "HEDDLE_CUDA" /* of variables of the environment */
#define GRAIN 100000u        /* ps: what a question lets pass */

cuda_runtime runtime;

/* Callbacks of a stream are called inside a call, by its thread. */
static pthread_mutex_t inside = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* ---- Errors ------------------------------------------------------------------------------------------------------------ */

void runtime_refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("heddle: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

static cudaError_t stop(heddle_error error)
{
    if (!runtime.stopped)
        runtime_refuse("%s", heddle_message());
    runtime.stopped =
        error == HEDDLE_ERROR_DEVICE || error == HEDDLE_ERROR_FAULT ? cudaErrorLaunchFailure : cudaErrorLaunchTimeout;
    return runtime.stopped;
}

cudaError_t runtime_error(heddle_error error)
{
    switch (error) {
    case HEDDLE_OK: return cudaSuccess;
    case HEDDLE_ERROR_MEMORY:
    case HEDDLE_ERROR_HOST_MEMORY: return cudaErrorMemoryAllocation;
    case HEDDLE_ERROR_KERNELS: return cudaErrorInvalidKernelImage;
    case HEDDLE_ERROR_UNKNOWN: return cudaErrorInvalidSymbol;
    case HEDDLE_ERROR_LAUNCH: return cudaErrorLaunchOutOfResources;
    case HEDDLE_ERROR_DEVICE:
    case HEDDLE_ERROR_FAULT:
    case HEDDLE_ERROR_DEADLOCK:
    case HEDDLE_ERROR_LIVELOCK:
    case HEDDLE_ERROR_LIMIT: return stop(error);
    default: return cudaErrorInvalidValue;
    }
}

/* ---- The machine ------------------------------------------------------------------------------------------------------- */

/* What has been launched is done before the program is over. */
static void finish(void)
{
    if (!runtime.stopped)
        runtime_error(heddle_wait(runtime.machine));
    library_machine_finish(PREFIX, runtime.machine);
    heddle_close(runtime.machine);
    free(runtime.name);
    runtime.machine = NULL;
    runtime.stopped = cudaErrorCudartUnloading;
}

static cudaError_t open_machine(void)
{
    if (library_machine_open(PREFIX, GRAIN, &runtime.machine, &runtime.name)) {
        runtime.stopped = cudaErrorNoDevice;
        return cudaErrorNoDevice;
    }
    atexit(finish);
    runtime.limits.struct_bytes = sizeof runtime.limits;
    return runtime_error(heddle_limits_get(runtime.machine, &runtime.limits));
}

cudaError_t runtime_let_pass(void)
{
    return runtime_error(heddle_advance_for(runtime.machine, GRAIN));
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------- */

cudaError_t runtime_enter(void)
{
    pthread_mutex_lock(&inside);
    if (runtime.stopped)
        return runtime.stopped;
    return runtime.machine ? cudaSuccess : open_machine();
}

cudaError_t runtime_leave(cudaError_t error)
{
    if (error && error != cudaErrorNotReady)
        runtime.last = error;
    pthread_mutex_unlock(&inside);
    return error;
}
