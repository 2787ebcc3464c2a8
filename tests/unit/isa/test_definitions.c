/* SPDX-License-Identifier: MIT */
/* Definitions and uses, by hand and against walks of a thread through random programs. */
#include "assemble.h"
#include "control_flow.h"
#include "definitions.h"
#include "loading.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RA 1u
#define SP 2u
#define S0 8u
#define A0 10u
#define A1 11u
#define FA0 42u

static void require_both(isa_program *program)
{
    char error[256] = "";
    cr_assert_eq(isa_program_require(program, &isa_definitions, error, sizeof error), 0, "%s", error);
    cr_assert_eq(isa_program_require(program, &isa_uses, error, sizeof error), 0, "%s", error);
}

static isa_program *analysed(const uint32_t *words, uint32_t count)
{
    isa_program *program = load_words(words, count);
    require_both(program);
    return program;
}

/* expected: numbers of words, "1 4", with " open" behind them. */
static void expect_places(const isa_places places, const char *expected, const char *what)
{
    char text[256] = "";
    for (uint32_t i = 0; i < places.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", (places.pcs[i] - TEXT) / 4);
    if (places.is_open)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sopen", *text ? " " : "");
    cr_expect_str_eq(text, expected, "%s: '%s', not '%s'", what, text, expected);
}
#define EXPECT_DEFINITIONS(program, word, number, expected)                                                            \
    expect_places(isa_definitions_of(program, TEXT + 4 * (word), number), expected, "definitions of " #word " " #number)
#define EXPECT_USES(program, word, number, expected)                                                                   \
    expect_places(isa_uses_of(program, TEXT + 4 * (word), number), expected, "uses of " #word " " #number)

/* ---- By hand --------------------------------------------------------------------------------------------------------- */

Test(definitions, of_straight_code_are_the_last_ones)
{
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = A1), WORD(ADDI, .rd = A0, .rs1 = A0),
                              WORD(ADD, .rd = A1, .rs1 = A0, .rs2 = A1), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 0, A1, "open");
    EXPECT_DEFINITIONS(program, 1, A0, "0");
    EXPECT_DEFINITIONS(program, 2, A0, "1");
    EXPECT_DEFINITIONS(program, 2, A1, "open");
    EXPECT_DEFINITIONS(program, 2, SP, "");
    EXPECT_DEFINITIONS(program, 2, 64, "");
    EXPECT_USES(program, 0, A0, "1");
    EXPECT_USES(program, 1, A0, "2 3");
    EXPECT_USES(program, 2, A1, "3");
    EXPECT_USES(program, 2, A0, "");
    isa_program_free(program);
}

Test(definitions, meet_behind_a_branch_and_go_round_in_a_loop)
{
    const uint32_t words[] = {WORD(ADDI, .rd = 5, .rs1 = 0), BRANCH_WORD(8),  WORD(ADDI, .rd = 5, .rs1 = 5),
                              WORD(ADDI, .rd = 6, .rs1 = 5), BRANCH_WORD(-8), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 2, 5, "0 2");
    EXPECT_DEFINITIONS(program, 3, 5, "0 2");
    EXPECT_USES(program, 0, 5, "2 3");
    EXPECT_USES(program, 2, 5, "2 3");
    EXPECT_USES(program, 3, 6, ""); /* dead: x6 is none of those that a caller sees */
    isa_program_free(program);
}

Test(definitions, of_both_kinds_of_registers_are_told_apart)
{
    const uint32_t words[] = {WORD(FADD_S, .rd = 10, .rs1 = 10, .rs2 = 11), WORD(ADDI, .rd = A0, .rs1 = A1),
                              WORD(FADD_S, .rd = 12, .rs1 = 10, .rs2 = 12), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 2, FA0, "0");
    EXPECT_DEFINITIONS(program, 2, 44, "open");
    EXPECT_USES(program, 0, FA0, "2 3");
    EXPECT_USES(program, 1, A0, "3");
    isa_program_free(program);
}

/* A call needs a0, and makes a0; what a callee keeps, and x0, it leaves alone. */
Test(definitions, follow_the_calling_convention_at_calls)
{
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = 0),
                              WORD(ADDI, .rd = S0, .rs1 = 0),
                              WORD(ADDI, .rd = 28, .rs1 = 0),
                              CALL_WORD(16),
                              WORD(ADD, .rd = A1, .rs1 = A0, .rs2 = S0),
                              WORD(ADD, .rd = 5, .rs1 = 28, .rs2 = SP),
                              RETURN_WORD,
                              WORD(ADDI, .rd = A0, .rs1 = A0),
                              RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 3, A0, "0");
    EXPECT_DEFINITIONS(program, 4, A0, "3");
    EXPECT_DEFINITIONS(program, 4, S0, "1");
    EXPECT_DEFINITIONS(program, 5, 28, "3");
    EXPECT_DEFINITIONS(program, 5, SP, "open");
    EXPECT_DEFINITIONS(program, 6, RA, "3");
    EXPECT_DEFINITIONS(program, 7, A0, "open");
    EXPECT_USES(program, 0, A0, "3");
    EXPECT_USES(program, 1, S0, "4 6");
    EXPECT_USES(program, 2, 28, "");
    EXPECT_USES(program, 3, A0, "4 6");
    EXPECT_USES(program, 7, A0, "8");
    isa_program_free(program);
}

