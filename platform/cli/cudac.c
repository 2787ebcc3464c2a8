/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "cuda_build.h"
#include "work_folder.h"

/* "src/prog.cu" -> "prog.o", as compilers have it. */
static const char *object_of(cuda_words *words)
{
    const char *source = words->sources.items[0], *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    return arena_format(&words->memory, "%.*s.o", (int)(strrchr(base, '.') - base), base);
}

static int build_in_folder(cuda_words *words)
{
    const char *output = words->output ? words->output : words->is_object ? object_of(words) : "a.out";
    char *folder = work_folder_make();
    if (!folder)
        return hd_usage_error(NULL, NULL, 0, "there is no folder for temporary files: %s", strerror(errno));
    const int code = cuda_build(words, output, folder);
    work_folder_remove(folder);
    return code;
}

static int check(const cuda_words *words)
{
    if (!words->sources.count && (words->is_object || !words->linker.count))
        return hd_usage_error(NULL, NULL, 0, "there is no file to compile");
    if (words->is_object && words->sources.count > 1)
        return hd_usage_error(NULL, NULL, 0, "-c compiles one file at a time");
    return HD_EXIT_PASS;
}

static int run(const hd_command *command, int count, char **words)
{
    cuda_words read;
    char error[512];
    int code = HD_EXIT_USAGE;
    (void)command;
    if (cuda_words_read(&read, count, words, error, sizeof error)) {
        code = check(&read);
        if (!code)
            code = build_in_folder(&read);
    } else {
        hd_usage_error(NULL, NULL, 0, "%s", error);
    }
    cuda_words_free(&read);
    return code;
}

const hd_command hd_command_cudac = {
    .name = "cudac",
    .usage = "[OPTION]... FILE... [-c] [-o OUTPUT]",
    .doc = "compile programs in CUDA",
    .help = "In place of nvcc, in a makefile too: NVCC=\"heddle cudac\". The program is run by 'heddle cuda MACHINE -- "
            "PROGRAM'.\n"
            "\n"
            "  FILE              sources (.cu, .c, .cc, .cpp, .cxx), objects and libraries\n"
            "  -o OUTPUT         the program (default a.out), or with -c the object\n"
            "  -c                compile one file, do not link\n"
            "  OPTION            of clang or nvcc: -I, -D, -std=, -O, -l, -L, -Xcompiler ...; what says for which "
            "device of\n"
            "                    NVIDIA's, such as -arch, is passed over\n",
    .run = run,
};
