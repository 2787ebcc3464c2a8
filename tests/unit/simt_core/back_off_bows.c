/* SPDX-License-Identifier: MIT */
/* ElTantawy 2018 §6.2, §6.3.3, Figs. 6.3 and 6.7. */
#include <criterion/criterion.h>
#include <string.h>

#include "back_off_units.h"
#include "bows.h"
#include "kit_random.h"
#include "scheduler_units.h"

enum { PATHS = 8 };

static const path standing[PATHS];
static hd_value values[BOWS_PARAMETERS], base_values[4];
static uint64_t counters[BOWS_STATISTICS], base_counters[4];
static scheduler_base base;
static scheduler_shared *shared;
static scheduler *s;

static void limits(uint64_t minimum, uint64_t range)
{
    values[BOWS_MINIMUM].u = minimum;
    values[BOWS_RANGE].u = range;
    values[BOWS_WINDOW].u = 1000;
    values[BOWS_STEP].u = 250;
    values[BOWS_SHARE].u = 50;
    values[BOWS_DECLINE].u = 800;
    values[BOWS_PATIENCE].u = 0;
}

static void start_on(const scheduler_unit *unit)
{
    memset(counters, 0, sizeof counters);
    scheduler_parameters parameters = {.paths = PATHS,
                                       .paths_per_warp = 1,
                                       .standing = standing,
                                       .share = {.values = base_values, .counters = base_counters}};
    base = (scheduler_base){.unit = unit, .instance = unit->create(&parameters)};
    parameters.share = (hd_unit_share){.values = values, .counters = counters};
    parameters.base.unit = unit;
    shared = parameters.shared = back_off_bows.create_shared(&parameters);
    parameters.base = base;
    s = back_off_bows.create(&parameters);
    cr_assert(base.instance && shared && s);
    for (uint32_t path = 0; path < PATHS; path++)
        back_off_bows.add(s, path, path);
}

static void start(void)
{
    limits(1000, 0);
    start_on(&scheduler_gto);
}

static void stop(void)
{
    back_off_bows.destroy(s);
    back_off_bows.destroy_shared(shared);
    base.unit->destroy(base.instance);
}

static void tell(uint32_t kind, uint32_t path, uint64_t cycle)
{
    const path_event event = {.kind = kind, .path = path, .warp = path, .cycle = cycle};
    if (back_off_bows.wants(s) & kind)
        back_off_bows.event(s, &event);
}

static void issue(uint32_t path, uint64_t cycle)
{
    tell(PATH_ISSUED, path, cycle);
}

static void spin(uint32_t path, uint64_t cycle)
{
    tell(PATH_SPUN, path, cycle);
}

static uint32_t pick(uint64_t ready, uint64_t cycle)
{
    return back_off_bows.pick(s, &ready, cycle);
}

#define READY(path) (UINT64_C(1) << (path))

/* The snapshot of Fig. 6.7: of those that are ready one has to wait for its delay. */
Test(back_off_bows, takes_the_first_of_the_queue_that_is_ready_and_has_waited, .init = start, .fini = stop)
{
    spin(3, 0);
    issue(3, 100); /* its delay ends at 1100 */
    spin(2, 500);
    spin(3, 550);
    spin(5, 560);
    cr_expect_eq(pick(READY(3) | READY(5), 600), 5);
    issue(5, 600);
    cr_expect_eq(pick(READY(3) | READY(5), 601), 5, "it is as all others again");
    spin(5, 650);
    cr_expect_eq(pick(READY(2) | READY(3) | READY(5), 700), 2);
    cr_expect_eq(pick(READY(3) | READY(5), 1099), NO_PATH);
    cr_expect_eq(back_off_bows.next(s, 700), 1100);
    cr_expect_eq(pick(READY(3) | READY(5), 1100), 3);
    cr_expect_eq(back_off_bows.next(s, 1100), 1600);
    issue(3, 1100);
    cr_expect_eq(pick(READY(5), 1599), NO_PATH);
    cr_expect_eq(pick(READY(5), 1600), 5);
}

Test(back_off_bows, who_issued_last_is_not_preferred_while_it_is_backed_off, .init = start, .fini = stop)
{
    issue(4, 10);
    cr_expect_eq(pick(0xFF, 11), 4);
    spin(4, 12);
    cr_expect_eq(pick(0xFF, 13), 0);
    cr_expect_eq(pick(READY(4) | READY(7), 13), 7);
    cr_expect_eq(pick(READY(4), 13), 4);
}

