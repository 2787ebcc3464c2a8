/* SPDX-License-Identifier: MIT */
/* Schedulers that decline: when they are asked again, and what becomes of the slots. */
#include "core_rig.h"
#include "toy_units.h"

#include <criterion/criterion.h>
#include <string.h>

#define LENGTH 40u

/* An instruction is decoded 3 cycles after the one before it has issued. */
static const char *const one_port[] = {"schedulers=1", "simd_width=32", "fetch.latency=3 cycles", NULL};
static const char *const two_ports[] = {"schedulers=2", "simd_width=32", "fetch.latency=3 cycles", NULL};

static void straight_line(uint32_t words[LENGTH + 2])
{
    for (uint32_t i = 0; i < LENGTH; i++)
        words[i] = addi(ZERO, T1, 1);
    words[LENGTH] = ret();
    words[LENGTH + 1] = 0;
}

typedef struct run {
    uint64_t cycles, backed_off, decode, slots;
    uint32_t asked;
} run;

static void measure(core_rig *rig, uint32_t threads, run *r)
{
    const uint64_t slots_before = kit_statistic(rig_kit(rig), "slots_backed_off");
    const uint64_t decode_before = kit_statistic(rig_kit(rig), "slots_decode");
    const uint32_t asked_before = toy_asked;
    rig_launch(rig, threads, kit_now(rig_kit(rig)));
    r->cycles = rig_finish(rig);
    r->backed_off = kit_statistic(rig_kit(rig), "slots_backed_off") - slots_before;
    r->decode = kit_statistic(rig_kit(rig), "slots_decode") - decode_before;
    r->asked = toy_asked - asked_before;
    r->slots = 0;
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        r->slots += strncmp(name, "slots_", 6) ? 0 : kit_statistic(rig_kit(rig), name);
    }
}

static run run_patient(const char *const *parameters, uint32_t threads, uint64_t patience)
{
    uint32_t words[LENGTH + 2];
    run r;
    straight_line(words);
    toy_patience = patience;
    kit_fit_unit(&toy_patient_scheduler);
    core_rig *rig = rig_create(parameters, words);
    measure(rig, threads, &r);
    cr_expect_eq(r.slots, kit_statistic(rig_kit(rig), "cycles") * (parameters == one_port ? 1 : 2));
    rig_destroy(rig);
    return r;
}

/* 41 instructions with 40 gaps. In each the next one is there after 3 cycles, and issues after 10: 2 slots of decode, 7 of waiting,
 * in which the scheduler is asked at the first one, and again when the result of the one before is written, 7 cycles after its issue. */
Test(simt_core_events, a_scheduler_that_declines_is_asked_again_when_it_said)
{
    const run at_once = run_patient(one_port, 32, 0), later = run_patient(one_port, 32, 10);
    cr_expect_eq(at_once.backed_off, 0);
    cr_expect_eq(at_once.asked, LENGTH + 1);
    cr_expect_eq(later.cycles, at_once.cycles + LENGTH * (10 - 3));
    cr_expect_eq(later.backed_off, LENGTH * (10 - 3));
    cr_expect_eq(later.decode, at_once.decode);
    cr_expect_eq(later.asked, LENGTH + 1 + 2 * LENGTH, "%u times", later.asked);
}

/* Until the first warp has ended its port is faster: it is asked first. All 82 instructions are 10 cycles apart. */
Test(simt_core_events, instances_of_a_scheduler_share_what_is_of_the_core)
{
    const run one = run_patient(two_ports, 32, 10), two = run_patient(two_ports, 64, 10);
    cr_expect_eq(two.cycles, one.cycles + (LENGTH + 1) * 10, "%lu and %lu", two.cycles, one.cycles);
}

/* Path 0 is held back all the time. The second divide of path 1 is ready long before the divider takes it: it issues when that does. */
Test(simt_core_events, a_scheduler_that_declines_is_asked_when_there_is_more_to_choose_from)
{
    const char *const parameters[] = {"schedulers=1", "simd_width=32", "divide.interval=40 cycles", NULL};
    const uint32_t words[] = {addi(T2, T2, 1), divu(T0, S0, S1), divu(T1, S0, S1), ret(), 0};
    toy_hold = 1000;
    toy_issue_count = 0;
    kit_fit_unit(&toy_holding_scheduler);
    rig_cycles(parameters, words, 64);
    cr_assert_eq(toy_issue_count, 4);
    cr_expect_eq(toy_issues[2] - toy_issues[1], 40, "%lu", toy_issues[2] - toy_issues[1]);
}

/* Port 0 declines its divide; then port 1 takes the divider, and for the 39 cycles after that it is in the way, not the scheduler. */
Test(simt_core_events, a_slot_is_backed_off_only_while_something_could_issue)
{
    const char *const parameters[] = {"schedulers=2", "simd_width=32", "divide.interval=40 cycles",
                                      "fetch.latency=3 cycles", NULL};
    const uint32_t words[] = {divu(T0, S0, S1), ret(), 0};
    uint64_t backed_off[2];
    for (uint32_t run = 0; run < 2; run++) {
        toy_hold = run ? 700 : 300;
        kit_fit_unit(&toy_holding_scheduler);
        core_rig *rig = rig_create(parameters, words);
        rig_launch(rig, 64, 0);
        rig_finish(rig);
        cr_expect_eq(kit_statistic(rig_kit(rig), "slots_unit_busy"), 39, "%lu",
                     kit_statistic(rig_kit(rig), "slots_unit_busy"));
        backed_off[run] = kit_statistic(rig_kit(rig), "slots_backed_off");
        rig_destroy(rig);
    }
    cr_expect_eq(backed_off[1] - backed_off[0], 400);
}

/* What it had learnt is gone with an alignment. */
Test(simt_core_events, what_instances_share_is_reset_with_them)
{
    uint32_t words[] = {ret(), 0};
    run first, second;
    kit_fit_unit(&toy_patient_scheduler);
    toy_patience = 1000000;
    core_rig *rig = rig_create(one_port, words);
    measure(rig, 32, &first);
    kit_align(rig_kit(rig));
    const uint64_t began = kit_now(rig_kit(rig)) / 1000;
    measure(rig, 32, &second);
    cr_expect_lt(second.cycles - began, 1000, "%lu", second.cycles - began);
    cr_expect_eq(second.backed_off, 0);
    rig_destroy(rig);
}

/* The cycle that it says is one of those that it is asked in: they begin anew with an alignment. */
Test(simt_core_events, a_scheduler_that_declines_is_not_asked_more_often_after_an_alignment)
{
    uint32_t words[LENGTH + 2];
    run first, second;
    straight_line(words);
    kit_fit_unit(&toy_patient_scheduler);
    toy_patience = 10;
    core_rig *rig = rig_create(one_port, words);
    measure(rig, 32, &first);
    kit_align(rig_kit(rig));
    measure(rig, 32, &second);
    cr_expect_eq(second.backed_off, first.backed_off);
    cr_expect_eq(second.asked, first.asked, "%u and %u times", second.asked, first.asked);
    rig_destroy(rig);
}
