/* SPDX-License-Identifier: MIT */
/* Blocks are placed by their levels: the worked example of Beaumont 2019 §3.4, and each rule by itself. */
#include "policy_usage_rig.h"

/* Blocks A to E in slots 0 to 4. */
Test(policy_usage, worked_example)
{
    enum { A, B, C, D, E };
    static const uint32_t at_first[][2] = {[A] = {6, 1}, [B] = {2, 5}, [C] = {1, 6}, [D] = {1, 2}};
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t block = A; block <= E; block++)
        number_of[block] = block;
    launch_on(A, 0), launch_on(B, 0), launch_on(C, 1), launch_on(D, 1);
    for (uint32_t block = A; block <= D; block++)
        level(block, at_first[block][0], at_first[block][1], 0);
    cr_assert_eq(victim(), NO_BLOCK, "each core has 8 of a metric, and no more");
    launch_on(E, 1); /* in an earlier grid: the table knows it from then on */
    level(E, 3, 3, 1);
    tell(THREAD_BLOCK_ENDED, E);
    cr_assert_eq(core_for(E, NO_CORE), NO_CORE);
    level(B, 5, 5, 0);
    leave(B);
    cr_assert_eq(core_for(E, NO_CORE), NO_CORE);
    level(C, 1, 2, 0);
    cr_assert_eq(saved(0), NO_BLOCK, "it would be 7 and 9");
    launch(E, 1);
    tell(THREAD_BLOCK_ENDED, D);
    cr_assert_eq(saved(0), NO_BLOCK, "it would be 9 and 10");
    tell(THREAD_BLOCK_ENDED, E);
    go_on(B, 1);
    cr_assert_eq(saved(0), NO_BLOCK);
    end();
}

/* The table has no tags: streams and blocks that fall together are taken for one another. */
Test(policy_usage, blocks_that_share_an_entry)
{
    begin(&thread_block_policy_rut);
    values[TABLE].u = 3; /* four entries of 6 bits */
    create();
    number_of[0] = 1;
    launch_on(0, 0);
    level(0, 7, 0, 1);
    tell(THREAD_BLOCK_ENDED, 0);
    launch_on(1, 0); /* one that asks for nothing */
    number_of[1] = 2, number_of[2] = 5, stream_of[3] = 1, number_of[3] = 2;
    level(1, 2, 0, 0);
    cr_expect_eq(core_for(2, NO_CORE), 1, "as block 1, which would be 9");
    cr_expect_eq(core_for(3, NO_CORE), 1, "2731 + 2 = 1 of four");
    number_of[2] = 6;
    cr_expect_eq(core_for(2, NO_CORE), 1, "in turn");
    const uint64_t aliases = counters[ALIASES], changes = counters[CHANGES];
    launch_on(3, 1);
    level(3, 1, 0, 0);
    level(3, 1, 0, 1); /* the same */
    cr_expect_eq(counters[ALIASES], aliases + 1);
    cr_expect_eq(counters[CHANGES], changes + 1);
    level(3, 2, 0, 0);
    cr_expect_eq(counters[ALIASES], aliases + 1);
    end();
}

/* The number of a block counts x first, then y, then z: what block (1, 2, 3) of 4 x 5 x 6 has used is what block 69 of a line finds. */
Test(policy_usage, numbers_of_blocks)
{
    begin(&thread_block_policy_rut_predict_only);
    values[VICTIMS].u = 16384; /* its table */
    create();
    const hd_grid box = {.grid_size = {4, 5, 6}}, line = {.grid_size = {120, 1, 1}};
    const thread_block in_box = {.grid = &box, .block_index = {1, 2, 3}};
    unit->event(policy, &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .block = &in_box});
    level(0, 5, 0, 0);
    for (uint32_t at = 0; at < 120; at++) {
        const thread_block in_line = {.slot = 1, .grid = &line, .block_index = {at, 0, 0}};
        hd_block_watch watch;
        unit->event(policy,
                    &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .slot = 1, .core = 1, .block = &in_line});
        unit->watch(policy, &in_line, &watch);
        cr_expect_eq(watch.memory_level, at == 1 + 4 * (2 + 5 * 3) ? 5 : 0, "block %u", at);
        unit->event(policy, &(thread_block_event){.kind = THREAD_BLOCK_ENDED, .slot = 1, .core = 1, .block = &in_line});
    }
    end();
}

