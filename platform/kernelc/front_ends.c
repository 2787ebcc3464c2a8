/* SPDX-License-Identifier: MIT */
#include "front_ends.h"

#include <string.h>

#include "commands.h"
#include "objects.h"
#include "programs.h"
#include "work_folder.h"

#define FILE_DESCRIBED "described.ll"

/* ---- OpenCL C --------------------------------------------------------------------------------------------------- */

/* Where #include finds what lies beside the source. */
static void add_own_folders(const compilation *c, command *to)
{
    const char *name = c->input->name, *slash = name ? strrchr(name, '/') : NULL;
    if (slash)
        words_add(to, arena_format(c->memory, "-iquote%.*s", slash == name ? 1 : (int)(slash - name), name));
    else if (name)
        words_add(to, "-iquote.");
    words_add(to, arena_format(c->memory, "-I%s", c->folder)); /* headers that are not files */
}

static void add_options(const compilation *c, command *to)
{
    for (uint32_t i = 0; i < c->options.count; i++)
        words_add(to, c->options.words[i]);
}

static void add_files(const compilation *c, command *to, const char *output)
{
    words_add_all(to, (const char *[]){in_folder(c, FILE_SOURCE), "-o", in_folder(c, output), NULL});
}

static void add_rule_and_output(const compilation *c, command *to)
{
    words_add_all(to, (const char *[]){"-MMD", "-MT", "program", "-MF", in_folder(c, FILE_INPUTS), NULL});
    add_files(c, to, FILE_PROGRAM);
}

/* Lines are found from where one looks: what is kept in the cache comes from another folder. */
#define IN_ANY_FOLDER "-fdebug-compilation-dir=."

/* The log says what clang says, of the user's file. */
static kernelc_outcome compile_opencl(compilation *c)
{
    static const char *const fixed[] = {PROGRAM_CLANG,
                                        "-x",
                                        "cl",
                                        "-cl-std=CL1.2",
                                        "--target=spir-unknown-unknown",
                                        "-ffreestanding",
                                        "-fgnu89-inline",
                                        "-gline-tables-only",
                                        IN_ANY_FOLDER,
                                        "-cl-kernel-arg-info",
                                        "-D__HEDDLE__=1",
                                        "-O2",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-S",
                                        "-emit-llvm",
                                        NULL};
    command words = {0};
    words_add_all(&words, fixed);
    add_options(c, &words);
    add_own_folders(c, &words);
    words_add(&words, arena_format(c->memory, "-isystem%s/include", c->files));
    add_rule_and_output(c, &words);
    return run_compiler(c, &words);
}

/* ---- SPIR-V ----------------------------------------------------------------------------------------------------------- */

/* SPIR-V is translated into what the front end of the same kind of program would have written. */
static kernelc_outcome translate(compilation *c)
{
    command translation = {0}, text = {0};
    const char *said;
    if (!*PROGRAM_SPIRV) {
        hd_text_add(&c->log, "Heddle was built without llvm-spirv: programs in SPIR-V cannot be compiled\n");
        return KERNELC_MISSING;
    }
    words_add_all(&translation,
                  (const char *[]){PROGRAM_SPIRV, "-r", "--spirv-target-env=CL1.2", "--spirv-gen-kernel-arg-name-md",
                                   in_folder(c, FILE_SOURCE), "-o", in_folder(c, "translated.bc"), NULL});
    const int code = run_command(c, &translation, &said);
    if (code) {
        hd_text_add(&c->log, "error: this is no program in SPIR-V that can be compiled: %.*s\n",
                    (int)strcspn(said, "\n"), said);
        return code < 0 ? KERNELC_MISSING : KERNELC_REFUSED;
    }
    words_add_all(&text, (const char *[]){PROGRAM_DISASSEMBLER, in_folder(c, "translated.bc"), "-o",
                                          in_folder(c, FILE_PROGRAM), NULL});
    return run_step(c, &text);
}

/* ---- CUDA ------------------------------------------------------------------------------------------------------------- */

/* Code for NVIDIA's 64 bits, so that types have the sizes and places that they have for the host; slots.c makes it fit. */
static command cuda_words(const compilation *c)
{
    static const char *const fixed[] = {PROGRAM_CLANG,
                                        CUDA_LANGUAGE,
                                        "--cuda-device-only",
                                        "--cuda-gpu-arch=sm_60",
                                        "-fno-builtin-printf",
                                        "-gline-tables-only",
                                        IN_ANY_FOLDER,
                                        "-O2",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-S",
                                        "-emit-llvm",
                                        NULL};
    command words = {0};
    words_add_all(&words, fixed);
    add_options(c, &words);
    add_own_folders(c, &words);
    words_add(&words, arena_format(c->memory, "-I%s/include", c->cuda_files));
    words_add(&words, arena_format(c->memory, "--cuda-path=%s", c->cuda_files));
    return words;
}

/* What the headers say is to be inlined is inlined here, so that each call of a barrier or shuffle is a place of its own (sites.c). */
static kernelc_outcome compile_cuda(compilation *c)
{
    command words = cuda_words(c), inlining = {0};
    add_rule_and_output(c, &words);
    const kernelc_outcome outcome = run_compiler(c, &words);
    if (outcome != KERNELC_DONE)
        return outcome;
    words_add_all(&inlining, (const char *[]){PROGRAM_OPT, "-passes=always-inline,globaldce", "-S",
                                              in_folder(c, FILE_PROGRAM), "-o", in_folder(c, FILE_PROGRAM), NULL});
    return run_step(c, &inlining);
}

ir_piece front_end_describe(compilation *c)
{
    command words = cuda_words(c);
    const char *said;
    ir_piece text = {"", 0};
    words_add_all(&words, (const char *[]){"-w", "-g", "--cuda-noopt-device-debug", NULL});
    add_files(c, &words, FILE_DESCRIBED);
    const char *read =
        run_command(c, &words, &said) ? NULL : file_read(c->memory, in_folder(c, FILE_DESCRIBED), &text.bytes);
    text.text = read ? read : "";
    return text;
}

kernelc_outcome front_end_run(compilation *c)
{
    if (c->input->object_count)
        return objects_join(c);
    if (c->input->is_cuda)
        return compile_cuda(c);
    return c->input->is_spirv ? translate(c) : compile_opencl(c);
}
