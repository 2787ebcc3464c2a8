/* SPDX-License-Identifier: MIT */
/* Which accesses of two lanes may be to one word. */
#include "deadlock_words.h"
#include "lanes.h"

#include <criterion/criterion.h>

Test(deadlock, accesses_by_one_argument_are_compared_by_offset)
{
    const uint32_t half = WORD(SH, .rs1 = 5, .rs2 = 0, .immediate = 2);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 0), STORE(5, 0), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 0), STORE(5, 4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 4), STORE(5, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 0), half, RETURN_WORD), 1);
    const uint32_t read_half = WORD(LH, .rd = 7, .rs1 = 5, .immediate = 2);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, read_half, BACK_IF_ZERO(7, 1), STORE(5, 0), RETURN_WORD), 1);
}

Test(deadlock, offsets_from_two_arguments_say_nothing)
{
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 0), STORE(6, 4), RETURN_WORD), 1);
}

Test(deadlock, an_argument_may_lead_to_the_scratchpad)
{
    const uint32_t scratchpad = WORD(LUI, .rd = 29, .immediate = 0x1000);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, scratchpad, WAIT(5, 0), STORE(29, 0), RETURN_WORD), 1);
}

Test(deadlock, parameters_are_apart_if_that_is_asked_for)
{
    const isa_deadlock_options apart = {.parameters_do_not_alias = 1};
    cr_expect_eq(FOUND_AS(&of_stack, NULL, WAIT(10, 0), STORE(11, 0), RETURN_WORD), 1);
    cr_expect_eq(FOUND_AS(&apart, NULL, WAIT(10, 0), STORE(11, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_AS(&apart, NULL, WAIT(10, 0), STORE(10, 0), RETURN_WORD), 1);
}

/* What leads to the stack or to the argument block: arguments do not point to the stack, what is read from memory may. */
Test(deadlock, a_pointer_from_memory_may_lead_to_the_stack)
{
    const uint32_t stack = WORD(ADDI, .rd = 29, .rs1 = 2), block = WORD(ADDI, .rd = 29, .rs1 = 10);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, LOAD(6, 6, 0), stack, SKIP_IF_ZERO(11, 2), block, WAIT(29, 0),
                                 STORE(6, 0), RETURN_WORD),
                 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, LOAD(6, 6, 0), stack, SKIP_IF_ZERO(11, 2), block, WAIT(29, 0),
                                 STORE(5, 0), RETURN_WORD),
                 0);
}

Test(deadlock, an_index_may_be_any)
{
    const uint32_t index = READ_CSR(28, ISA_CSR_THREAD_X), sum = WORD(ADD, .rd = 5, .rs1 = 5, .rs2 = 28);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, index, sum, WAIT(5, 0), STORE(5, 4), RETURN_WORD), 1);
    const uint32_t mirrored = WORD(ADD, .rd = 5, .rs1 = 28, .rs2 = 5);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, index, mirrored, WAIT(5, 0), STORE(5, 4), RETURN_WORD), 1);
    /* A pointer that is moved again and again */
    const uint32_t step = WORD(ADDI, .rd = 5, .rs1 = 5, .immediate = 4);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, LOAD(7, 5, 0), step, BACK_IF_ZERO(7, 2), STORE(5, 64), RETURN_WORD), 1);
}

#define INDEX READ_CSR(28, ISA_CSR_THREAD_X)
#define SHIFT(by) WORD(SLLI, .rd = 28, .rs1 = 28, .immediate = (by))
#define ADD_INDEX WORD(ADD, .rd = 5, .rs1 = 5, .rs2 = 28)

/* t0 = an element of an array whose elements have 1 << by bytes. */
#define ELEMENT(by) POINTERS, INDEX, SHIFT(by), ADD_INDEX

Test(deadlock, words_of_structures_in_an_array_are_compared_by_their_place_in_them)
{
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 0), STORE(5, 4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 4), STORE(5, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 0), STORE(5, 0), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 0), STORE(5, 8), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 0), STORE(5, -4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(2), WAIT(5, 0), STORE(5, 4), RETURN_WORD), 1);
    /* A half that is read, and the word that it is in; a word of which a half is written */
    const uint32_t half = WORD(LH, .rd = 7, .rs1 = 5, .immediate = 6);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), half, BACK_IF_ZERO(7, 1), STORE(5, 4), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), half, BACK_IF_ZERO(7, 1), STORE(5, 0), RETURN_WORD), 0);
    const uint32_t across = WORD(SW, .rs1 = 5, .rs2 = 0, .immediate = 6);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), WAIT(5, 0), across, RETURN_WORD), 1);
}

