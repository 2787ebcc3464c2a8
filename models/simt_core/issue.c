/* SPDX-License-Identifier: MIT */
/* Issue ports and functional units: which path issues. */
#include "core_lanes.h"
#include "regrouped.h"
#include "tx/tx.h"

#include <inttypes.h>

_Static_assert(512 + 64 + 64 + OPERAND_DELAY_MAX < WHEEL_CYCLES, "the largest latency, register read and write-back");

/* Functional units that take no instruction before something else happens, a bit each. */
static uint32_t closed_units(const simt_core *core, uint32_t port)
{
    return core->memory_status->room >> port & 1 ? 0 : 1u << UNIT_MEMORY;
}

/* As below, of a core with few paths. */
static inline uint32_t find_in_word(simt_core *core, uint32_t port, uint32_t units)
{
    uint64_t ready = 0;
    for (; units; units &= units - 1) {
        const uint32_t unit = (uint32_t)__builtin_ctz(units);
        if (core->issue.unit_busy_until[unit] <= core->now.n)
            ready |= core->issue.ready[unit][0];
    }
    core->issue.candidates[0] = ready &= core->issue.own[port][0];
    return ready != 0;
}

/* Paths whose instruction can issue, of all units that take one. 0: there is none. */
static inline uint32_t find_candidates(simt_core *core, uint32_t port, uint32_t units)
{
    uint32_t any = 0;
    if (core->issue.ready_words == 1)
        return find_in_word(core, port, units);
    for (; units; units &= units - 1) {
        const uint32_t unit = (uint32_t)__builtin_ctz(units);
        if (core->issue.unit_busy_until[unit] > core->now.n)
            continue;
        for (uint32_t i = 0; i < core->issue.ready_words; i++)
            core->issue.candidates[i] =
                (any ? core->issue.candidates[i] : 0) | (core->issue.ready[unit][i] & core->issue.own[port][i]);
        any = 1;
    }
    return any;
}

/* Within a window the instruction keeps its port until its operands can be read; it does what it does so much later. */
static void read_operands(simt_core *core, uint32_t port, uint32_t path)
{
    operand_reads *reads = &core->operands;
    const uint64_t registers = isa_operands_read(core->path_states[path].instruction);
    core->issue.delay = operands_read(reads, port, core->paths[path].warp, registers, core->now.n);
    core->counters.operand_conflicts += core->issue.delay != 0;
    core->counters.operand_wait_cycles += core->issue.delay;
    if (!reads->window)
        return;
    core->issue.port_waits_from[port] = core->issue.port_busy_until[port];
    core->issue.port_busy_until[port] += core->issue.delay;
}

/* Behind an instruction of another latency. */
static __attribute__((noinline)) void await_exit(simt_core *core, uint32_t port, uint32_t path)
{
    const path_state *state = &core->path_states[path];
    const uint32_t latency = core->units.latency[state->instruction->operation];
    if (!core->operands.banks)
        core->issue.delay = 0;
    if (!latency || !pipe_exits_concern(state->unit))
        return;
    const uint32_t waits = pipe_exits_take(&core->exits, port, core->now.n + core->issue.delay + latency);
    core->issue.delay += waits;
    core->issue.port_waits_from[port] += waits; /* not for its operands */
    core->issue.port_busy_until[port] += waits;
    core->counters.exit_waits += waits != 0;
    core->counters.exit_wait_cycles += waits;
}

/* Every instruction does: no member is set that has no meaning. */
static inline void raise_issue(const simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    path_event event;
    event.kind = PATH_ISSUED;
    event.path = path;
    event.warp = p->warp;
    event.pc = p->pc;
    event.mask = p->mask;
    event.cycle = core_cycle(core);
    core_raise(core, &event);
}

static __attribute__((noinline)) void announce(simt_core *core, uint32_t path)
{
    if (core->tx.wants_issues)
        tx_before_issue(core->tx.transactions, path, core->path_states[path].instruction);
    if (core->debugging.listener.before)
        debug_tell(core, path);
    if (core->words.knows_arrays)
        words_announce(core, path);
}

