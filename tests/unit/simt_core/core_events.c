/* SPDX-License-Identifier: MIT */
/* What a core tells its units (path_event.h), and how it deals with those that have a sense of time. */
#include "core_pair.h"
#include "core_profiled.h"
#include "core_random_program.h"
#include "core_rig.h"
#include "instruction.h"
#include "toy_units.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is told ------------------------------------------------------------------------------------------------------- */

static void listen(const hd_unit *unit, const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    kit_fit_unit(unit);
    toy_heard.count = 0;
    rig_cycles(parameters, words, threads);
    cr_assert_leq(toy_heard.count, TOY_EVENTS);
}

/* The event of this kind that comes at this place among those; its place among all. */
static const path_event *heard(uint32_t kind, uint32_t place, uint32_t *at)
{
    for (uint32_t i = 0; i < toy_heard.count; i++) {
        if (toy_heard.events[i].kind != kind || place--)
            continue;
        if (at)
            *at = i;
        return &toy_heard.events[i];
    }
    return NULL;
}

static const char *const standard[] = {NULL};

/* Lanes 0 to 9 take the branch to the end, the others go round again. */
Test(simt_core_events, branches_are_told_with_target_and_taken_lanes)
{
    const uint32_t words[] = {csrr(T0, 0xCCC),    addi(T1, ZERO, 10), /* 8: */ blt(T0, T1, 12),
                              addi(T0, T0, -16), /* 16: */ jal(ZERO, -8), /* 20: */ ret(), 0};
    listen(&toy_listening_scheduler, standard, words, 32);
    const path_event *branch = heard(PATH_BRANCHED, 0, NULL), *jump = heard(PATH_BRANCHED, 1, NULL);
    cr_assert(branch && jump);
    cr_expect(branch->pc == CODE + 8 && branch->target == CODE + 20 && branch->mask == 0xFFFFFFFF);
    cr_expect_eq(branch->taken, 0x3FF);
    cr_expect(path_event_is_divergent(branch) && !path_event_is_backward(branch));
    cr_expect(branch->group_count == 2 && branch->path == 0 && branch->warp == 0);
    /* Those that go on alone jump back, all of them. */
    cr_expect(jump->pc == CODE + 16 && jump->target == CODE + 8 && path_event_is_backward(jump));
    cr_expect(jump->taken == jump->mask && !path_event_is_divergent(jump));
    /* The last thing that happens to a lane is that it leaves, by a transfer that leads nowhere. */
    const path_event *last = heard(PATH_EXITED, 0, NULL);
    cr_assert(last && !heard(PATH_EXITED, 1, NULL));
    cr_expect(last->mask == 0xFFFFFFFF && last->pc == CODE + 20);
}

/* Both sides have come to the end of the branch: a stack's stop point. */
Test(simt_core_events, arrivals_at_a_stop_point_are_told)
{
    const uint32_t words[] = {csrr(T0, 0xCCC),  addi(T1, ZERO, 10), /* 8: */ blt(T0, T1, 12), addi(T0, T0, 1),
                              jal(ZERO, 8),     /* 20: */ addi(T0, T0, 2), /* 24: */ ret(),   0};
    listen(&toy_listening_scheduler, standard, words, 32);
    const path_event *arrival = heard(PATH_ARRIVED, 0, NULL);
    cr_assert_not_null(arrival);
    cr_expect(arrival->pc == CODE + 24 && arrival->mask == 0x3FF, "0x%x %lx", arrival->pc, arrival->mask);
}

static void expect_compare(uint32_t place, uint32_t pc, uint64_t mask, uint32_t lane, uint32_t left, uint32_t right)
{
    uint32_t at = 0;
    const path_event *event = heard(PATH_COMPARED, place, &at);
    cr_assert_not_null(event, "compare %u", place);
    cr_expect(event->pc == pc && event->mask == mask, "compare %u: pc 0x%x mask %lx", place, event->pc, event->mask);
    cr_expect(toy_heard.left[at][lane] == left && toy_heard.right[at][lane] == right, "compare %u: %x and %x", place,
              toy_heard.left[at][lane], toy_heard.right[at][lane]);
}

