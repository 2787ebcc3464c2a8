/* SPDX-License-Identifier: MIT */
/* Every cycle with a resident block gives each issue port one slot, and every slot is counted once. */
#include "core_lanes.h"

#include <string.h>

/* What paths may wait for, whoever has the slot first. A path of a further status is one more row. */
static const struct {
    uint8_t status;
    uint8_t slot;
} waits[] = {
    {PATH_WAIT_DATA, CORE_slots_memory_data},   {PATH_FENCE, CORE_slots_memory_data},
    {PATH_DRAIN_DATA, CORE_slots_memory_data},  {PATH_HELD, CORE_slots_transaction},
    {PATH_TRANSACTION, CORE_slots_transaction}, {PATH_WAIT_RESULT, CORE_slots_dependence},
    {PATH_DRAIN_RESULT, CORE_slots_dependence}, {PATH_FETCH_MISS, CORE_slots_fetch},
    {PATH_CONTROL, CORE_slots_control},         {PATH_FETCH, CORE_slots_decode},
    {PATH_BARRIER, CORE_slots_barrier},         {PATH_WARP_SYNC, CORE_slots_barrier},
};
#define WAITS (sizeof waits / sizeof *waits)

/* The classes of Fung 2015, Fig. 4.10. */
static const uint8_t classes[CORE_SLOT_COUNT] = {
    [CORE_slots_issued] = CORE_EXECUTE,
    [CORE_slots_port_busy] = CORE_EXECUTE,
    [CORE_slots_registers] = CORE_STALL,
    [CORE_slots_unit_busy] = CORE_STALL,
    [CORE_slots_backed_off] = CORE_STALL,
    [CORE_slots_network] = CORE_STALL,
    [CORE_slots_memory_width] = CORE_STALL,
    [CORE_slots_memory_pipe] = CORE_STALL,
    [CORE_slots_memory_data] = CORE_SCOREBOARD_WAITS,
    [CORE_slots_dependence] = CORE_SCOREBOARD_WAITS,
    [CORE_slots_barrier] = CORE_SCOREBOARD_WAITS,
    [CORE_slots_transaction] = CORE_SCOREBOARD_WAITS,
    [CORE_slots_fetch] = CORE_IDLE,
    [CORE_slots_control] = CORE_IDLE,
    [CORE_slots_decode] = CORE_IDLE,
    [CORE_slots_idle] = CORE_IDLE,
};

/* Of the cycles from this one on: those in which nothing ready issues because no operand collector is free. */
static uint64_t collector_cycles(const simt_core *core, uint32_t port, uint64_t from, uint64_t cycles)
{
    if (core->operands.free_at <= from || !core->issue.status_count[port][PATH_READY])
        return 0;
    const uint64_t held = core->operands.free_at - from;
    return held < cycles ? held : cycles;
}

/* Of the last cycles in which the port was busy: those in which it waited for operands. */
static uint64_t window_cycles(const simt_core *core, uint32_t port, uint64_t from, uint64_t cycles)
{
    if (!core->operands.window)
        return 0;
    const uint64_t waits_from = core->issue.port_waits_from[port], until = from + cycles;
    if (waits_from >= until)
        return 0;
    return waits_from > from ? until - waits_from : cycles;
}

/* Why something ready does not issue. */
static enum core_slot obstacle(const simt_core *core, uint32_t port)
{
    if (core->issue.declined >> port & 1)
        return CORE_slots_backed_off;
    if (core->issue.status_count[port][PATH_READY] != core->issue.ready_count[port][UNIT_MEMORY])
        return CORE_slots_unit_busy;
    if (core->issue.awaits_credit)
        return CORE_slots_network;
    return core->issue.is_narrow ? CORE_slots_memory_width : CORE_slots_memory_pipe;
}

static enum core_slot reason(const simt_core *core, uint32_t port)
{
    const uint32_t *count = core->issue.status_count[port];
    if (count[PATH_READY])
        return obstacle(core, port);
    for (uint32_t i = 0; i < WAITS; i++) {
        if (count[waits[i].status])
            return (enum core_slot)waits[i].slot;
    }
    return CORE_slots_idle;
}

