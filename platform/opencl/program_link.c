/* SPDX-License-Identifier: MIT */
/* Compiled programs and libraries become a program that can be executed, or a library. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "program.h"

static int is_linkable(const struct _cl_program *program)
{
    return program->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || program->type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
}

static cl_int check_link(cl_context context, cl_uint count, const cl_program *programs)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!count || !programs)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!object_is(programs[i], OBJECT_PROGRAM))
            return CL_INVALID_PROGRAM;
    for (cl_uint i = 0; i < count; i++)
        if (!is_linkable(programs[i]))
            return CL_INVALID_OPERATION;
    return scheduler_state();
}

static cl_int link_error_of(cl_int error)
{
    switch (error) {
    case CL_BUILD_PROGRAM_FAILURE: return CL_LINK_PROGRAM_FAILURE;
    case CL_INVALID_BUILD_OPTIONS: return CL_INVALID_LINKER_OPTIONS;
    case CL_COMPILER_NOT_AVAILABLE: return CL_LINKER_NOT_AVAILABLE;
    default: return error;
    }
}

static cl_int link_objects(cl_program made, cl_uint count, const kernelc_object *objects)
{
    const kernelc_input input = {.options = made->options, .objects = objects, .object_count = count};
    kernelc_output output = {0};
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &output);
    const cl_int error = program_take_output(made, &output);
    return error ? error : program_error_of(outcome);
}

static cl_int link_into(cl_program made, cl_uint count, const cl_program *from)
{
    kernelc_object *objects = calloc(count, sizeof *objects);
    if (!objects)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++)
        objects[i] = (kernelc_object){from[i]->image, from[i]->image_bytes};
    cl_int error = link_objects(made, count, objects);
    free(objects);
    if (!error && heddle_kernelc_product(made->image, made->image_bytes) == KERNELC_LIBRARY)
        made->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    else if (!error)
        error = program_make_executable(made);
    return link_error_of(error);
}

/* A program that cannot be linked is returned all the same: it has the log. */
cl_program CL_API_CALL opencl_link_program(cl_context context, cl_uint count, const cl_device_id *devices,
                                           const char *options, cl_uint program_count, const cl_program *programs,
                                           void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error)
{
    runtime_enter();
    cl_int result = !notify && data ? CL_INVALID_VALUE : opencl_check_devices(count, devices);
    if (!result)
        result = check_link(context, program_count, programs);
    cl_program made = result ? NULL : program_new(context);
    if (!made)
        return opencl_made(NULL, result ? result : CL_OUT_OF_HOST_MEMORY, error);
    result = program_set_text(&made->options, options);
    if (!result)
        result = link_into(made, program_count, programs);
    if (result == CL_INVALID_LINKER_OPTIONS) {
        object_release(made, OBJECT_PROGRAM);
        return opencl_made(NULL, result, error);
    }
    program_finish(made, result, notify, data);
    return opencl_made(made, result, error);
}
