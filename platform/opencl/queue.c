/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "runtime.h"

#define KNOWN_PROPERTIES (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)

static const info_row rows[] = {
    INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
    INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
    INFO_FIELD(CL_QUEUE_REFERENCE_COUNT, struct _cl_command_queue, base.references),
    INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
    INFO_LIST(CL_QUEUE_PROPERTIES_ARRAY, struct _cl_command_queue, property_list),
};

/* ---- Life -------------------------------------------------------------------------------------------------------------- */

int queue_is_in_order(cl_command_queue queue)
{
    return !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static cl_int open_lanes(cl_command_queue queue)
{
    const uint32_t wanted = queue_is_in_order(queue) ? 1 : QUEUE_LANES_MAX;
    while (queue->lane_count < wanted) {
        lane *taken = lane_take(queue->device->machine);
        if (taken && queue->lane_count && taken->users > 1) {
            lane_give_back(taken); /* shared: no gain */
            taken = NULL;
        }
        if (!taken)
            break;
        queue->lanes[queue->lane_count++] = taken;
    }
    return queue->lane_count ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

void queue_destroy(cl_command_queue gone)
{
    for (uint32_t i = 0; i < gone->lane_count; i++)
        lane_give_back(gone->lanes[i]);
    free((void *)(uintptr_t)gone->property_list.data);
    object_drop(gone->context);
}

static cl_int check(cl_context context, cl_device_id device)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    return object_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_command_queue queue_new(cl_context context, cl_command_queue_properties properties, cl_int *error)
{
    cl_command_queue made = object_new(sizeof *made, OBJECT_QUEUE);
    if (!made) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    object_hold(context);
    made->context = context;
    made->device = context->device;
    made->properties = properties;
    *error = open_lanes(made);
    if (*error) {
        object_release(made, OBJECT_QUEUE);
        return NULL;
    }
    return made;
}

cl_command_queue CL_API_CALL opencl_create_command_queue(cl_context context, cl_device_id device,
                                                         cl_command_queue_properties properties, cl_int *error)
{
    cl_command_queue made = NULL;
    runtime_enter();
    cl_int result = check(context, device);
    if (!result && properties & ~KNOWN_PROPERTIES)
        result = CL_INVALID_VALUE;
    if (!result)
        made = queue_new(context, properties, &result);
    return opencl_made(made, result, error);
}

/* Pairs of a name and a value, then 0. */
static cl_int read_properties(const cl_queue_properties *list, cl_command_queue_properties *properties, size_t *count)
{
    const cl_queue_properties *at = list;
    *properties = 0;
    for (; at && *at; at += 2) {
        if (*at != CL_QUEUE_PROPERTIES)
            return *at == CL_QUEUE_SIZE ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
        *properties = at[1];
    }
    *count = list ? (size_t)(at - list) + 1 : 0;
    if (*properties &
        ~(cl_command_queue_properties)(KNOWN_PROPERTIES | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT))
        return CL_INVALID_VALUE;
    return *properties & ~(cl_command_queue_properties)KNOWN_PROPERTIES ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

cl_command_queue CL_API_CALL opencl_create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                                         const cl_queue_properties *list, cl_int *error)
{
    cl_command_queue made = NULL;
    cl_command_queue_properties properties;
    size_t count;
    runtime_enter();
    cl_int result = check(context, device);
    if (!result)
        result = read_properties(list, &properties, &count);
    if (!result)
        made = queue_new(context, properties, &result);
    void *kept = made && count ? malloc(count * sizeof *list) : NULL;
    if (kept) {
        memcpy(kept, list, count * sizeof *list);
        made->property_list = (info_list){kept, count * sizeof *list};
    }
    return opencl_made(made, result, error);
}

cl_int CL_API_CALL opencl_retain_command_queue(cl_command_queue queue)
{
    runtime_enter();
    return runtime_leave(object_retain(queue, OBJECT_QUEUE));
}

/* Its commands go to the device, if they have not yet: the machine does not wait to be flushed. */
cl_int CL_API_CALL opencl_release_command_queue(cl_command_queue queue)
{
    runtime_enter();
    return runtime_leave(object_release(queue, OBJECT_QUEUE));
}

cl_int CL_API_CALL opencl_get_command_queue_info(cl_command_queue queue, cl_command_queue_info query, size_t size,
                                                 void *value, size_t *size_needed)
{
    runtime_enter();
    return runtime_leave(object_is(queue, OBJECT_QUEUE)
                             ? INFO_LOOK_UP(&((info_answer){size, value, size_needed}), rows, query, queue)
                             : CL_INVALID_COMMAND_QUEUE);
}

/* Of OpenCL 1.0: deprecated since 1.1, and no longer possible. */
cl_int CL_API_CALL opencl_set_command_queue_property(cl_command_queue queue, cl_command_queue_properties properties,
                                                     cl_bool enable, cl_command_queue_properties *old)
{
    (void)properties;
    (void)enable;
    (void)old;
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* ---- Waiting ------------------------------------------------------------------------------------------------------------ */

static int is_empty(void *about)
{
    return !((cl_command_queue)about)->live;
}

cl_int CL_API_CALL opencl_flush(cl_command_queue queue)
{
    runtime_enter();
    return runtime_leave(object_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL opencl_finish(cl_command_queue queue)
{
    runtime_enter();
    if (!object_is(queue, OBJECT_QUEUE))
        return runtime_leave(CL_INVALID_COMMAND_QUEUE);
    object_hold(queue); /* another thread may release it meanwhile */
    const cl_int error = scheduler_wait(is_empty, queue);
    object_drop(queue);
    return runtime_leave(error);
}
