/* SPDX-License-Identifier: MIT */
/* Reconvergence units that are told of barriers, or have a sense of time. */
#include "core_rig.h"
#include "functional_core.h"
#include "toy_units.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};

/* Odd lanes stand at one barrier instruction, even lanes at another: then each loads what its neighbour has stored. */
Test(functional_units, lanes_that_wait_at_a_barrier_let_others_of_their_path_run)
{
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              lui(A0, DATA),
                              slli(T1, T0, 2),
                              add(A1, A0, T1),
                              andi(T2, T0, 1),
                              /* 20: */ bne(T2, ZERO, 20),
                              addi(A2, T0, 100),
                              sw(A2, 0, A1),
                              bar_sync(0),
                              jal(ZERO, 16),
                              /* 40: */ addi(A2, T0, 200),
                              sw(A2, 0, A1),
                              bar_sync(0),
                              /* 52: the neighbour's word */ i_type(0x13, 4, T1, T0, 1),
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
    kit_fit_unit(&toy_turns);
    core_rig *rig = rig_create_of(&hd_simt_core_functional, standard, words);
    rig_launch(rig, 96, 0);
    rig_finish(rig);
    for (uint32_t thread = 0; thread < 96; thread++) {
        const uint32_t word = rig_word(rig, DATA + 1024 + 4 * thread);
        const uint32_t retired = rig_word(rig, DATA + 0x1000 + 4 * thread);
        cr_expect_eq(word, (thread ^ 1) + (thread & 1 ? 100 : 200), "thread %u: %u", thread, word);
        cr_expect_eq(retired, thread & 1 ? 14 : 15, "thread %u: %u", thread, retired);
    }
    rig_destroy(rig);
}

/* Nothing runs until then: the core is asleep. */
Test(functional_units, a_unit_is_woken_when_it_said)
{
    const uint32_t words[] = {addi(T0, T0, 1), ret(), 0};
    uint64_t cycles[2];
    for (uint32_t run = 0; run < 2; run++) {
        toy_delay = run ? 5000 : 1000;
        kit_fit_unit(&toy_late_stack);
        core_rig *rig = rig_create_of(&hd_simt_core_functional, standard, words);
        rig_launch(rig, 64, 0);
        cycles[run] = rig_finish(rig);
        cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), 64);
        rig_destroy(rig);
    }
    cr_expect_eq(cycles[1], cycles[0] + 4000, "%lu and %lu", cycles[0], cycles[1]);
}
