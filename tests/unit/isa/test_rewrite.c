/* SPDX-License-Identifier: MIT */
/* Transforms: what is asked for, and what the program then is. Random kernels do it too (tests/unit/functional_core). */
#include "analysis.h"
#include "assemble.h"
#include "control_flow.h"
#include "displace.h"
#include "rewrite.h"

#include <criterion/criterion.h>
#include <string.h>

#define NEW (TEXT + 128) /* the new segment, behind small programs */
#define PC(word) (TEXT + 4 * (word))
#define MARK(number) WORD(ADDI, .rd = 5, .rs1 = 5, .immediate = (number))

/* What the transform of a test does. */
typedef struct request {
    enum { NONE, REPLACE, INSERT, ADD } what;
    uint32_t pc;
    uint32_t word;
} request;

static request requests[8];

static int apply(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    (void)program, (void)error, (void)error_bytes;
    for (const request *r = requests; r->what; r++) {
        int failed = r->what == REPLACE  ? isa_rewrite_replace(rewrite, r->pc, r->word)
                     : r->what == INSERT ? isa_rewrite_insert(rewrite, r->pc, &r->word, 1)
                                         : isa_rewrite_add(rewrite, r->pc, r->word);
        if (failed)
            return -1;
    }
    return 0;
}

static const isa_transform transform = {.name = "test", .doc = "what a test asks for", .apply = apply};

#define TRANSFORM(program, ...)                                                                                        \
    do {                                                                                                               \
        char transform_error[256] = "";                                                                                \
        memcpy(requests, ((request[8]){__VA_ARGS__}), sizeof requests);                                                \
        cr_assert_not(isa_program_transform(program, &transform, transform_error, sizeof transform_error), "%s",       \
                      transform_error);                                                                                \
    } while (0)

#define EXPECT_REFUSAL(words, expected, ...)                                                                           \
    do {                                                                                                               \
        char transform_error[256] = "";                                                                                \
        isa_program *refused = load_words(words, COUNT_OF(words));                                                     \
        memcpy(requests, ((request[8]){__VA_ARGS__}), sizeof requests);                                                \
        cr_expect_eq(isa_program_transform(refused, &transform, transform_error, sizeof transform_error), -1);         \
        cr_expect_str_eq(transform_error, expected);                                                                   \
        isa_program_free(refused);                                                                                     \
    } while (0)

static void expect_text(const isa_program *program, uint32_t pc, const char *expected)
{
    char text[96] = "no code";
    if (isa_program_at(program, pc))
        isa_disassemble(isa_program_at(program, pc), pc, text, sizeof text);
    cr_expect_str_eq(text, expected, "0x%08x: %s, not %s", pc, text, expected);
}

/* ---- In place ------------------------------------------------------------------------------------------------------- */