/* Each writes what it compares, so that it must be told before. Others are not told. */
Test(simt_core_events, compares_are_told_with_their_operands_before_anything_is_written)
{
    const uint32_t words[] = {csrr(T0, 0xCCC),
                              addi(T1, ZERO, 7),
                              /* 8: slt t1, t0, t1 */ r_type(0x33, 2, 0, T1, T0, T1),
                              /* 12: sltu t1, t0, t1 */ r_type(0x33, 3, 0, T1, T0, T1),
                              /* 16: slti t2, t0, -3 */ i_type(0x13, 2, T2, T0, -3),
                              /* 20: sltiu t0, t0, 5 */ i_type(0x13, 3, T0, T0, 5),
                              /* 24: fmv.w.x f1, t0 */ r_type(0x53, 0, 0x78, 1, T0, 0),
                              /* 28: feq.s t2, f1, f0 */ r_type(0x53, 2, 0x50, T2, 1, 0),
                              /* 32: flt.s t2, f0, f1 */ r_type(0x53, 1, 0x50, T2, 0, 1),
                              /* 36: fle.s t2, f1, f1 */ r_type(0x53, 0, 0x50, T2, 1, 1),
                              /* 40: */ add(T2, T0, T1),
                              /* 44: */ bne(T0, ZERO, 4),
                              /* 48: */ ret(),
                              0};
    const uint64_t all = 0xFFFFFFFF;
    listen(&toy_listening_scheduler, standard, words, 32);
    expect_compare(0, CODE + 8, all, 20, 20, 7);
    expect_compare(1, CODE + 12, all, 3, 3, 1);
    expect_compare(2, CODE + 16, all, 20, 20, (uint32_t)-3);
    expect_compare(3, CODE + 20, all, 4, 4, 5);
    expect_compare(4, CODE + 28, all, 4, 1, 0);
    expect_compare(5, CODE + 32, all, 4, 0, 1);
    expect_compare(6, CODE + 36, all, 9, 0, 0);
    expect_compare(7, CODE + 44, all, 4, 1, 0);
    cr_expect_null(heard(PATH_COMPARED, 8, NULL));
    /* Each at its issue: the one just told. */
    for (uint32_t i = 0; i < toy_heard.count; i++) {
        if (toy_heard.events[i].kind == PATH_COMPARED)
            cr_expect(i && toy_heard.events[i - 1].kind == PATH_ISSUED &&
                      toy_heard.events[i - 1].pc == toy_heard.events[i].pc);
    }
}

static void expect_stall(uint32_t place, uint32_t pc, uint32_t stall, uint64_t *cycles)
{
    const path_event *begin = heard(PATH_STALLED, place, NULL), *end = heard(PATH_STALL_ENDED, place, NULL);
    cr_assert(begin && end, "stall %u", place);
    cr_expect(begin->pc == pc && begin->stall == stall, "stall %u: pc 0x%x for %u", place, begin->pc, begin->stall);
    cr_expect(end->pc == pc && end->stall == stall && end->since == begin->cycle, "stall %u: until 0x%x", place,
              end->pc);
    *cycles = end->cycle - end->since;
}

/* The add of the loaded value, the one of the sum, and the fence after the store. */
Test(simt_core_events, stalls_are_told_with_their_cause_and_length)
{
    const char *const parameters[] = {"integer.latency=9 cycles", NULL};
    const char *const slow[] = {"integer.latency=30 cycles", NULL};
    const uint32_t words[] = {lui(A0, DATA), lw(T0, 0, A0),          add(T1, T0, T0), add(T2, T1, T1),
                              sw(T2, 0, A0), /* 20: */ fence(), ret(), 0};
    uint64_t load, sum, other;
    listen(&toy_listening_scheduler, parameters, words, 32);
    expect_stall(0, CODE + 4, PATH_STALL_RESULT, &other); /* of lui */
    expect_stall(1, CODE + 8, PATH_STALL_DATA, &load);
    expect_stall(2, CODE + 12, PATH_STALL_RESULT, &sum);
    expect_stall(3, CODE + 16, PATH_STALL_RESULT, &other);
    expect_stall(4, CODE + 20, PATH_STALL_FENCE, &other);
    cr_expect_null(heard(PATH_STALLED, 5, NULL));
    cr_expect_gt(load, 20, "a trip to the memory");
    listen(&toy_listening_scheduler, slow, words, 32);
    expect_stall(2, CODE + 12, PATH_STALL_RESULT, &other);
    cr_expect_eq(other, sum + 30 - 9);
}

