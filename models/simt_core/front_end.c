/* SPDX-License-Identifier: MIT */
/*
 * Fetch, decode and the scoreboard check. A path has one instruction buffer slot: its next fetch starts when the slot is
 * empty and the next pc is known. Paths are fetched in the order in which they became ready for it, which is fair. One
 * whose code is not in the instruction cache stands aside until it comes.
 */
#include "core_lanes.h"
#include "path_status.h"
#include "regrouped.h"
#include "tx/tx.h"

static void push(fetch_queue *queue, uint32_t path, uint32_t sequence, uint64_t cycle)
{
    queue->entry[queue->tail++ & queue->mask] = (fetch_entry){.path = path, .sequence = sequence, .cycle = cycle};
}

/* A block does not stop within a transaction. */
static uint32_t is_stopped(const simt_core *core, uint32_t path)
{
    return core->warps[core->paths[path].warp].stopped && !tx_is_inside(core->tx.transactions, path);
}

void front_end_start(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    state->sequence++;
    if (is_stopped(core, path)) {
        path_set_status(core, path, PATH_STOPPED);
        return;
    }
    set_status(core, path, PATH_FETCH);
    push(&core->front_end.to_fetch, path, state->sequence, 0);
}

/* The first entry of the queue that still means its path. */
static uint32_t take(const simt_core *core, fetch_queue *queue, fetch_entry *entry)
{
    while (queue->head != queue->tail) {
        const fetch_entry *first = &queue->entry[queue->head++ & queue->mask];
        entry->path = first->path;
        entry->sequence = first->sequence;
        if (entry->sequence == core->path_states[entry->path].sequence)
            return 1;
    }
    return 0;
}

static void decode_later(simt_core *core, const fetch_entry *entry)
{
    path_state *state = &core->path_states[entry->path];
    if (state->status == PATH_FETCH_MISS) {
        core->counters.fetch_stall_cycles += core->now.n - state->since;
        path_set_status(core, entry->path, PATH_FETCH);
    }
    const uint64_t cycle = core->now.n + core_parameter_of(core, PARAMETER_FETCH_LATENCY);
    if (core->front_end.decodes_at == UINT64_MAX)
        core->front_end.decodes_at = cycle;
    push(&core->front_end.decoding, entry->path, entry->sequence, cycle);
}

static __attribute__((noinline)) uint32_t look_up(simt_core *core, const fetch_entry *entry)
{
    path_state *state = &core->path_states[entry->path];
    enum memory_fetched result = memory_fetch(core->memory, core->paths[entry->path].pc, entry->path, entry->sequence);
    if (result == MEMORY_FETCH_HIT)
        return 1;
    if (result == MEMORY_FETCH_REFUSED)
        push(&core->front_end.refused, entry->path, entry->sequence, 0);
    if (state->status != PATH_FETCH_MISS) {
        state->since = core->now.n;
        path_set_status(core, entry->path, PATH_FETCH_MISS);
    }
    return 0;
}

/* Its line is there, as far as it needs one. */
static inline uint32_t has_line(simt_core *core, const fetch_entry *entry)
{
    return !core->front_end.instruction_cache ||
           memory_fetch_again(core->memory_status, &core->counters.memory, core->paths[entry->path].pc) ||
           look_up(core, entry);
}

/* What is at the path's pc, and which unit it needs. No line is fetched for a jump outside the code: decode names it. */
static inline uint32_t has_code(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    state->instruction = isa_program_at(core->blocks[core->warps[p->warp].block].program, p->pc);
    if (!state->instruction)
        return 0;
    state->unit = core->units.unit[state->instruction->operation];
    return 1;
}

void front_end_fetch(simt_core *core)
{
    fetch_entry entry;
    uint64_t width = core_parameter_of(core, PARAMETER_FETCH_WIDTH);
    for (; width && take(core, &core->front_end.fetched, &entry); width--)
        decode_later(core, &entry);
    for (; width && take(core, &core->front_end.to_fetch, &entry); width--) {
        if (!has_code(core, entry.path) || has_line(core, &entry))
            decode_later(core, &entry);
    }
}

void front_end_fetched(simt_core *core, uint32_t path, uint32_t sequence)
{
    fetch_entry entry;
    core->edges.changed = 1;
    push(&core->front_end.fetched, path, sequence, 0);
    while (take(core, &core->front_end.refused, &entry))
        push(&core->front_end.to_fetch, entry.path, entry.sequence, 0);
}

/* Behind a barrier other warps see what this one did before, in the order of the pipe. */
static uint32_t waits_for_pipe(const simt_core *core, uint32_t path)
{
    return core->path_homes ? regrouped_has_accesses(core, path) : memory_awaits_pipe(core->memory, path);
}

