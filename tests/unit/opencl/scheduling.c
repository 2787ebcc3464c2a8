/* SPDX-License-Identifier: MIT */
/* What waits for what, and what does not. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "rig.h"

#define BYTES (8 * FAKE_BYTES_PER_STEP)

static uint8_t source[BYTES], sink[BYTES];

static cl_event write_to(cl_command_queue queue, cl_mem buffer, cl_uint count, const cl_event *list)
{
    cl_event event;
    OK(opencl_enqueue_write_buffer(queue, buffer, CL_FALSE, 0, BYTES, source, count, list, &event));
    return event;
}

Test(opencl_scheduling, a_queue_in_order)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event wrote, read;
    memset(source, 5, BYTES);
    wrote = write_to(queue, buffer, 0, NULL);
    OK(opencl_enqueue_read_buffer(queue, buffer, CL_FALSE, 0, BYTES, sink, 0, NULL, &read));
    cr_expect_eq(sink[0], 0, "nothing has happened yet");
    OK(opencl_finish(queue));
    cr_expect_arr_eq(sink, source, BYTES);
    cr_expect_eq(time_of(wrote, CL_PROFILING_COMMAND_START), 0);
    cr_expect_eq(time_of(wrote, CL_PROFILING_COMMAND_END), 8);
    cr_expect_eq(time_of(read, CL_PROFILING_COMMAND_QUEUED), 0);
    cr_expect_eq(time_of(read, CL_PROFILING_COMMAND_START), 8);
    cr_expect_eq(time_of(read, CL_PROFILING_COMMAND_END), 16);
    OK(opencl_release_event(wrote));
    OK(opencl_release_event(read));
    OK(opencl_release_mem_object(buffer));
    cr_expect_eq(fake.allocations, 0);
}

Test(opencl_scheduling, a_queue_out_of_order)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem buffers[3] = {new_buffer(context, BYTES), new_buffer(context, BYTES), new_buffer(context, BYTES)};
    cl_event first = write_to(queue, buffers[0], 0, NULL), second = write_to(queue, buffers[1], 0, NULL);
    const cl_event both[] = {first, second};
    cl_event behind = write_to(queue, buffers[1], 1, &second), third = write_to(queue, buffers[2], 2, both);
    cr_expect_eq(behind->lane, second->lane, "a lane is in order: there is nothing to wait for");
    OK(opencl_finish(queue));
    cr_expect_eq(time_of(second, CL_PROFILING_COMMAND_START), 0, "beside the first");
    cr_expect_eq(time_of(third, CL_PROFILING_COMMAND_START), 8, "behind both");
}

Test(opencl_scheduling, queues_run_beside_each_other_and_wait_for_events)
{
    cl_context context = new_context();
    cl_command_queue queues[2] = {new_queue(context, 0), new_queue(context, 0)};
    cl_mem buffer = new_buffer(context, BYTES), other = new_buffer(context, BYTES);
    cl_event first = write_to(queues[0], buffer, 0, NULL), beside = write_to(queues[1], other, 0, NULL), read;
    OK(opencl_enqueue_read_buffer(queues[1], buffer, CL_FALSE, 0, 64, sink, 1, &first, &read));
    OK(opencl_wait_for_events(1, &read));
    cr_expect_eq(time_of(beside, CL_PROFILING_COMMAND_START), 0);
    cr_expect_eq(time_of(read, CL_PROFILING_COMMAND_START), 8);
}

Test(opencl_scheduling, markers_and_barriers)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem buffers[2] = {new_buffer(context, BYTES), new_buffer(context, BYTES)};
    cl_event marker, barrier, late;
    write_to(queue, buffers[0], 0, NULL);
    OK(opencl_enqueue_marker_with_wait_list(queue, 0, NULL, &marker));
    cl_event unhindered = write_to(queue, buffers[1], 0, NULL);
    OK(opencl_enqueue_barrier_with_wait_list(queue, 0, NULL, &barrier));
    late = write_to(queue, buffers[0], 0, NULL);
    OK(opencl_finish(queue));
    cr_expect_eq(time_of(marker, CL_PROFILING_COMMAND_END), 8);
    cr_expect_eq(time_of(unhindered, CL_PROFILING_COMMAND_START), 0, "a marker hinders nobody");
    cr_expect_eq(time_of(barrier, CL_PROFILING_COMMAND_END), 8);
    cr_expect_eq(time_of(late, CL_PROFILING_COMMAND_START), 8, "a barrier does");
    GIVES(CL_INVALID_VALUE, opencl_enqueue_marker(queue, NULL));
    GIVES(CL_INVALID_VALUE, opencl_enqueue_wait_for_events(queue, 0, NULL));
}

Test(opencl_scheduling, a_user_event_holds_what_waits_for_it)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0), other = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_int error;
    cl_event gate = opencl_create_user_event(context, &error);
    OK(error);
    cl_event held = write_to(queue, buffer, 1, &gate), behind = write_to(other, buffer, 1, &held);
    OK(opencl_enqueue_read_buffer(other, new_buffer(context, 64), CL_FALSE, 0, 64, sink, 0, NULL, NULL));
    cr_expect_eq(status_of(held), CL_QUEUED);
    cr_expect_eq(status_of(behind), CL_QUEUED);
    GIVES(CL_INVALID_VALUE, opencl_set_user_event_status(gate, CL_RUNNING));
    GIVES(CL_INVALID_EVENT, opencl_set_user_event_status(held, CL_COMPLETE));
    OK(opencl_set_user_event_status(gate, CL_COMPLETE));
    GIVES(CL_INVALID_OPERATION, opencl_set_user_event_status(gate, CL_COMPLETE));
    cr_expect_eq(status_of(held), CL_SUBMITTED);
    OK(opencl_finish(other));
    cr_expect_eq(status_of(behind), CL_COMPLETE);
    cl_ulong time;
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          opencl_get_event_profiling_info(gate, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
}

static void *end_later(void *event)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    OK(opencl_set_user_event_status(event, CL_COMPLETE));
    return NULL;
}

Test(opencl_scheduling, another_thread_ends_a_user_event)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_event gate = opencl_create_user_event(context, NULL),
             held = write_to(queue, new_buffer(context, BYTES), 1, &gate);
    pthread_t other;
    cr_assert_eq(pthread_create(&other, NULL, end_later, gate), 0);
    OK(opencl_wait_for_events(1, &held));
    cr_expect_eq(status_of(held), CL_COMPLETE);
    pthread_join(other, NULL);
}

Test(opencl_scheduling, an_error_of_a_user_event_ends_what_waits_for_it)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0), other = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event gate = opencl_create_user_event(context, NULL);
    cl_event held = write_to(queue, buffer, 1, &gate), behind = write_to(other, buffer, 1, &held);
    cl_event next = write_to(queue, buffer, 0, NULL);
    OK(opencl_set_user_event_status(gate, -7));
    cr_expect_eq(status_of(held), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cr_expect_eq(status_of(behind), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, opencl_wait_for_events(1, &behind));
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          opencl_enqueue_read_buffer(queue, buffer, CL_TRUE, 0, BYTES, sink, 1, &held, NULL));
    OK(opencl_finish(queue));
    cr_expect_eq(status_of(next), CL_COMPLETE, "the queue goes on");
}

/* The order of a queue holds across a command that ends early. */
Test(opencl_scheduling, an_error_between_two_commands)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event gates[2] = {opencl_create_user_event(context, NULL), opencl_create_user_event(context, NULL)};
    cl_event first = write_to(queue, buffer, 1, &gates[0]);
    write_to(queue, buffer, 1, &gates[1]);
    OK(opencl_set_user_event_status(gates[1], -1));
    cl_event last = write_to(queue, buffer, 0, NULL);
    cr_expect_eq(status_of(last), CL_QUEUED);
    OK(opencl_set_user_event_status(gates[0], CL_COMPLETE));
    OK(opencl_finish(queue));
    cr_expect_geq(time_of(last, CL_PROFILING_COMMAND_START), time_of(first, CL_PROFILING_COMMAND_END));
}

