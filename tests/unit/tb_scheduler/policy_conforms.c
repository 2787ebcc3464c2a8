/* SPDX-License-Identifier: MIT */
/* What every thread-block policy has to satisfy (thread_block_policy.h); new ones are in the list by themselves. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kit_random.h"
#include "policy_programs.h"
#include "thread_block_policy_units.h"

#define SLOTS 120u
#define CORES 70u
#define ROOM 3u /* blocks of a core */
#define STEPS 4000u
#define VALUES_MAX 32u
#define SHORT 100u /* of all numbers among the parameters of a policy that may have it, so that times pass */

static const hd_unit *const units[] = {THREAD_BLOCK_POLICY_UNITS(HD_UNIT_POINTER)};
#define UNITS (sizeof units / sizeof *units)

#define LEVELS 128u     /* of blocks, at most: some are more than a core is to have */
#define STEP_CYCLES 40u /* at most */

enum { GONE, RUNNING, STOPPING, SAVED, ENTERING };

/* A scheduler with its cores, as simple as can be. */
typedef struct world {
    const thread_block_policy_unit *unit;
    thread_block_policy *policy;
    uint64_t random;
    uint64_t cycle;
    uint32_t stage[SLOTS], core[SLOTS];
    uint32_t moves, launches;
    uint64_t trace; /* of all answers */
} world;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static hd_value values[VALUES_MAX];
static uint64_t counters[VALUES_MAX];
static const hd_grid grid = {.grid_size = {1u << 20, 1, 1}, .block_size = {32, 1, 1}};

static hd_value value_for(const hd_parameter *parameter)
{
    hd_value value = {.u = parameter->type == HD_TYPE_UNSIGNED ? least(SHORT, parameter->maximum) : 0};
    if (parameter->type == HD_TYPE_TEXT)
        value.text = programs_profile("0 kernel 100 50 100 25 300 10 5\n");
    return value;
}

static thread_block_policy *create(const hd_unit *unit)
{
    const thread_block_policy_unit *functions = unit->functions;
    cr_assert(unit->parameter_count <= VALUES_MAX && unit->statistic_count <= VALUES_MAX);
    for (uint32_t i = 0; i < unit->parameter_count; i++)
        values[i] = value_for(&unit->parameters[i]);
    cr_assert(!functions->choose_victim == !functions->choose_saved, "%s: both or none", unit->name);
    char error[256] = "";
    thread_block_policy *policy = functions->create(&(thread_block_policy_parameters){
        .slots = SLOTS,
        .cores = 256,
        .share = {.services = &programs_services, .values = values, .counters = counters},
        .error = error,
        .error_bytes = sizeof error});
    programs_forget();
    cr_assert(policy, "%s: %s", unit->name, error);
    return policy;
}

static void note(world *w, uint32_t answer)
{
    w->trace = w->trace * 1099511628211u + answer + 1;
}

static thread_block block_of(const world *w, uint32_t slot)
{
    return (thread_block){.slot = slot, .core = w->stage[slot] == GONE ? NO_CORE : w->core[slot], .grid = &grid};
}

/* They rise, so that also the mean of all does. */
static uint32_t draw_level(world *w, uint32_t highest)
{
    const uint64_t half = least(w->cycle * LEVELS / (STEPS * STEP_CYCLES), LEVELS / 2);
    return (uint32_t)least(half + kit_random(&w->random) % (half + 1), least(highest, LEVELS - 1));
}

static void tell(world *w, uint32_t kind, uint32_t slot)
{
    const thread_block block = block_of(w, slot);
    hd_block_watch watch = {.highest = 7};
    if (kind == THREAD_BLOCK_LEVEL)
        w->unit->watch(w->policy, &block, &watch);
    const hd_block_level level = {.cycles = 10, .memory_level = draw_level(w, watch.highest)};
    w->unit->event(w->policy, &(thread_block_event){.kind = kind,
                                                    .slot = slot,
                                                    .core = block.core,
                                                    .cycle = w->cycle,
                                                    .block = &block,
                                                    .level = kind == THREAD_BLOCK_LEVEL ? &level : NULL});
}

static uint32_t on_core(const world *w, uint32_t core)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        count += w->stage[slot] != GONE && w->stage[slot] != SAVED && w->core[slot] == core;
    return count;
}

