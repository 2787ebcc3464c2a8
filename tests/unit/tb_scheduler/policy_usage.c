/* SPDX-License-Identifier: MIT */
/* Blocks are placed, stopped and restored by their levels: the worked example of Beaumont 2019 §3.4, and each rule by itself. */
#include <criterion/criterion.h>
#include <string.h>

#include "thread_block_policy_units.h"

#define CORES_MAX 3u
#define SLOTS 8u

/* In the order of the parameters of the units. */
enum {
    BITS,
    MEMORY_STEPS,
    FLOAT_STEPS,
    DEMAND_STEPS,
    ABORT_STEPS,
    LIMIT,
    FACTOR,
    RATE,
    MINIMUM,
    VICTIMS,
    WATCHDOG,
    SCAN,
    TABLE,
    VALUES
};
enum { UPDATES, VICTIMS_FULL, VICTIMS_MAXIMUM, OVERDUE, ALIASES, CHANGES, PAIRS, OF_PAIRS, COUNTERS = OF_PAIRS + 15 };

static hd_value values[VALUES];
static uint64_t counters[COUNTERS];
static const thread_block_policy_unit *unit;
static thread_block_policy *policy;
static uint64_t now;
static uint32_t cores;
static uint32_t core_of[SLOTS], stream_of[SLOTS], number_of[SLOTS], pc_of[SLOTS];
static hd_grid grid;

static void begin(const thread_block_policy_unit *of)
{
    static const uint64_t standard[VALUES] = {3, 8, 8, 0, 0, 100, 5, 7, 1000, 1024, 100, 0, 16384};
    for (uint32_t i = 0; i < VALUES; i++)
        values[i].u = standard[i];
    memset(counters, 0, sizeof counters);
    unit = of;
    now = 0;
    cores = 2;
}

static void create(void)
{
    policy = unit->create(&(thread_block_policy_parameters){
        .slots = SLOTS, .cores = CORES_MAX, .share = {.values = values, .counters = counters}});
    cr_assert_not_null(policy);
}

static thread_block block_at(uint32_t slot, uint32_t core)
{
    grid = (hd_grid){.grid_size = {1000, 10, 1}, .stream = stream_of[slot], .entry_pc = pc_of[slot]};
    return (thread_block){.slot = slot,
                          .core = core,
                          .grid = &grid,
                          .block_index = {number_of[slot] % 1000, number_of[slot] / 1000, 0},
                          .context_bytes = 7000};
}

static void tell(uint32_t kind, uint32_t slot)
{
    const thread_block block = block_at(slot, core_of[slot]);
    unit->event(policy, &(thread_block_event){
                            .kind = kind, .slot = slot, .core = core_of[slot], .cycle = now, .block = &block});
}

static void level(uint32_t slot, uint32_t memory, uint32_t floats, uint32_t last)
{
    const hd_block_level told = {.memory_level = memory, .float_level = floats, .last = last};
    unit->event(policy,
                &(thread_block_event){.kind = THREAD_BLOCK_LEVEL, .slot = slot, .core = core_of[slot], .level = &told});
}

static uint32_t core_for(uint32_t slot, uint32_t was_on)
{
    const uint64_t all[4] = {(1u << cores) - 1};
    const thread_block block = block_at(slot, was_on);
    return unit->choose_core(policy, &block, &(thread_block_cores){.count = cores, .has_room = all, .takes = all}, now);
}

static void launch_on(uint32_t slot, uint32_t core)
{
    core_of[slot] = core;
    tell(THREAD_BLOCK_LAUNCHED, slot);
}

static void launch(uint32_t slot, uint32_t expected)
{
    cr_assert_eq(core_for(slot, NO_CORE), expected, "block %u goes to %d", slot, (int)core_for(slot, NO_CORE));
    launch_on(slot, expected);
}

static uint32_t victim(void)
{
    return unit->choose_victim(policy, &(thread_block_demand){.cycle = now});
}

static void leave(uint32_t slot)
{
    cr_assert_eq(victim(), slot);
    tell(THREAD_BLOCK_STOPPING, slot);
    tell(THREAD_BLOCK_SAVED, slot);
}

static uint32_t saved(uint32_t tried)
{
    return unit->choose_saved(policy, &(thread_block_demand){.cycle = now, .tried = tried, .cores = cores});
}

static void go_on(uint32_t slot, uint32_t core)
{
    cr_assert_eq(saved(0), slot);
    cr_assert_eq(core_for(slot, core_of[slot]), core);
    core_of[slot] = core;
    tell(THREAD_BLOCK_ENTERING, slot);
    tell(THREAD_BLOCK_RESTORED, slot);
}

static void end(void)
{
    unit->destroy(policy);
}

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

/* Three blocks on a core, of which two leave. */
static void two_leave(void)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        number_of[slot] = slot;
        launch_on(slot, slot / 3);
    }
    level(3, 4, 0, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    leave(1);
    level(2, 5, 0, 0);
    leave(2);
}