/* A jump through a register may be a tail call: it needs all arguments. */
Test(definitions, are_needed_by_jumps_whose_target_is_not_known)
{
    const uint32_t words[] = {WORD(ADDI, .rd = 12, .rs1 = 0), BRANCH_WORD(8), RETURN_WORD, WORD(JALR, .rs1 = 7)};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_USES(program, 0, 12, "3");
    EXPECT_DEFINITIONS(program, 3, 7, "open");
    isa_program_free(program);
}

Test(definitions, in_code_that_nothing_reaches_are_none)
{
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = 0), RETURN_WORD, WORD(ADDI, .rd = A0, .rs1 = A0),
                              WORD(ADDI, .rd = A0, .rs1 = A0)};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 2, A0, "");
    EXPECT_DEFINITIONS(program, 3, A0, "");
    EXPECT_USES(program, 2, A0, "");
    isa_program_free(program);
}

Test(definitions, in_a_loop_that_jumps_to_the_entry_are_also_those_of_the_caller)
{
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = A0), BRANCH_WORD(-4), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    EXPECT_DEFINITIONS(program, 0, A0, "0 open");
    isa_program_free(program);
}

Test(definitions, are_known_by_name_and_made_anew_when_the_program_is)
{
    char error[256] = "";
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = A1), WORD(ADDI, .rd = A1, .rs1 = A0), RETURN_WORD};
    cr_expect_eq(isa_analysis_named("definitions"), &isa_definitions);
    cr_expect_eq(isa_analysis_named("uses"), &isa_uses);
    isa_program *program = load_words(words, COUNT_OF(words));
    cr_expect_null(isa_program_lists(program, "definitions"));
    require_both(program);
    cr_expect_not_null(isa_program_lists(program, "definitions"));
    cr_expect_null(isa_program_lists(program, "reconvergence"));
    program->instructions[0] = isa_decode(NOP_WORD);
    cr_assert_eq(isa_program_analyse(program, error, sizeof error), 0, "%s", error);
    EXPECT_DEFINITIONS(program, 1, A0, "open");
    isa_program_free(program);
}

/* ---- Against a thread that walks ------------------------------------------------------------------------------------- */

#define WORDS 12u
#define WALKS 1000u
#define STEPS 60u

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(next_random(random) >> 33) % limit;
}

static uint32_t random_register(uint64_t *random)
{
    static const uint8_t some[] = {0, 5, S0, A0, A1, 28};
    return some[below(random, sizeof some)];
}

