/* SPDX-License-Identifier: MIT */
#include "stages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explanations.h"
#include "objects.h"
#include "other_program.h"
#include "program.h"
#include "program_text.h"
#include "programs.h"
#include "work_folder.h"

#define WORDS_MAX 512u

/* What clang, opt and llc are to know of the processor. */
#define FEATURES "-mattr=+m,+a,+f"

/* A test that is the same for all lanes must not be copied into the arms of one that is not: lanes would meet behind all that it
 * decides on, such as a loop with barriers. GPUs' targets leave such passes out. */
#define NO_COPIED_TESTS_IN_OPT "-jump-threading-threshold=0"
#define NO_COPIED_TESTS_IN_LLC "-tail-dup-placement=0", "-disable-early-taildup", "-disable-tail-duplicate"

/* The words that start a program. */
typedef struct command {
    const char *words[WORDS_MAX];
    uint32_t count;
} command;

static void add(command *c, const char *word)
{
    if (c->count + 1 < WORDS_MAX)
        c->words[c->count++] = word;
}

static void add_all(command *c, const char *const *words)
{
    for (; *words; words++)
        add(c, *words);
}

static const char *in_folder(const compilation *c, const char *name)
{
    return arena_format(c->memory, "%s/%s", c->folder, name);
}

int stages_run_program(compilation *c, const char *const *words, const char **said)
{
    char *output;
    const int code = program_run(words, &output);
    *said = arena_copy(c->memory, output ? output : "", output ? strlen(output) : 0);
    free(output);
    if (code < 0 || code == 127)
        hd_text_add(&c->log, "%s cannot be started: %s\n", words[0], strerror(code < 0 ? errno : ENOENT));
    return code == 127 ? -1 : code;
}

static int run(compilation *c, const command *words, const char **said)
{
    return stages_run_program(c, words->words, said);
}

static kernelc_outcome fail(compilation *c, const char *why)
{
    hd_text_add(&c->log, "%s\n", why);
    return KERNELC_FAILED;
}

/* What it says is one line, as what the user has written is none of its concern. */
static kernelc_outcome conclude_step(compilation *c, const command *words, int code, const char *said)
{
    if (!code)
        return KERNELC_DONE;
    if (code > 0)
        hd_text_add(&c->log, "%s failed: %.*s\n", words->words[0], (int)strcspn(said, "\n"), said);
    return code < 0 ? KERNELC_MISSING : KERNELC_FAILED;
}

static kernelc_outcome run_step(compilation *c, const command *words)
{
    const char *said;
    const int code = run(c, words, &said);
    return conclude_step(c, words, code, said);
}

/* ---- The front end --------------------------------------------------------------------------------------------------- */

static void add_folders(const compilation *c, command *to)
{
    const char *name = c->input->name, *slash = name ? strrchr(name, '/') : NULL;
    if (slash)
        add(to, arena_format(c->memory, "-iquote%.*s", slash == name ? 1 : (int)(slash - name), name));
    else if (name)
        add(to, "-iquote.");
    add(to, arena_format(c->memory, "-I%s", c->folder)); /* headers that are not files */
    add(to, arena_format(c->memory, "-isystem%s/include", c->files));
}

/* The log says what clang says, of the user's file. */
static kernelc_outcome run_front_end(compilation *c)
{
    static const char *const fixed[] = {PROGRAM_CLANG,
                                        "-x",
                                        "cl",
                                        "-cl-std=CL1.2",
                                        "--target=spir-unknown-unknown",
                                        "-ffreestanding",
                                        "-fgnu89-inline",
                                        "-gline-tables-only",
                                        "-cl-kernel-arg-info",
                                        "-D__HEDDLE__=1",
                                        "-O2",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-S",
                                        "-emit-llvm",
                                        NULL};
    command words = {0};
    add_all(&words, fixed);
    for (uint32_t i = 0; i < c->options.count; i++)
        add(&words, c->options.words[i]);
    add_folders(c, &words);
    add_all(&words, (const char *[]){"-MMD", "-MT", "program", "-MF", in_folder(c, FILE_INPUTS),
                                     in_folder(c, FILE_SOURCE), "-o", in_folder(c, FILE_PROGRAM), NULL});
    const char *said;
    const int code = run(c, &words, &said);
    hd_text_add(&c->log, "%s", said);
    return !code ? KERNELC_DONE : code < 0 ? KERNELC_MISSING : code == 1 ? KERNELC_REFUSED : KERNELC_FAILED;
}

