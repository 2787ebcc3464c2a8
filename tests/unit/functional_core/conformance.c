/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core_random_program.h"
#include "core_rig.h"
#include "functional_core.h"

void rig_setup(kit_block *kit);

/* Blocks of all sizes, some before there is room for them. */
static void load(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 12; i++) {
        hd_packet *packet = kit_packet(kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch));
        hd_block_launch *launch = hd_body(packet);
        *launch = (hd_block_launch){.grid = {.launch = i / 4,
                                             .entry_pc = CODE,
                                             .grid_size = {12, 1, 1},
                                             .block_size = {1 + (uint32_t)(kit_random(&state) % 300), 1, 1},
                                             .scratchpad_bytes = 2048,
                                             .private_bytes = 128},
                                    .block_index = {i, 0, 0},
                                    .context_slot = i, .context_slots = 1024};
        packet->tag = i;
        t += kit_cycles(kit, kit_random(&state) % 500);
        kit_send(kit, DISPATCH, 0, packet, t);
    }
}

Test(functional_core, conforms)
{
    static uint32_t words[RANDOM_WORDS];
    static const char *const parameters[] = {"warps=20", "blocks=4", "scratchpad.bytes=8 KiB", "run_ahead=100 cycles",
                                             NULL};
    random_program(4711, words);
    core_rig *rig = rig_create(NULL, words); /* the program */
    cr_expect_eq(kit_conformance(&hd_simt_core_functional, parameters, rig_setup, load), 0);
    rig_destroy(rig);
}

Test(functional_core, an_idle_core_sleeps_and_an_unfinished_one_comes_for_turns)
{
    const uint32_t words[] = {jal(ZERO, 0), 0};
    static const char *const parameters[] = {"run_ahead=1000 cycles", NULL};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, parameters, words);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 1000));
    cr_expect_eq(kit_next(rig_kit(rig)), HD_NEVER);
    rig_launch(rig, 1, kit_edge(rig_kit(rig), 1000));
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 100000));
    const uint64_t turns = kit_statistic(rig_kit(rig), "turns");
    cr_expect(turns >= 98 && turns <= 99, "%lu turns in 99000 cycles", turns);
    cr_expect(kit_statistic(rig_kit(rig), "warp_instructions") <= 100000);
    cr_expect(kit_statistic(rig_kit(rig), "warp_instructions") >= 98000);
    rig_destroy(rig);
}

/* 1000 instructions of one warp at 4 per cycle: the answer comes when they have been issued, not when the turn ends. */
Test(functional_core, time_passes_with_instructions)
{
    enum { ADDS = 1000 };
    static uint32_t words[ADDS + 2];
    for (uint32_t i = 0; i < ADDS; i++)
        words[i] = addi(T0, T0, 1);
    words[ADDS] = ret();
    static const char *const rates[][2] = {{"instructions_per_cycle=1", NULL}, {"instructions_per_cycle=4", NULL}};
    uint64_t cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        core_rig *rig = rig_create_of(&hd_simt_core_functional, rates[i], words);
        rig_launch(rig, 32, 0);
        rig_finish(rig);
        cycles[i] = kit_statistic(rig_kit(rig), "cycles");
        rig_destroy(rig);
    }
    cr_expect_eq(cycles[0] - cycles[1], ADDS - ADDS / 4, "%lu and %lu cycles", cycles[0], cycles[1]);
}
