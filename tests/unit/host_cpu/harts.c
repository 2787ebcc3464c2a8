/* SPDX-License-Identifier: MIT */
/* Harts that share RAM: random programs against an oracle of the documented order, litmus tests, sums, and that how far they run ahead
 * changes nothing. */
#include <stdio.h>
#include <string.h>

#include "harts_program.h"
#include "rig.h"

enum { SEEDS = 150, LITMUS_SHIFTS = 12 };

static void expect_as_oracle(uint64_t seed, const harts_program *program, const program_costs *costs,
                             const char *quantum, const char *undo)
{
    char texts[5][40];
    program_memory found, expected;
    snprintf(texts[0], sizeof *texts, "harts=%u", program->harts);
    snprintf(texts[1], sizeof *texts, "cpi.each=%u cycles", costs->each);
    snprintf(texts[2], sizeof *texts, "cpi.load=%u cycles", costs->load);
    snprintf(texts[3], sizeof *texts, "cpi.store=%u cycles", costs->store);
    snprintf(texts[4], sizeof *texts, "cpi.atomic=%u cycles", costs->atomic);
    harts_program_expect(program, costs, &expected);
    harts_program_run(program, (const char *[]){texts[0], texts[1], texts[2], texts[3], texts[4], quantum, undo, NULL},
                      &found);
    for (uint32_t hart = 0; hart < program->harts; hart++)
        for (uint32_t i = 0; i < program->steps[hart]; i++)
            cr_assert_eq(found.log[hart][i], expected.log[hart][i], "seed %llu, %s: hart %u, step %u: %llu, not %llu",
                         (unsigned long long)seed, quantum, hart, i, (unsigned long long)found.log[hart][i],
                         (unsigned long long)expected.log[hart][i]);
    for (uint32_t slot = 0; slot < PROGRAM_SLOTS; slot++)
        cr_assert_eq(found.slots[slot], expected.slots[slot], "seed %llu, %s: slot %u", (unsigned long long)seed,
                     quantum, slot);
}

Test(harts, see_what_an_oracle_of_the_documented_order_sees, .timeout = 120)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t random = seed;
        static harts_program program;
        harts_program_random(&program, seed % 2 ? 2 : 4, &random);
        const program_costs costs = {.each = 1 + (uint32_t)(kit_random(&random) % 2),
                                     .load = (uint32_t)(kit_random(&random) % 3),
                                     .store = (uint32_t)(kit_random(&random) % 3),
                                     .atomic = (uint32_t)(kit_random(&random) % 6)};
        expect_as_oracle(seed, &program, &costs, "quantum=100 us", "undo_stores=32768");
        expect_as_oracle(seed, &program, &costs, seed % 3 ? "quantum=1 ps" : "quantum=30 ns", "undo_stores=3");
    }
    cr_log_info("seeds 1 to %d", SEEDS);
}

/* ---- Sums ----------------------------------------------------------------------------------------------------------- */

Test(harts, lose_no_addition)
{
    static harts_program program;
    program_memory found;
    for (uint32_t harts = 2; harts <= PROGRAM_HARTS_MAX; harts++) {
        char text[16];
        uint64_t sum = 0, random = harts;
        memset(&program, 0, sizeof program);
        program.harts = harts;
        for (uint32_t hart = 0; hart < harts; hart++)
            for (uint32_t i = 0; i < PROGRAM_STEPS_MAX; i++) {
                const uint32_t value = 1 + (uint32_t)(kit_random(&random) % 1000);
                program.step[hart][program.steps[hart]++] = (step){.kind = STEP_ADD, .value = value};
                sum += value;
            }
        snprintf(text, sizeof text, "harts=%u", harts);
        harts_program_run(&program, (const char *[]){text, NULL}, &found);
        cr_expect_eq(found.slots[0], sum, "%u harts", harts);
    }
}

/* ---- Litmus tests --------------------------------------------------------------------------------------------------- */

static void append(harts_program *program, uint32_t hart, enum step_kind kind, uint32_t slot, uint32_t value)
{
    program->step[hart][program->steps[hart]++] = (step){.kind = kind, .slot = slot, .value = value};
}

static void wait(harts_program *program, uint32_t hart, uint32_t instructions)
{
    for (; instructions > 0; instructions -= instructions < 3 ? instructions : 3)
        append(program, hart, STEP_PAUSE, 0, instructions < 3 ? instructions : 3);
}

static uint64_t last_of(const harts_program *program, const program_memory *memory, uint32_t hart, uint32_t before_last)
{
    return memory->log[hart][program->steps[hart] - 1 - before_last];
}

