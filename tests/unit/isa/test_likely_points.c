/* SPDX-License-Identifier: MIT */
#include "analysis.h"
#include "assemble.h"
#include "likely_points.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NONE (-1)

static void expect_at(const isa_program *program, uint32_t branch, int expected)
{
    const uint32_t pc = expected == NONE ? 0 : TEXT + 4 * (uint32_t)expected;
    const uint32_t *points = isa_program_table(program, "likely_convergence");
    cr_expect_eq(points[branch], pc, "word %u: 0x%08x, not 0x%08x", branch, points[branch], pc);
}

static isa_program *load(const uint32_t *words, uint32_t count, const isa_analysis *analysis)
{
    char error[256] = "";
    isa_program *program = load_words(words, count);
    cr_assert_not(isa_program_require(program, analysis, error, sizeof error), "%s", error);
    return program;
}

/* A loop that is left from its middle, as in Fung 2015, figure 3.8. */
#define BROKEN_LOOP                                                                                                    \
    {                                                                                                                  \
        BRANCH_WORD(12),           /* A: to C */                                                                       \
            NOP_WORD,              /* B */                                                                             \
            JUMP_WORD(8),          /*    to E */                                                                       \
            BRANCH_WORD(20),       /* C: to D */                                                                       \
            NOP_WORD,              /* E */                                                                             \
            BRANCH_WORD(-20),      /*    to A */                                                                       \
            NOP_WORD,              /* F */                                                                             \
            RETURN_WORD, NOP_WORD, /* D */                                                                             \
            JUMP_WORD(-12),        /*    to F */                                                                       \
    }

Test(likely_points, of_a_loop_that_is_left_from_its_middle_is_its_end)
{
    const uint32_t broken_loop[] = BROKEN_LOOP;
    isa_program *program = load(broken_loop, COUNT_OF(broken_loop), &isa_likely_points);
    expect_at(program, 0, 4);
    expect_at(program, 3, NONE); /* its lanes come to the point of the first branch */
    expect_at(program, 5, NONE);
    isa_program_free(program);
}

/* Two edges lead back: the turn ends at either. */
Test(likely_points, of_a_loop_with_two_ways_back_are_none_behind_them)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD,       JUMP_WORD(-8), BRANCH_WORD(12),
                              NOP_WORD,        JUMP_WORD(-20), RETURN_WORD};
    isa_program *program = load(words, COUNT_OF(words), &isa_likely_points);
    for (uint32_t word = 0; word < COUNT_OF(words); word++)
        expect_at(program, word, NONE);
    isa_program_free(program);
}

/* The inner loop leads on to word 4, or out of both. */
#define TWO_LOOPS                                                                                                      \
    {                                                                                                                  \
        NOP_WORD, BRANCH_WORD(12), BRANCH_WORD(16), JUMP_WORD(-8), NOP_WORD, BRANCH_WORD(-20), RETURN_WORD             \
    }

Test(likely_points, of_a_loop_within_another_is_behind_the_inner_one)
{
    const uint32_t two_loops[] = TWO_LOOPS;
    isa_program *program = load(two_loops, COUNT_OF(two_loops), &isa_likely_points);
    expect_at(program, 1, 4);
    expect_at(program, 2, NONE);
    expect_at(program, 5, NONE);
    isa_program_free(program);
}

/* An inner loop leads on to the next turn, or out of both: where an edge of a tree ends the walk goes on, and where the texts part it is over. Its
 * lanes meet nowhere in the loop, but at its head. */
#define TURNS_OF_TWO_LOOPS                                                                                             \
    {                                                                                                                  \
        BRANCH_WORD(20), NOP_WORD, BRANCH_WORD(-8), BRANCH_WORD(8), JUMP_WORD(-8), RETURN_WORD                         \
    }

Test(likely_points, of_a_loop_with_several_ways_back_is_its_head)
{
    const uint32_t turns[] = TURNS_OF_TWO_LOOPS;
    isa_program *program = load(turns, COUNT_OF(turns), &isa_likely_points);
    expect_at(program, 2, 0);
    expect_at(program, 0, NONE);
    expect_at(program, 3, NONE);
    isa_program_free(program);
}