Test(deadlock, an_index_is_a_multiple_of_what_all_its_parts_are)
{
    const uint32_t three = WORD(ADDI, .rd = 29, .rs1 = 0, .immediate = 24),
                   by = WORD(MUL, .rd = 28, .rs1 = 28, .rs2 = 29);
    const uint32_t back = WORD(SUB, .rd = 5, .rs1 = 5, .rs2 = 28),
                   other = WORD(ADDI, .rd = 28, .rs1 = 28, .immediate = 4);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, INDEX, three, by, ADD_INDEX, WAIT(5, 0), STORE(5, 4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, INDEX, three, by, back, WAIT(5, 0), STORE(5, 4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, INDEX, three, by, other, ADD_INDEX, WAIT(5, 0), STORE(5, 4), RETURN_WORD),
                 1);
    /* One that is 8 bytes on in each turn, or 4 */
    const uint32_t eight = WORD(ADDI, .rd = 5, .rs1 = 5, .immediate = 8),
                   four = WORD(ADDI, .rd = 5, .rs1 = 5, .immediate = 4);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), LOAD(7, 5, 0), eight, BACK_IF_ZERO(7, 2), STORE(5, 4), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), LOAD(7, 5, 0), four, BACK_IF_ZERO(7, 2), STORE(5, 4), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, LOAD(7, 5, 0), eight, BACK_IF_ZERO(7, 2), STORE(5, 4), RETURN_WORD), 0);
    /* Or on by what is read */
    const uint32_t on = WORD(ADD, .rd = 5, .rs1 = 5, .rs2 = 7);
    cr_expect_eq(FOUND_IN_KERNEL(0, ELEMENT(3), LOAD(7, 5, 0), on, BACK_IF_ZERO(7, 2), STORE(5, 4), RETURN_WORD), 1);
}

/* t3 = the index, worked out by these words; are words 0 and 1 behind it apart? */
#define MAY_MEET(...) FOUND_IN_KERNEL(0, POINTERS, INDEX, __VA_ARGS__, ADD_INDEX, WAIT(5, 0), STORE(5, 4), RETURN_WORD)
#define SHIFT_TO(to, by) WORD(SLLI, .rd = (to), .rs1 = 28, .immediate = (by))
#define ADD_8 WORD(ADDI, .rd = 28, .rs1 = 28, .immediate = 8)

Test(deadlock, every_part_of_an_index_counts)
{
    const uint32_t sum = WORD(ADD, .rd = 28, .rs1 = 29, .rs2 = 30),
                   difference = WORD(SUB, .rd = 28, .rs1 = 29, .rs2 = 30);
    const uint32_t sums[] = {sum, difference};
    for (uint32_t i = 0; i < COUNT_OF(sums); i++) {
        cr_expect_eq(MAY_MEET(SHIFT_TO(29, 3), SHIFT_TO(30, 4), sums[i]), 0);
        cr_expect_eq(MAY_MEET(SHIFT_TO(29, 2), SHIFT_TO(30, 3), sums[i]), 1);
        cr_expect_eq(MAY_MEET(SHIFT_TO(29, 3), SHIFT_TO(30, 2), sums[i]), 1);
    }
    cr_expect_eq(MAY_MEET(SHIFT(2), ADD_8), 1);
    cr_expect_eq(MAY_MEET(SHIFT(3), ADD_8), 0);
    cr_expect_eq(MAY_MEET(SHIFT(3), WORD(ADD, .rd = 28, .rs1 = 28, .rs2 = 0)), 0);
    cr_expect_eq(MAY_MEET(SHIFT(2), SHIFT(1)), 0);
    cr_expect_eq(MAY_MEET(SHIFT(1), SHIFT(1)), 1);
    /* An argument of the function may be anything. */
    cr_expect_eq(MAY_MEET(WORD(SUB, .rd = 28, .rs1 = 0, .rs2 = 12)), 1);
}