enum core_slot account_wait(enum path_status status)
{
    for (uint32_t i = 0; i < WAITS; i++) {
        if (waits[i].status == status)
            return (enum core_slot)waits[i].slot;
    }
    return CORE_SLOT_COUNT;
}

/* `profiled` is a constant where these are called, so that nobody pays who does not ask. */
static inline void count_slots(simt_core *core, uint32_t port, enum core_slot slot, uint64_t cycles, uint32_t profiled)
{
    core->counters.slots[slot] += cycles;
    if (profiled)
        profile_slots(core, port, slot, cycles);
}

static inline void count_busy(simt_core *core, uint32_t port, uint64_t from, uint64_t cycles, uint32_t profiled)
{
    const uint64_t waits = window_cycles(core, port, from, cycles);
    if (cycles > waits)
        count_slots(core, port, CORE_slots_port_busy, cycles - waits, profiled);
    if (waits)
        count_slots(core, port, CORE_slots_registers, waits, profiled);
}

static inline void count_lost(simt_core *core, uint32_t port, uint64_t from, uint64_t cycles, uint32_t profiled)
{
    const uint64_t waits = collector_cycles(core, port, from, cycles);
    if (waits)
        count_slots(core, port, CORE_slots_registers, waits, profiled);
    if (cycles > waits)
        count_slots(core, port, reason(core, port), cycles - waits, profiled);
}

static inline void count_port(simt_core *core, uint32_t port, uint64_t cycles, uint32_t profiled)
{
    const uint64_t from = core->account.of_port[port];
    uint64_t busy = 0;
    if (core->issue.port_busy_until[port] > from)
        busy = core->issue.port_busy_until[port] - from;
    busy = busy < cycles ? busy : cycles;
    if (busy)
        count_busy(core, port, from, busy, profiled);
    if (busy < cycles)
        count_lost(core, port, from + busy, cycles - busy, profiled);
}

/* Nothing has changed since they began: what the port did then it did in all these cycles. */
void account_port(simt_core *core, uint32_t port, uint64_t until)
{
    const uint64_t cycles = until - core->account.of_port[port];
    if (core->residency.in.blocks && profile_is_asked(core))
        count_port(core, port, cycles, 1);
    else if (core->residency.in.blocks)
        count_port(core, port, cycles, 0);
    core->account.of_port[port] = until;
}

void account_span(simt_core *core, uint64_t until)
{
    const uint64_t cycles = until - core->account.accounted;
    *(core->residency.in.blocks ? &core->counters.cycles : &core->counters.empty_cycles) += cycles;
    core->account.accounted = until;
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        account_port_until(core, port, until);
}

void account_issued(simt_core *core, uint32_t port)
{
    if (profile_is_asked(core))
        count_slots(core, port, CORE_slots_issued, 1, 1);
    else
        count_slots(core, port, CORE_slots_issued, 1, 0);
}

/* For those who watch, trace or profile, look for spinning, or wait for it: apart, so that nobody else pays for calls. */
static __attribute__((noinline)) void report_issue(simt_core *core, uint32_t path)
{
    const path_state *state = &core->path_states[path];
    core->engine.unissued &= ~(UINT64_C(1) << core->warps[core->paths[path].warp].block);
    if (core->tracing.trace)
        core_trace_issue(core, path);
    if (core->spinning.unit)
        spinning_issue(core, path);
    if (core->levels.watched)
        levels_count_issue(core, core->warps[core->paths[path].warp].block,
                           instruction_group(state->instruction) == GROUP_FLOAT, state->unit == UNIT_MEMORY);
    if (profile_is_asked(core))
        profile_issue(core, path);
}

void account_issue(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    path_state *state = &core->path_states[path];
    path_count_lanes(&state->count, p->mask, core->lane_count, core->warps[p->warp].retired);
    core->counters.lanes[state->count.group]++;
    issued_count *issued = &core->issued[state->instruction->instruction_class][state->instruction->operands];
    issued->instructions++;
    issued->lanes += state->count.active;
    if (__builtin_expect((core->levels.watched | core->engine.unissued | core->issue.reports) != 0, 0))
        report_issue(core, path);
}