/* A core that takes the block, and no other, twice the same. */
static uint32_t choose_core(world *w, uint32_t slot)
{
    uint64_t room[4] = {0}, takes[4] = {0};
    for (uint32_t core = 0; core < CORES; core++) {
        if (on_core(w, core) >= ROOM)
            continue;
        room[core / 64] |= UINT64_C(1) << core % 64;
        if (kit_random(&w->random) % 3 == 0)
            takes[core / 64] |= UINT64_C(1) << core % 64;
    }
    if (!takes[0] && !takes[1])
        return NO_CORE;
    const thread_block block = block_of(w, slot);
    const thread_block_cores cores = {.count = CORES, .has_room = room, .takes = takes};
    const uint32_t core = w->unit->choose_core(w->policy, &block, &cores, w->cycle);
    cr_assert_eq(w->unit->choose_core(w->policy, &block, &cores, w->cycle), core, "it is pure");
    cr_assert(core == NO_CORE || (core < CORES && takes[core / 64] >> core % 64 & 1), "core %u does not take it", core);
    note(w, core);
    return core;
}

static uint32_t find(const world *w, uint32_t stage)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if (w->stage[slot] == stage)
            return slot;
    return NO_BLOCK;
}

static thread_block_demand demand_of(world *w)
{
    return (thread_block_demand){.cycle = w->cycle,
                                 .cores = CORES,
                                 .unstarted = (uint32_t)kit_random(&w->random) % 2,
                                 .stall = (uint32_t)kit_random(&w->random) % 5};
}

static void launch(world *w)
{
    const uint32_t slot = find(w, GONE), core = slot == NO_BLOCK ? NO_CORE : choose_core(w, slot);
    if (core == NO_CORE)
        return;
    w->stage[slot] = RUNNING;
    w->core[slot] = core;
    w->launches++;
    tell(w, THREAD_BLOCK_LAUNCHED, slot);
}

/* The core of the first block of its choice that gets one; each is named once. */
static uint32_t choose_restore(world *w, uint32_t *slot)
{
    thread_block_demand demand = demand_of(w);
    uint32_t core = NO_CORE, named[SLOTS] = {0};
    for (; core == NO_CORE; demand.tried++) {
        *slot = w->unit->choose_saved(w->policy, &demand);
        cr_assert_eq(w->unit->choose_saved(w->policy, &demand), *slot, "it is pure");
        note(w, *slot);
        if (*slot == NO_BLOCK)
            break;
        cr_assert(*slot < SLOTS && w->stage[*slot] == SAVED, "block %u has not left", *slot);
        cr_assert(!named[*slot]++, "block %u has been named", *slot);
        core = choose_core(w, *slot);
    }
    return core;
}

static void restore(world *w)
{
    uint32_t slot;
    if (!w->unit->choose_saved || find(w, SAVED) == NO_BLOCK || find(w, ENTERING) != NO_BLOCK)
        return;
    const uint32_t core = choose_restore(w, &slot);
    if (core == NO_CORE)
        return;
    w->stage[slot] = ENTERING;
    w->core[slot] = core;
    tell(w, THREAD_BLOCK_ENTERING, slot);
}

static void stop(world *w)
{
    const thread_block_demand demand = demand_of(w);
    for (uint32_t i = 0; w->unit->choose_victim; i++) {
        cr_assert_leq(i, SLOTS, "it never comes to an end");
        const uint64_t next = w->unit->next ? w->unit->next(w->policy, &demand) : UINT64_MAX;
        const uint32_t slot = w->unit->choose_victim(w->policy, &demand);
        cr_assert_eq(w->unit->choose_victim(w->policy, &demand), slot, "it is pure");
        note(w, slot);
        if (slot == NO_BLOCK)
            break;
        cr_assert(slot < SLOTS && w->stage[slot] == RUNNING, "block %u does not run", slot);
        cr_expect(!w->unit->next || next <= w->cycle, "it stops a block before it said it would");
        w->stage[slot] = STOPPING;
        tell(w, THREAD_BLOCK_STOPPING, slot);
    }
}

static void advance_block(world *w, uint32_t slot)
{
    const uint64_t what = kit_random(&w->random) % 4;
    if (w->stage[slot] == RUNNING && what == 0 && w->unit->watch)
        tell(w, THREAD_BLOCK_LEVEL, slot);
    if ((w->stage[slot] == RUNNING && what == 1) || (w->stage[slot] == STOPPING && what == 0)) {
        tell(w, THREAD_BLOCK_ENDED, slot);
        w->stage[slot] = GONE;
    } else if (w->stage[slot] == STOPPING && what == 1) {
        w->stage[slot] = SAVED;
        w->moves++;
        tell(w, THREAD_BLOCK_SAVED, slot);
    } else if (w->stage[slot] == ENTERING && what < 2) {
        w->stage[slot] = RUNNING;
        tell(w, THREAD_BLOCK_RESTORED, slot);
    }
}

