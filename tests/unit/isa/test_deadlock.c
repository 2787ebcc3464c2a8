/* SPDX-License-Identifier: MIT */
/* What keeps lanes of a warp waiting for each other, in words; firmware/tests/deadlock has what compilers make. */
#include "allocations.h"
#include "analysis.h"
#include "assemble.h"
#include "deadlock.h"
#include "lanes.h"
#include "lint.h"
#include "synchronization.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Registers: ra = 1, sp = 2, t0-t2 = 5-7, a0-a2 = 10-12, t3 = 28. */
#define LOAD(to, base, at) WORD(LW, .rd = (to), .rs1 = (base), .immediate = (at))
#define STORE(base, at) WORD(SW, .rs1 = (base), .rs2 = 0, .immediate = (at))
#define BACK_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = -4 * (words))
#define SKIP_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = 4 * (words))
#define READ_CSR(to, csr) WORD(CSRRS, .rd = (to), .rs1 = 0, .immediate = (csr))
#define PC(word) (TEXT + 4 * (word))

static const isa_deadlock_options of_stack = {.divergence = ISA_DIVERGENCE_STACK};
static const isa_deadlock_options of_splits = {.divergence = ISA_DIVERGENCE_SPLITS};

static isa_program *load_with(const uint32_t *words, uint32_t count, const test_section *sections,
                              uint32_t sections_count, char error[512])
{
    const test_function functions[] = {{"kernel", 0}};
    size_t size;
    uint8_t *file = make_elf(words, count, functions, 1, &size);
    if (sections_count)
        file = add_sections(file, &size, sections, sections_count);
    *error = '\0';
    isa_program *program = isa_program_load(file, size, error, 512);
    free(file);
    return program;
}

/* Branches that something is found at; *first is the first finding, without its lists. */
static uint32_t found_in(const uint32_t *words, uint32_t count, const test_section *sections, uint32_t section_count,
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

#define FOUND_AS(options, first, ...)                                                                                  \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in(words, COUNT_OF(words), NULL, 0, options, first);                                                     \
    })
#define FOUND(...) FOUND_AS(&of_stack, NULL, __VA_ARGS__)

/* A file whose function is a kernel: its a0 is the argument block. */
static const struct {
    uint32_t head[2];
    char name[8];
} kernel_record = {{16, 0xFFFFFFFF}, "kernel"};

static uint32_t found_in_kernel(const uint32_t *words, uint32_t count, uint32_t kind)
{
    const uint32_t note[] = {TEXT, kind};
    const test_section sections[] = {{".heddle.arguments", &kernel_record, sizeof kernel_record},
                                     {".heddle.synchronization", note, sizeof note}};
    return found_in(words, count, sections, kind ? 2 : 1, &of_stack, NULL);
}

#define FOUND_IN_KERNEL(kind, ...)                                                                                     \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in_kernel(words, COUNT_OF(words), kind);                                                                 \
    })

Test(deadlock, a_finding_names_branch_side_meeting_loop_read_and_write)
{
    isa_deadlock f = {0};
    cr_expect_eq(FOUND_AS(&of_stack, &f, NOP_WORD, NOP_WORD, LOAD(6, 10, 0), BACK_IF_ZERO(6, 2), NOP_WORD, STORE(10, 0),
                          RETURN_WORD),
                 1);
    cr_expect_eq(f.branch, PC(3));
    cr_expect_eq(f.side, PC(1));
    cr_expect_eq(f.meeting, PC(4));
    cr_expect_eq(f.loop, PC(1));
    cr_expect_eq(f.loop_end, PC(3));
    cr_expect_eq(f.read, PC(2));
    cr_expect_eq(f.write, PC(5));
    cr_expect_eq(f.read_count, 1);
    cr_expect_eq(f.write_count, 1);
}

Test(deadlock, a_wait_without_a_write_that_is_kept_is_none)
{
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), RETURN_WORD), 0);
    cr_expect_eq(FOUND(STORE(10, 0), LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), STORE(10, 0), BACK_IF_ZERO(6, 2), RETURN_WORD), 0);
}

