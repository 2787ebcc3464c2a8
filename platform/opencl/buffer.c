/* SPDX-License-Identifier: MIT */
/* Buffers and sub-buffers. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "runtime.h"

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define POINTER_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
#define HOST_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

static const info_row rows[] = {
    INFO_FIELD(CL_MEM_TYPE, struct _cl_mem, type),
    INFO_FIELD(CL_MEM_FLAGS, struct _cl_mem, flags),
    INFO_FIELD(CL_MEM_SIZE, struct _cl_mem, bytes),
    INFO_FIELD(CL_MEM_HOST_PTR, struct _cl_mem, host_pointer),
    INFO_FIELD(CL_MEM_MAP_COUNT, struct _cl_mem, map_count),
    INFO_FIELD(CL_MEM_REFERENCE_COUNT, struct _cl_mem, base.references),
    INFO_FIELD(CL_MEM_CONTEXT, struct _cl_mem, context),
    INFO_FIELD(CL_MEM_ASSOCIATED_MEMOBJECT, struct _cl_mem, parent),
    INFO_FIELD(CL_MEM_OFFSET, struct _cl_mem, offset),
};

/* ---- What commands ask ------------------------------------------------------------------------------------------------- */

cl_int memory_check(cl_command_queue queue, cl_mem buffer)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(buffer, OBJECT_MEMORY))
        return CL_INVALID_MEM_OBJECT;
    return buffer->context == queue->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int memory_check_range(cl_mem buffer, size_t offset, size_t bytes)
{
    return bytes && offset <= buffer->bytes && bytes <= buffer->bytes - offset ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_mem memory_whole(cl_mem buffer)
{
    return buffer->parent ? buffer->parent : buffer;
}

cl_int memory_use(cl_event command, cl_mem buffer)
{
    cl_mem whole = memory_whole(buffer);
    const cl_int error = command_use(command, buffer);
    const int is_there = !whole->first_write || event_has_ended(whole->first_write);
    return error || is_there ? error : command_wait_for(command, whole->first_write, 1);
}

/* ---- Device memory --------------------------------------------------------------------------------------------------------- */

/* Addresses that nobody has any more, until nothing in a lane may use them. */
static struct gone_memory {
    uint32_t *addresses;
    uint32_t count;
    uint32_t room;
} gone_memory;

static void free_gone_if_idle(void)
{
    while (gone_memory.count && scheduler_is_idle())
        device_free(opencl_device.machine, gone_memory.addresses[--gone_memory.count]);
}

static void free_later(uint32_t address)
{
    if (gone_memory.count == gone_memory.room) {
        const uint32_t room = 2 * gone_memory.room + 16;
        uint32_t *grown = realloc(gone_memory.addresses, room * sizeof *grown);
        if (!grown)
            return; /* lost to the device; the process has other cares */
        gone_memory.addresses = grown;
        gone_memory.room = room;
    }
    gone_memory.addresses[gone_memory.count++] = address;
    free_gone_if_idle();
}

static int is_idle(void *unused)
{
    (void)unused;
    return scheduler_is_idle();
}

/* When there is no more, what commands still use of what the program has released is waited for. */
static cl_int allocate(size_t bytes, uint32_t *address)
{
    free_gone_if_idle();
    device_error error = device_allocate(opencl_device.machine, bytes, address);
    if (error == DEVICE_NO_MEMORY && !scheduler_is_idle()) {
        scheduler_wait(is_idle, NULL);
        free_gone_if_idle();
        error = device_allocate(opencl_device.machine, bytes, address);
    }
    return opencl_error_of(error);
}

/* ---- Life --------------------------------------------------------------------------------------------------------------------- */

static int has_one_at_most(cl_mem_flags flags)
{
    return !(flags & (flags - 1));
}

int memory_are_flags_good(cl_mem_flags flags)
{
    const cl_mem_flags pointers = flags & POINTER_FLAGS;
    return !(flags & ~(ACCESS_FLAGS | POINTER_FLAGS | HOST_FLAGS)) && has_one_at_most(flags & ACCESS_FLAGS) &&
           has_one_at_most(flags & HOST_FLAGS) && !(pointers & CL_MEM_USE_HOST_PTR && pointers != CL_MEM_USE_HOST_PTR);
}

static cl_int check_new(cl_context context, cl_mem_flags flags, size_t bytes, const void *host)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!memory_are_flags_good(flags))
        return CL_INVALID_VALUE;
    if (!bytes || bytes > opencl_device.limits.largest_allocation)
        return CL_INVALID_BUFFER_SIZE;
    const int needs_host = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    return needs_host == (host != NULL) ? scheduler_state() : CL_INVALID_HOST_PTR;
}

