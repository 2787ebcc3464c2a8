/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL runtime with threads of a program that share a context, queues and events, and with callbacks, for which the library has a
 * thread of its own. The device is that of the unit tests.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "entries.h"
#include "fake_device.h"
#include "runtime.h"

enum { THREADS = 4, ROUNDS = 40, WORDS = 64 };

static cl_context context;
static cl_command_queue shared;
static cl_kernel kernel;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;

static void require(cl_int error, int line)
{
    if (!error)
        return;
    fprintf(stderr, "line %d: error %d\n", line, error);
    exit(1);
}
#define OK(call) require((call), __LINE__)

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)data;
    pthread_mutex_lock(&mutex);
    calls += status == CL_COMPLETE;
    pthread_mutex_unlock(&mutex);
}

/* Copies to the device, back in the shared queue behind it, and compares. */
static void use_memory(cl_command_queue own, uint32_t first)
{
    uint32_t words[WORDS], back[WORDS];
    cl_int error;
    cl_event written, read;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = first + i;
    cl_mem buffer = opencl_create_buffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &error);
    OK(error);
    OK(opencl_enqueue_write_buffer(own, buffer, CL_FALSE, 0, sizeof words, words, 0, NULL, &written));
    OK(opencl_enqueue_read_buffer(shared, buffer, CL_FALSE, 0, sizeof back, back, 1, &written, &read));
    OK(opencl_set_event_callback(read, CL_COMPLETE, count, NULL));
    OK(opencl_wait_for_events(1, &read));
    require(memcmp(words, back, sizeof words), __LINE__);
    OK(opencl_release_event(written));
    OK(opencl_release_event(read));
    OK(opencl_release_mem_object(buffer));
}

static void *run(void *data)
{
    const uint32_t number = *(const uint32_t *)data;
    const size_t eight = 8;
    cl_int error;
    cl_command_queue own =
        opencl_create_command_queue(context, &opencl_device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    OK(error);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        use_memory(own, number * 1000 + round);
        OK(opencl_enqueue_nd_range_kernel(round % 2 ? own : shared, kernel, 1, NULL, &eight, &eight, 0, NULL, NULL));
    }
    OK(opencl_finish(own));
    OK(opencl_release_command_queue(own));
    return NULL;
}

static void make_kernel(void)
{
    static const char *source = "good";
    cl_int error;
    cl_program program = opencl_create_program_with_source(context, 1, &source, NULL, &error);
    OK(error);
    OK(opencl_build_program(program, 0, NULL, "", NULL, NULL));
    kernel = opencl_create_kernel(program, "demanding", &error);
    OK(error);
}

/* The library's thread calls what nobody waits for. */
static void await_calls(void)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&mutex);
        const int have_come = calls == THREADS * ROUNDS;
        pthread_mutex_unlock(&mutex);
        if (have_come)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    fprintf(stderr, "%d of %d calls have come\n", calls, THREADS * ROUNDS);
    exit(1);
}

int main(void)
{
    cl_int error;
    cl_device_id device;
    pthread_t threads[THREADS];
    uint32_t numbers[THREADS];
    OK(opencl_get_device_ids(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = opencl_create_context(NULL, 1, &device, NULL, NULL, &error);
    OK(error);
    shared = opencl_create_command_queue(context, device, 0, &error);
    OK(error);
    make_kernel();
    for (uint32_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        require(pthread_create(&threads[i], NULL, run, &numbers[i]), __LINE__);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(opencl_finish(shared));
    await_calls();
    return 0;
}
