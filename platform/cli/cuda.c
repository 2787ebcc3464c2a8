/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_build.h"
#include "device_program.h"
#include "text.h"
#include "work_folder.h"

/* Up to the second "--", if there is one. */
static int count_words(char **words)
{
    int count = 0;
    while (words[count] && strcmp(words[count], "--"))
        count++;
    return count;
}

static int has_source(int count, char **words)
{
    for (int i = 0; i < count; i++)
        if (cuda_is_cuda(words[i]))
            return 1;
    return 0;
}

/* "src/prog.cu" -> "FOLDER/prog": messages and results have the name. */
static char *program_in(const char *folder, const cuda_words *words)
{
    const char *source = words->sources.items[0], *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    char *path = malloc(strlen(folder) + strlen(base) + 2);
    if (!path)
        abort();
    sprintf(path, "%s/%.*s", folder, (int)(strrchr(base, '.') - base), base);
    return path;
}

static int build(int count, char **words, const char *folder, char **program)
{
    cuda_words read;
    char error[512];
    int code = HD_EXIT_USAGE;
    if (!cuda_words_read(&read, count, words, error, sizeof error)) {
        hd_usage_error(NULL, NULL, 0, "%s", error);
    } else if (read.is_object || read.output) {
        hd_usage_error(NULL, NULL, 0, "heddle cuda runs what it compiles: -c and -o are for heddle cudac");
    } else {
        *program = program_in(folder, &read);
        code = cuda_build(&read, *program, folder);
    }
    cuda_words_free(&read);
    return code;
}

static void remove_program(device_program *made)
{
    if (!made->folder)
        return;
    work_folder_remove(made->folder);
    free(made->words[0]);
    free(made->words);
}

/* The words of the program: itself, and what is behind the second "--". */
static char **program_words(char *program, char **behind)
{
    int count = 0;
    while (behind[count])
        count++;
    char **words = malloc((size_t)(count + 2) * sizeof *words);
    if (!words)
        abort();
    words[0] = program;
    memcpy(words + 1, behind, (size_t)(count + 1) * sizeof *words);
    return words;
}

/* A program that another linker has linked finds the runtime, too. */
static int find_library(void)
{
    char *library = device_library_path("libheddle_cuda.so");
    const char *others = getenv("LD_LIBRARY_PATH");
    if (!library)
        return hd_usage_error(NULL, NULL, 0, "libheddle_cuda.so does not lie beside libheddle.so");
    char *path = hd_text_format("%.*s%s%s", (int)(strrchr(library, '/') - library), library, others ? ":" : "",
                                others ? others : "");
    setenv("LD_LIBRARY_PATH", path, 1);
    free(path);
    free(library);
    return HD_EXIT_PASS;
}

/* A program that is there, or sources of one. */
static int make_program(char **words, device_program *made)
{
    const int count = count_words(words);
    char *program = NULL;
    if (find_library())
        return HD_EXIT_USAGE;
    if (!has_source(count, words)) {
        made->words = words;
        return HD_EXIT_PASS;
    }
    made->folder = work_folder_make();
    if (!made->folder)
        return hd_usage_error(NULL, NULL, 0, "there is no folder for temporary files: %s", strerror(errno));
    const int code = build(count, words, made->folder, &program);
    made->words = program_words(program, words + count + (words[count] != NULL));
    return code;
}

static int run(const hd_command *command, int count, char **words)
{
    static const device_kind kind = {.prefix = "HEDDLE_CUDA", .make = make_program, .unmake = remove_program};
    return device_program_run(command, count, words, &kind);
}

const hd_command hd_command_cuda = {
    .name = "cuda",
    .usage = "MACHINE " DEVICE_PROGRAM_USAGE " -- [OPTION]... FILE.cu... [-- ARGUMENT...] | PROGRAM [ARGUMENT]...",
    .doc = "run a program whose CUDA device is a machine",
    .help =
        "  FILE.cu           sources: they are compiled as by 'heddle cudac', with its OPTIONs, and run with the "
        "ARGUMENTs\n"
        "  PROGRAM           or a program that 'heddle cudac' has made\n" DEVICE_PROGRAM_HELP "\n" DEVICE_PROGRAM_EXIT,
    .run = run,
};