static cl_mem make(cl_context context, cl_mem_flags flags, size_t bytes, void *host)
{
    cl_mem made = object_new(sizeof *made, OBJECT_MEMORY);
    if (!made)
        return NULL;
    object_hold(context);
    made->context = context;
    made->type = CL_MEM_OBJECT_BUFFER;
    made->flags = flags & ACCESS_FLAGS ? flags : flags | CL_MEM_READ_WRITE;
    made->bytes = bytes;
    made->host_pointer = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    return made;
}

/* The first contents come from a copy of what the program has there now: it may change it when the call is over. */
static cl_int write_first(cl_mem buffer, const void *host)
{
    cl_int error;
    cl_event command = command_new(buffer->context->own_queue, CL_COMMAND_WRITE_BUFFER, 0, NULL, &error);
    if (!command)
        return error;
    command->staging = malloc(buffer->bytes);
    if (!command->staging)
        error = CL_OUT_OF_HOST_MEMORY;
    else
        memcpy(command->staging, host, buffer->bytes);
    if (!error)
        error = command_add(command, &(device_operation){.kind = DEVICE_WRITE,
                                                         .to = buffer->address,
                                                         .host = command->staging,
                                                         .bytes = buffer->bytes});
    error = command_enqueue(command, error, CL_FALSE, &buffer->first_write);
    return error;
}

static cl_int set_up(cl_mem buffer, void *host)
{
    cl_int error = allocate(buffer->bytes, &buffer->address);
    if (!error && host)
        error = context_open_queue(buffer->context);
    if (!error && host)
        error = write_first(buffer, host);
    if (buffer->flags & CL_MEM_USE_HOST_PTR)
        buffer->shadow = host;
    return error;
}

static cl_mem create(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error)
{
    if ((*error = check_new(context, flags, bytes, host)))
        return NULL;
    cl_mem made = make(context, flags, bytes, host);
    if (!made) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    if ((*error = set_up(made, host))) {
        object_release(made, OBJECT_MEMORY);
        return NULL;
    }
    return made;
}

cl_mem CL_API_CALL opencl_create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error)
{
    cl_int result;
    runtime_enter();
    cl_mem made = create(context, flags, bytes, host, &result);
    return opencl_made(made, result, error);
}

cl_mem CL_API_CALL opencl_create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, size_t bytes, void *host, cl_int *error)
{
    if (!properties || !*properties)
        return opencl_create_buffer(context, flags, bytes, host, error);
    runtime_enter();
    return opencl_made(NULL, object_is(context, OBJECT_CONTEXT) ? CL_INVALID_PROPERTY : CL_INVALID_CONTEXT, error);
}

static void call_destructors(cl_mem gone)
{
    while (gone->destructors) {
        callback *due = gone->destructors;
        gone->destructors = due->next;
        runtime_call_later(due);
    }
}

void memory_destroy(cl_mem gone)
{
    call_destructors(gone);
    memory_drop_mappings(gone);
    if (gone->owns_shadow)
        free(gone->shadow);
    if (gone->first_write)
        object_release(gone->first_write, OBJECT_EVENT);
    if (!gone->parent && gone->address)
        free_later(gone->address);
    object_drop(gone->parent);
    object_drop(gone->context);
}

cl_int CL_API_CALL opencl_retain_mem_object(cl_mem buffer)
{
    runtime_enter();
    return runtime_leave(object_retain(buffer, OBJECT_MEMORY));
}

