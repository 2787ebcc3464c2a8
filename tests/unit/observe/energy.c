/* SPDX-License-Identifier: MIT */
/* Energy of intervals is exact: parts add up to sums, and intervals to the run. */
#include <criterion/criterion.h>

#include "counting.h"
#include "energy_model.h"

#define PICOJOULE 1000u
#define WATT 1000000u
#define LEAKAGE_WATTS 59u

static const hd_energy_event core_event = HD_ENERGY_ROW("issue", "warp_instructions", CORE, "an instruction issues"),
                             l2_event = HD_ENERGY_ROW("access", "warp_instructions", L2, "an access");

/* A table for the two blocks of the rig. */
typedef struct priced {
    counting rig;
    netlist_energy_event events[2];
    netlist_energy_block blocks[2];
    netlist_energy_static statics[1];
    netlist_energy table;
    hd_energy_model model;
} priced;

static void set_price(priced *at, uint32_t block, uint64_t femtojoules)
{
    at->events[block].femtojoules = femtojoules;
    hd_energy_model_free(&at->model);
    at->model = hd_energy_model_of(&at->rig.machine);
}

static void priced_open(priced *at)
{
    *at = (priced){0};
    counting_open(&at->rig);
    const hd_energy_event *events[] = {&core_event, &l2_event};
    for (uint32_t b = 0; b < 2; b++) {
        at->events[b] = (netlist_energy_event){
            .event = events[b], .counts = energy_counts_of(at->rig.blocks[b].block_class, events[b]), .source = "test"};
        at->blocks[b] = (netlist_energy_block){.events = &at->events[b], .event_count = 1, .declares = 1};
    }
    at->statics[0] = (netlist_energy_static){
        .name = "leakage", .source = "test", .category = HD_ENERGY_LEAKAGE, .microwatts = LEAKAGE_WATTS * WATT};
    at->table = (netlist_energy){
        .name = "test", .static_count = 1, .statics = at->statics, .blocks = at->blocks, .tm_by_events = 1};
    at->rig.machine.energy = &at->table;
    set_price(at, 0, 54 * PICOJOULE);
    set_price(at, 1, 2805 * PICOJOULE);
}

static void priced_close(priced *at)
{
    hd_energy_model_free(&at->model);
    counting_close(&at->rig);
}

static void happen(priced *at, uint32_t endpoint, uint64_t events)
{
    counting_values(&at->rig, endpoint)[COUNTING_EVENTS] += events;
}

static hd_energy_sums run_of(priced *at)
{
    return hd_energy_of_interval(&at->model, at->rig.statistics, hd_statistics_run(at->rig.statistics));
}

static uint64_t categories_of(const hd_energy_sums *sums)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < HD_ENERGY_CATEGORY_COUNT; i++)
        sum += sums->categories[i];
    return sum;
}

Test(energy, events_of_all_instances_cost_what_the_table_says)
{
    priced at;
    priced_open(&at);
    happen(&at, 0, 100);
    happen(&at, 1, 11);
    happen(&at, 2, 7);
    hd_statistics_finish(at.rig.statistics, 1000);
    const hd_energy_sums sums = run_of(&at);
    cr_expect_eq(sums.categories[HD_ENERGY_CORE], 111 * 54 * PICOJOULE);
    cr_expect_eq(sums.categories[HD_ENERGY_L2], 7 * 2805 * PICOJOULE);
    cr_expect_eq(sums.categories[HD_ENERGY_LEAKAGE], LEAKAGE_WATTS * 1000 * 1000, "59 W for a nanosecond are 59 nJ");
    cr_expect_eq(categories_of(&sums), sums.total);
    priced_close(&at);
}