/* The delay runs from the first instruction after the branch, not from the branch; and whatever the path does meanwhile. */
Test(back_off_bows, an_iteration_begins_a_delay_after_the_one_before, .init = start, .fini = stop)
{
    spin(1, 0);
    cr_expect_eq(pick(READY(1), 1), 1, "the first time it only goes behind the others");
    issue(1, 40);
    spin(1, 340);
    cr_expect_eq(pick(READY(1), 1039), NO_PATH);
    cr_expect_eq(back_off_bows.next(s, 340), 1040);
    cr_expect_eq(pick(READY(1), 1040), 1);
    issue(1, 1040);
    spin(1, 2240); /* a long section */
    cr_expect_eq(pick(READY(1), 2240), 1);
    cr_expect_eq(back_off_bows.next(s, 2240), UINT64_MAX);
    issue(1, 2300);
    cr_expect_eq(counters[BOWS_BACKED_OFF], 3);
    cr_expect_eq(counters[BOWS_DELAYED], 1);
    cr_expect_eq(counters[BOWS_BACKED_OFF_CYCLES], 40 + 700 + 60);
    cr_expect_eq(counters[BOWS_DELAYS], 3);
    cr_expect_eq(counters[BOWS_DELAY_CYCLES], 3000);
    cr_expect_eq(counters[BOWS_LIMIT_MAXIMUM], 1000);
    cr_expect_eq(counters[BOWS_BACKED_OFF_MAXIMUM], 700);
}

/* Who holds what the others wait for is backed off, and they always have something to issue. */
Test(back_off_bows, a_path_comes_back_though_others_are_always_ready, .fini = stop)
{
    limits(1000, 0);
    values[BOWS_PATIENCE].u = 3000;
    start_on(&scheduler_gto);
    issue(1, 0);
    spin(3, 90);
    issue(3, 95); /* its delay ends at 1095 */
    spin(1, 100);
    spin(3, 200);
    for (uint64_t cycle = 201; cycle < 3100; cycle++)
        cr_assert_eq(pick(0xFF, cycle), 0, "cycle %llu", (unsigned long long)cycle);
    cr_expect_eq(pick(0xFF, 3100), 1);
    issue(1, 3100);
    cr_expect_eq(pick(0xFF, 3199), 1, "as all others, and the last that issued");
    cr_expect_eq(pick(0xFF, 3200), 3);
    values[BOWS_PATIENCE].u = 500;
    stop();
    start_on(&scheduler_gto);
    spin(3, 0);
    issue(3, 10);
    spin(3, 20);
    cr_expect_eq(pick(0xFF, 1009), 0, "not before its delay is over");
    cr_expect_eq(pick(0xFF, 1010), 3);
}

/* One instruction in ten is a spin branch, for 40,000 cycles. */
static void spin_often(void)
{
    for (uint64_t cycle = 0; cycle < 40000; cycle += 4) {
        issue(cycle / 4 % PATHS, cycle);
        if (cycle % 40 == 0)
            spin(0, cycle);
    }
}

Test(back_off_bows, windows_are_counted_by_their_limits, .fini = stop)
{
    limits(1000, 9000);
    start_on(&scheduler_lrr);
    spin_often();
    issue(1, 50000);
    const uint64_t windows[] = {0, 1, 4, 8, 8, 8, 50 - 29};
    for (uint32_t i = 0; i < 7; i++)
        cr_expect_eq(counters[BOWS_LIMIT_0 + i], windows[i], "%u: %llu", i,
                     (unsigned long long)counters[BOWS_LIMIT_0 + i]);
}

/* Fig. 6.3: one warp, step by step. */
Test(back_off_bows, follows_the_published_walk, .init = start, .fini = stop)
{
    cr_expect_eq(pick(READY(0) | READY(1), 0), 0);
    issue(0, 0);
    spin(0, 5); /* all lanes fail: behind the others */
    cr_expect_eq(pick(READY(0) | READY(1), 6), 1);
    cr_expect_eq(pick(READY(0), 7), 0); /* the others stall */
    issue(0, 7);                        /* its atomic; as the others again, and the delay begins */
    cr_expect_eq(pick(READY(0) | READY(1), 8), 0);
    issue(0, 8);
    for (uint64_t cycle = 9; cycle < 1500; cycle += 10)
        issue(0, cycle); /* the section of those that have won */
    spin(0, 1500);       /* the others fail; longer than the limit */
    cr_expect_eq(pick(READY(0), 1501), 0);
    issue(0, 1501);
    spin(0, 1520); /* soon */
    cr_expect_eq(pick(READY(0), 2500), NO_PATH);
    cr_expect_eq(pick(READY(0), 2501), 0);
}

