/* SPDX-License-Identifier: MIT */
/*
 * Turns with memory: the core works through `run_ahead` cycles at once, path after path, each for a quantum of
 * instructions, or spin locks would never end. Which instructions run, and in which order, does not depend on the turns.
 */
#include "state.h"

void functional_path_set_status(functional_core *core, uint32_t path, enum path_status status)
{
    const uint64_t bit = UINT64_C(1) << path % 64;
    core->path_states[path].status = (uint8_t)status;
    if (status == PATH_READY)
        core->ready[path / 64] |= bit;
    else
        core->ready[path / 64] &= ~bit;
}

/* First ready path from `from` on, NO_SLOT if there is none up to the end. */
static uint32_t ready_from(const functional_core *core, uint32_t from)
{
    for (uint32_t word = from / 64; word < core->ready_words; word++) {
        const uint64_t bits = core->ready[word] & (word == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX);
        if (bits)
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return NO_SLOT;
}

/* Gives the next path its quantum. 0 = none can run. */
static uint32_t next_path(functional_core *core)
{
    uint32_t next = core->current + 1 < core->path_count ? ready_from(core, core->current + 1) : NO_SLOT;
    if (next == NO_SLOT)
        next = ready_from(core, 0);
    if (next == NO_SLOT)
        return 0;
    core->current = next;
    core->left = (uint32_t)parameter_of(core, PARAMETER_QUANTUM);
    return 1;
}

/* The reconvergence unit, if its time has come; between two paths. */
static __attribute__((noinline)) void let_unit_act(functional_core *core)
{
    const uint64_t cycle = current_edge(core) - core->cycle_base;
    if (core->reconvergence_next <= cycle)
        core->reconvergence_unit->due(core->reconvergence, cycle);
    core->reconvergence_next = core->reconvergence_unit->next(core->reconvergence, cycle);
}

static void execute(functional_core *core, uint32_t path, uint64_t limit)
{
    if (__builtin_expect(core->debugging.listener.before != NULL, 0))
        functional_debug_path(core, path, limit);
    else
        execute_path(core, path, limit);
}

static void work(functional_core *core, uint64_t budget)
{
    while ((core->issued < budget || core->transaction != NO_SLOT) && !core->halted) {
        if (__builtin_expect(core->reconvergence_acts, 0))
            let_unit_act(core);
        const uint64_t before = core->issued;
        if (core->transaction != NO_SLOT) { /* it is one step, whatever it takes */
            execute(core, core->transaction, parameter_of(core, PARAMETER_QUANTUM));
            continue;
        }
        if ((!core->left || core->path_states[core->current].status != PATH_READY) && !next_path(core))
            return;
        execute(core, core->current, core->left < budget - before ? core->left : budget - before);
        const uint64_t done = core->issued - before;
        core->left = done < core->left ? core->left - (uint32_t)done : 0;
    }
}

void functional_turn(hd_block *block, hd_time t)
{
    functional_core *core = (functional_core *)block;
    core->turn_asked = 0;
    core->turn_edge = hd_clock_index_at_or_after(core->now.clock, t);
    core->issued = 0;
    core->progressed = 0;
    core->counters.turns++;
    work(core, parameter_of(core, PARAMETER_RUN_AHEAD) * core->rate);
    core->busy_until = core->turn_edge + (core->issued + core->rate - 1) / core->rate;
    if (!core->halted && ready_from(core, 0) != NO_SLOT)
        ask_for_turn(core, core->turn_edge + parameter_of(core, PARAMETER_RUN_AHEAD));
    else if (!core->halted && core->reconvergence_next != UINT64_MAX)
        ask_for_turn(core, core->reconvergence_next + core->cycle_base);
}

static void path_added(void *context, uint32_t path)
{
    functional_core *core = context;
    core->path_states[path].count = (path_count){0};
    functional_path_set_status(core, path, PATH_READY);
}

static void path_changed(void *context, uint32_t path)
{
    functional_path_set_status(context, path, PATH_READY);
}

static void path_removed(void *context, uint32_t path)
{
    functional_core *core = context;
    path_count_settle(&core->path_states[path].count, core->warps[core->paths[path].warp].retired);
    functional_path_set_status(core, path, PATH_NONE);
}

const reconvergence_events turn_events = {.added = path_added, .changed = path_changed, .removed = path_removed};
