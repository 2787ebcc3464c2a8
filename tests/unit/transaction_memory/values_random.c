/* SPDX-License-Identifier: MIT */
/* Conflicts by values, at random: warps compare with what they are told, and the block agrees with memory written at once. */
#include <stdio.h>

#include "bench.h"
#include "hd_transactions.h"

enum { SEQUENCES = 60, STEPS = 300, WARPS = 6, WORDS = 64, READS = 64 };

typedef struct warp_state {
    uint32_t epoch, told; /* messages of the attempt that have been looked at */
    uint32_t reads;
    uint32_t word[READS], value[READS];
    hd_ideal_write written[8]; /* of a commit whose words are not in memory */
    uint32_t unwritten;
} warp_state;

typedef struct run {
    bench *bench;
    uint64_t seed, state;
    uint32_t committed[WORDS]; /* as it is if everything is written at once */
    uint32_t memory[WORDS];
    warp_state warps[WARPS];
    uint64_t order;
    uint32_t late, failed;
} run;

static uint32_t pick(run *r, uint32_t choices)
{
    return (uint32_t)(kit_random(&r->state) % choices);
}

static uint32_t number_of(uint32_t warp)
{
    return warp % CORES * 100 + warp / CORES;
}

static void read_one(run *r, uint32_t warp)
{
    warp_state *w = &r->warps[warp];
    const uint32_t word = pick(r, pick(r, 2) ? 8 : WORDS), at = 4 * word % HD_LINE_BYTES;
    if (w->reads == READS)
        return;
    read_word(r->bench, number_of(warp), w->epoch, 0, 4 * word);
    step(r->bench);
    const answer *words = latest(r->bench, HD_IDEAL_WORDS, number_of(warp));
    uint32_t value = r->memory[word];
    for (uint32_t byte = 0; byte < 4; byte++)
        if (words->words.byte_mask[(at + byte) / 32] >> (at + byte) % 32 & 1)
            memcpy((uint8_t *)&value + byte, words->words.data + at + byte, 1);
    cr_assert_eq(value, r->committed[word], "seed %lu: word %u is %x, not %x", r->seed, word, value,
                 r->committed[word]);
    w->word[w->reads] = word;
    w->value[w->reads++] = value;
}

/* What it has been told of: as many messages as the block counts, each with what the word is. */
static uint32_t take_changes(run *r, uint32_t warp, uint32_t now[WORDS], uint8_t known[WORDS])
{
    uint32_t messages = 0;
    for (uint32_t i = 0; i < r->bench->answer_count; i++) {
        const answer *a = &r->bench->answers[i];
        if (strcmp(a->message, HD_IDEAL_CHANGED) || a->packet.flow != number_of(warp) ||
            a->packet.epoch != r->warps[warp].epoch)
            continue;
        messages++;
        for (uint32_t k = 0; k < a->packet.argument; k++) {
            const uint32_t word = (uint32_t)a->changed[k].address / 4, bits = hd_bits_of_bytes(a->changed[k].byte_mask);
            now[word] = (now[word] & ~bits) | (a->changed[k].value & bits);
            known[word] = 1;
        }
    }
    return messages;
}

static void next_attempt(run *r, uint32_t warp)
{
    warp_state *w = &r->warps[warp];
    w->epoch = w->epoch % 255 + 1;
    w->reads = 0;
}

static void write_all(run *r, uint32_t warp)
{
    warp_state *w = &r->warps[warp];
    for (uint32_t i = 0; i < w->unwritten; i++) {
        const uint32_t word = (uint32_t)w->written[i].address / 4, bits = hd_bits_of_bytes(w->written[i].byte_mask);
        r->memory[word] = (r->memory[word] & ~bits) | (r->committed[word] & bits);
    }
    if (w->unwritten)
        send_written(r->bench, number_of(warp), w->written, w->unwritten);
    step(r->bench);
    w->unwritten = 0;
}

