/* SPDX-License-Identifier: MIT */
/*
 * Instructions of a path without timing: a run of integer arithmetic at once, everything else one at a time. What takes no time in
 * the timed core either is done by the same functions; statistics of instructions are exact.
 */
#include "core_lanes.h"

/* As account_issue, of `count` instructions from this one on. */
static void count_run(simt_core *core, path_state *state, const isa_instruction *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        issued_count *issued = &core->issued[first[i].instruction_class][first[i].operands];
        issued->instructions++;
        issued->lanes += state->count.active;
    }
    core->counters.lanes[state->count.group] += count;
    state->count.instructions += count;
}

/* To the instruction behind this one. */
static inline void step(simt_core *core, uint32_t path)
{
    struct path *p = &core->paths[path];
    if (p->pc + 4 == p->stop_pc && p->depth == p->stop_depth)
        control_step(core, path);
    else
        p->pc += 4;
}

/* Up to where lanes may meet others, or the code ends. */
static uint32_t straight_ahead(const isa_program *program, const struct path *p, uint32_t limit)
{
    uint32_t length = (program->text_address + program->text_bytes - p->pc) / 4;
    if (p->stop_depth == p->depth && p->stop_pc > p->pc && (p->stop_pc - p->pc) / 4 < length)
        length = (p->stop_pc - p->pc) / 4;
    return length < limit ? length : limit;
}

static uint32_t execute_run(simt_core *core, uint32_t path, const isa_program *program, const isa_instruction *first,
                            uint32_t limit)
{
    struct path *p = &core->paths[path];
    const uint32_t done = isa_execute_run(first, straight_ahead(program, p, limit), p->pc,
                                          &core->registers.rows[p->warp], p->mask);
    count_run(core, &core->path_states[path], first, done);
    p->pc += 4 * (done - 1);
    step(core, path);
    return done;
}

/* Barriers that have opened let their paths go at once. */
static void release(simt_core *core)
{
    while (core->wheel.next != UINT64_MAX && !core->fault.halted) {
        const wheel_event event = *wheel_take(&core->wheel);
        if (event.kind == EVENT_BARRIER_RELEASE)
            barrier_release(core, event.owner, event.number);
        else
            warp_sync_release(core, event.owner);
    }
}

static void execute_float(simt_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const uint64_t illegal = isa_execute(instruction, p->pc, &core->registers.rows[p->warp], p->mask);
    if (illegal)
        core_mistake(core, path, illegal, HD_DEBUG_FAULT_INSTRUCTION, MISTAKE_ROUNDING);
    else
        step(core, path);
}

static void execute_one(simt_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    switch (instruction->instruction_class) {
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV:
    case ISA_CLASS_SPECIAL: execute_float(core, path, instruction); return;
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC:
        if (fast_access(core, path))
            step(core, path);
        return;
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: control_execute(core, path); break;
    case ISA_CLASS_CROSS_LANE:
        isa_cross_lane(instruction, &core->registers.rows[p->warp], p->mask);
        step(core, path);
        return;
    case ISA_CLASS_CSR:
        if (csr_execute(core, path))
            step(core, path);
        return;
    default: execute_instruction(core, path); break; /* none of these takes time of a functional unit or the memory pipe */
    }
    release(core);
}

uint32_t fast_execute(simt_core *core, uint32_t path, uint32_t limit)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const warp_state *warp = &core->warps[p->warp];
    const isa_program *program = core->blocks[warp->block].program;
    uint32_t done = 0;
    while (done < limit && state->status == PATH_STOPPED && !core->fault.halted) {
        const isa_instruction *instruction = isa_program_at(program, p->pc);
        if (!instruction) {
            core_mistake(core, path, p->mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_NO_CODE);
            break;
        }
        path_count_lanes(&state->count, p->mask, core->lane_count, warp->retired);
        if (instruction->instruction_class <= ISA_CLASS_DIV) {
            done += execute_run(core, path, program, instruction, limit - done);
            continue;
        }
        state->instruction = instruction;
        count_run(core, state, instruction, 1);
        execute_one(core, path, instruction);
        done++;
    }
    return done;
}