Test(back_off_bows, without_a_limit_it_only_changes_the_order, .fini = stop)
{
    limits(0, 0);
    start_on(&scheduler_gto);
    for (uint64_t cycle = 0; cycle < 100; cycle += 2) {
        spin(1, cycle);
        cr_expect_eq(pick(READY(1) | READY(6), cycle), 6);
        cr_expect_eq(pick(READY(1), cycle), 1);
        issue(1, cycle + 1);
    }
    cr_expect_eq(counters[BOWS_DELAYS], 0);
}

Test(back_off_bows, a_path_that_ends_leaves_the_queue_and_comes_back_as_new, .init = start, .fini = stop)
{
    spin(1, 0);
    issue(1, 1);
    spin(2, 2);
    spin(1, 3);
    cr_expect_eq(pick(READY(1), 10), NO_PATH);
    back_off_bows.remove(s, 1);
    cr_expect_eq(pick(READY(2), 10), 2);
    back_off_bows.add(s, 1, 99);
    cr_expect_eq(pick(READY(1) | READY(2), 10), 1);
    spin(1, 11);
    cr_expect_eq(pick(READY(1), 12), 1);
}

/* Told twice, it is in the queue once, at its first place. */
Test(back_off_bows, a_second_branch_changes_nothing, .init = start, .fini = stop)
{
    spin(1, 0);
    spin(2, 1);
    spin(1, 2);
    cr_expect_eq(pick(READY(1) | READY(2), 3), 1);
    issue(1, 3);
    cr_expect_eq(pick(READY(1) | READY(2), 4), 1);
    issue(2, 4);
    cr_expect_eq(pick(READY(2), 5), 2);
    cr_expect_eq(counters[BOWS_BACKED_OFF], 2);
}

Test(back_off_bows, the_limit_adapts_and_is_forgotten_when_all_paths_have_ended, .fini = stop)
{
    limits(1000, 9000);
    start_on(&scheduler_lrr);
    spin_often();
    cr_expect_eq(counters[BOWS_LIMIT_MAXIMUM], 10000);
    for (uint32_t path = 0; path < PATHS; path++)
        back_off_bows.remove(s, path);
    for (uint32_t path = 0; path < PATHS; path++)
        back_off_bows.add(s, path, path);
    const uint64_t before = counters[BOWS_DELAY_CYCLES];
    spin(0, 40004);
    issue(0, 40005);
    cr_expect_eq(counters[BOWS_DELAY_CYCLES] - before, 1000);
    cr_expect_eq(counters[BOWS_LIMIT_MAXIMUM], 10000, "the longest there was");
}

/* The limit after windows of 100 instructions each, of which so many are spin branches; by the parameter that is changed. */
static uint64_t limit_after(uint32_t first, uint32_t second, enum bows_parameter changed, uint64_t value)
{
    const uint32_t spins[] = {first, second};
    limits(1000, 9000);
    values[changed].u = value;
    start_on(&scheduler_lrr);
    for (uint64_t i = 0; i < 200; i++) {
        issue(1, 10 * i);
        if (spins[i / 100] && i % (100 / spins[i / 100]) == 0)
            spin(2, 10 * i);
    }
    spin(0, 2000);
    issue(0, 2000);
    stop();
    limits(0, 0);
    values[BOWS_EMPTY_WINDOW].u = 0;
    return counters[BOWS_DELAY_CYCLES];
}

Test(back_off_bows, every_parameter_of_the_limit_is_heard)
{
    cr_expect_eq(limit_after(10, 10, BOWS_STEP, 250), 1500);
    cr_expect_eq(limit_after(10, 10, BOWS_STEP, 100), 1200);
    cr_expect_eq(limit_after(10, 10, BOWS_WINDOW, 500), 2000);
    cr_expect_eq(limit_after(10, 10, BOWS_SHARE, 100), 1000, "a tenth is not more than a tenth");
    cr_expect_eq(limit_after(10, 50, BOWS_DECLINE, 0), 1500);
    cr_expect_eq(limit_after(0, 10, BOWS_EMPTY_WINDOW, BOWS_EMPTY_INFINITE), 1000);
}

Test(back_off_bows, the_counter_of_pending_cycles_has_14_bits, .fini = stop)
{
    limits(10000, 16383);
    start_on(&scheduler_lrr);
    for (uint64_t cycle = 0; cycle < 100000; cycle += 4) {
        issue(0, cycle);
        spin(0, cycle);
    }
    cr_expect_eq(counters[BOWS_LIMIT_MAXIMUM], 16383);
}

