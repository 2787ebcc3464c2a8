/* SPDX-License-Identifier: MIT */
#include "cuda_build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "command.h"
#include "device_program.h"
#include "kernelc.h"
#include "other_program.h"
#include "output_file.h"

/* The standard that nvcc has by default. */
#define STANDARD "-std=c++17"

typedef struct build {
    cuda_words *words;
    const char *folder;
    char *files; /* of CUDA */
    word_list objects;
} build;

static arena *memory_of(const build *b)
{
    return &b->words->memory;
}

static void add_all(const build *b, word_list *to, const char *const *words)
{
    for (; *words; words++)
        word_list_add(memory_of(b), to, *words);
}

static void add_list(const build *b, word_list *to, const word_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        word_list_add(memory_of(b), to, list->items[i]);
}

/* A program whose words are told its own output. */
static int run(const build *b, word_list *words)
{
    char *said;
    word_list_add(memory_of(b), words, NULL);
    const int code = program_run(words->items, &said);
    if (code < 0)
        return hd_usage_error(NULL, NULL, 0, "%s cannot be started: %s", words->items[0], strerror(errno));
    fputs(said, stderr);
    free(said);
    return code ? HD_EXIT_USAGE : HD_EXIT_PASS;
}

/* ---- The device's side ----------------------------------------------------------------------------------------------- */

/* The options of clang for the device are those of the host, so that types are the same. */
static const char *const *device_words(const build *b)
{
    word_list words = {0};
    add_all(b, &words, (const char *[]){STANDARD, NULL});
    add_list(b, &words, &b->words->both);
    word_list_add(memory_of(b), &words, NULL);
    return words.items;
}

static int write_image(const char *path, const kernelc_output *made)
{
    output_file *file = output_file_open(path);
    output_file_put(file, made->image, made->bytes);
    return output_file_finish(file) ? HD_EXIT_PASS
                                    : hd_usage_error(NULL, NULL, 0, "%s: %s", path, output_file_reason(errno));
}

/* *image: the file with the kernels; NULL: there are none. */
static int compile_device(const build *b, const char *source, const char *path, const char **image)
{
    kernelc_output made;
    kernelc_input input = {.name = source, .is_cuda = 1, .words = device_words(b)};
    char *error, *text = (char *)hd_app_read(source, &input.bytes, &error);
    if (!text) {
        fputs(error, stderr);
        free(error);
        return HD_EXIT_USAGE;
    }
    input.data = text;
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &made);
    const int is_good = outcome == KERNELC_DONE || outcome == KERNELC_EMPTY;
    if (made.log)
        fprintf(stderr, "%s%s", is_good || outcome == KERNELC_REFUSED ? "" : "error: ", made.log);
    int code = is_good ? HD_EXIT_PASS : HD_EXIT_USAGE;
    if (outcome == KERNELC_DONE)
        code = write_image(path, &made);
    *image = outcome == KERNELC_DONE ? path : NULL;
    heddle_kernelc_free(&made);
    free(text);
    return code;
}

/* ---- The host's side ------------------------------------------------------------------------------------------------- */

static int compile_host(const build *b, const char *source, const char *image, const char *object)
{
    static const char *const cuda[] = {CUDA_LANGUAGE, "--cuda-host-only", STANDARD, NULL};
    word_list words = {0};
    add_all(b, &words,
            (const char *[]){heddle_kernelc_clang(), "-c", source, "-o", object,
                             arena_format(memory_of(b), "-I%s/include", b->files), "-w", NULL});
    if (cuda_is_cuda(source)) {
        add_all(b, &words, cuda);
        word_list_add(memory_of(b), &words, arena_format(memory_of(b), "--cuda-path=%s", b->files));
    }
    if (image)
        add_all(b, &words, (const char *[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image, NULL});
    add_list(b, &words, &b->words->both);
    add_list(b, &words, &b->words->host);
    return run(b, &words);
}

static int compile(build *b, uint32_t number, const char *object)
{
    const char *source = b->words->sources.items[number], *image = NULL;
    int code = HD_EXIT_PASS;
    if (cuda_is_cuda(source))
        code = compile_device(b, source, arena_format(memory_of(b), "%s/%u.elf", b->folder, number), &image);
    if (!code)
        code = compile_host(b, source, image, object);
    word_list_add(memory_of(b), &b->objects, object);
    return code;
}

static int link_program(const build *b, const char *output)
{
    word_list words = {0};
    char *library = device_library_path("libheddle_cuda.so");
    if (!library)
        return hd_usage_error(NULL, NULL, 0, "libheddle_cuda.so does not lie beside libheddle.so");
    const int folder_bytes = (int)(strrchr(library, '/') - library);
    add_all(b, &words, (const char *[]){heddle_kernelc_clang(), "--driver-mode=g++", "-o", output, NULL});
    add_list(b, &words, &b->objects);
    add_list(b, &words, &b->words->linker);
    add_all(b, &words,
            (const char *[]){library, arena_format(memory_of(b), "-Wl,-rpath,%.*s", folder_bytes, library), "-lm",
                             "-pthread", NULL});
    add_list(b, &words, &b->words->host);
    const int code = run(b, &words);
    free(library);
    return code;
}

/* ---- Together -------------------------------------------------------------------------------------------------------- */

static int build_with_headers(build *b, const char *output)
{
    const cuda_words *words = b->words;
    if (words->is_object && words->sources.count == 1)
        return compile(b, 0, output);
    for (uint32_t i = 0; i < words->sources.count; i++) {
        const int code = compile(b, i, arena_format(memory_of(b), "%s/%u.o", b->folder, i));
        if (code)
            return code;
    }
    return link_program(b, output);
}

int cuda_build(cuda_words *words, const char *output, const char *folder)
{
    build b = {.words = words, .folder = folder, .files = heddle_kernelc_cuda_files()};
    if (!b.files)
        return hd_usage_error(NULL, NULL, 0,
                              "this Heddle was built without the compiler for CUDA: Debian packages "
                              "clang-16, llvm-16 and libclc-16");
    const int code = build_with_headers(&b, output);
    free(b.files);
    return code;
}
