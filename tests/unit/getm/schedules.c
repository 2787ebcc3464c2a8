/* SPDX-License-Identifier: MIT */
/*
 * Random programs on random shapes with random delays: whatever commits is serialisable, everything ends, and nothing is left
 * behind. Each rule that is more than the plain reading of the paper is turned back, and that is found.
 * HEDDLE_GETM_SCHEDULES=n: so many schedules in all. HEDDLE_GETM_SEED=n: of the first.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "getm_machine.h"

enum { OF_ONE_SHAPE = 25 };

static uint32_t pick(uint64_t *seed, uint32_t least, uint32_t most)
{
    return least + (uint32_t)(kit_random(seed) % (most - least + 1));
}

#define SET(list, ...) snprintf(list[count++], sizeof list[0], __VA_ARGS__)

static void draw_core(shape *shape, uint64_t *seed, uint32_t granule)
{
    static const uint32_t strides[] = {4, 4, 8, 16, 32, 64, 256};
    static const uint32_t delays[] = {1, 4, 40, 400};
    uint32_t count = 0;
    shape->words = pick(seed, 3, 12);
    shape->stride = strides[pick(seed, 0, 6)];
    SET(shape->core, "warps=%u", shape->cores == 1 ? pick(seed, 2, 6) : pick(seed, 1, 3));
    SET(shape->core, "lanes=%u", pick(seed, 1, 4));
    SET(shape->core, "words=%u", shape->words);
    SET(shape->core, "operations=%u", pick(seed, 2, 6));
    SET(shape->core, "transactions=%u", pick(seed, 1, 4));
    SET(shape->core, "stride=%u", shape->stride);
    SET(shape->core, "granule=%u", granule);
    SET(shape->core, "delay=%u", delays[pick(seed, 0, 3)]);
    SET(shape->core, "plain=%u", 20 * pick(seed, 0, 1));
    SET(shape->core, "stores_wait=%s", pick(seed, 0, 1) ? "true" : "false");
}

static void draw_validation(shape *shape, uint64_t *seed, uint32_t granule)
{
    static const char *const approximate[] = {"none", "maximum_register", "bloom", "bloom"};
    uint32_t count = 0;
    const uint32_t ways = pick(seed, 1, 2);
    SET(shape->validation, "warp_bits=4");
    SET(shape->validation, "granule=%u B", granule);
    SET(shape->validation, "precise.ways=%u", ways);
    SET(shape->validation, "precise.entries=%u", shape->partitions * ways * pick(seed, 1, 2));
    SET(shape->validation, "precise.kicks=%u", pick(seed, 0, 4));
    SET(shape->validation, "precise.eviction=%s", pick(seed, 0, 1) ? "eager" : "late");
    SET(shape->validation, "stash=%u", pick(seed, 0, 2));
    SET(shape->validation, "overflow_latency=%u cycles", pick(seed, 0, 20));
    SET(shape->validation, "overflow_lists=%u", pick(seed, 1, 3));
    SET(shape->validation, "overflow_line=%u", pick(seed, 1, 3));
    SET(shape->validation, "approximate=%s", approximate[pick(seed, 0, 3)]);
    SET(shape->validation, "approximate.entries=%u", pick(seed, 1, 16));
    SET(shape->validation, "hash_seed=%u", pick(seed, 0, 1000));
    SET(shape->validation, "stall.lines=%u", pick(seed, 1, 2));
    SET(shape->validation, "stall.entries=%u", pick(seed, 1, 3));
    SET(shape->validation, "loads=%u", pick(seed, 1, 4));
    SET(shape->validation, "replies=%u", pick(seed, 1, 4));
    SET(shape->validation, "clock_bits=6");
    SET(shape->validation, "rollover_margin=%u", pick(seed, 24, 60));
    SET(shape->validation, "cause=%s", pick(seed, 0, 1) ? "granule" : "partition");
}

static shape draw_shape(uint64_t *seed)
{
    static const uint32_t granules[] = {4, 8, 16, 32, 32, 64, 128};
    shape shape = {.cores = pick(seed, 1, 2), .partitions = pick(seed, 1, 3), .link = pick(seed, 1, 4)};
    static const uint32_t ways[] = {1, 2, 8, 200};
    shape.load = ways[pick(seed, 0, 3)];
    const uint32_t granule = granules[pick(seed, 0, 6)];
    uint32_t count = 0;
    draw_core(&shape, seed, granule);
    draw_validation(&shape, seed, granule);
    SET(shape.commit, "coalesce=%s", pick(seed, 0, 3) ? "true" : "false");
    SET(shape.commit, "bytes_per_cycle=%u B", pick(seed, 1, 32));
    count = 0;
    SET(shape.slice, "bytes=%u B", 256 * pick(seed, 1, 4));
    SET(shape.slice, "ways=2");
    SET(shape.slice, "latency=%u cycles", pick(seed, 1, 20));
    SET(shape.slice, "mshrs=%u", pick(seed, 1, 3));
    return shape;
}

static void add_text(char (*list)[48], uint32_t room, const char *text)
{
    uint32_t i = 0;
    while (i + 1 < room && list[i][0])
        i++;
    snprintf(list[i], sizeof list[i], "%s", text);
}

/* Runs so many schedules, those of one shape one after the other. Returns the number of the first that fails, or the count. */
static uint64_t run_schedules(uint64_t first_seed, uint64_t total, const char *core, const char *validation,
                              char *wrong, uint32_t bytes, uint64_t totals[4])
{
    uint64_t done = 0;
    for (uint64_t group = 0; done < total; group++) {
        uint64_t seed = first_seed + group;
        shape shape = draw_shape(&seed);
        if (core)
            add_text(shape.core, 16, core);
        if (validation)
            add_text(shape.validation, 24, validation);
        getm_machine *machine = getm_machine_create(&shape);
        for (uint32_t i = 0; i < OF_ONE_SHAPE && done < total; i++, done++) {
            if (!getm_machine_run(machine, kit_random(&seed), wrong, bytes)) {
                getm_machine_destroy(machine);
                return done;
            }
            totals[0] += getm_machine_statistic(machine, "scripted_core", "commits");
            totals[1] += getm_machine_statistic(machine, "scripted_core", "aborts");
            totals[2] += getm_machine_statistic(machine, "validation_unit", "rollovers");
            totals[3] += getm_machine_statistic(machine, "validation_unit", "stalled");
        }
        getm_machine_destroy(machine);
    }
    return done;
}