Test(rewrite, a_word_is_replaced_in_code_and_segment)
{
    const uint32_t words[] = {BRANCH_WORD(8), NOP_WORD, NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    TRANSFORM(program, {REPLACE, PC(0), BRANCH_WORD(12)});
    uint32_t word;
    memcpy(&word, program->segments[0].data, 4);
    cr_expect_eq(word, BRANCH_WORD(12));
    cr_expect_eq(isa_program_at(program, PC(0))->immediate, 12);
    cr_expect_eq(isa_program_table(program, "reconvergence")[0], PC(3)); /* it was 2 */
    cr_expect_eq(program->segment_count, 1);
    isa_program_free(program);
}

/* ---- Done elsewhere ------------------------------------------------------------------------------------------------- */

static int make_detours(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    (void)program, (void)error, (void)error_bytes;
    for (uint32_t word = 1; word < 3; word++) {
        const uint32_t at = isa_rewrite_next(rewrite);
        const uint32_t words[] = {MARK(1), isa_program_at(program, PC(word))->word,
                                  displace_jump(0, at + 8, PC(word + 1))};
        if (isa_rewrite_detour(rewrite, PC(word), words, COUNT_OF(words), 1))
            return -1;
    }
    return isa_rewrite_insert(rewrite, PC(3), (uint32_t[]){MARK(2)}, 1);
}

Test(rewrite, an_instruction_is_done_elsewhere_and_keeps_its_marks)
{
    static const isa_transform detours = {.name = "test", .doc = "detours", .apply = make_detours};
    const uint32_t words[] = {NOP_WORD, WORD(LW, .rd = 10, .rs1 = 11), WORD(LW, .rd = 12, .rs1 = 11), NOP_WORD,
                              RETURN_WORD};
    char error[256] = "";
    isa_program *program = load_words(words, COUNT_OF(words));
    program->instructions[1].flags |= ISA_FLAG_LOAD_RELAXED;
    cr_assert_not(isa_program_transform(program, &detours, error, sizeof error), "%s", error);
    expect_text(program, PC(1), "jal zero, 0x10000080");
    expect_text(program, PC(2), "jal zero, 0x1000008c");
    expect_text(program, PC(3), "jal zero, 0x10000098");
    expect_text(program, NEW, "addi t0, t0, 1");
    expect_text(program, NEW + 4, "lw a0, 0(a1)");
    expect_text(program, NEW + 8, "jal zero, 0x10000008");
    expect_text(program, NEW + 16, "lw a2, 0(a1)");
    expect_text(program, NEW + 24, "addi t0, t0, 2");
    expect_text(program, NEW + 32, "jal zero, 0x10000010");
    cr_expect(isa_program_at(program, NEW + 4)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_not(isa_program_at(program, NEW)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_not(isa_program_at(program, NEW + 16)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_eq(isa_program_origin(program, NEW + 16), PC(2));
    isa_program_free(program);
}

/* ---- Put in --------------------------------------------------------------------------------------------------------- */

Test(rewrite, words_are_put_in_before_an_instruction)
{
    const uint32_t words[] = {NOP_WORD, WORD(LW, .rd = 10, .rs1 = 11), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    TRANSFORM(program, {INSERT, PC(1), MARK(1)}, {INSERT, PC(2), MARK(3)}, {INSERT, PC(1), MARK(2)});
    cr_assert_eq(program->segment_count, 2);
    cr_expect_eq(program->segments[1].address, NEW);
    cr_expect_eq(program->segments[1].file_bytes, 4 * 6);
    cr_expect_eq(program->segments[1].flags, ISA_SEGMENT_EXECUTE | ISA_SEGMENT_READ);
    expect_text(program, PC(0), "addi zero, zero, 0");
    expect_text(program, PC(1), "jal zero, 0x10000080");
    expect_text(program, PC(2), "jal zero, 0x10000090");
    expect_text(program, NEW, "addi t0, t0, 1");
    expect_text(program, NEW + 4, "addi t0, t0, 2");
    expect_text(program, NEW + 8, "lw a0, 0(a1)");
    expect_text(program, NEW + 12, "jal zero, 0x10000008");
    expect_text(program, NEW + 16, "addi t0, t0, 3");
    expect_text(program, NEW + 20, "jalr zero, 0(ra)");
    cr_expect_null(isa_program_at(program, PC(3)));
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t word;
        memcpy(&word, program->segments[1].data + 4 * i, 4);
        cr_expect_eq(word, isa_program_at(program, NEW + 4 * i)->word);
    }
    cr_expect(isa_is_reachable(program, NEW + 20));
    isa_program_free(program);
}

Test(rewrite, a_branch_that_has_moved_goes_where_it_went)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD, JUMP_WORD(8), NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    TRANSFORM(program, {INSERT, PC(0), MARK(1)}, {INSERT, PC(2), MARK(2)});
    expect_text(program, NEW + 4, "beq a0, a1, 0x1000008c");
    expect_text(program, NEW + 8, "jal zero, 0x10000004");
    expect_text(program, NEW + 12, "jal zero, 0x1000000c");
    expect_text(program, NEW + 20, "jal zero, 0x10000010");
    const uint32_t *meetings = isa_program_table(program, "reconvergence");
    cr_expect_eq(isa_table_value(program, meetings, NEW + 4), PC(4));
    isa_program_free(program);
}

/* A call comes back behind itself; what is made of its pc stays the same. */
Test(rewrite, calls_and_addresses_that_have_moved_lead_where_they_led)
{
    const uint32_t words[] = {CALL_WORD(28),
                              WORD(AUIPC, .rd = 6, .immediate = 1),
                              WORD(AUIPC, .rd = 1),
                              WORD(JALR, .rd = 1, .rs1 = 1, .immediate = 20),
                              WORD(AUIPC, .rd = 6),
                              WORD(JALR, .rs1 = 6, .immediate = 12),
                              NOP_WORD,
                              RETURN_WORD};
    uint32_t target;
    const test_function functions[] = {{"kernel", 0}, {"helper", 7}};
    isa_program *program = load_functions(words, COUNT_OF(words), functions, COUNT_OF(functions));
    TRANSFORM(program, {INSERT, PC(0), MARK(1)}, {INSERT, PC(1), MARK(2)}, {INSERT, PC(2), MARK(3)},
              {INSERT, PC(4), MARK(4)});
    cr_expect(isa_jump_target(program, NEW + 4, &target) && target == PC(7));
    expect_text(program, NEW + 8, "jal zero, 0x10000004");
    expect_text(program, NEW + 16, "lui t1, 0x10001");
    expect_text(program, NEW + 20, "addi t1, t1, 4");
    expect_text(program, NEW + 24, "jal zero, 0x10000008");
    cr_expect(isa_jump_target(program, NEW + 36, &target) && target == PC(7));
    cr_expect(isa_program_at(program, NEW + 36)->flags & ISA_FLAG_CALL);
    expect_text(program, NEW + 40, "jal zero, 0x10000010");
    cr_expect(isa_jump_target(program, NEW + 52, &target) && target == PC(7));
    cr_expect_eq(program->segments[1].file_bytes, 56);
    cr_expect_not(isa_program_at(program, PC(3))->flags & ISA_FLAG_RECOVERED); /* nothing leads there any more */
    cr_expect_not(isa_is_reachable(program, PC(3)));
    isa_program_free(program);
}

Test(rewrite, code_that_is_put_in_belongs_to_where_it_is_put_in)
{
    uint32_t offset;
    const uint32_t words[] = {NOP_WORD, NOP_WORD, NOP_WORD, RETURN_WORD};
    const test_function functions[] = {{"kernel", 0}, {"helper", 2}};
    isa_program *program = load_functions(words, COUNT_OF(words), functions, COUNT_OF(functions));
    TRANSFORM(program, {INSERT, PC(1), MARK(1)}, {INSERT, PC(3), MARK(1)});
    TRANSFORM(program, {INSERT, NEW + 4, MARK(2)}); /* code of the first */
    const uint32_t second = program->segments[2].address;
    cr_expect_eq(second, NEW + 128);
    cr_expect_str_eq(isa_program_symbol_at(program, NEW, &offset), "kernel");
    cr_expect_eq(offset, 4);
    cr_expect_str_eq(isa_program_symbol_at(program, NEW + 12, &offset), "helper");
    cr_expect_eq(isa_program_origin(program, NEW + 16), PC(3));
    cr_expect_eq(isa_program_origin(program, second), PC(1));
    cr_expect_eq(isa_program_origin(program, PC(2)), PC(2));
    char place[128];
    isa_program_place(program, second + 4, place, sizeof place);
    cr_expect_str_eq(place, "0x10000104 (kernel+0x4)");
    isa_program_free(program);
}

Test(rewrite, marks_of_an_instruction_go_with_it)
{
    const uint32_t words[] = {WORD(LW, .rd = 10, .rs1 = 11), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    program->instructions[0].flags |= ISA_FLAG_LOAD_RELAXED;
    TRANSFORM(program, {INSERT, PC(0), MARK(1)});
    cr_expect(isa_program_at(program, NEW + 4)->flags & ISA_FLAG_LOAD_RELAXED);
    cr_expect_not(isa_program_at(program, NEW)->flags & ISA_FLAG_LOAD_RELAXED);
    isa_program_free(program);
}

/* A line's worth of code up to its end. */
Test(rewrite, code_still_has_an_end)
{
    uint32_t words[32];
    for (uint32_t i = 0; i < COUNT_OF(words); i++)
        words[i] = NOP_WORD;
    isa_program *program = load_words(words, COUNT_OF(words));
    TRANSFORM(program, {INSERT, PC(31), MARK(1)});
    cr_expect_null(isa_program_at(program, PC(32)));
    cr_expect_eq(program->segments[1].address, TEXT + 256);
    isa_program_free(program);
}

/* ---- At odd addresses ----------------------------------------------------------------------------------------------- */

Test(rewrite, instructions_may_be_where_no_program_has_one)
{
    const uint32_t words[] = {NOP_WORD, NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    TRANSFORM(program, {ADD, PC(1) + 2, MARK(2)}, {ADD, PC(1) + 1, MARK(1)}, {ADD, PC(0) + 1, MARK(3)});
    TRANSFORM(program, {INSERT, PC(0), MARK(4)}, {ADD, PC(2) + 1, BRANCH_WORD(8)}, {ADD, PC(0) + 2, MARK(6)});
    expect_text(program, PC(0) + 1, "addi t0, t0, 3");
    expect_text(program, PC(0) + 2, "addi t0, t0, 6");
    expect_text(program, PC(1) + 1, "addi t0, t0, 1");
    expect_text(program, PC(1) + 2, "addi t0, t0, 2");
    cr_expect_null(isa_program_at(program, PC(1) + 3));
    for (uint32_t i = 1; i < program->odd_count; i++)
        cr_expect_lt(program->odd_pcs[i - 1], program->odd_pcs[i]);
    expect_text(program, PC(1), "addi zero, zero, 0");
    expect_text(program, NEW, "addi t0, t0, 4");
    cr_expect_eq(isa_program_instructions(program), program->text_bytes / 4 + 5);
    cr_expect_eq(isa_program_index(program, PC(1) + 1), program->text_bytes / 4 + 2);
    cr_expect_eq(isa_table_value(program, isa_program_table(program, "reconvergence"), PC(2) + 1),
                 ISA_RECONVERGE_AT_RETURN);
    isa_program_free(program);
}

/* ---- Refused -------------------------------------------------------------------------------------------------------- */

Test(rewrite, what_cannot_be_is_one_error)
{
    const uint32_t words[] = {WORD(AUIPC, .rd = 1), WORD(JALR, .rd = 1, .rs1 = 1, .immediate = 12), NOP_WORD,
                              RETURN_WORD};
    EXPECT_REFUSAL(words, "test: there is no code at 0x10000010", {REPLACE, PC(4), NOP_WORD});
    EXPECT_REFUSAL(words, "test: there is no code at 0x10000002", {INSERT, PC(0) + 2, NOP_WORD});
    EXPECT_REFUSAL(words, "test: there is no code at 0x10000004", {ADD, PC(1), NOP_WORD});
    EXPECT_REFUSAL(words, "test: nothing can be put before the jump at 0x10000004, which belongs to the auipc there",
                   {INSERT, PC(1), NOP_WORD});
    EXPECT_REFUSAL(words, "test: two instructions are added at 0x10000001", {ADD, PC(0) + 1, NOP_WORD},
                   {ADD, PC(0) + 1, NOP_WORD});
}

/* Data behind the code takes the room: 1 MiB and more. */
Test(rewrite, code_that_is_out_of_reach_is_refused)
{
    char error[256] = "";
    const uint32_t words[] = {NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    program->segments[0].memory_bytes = 0x100000 - 128;
    memcpy(requests, ((request[8]){{INSERT, PC(1), MARK(1)}}), sizeof requests);
    cr_assert_not(isa_program_transform(program, &transform, error, sizeof error), "%s", error);
    isa_program_free(program);
    program = load_words(words, COUNT_OF(words));
    program->segments[0].memory_bytes = 0x100008;
    cr_expect_eq(isa_program_transform(program, &transform, error, sizeof error), -1);
    cr_expect_str_eq(error, "test: code for 0x10000004 can only be put at 0x10100080, which is too far away");
    isa_program_free(program);
    program = load_words(words, COUNT_OF(words));
    program->segments[0].memory_bytes = 0xF0000000 - 64;
    cr_expect_eq(isa_program_transform(program, &transform, error, sizeof error), -1);
    cr_expect_str_eq(error, "test: there is no room behind the program for 5 words of code");
    isa_program_free(program);
}

/* What does not pair after a change is refused as in a file. */
Test(rewrite, checks_are_made_again)
{
    char error[256] = "";
    const uint32_t words[] = {WORD(TX_BEGIN, .immediate = 1), WORD(TX_COMMIT), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    memcpy(requests, ((request[8]){{REPLACE, PC(1), NOP_WORD}}), sizeof requests);
    cr_expect_eq(isa_program_transform(program, &transform, error, sizeof error), -1);
    cr_expect(strstr(error, "tx.begin at 0x10000000"), "%s", error);
    isa_program_free(program);
}