/* What the base picks by itself it picks below this, for random loads without spinning. */
static void expect_same_as_alone(const scheduler_unit *unit, uint64_t seed)
{
    const scheduler_parameters parameters = {.paths = PATHS,
                                             .paths_per_warp = 1,
                                             .standing = standing,
                                             .share = {.values = base_values, .counters = base_counters}};
    scheduler *alone = unit->create(&parameters);
    limits(1000, 9000);
    start_on(unit);
    for (uint32_t path = 0; path < PATHS; path++)
        unit->add(alone, path, path);
    for (uint64_t cycle = 0; cycle < 5000; cycle++) {
        const uint64_t ready = kit_random(&seed) & kit_random(&seed) & 0xFF;
        const uint32_t picked = unit->pick(alone, &ready, cycle);
        cr_assert_eq(pick(ready, cycle), picked, "cycle %llu", (unsigned long long)cycle);
        if (picked == NO_PATH)
            continue;
        const path_event events[] = {
            {.kind = PATH_ISSUED, .path = picked, .pc = 4 * (uint32_t)(cycle % 7), .cycle = cycle},
            {.kind = PATH_LAUNCHED, .path = NO_PATH, .warp = PATHS - 1, .cycle = cycle, .instructions = 9}};
        for (uint32_t i = 0; i < 2; i++) {
            if (unit->wants(alone) & events[i].kind)
                unit->event(alone, &events[i]);
            if (back_off_bows.wants(s) & events[i].kind)
                back_off_bows.event(s, &events[i]);
        }
    }
    unit->destroy(alone);
    stop();
}

Test(back_off_bows, without_spinning_every_base_picks_what_it_picks_alone)
{
    base_values[0].u = 100;
    expect_same_as_alone(&scheduler_lrr, 1);
    expect_same_as_alone(&scheduler_gto, 2);
    base_values[0].u = 0;
    expect_same_as_alone(&scheduler_cawa, 3);
}

/* Whatever happens: someone who is ready and not backed off goes first; else someone if anyone may; the queue is served in turn. */
Test(back_off_bows, random_schedules_keep_the_rules)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed, backed_off = 0, since[PATHS] = {0}, pending[PATHS] = {0};
        limits(kit_random(&random) % 60, 0);
        const uint64_t patience = values[BOWS_PATIENCE].u = seed % 4 ? 0 : 10;
        start_on(seed % 2 ? &scheduler_gto : &scheduler_lrr);
        for (uint64_t cycle = 0; cycle < 4000; cycle++) {
            const uint64_t ready = kit_random(&random) & kit_random(&random) & 0xFF;
            const uint32_t picked = pick(ready, cycle);
            uint32_t first = NO_PATH;
            for (uint32_t path = 0; path < PATHS; path++)
                if (ready & backed_off & READY(path) && cycle >= pending[path] &&
                    (first == NO_PATH || since[path] < since[first]))
                    first = path;
            if (ready & ~backed_off && !(patience && first != NO_PATH && cycle - since[first] >= patience))
                cr_assert(picked != NO_PATH && ready & ~backed_off & READY(picked), "seed %llu",
                          (unsigned long long)seed);
            else
                cr_assert_eq(picked, first, "seed %llu, cycle %llu", (unsigned long long)seed,
                             (unsigned long long)cycle);
            if (picked == NO_PATH)
                continue;
            issue(picked, cycle);
            if (backed_off & READY(picked))
                pending[picked] = cycle + values[BOWS_MINIMUM].u;
            backed_off &= ~READY(picked);
            if (kit_random(&random) % 3 == 0) {
                spin(picked, cycle);
                backed_off |= READY(picked);
                since[picked] = cycle;
            }
        }
        stop();
    }
}

Test(back_off_bows, costs_what_is_published)
{
    const hd_structure_use use = {.parameter = 48, .other = 2, .count = 15};
    cr_assert_eq(hd_back_off_bows.structure_count, 2);
    cr_expect_eq((uint64_t)hd_back_off_bows.structures[0].bytes(&use), 15 * 672 / 8);
    cr_expect_eq((uint64_t)hd_back_off_bows.structures[1].bytes(&use), 15 * 240 / 8);
    const hd_structure_use pascal = {.parameter = 64, .other = 4, .count = 1};
    cr_expect_eq((uint64_t)hd_back_off_bows.structures[1].bytes(&pascal), 64 * 4 / 8);
}
