/* SPDX-License-Identifier: MIT */
/*
 * Random programs on timed cores, through the protocol's own code, commit units, vendor, network and slices, with random delays: whatever
 * commits is serialisable, everything ends, and memory is what the commits say. Each rule that is more than the plain reading of the
 * thesis is turned back, and that is found here too.
 * HEDDLE_KILO_CORE_SCHEDULES=n: at least so many schedules of each kind. HEDDLE_KILO_SEED=n: of the first.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kilo_shapes.h"
#include "random_machine.h"
#include "random_program.h"
#include "real_cores.h"

enum { OF_ONE_SHAPE = 4, FOUND_WITHIN = 40000, HAPPENS_WITHIN = 2000 };

enum {
    COMMITS,
    VALIDATION_ABORTS,
    INTRA_WARP_ABORTS,
    SILENT_COMMITS,
    SECOND_CHANCES,
    RESENT_WORDS,
    HAZARDS,
    REVALIDATIONS,
    CLAMPED,
    ROOM_WAITS,
    EARLY_ABORTS,
    PAUSES,
    REPRIEVES,
    WAITS,
    TIME_OUTS,
    COUNTED
};

/* Of a kind of blocks; and its name with EAPG. */
static const char *const counted[COUNTED][3] = {
    [COMMITS] = {"simt_core", "tx_commits", "tx_commits"},
    [VALIDATION_ABORTS] = {"simt_core", "tx_aborts_validation", "tx_aborts_eapg_validation"},
    [INTRA_WARP_ABORTS] = {"simt_core", "tx_aborts_intra_warp", "tx_aborts_intra_warp"},
    [SILENT_COMMITS] = {"simt_core", "tx_silent_commits", "tx_eapg_silent_commits"},
    [SECOND_CHANCES] = {"simt_core", "tx_second_chances", "tx_eapg_second_chances"},
    [RESENT_WORDS] = {"simt_core", "tx_resent_words", "tx_eapg_resent_words"},
    [HAZARDS] = {"commit_unit", "hazards", "hazards"},
    [REVALIDATIONS] = {"commit_unit", "revalidations", "revalidations"},
    [CLAMPED] = {"commit_unit", "hazard.clamped", "hazard.clamped"},
    [ROOM_WAITS] = {"commit_id_vendor", "wait_cycles.room", "wait_cycles.room"},
    [EARLY_ABORTS] = {"simt_core", "tx_aborts_early", "tx_aborts_early"},
    [PAUSES] = {"simt_core", "tx_eapg_pauses", "tx_eapg_pauses"},
    [REPRIEVES] = {"simt_core", "tx_eapg_reprieves", "tx_eapg_reprieves"},
    [WAITS] = {"simt_core", "tx_eapg_waits", "tx_eapg_waits"},
    [TIME_OUTS] = {"simt_core", "tx_eapg_time_outs", "tx_eapg_time_outs"},
};

#define BIT(count) (UINT32_C(1) << (count))
#define IN_ALL_KINDS (BIT(COMMITS) | BIT(VALIDATION_ABORTS) | BIT(RESENT_WORDS) | BIT(HAZARDS) | BIT(REVALIDATIONS))

/* Threads of a program on one machine. 0: it goes wrong at the schedule with number *done, from 0. */
static uint32_t run_shape(shape *shape, uint64_t *seed, const kind *kind, uint64_t *done, char *wrong, uint32_t bytes,
                          uint64_t totals[COUNTED])
{
    uint32_t words[RANDOM_PROGRAM_WORDS];
    random_program program = {.words = shape->words, .stride = shape->stride, .is_silent = shape->is_silent};
    program.transactions = kilo_pick(seed, 1, 3);
    program.operations = kilo_pick(seed, 1, 6);
    random_program_make(&program, seed, words);
    const uint32_t threads = kilo_pick(seed, 1, shape->is_cfg_a ? 16 : 32);
    real_cores *cores = real_cores_create(words, threads, 100 * kilo_pick(seed, 0, 4));
    shape->by = real_cores_as(cores);
    kilo_machine *machine = kilo_machine_create(shape);
    uint32_t is_right = 1;
    for (uint32_t i = 0; is_right && i < OF_ONE_SHAPE; i++) {
        is_right = kilo_machine_run(machine, kit_random(seed), wrong, bytes);
        *done += is_right;
        for (uint32_t c = 0; c < COUNTED; c++)
            totals[c] += kilo_machine_statistic(machine, counted[c][0], counted[c][1 + (kind->is_told != 0)]);
    }
    kilo_machine_destroy(machine);
    real_cores_destroy(cores);
    return is_right;
}

