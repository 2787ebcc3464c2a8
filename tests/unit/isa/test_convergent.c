/* SPDX-License-Identifier: MIT */
/* Which records of .heddle.convergent a program may have. firmware/tests tries real kernels. */
#include "assemble.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PC(word) (TEXT + 4 * (word))

#define BARRIER WORD(BAR_SYNC)

static char *error_of_code(const uint32_t *words, uint32_t count, const test_function *functions,
                           uint32_t function_count, const void *records, uint32_t bytes)
{
    const test_section section = {".heddle.convergent", records, bytes};
    static char error[512];
    size_t size;
    uint8_t *file = make_elf(words, count, functions, function_count, &size);
    file = add_sections(file, &size, &section, 1);
    *error = '\0';
    isa_program_free(isa_program_load(file, size, error, sizeof error));
    free(file);
    return error;
}

/* Of a file with barriers at words 0, 4 and 6, a vote at 1, and these bytes of records. */
static char *error_of(const void *records, uint32_t bytes)
{
    const uint32_t vote = WORD(VOTE_ANY, .rd = 5, .rs1 = 6);
    const uint32_t words[] = {BARRIER, vote, NOP_WORD, RETURN_WORD, BARRIER, RETURN_WORD, BARRIER, RETURN_WORD};
    const test_function functions[] = {{"kernel", 0}, {"helper", 4}, {"kernel.cold", 6}};
    return error_of_code(words, COUNT_OF(words), functions, COUNT_OF(functions), records, bytes);
}

/* Of a kernel with these words, of which those two are one use. */
#define ERROR_OF_COPIES(a, b, ...)                                                                                     \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__}, records[] = {PC(a), 3, PC(b), 3};                                      \
        const test_function kernel = {"kernel", 0};                                                                    \
        error_of_code(words, COUNT_OF(words), &kernel, 1, records, sizeof records);                                    \
    })

static void expect_copy(const char *error)
{
    cr_expect(!strncmp(error, "the compiler has copied one bar.sync of the source to pc", 56), "%s", error);
}

#define ERROR_OF(...)                                                                                                  \
    ({                                                                                                                 \
        const uint32_t records[] = {__VA_ARGS__};                                                                      \
        error_of(records, sizeof records);                                                                             \
    })

static void expect_parts(const char *error, const char *first, const char *second)
{
    cr_expect(strstr(error, first) && strstr(error, second), "%s\nand %s\nare not in: %s", first, second, error);
}

Test(convergent, different_uses_in_the_source_are_no_copies)
{
    cr_expect_str_eq(ERROR_OF(PC(0), 3, PC(1), 4, PC(4), 5, PC(6), 6), "");
}

Test(convergent, one_use_in_two_functions_is_a_helper)
{
    cr_expect_str_eq(ERROR_OF(PC(0), 3, PC(1), 4, PC(4), 3), "");
}

Test(convergent, one_use_in_two_arms_is_a_copy)
{
    const char *error = ERROR_OF_COPIES(1, 3, BRANCH_WORD(12), BARRIER, JUMP_WORD(8), BARRIER, RETURN_WORD);
    expect_copy(error);
    expect_parts(error, "pc 0x10000004 (kernel+0x4)", "pc 0x1000000c (kernel+0xc)");
    cr_expect_null(strchr(error, '\n'));
}

Test(convergent, a_copy_that_only_some_reach_is_one)
{
    expect_copy(ERROR_OF_COPIES(0, 2, BARRIER, BRANCH_WORD(8), BARRIER, RETURN_WORD));
    expect_copy(ERROR_OF_COPIES(1, 2, BRANCH_WORD(8), BARRIER, BARRIER, RETURN_WORD));
}

Test(convergent, a_copy_in_a_loop_and_one_beside_it_are)
{
    expect_copy(ERROR_OF_COPIES(0, 1, BARRIER, BARRIER, BRANCH_WORD(-4), RETURN_WORD));
    expect_copy(ERROR_OF_COPIES(0, 2, BARRIER, BRANCH_WORD(-4), BARRIER, RETURN_WORD));
}

Test(convergent, copies_that_are_executed_in_turns_do_no_harm)
{
    cr_expect_str_eq(ERROR_OF_COPIES(0, 1, BARRIER, BARRIER, RETURN_WORD), "");
    cr_expect_str_eq(ERROR_OF_COPIES(0, 3, BARRIER, BRANCH_WORD(8), NOP_WORD, BARRIER, RETURN_WORD), "");
    cr_expect_str_eq(ERROR_OF_COPIES(1, 2, NOP_WORD, BARRIER, BARRIER, BRANCH_WORD(-12), RETURN_WORD), "");
}

Test(convergent, the_part_of_a_function_that_is_laid_elsewhere_belongs_to_it)
{
    expect_parts(ERROR_OF(PC(0), 3, PC(4), 3, PC(6), 3), "(kernel+0x0)", "(kernel.cold+0x0)");
}

Test(convergent, a_section_that_is_cut_is_damaged)
{
    const uint32_t records[] = {PC(0), 3, PC(1)};
    cr_expect_str_eq(error_of(records, sizeof records),
                     "damaged: .heddle.convergent has 12 bytes, which are no records of 8");
}

Test(convergent, a_record_of_another_instruction_is_damaged)
{
    static const char *const expected = "damaged: .heddle.convergent names 0x10000008, where there is no convergent "
                                        "instruction";
    cr_expect_str_eq(ERROR_OF(PC(0), 3, PC(2), 4), expected);
    expect_parts(ERROR_OF(0, 3), "0x00000000", "where there is no");
    expect_parts(ERROR_OF(PC(0) + 2, 3), "0x10000002", "where there is no");
}

Test(convergent, a_record_twice_is_damaged)
{
    cr_expect_str_eq(ERROR_OF(PC(0), 3, PC(0), 3), "damaged: .heddle.convergent names 0x10000000 twice");
}