Test(deadlock, the_other_side_of_a_branch_is_kept_by_a_stack_only)
{
    /* Odd lanes wait, even lanes write, and then all return. */
    const uint32_t words[] = {READ_CSR(5, ISA_CSR_THREAD_X),
                              SKIP_IF_ZERO(5, 4),
                              LOAD(6, 10, 0),
                              BACK_IF_ZERO(6, 1),
                              JUMP_WORD(8),
                              STORE(10, 0),
                              RETURN_WORD};
    isa_deadlock f = {0};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_stack, &f), 1);
    cr_expect_eq(f.branch, PC(1));
    cr_expect_eq(f.side, PC(2));
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_splits, NULL), 0);
}

Test(deadlock, code_behind_the_meeting_point_is_kept_by_both)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_stack, NULL), 1);
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_splits, NULL), 1);
}

Test(deadlock, nothing_is_kept_behind_what_the_whole_warp_waits_at)
{
    const uint32_t stops[] = {WORD(BAR_SYNC), WORD(WARP_SYNC)};
    for (uint32_t i = 0; i < COUNT_OF(stops); i++) {
        cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), stops[i], STORE(10, 0), RETURN_WORD), 0);
        cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), stops[i], RETURN_WORD), 1);
    }
}

/* Those who go round again wait for others at this word. */
static uint32_t found_if_waiting_at(const uint32_t *words, uint32_t count, uint32_t word)
{
    const isa_deadlock_change change = {.from = PC(1), .to = PC(0), .wait = PC(word)};
    const isa_deadlock_options options = {.changes = &change, .change_count = 1};
    return found_in(words, count, NULL, 0, &options, NULL);
}

Test(deadlock, lanes_that_wait_before_the_write_keep_others_from_it_all_the_same)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), NOP_WORD, STORE(10, 0), NOP_WORD, RETURN_WORD};
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 2), 1);
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 3), 1);
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 4), 0);
}

Test(deadlock, lanes_that_wait_at_other_places_do_not_wait_for_each_other)
{
    /* Each side waits for the other's write, and returns by itself. */
    const uint32_t words[] = {SKIP_IF_ZERO(5, 5), LOAD(6, 10, 0),     BACK_IF_ZERO(6, 1), STORE(11, 0), RETURN_WORD,
                              LOAD(6, 11, 0),     BACK_IF_ZERO(6, 1), STORE(10, 0),       RETURN_WORD};
    const isa_deadlock_change apart[] = {{PC(2), PC(1), PC(4)}, {PC(6), PC(5), PC(8)}};
    const isa_deadlock_change together[] = {
        {PC(2), PC(1), PC(4)}, {PC(6), PC(5), PC(4)}, {PC(8), ISA_RECONVERGE_AT_RETURN, PC(4)}};
    const isa_deadlock_options at_two = {.changes = apart, .change_count = 2};
    const isa_deadlock_options at_one = {.changes = together, .change_count = 3};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &at_two, NULL), 1);
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &at_one, NULL), 0);
}

Test(deadlock, what_is_done_while_lanes_go_round_to_wait_decides_too)
{
    /* The outer loop ends by what is set in the inner one, if what is read there says so. */
    const uint32_t words[] = {LOAD(6, 10, 0),
                              WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = 20),
                              LOAD(7, 11, 0),
                              SKIP_IF_ZERO(7, 2),
                              WORD(ADDI, .rd = 28, .immediate = 1),
                              JUMP_WORD(-20),
                              STORE(10, 0),
                              BACK_IF_ZERO(28, 7),
                              STORE(11, 0),
                              NOP_WORD,
                              RETURN_WORD};
    const isa_deadlock_change change = {.from = PC(5), .to = PC(0), .wait = PC(9)};
    const isa_deadlock_options options = {.changes = &change, .change_count = 1};
    isa_deadlock f = {0};
    cr_expect_gt(found_in(words, COUNT_OF(words), NULL, 0, &options, &f), 0);
    cr_expect_eq(f.branch, PC(1));
    cr_expect_eq(f.read_count, 2);
}

Test(deadlock, the_way_to_the_end_of_a_loop_decides_too)
{
    /* The flag that ends the loop is set where the read says so: it is decided by the read, not computed from it. */
    cr_expect_eq(FOUND(WORD(ADDI, .rd = 7), LOAD(6, 10, 0), SKIP_IF_ZERO(6, 2), WORD(ADDI, .rd = 7, .immediate = 1),
                       BACK_IF_ZERO(7, 3), STORE(10, 0), RETURN_WORD),
                 1);
    /* The read decides nothing. */
    cr_expect_eq(FOUND(LOAD(6, 10, 0), WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1), BACK_IF_ZERO(7, 2), STORE(10, 0),
                       RETURN_WORD),
                 0);
}

