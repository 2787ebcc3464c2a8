/* SPDX-License-Identifier: MIT */
/* Instructions of a path: a run of integer arithmetic at once, everything else one at a time. */
#include "state.h"

#include <stdarg.h>
#include <stdio.h>

#include "reserved_lanes.h"
#include "warp_print.h"

warp_place functional_warp_place(const functional_core *core, uint32_t warp)
{
    const warp_state *w = &core->warps[warp];
    const block_state *block = &core->blocks[w->block];
    return (warp_place){.services = core->services,
                        .launch = &block->launch,
                        .program = block->program,
                        .warp = w->index,
                        .lanes = core->lane_count};
}

void functional_fault(functional_core *core, const path *p, uint64_t lanes, uint32_t kind, const char *format, ...)
{
    warp_place place = functional_warp_place(core, p->warp);
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    core->halted = 1;
    functional_debug_fault(core, p, lanes, kind, what);
    warp_place_fault(&place, current_time(core), p->pc, lanes, what);
}

void note_progress(functional_core *core)
{
    core->progressed = 1;
    core->services->progress(core->services->context, current_time(core));
}

void execute_step(functional_core *core, uint32_t path)
{
    struct path *p = &core->paths[path];
    p->pc += 4;
    if (__builtin_expect(core->switches.number != NULL, 0))
        virtual_switches_step(&core->switches, &core->blocks[core->warps[p->warp].block].switches, program_of(core, p),
                              p);
    if (p->pc != p->stop_pc || p->depth != p->stop_depth)
        return;
    path_event event = functional_event(core, path, PATH_ARRIVED);
    event.reserved = is_reserved(program_of(core, p), event.pc) ? event.mask : 0;
    core->reconvergence_unit->arrive(core->reconvergence, &event);
}

static void count(functional_core *core, uint32_t path, uint32_t group, uint64_t instructions)
{
    const path_count *lanes = &core->path_states[path].count;
    core->counters.warp_instructions += instructions;
    core->counters.thread_instructions += instructions * lanes->active;
    core->counters.groups[group] += instructions;
    core->counters.lanes[lanes->group] += instructions;
    if (__builtin_expect(core->profile.counts != NULL, 0))
        functional_profile_run(core, path, instructions);
}

/* Up to where lanes may meet others, or the code ends. */
static uint64_t straight_ahead(const functional_core *core, const path *p, uint64_t limit)
{
    const isa_program *program = program_of(core, p);
    if (__builtin_expect(core->switches.number != NULL, 0))
        return 1; /* a switch may follow */
    uint64_t length = (program->text_address + program->text_bytes - p->pc) / 4;
    if (p->stop_depth == p->depth && p->stop_pc > p->pc && (p->stop_pc - p->pc) / 4 < length)
        length = (p->stop_pc - p->pc) / 4;
    return length < limit ? length : limit;
}

static void execute_run(functional_core *core, uint32_t path, const isa_instruction *first, uint64_t limit)
{
    struct path *p = &core->paths[path];
    const uint32_t done =
        isa_execute_run(first, (uint32_t)straight_ahead(core, p, limit), p->pc, &core->warps[p->warp].lanes, p->mask);
    count(core, path, instruction_group(first), done);
    core->path_states[path].count.instructions += done;
    core->issued += done;
    p->pc += 4 * (done - 1);
    execute_step(core, path);
}

typedef struct csr_reader {
    const functional_core *core;
    uint32_t path;
    warp_place place;
} csr_reader;

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const csr_reader *reader = context;
    const functional_core *core = reader->core;
    const uint64_t cycles = current_edge(core) - core->cycle_base;
    const uint64_t retired = core->warps[core->paths[reader->path].warp].retired[lane] +
                             core->path_states[reader->path].count.instructions - 1;
    switch (csr) {
    case ISA_CSR_CYCLE:
    case ISA_CSR_TIME: *value = (uint32_t)cycles; return 0;
    case ISA_CSR_CYCLE_HIGH:
    case ISA_CSR_TIME_HIGH: *value = (uint32_t)(cycles >> 32); return 0;
    case ISA_CSR_INSTRET: *value = (uint32_t)retired; return 0;
    case ISA_CSR_INSTRET_HIGH: *value = (uint32_t)(retired >> 32); return 0;
    case ISA_CSR_TX_ATTEMPT:
        *value = transaction_is_open(core, reader->path)
                     ? core->attempts[core->paths[reader->path].warp * core->lane_count + lane]
                     : 0;
        return 0;
    default: return warp_place_csr(&reader->place, csr, lane, value);
    }
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

