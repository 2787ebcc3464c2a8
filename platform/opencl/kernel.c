/* SPDX-License-Identifier: MIT */
/* Kernels and their arguments. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "program.h"

/* ---- Life ------------------------------------------------------------------------------------------------------------- */

static int has_memory(const struct _cl_kernel *kernel)
{
    return kernel->block && kernel->buffers && kernel->local_bytes && kernel->is_set;
}

static cl_kernel make(cl_program program, const kernelc_kernel *signature, cl_int *error)
{
    const size_t arguments = signature->argument_count + (size_t)1; /* calloc of 0 may be NULL */
    cl_kernel made = object_new(sizeof *made, OBJECT_KERNEL);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (!made)
        return NULL;
    object_hold(program);
    program->kernel_objects++;
    made->program = program;
    made->context = program->context;
    made->signature = signature;
    made->block = calloc(1, signature->block_bytes + (size_t)1);
    made->buffers = calloc(arguments, sizeof(cl_mem));
    made->local_bytes = calloc(arguments, sizeof(uint32_t));
    made->is_set = calloc(arguments, 1);
    if (has_memory(made))
        *error = opencl_error_of(device_kernel_named(program->loaded, signature->name, &made->kernel));
    if (*error) {
        object_release(made, OBJECT_KERNEL);
        return NULL;
    }
    return made;
}

void kernel_destroy(cl_kernel gone)
{
    free(gone->block);
    free((void *)gone->buffers);
    free(gone->local_bytes);
    free(gone->is_set);
    gone->program->kernel_objects--;
    object_drop(gone->program);
}

static cl_int check_program(cl_program program)
{
    if (!object_is(program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    return program->loaded ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

static const kernelc_kernel *find(const struct _cl_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->kernels.count; i++)
        if (!strcmp(program->kernels.kernels[i].name, name))
            return &program->kernels.kernels[i];
    return NULL;
}

cl_kernel CL_API_CALL opencl_create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel made = NULL;
    runtime_enter();
    cl_int result = check_program(program);
    if (!result && !name)
        result = CL_INVALID_VALUE;
    const kernelc_kernel *signature = result ? NULL : find(program, name);
    if (!result && !signature)
        result = CL_INVALID_KERNEL_NAME;
    if (signature)
        made = make(program, signature, &result);
    return opencl_made(made, result, error);
}

static cl_int make_all(cl_program program, cl_kernel *kernels)
{
    cl_int error = CL_SUCCESS;
    for (uint32_t i = 0; i < program->kernels.count && !error; i++) {
        kernels[i] = make(program, &program->kernels.kernels[i], &error);
        for (uint32_t k = 0; error && k < i; k++)
            object_release(kernels[k], OBJECT_KERNEL);
    }
    return error;
}

cl_int CL_API_CALL opencl_create_kernels_in_program(cl_program program, cl_uint count, cl_kernel *kernels,
                                                    cl_uint *available)
{
    runtime_enter();
    cl_int error = check_program(program);
    if (!error && kernels && count < program->kernels.count)
        error = CL_INVALID_VALUE;
    if (!error && kernels)
        error = make_all(program, kernels);
    if (!error && available)
        *available = program->kernels.count;
    return runtime_leave(error);
}

cl_int CL_API_CALL opencl_retain_kernel(cl_kernel kernel)
{
    runtime_enter();
    return runtime_leave(object_retain(kernel, OBJECT_KERNEL));
}

cl_int CL_API_CALL opencl_release_kernel(cl_kernel kernel)
{
    runtime_enter();
    return runtime_leave(object_release(kernel, OBJECT_KERNEL));
}

/* ---- Arguments --------------------------------------------------------------------------------------------------------- */

static cl_int set_buffer(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    if (bytes != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    cl_mem buffer = value ? *(const cl_mem *)value : NULL;
    if (buffer && !object_is(buffer, OBJECT_MEMORY))
        return CL_INVALID_MEM_OBJECT;
    const uint32_t address = buffer ? buffer->address : 0;
    kernel->buffers[index] = buffer;
    memcpy(kernel->block + kernel->signature->arguments[index].offset, &address, sizeof address);
    return CL_SUCCESS;
}

static cl_int set_local(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    if (value)
        return CL_INVALID_ARG_VALUE;
    if (!bytes || bytes > UINT32_MAX)
        return CL_INVALID_ARG_SIZE;
    kernel->local_bytes[index] = (uint32_t)bytes;
    return CL_SUCCESS;
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    const kernelc_argument *argument = &kernel->signature->arguments[index];
    if (!value)
        return CL_INVALID_ARG_VALUE;
    if (bytes != argument->bytes)
        return CL_INVALID_ARG_SIZE;
    memcpy(kernel->block + argument->offset, value, bytes);
    return CL_SUCCESS;
}

static cl_int set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    switch (kernel->signature->arguments[index].space) {
    case KERNELC_PRIVATE: return set_value(kernel, index, bytes, value);
    case KERNELC_LOCAL: return set_local(kernel, index, bytes, value);
    default: return set_buffer(kernel, index, bytes, value);
    }
}

cl_int CL_API_CALL opencl_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    runtime_enter();
    if (!object_is(kernel, OBJECT_KERNEL))
        return runtime_leave(CL_INVALID_KERNEL);
    if (index >= kernel->signature->argument_count)
        return runtime_leave(CL_INVALID_ARG_INDEX);
    const cl_int error = set(kernel, index, bytes, value);
    if (!error)
        kernel->is_set[index] = 1;
    return runtime_leave(error);
}