/* ---- Compare-and-swaps of lr and sc -------------------------------------------------------------------------------- */

#define LR(to, base) WORD(LR_W, .rd = (to), .rs1 = (base))
/* What it stores is what the lr has read. */
#define SC(to, base) WORD(SC_W, .rd = (to), .rs1 = (base), .rs2 = 6)
#define RETRY(of, words) WORD(BNE, .rs1 = (of), .rs2 = 0, .immediate = -4 * (words))

/* Three words between lr and sc, one between sc and the branch back; a write to the word behind. */
static uint32_t found_in_retry(uint32_t before, uint32_t store, uint32_t after, uint32_t retry)
{
    return FOUND(LR(6, 10), before, store, after, retry, STORE(10, 0), RETURN_WORD);
}

Test(deadlock, a_compare_and_swap_of_lr_and_sc_is_no_loop)
{
    const uint32_t out = WORD(BNE, .rs1 = 6, .rs2 = 12, .immediate = 16);
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), NOP_WORD, RETRY(7, 4)), 0);
    cr_expect_eq(found_in_retry(out, SC(7, 10), NOP_WORD, RETRY(7, 4)), 0);
}

Test(deadlock, whatever_is_no_compare_and_swap_is_a_loop)
{
    const uint32_t out = WORD(BNE, .rs1 = 6, .rs2 = 12, .immediate = 16);
    const uint32_t moves = WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 4), spoils = WORD(ADDI, .rd = 7, .rs1 = 6);
    const uint32_t equal = WORD(BEQ, .rs1 = 7, .rs2 = 0, .immediate = -16);
    cr_expect_gt(found_in_retry(out, SC(7, 10), LOAD(28, 12, 0), RETRY(7, 4)), 0, "another access");
    cr_expect_eq(found_in_retry(moves, SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "another address");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 11), NOP_WORD, RETRY(7, 4)), 1, "sc to another address");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), spoils, RETRY(7, 4)), 1, "not the result of the sc");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), NOP_WORD, equal), 1, "another condition");
    cr_expect_eq(found_in_retry(SC(28, 10), SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "two sc");
    cr_expect_eq(found_in_retry(NOP_WORD, NOP_WORD, NOP_WORD, RETRY(6, 4)), 1, "no sc");
    cr_expect_eq(found_in_retry(READ_CSR(28, 0xC00), SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "a csr");
}

Test(deadlock, an_lr_reads_and_an_sc_writes)
{
    const uint32_t stores = WORD(SC_W, .rd = 7, .rs1 = 10, .rs2 = 11);
    cr_expect_eq(FOUND(stores, BACK_IF_ZERO(7, 1), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), LR(7, 10), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), stores, RETURN_WORD), 1);
}

/* A lock in an outer loop comes to its own read again; that would not tell where it is given back. */
Test(deadlock, the_write_that_is_told_is_another_access_than_the_read)
{
    isa_deadlock f = {0};
    cr_expect_eq(FOUND_AS(&of_stack, &f, WORD(AMOSWAP_W, .rd = 6, .rs1 = 10, .rs2 = 11), BACK_IF_ZERO(6, 1),
                          WORD(AMOSWAP_W, .rd = 0, .rs1 = 10, .rs2 = 0),
                          WORD(ADDI, .rd = 12, .rs1 = 12, .immediate = -1), BACK_IF_ZERO(12, 4), RETURN_WORD),
                 1);
    cr_expect_eq(f.read, PC(0));
    cr_expect_eq(f.write, PC(2));
}

/* ---- Locks that are given back by who takes them ---------------------------------------------------------------- */

/* In a loop over elements (a2, downwards): a loop that tries the lock at a0 until a flag (t2) says that it has had it. */
#define LI(to, value) WORD(ADDI, .rd = (to), .rs1 = 0, .immediate = (value))
#define TRY_LOCK WORD(AMOSWAP_W, .rd = 6, .rs1 = 10, .rs2 = 28)
#define SKIP_IF_TAKEN(words) WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = 4 * (words))
#define GIVE_BACK(base) WORD(AMOSWAP_W, .rd = 0, .rs1 = (base), .rs2 = 0)
#define NEXT_ELEMENT(words) WORD(ADDI, .rd = 12, .rs1 = 12, .immediate = -1), BACK_IF_ZERO(12, words), RETURN_WORD

