/* SPDX-License-Identifier: MIT */
/*
 * convergence.cl: what this version of LLVM makes of operations that lanes execute together. Then what it makes of them without what
 * platform/kernelc says to it, so that it shows if that should become unnecessary, or the loader blind.
 */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "program.h"
#include "program_text.h"
#include "programs.h"
#include "work_folder.h"

#define SOURCE KERNELC_SOURCES "/convergence.cl"
#define RECORD_WORDS 2u

/* In convergence.cl. */
enum { USES = 13, TRANSACTIONS = 2 };

typedef struct counts {
    uint32_t uses, instructions, commits;
} counts;

static int is_new(const uint32_t *records, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (records[j * RECORD_WORDS + 1] == records[i * RECORD_WORDS + 1])
            return 0;
    return 1;
}

static counts count(const isa_program *program)
{
    counts found = {0};
    const isa_section *section = isa_program_section(program, ".heddle.convergent");
    cr_assert_not_null(section);
    uint32_t *records = malloc(section->size);
    memcpy(records, section->bytes, section->size);
    found.instructions = section->size / (uint32_t)sizeof(uint32_t[RECORD_WORDS]);
    for (uint32_t i = 0; i < found.instructions; i++)
        found.uses += is_new(records, i);
    for (uint32_t i = 0; i < isa_program_instructions(program); i++)
        found.commits += program->instructions[i].operation == ISA_OP_TX_COMMIT;
    free(records);
    return found;
}

Test(convergence, every_use_stays_one)
{
    static const char *const levels[] = {"", "-cl-opt-disable", "-cl-fast-relaxed-math"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char error[512] = "";
        kernelc_output made = bench_compile(SOURCE, levels[i]);
        isa_program *program = isa_program_load(made.image, made.bytes, error, sizeof error);
        cr_assert_not_null(program, "%s: %s", levels[i], error);
        const counts found = count(program);
        cr_expect_eq(found.uses, USES, "%s: %u", levels[i], found.uses);
        cr_expect_geq(found.instructions, USES);
        cr_expect_eq(found.commits, TRANSACTIONS, "%s: %u", levels[i], found.commits);
        isa_program_free(program);
        heddle_kernelc_free(&made);
    }
}

/* ---- Without -------------------------------------------------------------------------------------------------------- */

/* All places of `word` become `instead`, which is not longer. */
static void replace(char *text, const char *word, const char *instead)
{
    for (char *at; (at = strstr(text, word));) {
        memcpy(at, instead, strlen(instead));
        memmove(at + strlen(instead), at + strlen(word), strlen(at + strlen(word)) + 1);
    }
}

/* "(i32 7) convergent nounwind" of operation 7 -> 0: the numbers by which none is like another. */
static void drop_numbers(char *text)
{
    static const char end[] = ") convergent nounwind";
    for (char *at = text; (at = strstr(at, end)); at += strlen(end)) {
        char *digit = at;
        while (digit[-1] >= '0' && digit[-1] <= '9')
            *--digit = '0';
    }
}

static void run(const char *format, const char *folder)
{
    char *words = NULL;
    cr_assert(asprintf(&words, format, folder, folder) > 0);
    cr_assert_eq(system(words), 0, "%s", words);
    free(words);
}

static isa_program *load(arena *memory, const char *folder, char *error, size_t error_bytes)
{
    size_t bytes;
    const void *image = file_read(memory, arena_format(memory, "%s/kernel.elf", folder), &bytes);
    cr_assert_not_null(image);
    return isa_program_load(image, bytes, error, error_bytes);
}

/* convergence.cl through the same steps, but for what `change` does to the text. */
static isa_program *compile_changed(void (*change)(char *), char *error, size_t error_bytes)
{
    arena memory = {0};
    size_t bytes;
    char *made, *folder = work_folder_make();
    program_content content = {0};
    cr_assert_not_null(folder);
    run(PROGRAM_CLANG
        " -x cl -cl-std=CL1.2 --target=spir-unknown-unknown -ffreestanding -O2 -Xclang -disable-llvm-passes"
        " -cl-kernel-arg-info -isystem " KERNELC_FILES "/include -S -emit-llvm " SOURCE " -o %s/program.ll",
        folder);
    const char *text = file_read(&memory, arena_format(&memory, "%s/program.ll", folder), &bytes);
    cr_assert_eq(program_text(&memory, (ir_piece){text, bytes}, 0, &content, &made, error, error_bytes), 0, "%s",
                 error);
    change(made);
    cr_assert(file_write(arena_format(&memory, "%s/changed.ll", folder), made, strlen(made)));
    free(made);
    run(PROGRAM_LINK " --only-needed %s/changed.ll " KERNELC_FILES "/library.bc -o %s/linked.bc", folder);
    run(PROGRAM_OPT " '-passes=default<O2>' %s/linked.bc -o %s/kernel.bc -mattr=+m,+a,+f", folder);
    run(PROGRAM_LLC " -O2 -mattr=+m,+a,+f -target-abi=ilp32f -filetype=obj %s/kernel.bc -o %s/kernel.o", folder);
    run(PROGRAM_LD " -melf32lriscv --unresolved-symbols=ignore-all -T " KERNELC_FILES "/kernel.ld %s/kernel.o -o "
                   "%s/kernel.elf",
        folder);
    isa_program *program = load(&memory, folder, error, error_bytes);
    work_folder_remove(folder);
    arena_free(&memory);
    return program;
}

static void say_nothing_of_convergence(char *text)
{
    replace(text, " convergent ", " ");
}

Test(convergence, the_loader_refuses_the_copies_that_llvm_makes_if_nothing_is_said)
{
    char error[512] = "";
    isa_program *program = compile_changed(say_nothing_of_convergence, error, sizeof error);
    cr_expect_null(program);
    cr_expect(strstr(error, "the compiler has copied one "), "%s", error);
    isa_program_free(program);
}

/* LLVM 16 merges what is alike at the ends of two arms. Later versions do not, but then one number means several uses, which the loader refuses. */
Test(convergence, without_numbers_uses_are_merged_or_refused)
{
    char error[512] = "";
    isa_program *program = compile_changed(drop_numbers, error, sizeof error);
    const counts found = program ? count(program) : (counts){0};
    cr_expect(!program || found.instructions < USES || found.commits < TRANSACTIONS, "%u instructions, %u commits",
              found.instructions, found.commits);
    cr_expect(KERNELC_MERGES || strstr(error, "the compiler has copied one "), "%s", error);
    isa_program_free(program);
}
