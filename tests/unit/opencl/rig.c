/* SPDX-License-Identifier: MIT */
#include "rig.h"

/* Each test is a process that leaves what it has made; tests/opencl looks for leaks. Asked by the address sanitizer. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

cl_context new_context(void)
{
    cl_int error;
    cl_device_id device;
    OK(opencl_get_device_ids(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context made = opencl_create_context(NULL, 1, &device, NULL, NULL, &error);
    OK(error);
    return made;
}

cl_command_queue new_queue(cl_context context, cl_command_queue_properties properties)
{
    cl_int error;
    cl_command_queue made =
        opencl_create_command_queue(context, &opencl_device, properties | CL_QUEUE_PROFILING_ENABLE, &error);
    OK(error);
    return made;
}

cl_mem new_buffer(cl_context context, size_t bytes)
{
    cl_int error;
    cl_mem made = opencl_create_buffer(context, 0, bytes, NULL, &error);
    OK(error);
    return made;
}

cl_int status_of(cl_event event)
{
    return event->status;
}

cl_ulong time_of(cl_event event, cl_profiling_info query)
{
    cl_ulong time = 0;
    OK(opencl_get_event_profiling_info(event, query, sizeof time, &time, NULL));
    return time;
}