void issue_set_listeners(simt_core *core)
{
    const uint32_t watched = core->tracing.trace != NULL || profile_is_asked(core);
    core->issue.announces = core->tx.wants_issues || core->debugging.listener.before || core->words.knows_arrays;
    core->issue.reports = watched || core->spinning.unit;
    core->issue.tells = watched || core->wanted.kinds & (PATH_STALLED | PATH_STALL_ENDED);
}

static inline void issue_one(simt_core *core, uint32_t port, uint32_t path)
{
    core->issue.port_busy_until[port] = core->now.n + core->issue.cycles;
    if (core->operands.banks)
        read_operands(core, port, path);
    if (core->exits.taken)
        await_exit(core, port, path);
    if (__builtin_expect(core->issue.announces, 0))
        announce(core, path);
    account_issue(core, path);
    raise_issue(core, path);
    core->path_states[path].count.instructions++; /* the path may end with it */
    if (__builtin_expect(core->live.registers != NULL, 0))
        live_issue(core, path);
    execute_instruction(core, path);
}

static uint32_t awaits_collector(const simt_core *core)
{
    return core->operands.free_at > core->now.n;
}

static uint32_t takes_another(simt_core *core, uint32_t port, uint32_t path, uint32_t first_unit)
{
    const path_state *state = &core->path_states[path];
    const uint64_t registers = isa_operands_read(state->instruction);
    if (state->unit == first_unit && core_parameter_of(core, PARAMETER_ISSUE_DIFFERENT_UNITS))
        return 0;
    if (closed_units(core, port) >> state->unit & 1 || core->issue.unit_busy_until[state->unit] > core->now.n)
        return 0;
    if (core->issue.port_busy_until[port] > core->now.n + core->issue.cycles)
        return 0; /* the first waits in the port */
    return !core->operands.banks || operands_fit(&core->operands, port, core->paths[path].warp, registers, core->now.n);
}

/* Who issues pairs, or regroups lanes, calls this one, so that issue_one is part of the loop of those who do not. */
static __attribute__((noinline)) void issue_apart(simt_core *core, uint32_t port, uint32_t path)
{
    if (core->path_homes)
        core_kept_lanes(core, path); /* whose instruction it is */
    issue_one(core, port, path);
}

/* The slot is that of the first instruction. */
static void issue_second(simt_core *core, uint32_t port, uint32_t path)
{
    const uint32_t row = core->profile.issued[port];
    front_end_take_another(core, path);
    core->counters.dual_issues++;
    profile_count(core, path, PROFILE_dual_issues, 1);
    issue_apart(core, port, path);
    core->profile.issued[port] = row;
}

/* One instruction of the path, and the next one if it is at hand, needs nothing of the first, and is there for the same lanes. */
static __attribute__((noinline)) void issue_pair(simt_core *core, uint32_t port, uint32_t path)
{
    const struct path before = core->paths[path], *p = &core->paths[path];
    const path_state *state = &core->path_states[path];
    const uint32_t first_unit = state->unit;
    issue_apart(core, port, path);
    if (core->fault.halted || state->status != PATH_FETCH || p->pc != before.pc + 4 || p->mask != before.mask)
        return;
    if (front_end_has_another(core, path) && takes_another(core, port, path, first_unit))
        issue_second(core, port, path);
}

/* Slots before this edge are still those of what was declined then. */
static __attribute__((noinline)) void set_declined(simt_core *core, uint32_t declined)
{
    account_until(core, core->now.n);
    core->issue.declined = declined;
}

static inline uint32_t is_candidate(const simt_core *core, uint32_t path)
{
    return path < core->path_count && core->issue.candidates[path / 64] >> path % 64 & 1;
}

/* An operand collector that is taken is one less for every port. */
static inline void account_before_issue(simt_core *core, uint32_t port)
{
    if (core->operands.banks)
        account_until(core, core->now.n);
    account_port_until(core, port, core->now.n);
    core->account.of_port[port] = core->now.n + 1;
}

