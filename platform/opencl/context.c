/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "runtime.h"

static cl_context all;

static const info_row rows[] = {
    INFO_FIELD(CL_CONTEXT_REFERENCE_COUNT, struct _cl_context, base.references),
    INFO_FIELD(CL_CONTEXT_NUM_DEVICES, struct _cl_context, device_count),
    INFO_FIELD(CL_CONTEXT_DEVICES, struct _cl_context, device),
    INFO_LIST(CL_CONTEXT_PROPERTIES, struct _cl_context, properties),
};

/* The platform may be named, and who synchronises; once each. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count)
{
    int has_platform = 0, has_synchronisation = 0;
    const cl_context_properties *at = properties;
    for (; at && *at; at += 2) {
        int *has = *at == CL_CONTEXT_PLATFORM            ? &has_platform
                   : *at == CL_CONTEXT_INTEROP_USER_SYNC ? &has_synchronisation
                                                         : NULL;
        if (!has || (*has)++)
            return CL_INVALID_PROPERTY;
        if (has == &has_platform && !object_is((const void *)at[1], OBJECT_PLATFORM))
            return CL_INVALID_PLATFORM;
        if (has == &has_synchronisation && at[1] != CL_TRUE && at[1] != CL_FALSE)
            return CL_INVALID_PROPERTY;
    }
    *count = properties ? (size_t)(at - properties) + 1 : 0;
    return CL_SUCCESS;
}

static cl_context create(const cl_context_properties *properties,
                         void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                         cl_int *error)
{
    size_t count;
    if ((*error = !notify && data ? CL_INVALID_VALUE : check_properties(properties, &count)) ||
        (*error = opencl_open_device()))
        return NULL;
    cl_context made = object_new(sizeof *made, OBJECT_CONTEXT);
    void *kept = malloc(count * sizeof *properties + 1);
    if (!made || !kept) {
        free(made);
        free(kept);
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    if (count)
        memcpy(kept, properties, count * sizeof *properties);
    made->properties = (info_list){kept, count * sizeof *properties};
    made->device = &opencl_device;
    made->device_count = 1;
    made->notify = notify;
    made->notify_data = data;
    made->next = all;
    all = made;
    return made;
}

cl_context CL_API_CALL opencl_create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *data, cl_int *error)
{
    cl_context made = NULL;
    cl_int result = !count || !devices ? CL_INVALID_VALUE : opencl_check_devices(count, devices);
    runtime_enter();
    if (!result)
        made = create(properties, notify, data, &result);
    return opencl_made(made, result, error);
}

cl_context CL_API_CALL opencl_create_context_from_type(const cl_context_properties *properties, cl_device_type type,
                                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                                 void *),
                                                       void *data, cl_int *error)
{
    cl_context made = NULL;
    cl_int result = opencl_check_type(type);
    runtime_enter();
    if (!result)
        made = create(properties, notify, data, &result);
    return opencl_made(made, result, error);
}

/* The queue does not keep its context alive: they would keep each other. */
cl_int context_open_queue(cl_context context)
{
    cl_int error = CL_SUCCESS;
    if (context->own_queue)
        return error;
    context->own_queue = queue_new(context, 0, &error);
    if (context->own_queue)
        object_drop(context);
    return error;
}

static void close_queue(cl_context gone)
{
    if (!gone->own_queue)
        return;
    object_hold(gone); /* which the queue drops */
    object_release(gone->own_queue, OBJECT_QUEUE);
}

void context_destroy(cl_context gone)
{
    close_queue(gone);
    cl_context *at = &all;
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    free((void *)(uintptr_t)gone->properties.data);
    while (gone->destructors) {
        callback *due = gone->destructors;
        gone->destructors = due->next;
        runtime_call_later(due);
    }
}

static void tell(cl_context context, const char *text)
{
    callback *due = calloc(1, sizeof *due);
    char *copy = strdup(text);
    if (!due || !copy) {
        free(due);
        free(copy);
        return;
    }
    *due = (callback){
        .form = CALLBACK_NOTICE, .handle = copy, .data = context->notify_data, .function.notice = context->notify};
    runtime_call_later(due);
}

void context_complain(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "heddle: %s\n", text);
    for (cl_context at = all; at; at = at->next)
        if (at->notify)
            tell(at, text);
}

cl_int CL_API_CALL opencl_retain_context(cl_context context)
{
    runtime_enter();
    return runtime_leave(object_retain(context, OBJECT_CONTEXT));
}

cl_int CL_API_CALL opencl_release_context(cl_context context)
{
    runtime_enter();
    return runtime_leave(object_release(context, OBJECT_CONTEXT));
}

cl_int CL_API_CALL opencl_get_context_info(cl_context context, cl_context_info query, size_t size, void *value,
                                           size_t *size_needed)
{
    runtime_enter();
    return runtime_leave(object_is(context, OBJECT_CONTEXT)
                             ? INFO_LOOK_UP(&((info_answer){size, value, size_needed}), rows, query, context)
                             : CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL opencl_set_context_destructor_callback(cl_context context,
                                                          void(CL_CALLBACK *function)(cl_context, void *), void *data)
{
    cl_int error = CL_SUCCESS;
    runtime_enter();
    callback *added = calloc(1, sizeof *added);
    if (!object_is(context, OBJECT_CONTEXT))
        error = CL_INVALID_CONTEXT;
    else if (!function)
        error = CL_INVALID_VALUE;
    else if (!added)
        error = CL_OUT_OF_HOST_MEMORY;
    if (error) {
        free(added);
        return runtime_leave(error);
    }
    *added = (callback){.next = context->destructors,
                        .form = CALLBACK_CONTEXT,
                        .handle = context,
                        .data = data,
                        .function.context = function};
    context->destructors = added;
    return runtime_leave(CL_SUCCESS);
}