static void run(world *w, uint64_t seed)
{
    w->random = seed;
    w->cycle = 0;
    w->trace = 14695981039346656037u;
    memset(w->stage, 0, sizeof w->stage);
    for (uint32_t step = 0; step < STEPS; step++) {
        w->cycle += kit_random(&w->random) % STEP_CYCLES;
        advance_block(w, (uint32_t)kit_random(&w->random) % SLOTS);
        launch(w);
        restore(w);
        stop(w);
    }
}

/* What it chooses can be had, and follows from what it was told alone: also after reset, and beside another instance. */
Test(policy_conforms, on_random_events)
{
    for (size_t i = 0; i < UNITS; i++) {
        static world w, other;
        w = (world){.unit = units[i]->functions, .policy = create(units[i])};
        other = (world){.unit = units[i]->functions, .policy = create(units[i])};
        run(&w, 1);
        const uint64_t first = w.trace;
        run(&other, 2);
        w.unit->reset(w.policy);
        run(&w, 1);
        cr_expect_eq(w.trace, first, "%s: reset leaves something behind", units[i]->name);
        w.unit->reset(w.policy);
        run(&w, 2);
        cr_expect_eq(w.trace, other.trace, "%s: instances share something", units[i]->name);
        cr_expect_gt(w.launches, 100);
        cr_expect(!w.unit->choose_victim || w.moves > 1, "%s: %u moves", units[i]->name, w.moves);
        w.unit->destroy(w.policy);
        other.unit->destroy(other.policy);
    }
}

/* Nothing of what ran before is there after reset. */
Test(policy_conforms, nothing_leaves_or_goes_on_after_reset)
{
    for (size_t i = 0; i < UNITS; i++) {
        static world w;
        w = (world){.unit = units[i]->functions, .policy = create(units[i])};
        run(&w, 4);
        w.unit->reset(w.policy);
        const thread_block_demand demand = {.cycle = UINT64_MAX / 2, .stall = STALL_ROOM, .cores = CORES};
        if (w.unit->choose_victim) {
            cr_expect_eq(w.unit->choose_victim(w.policy, &demand), NO_BLOCK, "%s", units[i]->name);
            cr_expect_eq(w.unit->choose_saved(w.policy, &demand), NO_BLOCK, "%s", units[i]->name);
        }
        w.unit->destroy(w.policy);
    }
}

/* An empty machine takes whatever comes, so that nothing waits for ever. */
Test(policy_conforms, an_idle_machine_gets_the_block)
{
    for (size_t i = 0; i < UNITS; i++) {
        static world w;
        w = (world){.unit = units[i]->functions, .policy = create(units[i])};
        run(&w, 3);
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            if (w.stage[slot] == SAVED || w.stage[slot] == ENTERING)
                continue;
            if (w.stage[slot] != GONE)
                tell(&w, THREAD_BLOCK_ENDED, slot);
            w.stage[slot] = GONE;
        }
        uint64_t all[4] = {UINT64_MAX, (1u << (CORES - 64)) - 1};
        const thread_block block = {.slot = 0, .core = NO_CORE, .grid = &grid};
        const thread_block_cores cores = {.count = CORES, .has_room = all, .takes = all};
        cr_expect_neq(w.unit->choose_core(w.policy, &block, &cores, w.cycle), NO_CORE, "%s", units[i]->name);
        if (w.unit->choose_saved && find(&w, SAVED) != NO_BLOCK)
            cr_expect_neq(w.unit->choose_saved(w.policy, &(thread_block_demand){.cycle = w.cycle, .cores = CORES}),
                          NO_BLOCK, "%s: what has left never goes on", units[i]->name);
        w.unit->destroy(w.policy);
    }
}

/* The tables say what the functions do. */
Test(policy_conforms, messages_are_those_of_its_functions)
{
    for (size_t i = 0; i < UNITS; i++) {
        const thread_block_policy_unit *unit = units[i]->functions;
        uint32_t stops = 0, watches = 0;
        for (uint32_t m = 0; m < units[i]->message_count; m++) {
            stops += strcmp(units[i]->messages[m].name, HD_BLOCK_STOP) == 0;
            watches += strcmp(units[i]->messages[m].name, HD_BLOCK_WATCH) == 0;
        }
        cr_expect_eq(stops, unit->choose_victim != NULL, "%s", units[i]->name);
        cr_expect_eq(watches, unit->watch != NULL, "%s", units[i]->name);
    }
}
