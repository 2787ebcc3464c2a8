/* SPDX-License-Identifier: MIT */
/* Copies and fills of ranges of buffers. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "runtime.h"
#include "transfer.h"

/* ---- Between host and device ------------------------------------------------------------------------------------------- */

cl_int transfer_check_host(const struct _cl_mem *buffer, device_operation_kind kind)
{
    const cl_mem_flags refused = kind == DEVICE_READ ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY;
    return buffer->flags & (refused | CL_MEM_HOST_NO_ACCESS) ? CL_INVALID_OPERATION : CL_SUCCESS;
}

device_operation transfer_operation(const struct _cl_mem *buffer, device_operation_kind kind, size_t offset,
                                    size_t bytes, void *host)
{
    const uint32_t address = buffer->address + (uint32_t)offset;
    return (device_operation){.kind = kind, .to = address, .from = address, .host = host, .bytes = bytes};
}

typedef struct host_transfer {
    cl_command_queue queue;
    cl_mem buffer;
    cl_bool blocks;
    size_t offset;
    size_t bytes;
    void *host;
} host_transfer;

static cl_int transfer(const host_transfer *asked, device_operation_kind kind, cl_command_type type, cl_uint count,
                       const cl_event *list, cl_event *event)
{
    cl_int error = memory_check(asked->queue, asked->buffer);
    if (!error)
        error = memory_check_range(asked->buffer, asked->offset, asked->bytes);
    if (!error && !asked->host)
        error = CL_INVALID_VALUE;
    if (!error)
        error = transfer_check_host(asked->buffer, kind);
    cl_event command = error ? NULL : command_new(asked->queue, type, count, list, &error);
    if (!command)
        return error;
    const device_operation operation =
        transfer_operation(asked->buffer, kind, asked->offset, asked->bytes, asked->host);
    error = memory_use(command, asked->buffer);
    if (!error)
        error = command_add(command, &operation);
    return command_enqueue(command, error, asked->blocks, event);
}

cl_int CL_API_CALL opencl_enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                                              size_t bytes, void *host, cl_uint count, const cl_event *list,
                                              cl_event *event)
{
    runtime_enter();
    return runtime_leave(transfer(&(host_transfer){queue, buffer, blocks, offset, bytes, host}, DEVICE_READ,
                                  CL_COMMAND_READ_BUFFER, count, list, event));
}

cl_int CL_API_CALL opencl_enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                                               size_t bytes, const void *host, cl_uint count, const cl_event *list,
                                               cl_event *event)
{
    runtime_enter();
    return runtime_leave(transfer(&(host_transfer){queue, buffer, blocks, offset, bytes, (void *)(uintptr_t)host},
                                  DEVICE_WRITE, CL_COMMAND_WRITE_BUFFER, count, list, event));
}

/* ---- Within the device --------------------------------------------------------------------------------------------------- */

static int overlap(const struct _cl_mem *from, size_t from_offset, const struct _cl_mem *to, size_t to_offset,
                   size_t bytes)
{
    const uint64_t a = from->address + from_offset, b = to->address + to_offset;
    return a < b + bytes && b < a + bytes;
}

static cl_int check_copy(cl_command_queue queue, cl_mem from, cl_mem to)
{
    const cl_int error = memory_check(queue, from);
    return error ? error : memory_check(queue, to);
}

static cl_int copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,
                   cl_uint count, const cl_event *list, cl_event *event)
{
    cl_int error = check_copy(queue, from, to);
    if (!error && (memory_check_range(from, from_offset, bytes) || memory_check_range(to, to_offset, bytes)))
        error = CL_INVALID_VALUE;
    if (!error && overlap(from, from_offset, to, to_offset, bytes))
        error = CL_MEM_COPY_OVERLAP;
    cl_event command = error ? NULL : command_new(queue, CL_COMMAND_COPY_BUFFER, count, list, &error);
    if (!command)
        return error;
    error = memory_use(command, from);
    if (!error)
        error = memory_use(command, to);
    if (!error)
        error = command_add(command, &(device_operation){.kind = DEVICE_COPY,
                                                         .from = from->address + (uint32_t)from_offset,
                                                         .to = to->address + (uint32_t)to_offset,
                                                         .bytes = bytes});
    return command_enqueue(command, error, CL_FALSE, event);
}

