/* SPDX-License-Identifier: MIT */
/* Units that validate nothing: whoever sends a log commits, in the order of IDs. */
#include <stdio.h>

#include "bench.h"

static const char *const lanes_alone[] = {"validate=nothing", NULL};

Test(kilo_unit_writing, a_log_is_written_when_it_is_complete)
{
    bench *bench = bench_make(lanes_alone);
    send_write(bench, 1, 6, 8, 0);
    settle(bench);
    cr_expect_eq(bench->memory[6], 0, "not before its end");
    send_done(bench, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[6], 8);
    cr_expect_not_null(find(bench, HD_KILO_COMMITTED, 1));
    cr_expect_eq(bench->heard_count, 1, "no verdict, no outcome");
    cr_expect(is_idle(bench));
    cr_expect_eq(kit_statistic(bench->kit, "packets.verdict"), 0);
    cr_expect_eq(kit_statistic(bench->kit, "verdicts.pass"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "outcomes.commit"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "hazard.writes"), 0);
    cr_expect_eq(kit_statistic(bench->kit, "validations"), 0);
    cr_expect_eq(kit_statistic(bench->kit, "stored_words"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "outcome"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "verdict"), 0);
    bench_destroy(bench);
}

/* 3 and 2 come first; 2 has nothing here; 1 comes last. */
Test(kilo_unit_writing, words_are_written_in_the_order_of_ids)
{
    bench *bench = bench_make(lanes_alone);
    send_write(bench, 3, 5, 33, 0);
    send_done(bench, 3, 0);
    send_skip(bench, 2, 0);
    settle(bench);
    cr_expect_eq(bench->memory[5], 0);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.outcome"), 0, "the oldest is not complete");
    send_write(bench, 1, 5, 11, now(bench));
    send_done(bench, 1, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[5], 33, "it is the youngest");
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 2);
    cr_expect_eq(kit_statistic(bench->kit, "skips"), 1);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* Lanes 0 and 2 of four; lane 1 of the next warp. All words of a warp in the same 32 bytes leave together. */
Test(kilo_unit_writing, a_warp_is_written_and_told_together)
{
    bench *bench = bench_make((const char *[]){"validate=nothing", "aggregate=true", "coalesce=32 B", NULL});
    const hd_kilo_word words[] = {{.address = AT(8), .value = 1, .lane = 0, .byte_mask = 15},
                                  {.address = AT(9), .value = 2, .lane = 2, .byte_mask = 15}};
    send_words(bench, HD_KILO_WRITE_SET, group_of(1, 4), words, 2, 0, 0);
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, 4), 0xF, 0x5, 0);
    settle(bench);
    cr_expect_eq(bench->memory[8], 1);
    cr_expect_eq(bench->memory[9], 2);
    cr_expect_eq(bench->heard_count, 1);
    cr_expect_eq(find(bench, HD_KILO_COMMITTED, 1)->lanes.lanes, 5);
    cr_expect_eq(kit_statistic(bench->kit, "stores"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "skips"), 2);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* No hazards are looked for: as many commit in a cycle as pointers move. */
Test(kilo_unit_writing, a_transaction_takes_a_cycle_whatever_it_writes)
{
    enum { TRANSACTIONS = 32 };
    bench *bench = bench_make((const char *[]){"validate=nothing", "coalesce=32 B", NULL});
    for (uint64_t id = 1; id <= TRANSACTIONS; id++) {
        for (uint32_t i = 0; i < 4; i++)
            send_write(bench, id, (uint32_t)id * 8 + i, 1, 0);
        send_done(bench, id, 0);
    }
    settle(bench);
    const uint64_t cycles =
        (find(bench, HD_KILO_COMMITTED, TRANSACTIONS)->t - find(bench, HD_KILO_COMMITTED, 1)->t) / CYCLE;
    cr_expect(cycles <= 5 * (TRANSACTIONS - 1) + 2, "five packets of each come in: %lu", cycles);
    cr_expect_eq(kit_statistic(bench->kit, "wait_cycles.log"), 0);
    bench_destroy(bench);
}