Test(deadlock, who_has_to_take_a_lock_first_is_not_waited_for_to_give_it_back)
{
    const isa_deadlock_options all = {.keep_own_locks = 1};
    const isa_deadlock_options *const units[] = {&of_stack, &of_splits};
    for (uint32_t i = 0; i < COUNT_OF(units); i++) {
        cr_expect_eq(FOUND_AS(units[i], NULL, LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                              BACK_IF_ZERO(7, 4), NEXT_ELEMENT(7)),
                     0);
        /* The address of the lock is computed again, from what nothing has changed. */
        cr_expect_eq(FOUND_AS(units[i], NULL, LI(28, 1), LI(7, 0), WORD(ADDI, .rd = 5, .rs1 = 10, .immediate = 8),
                              WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28), SKIP_IF_TAKEN(4),
                              WORD(ADDI, .rd = 11, .rs1 = 10, .immediate = 8), GIVE_BACK(11), LI(7, 1),
                              BACK_IF_ZERO(7, 6), NEXT_ELEMENT(9)),
                     0);
    }
    cr_expect_eq(FOUND_AS(&all, NULL, LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                          BACK_IF_ZERO(7, 4), NEXT_ELEMENT(7)),
                 1);
}

/* Each of these differs from the first one above in one thing. */
Test(deadlock, whoever_may_hold_the_lock_where_it_is_kept_is_waited_for)
{
    /* It is given back behind the loop. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(2), LI(7, 1), BACK_IF_ZERO(7, 3), GIVE_BACK(10),
                       NEXT_ELEMENT(7)),
                 1);
    /* What is given back may be another lock, */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* as its pointer has moved meanwhile, */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(4), WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 4),
                       GIVE_BACK(10), LI(7, 1), BACK_IF_ZERO(7, 5), NEXT_ELEMENT(8)),
                 1);
    /* and the word beside the lock is another too. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), STORE(10, 4), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* Whoever has not got it gives it back as well. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(2), LI(7, 1), GIVE_BACK(10), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* To take it may free it. */
    cr_expect_eq(FOUND(LI(28, 0), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* The loop ends by what has been read, too. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1), SKIP_IF_ZERO(7, 2),
                       JUMP_WORD(8), BACK_IF_ZERO(6, 6), NEXT_ELEMENT(9)),
                 2);
    /* The other address was computed from what has changed since, or from what may be another each time. */
    cr_expect_eq(FOUND(LI(28, 1), WORD(ADDI, .rd = 11, .rs1 = 10, .immediate = 8), LI(7, 0),
                       WORD(ADDI, .rd = 5, .rs1 = 10, .immediate = 8), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28),
                       SKIP_IF_TAKEN(3), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 5),
                       WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 16), NEXT_ELEMENT(9)),
                 1);
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), READ_CSR(5, 0xC00), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28),
                       SKIP_IF_TAKEN(4), READ_CSR(11, 0xC00), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 6),
                       NEXT_ELEMENT(9)),
                 1);
    /* Somebody comes to the test without the lock. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), SKIP_IF_ZERO(11, 2), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                       BACK_IF_ZERO(7, 5), NEXT_ELEMENT(8)),
                 1);
}

/* ---- Addresses ----------------------------------------------------------------------------------------------------- */

/* t0 = word 0 of the argument block, t1 = word 1. */
#define POINTERS LOAD(5, 10, 0), LOAD(6, 10, 4)
#define WAIT(base, at) LOAD(7, base, at), BACK_IF_ZERO(7, 1)

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

/* ---- The stack ----------------------------------------------------------------------------------------------------- */

#define TO_STACK(of, at) WORD(SW, .rs1 = 2, .rs2 = (of), .immediate = (at))