static void execute_csr(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    csr_reader reader = {.core = core, .path = path, .place = functional_warp_place(core, p->warp)};
    if (((uint32_t)instruction->immediate & 0xFFF) != ISA_CSR_TX_ATTEMPT &&
        warp_place_read(&reader.place, instruction, &core->warps[p->warp].lanes, p->mask))
        return;
    if (isa_csr(instruction, &core->warps[p->warp].lanes, p->mask, read_csr, write_csr, &reader))
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_INSTRUCTION, MISTAKE_CSR,
                         (uint32_t)instruction->immediate & 0xFFF);
}

static void trap(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const warp_place place = functional_warp_place(core, p->warp);
    const uint32_t stops_itself =
        instruction->operation == ISA_OP_ASSERT_FAIL || instruction->operation == ISA_OP_EBREAK;
    char text[256];
    if (instruction->operation == ISA_OP_ASSERT_FAIL)
        warp_failed_assertion(&place, &core->warps[p->warp].lanes, p->mask, text, sizeof text);
    else
        refused_instruction(instruction, p->pc, text, sizeof text);
    functional_fault(core, p, p->mask, stops_itself ? HD_DEBUG_FAULT_TRAP : HD_DEBUG_FAULT_INSTRUCTION, "%s", text);
}

static void print(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const warp_place place = functional_warp_place(core, p->warp);
    if (warp_print(&place, instruction, &core->warps[p->warp].lanes, p->mask, p->pc, current_time(core)))
        core->halted = 1;
}

static void execute_float(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const uint64_t illegal = isa_execute(instruction, p->pc, &core->warps[p->warp].lanes, p->mask);
    if (illegal)
        functional_fault(core, p, illegal, HD_DEBUG_FAULT_INSTRUCTION, MISTAKE_ROUNDING);
}

/* Executes, and goes on to the next instruction unless a control transfer or a barrier decides that. */
static void execute_one(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    switch (instruction->instruction_class) {
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV:
    case ISA_CLASS_SPECIAL: execute_float(core, path, instruction); break;
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC: memory_execute(core, p, instruction); break;
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: control_transfer(core, path, instruction); return;
    case ISA_CLASS_CROSS_LANE: isa_cross_lane(instruction, &core->warps[p->warp].lanes, p->mask); break;
    case ISA_CLASS_CSR: execute_csr(core, path, instruction); break;
    case ISA_CLASS_FENCE: /* every access has taken effect */
        if (core->accesses && core->transaction == NO_SLOT)
            functional_report_order(core, p, HD_ACCESS_FENCE, access_flags_of_fence(instruction));
        break;
    case ISA_CLASS_BARRIER: functional_barrier_arrive(core, path, instruction); return;
    case ISA_CLASS_WARP_SYNC: functional_warp_sync_arrive(core, path); return;
    case ISA_CLASS_HINT:
        if (instruction->operation == ISA_OP_PIN_VL || instruction->operation == ISA_OP_UNPIN_VL)
            trap(core, path, instruction);
        break;
    case ISA_CLASS_PRINT: print(core, path, instruction); break;
    case ISA_CLASS_TRANSACTION: transaction_execute(core, path, instruction); return;
    default: trap(core, path, instruction); break;
    }
    if (!core->halted)
        execute_step(core, path);
}

static void execute_next(functional_core *core, uint32_t path, uint64_t limit)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = isa_program_at(program_of(core, p), p->pc);
    if (!instruction) {
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_NO_CODE);
        return;
    }
    transaction_go_on(core, path);
    if (core->transaction != NO_SLOT && transaction_refuses(core, path, instruction))
        return;
    path_count_lanes(&core->path_states[path].count, p->mask, core->lane_count, core->warps[p->warp].retired);
    if (instruction->instruction_class <= ISA_CLASS_DIV) {
        execute_run(core, path, instruction, limit);
        return;
    }
    count(core, path, instruction_group(instruction), 1);
    core->path_states[path].count.instructions++; /* the path may end with it */
    execute_one(core, path, instruction);
    core->issued++;
}

void execute_path(functional_core *core, uint32_t path, uint64_t limit)
{
    const uint64_t end = core->issued + limit;
    const uint32_t transaction = core->transaction;
    while (core->issued < end && core->path_states[path].status == PATH_READY && !core->halted &&
           core->transaction == transaction)
        execute_next(core, path, end - core->issued);
}
