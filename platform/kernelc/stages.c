/* SPDX-License-Identifier: MIT */
#include "stages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cuda_text.h"
#include "explanations.h"
#include "front_ends.h"
#include "objects.h"
#include "program.h"
#include "program_text.h"
#include "programs.h"
#include "work_folder.h"
#include "wrapper.h"

/* What clang, opt and llc are to know of the processor. */
#define FEATURES "-mattr=+m,+a,+f"

/* A test that is the same for all lanes must not be copied into the arms of one that is not: lanes would meet behind all that it
 * decides on, such as a loop with barriers. GPUs' targets leave such passes out. */
#define NO_COPIED_TESTS_IN_OPT "-jump-threading-threshold=0"
#define NO_COPIED_TESTS_IN_LLC "-tail-dup-placement=0", "-disable-early-taildup", "-disable-tail-duplicate"

/* A first round that is peeled off a loop has copies of the barriers in it: LLVM peels in spite of convergent operations.
 * -unroll-allow-peeling=false does not reach the pass that does so first. */
#define NO_PEELED_ROUNDS "-unroll-peel-max-count=0"

/* The linker does not know how later versions of LLVM write numbers of 5. */
#define DWARF "-dwarf-version=4"

static const char *source_name(const compilation *c)
{
    return c->input->name ? c->input->name : FILE_SOURCE;
}

/* ---- Between --------------------------------------------------------------------------------------------------------- */

static kernelc_outcome prepare(compilation *c)
{
    size_t bytes;
    char error[512], *made;
    const char *text = file_read(c->memory, in_folder(c, FILE_PROGRAM), &bytes);
    if (!text)
        return step_fails(c, strerror(errno));
    if (program_text(c->memory, (ir_piece){text, bytes}, c->input->is_cuda, &c->content, &made, error, sizeof error)) {
        if (c->content.refused.bytes) {
            explain_variable(c, c->content.refused);
            return KERNELC_REFUSED;
        }
        const int has_place = strncmp(error, "error:", strlen("error:")) != 0;
        hd_text_add(&c->log, "%s%s%s\n", has_place ? "" : source_name(c), has_place ? "" : ": ", error);
        return KERNELC_REFUSED;
    }
    const int is_written = file_write(in_folder(c, FILE_PREPARED), made, strlen(made));
    free(made);
    if (!is_written)
        return step_fails(c, strerror(errno));
    if (c->content.kernels.count)
        return KERNELC_DONE;
    if (c->input->is_cuda)
        return KERNELC_EMPTY;
    hd_text_add(&c->log, "%s: error: there is no kernel in it\n", source_name(c));
    return KERNELC_REFUSED;
}

/* ---- The back end ---------------------------------------------------------------------------------------------------- */

static kernelc_outcome link_library(compilation *c)
{
    command words = {0};
    words_add_all(
        &words, (const char *[]){PROGRAM_LINK, "--only-needed", in_folder(c, FILE_PREPARED),
                                 arena_format(c->memory, "%s/library.bc", c->input->is_cuda ? c->cuda_files : c->files),
                                 "-o", in_folder(c, "linked.bc"), NULL});
    return run_step(c, &words);
}

/* All but kernels, and what the code generator itself may call, are of no use to anyone else. */
static kernelc_outcome optimise(compilation *c)
{
    hd_text kept = {0};
    command words = {0};
    hd_text_add(&kept, "--internalize-public-api-list=memcpy,memset,memmove");
    for (uint32_t i = 0; i < c->content.kernels.count; i++)
        hd_text_add(&kept, ",%s", c->content.kernels.kernels[i].entry);
    for (uint32_t i = 0; i < c->content.variables.count; i++)
        hd_text_add(&kept, ",%s", ir_copy(c->memory, c->content.variables.items[i]));
    hd_text_add(&kept, "%s", c->content.locals);
    char *list = hd_text_take(&kept);
    /* The parts of addresses that are constant go into the instructions: without the last three, matmul spills. */
    words_add_all(&words, (const char *[]){PROGRAM_OPT,
                                           c->options.is_fast
                                               ? "-passes=internalize,globaldce,default<O2>,"
                                                 "function(separate-const-offset-from-gep,early-cse,instsimplify)"
                                               : "-passes=internalize,globaldce,default<O1>",
                                           NO_COPIED_TESTS_IN_OPT, NO_PEELED_ROUNDS, list, FEATURES,
                                           in_folder(c, "linked.bc"), "-o", in_folder(c, "optimised.bc"), NULL});
    const kernelc_outcome outcome = run_step(c, &words);
    free(list);
    return outcome;
}

static kernelc_outcome generate(compilation *c)
{
    command words = {0};
    words_add_all(&words, (const char *[]){PROGRAM_LLC, "-O2", FEATURES, "-target-abi=ilp32f",
                                           "-relocation-model=static", "-data-sections", "-function-sections",
                                           "-filetype=obj", DWARF, NO_COPIED_TESTS_IN_LLC, in_folder(c, "optimised.bc"),
                                           "-o", in_folder(c, "kernel.o"), NULL});
    const char *said;
    const int code = run_command(c, &words, &said);
    return code > 0 && explain_assembly(c, said) ? KERNELC_REFUSED : conclude_step(c, &words, code, said);
}

/* ---- The linker ------------------------------------------------------------------------------------------------------ */