Test(opencl_scheduling, who_asks_again_and_again_waits)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_event event = write_to(queue, new_buffer(context, BYTES), 0, NULL);
    cl_int status = CL_QUEUED;
    uint32_t asked = 0;
    while (status != CL_COMPLETE && asked++ < 100)
        OK(opencl_get_event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    cr_expect_eq(asked, 8);
}

Test(opencl_scheduling, wait_lists_are_checked)
{
    cl_context context = new_context(), stranger = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event foreign = opencl_create_user_event(stranger, NULL), none = NULL, own = write_to(queue, buffer, 0, NULL);
    const cl_event mixed[] = {own, foreign};
    GIVES(CL_INVALID_EVENT_WAIT_LIST, opencl_enqueue_barrier_with_wait_list(queue, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, opencl_enqueue_barrier_with_wait_list(queue, 0, &own, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, opencl_enqueue_barrier_with_wait_list(queue, 1, &none, NULL));
    GIVES(CL_INVALID_CONTEXT, opencl_enqueue_barrier_with_wait_list(queue, 1, &foreign, NULL));
    GIVES(CL_INVALID_CONTEXT, opencl_wait_for_events(2, mixed));
    GIVES(CL_INVALID_VALUE, opencl_wait_for_events(0, NULL));
    GIVES(CL_INVALID_EVENT, opencl_wait_for_events(1, &none));
    GIVES(CL_INVALID_CONTEXT,
          opencl_enqueue_write_buffer(queue, new_buffer(stranger, 64), CL_TRUE, 0, 4, source, 0, NULL, NULL));
}

Test(opencl_scheduling, times_are_there_when_they_were_asked_for)
{
    cl_context context = new_context();
    cl_command_queue queue = opencl_create_command_queue(context, &opencl_device, 0, NULL);
    cl_event event = write_to(queue, new_buffer(context, BYTES), 0, NULL);
    cl_ulong time;
    OK(opencl_finish(queue));
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          opencl_get_event_profiling_info(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
}

/* What a command uses lives until it has ended. */
Test(opencl_scheduling, everything_may_be_released_at_once)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event event = write_to(queue, buffer, 0, NULL);
    OK(opencl_release_mem_object(buffer));
    OK(opencl_release_command_queue(queue));
    OK(opencl_release_context(context));
    cr_expect_eq(fake.allocations, 1);
    OK(opencl_wait_for_events(1, &event));
    cr_expect_eq(time_of(event, CL_PROFILING_COMMAND_END), 8);
    OK(opencl_release_event(event));
}

/* A part of a command is under way when the rest is refused: it uses the program's memory, so the command ends after it. */
Test(opencl_scheduling, a_command_that_is_refused_halfway)
{
    cl_context context = new_context();
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    cl_event gate = opencl_create_user_event(context, NULL), event;
    const size_t zero[3] = {0, 0, 0}, region[3] = {64, 4, 1};
    OK(opencl_enqueue_write_buffer_rect(queue, buffer, CL_FALSE, zero, zero, region, 128, 0, 64, 0, source, 1, &gate,
                                        &event));
    fake.refuses_after = 2;
    OK(opencl_set_user_event_status(gate, CL_COMPLETE));
    cr_expect_eq(status_of(event), CL_SUBMITTED);
    OK(opencl_finish(queue));
    cr_expect_eq(status_of(event), CL_OUT_OF_RESOURCES);
    fake.refuses_after = 2;
    const cl_int error = opencl_enqueue_write_buffer_rect(queue, buffer, CL_FALSE, zero, zero, region, 128, 0, 64, 0,
                                                          source, 0, NULL, NULL);
    cr_expect_eq(error, CL_OUT_OF_RESOURCES, "of the call, if it is known by then");
}

/* ---- The end of the machine ---------------------------------------------------------------------------------------------- */

static char notice[64];

static void CL_CALLBACK note(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info;
    (void)bytes;
    (void)data;
    strncpy(notice, text, sizeof notice - 1);
}

Test(opencl_scheduling, a_fault_ends_everything)
{
    cl_device_id device = &opencl_device;
    cl_context context = opencl_create_context(NULL, 1, &device, note, NULL, NULL);
    cl_command_queue queue = new_queue(context, 0);
    cl_mem buffer = new_buffer(context, BYTES);
    fake.fails_at_step = 3;
    cl_event event = write_to(queue, buffer, 0, NULL);
    GIVES(CL_OUT_OF_RESOURCES, opencl_finish(queue));
    cr_expect_eq(status_of(event), CL_OUT_OF_RESOURCES);
    cr_expect_str_eq(notice, "the fake device has stopped");
    GIVES(CL_OUT_OF_RESOURCES, opencl_enqueue_write_buffer(queue, buffer, CL_TRUE, 0, BYTES, source, 0, NULL, NULL));
    GIVES(CL_OUT_OF_RESOURCES, opencl_finish(queue));
}