/* The longest stall is told as the cycles that the slots say. */
Test(simt_core_events, cycles_of_stalls_are_those_of_the_slots)
{
    const char *const parameters[] = {"schedulers=1", "simd_width=32", NULL};
    const uint32_t words[] = {lui(A0, DATA), lw(T0, 0, A0), add(T1, T0, T0), ret(), 0};
    uint64_t cycles = 0;
    kit_fit_unit(&toy_listening_scheduler);
    toy_heard.count = 0;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    for (uint32_t i = 0; i < toy_heard.count; i++)
        cycles += toy_heard.events[i].kind == PATH_STALL_ENDED ? toy_heard.events[i].cycle - toy_heard.events[i].since : 0;
    cr_expect_eq(cycles, kit_statistic(rig_kit(rig), "slots_memory_data") +
                             kit_statistic(rig_kit(rig), "slots_dependence"));
    rig_destroy(rig);
}

/* Two warps at barrier 3, then each for itself at a warp.sync. Told to both kinds of units. */
static void expect_barriers(const hd_unit *unit)
{
    const char *const parameters[] = {"schedulers=1", "barrier.latency=11 cycles", NULL};
    const uint32_t words[] = {addi(T0, T0, 1), bar_sync(3), warp_sync(), ret(), 0};
    listen(unit, parameters, words, 64);
    for (uint32_t i = 0; i < 4; i++) {
        const path_event *reached = heard(PATH_BARRIER_REACHED, i, NULL), *opened = heard(PATH_BARRIER_OPENED, i, NULL);
        const uint32_t number = i < 2 ? 3 : BARRIER_OF_WARP;
        cr_assert(reached && opened, "%s %u", unit->kind, i);
        cr_expect(reached->barrier == number && opened->barrier == number, "%s %u", unit->kind, i);
        cr_expect(reached->warp == i % 2 && reached->path == i % 2 && reached->mask == 0xFFFFFFFF, "%s %u", unit->kind,
                  i);
        cr_expect(reached->pc == CODE + (i < 2 ? 4 : 8), "%s %u", unit->kind, i);
        cr_expect(opened->warp == i % 2 && opened->path == NO_PATH, "%s %u", unit->kind, i);
    }
    cr_expect_eq(heard(PATH_BARRIER_OPENED, 0, NULL)->cycle, heard(PATH_BARRIER_REACHED, 1, NULL)->cycle + 11);
    cr_expect_eq(heard(PATH_BARRIER_OPENED, 1, NULL)->cycle, heard(PATH_BARRIER_REACHED, 1, NULL)->cycle + 11);
    cr_expect_eq(heard(PATH_BARRIER_OPENED, 3, NULL)->cycle, heard(PATH_BARRIER_REACHED, 3, NULL)->cycle + 11);
    cr_expect_null(heard(PATH_BARRIER_REACHED, 4, NULL));
    cr_expect_null(heard(PATH_BARRIER_OPENED, 4, NULL));
}

Test(simt_core_events, barriers_are_told_when_they_are_reached_and_opened)
{
    expect_barriers(&toy_listening_scheduler);
    expect_barriers(&toy_listening_stack);
}