void issue_all(simt_core *core)
{
    uint32_t declined = 0, left = UINT32_MAX;
    while ((left &= core->issue.ready_ports) && !core->fault.halted) {
        const uint32_t port = (uint32_t)__builtin_ctz(left);
        left = UINT32_MAX << (port + 1); /* what issues may make paths of further ports ready, or no longer */
        if (core->issue.port_busy_until[port] > core->now.n || awaits_collector(core))
            continue;
        if (!find_candidates(core, port, core->issue.ready_units[port] & ~closed_units(core, port)))
            continue;
        const uint32_t path =
            core->issue.scheduler_unit->pick(core->issue.scheduler[port], core->issue.candidates, core_cycle(core));
        if (path == NO_PATH) {
            declined |= 1u << port;
            continue;
        }
        if (__builtin_expect(!is_candidate(core, path), 0)) {
            core_unit_mistake(core, CORE_SCHEDULER, "picked path %u, which is not among those that it was given", path);
            return;
        }
        account_before_issue(core, port);
        if (core->issue.issues_apart)
            core->issue.dual_issue ? issue_pair(core, port, path) : issue_apart(core, port, path);
        else
            issue_one(core, port, path);
        account_issued(core, port);
    }
    if (__builtin_expect(declined != core->issue.declined, 0))
        set_declined(core, declined);
}

/* First edge at which one of the units takes an instruction of this port. */
static uint64_t port_next(const simt_core *core, uint32_t port, uint32_t units)
{
    uint64_t next = UINT64_MAX;
    for (; units; units &= units - 1) {
        const uint64_t free = core->issue.unit_busy_until[__builtin_ctz(units)];
        next = free < next ? free : next;
    }
    return next > core->issue.port_busy_until[port] ? next : core->issue.port_busy_until[port];
}

static uint64_t scheduler_next(simt_core *core, uint32_t port)
{
    const uint64_t cycle = core_cycle(core);
    if (!core->issue.scheduler_unit->next)
        return UINT64_MAX;
    const uint64_t next = core->issue.scheduler_unit->next(core->issue.scheduler[port], cycle);
    if (next <= cycle)
        core_unit_mistake(core, CORE_SCHEDULER, "declines until cycle %" PRIu64 ", which is not after cycle %" PRIu64,
                          next, cycle);
    return next <= cycle || next == UINT64_MAX ? UINT64_MAX : next + core->edges.cycle_base;
}

/*
 * The same if the scheduler has declined what these units would take: when it says, or when there is more to choose from; or, if
 * they take nothing any more, at the next edge, at which the slot is theirs.
 */
static uint64_t declined_next(simt_core *core, uint32_t port, uint32_t units)
{
    uint32_t open = 0;
    uint64_t next = scheduler_next(core, port);
    for (; units; units &= units - 1) {
        const uint64_t free = core->issue.unit_busy_until[__builtin_ctz(units)];
        open |= free <= core->now.n;
        if (free > core->now.n && free < next)
            next = free;
    }
    return open ? next : core->now.n + 1;
}

uint32_t issue_may_without_room(const simt_core *core)
{
    uint32_t may = core->issue.declined;
    for (uint32_t left = core->issue.ready_ports; left && !may; left &= left - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(left);
        may = core->issue.ready_units[port] & ~closed_units(core, port);
    }
    return may;
}

static inline uint64_t next_of_ports(simt_core *core, uint32_t some_decline)
{
    uint32_t without_room = 0;
    uint64_t next = UINT64_MAX;
    for (uint32_t left = core->issue.ready_ports | core->issue.declined; left; left &= left - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(left);
        const uint32_t closed = closed_units(core, port);
        const uint32_t units = core->issue.ready_units[port] & ~closed;
        const uint64_t at = some_decline && core->issue.declined >> port & 1 ? declined_next(core, port, units)
                                                                             : port_next(core, port, units);
        next = at < next ? at : next;
        without_room |= (uint32_t)((core->issue.ready_units[port] & closed) != 0) << port;
    }
    core->issue.ports_without_room = without_room;
    return next > core->operands.free_at ? next : core->operands.free_at;
}

uint64_t issue_next(simt_core *core)
{
    return __builtin_expect(core->issue.declined != 0, 0) ? next_of_ports(core, 1) : next_of_ports(core, 0);
}
