/* SPDX-License-Identifier: MIT */
/* What programs are made of. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "program.h"

cl_program program_new(cl_context context)
{
    cl_program made = object_new(sizeof *made, OBJECT_PROGRAM);
    if (!made)
        return NULL;
    object_hold(context);
    made->context = context;
    made->device = context->device;
    made->device_count = 1;
    made->status = CL_BUILD_NONE;
    return made;
}

/* No command uses its kernels any more: they hold it. */
void program_reset(cl_program program)
{
    if (program->loaded)
        device_unload(opencl_device.machine, program->loaded);
    heddle_kernelc_kernels_free(&program->kernels);
    free(program->kernel_names);
    free(program->image);
    free(program->options);
    free(program->log);
    program->loaded = NULL;
    program->kernels = (kernelc_kernels){0};
    program->kernel_names = program->options = program->log = NULL;
    program->image = NULL;
    program->image_bytes = 0;
    program->type = CL_PROGRAM_BINARY_TYPE_NONE;
    program->status = CL_BUILD_NONE;
}

cl_int program_copy_image(cl_program program, const void *image, size_t bytes)
{
    program->image = malloc(bytes);
    if (!program->image)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(program->image, image, bytes);
    program->image_bytes = bytes;
    return CL_SUCCESS;
}

void program_destroy(cl_program gone)
{
    program_reset(gone);
    free(gone->source);
    free((void *)(uintptr_t)gone->il.data);
    object_drop(gone->context);
}

/* ---- From source ------------------------------------------------------------------------------------------------------- */

static size_t length_of(const char *text, const size_t *lengths, cl_uint number)
{
    return lengths && lengths[number] ? lengths[number] : strlen(text);
}

/* All texts behind each other. NULL: out of memory. */
static char *join(cl_uint count, const char **texts, const size_t *lengths)
{
    size_t bytes = 1;
    for (cl_uint i = 0; i < count; i++)
        bytes += length_of(texts[i], lengths, i);
    char *joined = malloc(bytes), *at = joined;
    for (cl_uint i = 0; joined && i < count; i++) {
        const size_t length = length_of(texts[i], lengths, i);
        memcpy(at, texts[i], length);
        at += length;
    }
    if (joined)
        *at = '\0';
    return joined;
}

static cl_int check_texts(cl_context context, cl_uint count, const char **texts)
{
    if (!object_is(context, OBJECT_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!count || !texts)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!texts[i])
            return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

cl_program CL_API_CALL opencl_create_program_with_source(cl_context context, cl_uint count, const char **texts,
                                                         const size_t *lengths, cl_int *error)
{
    runtime_enter();
    const cl_int result = check_texts(context, count, texts);
    if (result)
        return opencl_made(NULL, result, error);
    cl_program made = program_new(context);
    if (made)
        made->source = join(count, texts, lengths);
    if (made && made->source)
        return opencl_made(made, CL_SUCCESS, error);
    if (made)
        object_release(made, OBJECT_PROGRAM);
    return opencl_made(NULL, CL_OUT_OF_HOST_MEMORY, error);
}

/* ---- From SPIR-V ---------------------------------------------------------------------------------------------------------- */

static int is_spirv(const void *data, size_t bytes)
{
    static const uint32_t magic = 0x07230203;
    return data && bytes >= 20 && bytes % 4 == 0 && !memcmp(data, &magic, sizeof magic);
}

cl_program CL_API_CALL opencl_create_program_with_il(cl_context context, const void *data, size_t bytes, cl_int *error)
{
    runtime_enter();
    if (!object_is(context, OBJECT_CONTEXT))
        return opencl_made(NULL, CL_INVALID_CONTEXT, error);
    if (!is_spirv(data, bytes))
        return opencl_made(NULL, CL_INVALID_VALUE, error);
    cl_program made = program_new(context);
    void *copy = malloc(bytes);
    if (!made || !copy) {
        free(copy);
        if (made)
            object_release(made, OBJECT_PROGRAM);
        return opencl_made(NULL, CL_OUT_OF_HOST_MEMORY, error);
    }
    memcpy(copy, data, bytes);
    made->il = (info_list){copy, bytes};
    return opencl_made(made, CL_SUCCESS, error);
}

/* ---- From an image that a build has made ------------------------------------------------------------------------------------ */

static cl_int read_image(cl_program program, const void *image, size_t bytes)
{
    static const cl_program_binary_type types[] = {
        [KERNELC_EXECUTABLE] = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        [KERNELC_OBJECT] = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
        [KERNELC_LIBRARY] = CL_PROGRAM_BINARY_TYPE_LIBRARY,
    };
    char refusal[256];
    const kernelc_product product = heddle_kernelc_product(image, bytes);
    const kernelc_outcome outcome =
        product ? KERNELC_DONE : heddle_kernelc_kernels(image, bytes, &program->kernels, refusal, sizeof refusal);
    if (outcome)
        return outcome == KERNELC_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BINARY;
    program->type = types[product];
    return program_copy_image(program, image, bytes);
}

static cl_program create_from_image(cl_context context, const void *image, size_t bytes, cl_int *error)
{
    cl_program made = program_new(context);
    *error = made ? read_image(made, image, bytes) : CL_OUT_OF_HOST_MEMORY;
    if (*error && made) {
        object_release(made, OBJECT_PROGRAM);
        made = NULL;
    }
    return made;
}

cl_program CL_API_CALL opencl_create_program_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                         const size_t *lengths, const unsigned char **images,
                                                         cl_int *statuses, cl_int *error)
{
    cl_int result = CL_SUCCESS;
    runtime_enter();
    if (!object_is(context, OBJECT_CONTEXT))
        result = CL_INVALID_CONTEXT;
    else if (!count || !devices || !lengths || !images)
        result = CL_INVALID_VALUE;
    else
        result = opencl_check_devices(count, devices);
    if (result)
        return opencl_made(NULL, result, error);
    cl_program made = NULL;
    if (lengths[0] && images[0])
        made = create_from_image(context, images[0], lengths[0], &result);
    else
        result = CL_INVALID_VALUE;
    if (statuses)
        statuses[0] = result;
    return opencl_made(made, result, error);
}

/* ---- Life ---------------------------------------------------------------------------------------------------------------------- */

cl_int CL_API_CALL opencl_retain_program(cl_program program)
{
    runtime_enter();
    return runtime_leave(object_retain(program, OBJECT_PROGRAM));
}

cl_int CL_API_CALL opencl_release_program(cl_program program)
{
    runtime_enter();
    return runtime_leave(object_release(program, OBJECT_PROGRAM));
}