static void expect_refused(const char *message)
{
    bench *bench = bench_make(lanes_alone);
    kit_expect_fault(bench->kit);
    if (strcmp(message, HD_KILO_OUTCOME) == 0)
        send_outcome(bench, 1, 1, 0);
    else
        send_read(bench, 1, 5, 7, 0);
    settle(bench);
    const char *text = kit_fault_text(bench->kit);
    cr_expect(text && strstr(text, "nobody is validated here"), "%s", text);
    bench_destroy(bench);
}

Test(kilo_unit_writing, read_sets_and_outcomes_are_mistakes)
{
    expect_refused(HD_KILO_READ_SET);
    expect_refused(HD_KILO_OUTCOME);
}

/* ---- At random ---------------------------------------------------------------------------------------------------------------- */

enum { RUNS = 200, GROUPS = 24, WORDS_WRITTEN = 24 };

/* Logs of warps come in any order, and mixed; memory is what the IDs say. */
static void run_at_random(uint64_t seed)
{
    static const char *const machines[][5] = {{"validate=nothing", NULL},
                                              {"validate=nothing", "aggregate=true", NULL},
                                              {"validate=nothing", "aggregate=true", "coalesce=32 B", NULL},
                                              {"validate=nothing", "coalesce=128 B", "dual_issue=true", NULL}};
    bench *bench = bench_make(machines[seed % 4]);
    uint64_t state = seed, first[GROUPS], written[GROUPS] = {0}, id = 1;
    uint32_t size[GROUPS], order[GROUPS], expected[WORDS_WRITTEN] = {0}, writers = 0;
    hd_kilo_word words[GROUPS][8];
    for (uint32_t g = 0; g < GROUPS; g++) {
        size[g] = 1 + (uint32_t)(kit_random(&state) % 5);
        first[g] = id;
        id += size[g];
        order[g] = g;
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t lane = (uint32_t)(kit_random(&state) % size[g]);
            const uint32_t word = lane + 5 * (uint32_t)(kit_random(&state) % 4); /* no conflicts within a warp */
            words[g][i] = (hd_kilo_word){.address = AT(word),
                                         .value = (uint32_t)kit_random(&state),
                                         .lane = (uint8_t)lane,
                                         .byte_mask = (uint8_t)(1 + kit_random(&state) % 15)};
            const uint32_t bits = hd_bits_of_bytes(words[g][i].byte_mask);
            expected[word] = (expected[word] & ~bits) | (words[g][i].value & bits);
            written[g] |= UINT64_C(1) << lane;
        }
        writers += seed % 4 == 1 || seed % 4 == 2 ? 1 : (uint32_t)__builtin_popcountll(written[g]);
    }
    for (uint32_t g = GROUPS; g > 1; g--) {
        const uint32_t other = (uint32_t)(kit_random(&state) % g), kept = order[g - 1];
        order[g - 1] = order[other];
        order[other] = kept;
    }
    hd_time t = 0;
    for (uint32_t i = 0; i < GROUPS; i++, t += kit_random(&state) % 20 * CYCLE) {
        const uint32_t g = order[i];
        const hd_kilo_group group = group_of(first[g], size[g]);
        for (uint32_t k = 0; k < 8; k++)
            send_words(bench, HD_KILO_WRITE_SET, group, &words[g][k], 1, 0, t);
        send_lanes(bench, HD_KILO_DONE_SKIP, group, group.lanes, written[g], t);
    }
    kit_run_until(bench->kit, t);
    settle(bench);
    for (uint32_t word = 0; word < 20; word++)
        cr_assert_eq(bench->memory[word], expected[word], "seed %lu: word %u", seed, word);
    cr_assert_eq(count_heard(bench, HD_KILO_COMMITTED), writers, "seed %lu", seed);
    cr_assert(is_idle(bench), "seed %lu", seed);
    bench_destroy(bench);
}

Test(kilo_unit_writing, memory_is_what_the_order_of_ids_says)
{
    fprintf(stderr, "logs in any order: seeds 1 to %u\n", RUNS);
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run_at_random(seed);
}
