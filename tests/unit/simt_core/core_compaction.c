/* SPDX-License-Identifier: MIT */
/*
 * How many warp instructions loops of random length and branches with many ways take, with a stack of each warp and with one of the block: counted
 * from the words that the threads have, and near what is to be expected of such words (Fung 2015 §3, in closed form).
 */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define LANES 32u
#define WARPS 8u /* of a block */
#define BLOCKS 120u
#define THREADS (WARPS * LANES)
#define BODY 6u   /* float instructions, of which there are no others */
#define MOST 256u /* turns of a thread */
#define WORDS (DATA + 0x1000u)
#define FADD r_type(0x53, 0, 0x00, 3, 1, 2)

static uint32_t word_of[BLOCKS * THREADS];

/* Each thread has its word in A0. */
static uint32_t write_prologue(uint32_t *words)
{
    const uint32_t prologue[] = {csrr(T0, 0xCC0), csrr(T1, 0xCC3), csrr(T2, 0xCC6), mul(T1, T1, T2), add(T0, T0, T1),
                                 slli(T0, T0, 2), lui(A5, WORDS),  add(A5, A5, T0), lw(A0, 0, A5)};
    const uint32_t count = sizeof prologue / sizeof *prologue;
    for (uint32_t i = 0; i < count; i++)
        words[i] = prologue[i];
    return count;
}

static uint32_t write_body(uint32_t *words)
{
    for (uint32_t i = 0; i < BODY; i++)
        words[i] = FADD;
    return BODY;
}

/* As many turns as the word says. */
static void write_loop(uint32_t *words)
{
    uint32_t at = write_prologue(words);
    at += write_body(words + at);
    words[at++] = addi(A0, A0, -1);
    words[at++] = bne(A0, ZERO, -4 * (int32_t)(BODY + 1));
    words[at++] = ret();
    words[at] = 0;
}

/* A body for each word below `ways`, found by comparing with one after the other. */
static void write_ways(uint32_t *words, uint32_t ways)
{
    uint32_t at = write_prologue(words);
    const uint32_t end = at + (ways - 1) * (BODY + 3) + BODY;
    for (uint32_t way = 0; way + 1 < ways; way++) {
        words[at++] = addi(T2, ZERO, (int32_t)way);
        words[at++] = bne(A0, T2, 4 * (int32_t)(BODY + 2));
        at += write_body(words + at);
        words[at] = jal(ZERO, 4 * (int32_t)(end - at));
        at++;
    }
    at += write_body(words + at);
    words[at++] = ret();
    words[at] = 0;
}

/* Bodies that warps have executed. */
static uint64_t bodies(const char *unit, const uint32_t *words)
{
    char text[48];
    const char *const parameters[] = {text, "warps=96", "blocks=8", "fetch.width=4", NULL};
    const hd_grid grid = {.grid_size = {BLOCKS, 1, 1}, .block_size = {THREADS, 1, 1}};
    snprintf(text, sizeof text, "reconvergence=%s", unit);
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        rig_set_word(rig, WORDS + 4 * i, word_of[i]);
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    rig_finish(rig);
    const uint64_t instructions = kit_statistic(rig_kit(rig), "float_instructions");
    rig_destroy(rig);
    return instructions / BODY;
}

/* Does the thread take part in this turn, or way? */
typedef uint32_t takes(uint32_t word, uint32_t part);

static uint32_t takes_turn(uint32_t word, uint32_t turn)
{
    return word > turn;
}

static uint32_t takes_way(uint32_t word, uint32_t way)
{
    return word == way;
}

/* How many warps take part: those of the launch that have such a thread, or the fewest in which all have their lanes. */
static uint64_t warps_of(const uint32_t *block, takes *part_of, uint32_t part, uint32_t compacted)
{
    uint32_t of_lane[LANES] = {0}, most = 0, launched = 0;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        uint32_t any = 0;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t is_there = part_of(block[warp * LANES + lane], part);
            any |= is_there;
            of_lane[lane] += is_there;
            most = of_lane[lane] > most ? of_lane[lane] : most;
        }
        launched += any;
    }
    return compacted ? most : launched;
}

static uint64_t expected(takes *part_of, uint32_t compacted)
{
    uint64_t sum = 0;
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t part = 0; part < MOST; part++)
            sum += warps_of(word_of + block * THREADS, part_of, part, compacted);
    return sum;
}

/* So many bodies, to the last; on average of a block. */
static double per_block(const char *unit, const uint32_t *words, takes *part_of)
{
    const uint64_t got = bodies(unit, words), should = expected(part_of, unit[0] == 'b');
    cr_expect_eq(got, should, "%s: %lu, not %lu", unit, got, should);
    return (double)got / BLOCKS;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------------- */

static uint32_t uniform(uint64_t *random)
{
    return 1 + (uint32_t)(kit_random(random) % 16);
}

/* Of mean 4. */
static uint32_t geometric(uint64_t *random)
{
    uint32_t turns = 1;
    while (turns < MOST && kit_random(random) % 4)
        turns++;
    return turns;
}

/* More than n with a probability of 1/n. */
static uint32_t power_law(uint64_t *random)
{
    const uint32_t turns = (uint32_t)(1000000 / (1 + kit_random(random) % 1000000));
    return turns < 1 ? 1 : turns < MOST ? turns : MOST;
}

Test(simt_core_compaction, loops_of_random_length_take_as_many_warps_as_are_to_be_expected)
{
    static const struct {
        uint32_t (*draw)(uint64_t *random);
        double by_warp, compacted, tolerance; /* lanes of a hundred that take part */
    } cases[] = {{uniform, 53.6, 67.2, 0.02}, {geometric, 27, 48, 0.03}, {power_law, 7.5, 16.6, 0.1}};
    uint32_t words[64];
    write_loop(words);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t random = 20261127 + i, turns = 0;
        for (uint32_t t = 0; t < BLOCKS * THREADS; t++)
            turns += word_of[t] = cases[i].draw(&random);
        const double lanes = 100.0 * (double)turns / BLOCKS / LANES;
        const double by_warp = lanes / per_block("stack", words, takes_turn),
                     compacted = lanes / per_block("block_stack", words, takes_turn);
        cr_expect_float_eq(by_warp, cases[i].by_warp, cases[i].tolerance * cases[i].by_warp, "%u: %f", i, by_warp);
        cr_expect_float_eq(compacted, cases[i].compacted, cases[i].tolerance * cases[i].compacted, "%u: %f", i,
                           compacted);
    }
}

/* ---- Branches with many ways -------------------------------------------------------------------------------------------- */

Test(simt_core_compaction, branches_with_many_ways_take_as_many_warps_as_are_to_be_expected)
{
    static const struct {
        uint32_t ways;
        double by_warp, compacted;
    } cases[] = {{4, 32, 18.9}, {8, 63, 26.0}, {16, 112, 36.2}};
    uint32_t words[256];
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t random = 20261127 + i;
        write_ways(words, cases[i].ways);
        for (uint32_t t = 0; t < BLOCKS * THREADS; t++)
            word_of[t] = (uint32_t)((kit_random(&random) >> 20) % cases[i].ways);
        const double by_warp = per_block("stack", words, takes_way),
                     compacted = per_block("block_stack", words, takes_way);
        cr_expect_float_eq(by_warp, cases[i].by_warp, 0.02 * cases[i].by_warp, "%u ways: %f", cases[i].ways, by_warp);
        cr_expect_float_eq(compacted, cases[i].compacted, 0.02 * cases[i].compacted, "%u ways: %f", cases[i].ways,
                           compacted);
    }
}
