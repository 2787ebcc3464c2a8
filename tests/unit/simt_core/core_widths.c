/* SPDX-License-Identifier: MIT */
/* Lanes, width, schedulers and scoreboards together: the cycles that the parameters imply. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define LENGTH 24u

typedef struct width_case {
    uint32_t lanes, width, schedulers, warps;
    const char *scoreboard;
} width_case;

/* Cycles for each of LENGTH further copies of the instruction, times LENGTH. */
static uint64_t cost(const width_case *c, uint32_t word)
{
    char lanes[32], width[32], schedulers[32];
    uint32_t words[2 * LENGTH + 2];
    uint64_t cycles[2];
    snprintf(lanes, sizeof lanes, "lanes=%u", c->lanes);
    snprintf(width, sizeof width, "simd_width=%u", c->width);
    snprintf(schedulers, sizeof schedulers, "schedulers=%u", c->schedulers);
    const char *const parameters[] = {lanes, width, schedulers, "fetch.width=8", "scheduler=lrr", c->scoreboard, NULL};
    for (uint32_t run = 0; run < 2; run++) {
        const uint32_t length = LENGTH / 2 + run * LENGTH;
        for (uint32_t i = 0; i < length; i++)
            words[i] = word;
        words[length] = ret();
        words[length + 1] = 0;
        cycles[run] = rig_cycles(parameters, words, c->warps * c->lanes);
    }
    return cycles[1] - cycles[0];
}

static uint32_t divided(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* Cycles in which each warp of the fullest scheduler has issued once. */
static uint32_t round_of(const width_case *c)
{
    return divided(c->lanes, c->width) * divided(c->warps, c->schedulers);
}

#define RESULT (2u + 4u + 1u) /* register read, integer, write back */

static void each_case(const char *scoreboard, uint32_t word, uint32_t at_least)
{
    static const uint32_t lanes[] = {5, 32, 64}, widths[] = {1, 2, 16, 32, 64}, schedulers[] = {1, 2, 4};
    static const uint32_t warps[] = {1, 2, 4, 5, 8};
    for (uint32_t i = 0; i < 3 * 5 * 3 * 5; i++) {
        const width_case c = {.lanes = lanes[i % 3],
                              .width = widths[i / 3 % 5],
                              .schedulers = schedulers[i / 15 % 3],
                              .warps = warps[i / 45],
                              .scoreboard = scoreboard};
        const uint32_t round = round_of(&c), expected = round > at_least ? round : at_least;
        const uint64_t got = cost(&c, word);
        cr_expect_eq(got, (uint64_t)LENGTH * expected, "%s, %u lanes by %u, %u warps on %u schedulers: %lu, not %u",
                     scoreboard, c.lanes, c.width, c.warps, c.schedulers, (unsigned long)got, LENGTH * expected);
    }
}

Test(simt_core, an_instruction_takes_its_port_for_lanes_by_width_cycles)
{
    each_case("scoreboard=register_dependence", addi(ZERO, T1, 1), 1);
}

Test(simt_core, the_register_dependence_scoreboard_waits_for_a_result_and_the_simple_one_for_every_instruction)
{
    each_case("scoreboard=register_dependence", addi(T0, T0, 1), RESULT);
    each_case("scoreboard=simple", addi(ZERO, T1, 1), RESULT);
}

Test(simt_core, the_simple_scoreboard_waits_for_a_load_that_nobody_needs)
{
    const width_case simple = {
        .lanes = 64, .width = 32, .schedulers = 2, .warps = 1, .scoreboard = "scoreboard=simple"};
    width_case dependence = simple;
    dependence.scoreboard = "scoreboard=register_dependence";
    cr_expect_eq(cost(&simple, lw(ZERO, -4, SP)), LENGTH * (2 + 1 + 1 + 30),
                 "register read, the pipe, the second of the two lines of 64 lanes, a hit in the L1");
    cr_expect_eq(cost(&dependence, lw(ZERO, -4, SP)), LENGTH * 2, "one line a cycle");
}

Test(simt_core, warps_belong_to_the_schedulers_in_turn)
{
    /* with an odd number of warps the first of two schedulers has one more, and is the last to end */
    const width_case odd = {.lanes = 64, .width = 16, .schedulers = 2, .warps = 7, .scoreboard = "scoreboard=simple"};
    const width_case even = {.lanes = 64, .width = 16, .schedulers = 2, .warps = 8, .scoreboard = "scoreboard=simple"};
    cr_expect_eq(cost(&odd, addi(ZERO, T1, 1)), LENGTH * 4 * 4);
    cr_expect_eq(cost(&even, addi(ZERO, T1, 1)), LENGTH * 4 * 4);
}