uint64_t account_retired(const simt_core *core, uint32_t path, uint32_t lane)
{
    const uint64_t before = core->warps[homes_row_of(core_homes(core, path), lane)].retired[lane];
    return before + core->path_states[path].count.instructions - 1;
}

uint64_t account_retired_by_path(const simt_core *core, uint32_t path)
{
    if (!core->path_homes)
        return path_retired(&core->path_states[path].count, core->warps[core->paths[path].warp].retired);
    const path_count *count = &core->path_states[path].count;
    uint64_t sum = count->active * count->instructions;
    for (uint64_t left = core->paths[path].mask; left;) {
        const home_part part = homes_take(core_homes(core, path), &left);
        sum += path_retired(&(path_count){.lanes = part.lanes}, core->warps[part.row].retired);
    }
    return sum;
}

static void sum_classes(core_counters *counters)
{
    memset(counters->slot_classes, 0, sizeof counters->slot_classes);
    for (uint32_t slot = 0; slot < CORE_SLOT_COUNT; slot++)
        counters->slot_classes[classes[slot]] += counters->slots[slot];
}

static enum core_work work_of(uint32_t instruction_class)
{
    static const uint8_t works[ISA_CLASS_COUNT] = {
        [ISA_CLASS_MUL] = WORK_MULTIPLY,     [ISA_CLASS_DIV] = WORK_DIVIDE,          [ISA_CLASS_FP] = WORK_FLOAT,
        [ISA_CLASS_FP_FMA] = WORK_FLOAT_FMA, [ISA_CLASS_FP_DIV] = WORK_FLOAT_DIVIDE, [ISA_CLASS_SPECIAL] = WORK_SPECIAL,
        [ISA_CLASS_LOAD] = WORK_MEMORY,      [ISA_CLASS_STORE] = WORK_MEMORY,        [ISA_CLASS_ATOMIC] = WORK_MEMORY,
    };
    return (enum core_work)works[instruction_class];
}

static void add_issued(core_counters *counters, uint32_t instruction_class, uint32_t operands,
                       const issued_count *issued, uint32_t lane_count)
{
    const enum core_work work = work_of(instruction_class);
    const uint64_t active = issued->lanes, inactive = issued->instructions * lane_count - active;
    const uint32_t reads = operands & ISA_OPERANDS_READ, writes = (operands & ISA_OPERANDS_WRITES) != 0;
    counters->warp_instructions += issued->instructions;
    counters->thread_instructions += active;
    counters->groups[instruction_group_of(instruction_class)] += issued->instructions;
    counters->work_lanes[work] += active;
    counters->work_inactive_lanes[work] += inactive;
    counters->register_reads += reads * active;
    counters->register_inactive_reads += reads * inactive;
    counters->register_writes += writes * active;
    counters->register_inactive_writes += writes * inactive;
}

static void sum_issued(simt_core *core)
{
    core_counters *counters = &core->counters;
    counters->warp_instructions = counters->thread_instructions = 0;
    counters->register_reads = counters->register_inactive_reads = 0;
    counters->register_writes = counters->register_inactive_writes = 0;
    memset(counters->groups, 0, sizeof counters->groups);
    memset(counters->work_lanes, 0, sizeof counters->work_lanes);
    memset(counters->work_inactive_lanes, 0, sizeof counters->work_inactive_lanes);
    for (uint32_t c = 0; c < ISA_CLASS_COUNT; c++)
        for (uint32_t operands = 0; operands < ISA_OPERANDS_COUNT; operands++)
            add_issued(counters, c, operands, &core->issued[c][operands], core->lane_count);
}

const uint64_t *core_counters_of(hd_block *block)
{
    simt_core *core = (simt_core *)block;
    const uint64_t edge =
        core->fault.halted ? core->account.settled : hd_cursor_index_of(&core->now, core->edges.horizon);
    account_until(core, edge);
    if (!core->fault.halted && profile_is_asked(core))
        profile_settle(core, edge);
    uint64_t depth = core->reconvergence.unit->maximum_depth(core->reconvergence.state);
    if (depth > core->counters.maximum_stack_depth)
        core->counters.maximum_stack_depth = depth;
    sum_classes(&core->counters);
    sum_issued(core);
    return (const uint64_t *)&core->counters;
}