/* The newest goes on first; one that does not fit lets the next one go. */
Test(policy_usage, the_newest_that_fits_goes_on)
{
    begin(&thread_block_policy_rut);
    create();
    two_leave();
    cr_expect_eq(saved(0), NO_BLOCK, "nothing has become less");
    level(0, 5, 0, 0);
    cr_expect_eq(saved(0), 1, "5 + 5 are too many, 5 + 3 are not");
    cr_expect_eq(saved(1), NO_BLOCK);
    level(3, 3, 0, 0);
    cr_expect_eq(saved(0), 2);
    cr_expect_eq(saved(1), 1);
    go_on(2, 1);
    go_on(1, 0);
    end();
}

/* Where a block has left, nothing goes on before something ends or becomes less, unless all are looked through. */
Test(policy_usage, goes_on_where_something_has_eased)
{
    for (uint32_t scan = 0; scan < 2; scan++) {
        begin(&thread_block_policy_rut);
        values[SCAN].u = scan;
        create();
        two_leave();
        level(3, 5, 0, 0);
        level(3, 4, 0, 0); /* has eased, but it would be 9 with block 2 and 7 with block 1 */
        go_on(1, 1);
        level(1, 6, 0, 0);
        leave(1);
        cr_expect_eq(saved(0), NO_BLOCK);
        level(1, 3, 0, 1);
        end();
    }
    begin(&thread_block_policy_rut);
    values[SCAN].u = 1;
    create();
    two_leave();
    cr_expect_eq(saved(0), 1, "4 + 3 on the other core");
    end();
}

Test(policy_usage, a_full_queue_lets_all_stay)
{
    begin(&thread_block_policy_rut);
    values[VICTIMS].u = 1;
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    level(2, 4, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 1);
    leave(1);
    cr_expect_eq(victim(), NO_BLOCK);
    level(2, 5, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 2);
    cr_expect_eq(victim(), NO_BLOCK);
    go_on(1, 1);
    level(2, 6, 0, 0);
    cr_expect_eq(victim(), 2);
    tell(THREAD_BLOCK_ENDED, 2); /* its place is free again */
    level(3, 4, 0, 0);
    leave(3);
    cr_expect_eq(counters[VICTIMS_MAXIMUM], 1);
    cr_expect_eq(counters[VICTIMS_FULL], 2);
    end();
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

/* Those that are on their way are not asked for; the one that left last goes on first, whichever was told first. */
Test(policy_usage, the_last_to_leave_is_the_first_to_go_on)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    level(2, 3, 0, 0);
    cr_assert_eq(victim(), 1, "in the order in which they have risen");
    tell(THREAD_BLOCK_STOPPING, 1);
    cr_assert_eq(victim(), 2);
    tell(THREAD_BLOCK_STOPPING, 2);
    tell(THREAD_BLOCK_SAVED, 2);
    tell(THREAD_BLOCK_SAVED, 1);
    cr_expect_eq(saved(0), 1);
    cr_expect_eq(saved(1), 2);
    cr_expect_eq(core_for(1, 0), 1, "that one is empty");
    core_of[1] = 1;
    tell(THREAD_BLOCK_ENTERING, 1);
    cr_expect_eq(saved(0), NO_BLOCK, "3 and 3 would fit, but nothing there has become less");
    cr_expect_eq(counters[UPDATES], 3);
    end();
}

/* What has eased before a block has left is no reason to go on: it may have left for another reason. */
Test(policy_usage, leaving_ends_what_has_eased)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, slot == 3);
    level(0, 6, 0, 0);
    level(0, 5, 0, 0);
    level(3, 7, 0, 0);
    level(1, 4, 0, 0);
    leave(1);
    level(1, 1, 0, 1);
    cr_expect_eq(saved(0), NO_BLOCK);
    tell(THREAD_BLOCK_ENDED, 2);
    cr_expect_eq(saved(0), NO_BLOCK, "5 + 4");
    tell(THREAD_BLOCK_ENDED, 0);
    cr_expect_eq(saved(0), 1);
    end();
}

/* A block that ends, marked or not, gives back what it had, and no more. */
Test(policy_usage, blocks_that_end)
{
    begin(&thread_block_policy_rut);
    values[VICTIMS].u = 1;
    create();
    for (uint32_t slot = 0; slot < 5; slot++)
        number_of[slot] = slot, launch_on(slot, slot == 4);
    level(4, 7, 0, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    cr_expect_eq(victim(), 1);
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = 7}), 7);
    tell(THREAD_BLOCK_ENDED, 1);
    cr_expect_eq(victim(), NO_BLOCK);
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = 7}), UINT64_MAX);
    level(2, 3, 0, 0);
    leave(2);
    tell(THREAD_BLOCK_ENDED, 3);
    cr_expect_eq(saved(0), NO_BLOCK, "6 + 3");
    launch_on(3, 0);
    level(3, 3, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 1, "the place of block 2 is still taken");
    level(0, 5, 0, 0);
    cr_expect_eq(saved(0), NO_BLOCK, "5 + 3 + 3");
    tell(THREAD_BLOCK_ENDED, 3);
    go_on(2, 0);
    end();
}