/* By what it has been told, and in truth: the same. */
static void commit(run *r, uint32_t warp)
{
    warp_state *w = &r->warps[warp];
    uint32_t now[WORDS], outdated = 0, differs = 0;
    uint8_t known[WORDS] = {0};
    for (uint32_t word = 0; word < WORDS; word++)
        now[word] = 0;
    for (uint32_t i = 0; i < w->reads; i++)
        now[w->word[i]] = w->value[i];
    const uint32_t changes = take_changes(r, warp, now, known), skipped = changes && !pick(r, 3);
    for (uint32_t i = 0; i < w->reads; i++) {
        outdated |= known[w->word[i]] && now[w->word[i]] != w->value[i];
        differs |= r->committed[w->word[i]] != w->value[i];
    }
    cr_assert_eq(outdated, differs, "seed %lu", r->seed);
    r->failed += outdated;
    if (outdated) {
        next_attempt(r, warp);
        return;
    }
    write_all(r, warp);
    w->unwritten = 1 + pick(r, 8);
    for (uint32_t i = 0; i < w->unwritten; i++) {
        w->written[i] = write_of(i / 3, 4 * pick(r, pick(r, 2) ? 8 : WORDS), pick(r, 3));
        w->written[i].byte_mask = (uint8_t)(1 + pick(r, 15));
    }
    const uint64_t lanes = (UINT64_C(1) << ((w->unwritten + 2) / 3)) - 1;
    send_compared(r->bench, number_of(warp), w->epoch, lanes, w->written, w->unwritten, changes - skipped);
    step(r->bench);
    const hd_ideal_verdict *verdict = &latest(r->bench, HD_IDEAL_VERDICT, number_of(warp))->verdict;
    cr_assert_eq(verdict->is_late, skipped, "seed %lu", r->seed);
    r->late += skipped;
    if (skipped) {
        w->unwritten = 0;
        return;
    }
    cr_assert_eq(verdict->order, r->order + 1, "seed %lu", r->seed);
    r->order += (uint32_t)__builtin_popcountll(lanes);
    for (uint32_t i = 0; i < w->unwritten; i++) {
        const uint32_t word = (uint32_t)w->written[i].address / 4, bits = hd_bits_of_bytes(w->written[i].byte_mask);
        r->committed[word] = (r->committed[word] & ~bits) | (w->written[i].value & bits);
    }
    next_attempt(r, warp);
}

static uint32_t run_sequence(uint64_t seed)
{
    run r = {.bench = bench_make((const char *[]){"conflicts=values", NULL}), .seed = seed, .state = seed};
    for (uint32_t warp = 0; warp < WARPS; warp++)
        r.warps[warp].epoch = 1 + pick(&r, 255);
    for (uint32_t i = 0; i < STEPS && r.bench->answer_count < ANSWERS - 64; i++) {
        const uint32_t warp = pick(&r, WARPS);
        switch (pick(&r, 6)) {
        case 0: commit(&r, warp); break;
        case 1: write_all(&r, warp); break;
        default: read_one(&r, warp); break;
        }
    }
    for (uint32_t warp = 0; warp < WARPS; warp++)
        write_all(&r, warp);
    for (uint32_t word = 0; word < WORDS; word++)
        cr_assert_eq(r.memory[word], r.committed[word], "seed %lu", seed);
    bench_destroy(r.bench);
    return r.late != 0 && r.failed != 0;
}

Test(transaction_memory_values_random, agree_with_memory_that_is_written_at_once, .timeout = 60)
{
    const uint64_t first = 20261126;
    uint32_t lively = 0;
    fprintf(stderr, "conflicts by values: seeds %lu to %lu\n", first, first + SEQUENCES - 1);
    for (uint64_t seed = first; seed < first + SEQUENCES; seed++)
        lively += run_sequence(seed);
    cr_expect_gt(lively, SEQUENCES / 2);
}