/* SPIR-V is translated into what the front end of the same kind of program would have written. */
static kernelc_outcome translate(compilation *c)
{
    command translation = {0}, text = {0};
    const char *said;
    if (!*PROGRAM_SPIRV) {
        hd_text_add(&c->log, "Heddle was built without llvm-spirv: programs in SPIR-V cannot be compiled\n");
        return KERNELC_MISSING;
    }
    add_all(&translation,
            (const char *[]){PROGRAM_SPIRV, "-r", "--spirv-target-env=CL1.2", "--spirv-gen-kernel-arg-name-md",
                             in_folder(c, FILE_SOURCE), "-o", in_folder(c, "translated.bc"), NULL});
    const int code = run(c, &translation, &said);
    if (code) {
        hd_text_add(&c->log, "error: this is no program in SPIR-V that can be compiled: %.*s\n",
                    (int)strcspn(said, "\n"), said);
        return code < 0 ? KERNELC_MISSING : KERNELC_REFUSED;
    }
    add_all(&text, (const char *[]){PROGRAM_DISASSEMBLER, in_folder(c, "translated.bc"), "-o",
                                    in_folder(c, FILE_PROGRAM), NULL});
    return run_step(c, &text);
}

static kernelc_outcome read_program(compilation *c)
{
    if (c->input->object_count)
        return objects_join(c);
    return c->input->is_spirv ? translate(c) : run_front_end(c);
}

/* ---- Between --------------------------------------------------------------------------------------------------------- */

static kernelc_outcome prepare(compilation *c)
{
    size_t bytes;
    char error[512], *made;
    const char *text = file_read(c->memory, in_folder(c, FILE_PROGRAM), &bytes);
    if (!text)
        return fail(c, strerror(errno));
    if (program_text(c->memory, text, bytes, &c->kernels, &made, error, sizeof error)) {
        hd_text_add(&c->log, "%s\n", error);
        return KERNELC_REFUSED;
    }
    const int is_written = file_write(in_folder(c, FILE_PREPARED), made, strlen(made));
    free(made);
    if (!is_written)
        return fail(c, strerror(errno));
    if (c->kernels.count)
        return KERNELC_DONE;
    hd_text_add(&c->log, "%s: error: there is no kernel in it\n", c->input->name ? c->input->name : FILE_SOURCE);
    return KERNELC_REFUSED;
}

/* ---- The back end ---------------------------------------------------------------------------------------------------- */

static kernelc_outcome link_library(compilation *c)
{
    command words = {0};
    add_all(&words, (const char *[]){PROGRAM_LINK, "--only-needed", in_folder(c, FILE_PREPARED),
                                     arena_format(c->memory, "%s/library.bc", c->files), "-o",
                                     in_folder(c, "linked.bc"), NULL});
    return run_step(c, &words);
}

/* All but kernels, and what the code generator itself may call, are of no use to anyone else. */
static kernelc_outcome optimise(compilation *c)
{
    hd_text kept = {0};
    command words = {0};
    hd_text_add(&kept, "--internalize-public-api-list=memcpy,memset,memmove");
    for (uint32_t i = 0; i < c->kernels.count; i++)
        hd_text_add(&kept, ",%s", c->kernels.kernels[i].name);
    char *list = hd_text_take(&kept);
    /* The parts of addresses that are constant go into the instructions: without the last three, matmul spills. */
    add_all(&words,
            (const char *[]){PROGRAM_OPT,
                             c->options.is_fast ? "-passes=internalize,globaldce,default<O2>,"
                                                  "function(separate-const-offset-from-gep,early-cse,instsimplify)"
                                                : "-passes=internalize,globaldce,default<O1>",
                             NO_COPIED_TESTS_IN_OPT, list, FEATURES, in_folder(c, "linked.bc"), "-o",
                             in_folder(c, "optimised.bc"), NULL});
    const kernelc_outcome outcome = run_step(c, &words);
    free(list);
    return outcome;
}

