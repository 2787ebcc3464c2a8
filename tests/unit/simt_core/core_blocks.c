/* SPDX-License-Identifier: MIT */
/* Blocks come and go: residency limits, schedulers, conformance of the class. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <string.h>

static const uint32_t short_program[] = {0xCC0022F3 /* csrr t0, thread x */,
                                         0x00229293 /* slli t0, t0, 2 */,
                                         0x100106B7 /* lui a3, DATA */,
                                         0x005686B3 /* add a3, a3, t0 */,
                                         0x4006A303 /* lw t1, 1024(a3) */,
                                         0x00128313 /* addi t1, t0, 1 */,
                                         0x0000300B /* bar.sync 0 */,
                                         0x0066A023 /* sw t1, 0(a3) */,
                                         0x00008067 /* ret */,
                                         0};

static uint64_t together(const char *const *parameters, uint32_t blocks, uint32_t threads, uint32_t scratchpad,
                         const char *statistic)
{
    core_rig *rig = rig_create(parameters, short_program);
    hd_grid grid = {.grid_size = {blocks, 1, 1},
                    .block_size = {threads, 1, 1},
                    .scratchpad_bytes = scratchpad,
                    .private_bytes = 128};
    for (uint32_t i = 0; i < blocks; i++)
        rig_launch_grid(rig, &grid, (uint32_t[]){i, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "blocks_run"), blocks);
    cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), blocks * threads);
    cr_expect_eq(kit_statistic(rig_kit(rig), "warps_run"), blocks * ((threads + 31) / 32));
    uint64_t value = kit_statistic(rig_kit(rig), statistic);
    rig_destroy(rig);
    return value;
}

Test(simt_core, holds_no_more_blocks_than_there_are_slots)
{
    const char *const three[] = {"blocks=3", NULL};
    cr_expect_eq(together((const char *[]){NULL}, 8, 32, 0, "maximum_blocks"), 8);
    cr_expect_eq(together(three, 8, 32, 0, "maximum_blocks"), 3);
    cr_expect_gt(together(three, 8, 32, 0, "launches_held"), 0);
}

Test(simt_core, holds_no_more_warps_than_there_are_slots)
{
    const char *const twelve[] = {"warps=12", NULL};
    cr_expect_eq(together(twelve, 8, 160, 0, "maximum_warps"), 10);
}

Test(simt_core, scratchpad_is_given_out_piece_by_piece)
{
    const char *const small[] = {"scratchpad.bytes=4 KiB", NULL};
    cr_expect_eq(together(small, 8, 32, 1500, "maximum_blocks"), 2);
}

static void announced(core_rig *rig, hd_core_capacity *capacity)
{
    hd_packet *packet = kit_receive(rig_kit(rig), EVENT, 0, kit_edge(rig_kit(rig), 10));
    cr_assert_not_null(packet);
    cr_expect_eq(packet->message, kit_message(rig_kit(rig), HD_CORE_CAPACITY));
    memcpy(capacity, hd_body(packet), sizeof *capacity);
    kit_free(rig_kit(rig), packet);
}

Test(simt_core, announces_what_it_can_hold)
{
    const char *const parameters[] = {
        "warps=10", "blocks=5", "registers=9000", "registers_per_thread=17", "scratchpad.bytes=7 KiB", NULL};
    hd_core_capacity capacity;
    core_rig *rig = rig_create(parameters, short_program);
    announced(rig, &capacity);
    cr_expect_eq(capacity.lanes, 32);
    cr_expect_eq(capacity.warps, 10);
    cr_expect_eq(capacity.threads, 320);
    cr_expect_eq(capacity.blocks, 5);
    cr_expect_eq(capacity.registers, 9000);
    cr_expect_eq(capacity.registers_per_thread, 17);
    cr_expect_eq(capacity.scratchpad_bytes, 7 * 1024);
    cr_expect_eq(capacity.scratchpad_rows.bytes, 0, "blocks have what they ask for");
    rig_destroy(rig);
}

Test(simt_core, announces_threads_by_its_lanes)
{
    const char *const parameters[] = {"warps=10", "lanes=5", NULL};
    hd_core_capacity capacity;
    core_rig *rig = rig_create(parameters, short_program);
    announced(rig, &capacity);
    cr_expect_eq(capacity.lanes, 5);
    cr_expect_eq(capacity.threads, 50);
    rig_destroy(rig);
}

/* Order in which warps store: gto runs the oldest first, lrr takes turns. */
Test(simt_core, schedulers_order_warps_differently)
{
    const char *const gto[] = {"schedulers=1", "scheduler=gto", "simd_width=32", "fetch.width=8", NULL};
    const char *const lrr[] = {"schedulers=1", "scheduler=lrr", "simd_width=32", "fetch.width=8", NULL};
    uint32_t words[64] = {0};
    for (uint32_t i = 0; i < 40; i++)
        words[i] = addi(ZERO, T1, 1);
    words[40] = lui(A3, DATA);
    words[41] = csrr(T1, 0xC00);
    words[42] = csrr(T0, 0xCC0);
    words[43] = slli(T0, T0, 2);
    words[44] = add(A3, A3, T0);
    words[45] = sw(T1, 0, A3);
    words[46] = ret();
    uint32_t spread[2];
    for (uint32_t i = 0; i < 2; i++) {
        core_rig *rig = rig_create(i ? lrr : gto, words);
        rig_launch(rig, 256, 0);
        rig_finish(rig);
        spread[i] = rig_word(rig, DATA + 4 * 224) - rig_word(rig, DATA);
        rig_destroy(rig);
    }
    cr_expect_gt(spread[0], 40 * 6, "gto: the last warp comes long after the first, %u cycles", spread[0]);
    cr_expect_lt(spread[1], 40, "lrr: all warps come together, %u cycles", spread[1]);
}