/* A block that is alone on its core stays, and so does one that becomes lighter where there is too much. */
Test(policy_usage, only_those_that_rise_beside_others_leave)
{
    begin(&thread_block_policy_rut);
    values[LIMIT].u = 50;
    create();
    for (uint32_t slot = 0; slot < 3; slot++)
        number_of[slot] = slot;
    launch_on(0, 0);
    level(0, 7, 0, 0);
    cr_expect_eq(victim(), NO_BLOCK);
    launch_on(1, 0);
    level(0, 6, 0, 0);
    level(0, 6, 1, 0); /* of floats there are few */
    cr_expect_eq(victim(), NO_BLOCK);
    level(1, 1, 0, 1); /* it ends in a moment */
    cr_expect_eq(victim(), NO_BLOCK);
    level(1, 1, 0, 0);
    cr_expect_eq(victim(), 1);
    end();
}

/* 7000 bytes out and in at 7 per cycle: 2000 cycles. */
Test(policy_usage, none_waits_for_ever)
{
    begin(&thread_block_policy_rut);
    values[WATCHDOG].u = 3;
    create();
    now = 1000;
    two_leave();
    const thread_block_demand demand = {.cycle = now};
    cr_expect_eq(unit->next(policy, &demand), 7000);
    now = 6999;
    cr_expect_eq(saved(0), NO_BLOCK);
    now = 7000;
    cr_expect_eq(saved(0), 1, "the one that has waited for longest");
    cr_expect_eq(saved(1), 2);
    cr_expect_eq(saved(2), NO_BLOCK, "each is named once");
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = now}), now, "at the edge that comes next");
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = now + 1}), UINT64_MAX, "both may go on already");
    go_on(1, 0);
    cr_expect_eq(saved(0), 2);
    cr_expect_eq(saved(1), NO_BLOCK);
    cr_expect_eq(counters[OVERDUE], 1);
    end();
    begin(&thread_block_policy_rut);
    values[WATCHDOG].u = 0;
    create();
    two_leave();
    cr_expect_eq(unit->next(policy, &demand), UINT64_MAX);
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

/* What is about to leave a core is no load of it: as many leave as have to, whatever rises until they have left, and one stays. */
Test(policy_usage, no_more_leave_than_have_to)
{
    static const struct {
        uint32_t levels[2], staying;
    } rows[] = {{{1, 1}, 6}, {{2, 2}, 4}, {{2, 4}, 2}, {{3, 5}, 2}, {{3, 7}, 1}, {{7, 7}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&thread_block_policy_kernel_profile);
        create();
        for (uint32_t slot = 0; slot < 6; slot++)
            number_of[slot] = slot, pc_of[slot] = 0, launch_on(slot, 0);
        level(0, rows[i].levels[0], 0, 0); /* the mean of all six */
        level(1, rows[i].levels[1], 0, 0); /* now that of both windows */
        for (uint32_t slot = 6; slot-- > rows[i].staying;)
            leave(slot);
        cr_expect_eq(victim(), NO_BLOCK, "row %zu", i);
        end();
    }
}

Test(policy_usage, what_is_about_to_leave_is_no_load)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 3; slot++) {
        number_of[slot] = slot, launch_on(slot, 0);
        level(slot, 3, 0, 0);
    }
    cr_assert_eq(victim(), 2, "9");
    level(1, 4, 0, 0); /* 7 without block 2 */
    tell(THREAD_BLOCK_STOPPING, 2);
    cr_expect_eq(victim(), NO_BLOCK);
    level(0, 5, 0, 0);
    cr_assert_eq(victim(), 0, "9 without it");
    level(1, 7, 7, 0);
    tell(THREAD_BLOCK_STOPPING, 0);
    cr_expect_eq(victim(), NO_BLOCK, "it is the last one");
    end();
}

/* A new block is taken for the mean of its kernel, one that runs for what it reports. */
Test(policy_usage, predicts_by_kernels_and_preempts_by_blocks)
{
    begin(&thread_block_policy_rut_preempt_only);
    create();
    number_of[0] = number_of[1] = number_of[2] = 0;
    launch_on(0, 0);
    level(0, 6, 0, 0);
    launch_on(1, 1); /* 6 */
    cr_expect_eq(core_for(2, NO_CORE), NO_CORE);
    level(1, 0, 0, 0); /* the mean is 3 */
    cr_expect_eq(core_for(2, NO_CORE), 1);
    launch_on(2, 1);
    level(2, 7, 0, 0);
    cr_expect_eq(victim(), NO_BLOCK, "7 and 0");
    level(1, 2, 0, 0);
    cr_expect_eq(victim(), 1);
    end();
}

Test(policy_usage, resets)
{
    begin(&thread_block_policy_rut);
    create();
    two_leave();
    unit->reset(policy);
    cr_expect_eq(saved(0), NO_BLOCK);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        launch_on(slot, 0);
        cr_expect_eq(core_for(slot, NO_CORE), 1, "the table knows nothing");
    }
    end();
}
