/* SPDX-License-Identifier: MIT */
/* The platform, and the one device that it has. */
#include <stdlib.h>

#include "entries.h"
#include "interruption.h"
#include "runtime.h"

struct _cl_platform_id opencl_platform = {.base = {&opencl_dispatch, OBJECT_PLATFORM, 1, 1}};
struct _cl_device_id opencl_device = {.base = {&opencl_dispatch, OBJECT_DEVICE, 1, 1}};

typedef struct platform_facts {
    const char *profile, *version, *name, *vendor, *extensions, *suffix;
    cl_version numeric_version;
    cl_ulong timer_resolution;
} platform_facts;

static const platform_facts facts = {.profile = "FULL_PROFILE",
                                     .version = "OpenCL 1.2 Heddle " HEDDLE_VERSION,
                                     .name = "Heddle",
                                     .vendor = "Heddle",
                                     .extensions = OPENCL_EXTENSIONS,
                                     .suffix = "HEDDLE",
                                     .numeric_version = CL_MAKE_VERSION(1, 2, 0)};

static const info_row rows[] = {
    INFO_TEXT(CL_PLATFORM_PROFILE, platform_facts, profile),
    INFO_TEXT(CL_PLATFORM_VERSION, platform_facts, version),
    INFO_TEXT(CL_PLATFORM_NAME, platform_facts, name),
    INFO_TEXT(CL_PLATFORM_VENDOR, platform_facts, vendor),
    INFO_TEXT(CL_PLATFORM_EXTENSIONS, platform_facts, extensions),
    INFO_TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, platform_facts, suffix),
    INFO_FIELD(CL_PLATFORM_NUMERIC_VERSION, platform_facts, numeric_version),
    INFO_FIELD(CL_PLATFORM_HOST_TIMER_RESOLUTION, platform_facts, timer_resolution),
};

cl_int CL_API_CALL opencl_get_platform_ids(cl_uint count, cl_platform_id *platforms, cl_uint *available)
{
    if ((!count && platforms) || (!platforms && !available))
        return CL_INVALID_VALUE;
    if (available)
        *available = 1;
    if (platforms)
        platforms[0] = &opencl_platform;
    return CL_SUCCESS;
}

void *opencl_made(void *made, cl_int result, cl_int *error)
{
    if (error)
        *error = result;
    runtime_leave(CL_SUCCESS);
    return made;
}

cl_int opencl_error_of(device_error error)
{
    static const cl_int errors[] = {
        [DEVICE_OK] = CL_SUCCESS,
        [DEVICE_NO_MEMORY] = CL_MEM_OBJECT_ALLOCATION_FAILURE,
        [DEVICE_NO_HOST_MEMORY] = CL_OUT_OF_HOST_MEMORY,
        [DEVICE_NO_MACHINE] = CL_DEVICE_NOT_AVAILABLE,
        [DEVICE_REFUSED] = CL_OUT_OF_RESOURCES,
        [DEVICE_STOPPED] = CL_OUT_OF_RESOURCES,
    };
    return errors[error];
}

/* NULL stands for the only one. */
static int is_platform(cl_platform_id platform)
{
    return !platform || object_is(platform, OBJECT_PLATFORM);
}

cl_int CL_API_CALL opencl_get_platform_info(cl_platform_id platform, cl_platform_info query, size_t size, void *value,
                                            size_t *size_needed)
{
    if (!is_platform(platform))
        return CL_INVALID_PLATFORM;
    return INFO_LOOK_UP(&((info_answer){size, value, size_needed}), rows, query, &facts);
}

/* The program's own destructors may still come: the machine stays open. */
static void at_exit(void)
{
    if (runtime_enter_soon())
        device_finish(opencl_device.machine);
}

cl_int opencl_open_device(void)
{
    if (opencl_device.machine)
        return CL_SUCCESS;
    const device_error error = device_open(&opencl_device.machine);
    if (error) {
        opencl_device.machine = NULL;
        return opencl_error_of(error);
    }
    device_limits_of(opencl_device.machine, &opencl_device.limits);
    interruption_prepare();
    return atexit(at_exit) ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

cl_int opencl_check_devices(cl_uint count, const cl_device_id *devices)
{
    if (!count != !devices)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!object_is(devices[i], OBJECT_DEVICE))
            return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

cl_int opencl_check_type(cl_device_type type)
{
    static const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                        CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (type == CL_DEVICE_TYPE_ALL)
        return CL_SUCCESS;
    if (!type || type & ~known)
        return CL_INVALID_DEVICE_TYPE;
    return type & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU) ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

cl_int CL_API_CALL opencl_get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count,
                                         cl_device_id *devices, cl_uint *available)
{
    if (!is_platform(platform))
        return CL_INVALID_PLATFORM;
    if ((!count && devices) || (!devices && !available))
        return CL_INVALID_VALUE;
    const cl_int error = opencl_check_type(type);
    if (available)
        *available = !error;
    if (!error && devices)
        devices[0] = &opencl_device;
    return error;
}

/* It is not made of others, and is never released. */
static cl_int check_device(cl_device_id asked)
{
    return object_is(asked, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL opencl_retain_device(cl_device_id asked)
{
    return check_device(asked);
}

cl_int CL_API_CALL opencl_release_device(cl_device_id asked)
{
    return check_device(asked);
}

cl_int CL_API_CALL opencl_create_sub_devices(cl_device_id asked, const cl_device_partition_property *properties,
                                             cl_uint count, cl_device_id *made, cl_uint *available)
{
    (void)properties;
    (void)count;
    (void)made;
    (void)available;
    return object_is(asked, OBJECT_DEVICE) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; /* it supports no partition */
}
