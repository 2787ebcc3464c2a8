/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a core spend their cycles on (Fung 2015, Fig. 4.9), and Kilo TM on a time axis: held against each other, against
 * the cycles of warps, and against times that follow from the program. That the classes add up is in core_rig.c, for every run.
 */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>
#include <string.h>

#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)

static kilo_rig *traced(const char *const *parameters, uint32_t aggregates, const uint32_t *words)
{
    rig_record(1);
    kilo_rig *k = kilo_rig_create(parameters, aggregates, words);
    rig_record(0);
    return k;
}

static uint64_t threads(kilo_rig *k, const char *class)
{
    char name[64] = "thread_cycles_";
    return kilo_rig_statistic(k, strcat(name, class));
}

static hd_time cycle(kilo_rig *k)
{
    return kit_cycles(rig_kit(k->rig), 1);
}

/* Cycles in spans of this name, all of them if it ends with "*", on tracks that begin so. */
static uint64_t spans(kilo_rig *k, const char *event, const char *track)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig_kit(k->rig), &count);
    const size_t length = strcspn(event, "*");
    hd_time sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!strncmp(all[i].event, event, length) && (event[length] || !all[i].event[length]) &&
            !strncmp(all[i].track, track, strlen(track)) && all[i].form <= 1)
            sum += all[i].form ? all[i].t : -all[i].t;
    return sum / cycle(k);
}

/* The `number`-th of this name and form. */
static const kit_traced *event(kilo_rig *k, const char *name, uint32_t form, uint32_t number)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig_kit(k->rig), &count);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(all[i].event, name) && all[i].form == form && number-- == 0)
            return &all[i];
    cr_assert_fail("no %s of form %u", name, form);
    return NULL;
}