/* It is called for these. */
Test(simt_core_events, a_reconvergence_unit_is_not_told_again_of_what_it_decides)
{
    const uint32_t words[] = {csrr(T0, 0xCCC), addi(T1, ZERO, 10), blt(T0, T1, 8), addi(T0, T0, 1), ret(), 0};
    listen(&toy_listening_stack, standard, words, 32);
    cr_expect(heard(PATH_ISSUED, 0, NULL) && heard(PATH_STALLED, 0, NULL) && heard(PATH_COMPARED, 0, NULL));
    cr_expect(!heard(PATH_BRANCHED, 0, NULL) && !heard(PATH_ARRIVED, 0, NULL) && !heard(PATH_EXITED, 0, NULL));
}

/* ---- A reconvergence unit with a clock ---------------------------------------------------------------------------------- */

static const char *const one_port[] = {"schedulers=1", "simd_width=32", NULL};

static uint64_t run_late(uint64_t delay, uint64_t *idle)
{
    const uint32_t words[] = {addi(T0, T0, 1), mul(T1, T0, T0), ret(), 0};
    toy_delay = delay;
    kit_fit_unit(&toy_late_stack);
    core_rig *rig = rig_create(one_port, words);
    rig_launch(rig, 64, 0);
    rig_launch(rig, 64, 0);
    const uint64_t cycles = rig_finish(rig);
    *idle = kit_statistic(rig_kit(rig), "slots_idle");
    cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), 128);
    rig_destroy(rig);
    return cycles;
}

/* The two launches come one cycle apart, with and without. */
Test(simt_core_events, a_reconvergence_unit_is_woken_when_it_said)
{
    uint64_t idle_soon, idle_late;
    const uint64_t soon = run_late(1, &idle_soon), late = run_late(778, &idle_late);
    cr_expect_eq(late, soon + 777, "%lu and %lu", late, soon);
    cr_expect_eq(idle_late, idle_soon + 777, "%lu and %lu", idle_late, idle_soon);
}

/* ---- Barriers and lanes that run in turn --------------------------------------------------------------------------------- */

static uint32_t expected_of(uint32_t thread)
{
    return (thread ^ 1) + (thread & 1 ? 100 : 200);
}

/* Odd and even lanes store, meet at different barrier instructions, and load what the neighbour has stored. */
static void exchange_program(uint32_t *words, uint32_t rounds)
{
    const uint32_t program[] = {csrr(T0, 0xCC0),
                                lui(A0, DATA),
                                slli(T1, T0, 2),
                                add(A1, A0, T1),
                                andi(T2, T0, 1),
                                /* 20: */ bne(T2, ZERO, 36),
                                addi(A2, T0, 100),
                                DELAY(rounds),
                                sw(A2, 0, A1),
                                fence(),
                                bar_sync(0),
                                jal(ZERO, 20),
                                /* 56: */ addi(A2, T0, 200),
                                sw(A2, 0, A1),
                                fence(),
                                bar_sync(0),
                                /* 72: the neighbour's word */ i_type(0x13, 4, T1, T0, 1),
                                slli(T1, T1, 2),
                                add(T1, A0, T1),
                                lw(A3, 0, T1),
                                sw(A3, 1024, A1),
                                csrr(A3, 0xC02),
                                lui(A4, 0x1000),
                                add(A4, A4, A1),
                                sw(A3, 0, A4),
                                ret(),
                                0};
    memcpy(words, program, sizeof program);
}

static void expect_exchange(core_rig *rig, uint32_t threads, uint32_t rounds)
{
    for (uint32_t thread = 0; thread < threads; thread++) {
        const uint32_t word = rig_word(rig, DATA + 1024 + 4 * thread);
        const uint32_t retired = rig_word(rig, DATA + 0x1000 + 4 * thread);
        cr_expect_eq(word, expected_of(thread), "thread %u: %u", thread, word);
        cr_expect_eq(retired, thread & 1 ? 15 : 17 + 2 * rounds, "thread %u: %u instructions of its own", thread,
                     retired);
    }
}

Test(simt_core_events, lanes_that_wait_at_a_barrier_let_others_of_their_path_run)
{
    uint32_t words[32];
    exchange_program(words, 1);
    kit_fit_unit(&toy_turns);
    core_rig *rig = rig_create(standard, words);
    rig_launch(rig, 96, 0);
    rig_finish(rig);
    expect_exchange(rig, 96, 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 1);
    rig_destroy(rig);
}