cl_int CL_API_CALL opencl_release_mem_object(cl_mem buffer)
{
    runtime_enter();
    return runtime_leave(object_release(buffer, OBJECT_MEMORY));
}

cl_int CL_API_CALL opencl_get_mem_object_info(cl_mem buffer, cl_mem_info query, size_t size, void *value,
                                              size_t *size_needed)
{
    runtime_enter();
    return runtime_leave(object_is(buffer, OBJECT_MEMORY)
                             ? INFO_LOOK_UP(&((info_answer){size, value, size_needed}), rows, query, buffer)
                             : CL_INVALID_MEM_OBJECT);
}

static cl_int add_destructor(cl_mem buffer, void(CL_CALLBACK *function)(cl_mem, void *), void *data)
{
    callback *added = calloc(1, sizeof *added);
    if (!added)
        return CL_OUT_OF_HOST_MEMORY;
    *added = (callback){.next = buffer->destructors, /* the latest is called first */
                        .form = CALLBACK_MEMORY,
                        .handle = buffer,
                        .data = data,
                        .function.memory = function};
    buffer->destructors = added;
    return CL_SUCCESS;
}

cl_int CL_API_CALL opencl_set_mem_object_destructor_callback(cl_mem buffer, void(CL_CALLBACK *function)(cl_mem, void *),
                                                             void *data)
{
    runtime_enter();
    if (!object_is(buffer, OBJECT_MEMORY))
        return runtime_leave(CL_INVALID_MEM_OBJECT);
    return runtime_leave(function ? add_destructor(buffer, function, data) : CL_INVALID_VALUE);
}

/* ---- Sub-buffers ------------------------------------------------------------------------------------------------------------ */

/* Flags that are not given are those of the whole. */
static cl_mem_flags inherit(cl_mem_flags flags, cl_mem_flags whole)
{
    if (!(flags & ACCESS_FLAGS))
        flags |= whole & ACCESS_FLAGS;
    if (!(flags & HOST_FLAGS))
        flags |= whole & HOST_FLAGS;
    return flags | (whole & POINTER_FLAGS);
}

/* What the program or the host may not do with the whole, it may not do with a part. */
static int widens(cl_mem_flags flags, cl_mem_flags whole)
{
    return (whole & CL_MEM_WRITE_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) ||
           (whole & CL_MEM_READ_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) ||
           (whole & CL_MEM_HOST_WRITE_ONLY && flags & CL_MEM_HOST_READ_ONLY) ||
           (whole & CL_MEM_HOST_READ_ONLY && flags & CL_MEM_HOST_WRITE_ONLY) ||
           (whole & CL_MEM_HOST_NO_ACCESS && flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
}

static cl_int check_part(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const cl_buffer_region *region)
{
    if (!object_is(whole, OBJECT_MEMORY) || whole->parent)
        return CL_INVALID_MEM_OBJECT;
    if (!memory_are_flags_good(flags) || flags & POINTER_FLAGS || widens(flags, whole->flags) ||
        type != CL_BUFFER_CREATE_TYPE_REGION || !region)
        return CL_INVALID_VALUE;
    if (!region->size)
        return CL_INVALID_BUFFER_SIZE;
    if (memory_check_range(whole, region->origin, region->size))
        return CL_INVALID_VALUE;
    return region->origin % OPENCL_ALIGNMENT_BYTES ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

cl_mem CL_API_CALL opencl_create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error)
{
    const cl_buffer_region *part = region;
    runtime_enter();
    const cl_int result = check_part(whole, flags, type, part);
    if (result)
        return opencl_made(NULL, result, error);
    cl_mem made = make(whole->context, inherit(flags, whole->flags), part->size, NULL);
    if (!made)
        return opencl_made(NULL, CL_OUT_OF_HOST_MEMORY, error);
    object_hold(whole);
    made->parent = whole;
    made->offset = part->origin;
    made->address = whole->address + (uint32_t)part->origin;
    made->host_pointer = whole->host_pointer ? (uint8_t *)whole->host_pointer + part->origin : NULL;
    return opencl_made(made, CL_SUCCESS, error);
}