static uint64_t between(kilo_rig *k, const kit_traced *from, const kit_traced *to)
{
    return (to->t - from->t) / cycle(k);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------------- */

/* All lanes commit at the first attempt, at one time: each is in the class of its warp. A path has a span at any time. */
Test(tx_threads, lanes_that_stay_together_spend_what_their_warp_does)
{
    static const char *const token[] = {"tx.concurrency=1", "tx.checkpoint=9 cycles", NULL};
    kilo_rig *k = traced(token, 1, scattered_words());
    rig_launch(k->rig, 32 + 32, 0);
    kilo_rig_finish(k);
    const uint64_t commit = kilo_rig_statistic(k, "tx_commit_cycles") + kilo_rig_statistic(k, "tx_resolve_cycles");
    cr_expect_gt(threads(k, "throttled"), 0);
    cr_expect_eq(threads(k, "throttled"), 32 * kilo_rig_statistic(k, "tx_token_cycles"));
    cr_expect_eq(threads(k, "useful"), 32 * kilo_rig_statistic(k, "tx_execute_cycles"));
    cr_expect_eq(threads(k, "committing"), 32 * commit);
    cr_expect_eq(threads(k, "aborted") + threads(k, "atomic") + threads(k, "barrier"), 0);
    cr_expect_eq(threads(k, "committed"), 0);
    cr_expect_eq(kilo_rig_statistic(k, "thread_cycles"), 32 * spans(k, "path.*", "path["));
    kilo_rig_destroy(k);
}

static uint32_t refuses_lane_4_twice(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition)
{
    (void)warp;
    return lane == 4 && attempt <= 2 && partition == (DATA + 4 * 4) / 256 % KILO_PARTITIONS;
}

/* Lane 4 fails twice: what it has executed then was for nothing, and the others wait for it from their last write on. */
Test(tx_threads, lanes_that_have_committed_wait_for_those_that_try_again)
{
    static const char *const law[] = {"tx.back_off.law=linear", "tx.back_off.base=300 cycles", NULL};
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T0, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = traced(law, 1, words);
    k->refuses = refuses_lane_4_twice;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    uint64_t executed[3];
    for (uint32_t attempt = 0; attempt < 3; attempt++)
        executed[attempt] = between(k, event(k, "tx.execute", 0, attempt), event(k, "tx.execute", 1, attempt));
    cr_expect_eq(threads(k, "useful"), (LANES - 1) * executed[0] + executed[2]);
    cr_expect_eq(threads(k, "aborted"), executed[0] + executed[1]);
    cr_expect_eq(threads(k, "throttled"),
                 LANES * kilo_rig_statistic(k, "tx_token_cycles") + kilo_rig_statistic(k, "tx_retry_cycles"));
    cr_expect_gt(kilo_rig_statistic(k, "tx_retry_cycles"), 900);
    const uint64_t waited = between(k, event(k, "tx.commit", 1, 0), event(k, "transaction", 1, 0));
    cr_expect_eq(threads(k, "committed"), (LANES - 1) * waited, "from the end of the first commit, that of the warp");
    kilo_rig_destroy(k);
}

/* Lane 0 gives up in its first attempt, while the others run on: it waits for the end of theirs. */
Test(tx_threads, who_gives_up_waits_for_the_others)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(A2, 0xCD0),
                              begin_tx(1),
                              csrr(A2, 0xCD0),
                              add(A2, A2, S0),
                              addi(A2, A2, -1),
                              bne(A2, ZERO, 8),
                              abort_tx(1),
                              lw(T1, 0, S1),
                              lw(T1, 1024, S1),
                              sw(T0, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = traced(NULL, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_program"), 1);
    const uint64_t first = between(k, event(k, "tx.execute", 0, 0), event(k, "tx.commit", 1, 0));
    cr_expect_eq(threads(k, "aborted"), first, "from the begin of the attempt to its end");
    kilo_rig_destroy(k);
}

static hd_kilo_written never_written(uint64_t address, hd_time t)
{
    (void)address, (void)t;
    return (hd_kilo_written){.t = 0};
}

/* Readers commit before the rest of the warp does. */
Test(tx_threads, silent_commits_end_the_attempt_of_their_lanes)
{
    const uint32_t words[] = {
        OWN_WORD, andi(A2, S0, 1), begin_tx(1), lw(T1, 0, S1), bne(A2, ZERO, 8), sw(T0, 0, S1), commit_tx(), ret(), 0};
    static const char *const tcd[] = {"tx.kilo.tcd=true", NULL};
    kilo_rig *k = traced(tcd, 1, words);
    k->written = never_written;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    const uint64_t silent = kilo_rig_statistic(k, "tx_silent_commits");
    const uint64_t end = kilo_rig_statistic(k, "tx_commit_cycles") + kilo_rig_statistic(k, "tx_resolve_cycles");
    cr_expect_eq(threads(k, "committing"), (LANES - silent) * end);
    cr_expect_eq(threads(k, "committed"), silent * end);
    cr_expect_eq(threads(k, "useful"), LANES * kilo_rig_statistic(k, "tx_execute_cycles"));
    cr_expect_eq(kit_recorded_count(rig_kit(k->rig), "kilo.silent"), 1);
    const kit_traced *told = event(k, "kilo.silent", 2, 0);
    cr_expect_eq(told->values[0], 0xAAA, "readers are the odd lanes");
    cr_expect_eq(told->values[1], 0);
    cr_expect_eq(silent, LANES / 2);
    kilo_rig_destroy(k);
}

/* Warp 1 comes late; both wait at warp.sync too, for a moment. */
Test(tx_threads, at_barriers)
{
    const uint32_t words[] = {csrr(S0, 0xCC0),    slli(S1, S0, 2), lui(A0, DATA), add(S1, A0, S1),
                              addi(A1, ZERO, 32), blt(S0, A1, 12), lw(T1, 0, S1), add(T1, T1, T1),
                              bar_sync(1),        warp_sync(),     ret(),         0};
    kilo_rig *k = traced(NULL, 1, words);
    rig_memory_delay(k->rig, 400);
    rig_launch(k->rig, 64, 0);
    kilo_rig_finish(k);
    cr_expect_gt(spans(k, "path.barrier", "path["), 350, "%lu", spans(k, "path.barrier", "path["));
    cr_expect_gt(spans(k, "path.warp_sync", "path["), 0);
    cr_expect_eq(threads(k, "barrier"), 32 * (spans(k, "path.barrier", "path[") + spans(k, "path.warp_sync", "path[")));
    cr_expect_eq(threads(k, "barrier") + threads(k, "other"), kilo_rig_statistic(k, "thread_cycles"));
    kilo_rig_destroy(k);
}

static uint64_t atomic_cycles(const uint32_t *words, uint32_t count, uint32_t delay)
{
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_memory_delay(k->rig, delay);
    rig_launch(k->rig, count, 0);
    kilo_rig_finish(k);
    const uint64_t cycles = threads(k, "atomic");
    cr_expect_eq(cycles + threads(k, "barrier") + threads(k, "other"), kilo_rig_statistic(k, "thread_cycles"));
    kilo_rig_destroy(k);
    return cycles;
}

/* The time of an atomic is that of the memory and of the way to it, whether somebody wants its result or not; that of two is counted
 * once where they overlap. */
Test(tx_threads, in_atomics)
{
    const uint32_t result[] = {OWN_WORD, amoadd(T1, T0, S1), add(T1, T1, T1), ret(), 0};
    const uint32_t none[] = {OWN_WORD, amoadd(ZERO, T0, S1), bar_sync(0), fence(), ret(), 0};
    const uint32_t two[] = {
        OWN_WORD, addi(A1, S1, 1024), amoadd(T1, T0, S1), amoadd(T2, T0, A1), add(T1, T1, T2), ret(), 0};
    const uint64_t one = atomic_cycles(result, 1, 100);
    cr_expect(one > 100 && one < 160, "%lu", one);
    cr_expect_eq(atomic_cycles(result, 1, 300), one + 200);
    cr_expect_eq(atomic_cycles(result, 7, 100), 7 * one, "of each thread");
    const uint64_t overlapping = atomic_cycles(two, 1, 100);
    cr_expect(overlapping > one && overlapping < one + 20, "%lu beside %lu", overlapping, one);
    const uint64_t unwanted = atomic_cycles(none, 1, 100);
    cr_expect(unwanted > 60 && unwanted <= one, "%lu; it waits at the barrier for a part of that", unwanted);
}

/* ---- On a time axis ------------------------------------------------------------------------------------------------------ */

Test(tx_kilo_trace, spans_are_the_cycles_of_the_statistics)
{
    static const char *const names[][2] = {{"kilo.ids", "tx_id_cycles"},
                                           {"kilo.send", "tx_send_cycles"},
                                           {"kilo.verdicts", "tx_verdict_cycles"},
                                           {"kilo.write", "tx_write_cycles"}};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = traced(NULL, aggregates, scattered_words());
        k->refuses = scattered_refuses_lane_4_once;
        scattered_launch(k->rig);
        kilo_rig_finish(k);
        for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
            cr_expect_gt(spans(k, names[i][0], "warp["), 0, "%s", names[i][0]);
            cr_expect_eq(spans(k, names[i][0], "warp["), kilo_rig_statistic(k, names[i][1]), "%s", names[i][0]);
        }
        const kit_traced *ids = event(k, "kilo.ids", 0, 0), *send = event(k, "kilo.send", 0, 0);
        cr_expect_eq(ids->values[0], 0xFFF);
        cr_expect_eq(send->values[0], 1, "the first ID");
        cr_expect_eq(send->values[1], 0xFFF);
        cr_expect_eq(event(k, "kilo.send", 0, 1)->values[0], 1 + LANES);
        cr_expect_eq(event(k, "kilo.send", 0, 1)->values[1], 1 << 4);
        kilo_rig_destroy(k);
    }
}

