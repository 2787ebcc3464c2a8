/* SPDX-License-Identifier: MIT */
/*
 * Random programs on timed cores, through the protocol's own code, commit units, vendor, network and slices, with random delays: whatever
 * commits is serialisable, everything ends, and memory is what the commits say. Each rule that is more than the plain reading of the
 * thesis is turned back, and that is found here too.
 * HEDDLE_KILO_CORE_SCHEDULES=n: so many schedules of each kind. HEDDLE_KILO_SEED=n: of the first.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kilo_shapes.h"
#include "random_program.h"
#include "real_cores.h"

enum { OF_ONE_SHAPE = 4, FOUND_WITHIN = 40000 };

/* What a kind of schedules has in common. */
typedef struct kind {
    uint32_t is_warp_level; /* WarpTM: 1 at random, 2 always */
    uint32_t is_silent;     /* temporal conflict detection */
    uint32_t is_tiny;       /* tables of a few entries */
    uint32_t is_unresolved; /* lanes of a warp are not checked against each other, where they should be */
    const char *unit;       /* a setting that holds for all; NULL: none */
    uint32_t is_told;    /* EAPG, 1: cores know which words are being committed; 2: with all that it may be instead */
    const char *core[3]; /* settings that hold for all */
} kind;

static const char *protocol_of(const kind *kind)
{
    return kind->is_told ? "eapg" : "kilo";
}

/* What may be in the place of lanes that pause, and of words; at times that are short, long, or endless. */
static uint32_t draw_others(kilo_settings core, uint32_t count, uint64_t *seed, uint32_t signs)
{
    static const uint32_t time_outs[] = {0, 30, 500, 10000};
    KILO_SET(core, "tx.eapg.table=%s", signs ? "signatures" : "words");
    KILO_SET(core, "tx.eapg.table.cost=%s", kilo_pick(seed, 0, 1) ? "blocks" : "nothing");
    KILO_SET(core, "tx.eapg.pause=%s", kilo_pick(seed, 0, 1) ? "wait" : "stack");
    KILO_SET(core, "tx.eapg.pause.time_out=%u cycles", KILO_ONE_OF(seed, time_outs));
    return count;
}

/* What cores do with what they are told. Tables of a few words leave most of it out. */
static uint32_t draw_hints(kilo_settings core, uint32_t count, uint64_t *seed)
{
    static const uint32_t entries[] = {1, 3, 8, 3072};
    KILO_SET(core, "tx.eapg.early_abort=%s", kilo_pick(seed, 0, 2) ? "true" : "false");
    KILO_SET(core, "tx.eapg.pause=%s", kilo_pick(seed, 0, 3) ? "stack" : "off");
    KILO_SET(core, "tx.eapg.pause.repeats=%s", kilo_pick(seed, 0, 1) ? "true" : "false");
    KILO_SET(core, "tx.eapg.pause.in_branch=%s", kilo_pick(seed, 0, 2) ? "true" : "false");
    KILO_SET(core, "tx.eapg.store_hits=%s", kilo_pick(seed, 0, 1) ? "any" : "read");
    KILO_SET(core, "tx.eapg.table.entries=%u", KILO_ONE_OF(seed, entries));
    return count;
}

/* And what units tell. */
static void draw_broadcasts(kilo_settings unit, uint64_t *seed, uint32_t is_other, uint32_t signs)
{
    static const uint32_t entries[] = {1, 2, 9, 3072};
    uint32_t count = 0;
    while (unit[count][0])
        count++;
    KILO_SET(unit, "broadcast=%s", signs ? "signatures" : "words");
    if (is_other)
        KILO_SET(unit, "broadcast.cost=%u cycles", kilo_pick(seed, 0, 2));
    KILO_SET(unit, "broadcast.entries=%u", KILO_ONE_OF(seed, entries));
    KILO_SET(unit, "broadcast.counter_bits=%u", kilo_pick(seed, 0, 2));
    KILO_SET(unit, "broadcast.release=%s", kilo_pick(seed, 0, 1) ? "verdict" : "retirement");
    KILO_SET(unit, "broadcast.size=%s", kilo_pick(seed, 0, 1) ? "header" : "exact");
    KILO_SET(unit, "broadcast.interval=%u", 1 + kilo_pick(seed, 0, 1) * kilo_pick(seed, 0, 3));
}