/* From the word `at`, to any other one. */
static int32_t random_distance(uint64_t *random, uint32_t at)
{
    return 4 * ((int32_t)below(random, WORDS) - (int32_t)at);
}

static uint32_t random_word(uint64_t *random, uint32_t at)
{
    switch (below(random, 20)) {
    case 0: return RETURN_WORD;
    case 1: return WORD(JALR, .rs1 = random_register(random));
    case 2: return CALL_WORD(random_distance(random, at));
    case 3: return JUMP_WORD(random_distance(random, at));
    case 4: return WORD(EBREAK);
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        return WORD(BNE, .rs1 = random_register(random), .rs2 = random_register(random),
                    .immediate = random_distance(random, at));
    case 10: return WORD(FADD_S, .rd = A0, .rs1 = A0, .rs2 = random_register(random));
    default:
        return WORD(ADD, .rd = random_register(random), .rs1 = random_register(random), .rs2 = random_register(random));
    }
}

/* seen[use][register] = words whose value of it was there, bit WORDS: that of before the entry. */
typedef uint32_t sightings[WORDS][ISA_REGISTER_COUNT];

static void walk_once(const isa_program *program, uint32_t entry, uint64_t *random, sightings seen)
{
    uint8_t maker[ISA_REGISTER_COUNT];
    uint32_t pc = TEXT + 4 * entry, successor[2];
    memset(maker, WORDS, sizeof maker);
    for (uint32_t step = 0; step < STEPS; step++) {
        const isa_instruction *instruction = isa_program_at(program, pc);
        const uint32_t word = (pc - TEXT) / 4;
        for (uint64_t left = isa_needs(instruction); left; left &= left - 1)
            seen[word][__builtin_ctzll(left)] |= 1u << maker[__builtin_ctzll(left)];
        for (uint64_t left = isa_changes(instruction); left; left &= left - 1)
            maker[__builtin_ctzll(left)] = (uint8_t)word;
        const uint32_t count = isa_successors(program, pc, successor);
        if (!count)
            return;
        pc = successor[below(random, count)];
        if (pc == ISA_RECONVERGE_AT_RETURN)
            return;
    }
}

static uint32_t definitions_as_set(const isa_program *program, uint32_t word, uint32_t number)
{
    const isa_places places = isa_definitions_of(program, TEXT + 4 * word, number);
    uint32_t set = places.is_open ? 1u << WORDS : 0;
    for (uint32_t i = 0; i < places.count; i++)
        set |= 1u << (places.pcs[i] - TEXT) / 4;
    return set;
}

/* The words at which the value of `word` was there, from what was seen. */
static uint32_t users_of(const sightings seen, uint32_t word, uint32_t number)
{
    uint32_t set = 0;
    for (uint32_t use = 0; use < WORDS; use++)
        set |= (seen[use][number] >> word & 1) << use;
    return set;
}

static void expect_as_seen(const isa_program *program, const sightings seen, uint64_t seed)
{
    for (uint32_t word = 0; word < WORDS; word++) {
        for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++) {
            const uint32_t makers = definitions_as_set(program, word, number);
            const isa_places uses = isa_uses_of(program, TEXT + 4 * word, number);
            uint32_t users = 0;
            for (uint32_t i = 0; i < uses.count; i++)
                users |= 1u << (uses.pcs[i] - TEXT) / 4;
            cr_assert_eq(makers, seen[word][number], "seed %lu: word %u needs register %u of words %x, not %x",
                         (unsigned long)seed, word, number, seen[word][number], makers);
            cr_assert_eq(users, users_of(seen, word, number),
                         "seed %lu: register %u of word %u is needed by %x, not %x", (unsigned long)seed, number, word,
                         users_of(seen, word, number), users);
            cr_assert_eq(uses.is_open, 0);
        }
    }
}

/* Threads enter where calls lead to and at the only function, and at each branch they go either way: in the end they have been
 * everywhere in these small programs, in every order that matters. */
