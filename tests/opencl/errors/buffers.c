/* SPDX-License-Identifier: MIT */
/* Buffers, and copies, fills and migrations of them. */
#include "errors.h"

#define UNKNOWN 0x7fff

static void CL_CALLBACK on_destruction(cl_mem gone, void *data)
{
    (void)gone;
    (void)data;
}

static void try_creation(const good *with)
{
    cl_int error;
    char host[4] = "";
    cl_ulong largest = 0;
    cl_context context = with->rig.context;
    CHECK(clGetDeviceInfo(with->rig.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    EXPECT_MADE(clCreateBuffer, INVALID_CONTEXT, clCreateBuffer(AS(cl_context, with->buffer), 0, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_VALUE, clCreateBuffer(context, 1u << 20, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_VALUE,
                clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_VALUE,
                clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, host, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_VALUE,
                clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, host, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_VALUE,
                clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, (size_t)largest + 1, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error));
    EXPECT_MADE(clCreateBuffer, INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_READ_ONLY, 4, host, &error));
}

static cl_int part_error(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *region)
{
    cl_int error;
    cl_mem made = clCreateSubBuffer(whole, flags, type, region, &error);
    if (made)
        CHECK(clReleaseMemObject(made));
    return error;
}

static cl_mem new_buffer_with(const good *with, cl_mem_flags flags)
{
    cl_int error;
    cl_mem made = clCreateBuffer(with->rig.context, flags, BUFFER_BYTES, NULL, &error);
    CHECK(error);
    return made;
}

static void try_parts(const good *with)
{
    static const cl_buffer_region fine = {0, 256}, empty = {0, 0}, outside = {256, BUFFER_BYTES}, unaligned = {1, 4};
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    cl_mem part = new_buffer_with(with, CL_MEM_WRITE_ONLY), reads = new_buffer_with(with, CL_MEM_READ_ONLY);
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(part, CL_MEM_READ_WRITE, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(part, CL_MEM_READ_ONLY, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(reads, CL_MEM_WRITE_ONLY, region, &fine));
    CHECK(clReleaseMemObject(part));
    CHECK(clReleaseMemObject(reads));
    cl_int error;
    part = clCreateSubBuffer(with->buffer, 0, region, &fine, &error);
    CHECK(error);
    EXPECT(clCreateSubBuffer, INVALID_MEM_OBJECT, part_error(part, 0, region, &fine));
    CHECK(clReleaseMemObject(part));
    EXPECT(clCreateSubBuffer, INVALID_MEM_OBJECT, part_error(AS(cl_mem, with->kernel), 0, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->buffer, CL_MEM_COPY_HOST_PTR, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->write_only, CL_MEM_HOST_READ_ONLY, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->read_only, CL_MEM_HOST_WRITE_ONLY, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->no_access, CL_MEM_HOST_READ_ONLY, region, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->buffer, 0, UNKNOWN, &fine));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->buffer, 0, region, NULL));
    EXPECT(clCreateSubBuffer, INVALID_VALUE, part_error(with->buffer, 0, region, &outside));
    EXPECT(clCreateSubBuffer, INVALID_BUFFER_SIZE, part_error(with->buffer, 0, region, &empty));
    EXPECT(clCreateSubBuffer, MISALIGNED_SUB_BUFFER_OFFSET, part_error(with->buffer, 0, region, &unaligned));
}

void try_buffers(const good *with)
{
    char room[1];
    cl_mem wrong = AS(cl_mem, with->kernel);
    try_creation(with);
    try_parts(with);
    EXPECT(clRetainMemObject, INVALID_MEM_OBJECT, clRetainMemObject(wrong));
    EXPECT(clReleaseMemObject, INVALID_MEM_OBJECT, clReleaseMemObject(wrong));
    EXPECT(clGetMemObjectInfo, INVALID_MEM_OBJECT, clGetMemObjectInfo(wrong, CL_MEM_SIZE, 0, NULL, NULL));
    EXPECT(clGetMemObjectInfo, INVALID_VALUE, clGetMemObjectInfo(with->buffer, UNKNOWN, 0, NULL, NULL));
    EXPECT(clGetMemObjectInfo, INVALID_VALUE, clGetMemObjectInfo(with->buffer, CL_MEM_SIZE, sizeof room, room, NULL));
    EXPECT(clSetMemObjectDestructorCallback, INVALID_MEM_OBJECT,
           clSetMemObjectDestructorCallback(wrong, on_destruction, NULL));
    EXPECT(clSetMemObjectDestructorCallback, INVALID_VALUE, clSetMemObjectDestructorCallback(with->buffer, NULL, NULL));
}

/* ---- With the program's memory ------------------------------------------------------------------------------------------------ */

/* An event whose command has failed. */
static cl_event failed_event(const good *with)
{
    cl_int error;
    cl_event made = clCreateUserEvent(with->rig.context, &error);
    CHECK(error);
    CHECK(clSetUserEventStatus(made, -5));
    return made;
}

static void try_reads(const good *with)
{
    char host[8];
    cl_command_queue queue = with->rig.queue;
    cl_event failed = failed_event(with);
    const cl_event none = NULL;
#define READ(queue, buffer, offset, bytes, host, count, list)                                                          \
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, bytes, host, count, list, NULL)
    EXPECT(clEnqueueReadBuffer, INVALID_COMMAND_QUEUE,
           READ(AS(cl_command_queue, with->buffer), with->buffer, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_CONTEXT, READ(queue, with->other_buffer, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_CONTEXT, READ(queue, with->buffer, 0, 4, host, 1, &with->other_event));
    EXPECT(clEnqueueReadBuffer, INVALID_MEM_OBJECT, READ(queue, AS(cl_mem, with->kernel), 0, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_VALUE, READ(queue, with->buffer, BUFFER_BYTES, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_VALUE, READ(queue, with->buffer, BUFFER_BYTES - 3, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_VALUE, READ(queue, with->buffer, SIZE_MAX, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_VALUE, READ(queue, with->buffer, 0, 4, NULL, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_VALUE, READ(queue, with->buffer, 0, 0, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_EVENT_WAIT_LIST, READ(queue, with->buffer, 0, 4, host, 1, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_EVENT_WAIT_LIST, READ(queue, with->buffer, 0, 4, host, 0, &with->done));
    EXPECT(clEnqueueReadBuffer, INVALID_EVENT_WAIT_LIST, READ(queue, with->buffer, 0, 4, host, 1, &none));
    EXPECT(clEnqueueReadBuffer, INVALID_OPERATION, READ(queue, with->write_only, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, INVALID_OPERATION, READ(queue, with->no_access, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueReadBuffer, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           READ(queue, with->buffer, 0, 4, host, 1, &failed));
    CHECK(clReleaseEvent(failed));
}

static void try_writes(const good *with)
{
    char host[8] = "";
    cl_command_queue queue = with->rig.queue;
    cl_event failed = failed_event(with);
#define WRITE(queue, buffer, offset, bytes, host, count, list)                                                         \
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, bytes, host, count, list, NULL)
    EXPECT(clEnqueueWriteBuffer, INVALID_COMMAND_QUEUE,
           WRITE(AS(cl_command_queue, with->buffer), with->buffer, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_CONTEXT, WRITE(queue, with->other_buffer, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_CONTEXT, WRITE(queue, with->buffer, 0, 4, host, 1, &with->other_event));
    EXPECT(clEnqueueWriteBuffer, INVALID_MEM_OBJECT, WRITE(queue, AS(cl_mem, with->kernel), 0, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_VALUE, WRITE(queue, with->buffer, BUFFER_BYTES - 3, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_VALUE, WRITE(queue, with->buffer, 0, 4, NULL, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_VALUE, WRITE(queue, with->buffer, 0, 0, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_EVENT_WAIT_LIST, WRITE(queue, with->buffer, 0, 4, host, 1, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_OPERATION, WRITE(queue, with->read_only, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, INVALID_OPERATION, WRITE(queue, with->no_access, 0, 4, host, 0, NULL));
    EXPECT(clEnqueueWriteBuffer, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           WRITE(queue, with->buffer, 0, 4, host, 1, &failed));
    CHECK(clReleaseEvent(failed));
}

/* ---- Within the device --------------------------------------------------------------------------------------------------------- */

static void try_device_copies(const good *with)
{
    cl_command_queue queue = with->rig.queue;
    cl_mem buffer = with->buffer, to = with->read_only;
#define COPY(queue, from, to, from_offset, to_offset, bytes, count, list)                                              \
    clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, bytes, count, list, NULL)
    EXPECT(clEnqueueCopyBuffer, INVALID_COMMAND_QUEUE,
           COPY(AS(cl_command_queue, buffer), buffer, to, 0, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_CONTEXT, COPY(queue, with->other_buffer, to, 0, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_CONTEXT, COPY(queue, buffer, with->other_buffer, 0, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_CONTEXT, COPY(queue, buffer, to, 0, 0, 4, 1, &with->other_event));
    EXPECT(clEnqueueCopyBuffer, INVALID_MEM_OBJECT, COPY(queue, AS(cl_mem, with->kernel), to, 0, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_MEM_OBJECT, COPY(queue, buffer, AS(cl_mem, with->kernel), 0, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_VALUE, COPY(queue, buffer, to, BUFFER_BYTES - 3, 0, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_VALUE, COPY(queue, buffer, to, 0, BUFFER_BYTES - 3, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, INVALID_EVENT_WAIT_LIST, COPY(queue, buffer, to, 0, 0, 4, 1, NULL));
    EXPECT(clEnqueueCopyBuffer, MEM_COPY_OVERLAP, COPY(queue, buffer, buffer, 0, 3, 4, 0, NULL));
    EXPECT(clEnqueueCopyBuffer, SUCCESS, COPY(queue, buffer, buffer, 0, 4, 4, 0, NULL));
}

static void try_fills(const good *with)
{
    static const char pattern[128];
    cl_command_queue queue = with->rig.queue;
#define FILL(queue, buffer, pattern, pattern_bytes, offset, bytes, count, list)                                        \
    clEnqueueFillBuffer(queue, buffer, pattern, pattern_bytes, offset, bytes, count, list, NULL)
    EXPECT(clEnqueueFillBuffer, INVALID_COMMAND_QUEUE,
           FILL(AS(cl_command_queue, with->buffer), with->buffer, pattern, 4, 0, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_CONTEXT, FILL(queue, with->other_buffer, pattern, 4, 0, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_CONTEXT, FILL(queue, with->buffer, pattern, 4, 0, 8, 1, &with->other_event));
    EXPECT(clEnqueueFillBuffer, INVALID_MEM_OBJECT, FILL(queue, AS(cl_mem, with->kernel), pattern, 4, 0, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 4, BUFFER_BYTES, 4, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, NULL, 4, 0, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 0, 0, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 3, 0, 9, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 256, 0, 256, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 4, 2, 8, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_VALUE, FILL(queue, with->buffer, pattern, 4, 0, 6, 0, NULL));
    EXPECT(clEnqueueFillBuffer, INVALID_EVENT_WAIT_LIST, FILL(queue, with->buffer, pattern, 4, 0, 8, 1, NULL));
}

static void try_migrations(const good *with)
{
    cl_command_queue queue = with->rig.queue;
    cl_mem wrong = AS(cl_mem, with->kernel);
#define MIGRATE(queue, count, buffers, flags, waits, list)                                                             \
    clEnqueueMigrateMemObjects(queue, count, buffers, flags, waits, list, NULL)
    EXPECT(clEnqueueMigrateMemObjects, INVALID_COMMAND_QUEUE,
           MIGRATE(AS(cl_command_queue, with->buffer), 1, &with->buffer, 0, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_CONTEXT, MIGRATE(queue, 1, &with->other_buffer, 0, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_CONTEXT, MIGRATE(queue, 1, &with->buffer, 0, 1, &with->other_event));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_MEM_OBJECT, MIGRATE(queue, 1, &wrong, 0, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_VALUE, MIGRATE(queue, 0, &with->buffer, 0, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_VALUE, MIGRATE(queue, 1, NULL, 0, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_VALUE, MIGRATE(queue, 1, &with->buffer, 1u << 20, 0, NULL));
    EXPECT(clEnqueueMigrateMemObjects, INVALID_EVENT_WAIT_LIST, MIGRATE(queue, 1, &with->buffer, 0, 1, NULL));
}

void try_transfers(const good *with)
{
    try_reads(with);
    try_writes(with);
    try_device_copies(with);
    try_fills(with);
    try_migrations(with);
}