Test(likely_points, of_code_without_loops_are_none)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD, JUMP_WORD(8), BRANCH_WORD(8), NOP_WORD, RETURN_WORD};
    isa_program *program = load(words, COUNT_OF(words), &isa_likely_points);
    expect_at(program, 0, NONE);
    expect_at(program, 3, NONE);
    isa_program_free(program);
}

/* ---- By a profile -------------------------------------------------------------------------------------------------------- */

typedef struct branch_line {
    uint32_t word, lanes, taken;
} branch_line;

static const char *write_profile(const uint32_t *words, uint32_t count, const branch_line *lines, uint32_t line_count)
{
    static char name[48];
    snprintf(name, sizeof name, "likely_points.%d", (int)getpid());
    isa_program *program = load_words(words, count);
    FILE *out = fopen(name, "w");
    fputs(ISA_BRANCH_PROFILE_HEAD "\n", out);
    for (uint32_t i = 0; i < line_count; i++) {
        char text[64];
        const uint32_t pc = TEXT + 4 * lines[i].word;
        isa_disassemble(isa_program_at(program, pc), pc, text, sizeof text);
        fprintf(out, "0x%x %u %u %s\n", pc, lines[i].lanes, lines[i].taken, text);
    }
    fputs(ISA_BRANCH_PROFILE_END "\n", out);
    fclose(out);
    isa_program_free(program);
    return name;
}

static isa_program *load_profiled(const uint32_t *words, uint32_t count, const branch_line *lines, uint32_t line_count)
{
    const char *name = write_profile(words, count, lines, line_count);
    static isa_analysis analysis; /* as long as the program */
    analysis = isa_likely_points_by(name);
    isa_program *program = load(words, count, &analysis);
    unlink(name);
    return program;
}

Test(likely_points, by_a_profile_are_where_few_leave)
{
    const uint32_t broken_loop[] = BROKEN_LOOP;
    const branch_line few[] = {{0, 100, 75}, {3, 75, 2}, {5, 98, 96}},
                      many[] = {{0, 100, 75}, {3, 75, 16}, {5, 84, 76}};
    isa_program *program = load_profiled(broken_loop, COUNT_OF(broken_loop), few, COUNT_OF(few));
    expect_at(program, 0, 4);
    expect_at(program, 3, NONE);
    expect_at(program, 5, NONE);
    isa_program_free(program);
    program = load_profiled(broken_loop, COUNT_OF(broken_loop), many, COUNT_OF(many));
    expect_at(program, 0, NONE);
    isa_program_free(program);
}

/* Few are less than one in five. */
Test(likely_points, by_a_profile_one_in_five_are_not_few)
{
    const uint32_t broken_loop[] = BROKEN_LOOP;
    const branch_line fewer[] = {{0, 100, 75}, {3, 75, 14}, {5, 86, 80}},
                      fifth[] = {{0, 100, 75}, {3, 75, 15}, {5, 85, 80}};
    isa_program *program = load_profiled(broken_loop, COUNT_OF(broken_loop), fewer, COUNT_OF(fewer));
    expect_at(program, 0, 4);
    isa_program_free(program);
    program = load_profiled(broken_loop, COUNT_OF(broken_loop), fifth, COUNT_OF(fifth));
    expect_at(program, 0, NONE);
    isa_program_free(program);
}

/* Each turn of the inner loop few go on to word 4, but of those that leave it nearly all do. */
Test(likely_points, by_a_profile_are_of_those_that_leave_an_inner_loop)
{
    const uint32_t two_loops[] = TWO_LOOPS;
    const branch_line lines[] = {{1, 1000, 60}, {2, 940, 2}, {5, 60, 55}},
                      out[] = {{1, 1000, 30}, {2, 970, 30}, {5, 30, 15}};
    isa_program *program = load_profiled(two_loops, COUNT_OF(two_loops), lines, COUNT_OF(lines));
    expect_at(program, 1, 4);
    isa_program_free(program);
    program = load_profiled(two_loops, COUNT_OF(two_loops), out, COUNT_OF(out));
    expect_at(program, 1, NONE);
    isa_program_free(program);
}