static void draw_core(shape *shape, uint64_t *seed, const kind *kind, uint32_t resolves, uint32_t is_aggregate,
                      uint32_t signs)
{
    static const char *const resolutions[] = {"2pcr", "2pcr", "scr", "perfect", "eager"};
    static const char *const caches[] = {"48 KiB", "768 B", "1536 B"};
    static const char *const laws[] = {"exponential", "linear", "published"};
    static const uint32_t tables[] = {0, 16, 256, 4096};
    uint32_t count = real_cores_settings(shape->core, protocol_of(kind));
    for (uint32_t i = 0; i < sizeof kind->core / sizeof *kind->core && kind->core[i]; i++)
        KILO_SET(shape->core, "%s", kind->core[i]); /* the first setting of a parameter counts */
    KILO_SET(shape->core, "lanes=%u", shape->is_cfg_a ? 4 : 8);
    KILO_SET(shape->core, "warps=4");
    KILO_SET(shape->core, "tx.concurrency=%u", kilo_pick(seed, 0, 3));
    KILO_SET(shape->core, "tx.token_hold=%s", kilo_pick(seed, 0, 1) ? "true" : "false");
    KILO_SET(shape->core, "tx.intra_warp=%s", resolves ? KILO_ONE_OF(seed, resolutions) : "protocol");
    KILO_SET(shape->core, "tx.ownership=%u B", KILO_ONE_OF(seed, tables));
    KILO_SET(shape->core, "tx.resolutions=%u", kilo_pick(seed, 0, 2));
    KILO_SET(shape->core, "tx.log_traffic=%s", kilo_pick(seed, 0, 1) ? "l1" : "none");
    KILO_SET(shape->core, "tx.own_reads=%s", kilo_pick(seed, 0, 3) ? "log" : "validate");
    KILO_SET(shape->core, "tx.log_bytes=512 B");
    KILO_SET(shape->core, "tx.back_off.law=%s", KILO_ONE_OF(seed, laws));
    KILO_SET(shape->core, "tx.back_off.base=%u cycles", 16 * kilo_pick(seed, 0, 4));
    KILO_SET(shape->core, "tx.back_off.maximum=400 cycles");
    KILO_SET(shape->core, "tx.watchdog=%u cycles", kilo_pick(seed, 0, 3) ? 0 : 20000);
    KILO_SET(shape->core, "tx.%s.aggregate=%s", protocol_of(kind), is_aggregate ? "true" : "false");
    KILO_SET(shape->core, "tx.%s.tcd=%s", protocol_of(kind), shape->is_silent ? "true" : "false");
    KILO_SET(shape->core, "l1.bytes=%s", KILO_ONE_OF(seed, caches));
    KILO_SET(shape->core, "memory.accesses=%u", 2 << kilo_pick(seed, 0, 4));
    if (kind->is_told == 2)
        count = draw_others(shape->core, count, seed, signs);
    if (kind->is_told)
        count = draw_hints(shape->core, count, seed);
}

static shape draw_shape(uint64_t *seed, const kind *kind)
{
    static const uint32_t blocks[] = {0, 32, 64, 128};
    static const uint32_t strides[] = {4, 4, 32, 64, 128, 256, 256};
    static const uint32_t lateness[] = {0, 3, 30, 150};
    shape shape = {.cores = kilo_pick(seed, 1, 3)};
    shape.partitions = kilo_pick(seed, 1, 3);
    shape.link = kilo_pick(seed, 1, 8);
    const uint32_t is_warp_level = kind->is_warp_level == 2 || (kind->is_warp_level && kilo_pick(seed, 0, 1));
    const uint32_t is_aggregate = is_warp_level && (kind->is_warp_level == 2 || kilo_pick(seed, 0, 1));
    const uint32_t block = is_warp_level ? KILO_ONE_OF(seed, blocks) : 0;
    shape.is_silent = kind->is_silent;
    shape.is_cfg_a = kilo_pick(seed, 0, 1);
    shape.words = kilo_pick(seed, 3, 24);
    shape.stride = KILO_ONE_OF(seed, strides);
    shape.delay = kilo_pick(seed, 0, 1) ? kilo_pick(seed, 0, 100) : 0;
    shape.late = KILO_ONE_OF(seed, lateness);
    shape.late_seed = 1 + kit_random(seed) / 2;
    const uint32_t signs = kind->is_told == 2 && kilo_pick(seed, 0, 1);
    draw_core(&shape, seed, kind, !kind->is_unresolved && (is_aggregate || block || kilo_pick(seed, 0, 2) == 0),
              is_aggregate, signs);
    kilo_draw_partitions(&shape, seed, is_aggregate, block, kind->is_tiny, kind->unit);
    if (kind->is_told)
        draw_broadcasts(shape.unit, seed, kind->is_told == 2, signs);
    return shape;
}

