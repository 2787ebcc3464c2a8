/* SPDX-License-Identifier: MIT */
/* A policy by levels, and what the scheduler would tell and ask it: of one test, which runs by itself. */
#ifndef POLICY_USAGE_RIG_H
#define POLICY_USAGE_RIG_H

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

static inline void begin(const thread_block_policy_unit *of)
{
    static const uint64_t standard[VALUES] = {3, 8, 8, 0, 0, 100, 5, 7, 1000, 1024, 100, 0, 16384};
    for (uint32_t i = 0; i < VALUES; i++)
        values[i].u = standard[i];
    memset(counters, 0, sizeof counters);
    unit = of;
    now = 0;
    cores = 2;
}

static inline void create(void)
{
    policy = unit->create(&(thread_block_policy_parameters){
        .slots = SLOTS, .cores = CORES_MAX, .share = {.values = values, .counters = counters}});
    cr_assert_not_null(policy);
}

static inline thread_block block_at(uint32_t slot, uint32_t core)
{
    grid = (hd_grid){.grid_size = {1000, 10, 1}, .stream = stream_of[slot], .entry_pc = pc_of[slot]};
    return (thread_block){.slot = slot,
                          .core = core,
                          .grid = &grid,
                          .block_index = {number_of[slot] % 1000, number_of[slot] / 1000, 0},
                          .context_bytes = 7000};
}

static inline void tell(uint32_t kind, uint32_t slot)
{
    const thread_block block = block_at(slot, core_of[slot]);
    unit->event(policy, &(thread_block_event){
                            .kind = kind, .slot = slot, .core = core_of[slot], .cycle = now, .block = &block});
}

static inline void level(uint32_t slot, uint32_t memory, uint32_t floats, uint32_t last)
{
    const hd_block_level told = {.memory_level = memory, .float_level = floats, .last = last};
    unit->event(policy,
                &(thread_block_event){.kind = THREAD_BLOCK_LEVEL, .slot = slot, .core = core_of[slot], .level = &told});
}

static inline uint32_t core_for(uint32_t slot, uint32_t was_on)
{
    const uint64_t all[4] = {(1u << cores) - 1};
    const thread_block block = block_at(slot, was_on);
    return unit->choose_core(policy, &block, &(thread_block_cores){.count = cores, .has_room = all, .takes = all}, now);
}

static inline void launch_on(uint32_t slot, uint32_t core)
{
    core_of[slot] = core;
    tell(THREAD_BLOCK_LAUNCHED, slot);
}

static inline void launch(uint32_t slot, uint32_t expected)
{
    cr_assert_eq(core_for(slot, NO_CORE), expected, "block %u goes to %d", slot, (int)core_for(slot, NO_CORE));
    launch_on(slot, expected);
}

static inline uint32_t victim(void)
{
    return unit->choose_victim(policy, &(thread_block_demand){.cycle = now});
}

static inline void leave(uint32_t slot)
{
    cr_assert_eq(victim(), slot);
    tell(THREAD_BLOCK_STOPPING, slot);
    tell(THREAD_BLOCK_SAVED, slot);
}

static inline uint32_t saved(uint32_t tried)
{
    return unit->choose_saved(policy, &(thread_block_demand){.cycle = now, .tried = tried, .cores = cores});
}

static inline void go_on(uint32_t slot, uint32_t core)
{
    cr_assert_eq(saved(0), slot);
    cr_assert_eq(core_for(slot, core_of[slot]), core);
    core_of[slot] = core;
    tell(THREAD_BLOCK_ENTERING, slot);
    tell(THREAD_BLOCK_RESTORED, slot);
}

static inline void end(void)
{
    unit->destroy(policy);
}

#endif
