/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "entries.h"
#include "program.h"

static const info_row rows[] = {
    INFO_FIELD(CL_PROGRAM_REFERENCE_COUNT, struct _cl_program, base.references),
    INFO_FIELD(CL_PROGRAM_CONTEXT, struct _cl_program, context),
    INFO_FIELD(CL_PROGRAM_NUM_DEVICES, struct _cl_program, device_count),
    INFO_FIELD(CL_PROGRAM_DEVICES, struct _cl_program, device),
    INFO_TEXT(CL_PROGRAM_SOURCE, struct _cl_program, source),
    INFO_LIST(CL_PROGRAM_IL, struct _cl_program, il),
    INFO_FIELD(CL_PROGRAM_BINARY_SIZES, struct _cl_program, image_bytes),
};

static const info_row build_rows[] = {
    INFO_FIELD(CL_PROGRAM_BUILD_STATUS, struct _cl_program, status),
    INFO_TEXT(CL_PROGRAM_BUILD_OPTIONS, struct _cl_program, options),
    INFO_TEXT(CL_PROGRAM_BUILD_LOG, struct _cl_program, log),
    INFO_FIELD(CL_PROGRAM_BINARY_TYPE, struct _cl_program, type),
};

/* Of a program that has been built. */
static const info_row kernel_rows[] = {
    INFO_FIELD(CL_PROGRAM_NUM_KERNELS, struct _cl_program, kernel_count),
    INFO_TEXT(CL_PROGRAM_KERNEL_NAMES, struct _cl_program, kernel_names),
};

/* The value is an array of places, one for each device; a NULL is none. */
static cl_int give_images(const struct _cl_program *program, const info_answer *to)
{
    if (to->value && to->size < sizeof(unsigned char *))
        return CL_INVALID_VALUE;
    if (to->size_needed)
        *to->size_needed = sizeof(unsigned char *);
    unsigned char **places = to->value;
    if (places && places[0] && program->image)
        memcpy(places[0], program->image, program->image_bytes);
    return CL_SUCCESS;
}

static cl_int give(cl_program program, const info_answer *to, cl_program_info query)
{
    if (query == CL_PROGRAM_BINARIES)
        return give_images(program, to);
    if (query == CL_PROGRAM_NUM_KERNELS || query == CL_PROGRAM_KERNEL_NAMES)
        return program->loaded ? INFO_LOOK_UP(to, kernel_rows, query, program) : CL_INVALID_PROGRAM_EXECUTABLE;
    return INFO_LOOK_UP(to, rows, query, program);
}

cl_int CL_API_CALL opencl_get_program_info(cl_program program, cl_program_info query, size_t size, void *value,
                                           size_t *size_needed)
{
    runtime_enter();
    return runtime_leave(object_is(program, OBJECT_PROGRAM)
                             ? give(program, &(info_answer){size, value, size_needed}, query)
                             : CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL opencl_get_program_build_info(cl_program program, cl_device_id device, cl_program_build_info query,
                                                 size_t size, void *value, size_t *size_needed)
{
    runtime_enter();
    if (!object_is(program, OBJECT_PROGRAM))
        return runtime_leave(CL_INVALID_PROGRAM);
    if (!object_is(device, OBJECT_DEVICE))
        return runtime_leave(CL_INVALID_DEVICE);
    return runtime_leave(INFO_LOOK_UP(&((info_answer){size, value, size_needed}), build_rows, query, program));
}
