/* SPDX-License-Identifier: MIT */
#include "deadlock_words.h"

#include <criterion/criterion.h>
#include <stdlib.h>

const isa_deadlock_options of_stack = {.divergence = ISA_DIVERGENCE_STACK};
const isa_deadlock_options of_splits = {.divergence = ISA_DIVERGENCE_SPLITS};

isa_program *load_with(const uint32_t *words, uint32_t count, const test_section *sections, uint32_t section_count,
                       char error[512])
{
    const test_function functions[] = {{"kernel", 0}};
    size_t size;
    uint8_t *file = make_elf(words, count, functions, 1, &size);
    if (section_count)
        file = add_sections(file, &size, sections, section_count);
    *error = '\0';
    isa_program *program = isa_program_load(file, size, error, 512);
    free(file);
    return program;
}

uint32_t found_in(const uint32_t *words, uint32_t count, const test_section *sections, uint32_t section_count,
                  const isa_deadlock_options *options, isa_deadlock *first)
{
    char error[512];
    isa_deadlocks deadlocks;
    uint32_t branches = 0;
    isa_program *program = load_with(words, count, sections, section_count, error);
    cr_assert(program, "%s", error);
    cr_assert_eq(isa_deadlocks_find(program, options, &deadlocks), 0);
    for (uint32_t i = 0; i < deadlocks.count; i++)
        branches += !i || deadlocks.found[i].branch != deadlocks.found[i - 1].branch;
    if (deadlocks.count && first)
        *first = *deadlocks.found;
    isa_deadlocks_free(&deadlocks);
    isa_program_free(program);
    return branches;
}

static const struct {
    uint32_t head[2];
    char name[8];
} kernel_record = {{16, 0xFFFFFFFF}, "kernel"};

uint32_t found_in_kernel(const uint32_t *words, uint32_t count, uint32_t kind)
{
    const uint32_t note[] = {TEXT, kind};
    const test_section sections[] = {{".heddle.arguments", &kernel_record, sizeof kernel_record},
                                     {".heddle.synchronization", note, sizeof note}};
    return found_in(words, count, sections, kind ? 2 : 1, &of_stack, NULL);
}
