/* SPDX-License-Identifier: MIT */
/* Copies of rectangular regions: an operation for each piece that is contiguous on both sides. */
#include "entries.h"
#include "runtime.h"
#include "transfer.h"

/* Where a region lies in memory. */
typedef struct layout {
    const size_t *origin;
    size_t row_pitch;
    size_t slice_pitch;
} layout;

typedef struct rectangle {
    const size_t *region; /* bytes, rows, slices */
    layout from, to;
} rectangle;

/* Pitches of 0 are those of the region itself. */
static cl_int complete(layout *at, const size_t *region)
{
    if (!at->row_pitch)
        at->row_pitch = region[0];
    if (at->row_pitch < region[0])
        return CL_INVALID_VALUE;
    size_t slice;
    if (__builtin_mul_overflow(region[1], at->row_pitch, &slice))
        return CL_INVALID_VALUE;
    if (!at->slice_pitch)
        at->slice_pitch = slice;
    return at->slice_pitch < slice || at->slice_pitch % at->row_pitch ? CL_INVALID_VALUE : CL_SUCCESS;
}

static size_t offset_of(const layout *at, size_t row, size_t slice)
{
    return (at->origin[2] + slice) * at->slice_pitch + (at->origin[1] + row) * at->row_pitch + at->origin[0];
}

static cl_int check_shape(rectangle *asked)
{
    const size_t *region = asked->region;
    if (!region || !asked->from.origin || !asked->to.origin || !region[0] || !region[1] || !region[2])
        return CL_INVALID_VALUE;
    const cl_int error = complete(&asked->from, region);
    return error ? error : complete(&asked->to, region);
}

/* The end of a row, as far as it is at most `limit`. */
static int ends_within(const layout *at, const size_t *region, size_t row, size_t slice, size_t limit)
{
    size_t slices, rows, bytes;
    return !__builtin_add_overflow(at->origin[2], slice, &slices) &&
           !__builtin_mul_overflow(slices, at->slice_pitch, &slices) &&
           !__builtin_add_overflow(at->origin[1], row, &rows) && !__builtin_mul_overflow(rows, at->row_pitch, &rows) &&
           !__builtin_add_overflow(at->origin[0], region[0], &bytes) && !__builtin_add_overflow(bytes, rows, &bytes) &&
           !__builtin_add_overflow(bytes, slices, &bytes) && bytes <= limit;
}

static cl_int check_inside(cl_mem buffer, const layout *at, const size_t *region)
{
    return ends_within(at, region, region[1] - 1, region[2] - 1, buffer->bytes) ? CL_SUCCESS : CL_INVALID_VALUE;
}

typedef struct region_part {
    size_t from, to, bytes;
} region_part;

/* Calls `add` for each piece: rows, or slices where rows are dense, or all where slices are too. */
static cl_int for_each_part(const rectangle *asked, cl_int (*add)(void *about, const region_part *part), void *about)
{
    const size_t *region = asked->region;
    const int has_dense_rows = asked->from.row_pitch == region[0] && asked->to.row_pitch == region[0];
    const size_t slice = region[0] * region[1];
    const int is_dense = has_dense_rows && asked->from.slice_pitch == slice && asked->to.slice_pitch == slice;
    const size_t rows = has_dense_rows ? 1 : region[1], slices = is_dense ? 1 : region[2];
    const size_t bytes = region[0] * (region[1] / rows) * (region[2] / slices);
    cl_int error = CL_SUCCESS;
    for (size_t z = 0; z < slices && !error; z++)
        for (size_t y = 0; y < rows && !error; y++)
            error = add(about, &(region_part){offset_of(&asked->from, y, z), offset_of(&asked->to, y, z), bytes});
    return error;
}

/* ---- Between host and device --------------------------------------------------------------------------------------------- */

typedef struct host_copy {
    cl_event command;
    cl_mem buffer;
    device_operation_kind kind;
    uint8_t *host;
} host_copy;

static cl_int add_host_part(void *about, const region_part *part)
{
    const host_copy *to = about;
    const int reads = to->kind == DEVICE_READ;
    const device_operation operation = transfer_operation(to->buffer, to->kind, reads ? part->from : part->to,
                                                          part->bytes, to->host + (reads ? part->to : part->from));
    return command_add(to->command, &operation);
}

static cl_int copy_host(cl_command_queue queue, host_copy *asked, rectangle *shape, cl_bool blocks, cl_uint count,
                        const cl_event *list, cl_event *event)
{
    const int reads = asked->kind == DEVICE_READ;
    cl_int error = memory_check(queue, asked->buffer);
    if (!error)
        error = asked->host ? check_shape(shape) : CL_INVALID_VALUE;
    if (!error)
        error = check_inside(asked->buffer, reads ? &shape->from : &shape->to, shape->region);
    if (!error)
        error = transfer_check_host(asked->buffer, asked->kind);
    if (!error)
        asked->command =
            command_new(queue, reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, count, list, &error);
    if (!asked->command)
        return error;
    error = memory_use(asked->command, asked->buffer);
    if (!error)
        error = for_each_part(shape, add_host_part, asked);
    return command_enqueue(asked->command, error, blocks, event);
}