Test(definitions, are_those_that_a_thread_meets_in_random_programs)
{
    const uint64_t first_seed = 20261126;
    uint32_t meetings = 0;
    for (uint64_t seed = first_seed; seed < first_seed + 300; seed++) {
        uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
        uint32_t words[WORDS];
        sightings seen = {0};
        for (uint32_t at = 0; at < WORDS; at++)
            words[at] = at == WORDS - 1 ? RETURN_WORD : random_word(&random, at);
        isa_program *program = analysed(words, WORDS);
        for (uint32_t walk = 0; walk < WALKS; walk++)
            walk_once(program, 0, &random, seen);
        for (uint32_t at = 0; at < WORDS; at++) {
            uint32_t target;
            if (!isa_is_reachable(program, TEXT + 4 * at) || !(isa_decode(words[at]).flags & ISA_FLAG_CALL) ||
                !isa_jump_target(program, TEXT + 4 * at, &target))
                continue;
            for (uint32_t walk = 0; walk < WALKS; walk++)
                walk_once(program, (target - TEXT) / 4, &random, seen);
        }
        expect_as_seen(program, seen, seed);
        for (uint32_t at = 0; at < WORDS; at++)
            meetings += __builtin_popcount(seen[at][A0]) > 1;
        isa_program_free(program);
    }
    cr_expect_gt(meetings, 100, "the programs are too poor to show anything: %u", meetings);
}

/* As snprintf: what has no room is left out, and the length is that of all of it. */
Test(definitions, are_described_as_far_as_there_is_room)
{
    const uint32_t words[] = {WORD(ADDI, .rd = 5, .immediate = 1), WORD(BEQ, .rs1 = 10, .immediate = 8),
                              WORD(ADDI, .rd = 5, .immediate = 2), WORD(ADD, .rd = 6, .rs1 = 5, .rs2 = 10),
                              RETURN_WORD};
    static const char all[] = "t0: 0x10000000 0x10000008, a0: on entry";
    isa_program *program = analysed(words, 5);
    char text[64];
    for (size_t room = 0; room <= sizeof all; room++) {
        memset(text, '#', sizeof text);
        cr_expect_eq(isa_definitions.describe(program, TEXT + 12, text, room), (int)strlen(all));
        cr_expect(room == 0 || (strncmp(text, all, room - 1) == 0 && text[room - 1] == 0), "%zu: %s", room, text);
        for (size_t behind = room; behind < sizeof text; behind++)
            cr_expect_eq(text[behind], '#', "%zu of %zu", behind, room);
    }
    isa_program_free(program);
}

static void expect_registers(const char *text, uint64_t registers)
{
    uint32_t names = 1;
    for (const char *at = text; (at = strstr(at, ", ")); at += 2)
        names++;
    cr_expect_eq(names, (uint32_t)__builtin_popcountll(registers), "%s", text);
    for (uint64_t left = registers; left; left &= left - 1) {
        char name[16];
        snprintf(name, sizeof name, "%s:", isa_register_name((uint32_t)__builtin_ctzll(left)));
        cr_expect(strstr(text, name), "%s in %s", name, text);
    }
}

/* Of a call also what its callee needs and changes, of a return what its caller may need. */
Test(definitions, of_calls_and_returns_are_described_with_those_of_the_other_side)
{
    const uint32_t words[] = {CALL_WORD(8), RETURN_WORD, RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    const isa_instruction *call = isa_program_at(program, TEXT), *end = isa_program_at(program, TEXT + 4);
    char text[4096];
    cr_expect_gt(__builtin_popcountll(isa_needs(call)), 16);
    isa_definitions.describe(program, TEXT, text, sizeof text);
    expect_registers(text, isa_needs(call));
    isa_uses.describe(program, TEXT, text, sizeof text);
    expect_registers(text, isa_changes(call));
    cr_expect_gt(__builtin_popcountll(isa_needs(end)), 24);
    isa_definitions.describe(program, TEXT + 4, text, sizeof text);
    expect_registers(text, isa_needs(end));
    isa_program_free(program);
}
