/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>

#include "allocations.h"
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
                                    .context_slot = i,
                                    .context_slots = 1024};
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

/* A turn is the instructions of run_ahead cycles, whatever the rate. */
Test(functional_core, a_turn_has_the_instructions_of_its_cycles)
{
    const uint32_t words[] = {jal(ZERO, 0), 0};
    for (uint32_t rate = 1; rate <= 4; rate++) {
        char text[40];
        snprintf(text, sizeof text, "instructions_per_cycle=%u", rate);
        core_rig *rig =
            rig_create_of(&hd_simt_core_functional, (const char *const[]){"run_ahead=1000 cycles", text, NULL}, words);
        rig_launch(rig, 1, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 20500));
        cr_expect_eq(kit_statistic(rig_kit(rig), "warp_instructions"),
                     kit_statistic(rig_kit(rig), "turns") * 1000 * rate, "%s", text);
        rig_destroy(rig);
    }
}

Test(functional_core, nothing_is_pending_when_all_blocks_have_ended)
{
    const uint32_t words[] = {addi(T0, T0, 1), ret(), 0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){"blocks=4", NULL}, words);
    const hd_pending *pending = hd_simt_core_functional.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_PENDING);
    const hd_mark *mark = hd_simt_core_functional.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_MARK);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 3; i++)
            rig_launch(rig, 64, kit_now(rig_kit(rig)));
        rig_finish(rig);
        cr_expect_not(pending->has_work(kit_instance(rig_kit(rig))));
        cr_expect_leq(kit_statistic(rig_kit(rig), "maximum_blocks"), 3);
        cr_expect_leq(kit_statistic(rig_kit(rig), "maximum_warps"), 6);
        mark->mark(kit_instance(rig_kit(rig)));
        cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_blocks"), 0);
        cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_warps"), 0);
    }
    cr_expect_eq(kit_statistic(rig_kit(rig), "blocks_run"), 9);
    rig_destroy(rig);
}

/* The counters of cycles, time and instructions have an upper half, which is 0 for a while. */
Test(functional_core, counters_have_two_halves)
{
    static const uint32_t low[] = {0xC00, 0xC01, 0xC02}, high[] = {0xC80, 0xC81, 0xC82};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t words[] = {lui(A1, DATA),
                                  addi(T1, ZERO, 1),
                                  addi(T1, ZERO, 1),
                                  csrr(T0, low[i]),
                                  sw(T0, 0, A1),
                                  csrr(T1, high[i]),
                                  sw(T1, 4, A1),
                                  ret(),
                                  0};
        core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){NULL}, words);
        rig_set_word(rig, DATA + 4, UINT32_MAX);
        rig_launch(rig, 1, 0);
        rig_finish(rig);
        cr_expect_null(kit_fault_text(rig_kit(rig)));
        cr_expect_gt(rig_word(rig, DATA), 0);
        cr_expect_eq(rig_word(rig, DATA + 4), 0, "CSR %x", high[i]);
        rig_destroy(rig);
    }
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

static uint32_t memory_left;

static hd_block *create_with_little(const hd_services *services, const hd_value *values, char *error,
                                    size_t error_bytes)
{
    allocations_refuse(memory_left);
    hd_block *made = hd_simt_core_functional.create(services, values, error, error_bytes);
    cr_expect_eq(made == NULL, allocations_allow(), "allocation %u", memory_left);
    return made;
}

Test(functional_core, says_that_memory_is_short_whatever_it_lacks)
{
    hd_block_class scarce = hd_simt_core_functional;
    char error[1024] = "";
    scarce.create = create_with_little;
    while (kit_refuses(&scarce, NULL, error, sizeof error)) {
        cr_assert(strstr(error, "out of memory"), "%s", error);
        memory_left++;
    }
    cr_expect_geq(memory_left, 15);
}