static kernelc_outcome generate(compilation *c)
{
    command words = {0};
    add_all(&words, (const char *[]){PROGRAM_LLC, "-O2", FEATURES, "-target-abi=ilp32f", "-relocation-model=static",
                                     "-data-sections", "-function-sections", "-filetype=obj", NO_COPIED_TESTS_IN_LLC,
                                     in_folder(c, "optimised.bc"), "-o", in_folder(c, "kernel.o"), NULL});
    const char *said;
    const int code = run(c, &words, &said);
    return code > 0 && explain_assembly(c, said) ? KERNELC_REFUSED : conclude_step(c, &words, code, said);
}

/* ---- The linker ------------------------------------------------------------------------------------------------------ */

/* That of all kernels, and first of all in it a place for local memory of each kernel: they lie over each other. */
static kernelc_outcome write_script(compilation *c)
{
    size_t bytes;
    const char *common = file_read(c->memory, arena_format(c->memory, "%s/kernel.ld", c->files), &bytes);
    const char *open = common ? strstr(common, "SECTIONS\n{\n") : NULL;
    if (!open)
        return fail(c, "kernel.ld is not there or no longer what it was");
    const char *rest = open + strlen("SECTIONS\n{\n");
    hd_text script = {0};
    hd_text_add(&script, "%.*s", (int)(rest - common), common);
    for (uint32_t i = 0; i < c->kernels.count; i++) {
        const char *name = c->kernels.kernels[i].name;
        hd_text_add(&script,
                    "    .local.%s 0x%08x (INFO) : { *(" LOCAL_SECTION
                    "%s) }\n    heddle.local_bytes.%s = SIZEOF(.local.%s);\n",
                    name, KERNELC_LOCAL_BASE, name, name, name);
    }
    hd_text_add(&script, "    " KERNELC_SECTION " 0 (INFO) : { KEEP(*(" KERNELC_SECTION ")) }\n%s", rest);
    char *text = hd_text_take(&script);
    const int is_written = file_write(in_folder(c, "kernel.ld"), text, strlen(text));
    free(text);
    return is_written ? KERNELC_DONE : fail(c, strerror(errno));
}

static kernelc_outcome explain_link(compilation *c, const char *said)
{
    if (explain_undefined(c, said))
        return KERNELC_REFUSED;
    hd_text_add(&c->log, "%s failed: %.*s\n", PROGRAM_LD, (int)strcspn(said, "\n"), said);
    return KERNELC_FAILED;
}

static kernelc_outcome link_image(compilation *c)
{
    const char *said;
    command words = {0};
    add_all(&words,
            (const char *[]){PROGRAM_LD, "-melf32lriscv", "-static", "-T", in_folder(c, "kernel.ld"),
                             "--no-check-sections", "-z", "max-page-size=128", "--build-id=none", "--emit-relocs",
                             in_folder(c, "kernel.o"), arena_format(c->memory, "%s/libkernel.a", c->files), FILE_LIBC,
                             FILE_LIBGCC, "-o", in_folder(c, FILE_IMAGE), NULL});
    const int code = run(c, &words, &said);
    return code < 0 ? KERNELC_MISSING : code ? explain_link(c, said) : KERNELC_DONE;
}

/* What the machine will not run is an error of the compilation, not of the run. */
static kernelc_outcome check_image(compilation *c)
{
    size_t bytes;
    char error[512];
    const char *image = file_read(c->memory, in_folder(c, FILE_IMAGE), &bytes);
    isa_program *program = image ? isa_program_load(image, bytes, error, sizeof error) : NULL;
    if (!program)
        return fail(c, image ? error : strerror(errno));
    isa_program_free(program);
    return KERNELC_DONE;
}

typedef kernelc_outcome (*step)(compilation *);

/* Ended by NULL. */
static kernelc_outcome run_steps(compilation *c, const step *steps)
{
    kernelc_outcome outcome = KERNELC_DONE;
    for (; *steps && outcome == KERNELC_DONE; steps++)
        outcome = (*steps)(c);
    return outcome;
}

kernelc_outcome stages_run(compilation *c)
{
    static const step object[] = {read_program, objects_make, NULL};
    static const step library[] = {read_program, objects_make_library, NULL};
    static const step executable[] = {read_program, prepare,    link_library, optimise, generate,
                                      write_script, link_image, check_image,  NULL};
    return run_steps(c, c->input->is_compiled_only ? object : c->options.makes_library ? library : executable);
}
