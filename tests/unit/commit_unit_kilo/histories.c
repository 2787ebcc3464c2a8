/* SPDX-License-Identifier: MIT */
/* Who knows the last writers: never too early, in every kind and size (C9). */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "history/history.h"
#include "kit_random.h"

static history make(history_parameters parameters, kilo_counters *counters)
{
    history history = {.sets = 0};
    memset(counters, 0, sizeof *counters);
    cr_assert(history_create(&history, &parameters, counters));
    return history;
}

static const history_parameters kinds[] = {
    {.kind = HISTORY_LWH5K, .seed = 7},
    {.kind = HISTORY_LWH512, .seed = 7},
    {.kind = HISTORY_LWH, .entries = 4, .ways = 2, .filter = 4, .subarrays = 2, .seed = 7},
    {.kind = HISTORY_LWH, .entries = 1, .ways = 1, .filter = 1, .subarrays = 1, .seed = 7},
    {.kind = HISTORY_PERFECT},
};

Test(kilo_history, is_never_too_early)
{
    enum { KEYS = 600, WRITES = 20000 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        kilo_counters counters;
        history history = make(kinds[k], &counters);
        uint64_t last[KEYS] = {0}, seed = 1, late = 0;
        for (uint64_t id = 1; id <= WRITES; id++) {
            const uint64_t key = kit_random(&seed) % KEYS;
            history_note(&history, 4 * key, id, id > 50 ? id - 50 : 1);
            last[key] = id;
            const uint64_t other = kit_random(&seed) % KEYS, found = history_look_up(&history, 4 * other);
            cr_assert_geq(found, last[other], "kind %zu, ID %llu", k, (unsigned long long)id);
            cr_assert_leq(found, id);
            late += found != last[other];
        }
        const uint32_t is_exact = kinds[k].kind == HISTORY_PERFECT;
        cr_expect(is_exact ? !late && !counters.evictions : late && counters.evictions, "kind %zu", k);
        cr_expect(is_exact || counters.history_hits);
        history_reset(&history);
        cr_expect_eq(history_peek(&history, 0), 0);
        history_destroy(&history);
    }
}

/* Sizes of the thesis: 512 entries in 4 ways and 1024 in 4 sub-arrays; a tenth of that. */
Test(kilo_history, kinds_have_their_sizes)
{
    kilo_counters counters;
    static const struct {
        uint32_t kind, sets, size;
    } sizes[] = {{HISTORY_LWH5K, 128, 256}, {HISTORY_LWH512, 16, 16}};
    for (uint32_t i = 0; i < 2; i++) {
        history history = make((history_parameters){.kind = sizes[i].kind}, &counters);
        cr_expect_eq(history.sets, sizes[i].sets);
        cr_expect_eq(history.parameters.ways, 4);
        cr_expect_eq(history.filter.size, sizes[i].size);
        cr_expect_eq(history.filter.subarrays, 4);
        history_destroy(&history);
    }
}

/* The table evicts the oldest writer of a set. */
Test(kilo_history, the_oldest_writer_is_evicted)
{
    kilo_counters counters;
    history history = make(
        (history_parameters){.kind = HISTORY_LWH, .entries = 2, .ways = 2, .filter = 1, .subarrays = 1}, &counters);
    history_note(&history, 0, 1, 1);
    history_note(&history, 4, 2, 1);
    history_note(&history, 0, 3, 1);
    history_note(&history, 8, 4, 1);
    cr_expect_eq(counters.evictions, 1);
    history_look_up(&history, 0);
    history_look_up(&history, 8);
    cr_expect_eq(counters.history_hits, 2);
    cr_expect_eq(history_look_up(&history, 4), 2);
    cr_expect_eq(counters.history_hits, 2, "from the filter");
    history_destroy(&history);
}

/* Evictions of different sets do not come in order. */
Test(kilo_history, the_filter_keeps_the_latest)
{
    for (uint32_t overwrites = 0; overwrites < 2; overwrites++) {
        recency filter = {.overwrites = overwrites};
        uint64_t seed = 1;
        cr_assert(recency_create(&filter, 1, 1, &seed));
        recency_note(&filter, 5, 9);
        recency_note(&filter, 6, 3);
        cr_expect_eq(recency_of(&filter, 5), overwrites ? 3 : 9);
        recency_destroy(&filter);
    }
}

Test(kilo_history, retired_writers_stay_in_the_filter)
{
    for (uint32_t drops = 0; drops < 2; drops++) {
        kilo_counters counters;
        history history = make(
            (history_parameters){
                .kind = HISTORY_LWH, .entries = 1, .ways = 1, .filter = 1, .subarrays = 1, .drops_retired = drops},
            &counters);
        history_note(&history, 0, 1, 1);
        history_note(&history, 4, 5, 3);
        cr_expect_eq(history_peek(&history, 0), drops ? 0 : 1);
        history_destroy(&history);
    }
}

/* Words of a signature are always in it, and few others. */
Test(kilo_history, signatures_have_what_was_added)
{
    signature_hashes hashes;
    signature_hashes_draw(&hashes, 512, 7);
    signature set = {{{0}}};
    for (uint32_t i = 0; i < 8; i++) {
        const signature word = signature_of(&hashes, 4096 + 4 * i);
        signature_add(&set, &word);
    }
    uint32_t mistakes = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        const signature word = signature_of(&hashes, 4096 + 4 * i);
        mistakes += i >= 8 && signature_has(&set, &word);
        cr_assert(i >= 8 || signature_has(&set, &word));
    }
    cr_expect_lt(mistakes, 20);
}

/* By signatures words are compared when they come, in whatever order. */
Test(kilo_history, signatures_find_hazards_in_either_order)
{
    for (uint32_t is_late = 0; is_late < 2; is_late++) {
        bench *bench = bench_make((const char *[]){"history=bfarray", NULL});
        send_write(bench, 1, 5, 9, is_late ? 200 * CYCLE : 0);
        send_read(bench, 2, 5, 0, is_late ? 200 * CYCLE : 1000);
        send_done(bench, 1, 300 * CYCLE);
        send_done(bench, 2, 300 * CYCLE);
        settle(bench);
        cr_expect_eq(verdict_on(bench, 2), -1);
        cr_expect_eq(kit_statistic(bench->kit, "hazards"), 1);
        cr_expect_eq(kit_statistic(bench->kit, "hazard.reads"), 0);
        send_outcome(bench, 1, 1, now(bench));
        settle(bench);
        cr_expect_eq(verdict_on(bench, 2), 0);
        bench_destroy(bench);
    }
    bench *bench = bench_make((const char *[]){"history=bfarray", NULL});
    send_read(bench, 2, 5, 0, 0);
    send_done(bench, 2, 0);
    send_write(bench, 1, 5, 9, 200 * CYCLE);
    send_done(bench, 1, 200 * CYCLE);
    settle(bench);
    cr_expect_eq(verdict_on(bench, 2), -1);
    bench_destroy(bench);
}