/* Of a kind of blocks; and its name with EAPG. */
static const char *const counted[][3] = {
    {"simt_core", "tx_commits", "tx_commits"},
    {"simt_core", "tx_aborts_validation", "tx_aborts_eapg_validation"},
    {"simt_core", "tx_aborts_intra_warp", "tx_aborts_intra_warp"},
    {"simt_core", "tx_silent_commits", "tx_eapg_silent_commits"},
    {"simt_core", "tx_second_chances", "tx_eapg_second_chances"},
    {"simt_core", "tx_resent_words", "tx_eapg_resent_words"},
    {"commit_unit", "hazards", "hazards"},
    {"commit_unit", "revalidations", "revalidations"},
    {"commit_unit", "hazard.clamped", "hazard.clamped"},
    {"commit_id_vendor", "wait_cycles.room", "wait_cycles.room"},
    {"simt_core", "tx_aborts_early", "tx_aborts_early"},
    {"simt_core", "tx_eapg_pauses", "tx_eapg_pauses"},
    {"simt_core", "tx_eapg_reprieves", "tx_eapg_reprieves"},
    {"simt_core", "tx_eapg_waits", "tx_eapg_waits"},
    {"simt_core", "tx_eapg_time_outs", "tx_eapg_time_outs"},
};
enum { EARLY_ABORTS = 10, PAUSES, REPRIEVES, WAITS, TIME_OUTS };
enum { COUNTED = sizeof counted / sizeof *counted };

/* Threads of a program on one machine. 0: it goes wrong at the schedule with number *done, from 0. */
static uint32_t run_shape(shape *shape, uint64_t *seed, const kind *kind, uint64_t count, uint64_t *done, char *wrong,
                          uint32_t bytes, uint64_t totals[COUNTED])
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
    for (uint64_t i = 0; is_right && i < count; i++) {
        is_right = kilo_machine_run(machine, kit_random(seed), wrong, bytes);
        *done += is_right;
        for (uint32_t c = 0; c < COUNTED; c++)
            totals[c] += kilo_machine_statistic(machine, counted[c][0], counted[c][1 + (kind->is_told != 0)]);
    }
    kilo_machine_destroy(machine);
    real_cores_destroy(cores);
    return is_right;
}

/* Those of one shape come one after the other. Returns the number of the first that fails, or the count. */
static uint64_t run_schedules(uint64_t first_seed, uint64_t total, const kind *kind, char *wrong, uint32_t bytes,
                              uint64_t totals[COUNTED])
{
    uint64_t done = 0;
    for (uint64_t group = 0; done < total; group++) {
        uint64_t seed = first_seed + group;
        shape shape = draw_shape(&seed, kind);
        const uint64_t count = total - done < OF_ONE_SHAPE ? total - done : OF_ONE_SHAPE;
        if (!run_shape(&shape, &seed, kind, count, &done, wrong, bytes, totals))
            return done;
    }
    return done;
}

static void expect_serialisable(const char *name, const kind *kind, uint64_t totals[COUNTED])
{
    const uint64_t seed = kilo_number_of("HEDDLE_KILO_SEED", (uint64_t)time(NULL) << 20);
    const uint64_t total = kilo_number_of("HEDDLE_KILO_CORE_SCHEDULES", 200);
    char wrong[1024] = "";
    const uint64_t done = run_schedules(seed, total, kind, wrong, sizeof wrong, totals);
    printf("%s: seed %llu, schedules %llu", name, (unsigned long long)seed, (unsigned long long)done);
    for (uint32_t c = 0; c < COUNTED; c++)
        printf(", %s %llu", counted[c][1], (unsigned long long)totals[c]);
    printf("\n");
    cr_expect_eq(done, total, "%s: schedule %llu of the shape of seed %llu: %s", name,
                 (unsigned long long)(done % OF_ONE_SHAPE), (unsigned long long)(seed + done / OF_ONE_SHAPE), wrong);
    cr_expect(totals[0] && totals[1] && totals[5] && totals[6] && totals[7]);
}

