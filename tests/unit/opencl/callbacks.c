/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <time.h>

#include "rig.h"

#define BYTES (4 * FAKE_BYTES_PER_STEP)

static uint8_t source[BYTES];
static char said[128];

static void add(char letter)
{
    said[strlen(said)] = letter;
}

static void CL_CALLBACK on_status(cl_event event, cl_int status, void *data)
{
    cl_context context;
    OK(opencl_get_event_info(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL)); /* calls are allowed here */
    add(*(const char *)data);
    add(status < 0 ? 'e' : (char)('0' + status));
}

static cl_event write_to(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    cl_context context;
    cl_event event;
    OK(opencl_get_command_queue_info(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    OK(opencl_enqueue_write_buffer(queue, new_buffer(context, BYTES), CL_FALSE, 0, BYTES, source, count, list, &event));
    return event;
}

Test(opencl_callbacks, of_each_status_in_order)
{
    cl_command_queue queue = new_queue(new_context(), 0);
    cl_event event = write_to(queue, 0, NULL);
    OK(opencl_set_event_callback(event, CL_COMPLETE, on_status, "a"));
    OK(opencl_set_event_callback(event, CL_RUNNING, on_status, "b"));
    OK(opencl_set_event_callback(event, CL_SUBMITTED, on_status, "c"));
    cr_expect_str_eq(said, "c2");
    OK(opencl_finish(queue));
    cr_expect_str_eq(said, "c2b1a0");
    OK(opencl_set_event_callback(event, CL_COMPLETE, on_status, "d"));
    cr_expect_str_eq(said, "c2b1a0d0", "it had already ended");
    GIVES(CL_INVALID_VALUE, opencl_set_event_callback(event, CL_QUEUED, on_status, "e"));
    GIVES(CL_INVALID_VALUE, opencl_set_event_callback(event, CL_COMPLETE, NULL, "e"));
    GIVES(CL_INVALID_EVENT, opencl_set_event_callback(NULL, CL_COMPLETE, on_status, "e"));
}

Test(opencl_callbacks, of_an_event_that_was_released)
{
    cl_command_queue queue = new_queue(new_context(), 0);
    cl_event event = write_to(queue, 0, NULL);
    OK(opencl_set_event_callback(event, CL_COMPLETE, on_status, "a"));
    OK(opencl_release_event(event));
    OK(opencl_finish(queue));
    cr_expect_str_eq(said, "a0");
}

Test(opencl_callbacks, an_error_calls_all)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_event gate = opencl_create_user_event(context, NULL), event = write_to(queue, 1, &gate);
    OK(opencl_set_event_callback(event, CL_RUNNING, on_status, "a"));
    OK(opencl_set_event_callback(event, CL_COMPLETE, on_status, "b"));
    OK(opencl_set_user_event_status(gate, -1));
    cr_expect_str_eq(said, "aebe");
}

static void CL_CALLBACK enqueue_next(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    cl_event next = write_to(data, 0, NULL);
    OK(opencl_set_event_callback(next, CL_COMPLETE, on_status, "n"));
}

Test(opencl_callbacks, one_enqueues_the_next)
{
    cl_command_queue queue = new_queue(new_context(), 0);
    OK(opencl_set_event_callback(write_to(queue, 0, NULL), CL_COMPLETE, enqueue_next, queue));
    OK(opencl_finish(queue));
    OK(opencl_finish(queue));
    cr_expect_str_eq(said, "n0");
}

static _Atomic int is_called;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    is_called = 1;
}

/* A program that flushes and then waits for the callback makes no call that lets time pass. */
Test(opencl_callbacks, come_without_a_wait)
{
    cl_command_queue queue = new_queue(new_context(), 0);
    OK(opencl_set_event_callback(write_to(queue, 0, NULL), CL_COMPLETE, on_end, NULL));
    OK(opencl_flush(queue));
    for (uint32_t i = 0; i < 1000 && !is_called; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    cr_expect(is_called);
}

static void CL_CALLBACK on_destruction(cl_mem buffer, void *data)
{
    (void)buffer;
    add(*(const char *)data);
}

static void CL_CALLBACK on_context(cl_context context, void *data)
{
    (void)context;
    add(*(const char *)data);
}

Test(opencl_callbacks, of_what_is_destroyed)
{
    cl_context context = new_context();
    cl_mem buffer = new_buffer(context, BYTES);
    OK(opencl_set_mem_object_destructor_callback(buffer, on_destruction, "1"));
    OK(opencl_set_mem_object_destructor_callback(buffer, on_destruction, "2"));
    OK(opencl_set_context_destructor_callback(context, on_context, "3"));
    OK(opencl_release_mem_object(opencl_create_buffer(context, CL_MEM_COPY_HOST_PTR, 64, source, NULL)));
    cl_command_queue queue = new_queue(context, 0);
    OK(opencl_enqueue_write_buffer(queue, buffer, CL_TRUE, 0, BYTES, source, 0, NULL, NULL));
    OK(opencl_release_command_queue(queue));
    GIVES(CL_INVALID_VALUE, opencl_set_mem_object_destructor_callback(buffer, NULL, NULL));
    GIVES(CL_INVALID_VALUE, opencl_set_context_destructor_callback(context, NULL, NULL));
    OK(opencl_release_context(context));
    cr_expect_str_eq(said, "", "the buffer keeps its context");
    OK(opencl_release_mem_object(buffer));
    cr_expect_str_eq(said, "213");
}
