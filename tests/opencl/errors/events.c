/* SPDX-License-Identifier: MIT */
/* Events, markers, barriers. */
#include "errors.h"

#define UNKNOWN 0x7fff

static void CL_CALLBACK on_status(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
}

static void try_user_events(const good *with)
{
    cl_int error;
    cl_event ended = clCreateUserEvent(with->rig.context, &error);
    CHECK(error);
    EXPECT_MADE(clCreateUserEvent, INVALID_CONTEXT, clCreateUserEvent(AS(cl_context, with->buffer), &error));
    EXPECT(clSetUserEventStatus, INVALID_EVENT, clSetUserEventStatus(AS(cl_event, with->buffer), CL_COMPLETE));
    EXPECT(clSetUserEventStatus, INVALID_EVENT, clSetUserEventStatus(with->done, CL_COMPLETE));
    EXPECT(clSetUserEventStatus, INVALID_VALUE, clSetUserEventStatus(ended, CL_RUNNING));
    EXPECT(clSetUserEventStatus, SUCCESS, clSetUserEventStatus(ended, -3));
    EXPECT(clSetUserEventStatus, INVALID_OPERATION, clSetUserEventStatus(ended, CL_COMPLETE));
    EXPECT(clWaitForEvents, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &ended));
    CHECK(clReleaseEvent(ended));
}

static void try_waits(const good *with)
{
    const cl_event both[2] = {with->done, with->other_event}, wrong = AS(cl_event, with->buffer);
    EXPECT(clWaitForEvents, INVALID_VALUE, clWaitForEvents(0, &with->done));
    EXPECT(clWaitForEvents, INVALID_VALUE, clWaitForEvents(1, NULL));
    EXPECT(clWaitForEvents, INVALID_CONTEXT, clWaitForEvents(2, both));
    EXPECT(clWaitForEvents, INVALID_EVENT, clWaitForEvents(1, &wrong));
}

static cl_event event_without_times(const good *with)
{
    static const int word = 1;
    cl_event made;
    CHECK(clEnqueueWriteBuffer(with->plain_queue, with->buffer, CL_TRUE, 0, sizeof word, &word, 0, NULL, &made));
    return made;
}

static void try_questions(const good *with)
{
    char room[1];
    cl_ulong time;
    cl_event done = with->done, wrong = AS(cl_event, with->buffer), plain = event_without_times(with);
    EXPECT(clGetEventInfo, INVALID_EVENT, clGetEventInfo(wrong, CL_EVENT_COMMAND_TYPE, 0, NULL, NULL));
    EXPECT(clGetEventInfo, INVALID_VALUE, clGetEventInfo(done, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetEventInfo, INVALID_VALUE, clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof room, room, NULL));
#define TIME(event, query, bytes) clGetEventProfilingInfo(event, query, bytes, &time, NULL)
    EXPECT(clGetEventProfilingInfo, INVALID_EVENT, TIME(wrong, CL_PROFILING_COMMAND_END, sizeof time));
    EXPECT(clGetEventProfilingInfo, INVALID_VALUE, TIME(done, UNKNOWN, sizeof time));
    EXPECT(clGetEventProfilingInfo, INVALID_VALUE, TIME(done, CL_PROFILING_COMMAND_END, 1));
    EXPECT(clGetEventProfilingInfo, PROFILING_INFO_NOT_AVAILABLE, TIME(plain, CL_PROFILING_COMMAND_END, sizeof time));
    EXPECT(clGetEventProfilingInfo, PROFILING_INFO_NOT_AVAILABLE,
           TIME(with->user, CL_PROFILING_COMMAND_END, sizeof time));
    EXPECT(clSetEventCallback, INVALID_EVENT, clSetEventCallback(wrong, CL_COMPLETE, on_status, NULL));
    EXPECT(clSetEventCallback, INVALID_VALUE, clSetEventCallback(done, CL_COMPLETE, NULL, NULL));
    EXPECT(clSetEventCallback, INVALID_VALUE, clSetEventCallback(done, CL_QUEUED, on_status, NULL));
    EXPECT(clRetainEvent, INVALID_EVENT, clRetainEvent(wrong));
    EXPECT(clReleaseEvent, INVALID_EVENT, clReleaseEvent(wrong));
    CHECK(clReleaseEvent(plain));
}

static void try_markers(const good *with)
{
    cl_event made;
    const cl_event wrong = AS(cl_event, with->buffer);
    cl_command_queue queue = with->rig.queue, wrong_queue = AS(cl_command_queue, with->buffer);
#define MARKER(queue, count, list) clEnqueueMarkerWithWaitList(queue, count, list, NULL)
#define BARRIER(queue, count, list) clEnqueueBarrierWithWaitList(queue, count, list, NULL)
    EXPECT(clEnqueueMarkerWithWaitList, INVALID_COMMAND_QUEUE, MARKER(wrong_queue, 0, NULL));
    EXPECT(clEnqueueMarkerWithWaitList, INVALID_CONTEXT, MARKER(queue, 1, &with->other_event));
    EXPECT(clEnqueueMarkerWithWaitList, INVALID_EVENT_WAIT_LIST, MARKER(queue, 1, NULL));
    EXPECT(clEnqueueMarkerWithWaitList, INVALID_EVENT_WAIT_LIST, MARKER(queue, 1, &wrong));
    EXPECT(clEnqueueBarrierWithWaitList, INVALID_COMMAND_QUEUE, BARRIER(wrong_queue, 0, NULL));
    EXPECT(clEnqueueBarrierWithWaitList, INVALID_CONTEXT, BARRIER(queue, 1, &with->other_event));
    EXPECT(clEnqueueBarrierWithWaitList, INVALID_EVENT_WAIT_LIST, BARRIER(queue, 1, NULL));
    EXPECT(clEnqueueMarker, INVALID_COMMAND_QUEUE, clEnqueueMarker(wrong_queue, &made));
    EXPECT(clEnqueueMarker, INVALID_VALUE, clEnqueueMarker(queue, NULL));
    EXPECT(clEnqueueBarrier, INVALID_COMMAND_QUEUE, clEnqueueBarrier(wrong_queue));
    EXPECT(clEnqueueWaitForEvents, INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(wrong_queue, 1, &with->done));
    EXPECT(clEnqueueWaitForEvents, INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &with->other_event));
    EXPECT(clEnqueueWaitForEvents, INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, &with->done));
    EXPECT(clEnqueueWaitForEvents, INVALID_VALUE, clEnqueueWaitForEvents(queue, 1, NULL));
    EXPECT(clEnqueueWaitForEvents, INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, &wrong));
}

void try_events(const good *with)
{
    try_user_events(with);
    try_waits(with);
    try_questions(with);
    try_markers(with);
}