Test(kilo_core_schedules, of_kilo_tm_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("kilo", &(kind){.is_tiny = 0}, totals);
}

Test(kilo_core_schedules, of_warptm_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("warptm", &(kind){.is_warp_level = 1}, totals);
    cr_expect(totals[2]);
}

Test(kilo_core_schedules, with_tiny_tables_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("tiny", &(kind){.is_warp_level = 1, .is_tiny = 1}, totals);
}

Test(kilo_core_schedules, of_silent_readers_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("silent", &(kind){.is_warp_level = 1, .is_silent = 1}, totals);
    cr_expect(totals[3] && totals[4]);
}

/* Cores abort early, and pause lanes, by what they are told late, in part, or not at all (EAPG). */
Test(kilo_core_schedules, of_eapg_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("eapg", &(kind){.is_warp_level = 1, .is_told = 1}, totals);
    cr_expect(totals[EARLY_ABORTS] && totals[PAUSES] && totals[REPRIEVES]);
}

Test(kilo_core_schedules, of_silent_readers_that_pause_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("eapg silent", &(kind){.is_warp_level = 1, .is_silent = 1, .is_told = 1}, totals);
    cr_expect(totals[3] && totals[4] && totals[PAUSES]);
}

Test(kilo_core_schedules, of_eapg_with_tiny_tables_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("eapg tiny", &(kind){.is_warp_level = 1, .is_tiny = 1, .is_told = 1}, totals);
    cr_expect(totals[PAUSES]);
}

/* Messages come in order, so that each word leaves: without the reprieve attempts only take longer. */
Test(kilo_core_schedules, of_eapg_without_reprieve_end)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("eapg without reprieve",
                        &(kind){.is_warp_level = 1, .is_told = 1, .core = {"tx.eapg.test.reprieve=no"}}, totals);
    cr_expect(totals[EARLY_ABORTS] && !totals[REPRIEVES]);
}

/* Warps that wait in the place of lanes that pause, signatures in the place of words, look-ups and counts that take time. */
Test(kilo_core_schedules, of_eapg_with_all_that_it_may_be_are_serialisable)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable("eapg others", &(kind){.is_warp_level = 1, .is_told = 2}, totals);
    cr_expect(totals[EARLY_ABORTS] && totals[PAUSES] && totals[WAITS] && totals[TIME_OUTS]);
}

/* Whoever waits by itself, for messages that come in order, goes on without a time-out. */
Test(kilo_core_schedules, of_warps_that_wait_by_themselves_end)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable(
        "eapg wait",
        &(kind){.is_warp_level = 1, .is_told = 1, .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=0 cycles"}},
        totals);
    cr_expect(totals[WAITS] && !totals[TIME_OUTS]);
}

/* Words of which it is said too late that they are being committed do not leave: one of a warp goes on, or all do after some time. */
Test(kilo_core_schedules, of_words_that_stay_end)
{
    uint64_t totals[COUNTED] = {0};
    expect_serialisable(
        "eapg words that stay",
        &(kind){.is_warp_level = 1,
                .is_told = 1,
                .core = {"tx.eapg.pause=wait", "tx.eapg.pause.time_out=400 cycles", "tx.eapg.test.order=lose"}},
        totals);
    cr_expect(totals[EARLY_ABORTS] && totals[REPRIEVES] && totals[TIME_OUTS]);
}

/* ---- Rules turned back ---------------------------------------------------------------------------------------------- */

/* The seed is printed with which it is found out; it has to be among the first so many from `standard` on. */
static void expect_found_by(uint32_t the_checker, const char *rule, const kind *kind, uint64_t standard)
{
    const uint64_t first = kilo_number_of("HEDDLE_KILO_SEED", standard);
    char wrong[1024] = "";
    uint64_t totals[COUNTED] = {0};
    const uint64_t done = run_schedules(first, FOUND_WITHIN, kind, wrong, sizeof wrong, totals);
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
    const uint64_t done = run_schedules(first, FOUND_WITHIN, kind, wrong, sizeof wrong, totals);
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