/* Of few instructions; a barrier only where accesses wait in address units. */
static inline uint32_t is_ordered(const isa_instruction *instruction)
{
    enum { ORDERED = 1u << ISA_CLASS_BARRIER | 1u << ISA_CLASS_FENCE | 1u << ISA_CLASS_ATOMIC };
    return (uint32_t)ORDERED >> instruction->instruction_class & 1;
}

/* Fences and releases wait until what the path did before is done and visible. */
static __attribute__((noinline)) uint32_t waits_for_memory(const simt_core *core, uint32_t path)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    if (instruction->instruction_class == ISA_CLASS_BARRIER)
        return core_parameter_of(core, PARAMETER_ADDRESS_INTERVAL) && waits_for_pipe(core, path);
    if (instruction->instruction_class == ISA_CLASS_ATOMIC && !(instruction->flags & ISA_FLAG_RELEASE))
        return 0;
    if (core->path_homes)
        return regrouped_has_accesses(core, path);
    return core->path_states[path].memory_in_flight || memory_stores_outstanding(core->memory, path);
}

static __attribute__((noinline)) uint32_t ask_scoreboard(simt_core *core, uint32_t path, lane_homes homes)
{
    const path_state *state = &core->path_states[path];
    const scoreboard_question question = {.path = path,
                                          .homes = homes,
                                          .mask = core->paths[path].mask,
                                          .reads = state->instruction->reads,
                                          .writes = state->instruction->writes,
                                          .in_flight = state->in_flight,
                                          .memory_in_flight = state->memory_in_flight};
    const uint32_t stall = core->scoreboard.unit->waits(core->scoreboard.state, &question);
    if (!stall || stall == PATH_STALL_RESULT || stall == PATH_STALL_DATA)
        return stall;
    core_unit_mistake(core, CORE_SCOREBOARD,
                      "says that path %u waits for %u, which is no kind of stall that it may name", path, stall);
    return 0;
}

static inline uint64_t registers_of(const simt_core *core, uint32_t path)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    return instruction->reads | instruction->writes;
}

/* An access waits for atomics with acquire; `apart` as below. */
static inline uint32_t holds_access(const simt_core *core, uint32_t path, uint32_t apart)
{
    return apart && core->path_homes ? regrouped_holds_access(core, path) : core->path_states[path].acquiring;
}

uint32_t front_end_is_held_by_scoreboard(const simt_core *core, uint32_t path)
{
    const path_state *state = &core->path_states[path];
    if (state->status != PATH_WAIT_RESULT && (state->status != PATH_WAIT_DATA || holds_access(core, path, 1)))
        return 0;
    return !pending_conflicts(&core->scoreboard.pending, core_homes(core, path), registers_of(core, path),
                              core->paths[path].mask);
}

/* PATH_STALL_RESULT, PATH_STALL_DATA; 0: nothing in flight holds it back. */
static inline uint32_t stall_of(simt_core *core, uint32_t path, lane_homes homes, uint64_t registers)
{
    const pending_registers *pending = &core->scoreboard.pending;
    const uint64_t mask = core->paths[path].mask, conflicts = pending_conflicts(pending, homes, registers, mask);
    if (conflicts)
        return pending_loads(pending, homes, conflicts, mask) ? PATH_STALL_DATA : PATH_STALL_RESULT;
    return core->scoreboard.unit->waits ? ask_scoreboard(core, path, homes) : 0;
}

_Static_assert(PATH_WAIT_DATA - PATH_WAIT_RESULT == PATH_STALL_DATA - PATH_STALL_RESULT, "in the same order");

/* `apart` is a constant where speed matters: 1 asks the scoreboard whatever is pending, of lanes of any warps. */
static inline __attribute__((always_inline)) enum path_status status_with(simt_core *core, uint32_t path,
                                                                          lane_homes homes, uint32_t apart)
{
    const path_state *state = &core->path_states[path];
    const uint64_t registers = registers_of(core, path);
    if (apart || registers & core->scoreboard.pending.any[homes.row]) {
        const uint32_t stall = stall_of(core, path, homes, registers);
        if (stall)
            return (enum path_status)(PATH_WAIT_RESULT + stall - PATH_STALL_RESULT);
    }
    if (core->tx.transactions && tx_holds(core->tx.transactions, path, state->instruction))
        return PATH_HELD;
    if (is_ordered(state->instruction) && waits_for_memory(core, path) && !tx_is_inside(core->tx.transactions, path))
        return PATH_FENCE;
    if (state->unit == UNIT_MEMORY && holds_access(core, path, apart))
        return PATH_WAIT_DATA;
    return PATH_READY;
}

