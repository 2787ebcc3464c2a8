/* SPDX-License-Identifier: MIT */
/*
 * What compiling OpenCL C reads. Sections of an input: options, one text in a line; formats of printf, likewise, for values of all types;
 * LLVM's text of a program; and a kernel file, of which only what is said of kernels is read. What is refused gives a line.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "kernelc.h"
#include "options.h"
#include "print_format.h"
#include "program_text.h"
#include "retarget.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void require_line(const char *error)
{
    fuzz_require(*error && !strchr(error, '\n'), "%s", error);
}

static void read_options(fuzz_input lines)
{
    char *text, error[256];
    while ((text = fuzz_line(&lines))) {
        arena memory = {0};
        build_options options;
        if (build_options_read(&memory, text, &options, error, sizeof error))
            fuzz_require(*error, "%s", text);
        if (link_options_read(&memory, text, &options, error, sizeof error))
            fuzz_require(*error, "%s", text);
        arena_free(&memory);
        free(text);
    }
}

static void read_formats(fuzz_input lines)
{
    static const char *const arguments[] = {"i32 noundef %1",
                                            "<4 x float> noundef %2",
                                            "i64 %3",
                                            "<2 x i8> <i8 1, i8 2>",
                                            "double noundef %4",
                                            "ptr noundef nonnull @.str",
                                            "<3 x i64> noundef %5",
                                            "label"};
    print_value values[COUNT_OF(arguments)];
    char *format, *made, error[256];
    while ((format = fuzz_line(&lines))) {
        for (size_t i = 0; i < COUNT_OF(arguments); i++)
            values[i] = print_value_of((ir_piece){arguments[i], strlen(arguments[i])});
        if (print_format_of(format, values, COUNT_OF(values), &made, error, sizeof error))
            require_line(error);
        free(made);
        free(format);
    }
}

static void read_program(fuzz_input text, int is_cuda)
{
    arena memory = {0};
    program_content content = {0};
    char *made = NULL, error[512] = "";
    char *own = malloc(text.left + 1); /* as large as it has to be */
    if (text.left)
        memcpy(own, text.bytes, text.left);
    own[text.left] = '\0';
    if (program_text(&memory, (ir_piece){own, text.left}, is_cuda, &content, &made, error, sizeof error))
        fuzz_require(*error, "no error");
    free(made);
    free(own);
    arena_free(&memory);
}

static void read_image(fuzz_input image)
{
    char error[256] = "";
    kernelc_kernels kernels;
    uint8_t *own = malloc(image.left + 1);
    if (image.left)
        memcpy(own, image.bytes, image.left);
    heddle_kernelc_product(own, image.left);
    if (!heddle_kernelc_kernels(own, image.left, &kernels, error, sizeof error)) {
        for (uint32_t i = 0; i < kernels.count; i++)
            fuzz_require(kernels.kernels[i].name && kernels.kernels[i].attributes, "%u", i);
        heddle_kernelc_kernels_free(&kernels);
    } else {
        require_line(error);
    }
    free(own);
}

void fuzz_one(fuzz_input input)
{
    read_options(fuzz_section(&input));
    read_formats(fuzz_section(&input));
    const fuzz_input program = fuzz_section(&input);
    read_program(program, 0);
    read_program(program, 1);
    read_image(input);
}
