/* SPDX-License-Identifier: MIT */
/* Counts by place in the program: instructions, lanes, branches and transactions. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_profiled.h"
#include "functional_core.h"

static const char *const machines[][4] = {{NULL},
                                          {"reconvergence=mimd", NULL},
                                          {"quantum=1", "run_ahead=1 cycle", NULL},
                                          {"instructions_per_cycle=4", "quantum=7", NULL}};
#define MACHINES (sizeof machines / sizeof *machines)

typedef uint32_t words_of_parting[8];

/* Lanes from 8 on skip the addition. */
static void make_parting(words_of_parting words)
{
    const words_of_parting made = {csrr(T0, 0xCCC), addi(T1, ZERO, 8), blt(T0, T1, 8), jal(ZERO, 8),
                                   add(T2, T2, T2), addi(A2, A2, 1),   ret(),          0};
    memcpy(words, made, sizeof made);
}

static core_profiled run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    core_rig *rig = rig_create_of(&hd_simt_core_functional, parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    profiled_expect_identities(&profiled, "functional");
    return profiled;
}

static void end(core_profiled *profiled)
{
    rig_destroy(profiled->rig);
    profiled_end(profiled);
}

Test(functional_profile, instructions_and_lanes_are_counted_where_they_are)
{
    words_of_parting parting;
    make_parting(parting);
    for (size_t i = 0; i < MACHINES; i++) {
        core_profiled profiled = run(machines[i], parting, 52);
        cr_expect_eq(profiled_at(&profiled, 0, "thread_instructions"), 52, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 2, "thread_instructions"), 52, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 3, "thread_instructions"), 36, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 4, "thread_instructions"), 16, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 5, "thread_instructions"), 52, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 6, "thread_instructions"), 52, "machine %zu", i);
        end(&profiled);
    }
}

Test(functional_profile, lanes_are_lost_and_branches_part_at_their_instruction)
{
    words_of_parting parting;
    make_parting(parting);
    core_profiled profiled = run(machines[0], parting, 52);
    cr_expect_eq(profiled_at(&profiled, 0, "lost_lanes"), 12);
    cr_expect_eq(profiled_at(&profiled, 2, "divergent_branches"), 2);
    cr_expect_eq(profiled_sum(&profiled, "divergent_branches"), 2);
    cr_expect_eq(profiled_at(&profiled, 2, "taken_lanes"), 8 + 8);
    cr_expect_eq(profiled_sum(&profiled, "taken_lanes"), 8 + 8);
    cr_expect_eq(profiled_at(&profiled, 3, "lost_lanes"), 8 + 20);
    cr_expect_eq(profiled_at(&profiled, 4, "warp_instructions"), 2);
    cr_expect_eq(profiled_at(&profiled, 4, "lost_lanes"), 24 + 24);
    cr_expect_eq(profiled_at(&profiled, 6, "lost_lanes"), 12, "the paths have met again");
    end(&profiled);
}

/* Each lane gives its transaction up once. */
Test(functional_profile, transactions_are_counted_at_their_beginning_and_what_is_given_up_where_it_was)
{
    const uint32_t words[] = {lui(A0, DATA),  begin_tx(1), csrr(T2, 0xCD0), sw(T2, 0, A0), addi(A2, ZERO, 1),
                              bne(T2, A2, 8), abort_tx(1), commit_tx(),     ret(),         0};
    for (size_t i = 0; i < MACHINES; i++) {
        core_profiled profiled = run(machines[i], words, 40);
        const uint64_t aborts = profiled_sum(&profiled, "tx_aborts");
        cr_expect_eq(aborts, 40, "machine %zu: %lu", i, aborts);
        cr_expect_eq(profiled_at(&profiled, 6, "tx_aborts"), 40, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 1, "tx_attempts"), 80, "machine %zu", i);
        cr_expect_eq(profiled_at(&profiled, 1, "tx_commits"), 40, "machine %zu", i);
        cr_expect_eq(profiled_sum(&profiled, "tx_attempts"), 80, "machine %zu", i);
        cr_expect_eq(profiled_sum(&profiled, "tx_commits"), 40, "machine %zu", i);
        end(&profiled);
    }
}

Test(functional_profile, ends_with_a_reset_and_changes_nothing)
{
    words_of_parting parting;
    make_parting(parting);
    core_profiled profiled = run(machines[0], parting, 52);
    const uint64_t before = profiled_fingerprint(&profiled);
    const uint64_t instructions = kit_statistic(rig_kit(profiled.rig), "warp_instructions");
    core_rig *plain = rig_create_of(&hd_simt_core_functional, machines[0], parting);
    rig_launch(plain, 52, 0);
    rig_finish(plain);
    cr_expect_eq(kit_statistic(rig_kit(plain), "warp_instructions"), instructions);
    cr_expect_eq(kit_statistic(rig_kit(plain), "cycles"), kit_statistic(rig_kit(profiled.rig), "cycles"));
    rig_destroy(plain);
    hd_simt_core_functional.reset(kit_instance(rig_kit(profiled.rig)));
    cr_expect_eq(profiled_fingerprint(&profiled), before);
    end(&profiled);
}