/* Pairs are of blocks with the same number of the same kernel and stream, one behind the other; floats follow memory. */
Test(policy_usage, pairs_of_blocks_from_launch_to_launch)
{
    static const struct {
        uint32_t stream, number, kernel, memory, floats;
    } ended[] = {{0, 4, 0, 3, 1}, {0, 4, 0x40, 7, 0}, {1, 4, 0, 6, 0},
                 {0, 5, 0, 1, 0}, {0, 4, 0, 5, 2},    {0, 4, 0, 2, 7}};
    static const uint64_t expected[] = {3 + 5, 5 + 2, 9 + 25, 25 + 4, 15 + 10, 1 + 2, 2 + 7, 1 + 4, 4 + 49, 2 + 14};
    begin(&thread_block_policy_rut);
    create();
    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++) {
        stream_of[0] = ended[i].stream, number_of[0] = ended[i].number, pc_of[0] = ended[i].kernel;
        launch_on(0, 0);
        level(0, 7, 7, 0); /* on the way, which no pair is of */
        level(0, ended[i].memory, ended[i].floats, 1);
        tell(THREAD_BLOCK_ENDED, 0);
    }
    cr_expect_eq(counters[PAIRS], 2);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect_eq(counters[OF_PAIRS + i], expected[i], "sum %zu is %lu", i, counters[OF_PAIRS + i]);
    end();
}

/* An empty core takes what would fit nowhere; one with a block does not. */
Test(policy_usage, an_empty_core_takes_any)
{
    begin(&thread_block_policy_rut);
    values[LIMIT].u = 50;
    create();
    launch_on(0, 0);
    level(0, 7, 7, 1);
    tell(THREAD_BLOCK_ENDED, 0);
    launch(0, 1);
    number_of[1] = 0; /* the same place */
    launch(1, 0);
    number_of[2] = 0;
    cr_expect_eq(core_for(2, NO_CORE), NO_CORE);
    end();
}

/* A metric whose steps are 0 is not considered, and the limit is a part of the steps. */
Test(policy_usage, limits_are_parts_of_the_steps)
{
    static const struct {
        uint64_t memory, floats, limit, fits;
    } rows[] = {{8, 8, 100, 0}, {0, 8, 100, 1}, {8, 0, 100, 0}, {16, 8, 100, 1}, {8, 8, 150, 1}, {8, 8, 137, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&thread_block_policy_rut_predict_only);
        values[MEMORY_STEPS].u = rows[i].memory, values[FLOAT_STEPS].u = rows[i].floats,
        values[LIMIT].u = rows[i].limit;
        values[VICTIMS].u = 16384; /* its table */
        create();
        memset(number_of, 0, sizeof number_of);
        for (uint32_t slot = 0; slot < 2; slot++) {
            launch_on(slot, slot);
            level(slot, 6, 1, 0);
        }
        cr_expect_eq(core_for(2, NO_CORE) != NO_CORE, rows[i].fits, "row %zu", i);
        end();
    }
}

/* Each metric has a limit of its own, which its steps switch on. */
Test(policy_usage, demand_and_aborts_have_limits_too)
{
    static const struct {
        uint64_t demand, aborts, fits;
    } rows[] = {{0, 0, 1}, {8, 0, 0}, {0, 8, 1}, {16, 0, 1}, {0, 4, 0}, {16, 4, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&thread_block_policy_rut_predict_only);
        values[DEMAND_STEPS].u = rows[i].demand, values[ABORT_STEPS].u = rows[i].aborts;
        values[VICTIMS].u = 16384; /* its table */
        create();
        memset(number_of, 0, sizeof number_of);
        for (uint32_t slot = 0; slot < 2; slot++) {
            const hd_block_level told = {.demand_level = 5, .abort_level = 3};
            launch_on(slot, slot);
            unit->event(policy,
                        &(thread_block_event){.kind = THREAD_BLOCK_LEVEL, .slot = slot, .core = slot, .level = &told});
        }
        cr_expect_eq(core_for(2, NO_CORE) != NO_CORE, rows[i].fits, "row %zu", i);
        hd_block_watch watch;
        const thread_block block = block_at(0, 0);
        unit->watch(policy, &block, &watch);
        cr_expect_eq(watch.demand_steps, rows[i].demand);
        cr_expect_eq(watch.abort_steps, rows[i].aborts);
        cr_expect_eq(watch.demand_level, 5);
        cr_expect_eq(watch.abort_level, 3);
        end();
    }
}

/* Three blocks of a core whose transactions disturb each other: the one whose aborts rise leaves. */
Test(policy_usage, a_block_whose_aborts_rise_leaves)
{
    begin(&thread_block_policy_rut);
    values[ABORT_STEPS].u = 8;
    create();
    for (uint32_t slot = 0; slot < 3; slot++) {
        const hd_block_level told = {.abort_level = 3};
        number_of[slot] = slot;
        launch_on(slot, 0);
        cr_expect_eq(victim(), NO_BLOCK);
        unit->event(policy, &(thread_block_event){.kind = THREAD_BLOCK_LEVEL, .slot = slot, .core = 0, .level = &told});
    }
    leave(2);
    end();
}

