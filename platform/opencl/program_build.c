/* SPDX-License-Identifier: MIT */
/* From source to something that the device can execute. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "program.h"

typedef struct build_request {
    cl_program program;
    const char *options;
    const kernelc_header *headers;
    size_t header_count;
    int is_compiled_only;
    program_notice *notify;
    void *data;
} build_request;

/* ---- Parts ------------------------------------------------------------------------------------------------------------- */

cl_int program_set_text(char **place, const char *text)
{
    free(*place);
    *place = strdup(text ? text : "");
    return *place ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static int has_program_text(const struct _cl_program *program)
{
    return program->source || program->il.data;
}

cl_int program_error_of(kernelc_outcome outcome)
{
    static const cl_int errors[] = {
        [KERNELC_DONE] = CL_SUCCESS,
        [KERNELC_REFUSED] = CL_BUILD_PROGRAM_FAILURE,
        [KERNELC_OPTIONS] = CL_INVALID_BUILD_OPTIONS,
        [KERNELC_MISSING] = CL_COMPILER_NOT_AVAILABLE,
        [KERNELC_FAILED] = CL_OUT_OF_RESOURCES,
        [KERNELC_NO_MEMORY] = CL_OUT_OF_HOST_MEMORY,
    };
    return errors[outcome];
}

cl_int program_take_output(cl_program program, kernelc_output *output)
{
    cl_int error = CL_SUCCESS;
    if (output->log)
        error = program_set_text(&program->log, output->log);
    if (!error && output->image)
        error = program_copy_image(program, output->image, output->bytes);
    heddle_kernelc_free(output);
    return error;
}

/* The image and the log, as the compiler leaves them. */
static cl_int compile(cl_program program, const build_request *asked)
{
    const int is_spirv = program->source == NULL;
    const kernelc_input input = {.data = is_spirv ? program->il.data : program->source,
                                 .bytes = is_spirv ? program->il.bytes : strlen(program->source),
                                 .is_spirv = is_spirv,
                                 .options = program->options,
                                 .headers = asked->headers,
                                 .header_count = asked->header_count,
                                 .is_compiled_only = asked->is_compiled_only};
    kernelc_output output = {0};
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &output);
    const cl_int error = program_take_output(program, &output);
    return error ? error : program_error_of(outcome);
}

/* A kernel file that is refused here is a mistake of the compiler, or has no kernels. */
static cl_int read_kernels(cl_program program)
{
    char refusal[256];
    const kernelc_outcome outcome =
        heddle_kernelc_kernels(program->image, program->image_bytes, &program->kernels, refusal, sizeof refusal);
    if (outcome == KERNELC_REFUSED && program_set_text(&program->log, refusal))
        return CL_OUT_OF_HOST_MEMORY;
    return program_error_of(outcome);
}

static cl_int list_kernels(cl_program program)
{
    size_t bytes = 1;
    program->kernel_count = program->kernels.count;
    for (uint32_t i = 0; i < program->kernels.count; i++)
        bytes += strlen(program->kernels.kernels[i].name) + 1;
    char *names = program->kernel_names = malloc(bytes);
    if (!names)
        return CL_OUT_OF_HOST_MEMORY;
    *names = '\0';
    for (uint32_t i = 0; i < program->kernels.count; i++) {
        if (i)
            strcat(names, ";");
        strcat(names, program->kernels.kernels[i].name);
    }
    return CL_SUCCESS;
}

static cl_int load(cl_program program)
{
    const device_error error =
        device_load(opencl_device.machine, program->image, program->image_bytes, &program->loaded);
    if (error == DEVICE_REFUSED)
        return program_set_text(&program->log, device_message(opencl_device.machine)) ? CL_OUT_OF_HOST_MEMORY
                                                                                      : CL_BUILD_PROGRAM_FAILURE;
    return error == DEVICE_NO_MEMORY ? CL_OUT_OF_RESOURCES : opencl_error_of(error);
}

cl_int program_make_executable(cl_program program)
{
    cl_int error = program->kernels.kernels ? CL_SUCCESS : read_kernels(program);
    if (!error)
        error = list_kernels(program);
    if (!error)
        error = load(program);
    if (!error)
        program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return error;
}