/* The odd lanes are out of sight while the even ones go round: they must be at the barrier on the other core too. */
Test(simt_core_events, lanes_out_of_sight_move_with_their_block)
{
    uint32_t words[32];
    exchange_program(words, 200);
    kit_fit_unit(&toy_turns);
    core_pair *pair = pair_create(standard, standard, words);
    pair_launch(pair, 0, 96, 0);
    while (pair_statistic(pair, "thread_instructions") < 96 * 40)
        pair_run(pair, 1);
    cr_assert(pair_move(pair, 0, 0));
    pair_finish(pair, 1);
    expect_exchange(pair->rig[0], 96, 200);
    pair_destroy(pair);
}

/* ---- Nothing is changed by being told ------------------------------------------------------------------------------------- */

#define PROGRAMS 60u

static uint64_t run_random(const hd_unit *unit, const char *const *parameters, const uint32_t *words, uint64_t seed,
                           uint64_t disturbance)
{
    const uint32_t threads = 1 + (uint32_t)(seed * 7919 % 80);
    kit_fit_unit(unit);
    core_rig *rig = rig_create(parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    kit_disturb(rig_kit(rig), disturbance);
    for (uint32_t block = 0; block < 2; block++) {
        const hd_grid grid = {.grid_size = {2, 1, 1},
                              .block_size = {threads, 1, 1},
                              .scratchpad_bytes = threads * 4 + 32,
                              .private_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    }
    rig_finish(rig);
    profiled_expect_identities(&profiled, unit ? unit->name : "none");
    const uint64_t fingerprint = kit_fingerprint(rig_kit(rig)) ^ profiled_fingerprint(&profiled);
    rig_destroy(rig);
    profiled_end(&profiled);
    return fingerprint;
}

Test(simt_core_events, who_listens_changes_nothing)
{
    static const char *const lrr[] = {"scheduler=lrr", NULL};
    static const char *const lrr_dual[] = {"scheduler=lrr", "issue.per_warp=2", "registers.banks=4",
                                           "registers.collectors=3", "write_back.width=1", NULL};
    static const char *const dual[] = {"issue.per_warp=2", "registers.banks=4", "registers.collectors=3",
                                       "write_back.width=1", NULL};
    static uint32_t words[RANDOM_WORDS];
    const uint64_t first = 20261123;
    fprintf(stderr, "who listens: seeds %lu to %lu\n", first, first + PROGRAMS - 1);
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        random_program(seed, words);
        toy_heard.count = 0;
        cr_expect_eq(run_random(NULL, lrr, words, seed, 0),
                     run_random(&toy_listening_scheduler, standard, words, seed, seed),
                     "seed %lu", seed);
        cr_expect_eq(run_random(NULL, standard, words, seed, 0),
                     run_random(&toy_listening_stack, standard, words, seed, seed),
                     "seed %lu", seed);
        cr_expect_eq(run_random(NULL, lrr_dual, words, seed, 0),
                     run_random(&toy_listening_scheduler, dual, words, seed, seed),
                     "seed %lu", seed);
        cr_expect_gt(toy_heard.count, 100);
    }
}

/* ---- Declining, whoever else has work ------------------------------------------------------------------------------------ */

/* The slots and the end are the same however the time is cut, and every slot is counted. */
Test(simt_core_events, a_scheduler_that_declines_does_so_whatever_the_horizons_are)
{
    static const char *const several[] = {"schedulers=3", "warps=24", "issue.per_warp=2", "divide.interval=40 cycles", NULL};
    static uint32_t words[RANDOM_WORDS];
    const uint64_t first = 20261201;
    fprintf(stderr, "declining: seeds %lu to %lu\n", first, first + PROGRAMS - 1);
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        random_program(seed, words);
        toy_patience = seed % 30;
        const uint64_t whole = run_random(&toy_patient_scheduler, several, words, seed, 0);
        cr_expect_eq(whole, run_random(&toy_patient_scheduler, several, words, seed, seed), "seed %lu", seed);
    }
}