/* Words 2 to 4 are a loop in that of 1 to 6, which is in that of 0 to 8. The innermost is left for word 5; from word 3 the one around it too, for
 * word 8, which those that leave this one from word 6 come to behind word 7. */
#define THREE_LOOPS                                                                                                    \
    {                                                                                                                  \
        NOP_WORD, NOP_WORD, BRANCH_WORD(12), /* to 5 */                                                                \
            BRANCH_WORD(20),                 /* to 8 */                                                                \
            JUMP_WORD(-8),                   /* to 2 */                                                                \
            NOP_WORD, BRANCH_WORD(-20),      /* to 1 */                                                                \
            NOP_WORD, BRANCH_WORD(-32),      /* to 0 */                                                                \
            RETURN_WORD,                                                                                               \
    }

/* Lanes that go from word 3 to 8 are few of those that leave the innermost loop, and may be most of those that leave the one around it. */
Test(likely_points, by_a_profile_are_of_those_that_leave_the_largest_loop_that_is_left)
{
    const uint32_t three_loops[] = THREE_LOOPS;
    const branch_line most[] = {{2, 1000, 800}, {3, 200, 90}, {6, 900, 850}, {8, 140, 130}},
                      few[] = {{2, 1000, 800}, {3, 200, 20}, {6, 900, 300}, {8, 620, 600}};
    isa_program *program = load_profiled(three_loops, COUNT_OF(three_loops), most, COUNT_OF(most));
    expect_at(program, 2, 5);
    expect_at(program, 6, NONE);
    isa_program_free(program);
    program = load_profiled(three_loops, COUNT_OF(three_loops), few, COUNT_OF(few));
    expect_at(program, 2, 5);
    expect_at(program, 6, 7);
    isa_program_free(program);
}

/* Words 1 to 5 are a loop with two ways back, from 3 and from 5; it is left for word 6 and, behind what follows there, for word 8. */
#define JOINED_LOOPS                                                                                                   \
    {                                                                                                                  \
        NOP_WORD, BRANCH_WORD(20),                /* to 6 */                                                           \
            BRANCH_WORD(8),                       /* to 4 */                                                           \
            JUMP_WORD(-8),                        /* to 1 */                                                           \
            BRANCH_WORD(16),                      /* to 8 */                                                           \
            JUMP_WORD(-16),                       /* to 1 */                                                           \
            NOP_WORD, NOP_WORD, BRANCH_WORD(-32), /* to 0 */                                                           \
            RETURN_WORD,                                                                                               \
    }

/* Words that are on both ways back are in the loop once: of 130 lanes that leave it 30 are not few. */
Test(likely_points, by_a_profile_count_lanes_once_that_leave_a_loop_with_two_ways_back)
{
    const uint32_t joined[] = JOINED_LOOPS;
    const branch_line many[] = {{1, 1000, 100}, {2, 900, 450}, {4, 450, 30}, {8, 130, 120}},
                      few[] = {{1, 1000, 100}, {2, 900, 450}, {4, 450, 20}, {8, 120, 110}};
    isa_program *program = load_profiled(joined, COUNT_OF(joined), many, COUNT_OF(many));
    expect_at(program, 1, NONE);
    expect_at(program, 2, 1);
    isa_program_free(program);
    program = load_profiled(joined, COUNT_OF(joined), few, COUNT_OF(few));
    expect_at(program, 1, 6);
    expect_at(program, 2, 1);
    isa_program_free(program);
}