/*
 * Those of one shape come one after the other. Returns the number of the first that fails, or how many have been run. What happens in a
 * few shapes only (time-outs of EAPG: in one of twelve) is missing from the first fifty with one or two seeds of a hundred. They go on
 * until it has happened, so that a test fails by what does not happen any more, and not by its seed.
 */
static uint64_t run_schedules(uint64_t first_seed, uint64_t least, const kind *kind, uint32_t happens, char *wrong,
                              uint32_t bytes, uint64_t totals[COUNTED])
{
    uint64_t done = 0;
    for (uint64_t group = 0; done < least || (done < HAPPENS_WITHIN && happens & ~kilo_happened(totals, COUNTED));
         group++) {
        uint64_t seed = first_seed + group;
        shape shape = random_machine_draw(&seed, kind);
        if (!run_shape(&shape, &seed, kind, &done, wrong, bytes, totals))
            return done;
    }
    return done;
}

/* happens, never: bits of what is counted; schedules without the former would show nothing. Returns how many have been run. */
static uint64_t expect_serialisable_from(uint64_t seed, uint64_t least, const char *name, const kind *kind,
                                         uint32_t happens, uint32_t never)
{
    char wrong[1024] = "";
    uint64_t totals[COUNTED] = {0};
    const uint64_t done = run_schedules(seed, least, kind, happens, wrong, sizeof wrong, totals);
    printf("%s: seed %llu, schedules %llu", name, (unsigned long long)seed, (unsigned long long)done);
    for (uint32_t c = 0; c < COUNTED; c++)
        printf(", %s %llu", counted[c][1], (unsigned long long)totals[c]);
    printf("\n");
    cr_expect(!wrong[0], "%s: schedule %llu of the shape of seed %llu: %s", name,
              (unsigned long long)(done % OF_ONE_SHAPE), (unsigned long long)(seed + done / OF_ONE_SHAPE), wrong);
    for (uint32_t c = 0; c < COUNTED; c++) {
        cr_expect(!(happens & BIT(c)) || totals[c], "%s: no %s", name, counted[c][1]);
        cr_expect(!(never & BIT(c)) || !totals[c], "%s: %s", name, counted[c][1]);
    }
    return done;
}

static void expect_serialisable(const char *name, const kind *kind, uint32_t happens, uint32_t never)
{
    expect_serialisable_from(kilo_number_of("HEDDLE_KILO_SEED", (uint64_t)time(NULL) << 20),
                             kilo_number_of("HEDDLE_KILO_CORE_SCHEDULES", 200), name, kind, happens, never);
}

Test(kilo_core_schedules, of_kilo_tm_are_serialisable)
{
    expect_serialisable("kilo", &(kind){.is_warp_level = 0}, IN_ALL_KINDS, 0);
}

Test(kilo_core_schedules, of_warptm_are_serialisable)
{
    expect_serialisable("warptm", &(kind){.is_warp_level = 1}, IN_ALL_KINDS | BIT(INTRA_WARP_ABORTS), 0);
}

Test(kilo_core_schedules, with_tiny_tables_are_serialisable)
{
    expect_serialisable("tiny", &(kind){.is_warp_level = 1, .is_tiny = 1}, IN_ALL_KINDS, 0);
}

Test(kilo_core_schedules, of_silent_readers_are_serialisable)
{
    expect_serialisable("silent", &(kind){.is_warp_level = 1, .is_silent = 1},
                        IN_ALL_KINDS | BIT(SILENT_COMMITS) | BIT(SECOND_CHANCES), 0);
}

