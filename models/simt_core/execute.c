/* SPDX-License-Identifier: MIT */
/* What an instruction that issues does. Most go on at once to the next one; control.c, synchronise.c and tx/ have the others. */
#include "core_lanes.h"
#include "regrouped.h"
#include "tx/tx.h"
#include "warp_print.h"

#include <string.h>

/* Of paths of one warp, where nothing is regrouped, whoever inlines this asks nothing of its lanes. */
#define INLINED static inline __attribute__((always_inline))

INLINED void schedule_write_back(simt_core *core, uint32_t path, uint64_t cycle, issued_lanes issued)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    const struct path *p = &core->paths[path];
    core->path_states[path].in_flight++;
    if (instruction->writes)
        core_reserve(core, path, issued.homes, 0);
    wheel_add(&core->wheel, cycle + core->issue.delay,
              &(wheel_event){.kind = EVENT_WRITE_BACK,
                             .number = instruction->writes ? instruction->rd : ISA_NO_REGISTER,
                             .path = path,
                             .owner = issued.number,
                             .mask = p->mask});
}

/* An access that does not take place: its lanes have aborted, and it counts as issued, or the run ends. */
static uint32_t refuse_access(simt_core *core, const isa_instruction *instruction)
{
    if (!core->fault.halted)
        memory_count_refused(core->memory, instruction);
    return 0;
}

/* It has been submitted, and somebody wants to hear of accesses. */
static __attribute__((noinline)) void tell_access(simt_core *core, const memory_access *access, const uint32_t *address,
                                                  uint32_t ticket)
{
    if (core->hears_accesses & HEARS_CHECKER)
        core_report_access(core, access, address, &core->tickets[ticket]);
    if (core->hears_accesses & HEARS_DEBUGGER)
        watched_submit(core, access, address, ticket);
    if (core->hears_accesses & HEARS_WORDS)
        words_note(core, access->path, access->instruction, address);
}

/* 0: it does not take place. */
static uint32_t execute_memory(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = state->instruction;
    if (core->tx.transactions && tx_before_access(core->tx.transactions, path, instruction))
        return refuse_access(core, instruction);
    const issued_lanes issued = core_issue_lanes(core, path);
    const isa_lanes *lanes = registers_gather(&core->registers, issued.homes, instruction->reads, p->mask);
    memory_access *access = memory_slot(core->memory);
    access->instruction = instruction;
    access->pc = p->pc;
    access->path = path;
    access->warp = p->warp;
    access->homes = issued.number;
    access->mask = p->mask;
    access->transactional = tx_domain(core->tx.transactions, path);
    access->internal = 0;
    isa_addresses(instruction, lanes, p->mask, access->address);
    if (instruction->instruction_class != ISA_CLASS_LOAD && instruction->rs2 != ISA_NO_REGISTER)
        memcpy(access->data, lanes->registers + instruction->rs2 * lanes->lanes, lanes->lanes * sizeof(uint32_t));
    if (instruction->operation == ISA_OP_AMOCAS_W)
        memcpy(access->compare, lanes->registers + instruction->rd * lanes->lanes, lanes->lanes * sizeof(uint32_t));
    const uint32_t is_of_lock = core->lock_tries.held != NULL && instruction->flags & ISA_FLAG_LOCK;
    uint32_t address[MAX_LANES]; /* the pipe takes its own apart */
    if (__builtin_expect(core->hears_accesses != 0 || is_of_lock, 0))
        memcpy(address, access->address, core->lane_count * sizeof *address);
    hd_time enters = core->now.t + core->issue.register_read_time;
    if (core->issue.delay)
        enters += hd_clock_cycles(core->services->clock, core->issue.delay);
    if (__builtin_expect(core->repetition.warps != NULL, 0))
        repetition_note_access(core, access);
    uint32_t ticket = memory_submit(core->memory, access, enters);
    if (ticket == MEMORY_NO_TICKET)
        return refuse_access(core, instruction);
    core->tickets[ticket] =
        (ticket_state){.instruction = instruction, .path = path, .warp = p->warp, .homes = access->homes};
    if (__builtin_expect(core->hears_accesses != 0, 0))
        tell_access(core, access, address, ticket);
    if (__builtin_expect(is_of_lock, 0))
        lock_tries_submitted(core, access, address, ticket);
    if (core->tx.transactions)
        core->tickets[ticket].transactional_store = tx_submitted(core->tx.transactions, access);
    state->in_flight++;
    state->memory_in_flight++;
    if (instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE)
        state->acquiring++;
    if (__builtin_expect(core->path_homes != NULL, 0))
        regrouped_begin_access(core, issued.number, instruction);
    if (instruction->writes)
        core_reserve(core, path, issued.homes, 1);
    return 1;
}

/* Between lanes of one warp, those of each by themselves. */
static void cross_lanes(const isa_instruction *instruction, lane_homes homes, isa_lanes *lanes, uint64_t mask)
{
    for (uint64_t left = mask; left;)
        isa_cross_lane(instruction, lanes, homes_take(homes, &left).lanes);
}