static uint64_t number_of(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

Test(getm_schedules, are_serialisable)
{
    const uint64_t seed = number_of("HEDDLE_GETM_SEED", (uint64_t)time(NULL) << 20);
    const uint64_t total = number_of("HEDDLE_GETM_SCHEDULES", 400);
    char wrong[512] = "";
    uint64_t totals[4] = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    const uint64_t done = run_schedules(seed, total, NULL, NULL, wrong, sizeof wrong, totals);
    printf("getm schedules: %llu, commits %llu, aborts %llu, rollovers %llu, waits %llu\n", (unsigned long long)done,
           (unsigned long long)totals[0], (unsigned long long)totals[1], (unsigned long long)totals[2],
           (unsigned long long)totals[3]);
    cr_expect_eq(done, total, "schedule %llu of seed %llu (shape of seed %llu): %s",
                 (unsigned long long)(done % OF_ONE_SHAPE), (unsigned long long)seed,
                 (unsigned long long)(seed + done / OF_ONE_SHAPE), wrong);
    cr_expect(totals[0] && totals[1] && totals[2] && totals[3]);
}

/* What is reserved is what logs and packets say, whenever one looks (I1). */
Test(getm_schedules, account_for_every_reservation_at_any_time)
{
    const uint64_t first = number_of("HEDDLE_GETM_SEED", (uint64_t)time(NULL) << 20);
    const uint64_t total = number_of("HEDDLE_GETM_SCHEDULES", 400) / 4;
    char wrong[512] = "";
    uint64_t done = 0, comparisons = 0;
    for (uint64_t group = 0; done < total; group++) {
        uint64_t seed = first + group;
        shape shape = draw_shape(&seed);
        for (uint32_t i = 0; shape.validation[i][0]; i++)
            if (strncmp(shape.validation[i], "clock_bits", 10) == 0)
                snprintf(shape.validation[i], sizeof shape.validation[i], "clock_bits=40");
        getm_machine *machine = getm_machine_create(&shape);
        for (uint32_t i = 0; i < OF_ONE_SHAPE && done < total; i++, done++)
            cr_assert(getm_machine_run_audited(machine, kit_random(&seed), wrong, sizeof wrong),
                      "schedule %u of shape of seed %llu: %s", i, (unsigned long long)(first + group), wrong);
        comparisons += getm_machine_audits(machine);
        getm_machine_destroy(machine);
    }
    printf("seed %llu: %llu schedules, %llu comparisons\n", (unsigned long long)first, (unsigned long long)done,
           (unsigned long long)comparisons);
    cr_expect_gt(comparisons, total);
}

/* ---- Rules turned back ---------------------------------------------------------------------------------------------- */

/* The seed is printed with which it is found out; it has to be among the first so many. */
static void expect_found(const char *rule, const char *core, const char *validation)
{
    const uint64_t first = number_of("HEDDLE_GETM_SEED", 1);
    char wrong[512] = "";
    uint64_t totals[4] = {0};
    const uint64_t done = run_schedules(first, 5000, core, validation, wrong, sizeof wrong, totals);
    cr_expect_lt(done, 5000, "%s: not found", rule);
    printf("%s: shape of seed %llu, schedule %llu of it: %s\n", rule, (unsigned long long)(first + done / OF_ONE_SHAPE),
           (unsigned long long)(done % OF_ONE_SHAPE), wrong);
}

Test(getm_schedules, find_who_wakes_the_oldest_alone)
{
    expect_found("wake", NULL, "test.wake=oldest");
}

/* While all times differ, that is no mistake that shows in results: only the invariant knows. */
Test(getm_schedules, find_writes_at_the_time_of_their_writer)
{
#ifdef NDEBUG
    cr_skip("needs invariants");
#endif
    expect_found("written", NULL, "test.written=at");
}

Test(getm_schedules, find_reservations_of_warps)
{
    expect_found("owner", NULL, "test.owner=warp");
}

Test(getm_schedules, find_entries_pushed_out_while_they_are_put_in)
{
    expect_found("pinned", NULL, "test.pinned=no");
}

Test(getm_schedules, find_verdicts_before_their_samples)
{
    expect_found("verdict", NULL, "test.verdict=arrival");
}

Test(getm_schedules, find_equal_times)
{
    expect_found("ties", "ties=true", NULL);
}

Test(getm_schedules, find_stores_counted_by_request)
{
    expect_found("counts", "count_requests=true", NULL);
}

Test(getm_schedules, find_rollovers_that_do_not_drain)
{
    expect_found("drains", "drains=false", NULL);
}

Test(getm_schedules, find_lanes_that_are_not_checked_against_each_other)
{
    expect_found("intra_warp", "intra_warp=false", NULL);
}