Test(simt_core, ages_rotate)
{
    const char *const never[] = {"scheduler.gto.age_rotation=0 cycles", "schedulers=1", NULL};
    const char *const often[] = {"scheduler.gto.age_rotation=20 cycles", "schedulers=1", NULL};
    uint32_t words[64] = {0};
    for (uint32_t i = 0; i < 40; i++)
        words[i] = i % 4 ? addi(T1, T2, 1) : mul(T0, T0, T1);
    words[40] = ret();
    cr_expect_neq(rig_cycles(never, words, 512), rig_cycles(often, words, 512));
}

Test(simt_core, the_side_that_runs_first_is_a_parameter)
{
    /* lanes 0..9 take the branch; both sides note the cycle */
    const uint32_t words[] = {csrr(T1, 0xCCC),
                              lui(A3, DATA),
                              addi(T2, ZERO, 10),
                              blt(T1, T2, 16),
                              csrr(T0, 0xC00),
                              sw(T0, 0, A3),
                              jal(ZERO, 12),
                              csrr(T0, 0xC00),
                              sw(T0, 4, A3),
                              ret(),
                              0};
    static const char *const first[] = {"reconvergence.stack.first=taken", "reconvergence.stack.first=not_taken",
                                        "reconvergence.stack.first=fewer"};
    for (uint32_t i = 0; i < 3; i++) {
        const char *const parameters[] = {first[i], NULL};
        core_rig *rig = rig_create(parameters, words);
        rig_launch(rig, 32, 0);
        rig_finish(rig);
        int taken_first = rig_word(rig, DATA + 4) < rig_word(rig, DATA);
        cr_expect_eq(taken_first, i != 1, "%s", first[i]);
        rig_destroy(rig);
    }
}

Test(simt_core, the_memory_pipe_takes_its_parameters)
{
    static const char *const slower[][2] = {{"memory.queue=1", "memory.queue=8"},
                                            {"memory.accesses=2", "memory.accesses=64"},
                                            {"l1.mshrs=1", "l1.mshrs=32"}};
    uint32_t words[40] = {0xCC0022F3, 0x00229293 /* slli t0, t0, 2 */, 0x100106B7, 0x005686B3};
    for (uint32_t i = 4; i < 20; i++)
        words[i] = lw(T1 + i % 2, 0, A3);
    words[20] = ret();
    for (size_t i = 0; i < sizeof slower / sizeof *slower; i++) {
        const char *const small[] = {slower[i][0], "l1.global=cache", NULL};
        const char *const large[] = {slower[i][1], "l1.global=cache", NULL};
        cr_expect_neq(rig_cycles(small, words, 256), rig_cycles(large, words, 256), "%s", slower[i][0]);
    }
}

void rig_setup(kit_block *kit);

static void random_launches(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    hd_time t = 0;
    for (uint32_t i = 0; i < 12; i++) {
        hd_packet *packet = kit_packet(kit, HD_BLOCK_LAUNCH, sizeof(hd_block_launch));
        hd_block_launch *launch = hd_body(packet);
        launch->grid = (hd_grid){.entry_pc = CODE,
                                 .grid_size = {12, 1, 1},
                                 .block_size = {(uint32_t)(1 + kit_random(&state) % 300), 1, 1},
                                 .scratchpad_bytes = (uint32_t)(kit_random(&state) % 6000),
                                 .private_bytes = 256};
        launch->block_index[0] = i;
        launch->context_slot = i;
        launch->context_slots = 1024;
        packet->tag = i;
        t += kit_random(&state) % 400 * 1000;
        kit_send(kit, DISPATCH, 0, packet, t);
    }
}

Test(simt_core, conforms_on_the_stack)
{
    core_rig *rig = rig_create(NULL, short_program);
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, NULL, rig_setup, random_launches), 0);
    rig_destroy(rig);
}

Test(simt_core, conforms_with_caches_that_thrash)
{
    const char *const parameters[] = {"instruction_cache.bytes=64 B",
                                      "instruction_cache.line=32 B",
                                      "instruction_cache.ways=1",
                                      "instruction_cache.mshr_merges=2",
                                      "constant_cache.bytes=64 B",
                                      "constant_cache.ways=1",
                                      "fetch.width=2",
                                      NULL};
    core_rig *rig = rig_create(NULL, short_program);
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, parameters, rig_setup, random_launches), 0);
    rig_destroy(rig);
}

Test(simt_core, conforms_with_a_path_per_lane)
{
    const char *const parameters[] = {"reconvergence=mimd", "scheduler=lrr", "l1.global=cache", NULL};
    core_rig *rig = rig_create(NULL, short_program);
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, parameters, rig_setup, random_launches), 0);
    rig_destroy(rig);
}

Test(simt_core, conforms_with_short_lines_that_are_replaced_at_random)
{
    const char *const parameters[] = {"l1.line=32 B",
                                      "l1.lookups=2",
                                      "l1.bytes=512 B",
                                      "l1.ways=4",
                                      "l1.replacement=random",
                                      "l1.global=cache",
                                      NULL};
    core_rig *rig = rig_create(NULL, short_program);
    cr_expect_eq(kit_conformance(&hd_simt_core_timed, parameters, rig_setup, random_launches), 0);
    rig_destroy(rig);
}