Test(deadlock, values_are_followed_through_the_stack)
{
    const uint32_t frame = WORD(ADDI, .rd = 2, .rs1 = 2, .immediate = -16);
    /* What is read goes to the stack and comes back, by another register. */
    const uint32_t base = WORD(ADDI, .rd = 8, .rs1 = 2, .immediate = 16);
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), LOAD(7, 8, -12), BACK_IF_ZERO(7, 3), STORE(10, 0),
                       RETURN_WORD),
                 1);
    /* What comes back is something else. */
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), LOAD(7, 8, -8), BACK_IF_ZERO(7, 3), STORE(10, 0),
                       RETURN_WORD),
                 0);
    /* It has been overwritten. */
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), TO_STACK(11, 4), LOAD(7, 8, -12),
                       BACK_IF_ZERO(7, 4), STORE(10, 0), RETURN_WORD),
                 0);
}

Test(deadlock, the_stack_is_not_what_others_write)
{
    const uint32_t frame = WORD(ADDI, .rd = 2, .rs1 = 2, .immediate = -16);
    cr_expect_eq(FOUND(frame, WAIT(2, 4), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(WAIT(10, 0), STORE(2, -4), RETURN_WORD), 0);
}

/* ---- Branches that a warp takes alike ------------------------------------------------------------------------------- */

/* A branch on t0 around a wait; then a write. The wait itself votes. */
#define VOTE(to, of) WORD(VOTE_ALL, .rd = (to), .rs1 = (of))

Test(deadlock, lanes_do_not_part_at_a_vote)
{
    const isa_deadlock_options all = {.keep_uniform = 1};
    cr_expect_eq(FOUND(LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(7, 2), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_AS(&all, NULL, LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(7, 2), STORE(10, 0), RETURN_WORD), 1);
    /* A vote of an earlier turn is another for each lane. */
    cr_expect_eq(FOUND(LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(6, 2), NOP_WORD, SKIP_IF_ZERO(7, 3), LOAD(6, 10, 4),
                       BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD),
                 3);
}

Test(deadlock, lanes_do_not_part_at_what_is_one_for_a_warp)
{
    static const struct {
        uint32_t csr, branches;
    } cases[] = {{ISA_CSR_THREAD_X, 2},     {ISA_CSR_THREAD_X + 2, 2}, {ISA_CSR_BLOCK_X, 1},
                 {ISA_CSR_BLOCK_SIZE_X, 1}, {ISA_CSR_GRID_SIZE_X, 1},  {ISA_CSR_LANE, 2},
                 {ISA_CSR_WARP, 1},         {ISA_CSR_CORE, 1},         {0xC00 /* cycle */, 2}};
    for (uint32_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(FOUND(READ_CSR(5, cases[i].csr), SKIP_IF_ZERO(5, 3), WAIT(10, 0), STORE(10, 0), RETURN_WORD),
                     cases[i].branches, "csr %#x", cases[i].csr);
}

/* ---- As advice ------------------------------------------------------------------------------------------------------ */

static isa_finding advice_on(const uint32_t *words, uint32_t count, uint32_t kind, const test_section *section)
{
    char error[512];
    isa_finding *findings, found = {0};
    uint32_t finding_count;
    isa_program *program = load_with(words, count, section, section != NULL, error);
    cr_assert(program, "%s", error);
    cr_assert_eq(isa_lint(program, &of_stack, &findings, &finding_count), 0);
    for (uint32_t i = 0; i < finding_count; i++)
        if (findings[i].kind == kind)
            found = findings[i];
    free(findings);
    isa_program_free(program);
    return found;
}

Test(deadlock, of_several_branches_that_of_the_loop_is_told)
{
    const uint32_t words[] = {READ_CSR(5, ISA_CSR_THREAD_X), SKIP_IF_ZERO(5, 3), WAIT(10, 0), STORE(10, 0),
                              RETURN_WORD};
    const isa_finding found = advice_on(words, COUNT_OF(words), ISA_LINT_POSSIBLE_DEADLOCK, NULL);
    cr_expect_eq(found.branch_pc, PC(3));
    cr_expect_eq(found.branches, 2);
    cr_expect_eq(found.side_pc, PC(2));
    cr_expect_eq(found.meeting_pc, PC(4));
    cr_expect_eq(found.loop_pc, PC(2));
    cr_expect_eq(found.loop_end_pc, PC(3));
    cr_expect_eq(found.access_pc, PC(2));
    cr_expect_eq(found.other_pc, PC(4));
}

Test(deadlock, a_lock_whose_function_says_its_lanes_wait_on_purpose_is_no_advice)
{
    const uint32_t words[] = {LOAD(5, 10, 0), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 7),
                              WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = -4),
                              WORD(AMOSWAP_W, .rd = 0, .rs1 = 5, .rs2 = 0), RETURN_WORD};
    const uint32_t note[] = {TEXT, 1};
    const test_section section = {".heddle.synchronization", note, sizeof note};
    cr_expect_eq(advice_on(words, COUNT_OF(words), ISA_LINT_DEADLOCK, NULL).branch_pc, PC(2));
    cr_expect_eq(advice_on(words, COUNT_OF(words), ISA_LINT_DEADLOCK, &section).branch_pc, 0);
}

/* ---- How many loops there are ------------------------------------------------------------------------------------- */

Test(deadlock, loops_are_counted_by_what_they_depend_on)
{
    const uint32_t words[] = {
        LOAD(6, 10, 0),
        WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1),   /* counts */
        WORD(BLT, .rs1 = 7, .rs2 = 11, .immediate = -4), /* up to an argument */
        WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1),   /* counts */
        WORD(BLT, .rs1 = 7, .rs2 = 6, .immediate = -4),  /* up to what was read before */
        WAIT(10, 64),
        BACK_IF_ZERO(7, 2),
        STORE(10, 0),
        RETURN_WORD,
    };
    char error[512];
    isa_deadlocks deadlocks;
    isa_program *program = load_with(words, COUNT_OF(words), NULL, 0, error);
    cr_assert_eq(isa_deadlocks_find(program, &of_stack, &deadlocks), 0);
    cr_expect_eq(deadlocks.filter.branches, 4);
    cr_expect_eq(deadlocks.filter.loops, 4);
    cr_expect_eq(deadlocks.filter.on_memory, 3);
    cr_expect_eq(deadlocks.filter.on_reads, 2);
    cr_expect_eq(deadlocks.filter.found, 2);
    isa_deadlocks_free(&deadlocks);
    isa_program_free(program);
}