/* ---- Build ------------------------------------------------------------------------------------------------------------- */

static cl_int check(const build_request *asked, cl_uint count, const cl_device_id *devices)
{
    if (!object_is(asked->program, OBJECT_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (!asked->notify && asked->data)
        return CL_INVALID_VALUE;
    const cl_int error = opencl_check_devices(count, devices);
    if (error)
        return error;
    return asked->program->kernel_objects ? CL_INVALID_OPERATION : scheduler_state();
}

/* From its text, if it has one; a program from an image is as it was made. */
static cl_int renew(const build_request *asked)
{
    cl_program program = asked->program;
    cl_int error = CL_SUCCESS;
    if (has_program_text(program)) {
        program_reset(program);
        error = program_set_text(&program->options, asked->options);
        if (!error)
            error = compile(program, asked);
    } else {
        error = program_set_text(&program->options, asked->options);
    }
    return error;
}

void program_finish(cl_program program, cl_int error, program_notice *notify, void *data)
{
    program->status = error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    callback *due = notify ? calloc(1, sizeof *due) : NULL;
    if (!due)
        return;
    *due = (callback){.form = CALLBACK_PROGRAM, .handle = program, .data = data, .function.program = notify};
    runtime_call_later(due);
}

static cl_int build(const build_request *asked, cl_uint count, const cl_device_id *devices)
{
    cl_int error = check(asked, count, devices);
    if (error)
        return error;
    if (!has_program_text(asked->program) && asked->program->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return CL_INVALID_BINARY; /* a compiled program is linked */
    const int is_ready = asked->program->loaded && !has_program_text(asked->program);
    error = renew(asked);
    if (!error && !is_ready)
        error = program_make_executable(asked->program);
    program_finish(asked->program, error, asked->notify, asked->data);
    return error;
}

cl_int CL_API_CALL opencl_build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    runtime_enter();
    return runtime_leave(build(&(build_request){.program = program, .options = options, .notify = notify, .data = data},
                               count, devices));
}

/* ---- Compile -------------------------------------------------------------------------------------------------- */

static cl_int check_headers(cl_uint count, const cl_program *headers, const char **names)
{
    if (!count != !headers || !count != !names)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!object_is(headers[i], OBJECT_PROGRAM) || !headers[i]->source)
            return CL_INVALID_PROGRAM;
    for (cl_uint i = 0; i < count; i++)
        if (!names[i])
            return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

/* The image is an object, which is to be linked. */
static cl_int compile_only(const build_request *asked)
{
    if (!has_program_text(asked->program))
        return CL_INVALID_OPERATION;
    cl_int error = renew(asked);
    if (!error)
        asked->program->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    program_finish(asked->program, error, asked->notify, asked->data);
    if (error == CL_BUILD_PROGRAM_FAILURE)
        return CL_COMPILE_PROGRAM_FAILURE;
    return error == CL_INVALID_BUILD_OPTIONS ? CL_INVALID_COMPILER_OPTIONS : error;
}

cl_int CL_API_CALL opencl_compile_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                          const char *options, cl_uint header_count, const cl_program *headers,
                                          const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    build_request asked = {
        .program = program, .options = options, .is_compiled_only = 1, .notify = notify, .data = data};
    runtime_enter();
    cl_int error = check(&asked, count, devices);
    if (!error)
        error = check_headers(header_count, headers, names);
    kernelc_header *list = error ? NULL : calloc(header_count + 1, sizeof *list);
    if (!error && !list)
        error = CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < header_count && !error; i++)
        list[i] = (kernelc_header){names[i], headers[i]->source};
    asked.headers = list;
    asked.header_count = header_count;
    if (!error)
        error = compile_only(&asked);
    free(list);
    return runtime_leave(error);
}

/* ---- The compiler is a program of its own: there is nothing to unload --------------------------------------------------------- */

cl_int CL_API_CALL opencl_unload_compiler(void)
{
    return CL_SUCCESS;
}

cl_int CL_API_CALL opencl_unload_platform_compiler(cl_platform_id platform)
{
    return object_is(platform, OBJECT_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