/* Each of two harts stores, then loads what the other stores: not both may miss it. */
Test(harts, do_not_both_load_before_the_other_has_stored)
{
    uint32_t seen[4] = {0};
    for (uint32_t shift = 0; shift < 2 * LITMUS_SHIFTS; shift++) {
        static harts_program program;
        program_memory found;
        program = (harts_program){.harts = 2};
        for (uint32_t hart = 0; hart < 2; hart++) {
            wait(&program, hart, hart ? shift : LITMUS_SHIFTS);
            append(&program, hart, STEP_STORE, hart, 1);
            append(&program, hart, STEP_LOAD, 1 - hart, 0);
        }
        harts_program_run(&program, (const char *[]){"harts=2", "cpi.store=2 cycles", NULL}, &found);
        seen[2 * last_of(&program, &found, 0, 0) + last_of(&program, &found, 1, 0)]++;
    }
    cr_expect_eq(seen[0], 0, "both have missed the other's store");
    cr_expect(seen[1] && seen[2] && seen[3], "the test has not tried everything: %u %u %u", seen[1], seen[2], seen[3]);
}

/* Who sees the flag sees the message. */
Test(harts, see_a_message_before_its_flag)
{
    uint32_t seen[4] = {0};
    for (uint32_t shift = 0; shift < 2 * LITMUS_SHIFTS; shift++) {
        static harts_program program;
        program_memory found;
        program = (harts_program){.harts = 2};
        wait(&program, 0, LITMUS_SHIFTS);
        append(&program, 0, STEP_STORE, 0, 1);
        append(&program, 0, STEP_STORE, 1, 1);
        wait(&program, 1, shift);
        append(&program, 1, STEP_LOAD, 1, 0);
        append(&program, 1, STEP_LOAD, 0, 0);
        harts_program_run(&program, (const char *[]){"harts=2", NULL}, &found);
        seen[2 * last_of(&program, &found, 1, 1) + last_of(&program, &found, 1, 0)]++;
    }
    cr_expect_eq(seen[2], 0, "the flag without the message");
    cr_expect(seen[0] && seen[1] && seen[3], "the test has not tried everything: %u %u %u", seen[0], seen[1], seen[3]);
}

/* Two harts that read two independent stores agree on which was first. */
Test(harts, agree_on_the_order_of_independent_stores)
{
    for (uint32_t shift = 0; shift < LITMUS_SHIFTS * LITMUS_SHIFTS; shift++) {
        static harts_program program;
        program_memory found;
        program = (harts_program){.harts = 4};
        wait(&program, 0, LITMUS_SHIFTS / 2);
        append(&program, 0, STEP_STORE, 0, 1);
        wait(&program, 1, shift % LITMUS_SHIFTS);
        append(&program, 1, STEP_STORE, 1, 1);
        wait(&program, 2, shift / LITMUS_SHIFTS);
        wait(&program, 3, (shift / 5) % LITMUS_SHIFTS);
        for (uint32_t hart = 2; hart < 4; hart++) {
            append(&program, hart, STEP_LOAD, hart - 2, 0);
            append(&program, hart, STEP_LOAD, 3 - hart, 0);
        }
        harts_program_run(&program, (const char *[]){"harts=4", NULL}, &found);
        cr_expect_not(last_of(&program, &found, 2, 1) && !last_of(&program, &found, 2, 0) &&
                          last_of(&program, &found, 3, 1) && !last_of(&program, &found, 3, 0),
                      "shift %u: each has seen the other's later", shift);
    }
}

/* ---- Among others ---------------------------------------------------------------------------------------------------- */

static uint64_t run_mix(const char *quantum, const char *undo, uint64_t seed, uint64_t *interrupts)
{
    static rig rig;
    hd_time t = 0;
    rig_open(&rig, "mix", (const char *[]){"harts=3", quantum, undo, NULL});
    for (uint32_t i = 0; i < 60; i++) {
        const uint64_t data = kit_random(&seed);
        t += (kit_random(&seed) % (i % 3 ? 4000 : 40)) * 997;
        if (data & 1)
            rig_line_of_hart(&rig, (uint32_t)(data >> 8) % 3, data & 2 ? HART_TIMER_INTERRUPT : HART_EXTERNAL_INTERRUPT,
                             1, t);
        else
            rig_access(&rig, 4096 + (data >> 8) % 640, &data, 8, t);
        kit_run_until(rig.kit, t);
    }
    kit_run_until(rig.kit, t + 1000 * CYCLE);
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < rig.store_count; i++) {
        const uint64_t words[] = {rig.stores[i].t, rig.stores[i].offset, rig.stores[i].value};
        for (uint32_t w = 0; w < 3; w++)
            hash = (hash ^ words[w]) * 1099511628211u;
    }
    *interrupts = kit_statistic(rig.kit, "interrupts_taken");
    rig_close(&rig);
    return hash;
}

Test(harts, run_ahead_as_far_as_they_like, .timeout = 120)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t interrupts, others;
        const uint64_t exact = run_mix("quantum=1 ps", "undo_stores=32768", seed, &interrupts);
        cr_expect_gt(interrupts, 3, "seed %llu", (unsigned long long)seed);
        static const char *const quanta[] = {"quantum=50 ns", "quantum=3 us", "quantum=100 us"};
        for (uint32_t i = 0; i < 3; i++) {
            cr_expect_eq(run_mix(quanta[i], i ? "undo_stores=32768" : "undo_stores=5", seed, &others), exact,
                         "seed %llu, %s", (unsigned long long)seed, quanta[i]);
            cr_expect_eq(others, interrupts);
        }
    }
}
