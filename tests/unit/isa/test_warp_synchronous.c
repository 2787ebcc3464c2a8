/* SPDX-License-Identifier: MIT */
#include "allocations.h"
#include "assemble.h"
#include "hd_address.h"
#include "lanes.h"
#include "warp_synchronous.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* t0 = 5: lane; t1 = 6: offset of the word; a6 = 16: address of the word */
#define READ(to, csr) WORD(CSRRS, .rd = (to), .immediate = (csr))
#define WORD_OF(csr)                                                                                                   \
    READ(6, csr), WORD(SLLI, .rd = 6, .rs1 = 6, .immediate = 2),                                                       \
        WORD(LUI, .rd = 16, .immediate = HD_SCRATCHPAD_BASE >> 12), WORD(ADD, .rd = 16, .rs1 = 16, .rs2 = 6)
#define STORE(offset) WORD(SW, .rs1 = 16, .rs2 = 5, .immediate = (offset))
#define LOAD(offset) WORD(LW, .rd = 7, .rs1 = 16, .immediate = (offset))
#define UNLESS_FIRST(bytes) WORD(BNE, .rs1 = 5, .rs2 = 0, .immediate = (bytes))
#define ADD_SHARED WORD(AMOADD_W, .rd = 8, .rs1 = 16, .rs2 = 5)

/* How many loads are found; *first is the first of them. */
static uint32_t found_in(const uint32_t *words, uint32_t count, isa_reliance *first)
{
    uint32_t found_count;
    isa_reliance *found;
    isa_program *program = load_words(words, count);
    cr_assert_eq(isa_warp_synchronous(program, &found, &found_count), 0);
    if (found_count)
        *first = *found;
    free(found);
    isa_program_free(program);
    return found_count;
}

#define FOUND(first, ...)                                                                                              \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in(words, COUNT_OF(words), first);                                                                       \
    })

Test(warp_synchronous, what_one_lane_stores_for_its_warp_is_found)
{
    isa_reliance f = {0};
    cr_expect_eq(
        FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(8), STORE(0), LOAD(0), RETURN_WORD), 1);
    cr_expect_eq(f.store_pc, TEXT + 4 * 6);
    cr_expect_eq(f.load_pc, TEXT + 4 * 7);
    cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(12), ADD_SHARED, STORE(0),
                       NOP_WORD, LOAD(0), RETURN_WORD),
                 1);
}

Test(warp_synchronous, unless_something_orders_the_lanes)
{
    const uint32_t between[] = {WORD(WARP_SYNC), WORD(BAR_SYNC), ADD_SHARED};
    for (uint32_t i = 0; i < COUNT_OF(between); i++) {
        isa_reliance f;
        cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(8), STORE(0), between[i],
                           LOAD(0), RETURN_WORD),
                     0, "%u", i);
        cr_expect_eq(
            FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_THREAD_X), STORE(0), between[i], LOAD(-4), RETURN_WORD), 0,
            "%u", i);
    }
}

Test(warp_synchronous, or_the_word_is_the_lanes_own_or_another_or_all_lanes_store)
{
    isa_reliance f;
    cr_expect_eq(
        FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_THREAD_X), UNLESS_FIRST(8), STORE(0), LOAD(0), RETURN_WORD),
        0);
    cr_expect_eq(
        FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(8), STORE(0), LOAD(4), RETURN_WORD), 0);
    cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), STORE(0), LOAD(0), RETURN_WORD), 0);
    cr_expect_eq(
        FOUND(&f, READ(5, ISA_CSR_WARP), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(8), STORE(0), LOAD(0), RETURN_WORD), 0,
        "all lanes of a warp take the branch alike");
}

Test(warp_synchronous, what_the_lane_beside_has_stored_is_found)
{
    isa_reliance f = {0};
    cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_THREAD_X), STORE(0), LOAD(-4), LOAD(-8), RETURN_WORD),
                 2);
    cr_expect_eq(f.store_pc, TEXT + 4 * 5);
    cr_expect_eq(f.load_pc, TEXT + 4 * 6);
}

Test(warp_synchronous, but_not_what_the_thread_stores_itself_or_stores_later)
{
    isa_reliance f;
    cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_THREAD_X), STORE(0), STORE(4), LOAD(4), RETURN_WORD),
                 0);
    cr_expect_eq(FOUND(&f, READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_THREAD_X), LOAD(-4), STORE(0), RETURN_WORD), 0);
}

Test(warp_synchronous, a_lack_of_memory_is_said_wherever_it_is)
{
    const uint32_t words[] = {
        READ(5, ISA_CSR_LANE), WORD_OF(ISA_CSR_WARP), UNLESS_FIRST(8), STORE(0), LOAD(0), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    uint32_t refused = 1;
    for (uint32_t left = 0; refused; left++) {
        isa_reliance *found;
        uint32_t count;
        cr_assert_lt(left, 1000);
        allocations_refuse(left);
        const int failed = isa_warp_synchronous(program, &found, &count);
        refused = allocations_allow();
        cr_expect_eq(failed, refused ? -1 : 0, "%u", left);
        cr_expect(refused ? !found && !count : count == 1);
        free(found);
    }
    isa_program_free(program);
}
