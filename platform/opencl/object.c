/* SPDX-License-Identifier: MIT */
#include "runtime.h"

#include <stdlib.h>

typedef struct kind_row {
    cl_int error;
    void (*destroy)(void *gone);
} kind_row;

/* Each frees what the object owns, not the object. */
static void destroy_context(void *gone)
{
    context_destroy(gone);
}

static void destroy_queue(void *gone)
{
    queue_destroy(gone);
}

static void destroy_memory(void *gone)
{
    memory_destroy(gone);
}

static void destroy_program(void *gone)
{
    program_destroy(gone);
}

static void destroy_kernel(void *gone)
{
    kernel_destroy(gone);
}

static void destroy_event(void *gone)
{
    event_destroy(gone);
}

/* Platform and device are not released. */
static const kind_row kinds[OBJECT_KINDS] = {
    [OBJECT_PLATFORM] = {CL_INVALID_PLATFORM, NULL},
    [OBJECT_DEVICE] = {CL_INVALID_DEVICE, NULL},
    [OBJECT_CONTEXT] = {CL_INVALID_CONTEXT, destroy_context},
    [OBJECT_QUEUE] = {CL_INVALID_COMMAND_QUEUE, destroy_queue},
    [OBJECT_MEMORY] = {CL_INVALID_MEM_OBJECT, destroy_memory},
    [OBJECT_PROGRAM] = {CL_INVALID_PROGRAM, destroy_program},
    [OBJECT_KERNEL] = {CL_INVALID_KERNEL, destroy_kernel},
    [OBJECT_EVENT] = {CL_INVALID_EVENT, destroy_event},
};

void *object_new(size_t bytes, object_kind kind)
{
    object *made = calloc(1, bytes);
    if (made)
        *made = (object){.dispatch = &opencl_dispatch, .kind = kind, .references = 1};
    return made;
}

int object_is(const void *handle, object_kind kind)
{
    const object *asked = handle;
    return asked && asked->kind == kind && asked->references;
}

cl_int object_error(object_kind kind)
{
    return kinds[kind].error;
}

static void end_if_unused(object *of)
{
    if (of->references || of->holders)
        return;
    of->holders = 1; /* destructors may hold and drop it */
    kinds[of->kind].destroy(of);
    of->kind = OBJECT_RELEASED;
    free(of);
}

void object_hold(void *held)
{
    ((object *)held)->holders++;
}

void object_drop(void *held)
{
    object *of = held;
    if (!of)
        return;
    of->holders--;
    end_if_unused(of);
}

cl_int object_retain(void *handle, object_kind kind)
{
    if (!object_is(handle, kind))
        return kinds[kind].error;
    ((object *)handle)->references++;
    return CL_SUCCESS;
}

cl_int object_release(void *handle, object_kind kind)
{
    object *of = handle;
    if (!object_is(handle, kind))
        return kinds[kind].error;
    of->references--;
    end_if_unused(of);
    return CL_SUCCESS;
}
