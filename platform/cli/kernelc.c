/* SPDX-License-Identifier: MIT */
#include "kernelc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "command.h"
#include "input_file.h"
#include "output_file.h"
#include "text.h"

static int write_image(const char *path, const kernelc_output *made)
{
    output_file *file = output_file_open(path);
    output_file_put(file, made->image, made->bytes);
    if (output_file_finish(file))
        return HD_EXIT_PASS;
    hd_usage_error(NULL, NULL, 0, "%s: %s", path, output_file_reason(errno));
    return HD_EXIT_FAIL;
}

static void print_kernel(const kernelc_kernel *kernel)
{
    printf("%s(", kernel->name);
    for (uint32_t i = 0; i < kernel->argument_count; i++)
        printf("%s%s %s", i ? ", " : "", kernel->arguments[i].type, kernel->arguments[i].name);
    printf(")%s%s: %u bytes of arguments, %u bytes of local memory\n", *kernel->attributes ? " " : "",
           kernel->attributes, kernel->block_bytes, kernel->local_bytes);
}

static void print_kernels(const kernelc_output *made)
{
    char error[256];
    kernelc_kernels kernels;
    if (heddle_kernelc_kernels(made->image, made->bytes, &kernels, error, sizeof error))
        abort(); /* it has just been made */
    for (uint32_t i = 0; i < kernels.count; i++)
        print_kernel(&kernels.kernels[i]);
    heddle_kernelc_kernels_free(&kernels);
}

static void print_place_in_cache(const kernelc_input *input, const kernelc_output *made)
{
    const int has_cache = !input->cache || *input->cache;
    if (has_cache)
        puts(made->is_from_cache ? "taken from the cache" : "kept in the cache");
}

/* Diagnostics are those of the compiler; what else is wrong is a line. */
static int compile(const kernelc_input *input, const char *path)
{
    kernelc_output made;
    const kernelc_outcome outcome = heddle_kernelc_compile(input, &made);
    int result = HD_EXIT_USAGE;
    if (made.log)
        fprintf(stderr, "%s%s", outcome == KERNELC_DONE || outcome == KERNELC_REFUSED ? "" : "error: ", made.log);
    if (outcome == KERNELC_DONE)
        result = write_image(path, &made);
    if (result == HD_EXIT_PASS) {
        print_kernels(&made);
        print_place_in_cache(input, &made);
    }
    heddle_kernelc_free(&made);
    return result;
}

/* By the word that all of it begins with, in the order of bytes of this machine. */
static int is_spirv(const char *text, size_t bytes)
{
    static const uint32_t magic = 0x07230203;
    return bytes >= sizeof magic && !memcmp(text, &magic, sizeof magic);
}

static int compile_file(kernelc_input *input, const char *path)
{
    char *error, *text;
    const output_name output = {"-o", path};
    input_file_note(input->name);
    if (!output_names_check(&output, 1, &error)) {
        fputs(error, stderr);
        free(error);
        return HD_EXIT_USAGE;
    }
    text = (char *)hd_app_read(input->name, &input->bytes, &error);
    if (!text) {
        fputs(error, stderr);
        free(error);
        return HD_EXIT_USAGE;
    }
    input->data = text;
    input->is_spirv = is_spirv(text, input->bytes);
    const int result = compile(input, path);
    free(text);
    return result;
}

static int kernelc(const hd_command *command, int count, char **words)
{
    const char *path = NULL, *no_cache = NULL;
    kernelc_input input = {0};
    const hd_option_use options[] = {{.name = "-o", .takes_value = 1, .value = &path},
                                     {.name = "--options", .takes_value = 1, .value = &input.options},
                                     {.name = "--no-cache", .value = &no_cache}};
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &input.name, 1, 1) < 0)
        return HD_EXIT_USAGE;
    if (!path)
        return hd_usage_error(NULL, NULL, 0, "-o FILE says where the kernel file is to be written");
    input.cache = no_cache ? "" : NULL;
    return compile_file(&input, path);
}

const hd_command hd_command_kernelc = {
    .name = "kernelc",
    .usage = "FILE.cl|FILE.spv -o KERNEL.elf [--options TEXT] [--no-cache]",
    .doc = "compile kernels in OpenCL C or SPIR-V",
    .help =
        "Prints the kernels that are in it. docs/opencl-kernels.md says what of OpenCL C 1.2 there is.\n\n"
        "  -o KERNEL.elf   the kernel file\n"
        "  --options TEXT  as for clBuildProgram: -D NAME=VALUE, -I FOLDER, -w, -Werror, -cl-fast-relaxed-math, ...\n"
        "  --no-cache      neither look for the result of an earlier time nor keep this one\n",
    .run = kernelc,
};