/* Lanes that many of the inner loop's leave for the next turn meet at its head; not if few of them stay in the outer loop. */
Test(likely_points, by_a_profile_are_heads_of_loops_too)
{
    const uint32_t turns[] = TURNS_OF_TWO_LOOPS;
    const branch_line stay[] = {{0, 600, 2}, {2, 1000, 500}, {3, 500, 1}},
                      leave[] = {{0, 600, 200}, {2, 1000, 500}, {3, 500, 300}};
    isa_program *program = load_profiled(turns, COUNT_OF(turns), stay, COUNT_OF(stay));
    expect_at(program, 2, 0);
    isa_program_free(program);
    program = load_profiled(turns, COUNT_OF(turns), leave, COUNT_OF(leave));
    expect_at(program, 2, NONE);
    isa_program_free(program);
}

/* Two ways of three that few leave to the end. */
Test(likely_points, by_a_profile_are_outside_of_loops_too)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD, JUMP_WORD(8), BRANCH_WORD(8), NOP_WORD, RETURN_WORD};
    const branch_line lines[] = {{0, 100, 50}, {3, 50, 4}};
    isa_program *program = load_profiled(words, COUNT_OF(words), lines, COUNT_OF(lines));
    expect_at(program, 0, 4);
    isa_program_free(program);
}

/* `expected` follows the name. */
static void expect_refusal(const char *name, const char *expected)
{
    const uint32_t broken_loop[] = BROKEN_LOOP;
    char error[256] = "";
    const isa_analysis analysis = isa_likely_points_by(name);
    isa_program *program = load_words(broken_loop, COUNT_OF(broken_loop));
    cr_expect_eq(isa_program_require(program, &analysis, error, sizeof error), -1);
    cr_expect_eq(strncmp(error, name, strlen(name)), 0, "%s", error);
    cr_expect_str_eq(error + strlen(name), expected);
    isa_program_free(program);
}

static void expect_refused_text(const char *text, const char *expected)
{
    char name[48];
    snprintf(name, sizeof name, "likely_points.damaged.%d", (int)getpid());
    FILE *out = fopen(name, "w");
    fputs(text, out);
    fclose(out);
    expect_refusal(name, expected);
    unlink(name);
}

Test(likely_points, profiles_that_are_missing_damaged_or_of_another_program_are_errors)
{
#define DAMAGED(line) ":" line ": it is no branch profile: 'heddle profile RUN --branches FILE' writes one"
    const uint32_t two_loops[] = TWO_LOOPS;
    const branch_line of_another[] = {{1, 100, 75}};
    const char *name = write_profile(two_loops, COUNT_OF(two_loops), of_another, 1);
    expect_refusal("no/such.profile", ": No such file or directory");
    expect_refusal("", "no branch profile is named");
    expect_refusal(name,
                   ":2: it is the profile of another program: this one has no 'beq a0, a1, 0x10000010' at 0x10000004");
    unlink(name);
    expect_refused_text("", DAMAGED("1"));
    expect_refused_text("heddle branch profile 1\n", DAMAGED("1"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n", DAMAGED("2"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x10000004 -1 0 beq a0, a1, 0x10000010\nend\n", DAMAGED("2"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x10000004 0 0 beq a0, a1, 0x10000010\nend\n", DAMAGED("2"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x10000004 1000000000000000001 0 beq\nend\n", DAMAGED("2"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x10000004 99999999999999999999 0 beq\nend\n", DAMAGED("2"));
    expect_refusal("/dev/null", ": it is no file");
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x80000000 5\n", DAMAGED("2"));
    expect_refused_text(ISA_BRANCH_PROFILE_HEAD "\n0x80000000 5 6 beq\n", DAMAGED("2"));
}

Test(likely_points, analyses_of_one_file_are_one)
{
    char again[] = "a";
    const isa_analysis a = isa_likely_points_by("a"), b = isa_likely_points_by(again), c = isa_likely_points_by("c");
    cr_expect(isa_analysis_is(&a, &b));
    cr_expect_not(isa_analysis_is(&a, &c));
    cr_expect_not(isa_analysis_is(&a, &isa_likely_points));
    cr_expect_not(isa_analysis_is(&isa_likely_points, &isa_reconvergence));
}
