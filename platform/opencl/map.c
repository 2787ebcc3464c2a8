/* SPDX-License-Identifier: MIT */
/* Mapping: the host works on a shadow of the buffer, which a map reads and an unmap writes. */
#include <stdlib.h>

#include "entries.h"
#include "runtime.h"
#include "transfer.h"

#define SHADOW_ALIGNMENT 4096u

typedef struct mapping {
    struct mapping *next;
    uint8_t *pointer;
    size_t offset; /* in the whole buffer */
    size_t bytes;
    int is_written; /* unmapping writes it */
} mapping;

/* All maps of a byte are at one place. */
static uint8_t *shadow_of(cl_mem whole)
{
    if (!whole->shadow) {
        const size_t bytes = (whole->bytes + SHADOW_ALIGNMENT - 1) / SHADOW_ALIGNMENT * SHADOW_ALIGNMENT;
        whole->shadow = aligned_alloc(SHADOW_ALIGNMENT, bytes);
        whole->owns_shadow = whole->shadow != NULL;
    }
    return whole->shadow;
}

void memory_drop_mappings(cl_mem gone)
{
    while (gone->mappings) {
        mapping *next = gone->mappings->next;
        free(gone->mappings);
        gone->mappings = next;
    }
}

/* ---- Map -------------------------------------------------------------------------------------------------------------- */

static cl_int check_flags(const struct _cl_mem *buffer, cl_map_flags flags)
{
    static const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if (flags & ~(CL_MAP_READ | writes) ||
        (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return CL_INVALID_VALUE;
    cl_int error = flags & CL_MAP_READ ? transfer_check_host(buffer, DEVICE_READ) : CL_SUCCESS;
    if (!error && flags & writes)
        error = transfer_check_host(buffer, DEVICE_WRITE);
    return error;
}

/* What is written is read before: the program may write a part of it only. */
static cl_int add_read(cl_event command, cl_mem buffer, const mapping *made, size_t offset, cl_map_flags flags)
{
    const device_operation operation = transfer_operation(buffer, DEVICE_READ, offset, made->bytes, made->pointer);
    return flags & (CL_MAP_READ | CL_MAP_WRITE) ? command_add(command, &operation) : CL_SUCCESS;
}

static mapping *mapping_new(cl_mem buffer, cl_map_flags flags, size_t offset, size_t bytes)
{
    uint8_t *shadow = shadow_of(memory_whole(buffer));
    mapping *made = shadow ? malloc(sizeof *made) : NULL;
    if (made)
        *made = (mapping){.pointer = shadow + buffer->offset + offset,
                          .offset = buffer->offset + offset,
                          .bytes = bytes,
                          .is_written = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
    return made;
}

/* It is there from now on: the program may unmap it before it has been read. */
static void keep(cl_mem buffer, mapping *made)
{
    made->next = buffer->mappings;
    buffer->mappings = made;
    buffer->map_count++;
}

typedef struct map_request {
    cl_command_queue queue;
    cl_mem buffer;
    cl_bool blocks;
    cl_map_flags flags;
    size_t offset;
    size_t bytes;
} map_request;

static void *map(const map_request *asked, cl_uint count, const cl_event *list, cl_event *event, cl_int *error)
{
    cl_mem buffer = asked->buffer;
    *error = memory_check(asked->queue, buffer);
    if (!*error)
        *error = memory_check_range(buffer, asked->offset, asked->bytes);
    if (!*error)
        *error = check_flags(buffer, asked->flags);
    cl_event command = *error ? NULL : command_new(asked->queue, CL_COMMAND_MAP_BUFFER, count, list, error);
    if (!command)
        return NULL;
    mapping *made = mapping_new(buffer, asked->flags, asked->offset, asked->bytes);
    *error = made ? memory_use(command, buffer) : CL_OUT_OF_HOST_MEMORY;
    if (!*error)
        *error = add_read(command, buffer, made, asked->offset, asked->flags);
    object_hold(buffer); /* others may act while it blocks */
    *error = command_enqueue(command, *error, asked->blocks, event);
    if (*error) {
        free(made);
        made = NULL;
    } else {
        keep(buffer, made);
    }
    object_drop(buffer);
    return made ? made->pointer : NULL;
}

void *CL_API_CALL opencl_enqueue_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags,
                                            size_t offset, size_t bytes, cl_uint count, const cl_event *list,
                                            cl_event *event, cl_int *error)
{
    cl_int result;
    runtime_enter();
    void *pointer = map(&(map_request){queue, buffer, blocks, flags, offset, bytes}, count, list, event, &result);
    return opencl_made(pointer, result, error);
}

/* ---- Unmap ------------------------------------------------------------------------------------------------------------- */

static mapping **find(cl_mem buffer, const void *pointer)
{
    mapping **at = &buffer->mappings;
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    return *at ? at : NULL;
}

static cl_int add_write(cl_event command, cl_mem buffer, const mapping *gone)
{
    const device_operation operation =
        transfer_operation(buffer, DEVICE_WRITE, gone->offset - buffer->offset, gone->bytes, gone->pointer);
    return gone->is_written ? command_add(command, &operation) : CL_SUCCESS;
}

static cl_int unmap(cl_command_queue queue, cl_mem buffer, const void *pointer, cl_uint count, const cl_event *list,
                    cl_event *event)
{
    cl_int error = memory_check(queue, buffer);
    mapping **at = error ? NULL : find(buffer, pointer);
    if (!error && !at)
        error = CL_INVALID_VALUE;
    cl_event command = error ? NULL : command_new(queue, CL_COMMAND_UNMAP_MEM_OBJECT, count, list, &error);
    if (!command)
        return error;
    error = memory_use(command, buffer);
    if (!error)
        error = add_write(command, buffer, *at);
    error = command_enqueue(command, error, CL_FALSE, event);
    if (error)
        return error;
    mapping *gone = *at;
    *at = gone->next;
    free(gone);
    buffer->map_count--;
    return CL_SUCCESS;
}

cl_int CL_API_CALL opencl_enqueue_unmap_mem_object(cl_command_queue queue, cl_mem buffer, void *pointer, cl_uint count,
                                                   const cl_event *list, cl_event *event)
{
    runtime_enter();
    return runtime_leave(unmap(queue, buffer, pointer, count, list, event));
}