static __attribute__((noinline)) enum path_status status_apart(simt_core *core, uint32_t path)
{
    return status_with(core, path, core_known_homes(core, path), 1);
}

static inline enum path_status status_of(simt_core *core, uint32_t path)
{
    return core->front_end.waits_apart ? status_apart(core, path)
                                       : status_with(core, path, homes_of_row(core->paths[path].warp), 0);
}

static uint32_t is_line_apart(const simt_core *core, uint32_t pc, uint32_t other)
{
    const uint64_t line = core_parameter_of(core, PARAMETER_CODE_LINE);
    return core->front_end.instruction_cache && pc / line != other / line;
}

uint32_t front_end_has_another(simt_core *core, uint32_t path)
{
    const uint32_t pc = core->paths[path].pc;
    return has_code(core, path) && !is_line_apart(core, pc - 4, pc) && status_of(core, path) == PATH_READY;
}

void front_end_take_another(simt_core *core, uint32_t path)
{
    core->path_states[path].sequence++;
    path_set_status(core, path, PATH_READY);
}

static uint32_t has_decoded(uint32_t status)
{
    return status >= PATH_READY && status <= PATH_HELD;
}

static inline __attribute__((always_inline)) void check(simt_core *core, uint32_t path)
{
    enum path_status status = status_of(core, path);
    if (core->path_states[path].status != status)
        set_status(core, path, status);
}

/* Where speed does not matter. */
static __attribute__((noinline)) void check_apart(simt_core *core, uint32_t path)
{
    check(core, path);
}

/* The instruction of the entry is in the buffer, if that still means its path. */
static inline void decode(simt_core *core, const fetch_entry *entry)
{
    const path_state *state = &core->path_states[entry->path];
    if (entry->sequence != state->sequence)
        return;
    if (is_stopped(core, entry->path))
        path_set_status(core, entry->path, PATH_STOPPED);
    else if (!state->instruction)
        core_mistake(core, entry->path, core->paths[entry->path].mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_NO_CODE);
    else
        check(core, entry->path);
}

void front_end_decode(simt_core *core)
{
    fetch_queue *queue = &core->front_end.decoding;
    while (queue->head != queue->tail && !core->fault.halted) {
        const fetch_entry entry = queue->entry[queue->head & queue->mask];
        if (entry.cycle > core->now.n)
            break;
        queue->head++;
        decode(core, &entry);
    }
    core->front_end.decodes_at = fetch_queue_first(queue);
}

void front_end_recheck_ready(simt_core *core, uint32_t warp)
{
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        if (core->path_states[path].status == PATH_READY)
            check_apart(core, path);
}

void front_end_recheck_others(simt_core *core, uint32_t path)
{
    const path_range paths = core_paths_of(core, core->paths[path].warp);
    for (uint32_t other = paths.first; other < paths.end; other++)
        if (other != path && core->path_states[other].status == PATH_READY)
            check_apart(core, other);
}

__attribute__((noinline)) void front_end_recheck_path(simt_core *core, uint32_t path)
{
    if (waits_for_scoreboard(core->path_states[path].status))
        check(core, path);
}

void front_end_recheck_waiting(simt_core *core, uint32_t warp)
{
    const path_range paths = core_paths_of(core, warp);
    uint32_t path = paths.first;
    for (; path + 1 < paths.end; path++)
        front_end_recheck_path(core, path);
    front_end_recheck_path(core, path); /* nearly always the only one */
}

void front_end_recheck_warp(simt_core *core, uint32_t warp)
{
    if (__builtin_expect(core->path_homes != NULL, 0))
        regrouped_drained(core, warp);
    else
        front_end_recheck_slot(core, warp);
}

void front_end_regrouped(simt_core *core, uint32_t path)
{
    if (has_decoded(core->path_states[path].status))
        check_apart(core, path);
}

static void queue_transfer(fetch_queue *queue, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, queue->head);
    HD_STATE_VALUE(stream, queue->tail);
    for (uint32_t at = queue->head; at != queue->tail; at++)
        HD_STATE_VALUE(stream, queue->entry[at & queue->mask]);
}

void front_end_transfer(front_end *fetches, const hd_state_stream *stream)
{
    queue_transfer(&fetches->to_fetch, stream);
    queue_transfer(&fetches->decoding, stream);
    queue_transfer(&fetches->fetched, stream);
    queue_transfer(&fetches->refused, stream);
    HD_STATE_VALUE(stream, fetches->decodes_at);
}
