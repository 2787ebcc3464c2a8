/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include <criterion/criterion.h>

static isa_program *two_functions(void)
{
    const uint32_t words[] = {CALL_WORD(12), RETURN_WORD, 0, NOP_WORD, RETURN_WORD};
    const test_function functions[] = {{"kernel", 0}, {"helper", 3}};
    return load_functions(words, COUNT_OF(words), functions, COUNT_OF(functions));
}

Test(program, decodes_every_word_and_keeps_illegal_ones)
{
    isa_program *program = two_functions();
    cr_expect_eq(program->text_address, TEXT);
    cr_expect_eq(program->text_bytes, 20);
    cr_expect_eq(program->entry, TEXT);
    cr_expect_eq(isa_program_at(program, TEXT)->operation, ISA_OP_JAL);
    cr_expect_eq(isa_program_at(program, TEXT + 8)->instruction_class, ISA_CLASS_ILLEGAL);
    cr_expect_eq(isa_program_at(program, TEXT + 16)->flags, ISA_FLAG_RETURN);
    isa_program_free(program);
}

Test(program, has_no_code_beside_its_text_or_between_words)
{
    isa_program *program = two_functions();
    cr_expect_null(isa_program_at(program, TEXT - 4));
    cr_expect_null(isa_program_at(program, TEXT + 20));
    cr_expect_null(isa_program_at(program, TEXT + 2));
    cr_expect_null(isa_program_at(program, 0));
    cr_expect_null(isa_program_at(program, 0xFFFFFFFC));
    isa_program_free(program);
}

Test(program, finds_symbols_by_name_and_by_address)
{
    uint32_t address = 7, offset = 7;
    isa_program *program = two_functions();
    cr_expect_eq(isa_program_symbol(program, "helper", &address), 1);
    cr_expect_eq(address, TEXT + 12);
    cr_expect_eq(isa_program_symbol(program, "helpe", &address), 0);
    cr_expect_eq(address, TEXT + 12);
    cr_expect_str_eq(isa_program_symbol_at(program, TEXT + 8, &offset), "kernel");
    cr_expect_eq(offset, 8);
    cr_expect_str_eq(isa_program_symbol_at(program, TEXT + 12, &offset), "helper");
    cr_expect_eq(offset, 0);
    cr_expect_null(isa_program_symbol_at(program, TEXT + 20, &offset));
    cr_expect_null(isa_program_symbol_at(program, TEXT - 4, &offset));
    isa_program_free(program);
}

Test(program, shows_its_segments)
{
    isa_program *program = two_functions();
    cr_assert_eq(program->segment_count, 1);
    cr_expect_eq(program->segments[0].address, TEXT);
    cr_expect_eq(program->segments[0].file_bytes, 20);
    cr_expect_eq(program->segments[0].memory_bytes, 20);
    cr_expect_eq(program->segments[0].flags, ISA_SEGMENT_READ | ISA_SEGMENT_EXECUTE);
    cr_expect_eq(program->segments[0].data[4], RETURN_WORD & 0xFF);
    isa_program_free(program);
}

Test(program, freeing_nothing_is_allowed)
{
    isa_program_free(NULL);
}