/* Places for local memory: of each kernel, behind what several kernels have in common, one over the other. */
static void add_local_memory(const compilation *c, hd_text *script)
{
    const ir_kernels *kernels = &c->content.kernels;
    hd_text_add(script, "    .local 0x%08x (INFO) : { *(" LOCAL_SECTION CUDA_COMMON_KERNEL ") . = ALIGN(%u); }\n",
                KERNELC_LOCAL_BASE, KERNELC_LOCAL_ALIGNMENT);
    for (uint32_t i = 0; i < kernels->count; i++) {
        const char *name = kernels->kernels[i].name;
        hd_text_add(script,
                    "    .local.%s 0x%08x + SIZEOF(.local) (INFO) : { *(" LOCAL_SECTION "%s) }\n"
                    "    " LOCAL_BYTES "%s = SIZEOF(.local) + SIZEOF(.local.%s);\n",
                    name, KERNELC_LOCAL_BASE, name, name, name);
    }
}

/* What has its size from the launch is at one place, behind the largest of all kernels that have it. */
static void add_dynamic_memory(const compilation *c, hd_text *script)
{
    const ir_list *kernels = &c->content.dynamic_kernels;
    if (!kernels->count)
        return;
    hd_text_add(script, "    heddle.local_end = 0;\n");
    for (uint32_t i = 0; i < kernels->count; i++)
        hd_text_add(script, "    heddle.local_end = MAX(heddle.local_end, " LOCAL_BYTES "%.*s);\n",
                    (int)kernels->items[i].bytes, kernels->items[i].text);
    hd_text_add(script, "    .local.dynamic 0x%08x + ALIGN(heddle.local_end, %u) (INFO) : { " CUDA_DYNAMIC " = .; }\n",
                KERNELC_LOCAL_BASE, KERNELC_LOCAL_ALIGNMENT);
    for (uint32_t i = 0; i < kernels->count; i++)
        hd_text_add(script, "    " LOCAL_BYTES "%.*s = ALIGN(heddle.local_end, %u);\n", (int)kernels->items[i].bytes,
                    kernels->items[i].text, KERNELC_LOCAL_ALIGNMENT);
}

/* That of all kernels, and first of all in it local memory. */
static kernelc_outcome write_script(compilation *c)
{
    size_t bytes;
    const char *common = file_read(c->memory, arena_format(c->memory, "%s/kernel.ld", c->files), &bytes);
    const char *open = common ? strstr(common, "SECTIONS\n{\n") : NULL;
    if (!open)
        return step_fails(c, "kernel.ld is not there or no longer what it was");
    const char *rest = open + strlen("SECTIONS\n{\n");
    hd_text script = {0};
    hd_text_add(&script, "%.*s", (int)(rest - common), common);
    add_local_memory(c, &script);
    add_dynamic_memory(c, &script);
    hd_text_add(&script, "    " KERNELC_SECTION " 0 (INFO) : { KEEP(*(" KERNELC_SECTION ")) }\n%s", rest);
    char *text = hd_text_take(&script);
    const int is_written = file_write(in_folder(c, "kernel.ld"), text, strlen(text));
    free(text);
    return is_written ? KERNELC_DONE : step_fails(c, strerror(errno));
}

/* The linker is asked again for the names that LLVM's text has. */
static kernelc_outcome explain_link(compilation *c, command *words, const char *said)
{
    const char *of_symbols;
    words_add(words, "--no-demangle");
    if (run_command(c, words, &of_symbols) > 0 && explain_undefined(c, said, of_symbols))
        return KERNELC_REFUSED;
    hd_text_add(&c->log, "%s failed: %.*s\n", PROGRAM_LD, (int)strcspn(said, "\n"), said);
    return KERNELC_FAILED;
}

static kernelc_outcome link_image(compilation *c)
{
    const char *said;
    command words = {0};
    words_add_all(&words,
                  (const char *[]){PROGRAM_LD, "-melf32lriscv", "-static", "-T", in_folder(c, "kernel.ld"),
                                   "--no-check-sections", "-z", "max-page-size=128", "--build-id=none", "--emit-relocs",
                                   in_folder(c, "kernel.o"), arena_format(c->memory, "%s/" LIBRARY_KERNEL, c->files),
                                   FILE_LIBC, FILE_LIBGCC, "-o", in_folder(c, FILE_IMAGE), NULL});
    const int code = run_command(c, &words, &said);
    return code < 0 ? KERNELC_MISSING : code ? explain_link(c, &words, said) : KERNELC_DONE;
}

/* What the machine will not run is an error of the compilation, not of the run. */
static kernelc_outcome check_image(compilation *c)
{
    size_t bytes;
    char error[512];
    const char *image = file_read(c->memory, in_folder(c, FILE_IMAGE), &bytes);
    isa_program *program = image ? isa_program_load(image, bytes, error, sizeof error) : NULL;
    if (!program)
        return step_fails(c, image ? error : strerror(errno));
    const int failed = c->options.is_silent ? 0 : explain_barriers(c, program);
    isa_program_free(program);
    return failed ? KERNELC_NO_MEMORY : KERNELC_DONE;
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
    static const step object[] = {front_end_run, objects_make, NULL};
    static const step library[] = {front_end_run, objects_make_library, NULL};
    static const step executable[] = {front_end_run, prepare,    link_library, optimise, generate,
                                      write_script,  link_image, check_image,  NULL};
    return run_steps(c, c->input->is_compiled_only ? object : c->options.makes_library ? library : executable);
}