/* Cores abort early, and pause lanes, by what they are told late, in part, or not at all (EAPG). */
Test(kilo_core_schedules, of_eapg_are_serialisable)
{
    expect_serialisable("eapg", &(kind){.is_warp_level = 1, .is_told = 1},
                        IN_ALL_KINDS | BIT(EARLY_ABORTS) | BIT(PAUSES) | BIT(REPRIEVES), 0);
}

Test(kilo_core_schedules, of_silent_readers_that_pause_are_serialisable)
{
    expect_serialisable("eapg silent", &(kind){.is_warp_level = 1, .is_silent = 1, .is_told = 1},
                        IN_ALL_KINDS | BIT(SILENT_COMMITS) | BIT(SECOND_CHANCES) | BIT(PAUSES), 0);
}

Test(kilo_core_schedules, of_eapg_with_tiny_tables_are_serialisable)
{
    expect_serialisable("eapg tiny", &(kind){.is_warp_level = 1, .is_tiny = 1, .is_told = 1},
                        IN_ALL_KINDS | BIT(PAUSES), 0);
}

/* Messages come in order, so that each word leaves: without the reprieve attempts only take longer. */
Test(kilo_core_schedules, of_eapg_without_reprieve_end)
{
    expect_serialisable("eapg without reprieve",
                        &(kind){.is_warp_level = 1, .is_told = 1, .core = {"tx.eapg.test.reprieve=no"}},
                        IN_ALL_KINDS | BIT(EARLY_ABORTS), BIT(REPRIEVES));
}

/* Warps that wait in the place of lanes that pause, signatures in the place of words, look-ups and counts that take time. */
static const kind all_that_it_may_be = {.is_warp_level = 1, .is_told = 2};
#define IN_ALL_THAT_IT_MAY_BE (IN_ALL_KINDS | BIT(EARLY_ABORTS) | BIT(PAUSES) | BIT(WAITS) | BIT(TIME_OUTS))

Test(kilo_core_schedules, of_eapg_with_all_that_it_may_be_are_serialisable)
{
    expect_serialisable("eapg others", &all_that_it_may_be, IN_ALL_THAT_IT_MAY_BE, 0);
}

/* A seed with which no warp waits for too long in any of the first fifty shapes. */
Test(kilo_core_schedules, go_on_until_what_is_rare_has_happened)
{
    cr_expect_gt(expect_serialisable_from(UINT64_C(1883103980158976), 1, "eapg rarely", &all_that_it_may_be,
                                          IN_ALL_THAT_IT_MAY_BE, 0),
                 OF_ONE_SHAPE);
}