/* ---- Records ------------------------------------------------------------------------------------------------------- */

/* A lock at word 0 (lw), a store at 2, no access at 1 and 3. */
static const char *error_of(const void *records, uint32_t bytes)
{
    static char error[512];
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    const test_section section = {".heddle.synchronization", records, bytes};
    isa_program_free(load_with(words, COUNT_OF(words), &section, 1, error));
    cr_expect_null(strchr(error, '\n'));
    return error;
}

#define NAME(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define ERROR_OF(...)                                                                                                  \
    ({                                                                                                                 \
        const uint32_t records[] = {__VA_ARGS__};                                                                      \
        error_of(records, sizeof records);                                                                             \
    })

static void expect_in(const char *error, const char *part)
{
    cr_expect(strstr(error, part), "not in it: %s\n%s", part, error);
}

Test(synchronization, records_of_functions_and_locks_are_read)
{
    cr_expect_str_eq(ERROR_OF(PC(0), 1, PC(0), 2, PC(0), 4, NAME('a', 'b', 'c', 0), PC(2), 4, NAME('a', 0, 0, 0)), "");
}

Test(synchronization, damaged_records_are_refused_and_named)
{
    static const struct {
        uint32_t records[6], bytes;
        const char *error;
    } cases[] = {
        {{PC(0), 3}, 8, "no record that makes sense at byte 0 of 8"},
        {{PC(0), 1, PC(0)}, 12, "no record that makes sense at byte 8 of 12"},
        {{PC(0), 1, PC(0), 2}, 14, "no record that makes sense at byte 8 of 14"},
        {{PC(0), 4}, 8, "no record that makes sense at byte 0 of 8"},
        {{PC(0), 4, NAME('a', 'b', 'c', 'd')}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, 0}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, NAME('a', '\n', 0, 0)}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, NAME('a', 'b', 'c', 'd'), NAME('e', 0, 0, 0)}, 14, "no record that makes sense at byte 0"},
        {{PC(1), 1}, 8, "names a function at 0x10000004, where none begins"},
        {{0, 2}, 8, "names a function at 0x00000000, where none begins"},
        {{PC(1), 4, NAME('a', 0, 0, 0)}, 12, "an access to lock 'a' at 0x10000004, where there is no load"},
        {{PC(4), 4, NAME('a', 0, 0, 0)}, 12, "an access to lock 'a' at 0x10000010, where there is no load"},
        {{PC(0), 4, NAME('a', 0, 0, 0), PC(0), 4, NAME('b', 0, 0, 0)}, 24, "is to lock 'a' and to lock 'b'"},
    };
    for (uint32_t i = 0; i < COUNT_OF(cases); i++)
        expect_in(error_of(cases[i].records, cases[i].bytes), cases[i].error);
}

