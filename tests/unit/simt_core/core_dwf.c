/* SPDX-License-Identifier: MIT */
/*
 * Dynamic warp formation, with warp barriers and without, under each issue policy: random programs without warp-synchronous code do
 * what each thread alone does, undisturbed and while their blocks move. And code that relies on warps is seen to go wrong.
 *
 * HEDDLE_DWF_PROGRAMS = how many programs (default 40), HEDDLE_DWF_SEED = seed of the first.
 */
#include "core_alone.h"
#include "core_rig.h"
#include "lanes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const units[] = {"dwf", "dwf_wb"};
static const char *const policies[] = {"majority", "minority", "time", "pdpri", "pc"};
#define POLICIES (sizeof policies / sizeof *policies)

/* A unit, the policy of its scheduler, and the table of its pool. */
static const char *const *formed(const alone_machine *machine, const char *unit, const char *policy, uint32_t entries)
{
    static char unit_text[48], policy_text[48], entries_text[64];
    static const char *const texts[] = {unit_text, "scheduler=dwf", policy_text, entries_text, NULL};
    snprintf(unit_text, sizeof unit_text, "reconvergence=%s", unit);
    snprintf(policy_text, sizeof policy_text, "scheduler.dwf.policy=%s", policy);
    snprintf(entries_text, sizeof entries_text, "reconvergence.%s.entries=%u", unit, entries);
    return alone_with(machine, texts);
}

/* With each unit and policy, on machines in turn. */
static void compare_with_alone(uint64_t seed)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, other, again;
    const uint32_t entries = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 32 : 2;
    random_program(seed, words);
    alone_run(alone_mimd, words, seed, 0, &reference);
    for (uint32_t i = 0; i < 2 * POLICIES; i++) {
        const alone_machine *machine = &alone_machines[(seed + i) % ALONE_MACHINES];
        const char *unit = units[i % 2], *policy = policies[i / 2];
        alone_run(formed(machine, unit, policy, entries), words, seed, 0, &other);
        alone_compare(&reference, &other, seed, machine->name, i % 2 ? "dwf_wb" : policy);
        if (seed % (2 * POLICIES) != i)
            continue;
        alone_run(formed(machine, unit, policy, entries), words, seed, seed, &again);
        cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu, %s: other horizons", seed, machine->name);
    }
}

Test(simt_core_dwf, random_programs_do_what_each_thread_does_alone, .timeout = 36000)
{
    const uint64_t first = alone_option("HEDDLE_DWF_SEED", 20260701),
                   programs = alone_option("HEDDLE_DWF_PROGRAMS", 40);
    for (uint64_t seed = first; seed < first + programs; seed++)
        compare_with_alone(seed);
    fprintf(stderr, "dynamic warps: seeds %lu to %lu, each policy\n", first, first + programs - 1);
}

/* In these a load overtook a store in another address unit. */
Test(simt_core_dwf, programs_that_have_failed_do_what_each_thread_does_alone, .timeout = 36000)
{
    static const uint64_t seeds[] = {20263461, 20263813, 20266496, 20268808};
    for (uint32_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        compare_with_alone(seeds[i]);
}

Test(simt_core_dwf, blocks_of_dynamic_warps_move, .timeout = 36000)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, moved;
    const uint64_t first = alone_option("HEDDLE_DWF_SEED", 20260801),
                   programs = alone_option("HEDDLE_DWF_PROGRAMS", 40) / 4;
    uint32_t moves = 0;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint32_t m = 0; m < 2 * ALONE_MACHINES; m++) {
            const alone_machine *machine = &alone_machines[m / 2];
            moves += alone_run_moving(formed(machine, units[m % 2], policies[(seed + m) % POLICIES], 32), words, seed,
                                      &moved);
            alone_compare(&reference, &moved, seed, machine->name, "moved");
        }
    }
    fprintf(stderr, "moved blocks of dynamic warps: seeds %lu to %lu, %u moves\n", first, first + programs - 1, moves);
    cr_expect_gt(moves, 4 * programs);
}

/* ---- Code that relies on warps --------------------------------------------------------------------------------------------- */

#define LANES 32u
#define TAKEN 7

/*
 * Lane 0 of a warp writes, late, what all its lanes read, and nothing between them says so: at the top, or inside a branch that lane 5
 * does not take. How many lanes have read what was there before.
 */
static uint32_t read_too_early(const char *unit, uint32_t inside)
{
    const uint32_t words[] = {
        csrr(T0, ISA_CSR_THREAD_X),
        slli(A5, T0, 2),
        lui(A1, DATA),
        add(A5, A1, A5),
        addi(T2, ZERO, inside ? 5 : 1000),
        beq(T0, T2, 10 * 4), /* lane 5 goes to the end */
        bne(T0, ZERO, 6 * 4),
        addi(T1, ZERO, 300),
        addi(T1, T1, -1),
        bne(T1, ZERO, -4),
        addi(A3, ZERO, TAKEN),
        sw(A3, 0x400, A1),
        fence(),
        lw(A4, 0x400, A1),
        sw(A4, 0, A5),
        addi(ZERO, ZERO, 0),
        ret(),
        0,
    };
    char text[48];
    const char *const parameters[] = {text, "scheduler=dwf", NULL};
    const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {LANES, 1, 1}};
    uint32_t early = 0;
    snprintf(text, sizeof text, "reconvergence=%s", unit);
    core_rig *rig = rig_create(parameters, words);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    for (uint32_t lane = 0; lane < LANES; lane++)
        early += (!inside || lane != 5) && rig_word(rig, DATA + 4 * lane) != TAKEN;
    rig_destroy(rig);
    return early;
}

Test(simt_core_dwf, who_takes_work_for_its_warp_is_not_awaited)
{
    cr_expect_eq(read_too_early("stack", 0), 0);
    cr_expect_eq(read_too_early("dwf", 0), LANES - 1);
    cr_expect_eq(read_too_early("dwf_wb", 0), 0, "the warp meets behind the branch");
}

Test(simt_core_dwf, warps_inside_a_branch_are_not_in_step)
{
    cr_expect_eq(read_too_early("stack", 1), 0);
    cr_expect_eq(read_too_early("dwf", 1), LANES - 2);
    cr_expect_eq(read_too_early("dwf_wb", 1), LANES - 2);
}