cl_int CL_API_CALL opencl_enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                                   const size_t *buffer_origin, const size_t *host_origin,
                                                   const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                   size_t host_row, size_t host_slice, void *host, cl_uint count,
                                                   const cl_event *list, cl_event *event)
{
    runtime_enter();
    rectangle shape = {region, {buffer_origin, buffer_row, buffer_slice}, {host_origin, host_row, host_slice}};
    return runtime_leave(
        copy_host(queue, &(host_copy){NULL, buffer, DEVICE_READ, host}, &shape, blocks, count, list, event));
}

cl_int CL_API_CALL opencl_enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                                    const size_t *buffer_origin, const size_t *host_origin,
                                                    const size_t *region, size_t buffer_row, size_t buffer_slice,
                                                    size_t host_row, size_t host_slice, const void *host, cl_uint count,
                                                    const cl_event *list, cl_event *event)
{
    runtime_enter();
    rectangle shape = {region, {host_origin, host_row, host_slice}, {buffer_origin, buffer_row, buffer_slice}};
    return runtime_leave(copy_host(queue, &(host_copy){NULL, buffer, DEVICE_WRITE, (uint8_t *)(uintptr_t)host}, &shape,
                                   blocks, count, list, event));
}

/* ---- Within the device ------------------------------------------------------------------------------------------------------ */

typedef struct device_copy {
    cl_event command;
    cl_mem from, to;
} device_copy;

static cl_int add_device_part(void *about, const region_part *part)
{
    const device_copy *copy = about;
    return command_add(copy->command, &(device_operation){.kind = DEVICE_COPY,
                                                          .from = copy->from->address + (uint32_t)part->from,
                                                          .to = copy->to->address + (uint32_t)part->to,
                                                          .bytes = part->bytes});
}

/* Is a part read and also written? The rows of each side come in the order of their addresses. */
static int overlap(const device_copy *copy, const rectangle *shape)
{
    const size_t width = shape->region[0], rows = shape->region[1], count = rows * shape->region[2];
    size_t i = 0, k = 0;
    while (i < count && k < count) {
        const uint64_t from = copy->from->address + offset_of(&shape->from, i % rows, i / rows);
        const uint64_t to = copy->to->address + offset_of(&shape->to, k % rows, k / rows);
        if (from < to + width && to < from + width)
            return 1;
        if (from < to)
            i++;
        else
            k++;
    }
    return 0;
}

static int is_same_memory(const device_copy *copy)
{
    const uint64_t from = copy->from->address, to = copy->to->address;
    return from < to + copy->to->bytes && to < from + copy->from->bytes;
}

static cl_int check_device_copy(cl_command_queue queue, const device_copy *copy, rectangle *shape)
{
    cl_int error = memory_check(queue, copy->from);
    if (!error)
        error = memory_check(queue, copy->to);
    if (!error)
        error = check_shape(shape);
    if (!error)
        error = check_inside(copy->from, &shape->from, shape->region);
    if (!error)
        error = check_inside(copy->to, &shape->to, shape->region);
    if (error || !is_same_memory(copy))
        return error;
    if (copy->from == copy->to &&
        (shape->from.row_pitch != shape->to.row_pitch || shape->from.slice_pitch != shape->to.slice_pitch))
        return CL_INVALID_VALUE;
    return overlap(copy, shape) ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

static cl_int copy_device(cl_command_queue queue, device_copy *copy, rectangle *shape, cl_uint count,
                          const cl_event *list, cl_event *event)
{
    cl_int error = check_device_copy(queue, copy, shape);
    if (!error)
        copy->command = command_new(queue, CL_COMMAND_COPY_BUFFER_RECT, count, list, &error);
    if (!copy->command)
        return error;
    error = memory_use(copy->command, copy->from);
    if (!error)
        error = memory_use(copy->command, copy->to);
    if (!error)
        error = for_each_part(shape, add_device_part, copy);
    return command_enqueue(copy->command, error, CL_FALSE, event);
}

cl_int CL_API_CALL opencl_enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                   const size_t *from_origin, const size_t *to_origin,
                                                   const size_t *region, size_t from_row, size_t from_slice,
                                                   size_t to_row, size_t to_slice, cl_uint count, const cl_event *list,
                                                   cl_event *event)
{
    runtime_enter();
    rectangle shape = {region, {from_origin, from_row, from_slice}, {to_origin, to_row, to_slice}};
    return runtime_leave(copy_device(queue, &(device_copy){NULL, from, to}, &shape, count, list, event));
}