/* Lanes that a unit has not let pass, for each unit. */
static uint32_t failures(const kilo_rig *k)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < k->group_count; i++)
        for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
            lanes += (uint32_t)__builtin_popcountll(k->groups[i].judged[p] & ~k->groups[i].passed[p]);
    return lanes;
}

Test(tx_kilo_trace, verdicts_and_outcomes_are_those_of_the_lanes)
{
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        uint32_t count, fails = 0, arrows = 0;
        uint64_t commit = 0, abort = 0;
        kilo_rig *k = traced(NULL, aggregates, scattered_words());
        k->refuses = scattered_refuses_lane_4_once;
        scattered_launch(k->rig);
        kilo_rig_finish(k);
        cr_expect_eq(kit_recorded_count(rig_kit(k->rig), "kilo.verdict"), k->sent[KIND_VERDICT]);
        const kit_traced *all = kit_recorded(rig_kit(k->rig), &count);
        for (uint32_t i = 0; i < count; i++) {
            if (!strcmp(all[i].event, "kilo.verdict")) {
                cr_expect_lt(all[i].values[0], KILO_PARTITIONS);
                cr_expect_eq(all[i].values[2] & ~all[i].values[1], 0);
                fails += (uint32_t)__builtin_popcountll(all[i].values[1] & ~all[i].values[2]);
            }
            arrows += !strcmp(all[i].event, "failure");
            if (!strcmp(all[i].event, "kilo.outcome")) {
                commit += (uint64_t)__builtin_popcountll(all[i].values[1]);
                abort += (uint64_t)__builtin_popcountll(all[i].values[2]);
            }
        }
        cr_expect_gt(fails, 0);
        cr_expect_eq(fails, failures(k));
        cr_expect_eq(arrows, fails);
        cr_expect_eq(commit, kilo_rig_statistic(k, "tx_commits"));
        cr_expect_eq(abort, kilo_rig_statistic(k, "tx_aborts_validation"));
        kilo_rig_destroy(k);
    }
}

/* Lane 2 divides its index by nothing that there is: it stores to an odd address. */
Test(tx_kilo_trace, lanes_in_trouble_are_shown)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(A2, 0xCD0),
                              begin_tx(1),
                              csrr(A2, 0xCD0),
                              lw(T1, 0, S1),
                              add(A3, A2, S0),
                              addi(A3, A3, -3),
                              bne(A3, ZERO, 8),
                              sw(T0, 1, S1),
                              sw(T0, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = traced(NULL, 1, words);
    k->refuses = scattered_refuses_lane_4_once;
    rig_launch(k->rig, 4, 0);
    kit_expect_fault(rig_kit(k->rig));
    kit_run_until(rig_kit(k->rig), kit_cycles(rig_kit(k->rig), 5000));
    cr_expect_not_null(kit_fault_text(rig_kit(k->rig)));
    const kit_traced *told = event(k, "kilo.suspects", 2, 0);
    cr_expect_eq(told->values[0], CODE + 4 * 12);
    cr_expect_eq(told->values[1], 1 << 2);
    kilo_rig_destroy(k);
}
