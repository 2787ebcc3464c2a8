/* SPDX-License-Identifier: MIT */
/* What the host's compiler registers when a program starts: kernel files, and which functions and variables of the host stand for theirs. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "registration.h"
#include "runtime.h"

typedef struct cuda_variable {
    const void *host;
    const char *name;
    cuda_program *program;
} cuda_variable;

static cuda_function *functions;
static cuda_variable *variables;
static size_t function_count, variable_count;

/* Room for one more, as powers of two; a program that is starting has no one to tell that there is none. */
static void *grown(void *items, size_t count, size_t bytes)
{
    if (count & (count - 1))
        return items;
    void *more = realloc(items, (count ? 2 * count : 1) * bytes);
    if (!more)
        abort();
    return more;
}

/* ---- Registration ------------------------------------------------------------------------------------------------------ */

/* Its sections stand at the end of a file that ld has written. */
static size_t size_of(const void *image)
{
    const Elf32_Ehdr *header = image;
    return header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
}

void **__cudaRegisterFatBinary(const fat_binary *binary)
{
    cuda_program *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->image = binary->image;
    made->bytes = size_of(binary->image);
    return (void **)made;
}

void __cudaRegisterFatBinaryEnd(void **program)
{
    (void)program;
}

void __cudaUnregisterFatBinary(void **program)
{
    (void)program;
}

int __cudaRegisterFunction(void **program, const void *host, char *device, const char *mangled, int threads,
                           void *thread, void *block, void *block_size, void *grid_size, int *warp_size)
{
    (void)device, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
    functions = grown(functions, function_count, sizeof *functions);
    functions[function_count++] = (cuda_function){.host = host, .mangled = mangled, .program = (cuda_program *)program};
    return 0;
}

void __cudaRegisterVar(void **program, const void *host, char *device, const char *name, int is_external, size_t bytes,
                       int is_constant, int is_global)
{
    (void)device, (void)is_external, (void)bytes, (void)is_constant, (void)is_global;
    variables = grown(variables, variable_count, sizeof *variables);
    variables[variable_count++] = (cuda_variable){.host = host, .name = name, .program = (cuda_program *)program};
}

/* ---- Finding ------------------------------------------------------------------------------------------------------------ */

static cudaError_t load(cuda_program *program)
{
    char why[256];
    if (program->loaded)
        return cudaSuccess;
    if (heddle_kernelc_kernels(program->image, program->bytes, &program->kernels, why, sizeof why)) {
        runtime_refuse("%s", why);
        return cudaErrorInvalidKernelImage;
    }
    const heddle_error error = heddle_program_load(runtime.machine, program->image, program->bytes, &program->loaded);
    if (error)
        runtime_refuse("%s", heddle_message());
    return runtime_error(error);
}

/* Of its program, by what the host's compiler calls it. */
static const kernelc_kernel *kernel_of(const cuda_function *function)
{
    const kernelc_kernels *kernels = &function->program->kernels;
    for (uint32_t i = 0; i < kernels->count; i++)
        if (!strcmp(kernels->kernels[i].attributes, function->mangled))
            return &kernels->kernels[i];
    return NULL;
}

/* All of them before the first launch: a profile counts in no others. */
static cudaError_t load_all(void)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < function_count && !error; i++)
        error = load(functions[i].program);
    return error;
}

static cudaError_t look_up(cuda_function *function)
{
    if (function->handle)
        return cudaSuccess;
    const cudaError_t error = load_all();
    if (error)
        return error;
    function->kernel = kernel_of(function);
    if (!function->kernel)
        return cudaErrorInvalidDeviceFunction;
    return runtime_error(heddle_program_kernel(function->program->loaded, function->kernel->name, &function->handle));
}

cudaError_t function_find(const void *host, cuda_function **function)
{
    for (size_t i = 0; i < function_count; i++)
        if (functions[i].host == host) {
            *function = &functions[i];
            return look_up(&functions[i]);
        }
    return cudaErrorInvalidDeviceFunction;
}

cudaError_t variable_find(const void *host, heddle_address *address, uint64_t *bytes)
{
    for (size_t i = 0; i < variable_count; i++)
        if (variables[i].host == host) {
            const cudaError_t error = load(variables[i].program);
            return error ? error
                         : runtime_error(heddle_program_variable(variables[i].program->loaded, variables[i].name,
                                                                 address, bytes));
        }
    return cudaErrorInvalidSymbol;
}