Test(synchronization, a_name_is_as_long_as_it_may_be)
{
    struct {
        uint32_t head[2];
        char name[72];
    } record = {{PC(0), 4}, ""};
    memset(record.name, 'n', ISA_LOCK_NAME_MAX);
    cr_expect_str_eq(error_of(&record, 8 + ISA_LOCK_NAME_MAX + 1), "");
    record.name[ISA_LOCK_NAME_MAX] = 'n';
    expect_in(error_of(&record, 8 + ISA_LOCK_NAME_MAX + 5), "no record that makes sense at byte 0");
}

static uint32_t found_with_locks(uint32_t read_name, uint32_t write_name)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    const uint32_t records[] = {PC(0), 4, read_name, PC(2), 4, write_name};
    const test_section section = {".heddle.synchronization", records, write_name ? 24 : 12};
    return found_in(words, COUNT_OF(words), &section, 1, &of_stack, NULL);
}

Test(synchronization, only_accesses_with_the_same_name_go_to_a_lock)
{
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), NAME('a', 0, 0, 0)), 1);
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), NAME('b', 0, 0, 0)), 0);
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), 0), 0);
}

Test(deadlock, whatever_memory_it_lacks_it_says_so)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    for (uint32_t left = 0;; left++) {
        isa_deadlocks deadlocks;
        allocations_refuse(left);
        const int failed = isa_deadlocks_find(program, &of_stack, &deadlocks);
        const int refused = allocations_allow();
        cr_expect_eq(failed, refused ? -1 : 0, "without allocation %u", left);
        cr_expect_eq(deadlocks.count, !refused);
        isa_deadlocks_free(&deadlocks);
        if (!refused) {
            cr_expect_geq(left, 20);
            break;
        }
    }
    isa_program_free(program);
}

/* Where lanes meet that part at this word. */
static uint32_t meeting_of(const uint32_t *words, uint32_t count, uint32_t branch)
{
    char error[256] = "";
    isa_program *program = load_words(words, count);
    cr_assert_not(isa_program_require(program, &isa_delayed_reconvergence, error, sizeof error), "%s", error);
    const uint32_t *table = isa_program_table(program, isa_delayed_reconvergence.name);
    const uint32_t meeting = isa_table_value(program, table, PC(branch));
    isa_program_free(program);
    return meeting;
}

/* Word 2 tries the lock at a0, over and over, and word 3 gives back the one at `back`. */
static uint32_t meeting_in_loop_of_locks(uint32_t back)
{
    const uint32_t words[] = {LI(28, 1), TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4), GIVE_BACK(back),
                              NEXT_ELEMENT(4)};
    return meeting_of(words, COUNT_OF(words), 2);
}

/* The same lock, or the one at `first`, is tried once before the loop. */
static uint32_t meeting_in_peeled_loop(uint32_t first)
{
    const uint32_t words[] = {LI(28, 1),
                              WORD(AMOSWAP_W, .rd = 6, .rs1 = first, .rs2 = 28),
                              SKIP_IF_ZERO(6, 3),
                              TRY_LOCK,
                              WORD(BNE, .rs1 = 6, .immediate = -4),
                              GIVE_BACK(10),
                              NEXT_ELEMENT(6)};
    return meeting_of(words, COUNT_OF(words), 4);
}

Test(deadlock, lanes_that_have_given_their_lock_back_are_met_before_they_take_it_anew)
{
    cr_expect_eq(meeting_in_loop_of_locks(10), TEXT + 16);
    cr_expect_eq(meeting_in_loop_of_locks(11), TEXT + 24, "they may hold another one");
    cr_expect_eq(meeting_in_peeled_loop(10), PC(6));
    cr_expect_eq(meeting_in_peeled_loop(11), PC(8), "who has tried another one gives back what may be held");
}
