/* SPDX-License-Identifier: MIT */
/* Files cut short or with a changed byte are refused, or are another program; nothing else happens. */
#include "assemble.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *sample(size_t *bytes)
{
    const uint32_t words[] = {
        BRANCH_WORD(12), CALL_WORD(32),   JUMP_WORD(4),         WORD(TX_BEGIN, .immediate = 1),
        NOP_WORD,        WORD(TX_COMMIT), WORD(AUIPC, .rd = 6), WORD(JALR, .rs1 = 6, .immediate = 12),
        RETURN_WORD,     BRANCH_WORD(-4), WORD(EBREAK),         RETURN_WORD,
    };
    const test_function functions[] = {{"kernel", 0}, {"helper", 9}};
    return make_elf(words, COUNT_OF(words), functions, COUNT_OF(functions), bytes);
}

/* Loads a copy that ends where its memory ends, so that a sanitizer sees any step beyond. */
static int loads(const uint8_t *file, size_t bytes)
{
    char error[256] = "";
    uint8_t *copy = malloc(bytes ? bytes : 1);
    memcpy(copy, file, bytes);
    isa_program *program = isa_program_load(copy, bytes, error, sizeof error);
    free(copy);
    cr_assert(program ? !*error : *error, "an error without a text, or a text without an error");
    if (program) {
        uint32_t offset;
        for (uint32_t at = 0; at < program->text_bytes; at += 4)
            if (isa_program_at(program, program->text_address + at))
                isa_program_symbol_at(program, program->text_address + at, &offset);
    }
    isa_program_free(program);
    return program != NULL;
}

Test(damaged_program, cut_anywhere_is_refused)
{
    size_t bytes;
    uint8_t *file = sample(&bytes);
    cr_expect(loads(file, bytes));
    for (size_t end = 0; end < bytes; end++)
        cr_expect_not(loads(file, end), "cut to %zu bytes", end);
    free(file);
}

Test(damaged_program, any_value_of_any_byte_is_survived)
{
    size_t bytes;
    uint8_t *file = sample(&bytes);
    for (size_t at = 0; at < bytes; at++) {
        uint8_t good = file[at];
        for (uint32_t value = 0; value < 256; value += at < 84 ? 1 : 15) {
            file[at] = (uint8_t)value;
            loads(file, bytes);
        }
        file[at] = good;
    }
    free(file);
}

Test(damaged_program, several_changed_bytes_are_survived)
{
    const uint64_t seed = 1234567;
    uint64_t random = seed;
    size_t bytes;
    uint8_t *file = sample(&bytes);
    uint8_t *copy = malloc(bytes);
    for (uint32_t round = 0; round < 20000; round++) {
        memcpy(copy, file, bytes);
        for (uint32_t i = 0; i < 4; i++)
            copy[20 + next_random(&random) % (bytes - 20)] = (uint8_t)(next_random(&random) >> 56);
        loads(copy, bytes);
    }
    free(copy);
    free(file);
}

Test(damaged_program, random_code_is_survived)
{
    const uint64_t seed = 99;
    uint64_t random = seed;
    const test_function functions[] = {{"kernel", 0}, {"helper", 20}};
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t words[40];
        size_t bytes;
        for (uint32_t i = 0; i < COUNT_OF(words); i++) {
            const isa_encoding *row = &isa_encodings[next_random(&random) % ISA_OP_ILLEGAL];
            uint32_t reach = row->form == ISA_FORM_B || row->form == ISA_FORM_J ? 0x0F000F80 : ~row->mask;
            words[i] = row->match | ((uint32_t)(next_random(&random) >> 32) & reach & ~row->mask);
        }
        uint8_t *file = make_elf(words, COUNT_OF(words), functions, COUNT_OF(functions), &bytes);
        loads(file, bytes);
        free(file);
    }
}