/* 0: it does not take place. */
INLINED uint32_t compute(simt_core *core, uint32_t path, issued_lanes issued)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = state->instruction;
    const lane_homes homes = issued.homes;
    const uint64_t fcsr = homes.rows ? registers_fcsr(instruction) : 0;
    isa_lanes *lanes = registers_gather(&core->registers, homes, instruction->reads | fcsr, p->mask);
    uint64_t illegal = 0;
    if (core->wanted.kinds & PATH_COMPARED)
        control_raise_compare(core, path, lanes);
    if (instruction->instruction_class == ISA_CLASS_CROSS_LANE)
        cross_lanes(instruction, homes, lanes, p->mask);
    else
        illegal = isa_execute(instruction, p->pc, lanes, p->mask);
    registers_scatter(&core->registers, homes, instruction->writes | fcsr, p->mask & ~illegal);
    if (illegal) {
        core_mistake(core, path, illegal, HD_DEBUG_FAULT_INSTRUCTION, MISTAKE_ROUNDING);
        return 0;
    }
    if (state->unit != UNIT_SIMD)
        core->issue.unit_busy_until[state->unit] = core->now.n + core->units.interval[state->unit];
    schedule_write_back(core, path, core->now.n + core->units.latency[instruction->operation], issued);
    return 1;
}

static __attribute__((noinline)) uint32_t compute_regrouped(simt_core *core, uint32_t path)
{
    return compute(core, path, core_issue_lanes(core, path));
}

static inline uint32_t execute_arithmetic(simt_core *core, uint32_t path)
{
    if (__builtin_expect(core->path_homes != NULL, 0))
        return compute_regrouped(core, path);
    return compute(core, path, core_issue_row(core, path));
}

static void print(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    const lane_homes homes = core_homes(core, path);
    const isa_lanes *lanes = registers_gather(&core->registers, homes, instruction->reads, p->mask);
    for (uint64_t left = p->mask; left && !core->fault.halted;) {
        const home_part part = homes_take(homes, &left);
        const warp_place place = core_warp_place(core, part.row);
        if (warp_print(&place, instruction, lanes, part.lanes, p->pc, core->now.t))
            core->fault.halted = 1;
    }
}

static void trap(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    const lane_homes homes = core_homes(core, path);
    uint64_t lanes = p->mask;
    const home_part first = homes_take(homes, &lanes);
    const warp_place place = core_warp_place(core, first.row);
    const uint32_t stops_itself =
        instruction->operation == ISA_OP_ASSERT_FAIL || instruction->operation == ISA_OP_EBREAK;
    char text[256];
    if (instruction->operation == ISA_OP_ASSERT_FAIL)
        warp_failed_assertion(&place, registers_gather(&core->registers, homes, instruction->reads, first.lanes),
                              first.lanes, text, sizeof text);
    else
        refused_instruction(instruction, p->pc, text, sizeof text);
    core_mistake(core, path, p->mask, stops_itself ? HD_DEBUG_FAULT_TRAP : HD_DEBUG_FAULT_INSTRUCTION, "%s", text);
}

static uint32_t is_forbidden(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const char *what = tx_forbids(core->tx.transactions, path, core->path_states[path].instruction);
    if (what)
        core_mistake(core, path, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    return what != NULL;
}

static void report_fence(const simt_core *core, uint32_t path)
{
    for (uint64_t left = core->paths[path].mask; left;) {
        const home_part part = homes_take(core_homes(core, path), &left);
        core_report_order(core, part.row, part.lanes, HD_ACCESS_FENCE,
                          access_flags_of_fence(core->path_states[path].instruction));
    }
}

void execute_instruction(simt_core *core, uint32_t path)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    if (core->tx.transactions && is_forbidden(core, path))
        return;
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC:
        if (execute_memory(core, path))
            control_step(core, path);
        return;
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: control_issue(core, path); return;
    case ISA_CLASS_BARRIER: barrier_arrive(core, path); return;
    case ISA_CLASS_WARP_SYNC: warp_sync_arrive(core, path); return;
    case ISA_CLASS_CSR:
        if (!csr_execute(core, path))
            return;
        schedule_write_back(core, path, core->now.n + core->units.latency[instruction->operation],
                            core_issue_lanes(core, path));
        break;
    case ISA_CLASS_FENCE:
        if (instruction->flags & ISA_FLAG_FENCE_R && !tx_is_inside(core->tx.transactions, path))
            memory_acquire(core->memory);
        if (core->accesses && !tx_is_inside(core->tx.transactions, path))
            report_fence(core, path);
        break;
    case ISA_CLASS_HINT:
        if (instruction->operation == ISA_OP_PIN_VL || instruction->operation == ISA_OP_UNPIN_VL) {
            trap(core, path);
            return;
        }
        break;
    case ISA_CLASS_PRINT: print(core, path); break;
    case ISA_CLASS_TRANSACTION:
        if (core->tx.transactions)
            tx_execute(core->tx.transactions, path, instruction);
        else
            trap(core, path);
        return;
    case ISA_CLASS_SYSTEM:
    case ISA_CLASS_ILLEGAL: trap(core, path); return;
    default:
        if (execute_arithmetic(core, path))
            control_step(core, path);
        return;
    }
    if (!core->fault.halted)
        control_step(core, path);
}