cl_int CL_API_CALL opencl_enqueue_copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                              size_t to_offset, size_t bytes, cl_uint count, const cl_event *list,
                                              cl_event *event)
{
    runtime_enter();
    return runtime_leave(copy(queue, from, to, from_offset, to_offset, bytes, count, list, event));
}

/* ---- Fills ---------------------------------------------------------------------------------------------------------------- */

static int is_pattern_size(size_t bytes)
{
    return bytes && bytes <= 128 && !(bytes & (bytes - 1));
}

static int is_one_byte(const uint8_t *pattern, size_t bytes)
{
    return bytes == 1 || !memcmp(pattern, pattern + 1, bytes - 1);
}

/* The device fills with a byte; what has more comes from the host, repeated. */
static cl_int add_fill(cl_event command, cl_mem buffer, const uint8_t *pattern, size_t pattern_bytes, size_t offset,
                       size_t bytes)
{
    device_operation operation = transfer_operation(buffer, DEVICE_FILL, offset, bytes, NULL);
    operation.value = pattern[0];
    if (is_one_byte(pattern, pattern_bytes))
        return command_add(command, &operation);
    uint8_t *repeated = command->staging = malloc(bytes);
    if (!repeated)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; at < bytes; at += pattern_bytes)
        memcpy(repeated + at, pattern, pattern_bytes);
    operation.kind = DEVICE_WRITE;
    operation.host = repeated;
    return command_add(command, &operation);
}

static cl_int fill(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset,
                   size_t bytes, cl_uint count, const cl_event *list, cl_event *event)
{
    cl_int error = memory_check(queue, buffer);
    if (!error)
        error = memory_check_range(buffer, offset, bytes);
    if (!error && (!pattern || !is_pattern_size(pattern_bytes) || offset % pattern_bytes || bytes % pattern_bytes))
        error = CL_INVALID_VALUE;
    cl_event command = error ? NULL : command_new(queue, CL_COMMAND_FILL_BUFFER, count, list, &error);
    if (!command)
        return error;
    error = memory_use(command, buffer);
    if (!error)
        error = add_fill(command, buffer, pattern, pattern_bytes, offset, bytes);
    return command_enqueue(command, error, CL_FALSE, event);
}

cl_int CL_API_CALL opencl_enqueue_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_bytes, size_t offset, size_t bytes, cl_uint count,
                                              const cl_event *list, cl_event *event)
{
    runtime_enter();
    return runtime_leave(fill(queue, buffer, pattern, pattern_bytes, offset, bytes, count, list, event));
}

/* ---- Migration: there is one device, and buffers are on it ------------------------------------------------------------------ */

static cl_int migrate(cl_command_queue queue, cl_uint buffer_count, const cl_mem *buffers, cl_mem_migration_flags flags,
                      cl_uint count, const cl_event *list, cl_event *event)
{
    cl_int error = object_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
    if (!error &&
        (!buffer_count || !buffers ||
         flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)))
        error = CL_INVALID_VALUE;
    for (cl_uint i = 0; i < buffer_count && !error; i++)
        error = memory_check(queue, buffers[i]);
    cl_event command = error ? NULL : command_new(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, list, &error);
    return command ? command_enqueue(command, error, CL_FALSE, event) : error;
}

cl_int CL_API_CALL opencl_enqueue_migrate_mem_objects(cl_command_queue queue, cl_uint buffer_count,
                                                      const cl_mem *buffers, cl_mem_migration_flags flags,
                                                      cl_uint count, const cl_event *list, cl_event *event)
{
    runtime_enter();
    return runtime_leave(migrate(queue, buffer_count, buffers, flags, count, list, event));
}