/* Whoever waits by itself, for messages that come in order, goes on without a time-out. */
Test(kilo_core_schedules, of_warps_that_wait_by_themselves_end)
{
    expect_serialisable(
        "eapg wait",
        &(kind){.is_warp_level = 1, .is_told = 1, .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=0 cycles"}},
        IN_ALL_KINDS | BIT(WAITS), BIT(TIME_OUTS));
}

/* Words of which it is said too late that they are being committed do not leave: one of a warp goes on, or all do after some time. */
Test(kilo_core_schedules, of_words_that_stay_end)
{
    expect_serialisable(
        "eapg words that stay",
        &(kind){.is_warp_level = 1,
                .is_told = 1,
                .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=400 cycles", "tx.eapg.test.order=lose"}},
        IN_ALL_KINDS | BIT(EARLY_ABORTS) | BIT(REPRIEVES) | BIT(TIME_OUTS), 0);
}

/* ---- Rules turned back ---------------------------------------------------------------------------------------------- */

/* The seed is printed with which it is found out; it has to be among the first so many from `standard` on. */
static void expect_found_by(uint32_t the_checker, const char *rule, const kind *kind, uint64_t standard)
{
    const uint64_t first = kilo_number_of("HEDDLE_KILO_SEED", standard);
    char wrong[1024] = "";
    uint64_t totals[COUNTED] = {0};
    const uint64_t done = run_schedules(first, FOUND_WITHIN, kind, 0, wrong, sizeof wrong, totals);
    cr_expect_lt(done, FOUND_WITHIN, "%s: not found", rule);
    cr_expect_eq(strstr(wrong, "the checker says") != NULL, the_checker, "%s", wrong);
    cr_expect_null(strstr(wrong, "which the checker accepts"), "%s", wrong);
    printf("%s: shape of seed %llu, schedule %llu of it: %s\n", rule, (unsigned long long)(first + done / OF_ONE_SHAPE),
           (unsigned long long)(done % OF_ONE_SHAPE), wrong);
}

/* By the oracle, and the checker agrees. */
static void expect_found(const char *rule, const kind *kind, uint64_t standard)
{
    expect_found_by(0, rule, kind, standard);
}

Test(kilo_core_schedules, find_a_filter_that_forgets_later_writers)
{
    expect_found("filter", &(kind){.is_tiny = 1, .unit = "test.filter=overwrite"}, 1);
}

Test(kilo_core_schedules, find_retired_writers_that_are_dropped)
{
    expect_found("retired", &(kind){.is_tiny = 1, .unit = "test.retired=drop"}, 1);
}

Test(kilo_core_schedules, find_lanes_that_wait_for_their_warp)
{
    expect_found("clamp", &(kind){.is_warp_level = 2, .is_tiny = 1, .unit = "test.clamp=no"}, 1);
}

Test(kilo_core_schedules, find_readers_of_half_a_commit)
{
    expect_found("strict", &(kind){.is_warp_level = 1, .is_silent = 1, .unit = "tcd.strict=false"}, 1140);
}

Test(kilo_core_schedules, find_lanes_that_are_not_checked_against_each_other)
{
    expect_found("intra_warp", &(kind){.is_warp_level = 2, .is_unresolved = 1}, 1);
}

/* What is committed is in order; but the program had loaded, or stored, more than that. */
Test(kilo_core_schedules, find_logs_that_lanes_lose_while_they_pause)
{
    expect_found_by(1, "logs", &(kind){.is_warp_level = 1, .is_told = 1, .core = {"tx.eapg.test.logs=lose"}}, 1);
}

/* ---- What hangs ------------------------------------------------------------------------------------------------------- */

/* It is found as what does not end. */
static void expect_hang(const char *rule, const kind *kind)
{
    const uint64_t first = kilo_number_of("HEDDLE_KILO_SEED", 1);
    char wrong[1024] = "";
    uint64_t totals[COUNTED] = {0};
    const uint64_t done = run_schedules(first, FOUND_WITHIN, kind, 0, wrong, sizeof wrong, totals);
    cr_expect(strstr(wrong, "it does not end"), "%s: %s", rule, wrong);
    printf("%s: shape of seed %llu, schedule %llu of it: %s\n", rule, (unsigned long long)(first + done / OF_ONE_SHAPE),
           (unsigned long long)(done % OF_ONE_SHAPE), wrong);
}

/* Words stay, and whoever has used one aborts for ever. */
Test(kilo_core_schedules, find_early_aborts_that_nobody_is_spared)
{
    expect_hang("reprieve",
                &(kind){.is_warp_level = 1,
                        .is_told = 1,
                        .core = {"tx.eapg.early_abort=true", "tx.eapg.test.reprieve=no", "tx.eapg.test.order=lose"}});
}

/* Words stay, and whoever is about to use one waits for ever. */
Test(kilo_core_schedules, find_warps_that_wait_for_words_that_stay)
{
    expect_hang("order",
                &(kind){.is_warp_level = 1,
                        .is_told = 1,
                        .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=0 cycles", "tx.eapg.test.order=lose"}});
}

/* Who waits keeps what others wait for from leaving. */
Test(kilo_core_schedules, find_warps_that_wait_in_the_way_of_others)
{
    expect_hang("pipe",
                &(kind){.is_warp_level = 1,
                        .is_told = 1,
                        .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=0 cycles", "tx.eapg.test.wait=pipe"}});
}