Test(energy, an_idle_machine_costs_leakage_and_clock_alone)
{
    priced at;
    priced_open(&at);
    at.blocks[0].leakage.microwatts = 3 * WATT;
    at.blocks[0].clock.microwatts = 2 * WATT;
    set_price(&at, 0, 54 * PICOJOULE);
    hd_statistics_finish(at.rig.statistics, 1000000);
    const hd_energy_sums sums = run_of(&at);
    cr_expect_eq(sums.categories[HD_ENERGY_LEAKAGE], (LEAKAGE_WATTS + 2 * 3) * UINT64_C(1000000000),
                 "of both instances");
    cr_expect_eq(sums.categories[HD_ENERGY_IDLE], 2 * 2 * UINT64_C(1000000000));
    cr_expect_eq(sums.total, sums.categories[HD_ENERGY_LEAKAGE] + sums.categories[HD_ENERGY_IDLE]);
    priced_close(&at);
}

Test(energy, intervals_that_follow_each_other_add_up_to_the_run)
{
    priced at;
    priced_open(&at);
    at.statics[0].microwatts = 1999; /* which makes no whole femtojoules in these intervals */
    set_price(&at, 0, 54 * PICOJOULE);
    const hd_time ends[] = {0, 1237, 3001, 9999};
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < 4; i++) {
        hd_statistics_kernel_begin(at.rig.statistics, i, ends[i]);
        happen(&at, i, 3 + i);
        hd_statistics_kernel_end(at.rig.statistics, i, ends[i + 1]);
        sum += hd_energy_of_interval(&at.model, at.rig.statistics, hd_statistics_kernel(at.rig.statistics, i)).total;
    }
    hd_statistics_finish(at.rig.statistics, ends[3]);
    cr_expect_eq(sum, run_of(&at).total);
    priced_close(&at);
}

/* Between kernels, time is that of none: what they lose by rounding they gain from the gaps, and from nothing else. */
Test(energy, kernels_with_gaps_between_add_up_to_the_time_in_which_they_run)
{
    priced at;
    priced_open(&at);
    at.statics[0].microwatts = 1999;
    set_price(&at, 0, 54 * PICOJOULE);
    const hd_time begins[] = {0, 2001, 4007}, ends[] = {1237, 3001, 9999};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        hd_statistics_kernel_begin(at.rig.statistics, i, begins[i]);
        happen(&at, i, 3 + i);
        hd_statistics_kernel_end(at.rig.statistics, i, ends[i]);
        sum += hd_energy_of_interval(&at.model, at.rig.statistics, hd_statistics_kernel(at.rig.statistics, i)).total;
    }
    hd_statistics_finish(at.rig.statistics, 12000);
    cr_expect_eq(sum, hd_energy_of_interval(&at.model, at.rig.statistics, hd_statistics_busy(at.rig.statistics)).total);
    cr_expect_lt(sum, run_of(&at).total);
    priced_close(&at);
}

Test(energy, twice_the_prices_cost_twice_and_none_cost_nothing)
{
    priced at;
    priced_open(&at);
    at.statics[0].microwatts = 0;
    happen(&at, 0, 5);
    happen(&at, 2, 9);
    hd_statistics_finish(at.rig.statistics, 500);
    set_price(&at, 0, 10);
    set_price(&at, 1, 20);
    const uint64_t once = run_of(&at).total;
    set_price(&at, 0, 20);
    set_price(&at, 1, 40);
    cr_expect_eq(run_of(&at).total, 2 * once);
    cr_expect_gt(once, 0);
    set_price(&at, 0, 0);
    set_price(&at, 1, 0);
    cr_expect_eq(run_of(&at).total, 0);
    priced_close(&at);
}

Test(energy, a_run_whose_blocks_went_on_pays_for_it)
{
    priced at;
    priced_open(&at);
    hd_statistics_finish(at.rig.statistics, 1000);
    const uint64_t until_end = run_of(&at).total;
    hd_statistics_stand_at(at.rig.statistics, 1500);
    cr_expect_eq(run_of(&at).total, until_end + LEAKAGE_WATTS * 500 * 1000);
    priced_close(&at);
}

Test(energy, a_machine_without_a_table_has_none)
{
    priced at;
    priced_open(&at);
    at.rig.machine.energy = NULL;
    hd_energy_model model = hd_energy_model_of(&at.rig.machine);
    cr_expect_eq(model.count, 0);
    hd_energy_model_free(&model);
    priced_close(&at);
}