/* An entry has a level of each metric that is considered, and two at least: 16 KiB are 21,845 of two levels of 3 bits, 14,563 of
 * three and 10,922 of four. */
Test(policy_usage, entries_hold_the_metrics_that_are_considered)
{
    static const struct {
        uint64_t demand, aborts;
        uint32_t entries;
    } rows[] = {{0, 0, 21845}, {8, 0, 14563}, {0, 8, 14563}, {8, 8, 10922}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&thread_block_policy_rut);
        values[DEMAND_STEPS].u = rows[i].demand, values[ABORT_STEPS].u = rows[i].aborts;
        create();
        const hd_grid line = {.grid_size = {30000, 1, 1}};
        const thread_block first = {.grid = &line},
                           same = {.slot = 1, .core = NO_CORE, .grid = &line, .block_index = {rows[i].entries}},
                           other = {.slot = 1, .core = NO_CORE, .grid = &line, .block_index = {rows[i].entries - 1}};
        unit->event(policy, &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .block = &first});
        level(0, 6, 0, 0);
        const uint64_t one[1] = {1};
        const thread_block_cores core = {.count = 1, .has_room = one, .takes = one};
        cr_expect_eq(unit->choose_core(policy, &same, &core, 0), NO_CORE, "row %zu", i);
        cr_expect_eq(unit->choose_core(policy, &other, &core, 0), 0, "row %zu", i);
        end();
    }
}

/* Cores are in turn, behind the last one that was given a block, new or not. */
Test(policy_usage, cores_in_turn)
{
    begin(&thread_block_policy_rut);
    cores = 3;
    create();
    for (uint32_t slot = 0; slot < 4; slot++) {
        number_of[slot] = slot;
        launch(slot, slot % 3);
    }
    level(0, 6, 0, 0);
    level(3, 3, 0, 0);
    leave(3);
    level(0, 5, 0, 0);
    level(1, 6, 0, 0);
    level(2, 6, 0, 0);
    go_on(3, 0);
    number_of[4] = 4;
    launch(4, 1);
    end();
}

Test(policy_usage, windows_follow_the_move)
{
    begin(&thread_block_policy_rut);
    create();
    launch_on(0, 0);
    level(0, 3, 2, 0);
    hd_block_watch watch;
    const thread_block block = block_at(0, 0);
    cr_expect_eq(unit->watch(policy, &block, &watch), 1);
    cr_expect_eq(watch.period, 5 * 2000);
    cr_expect_eq(watch.memory_steps, 8);
    cr_expect_eq(watch.float_steps, 8);
    cr_expect_eq(watch.highest, 7);
    cr_expect_eq(watch.every_window, 0);
    cr_expect_eq(watch.memory_level, 3);
    cr_expect_eq(watch.float_level, 2);
    end();
    values[FACTOR].u = 0;
    create();
    launch_on(0, 0);
    unit->watch(policy, &block, &watch);
    cr_expect_eq(watch.period, 1000);
    end();
}

/* What is all of it is the highest. */
Test(policy_usage, levels_are_eighths)
{
    static const struct {
        uint64_t part, level;
    } rows[] = {{0, 0}, {1249, 0}, {1250, 1}, {9990, 7}, {10000, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(hd_level_of(rows[i].part, 10000, 8, 7), rows[i].level);
}

/* Blocks of a kernel count with the mean of its windows, and the newest leaves. */
Test(policy_usage, kernels_have_means)
{
    begin(&thread_block_policy_kernel_profile);
    create();
    pc_of[3] = 0x100;
    static const uint32_t launched[] = {2, 0, 1, 3};
    for (uint32_t i = 0; i < 4; i++)
        number_of[launched[i]] = i, launch_on(launched[i], launched[i] / 3);
    hd_block_watch watch;
    const thread_block block = block_at(0, 0);
    unit->watch(policy, &block, &watch);
    cr_expect_eq(watch.every_window, 1);
    cr_expect_eq(watch.memory_level, 0, "nothing is known of it");
    cr_expect_eq(watch.float_level, 0);
    level(0, 2, 0, 0);
    cr_expect_eq(victim(), NO_BLOCK, "three times 2");
    level(1, 3, 0, 0); /* 2.5, of which there are three */
    leave(1);          /* the newest */
    level(3, 7, 0, 0);
    level(0, 1, 0, 0); /* 2 */
    cr_expect_eq(saved(0), 1, "two times 2 and 2");
    go_on(1, 0);
    end();
}