Test(deadlock, an_index_by_several_ways_is_each_of_them)
{
    const uint32_t skip = SKIP_IF_ZERO(11, 2);
    cr_expect_eq(MAY_MEET(SHIFT_TO(29, 2), skip, SHIFT_TO(29, 3), WORD(ADDI, .rd = 28, .rs1 = 29)), 1);
    cr_expect_eq(MAY_MEET(SHIFT_TO(29, 3), skip, SHIFT_TO(29, 2), WORD(ADDI, .rd = 28, .rs1 = 29)), 1);
    cr_expect_eq(MAY_MEET(SHIFT_TO(29, 4), skip, SHIFT_TO(29, 3), WORD(ADDI, .rd = 28, .rs1 = 29)), 0);
}

Test(deadlock, an_index_is_followed_over_four_instructions)
{
    cr_expect_eq(MAY_MEET(SHIFT(3), ADD_8, ADD_8, ADD_8), 0);
    cr_expect_eq(MAY_MEET(SHIFT(3), ADD_8, ADD_8, ADD_8, ADD_8), 1);
}

Test(deadlock, large_structures_are_as_large_as_they_are)
{
    const uint32_t page = WORD(LUI, .rd = 29, .immediate = 1), by = WORD(MUL, .rd = 28, .rs1 = 28, .rs2 = 29);
    const uint32_t on = WORD(ADDI, .rd = 6, .rs1 = 5, .immediate = 2044),
                   on_again = WORD(ADDI, .rd = 6, .rs1 = 6, .immediate = 2044);
    cr_expect_eq(MAY_MEET(page, by), 0);
    cr_expect_eq(
        FOUND_IN_KERNEL(0, POINTERS, INDEX, page, by, ADD_INDEX, on, on_again, WAIT(5, 0), STORE(6, 4), RETURN_WORD),
        0);
    cr_expect_eq(
        FOUND_IN_KERNEL(0, POINTERS, INDEX, page, by, ADD_INDEX, on, on_again, WAIT(5, 0), STORE(6, 8), RETURN_WORD),
        1);
}

Test(deadlock, two_arguments_are_apart_if_the_kernel_says_so)
{
    cr_expect_eq(FOUND_IN_KERNEL(0, POINTERS, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 1);
    cr_expect_eq(FOUND_IN_KERNEL(2, POINTERS, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_IN_KERNEL(2, POINTERS, WAIT(5, 0), STORE(5, 0), RETURN_WORD), 1);
    /* What is loaded by a pointer may lead anywhere. */
    cr_expect_eq(FOUND_IN_KERNEL(2, POINTERS, LOAD(6, 6, 0), WAIT(5, 0), STORE(6, 0), RETURN_WORD), 1);
}

Test(deadlock, a_function_that_says_its_lanes_wait_on_purpose_is_not_searched)
{
    cr_expect_eq(FOUND_IN_KERNEL(1, POINTERS, WAIT(5, 0), STORE(5, 0), RETURN_WORD), 0);
}

Test(deadlock, arguments_and_code_are_never_written)
{
    const uint32_t text = WORD(LUI, .rd = 5, .immediate = 0x10000);
    const uint32_t scratchpad = WORD(LUI, .rd = 5, .immediate = 0x1000);
    cr_expect_eq(FOUND_IN_KERNEL(0, WAIT(10, 0), STORE(11, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(text, WAIT(5, 0), STORE(11, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(scratchpad, WAIT(5, 0), STORE(11, 0), RETURN_WORD), 1);
}

Test(deadlock, scratchpad_and_global_objects_are_apart)
{
    const uint32_t scratchpad = WORD(LUI, .rd = 5, .immediate = 0x1000);
    const uint32_t global = WORD(LUI, .rd = 6, .immediate = 0x20000), far = WORD(LUI, .rd = 6, .immediate = 0x1001);
    cr_expect_eq(FOUND(scratchpad, global, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 0);
    const uint32_t index = READ_CSR(28, ISA_CSR_THREAD_X), sum = WORD(ADD, .rd = 5, .rs1 = 5, .rs2 = 28);
    cr_expect_eq(FOUND(scratchpad, global, index, sum, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(scratchpad, far, index, sum, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 1);
    cr_expect_eq(FOUND(scratchpad, far, WAIT(5, 0), STORE(6, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(scratchpad, far, WAIT(5, 0), STORE(5, 0), RETURN_WORD), 1);
}
