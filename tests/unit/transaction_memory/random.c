/* SPDX-License-Identifier: MIT */
/* Random loads and commits of many warps, one at an edge, beside a model without time: who commits, who is told, what is read. */
#include <stdio.h>

#include "bench.h"
#include "random_model.h"

enum { SEQUENCES = 60, STEPS = 400 };

typedef struct random_run {
    bench *bench;
    model model;
    uint64_t seed, state;
    uint32_t epoch[MODEL_WARPS];
    uint64_t started[MODEL_WARPS]; /* lanes that have done something in the attempt */
} random_run;

static uint32_t pick(random_run *run, uint32_t choices)
{
    return (uint32_t)(kit_random(&run->state) % choices);
}

/* As the packets name it: warps of three cores. */
static uint32_t number_of(uint32_t warp)
{
    return warp % CORES * 100 + warp / CORES;
}

/* At any time: memory, and over it what the block says is not there yet. */
static void expect_words(const random_run *run, const answer *words, uint64_t address)
{
    const uint32_t at = address % HD_LINE_BYTES;
    uint32_t value;
    memcpy(&value, run->bench->memory + address, sizeof value);
    for (uint32_t byte = 0; byte < 4; byte++)
        if (words->words.byte_mask[(at + byte) / 32] >> (at + byte) % 32 & 1)
            memcpy((uint8_t *)&value + byte, words->words.data + at + byte, 1);
    cr_assert_eq(value, run->model.memory[address / 4], "seed %lu: word %lu is %x, not %x", run->seed, address / 4,
                 value, run->model.memory[address / 4]);
}

static void read_line(random_run *run, uint32_t warp)
{
    uint8_t word[HD_IDEAL_LANES] = {0};
    const uint32_t line = pick(run, MODEL_WORDS / 32), span = 1 + pick(run, 32);
    const uint64_t lanes = 1 + pick(run, (1 << MODEL_LANES) - 1);
    for (uint32_t lane = 0; lane < MODEL_LANES; lane++)
        word[lane] = (uint8_t)pick(run, span);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        model_read(&run->model, warp, lane, 32 * line + word[lane]);
    }
    send_read(run->bench, number_of(warp), run->epoch[warp], 128 * line, lanes, word);
    step(run->bench);
    const answer *words = latest(run->bench, HD_IDEAL_WORDS, number_of(warp));
    for (uint64_t left = lanes; left; left &= left - 1)
        expect_words(run, words, 128 * line + 4 * word[__builtin_ctzll(left)]);
}

static uint32_t make_writes(random_run *run, hd_ideal_write *writes)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < MODEL_LANES; lane++) {
        uint32_t word = pick(run, 24);
        for (uint32_t left = pick(run, 4); left && word < MODEL_WORDS; left--, word += 1 + pick(run, 40)) {
            writes[count] = write_of(lane, 4 * word, (uint32_t)kit_random(&run->state));
            writes[count++].byte_mask = (uint8_t)(1 + pick(run, 15));
        }
    }
    return count;
}

static void next_attempt(random_run *run, uint32_t warp)
{
    run->epoch[warp] = run->epoch[warp] % 255 + 1;
    model_begin(&run->model, warp);
}

static void expect_told(const random_run *run, uint32_t first, uint32_t winner)
{
    uint64_t told[MODEL_WARPS] = {0};
    for (uint32_t i = first; i < run->bench->answer_count; i++) {
        const answer *answer = &run->bench->answers[i];
        if (strcmp(answer->message, HD_IDEAL_DOOM) != 0)
            continue;
        const uint32_t warp = answer->packet.flow % 100 * CORES + answer->packet.flow / 100;
        cr_assert_eq(answer->doom.winner, number_of(winner));
        told[warp] |= answer->doom.lanes;
    }
    for (uint32_t warp = 0; warp < MODEL_WARPS; warp++)
        cr_assert_eq(told[warp], run->model.newly[warp], "seed %lu: warp %u", run->seed, warp);
}

static void commit(random_run *run, uint32_t warp)
{
    hd_ideal_write writes[4 * MODEL_LANES];
    const uint32_t count = make_writes(run, writes), part = pick(run, 3) ? count : pick(run, count + 1);
    const uint64_t lanes = pick(run, 4) ? (1 << MODEL_LANES) - 1 : pick(run, 1 << MODEL_LANES);
    const uint32_t first = run->bench->answer_count;
    if (part < count)
        send_part(run->bench, number_of(warp), run->epoch[warp], lanes, writes, part, 0);
    send_part(run->bench, number_of(warp), run->epoch[warp], lanes, writes + (part < count ? part : 0),
              part < count ? count - part : count, 1);
    step(run->bench);
    const uint64_t committed = model_commit(&run->model, warp, lanes, writes, count);
    cr_assert_eq(latest(run->bench, HD_IDEAL_VERDICT, number_of(warp))->verdict.lanes, committed, "seed %lu",
                 run->seed);
    expect_told(run, first, warp);
    next_attempt(run, warp);
}

static void run_sequence(uint64_t seed)
{
    random_run run = {.bench = bench_make(NULL), .seed = seed, .state = seed};
    for (uint32_t warp = 0; warp < MODEL_WARPS; warp++)
        run.epoch[warp] = 1 + pick(&run, 255);
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t warp = pick(&run, MODEL_WARPS);
        switch (pick(&run, 8)) {
        case 0:
        case 1: commit(&run, warp); break;
        case 2: /* all its lanes have given up */
            next_attempt(&run, warp);
            read_line(&run, warp);
            break;
        default: read_line(&run, warp); break;
        }
        run.bench->answer_count = run.bench->answer_count > ANSWERS / 2 ? 0 : run.bench->answer_count;
    }
    settle(run.bench);
    for (uint32_t word = 0; word < MODEL_WORDS; word++)
        cr_assert(!memcmp(run.bench->memory + 4 * word, &run.model.memory[word], 4), "seed %lu: word %u", seed, word);
    bench_destroy(run.bench);
}

Test(transaction_memory_random, agrees_with_a_model_without_time, .timeout = 60)
{
    const uint64_t first = 20261122;
    fprintf(stderr, "ideal transactional memory: seeds %lu to %lu\n", first, first + SEQUENCES - 1);
    for (uint64_t seed = first; seed < first + SEQUENCES; seed++)
        run_sequence(seed);
}
