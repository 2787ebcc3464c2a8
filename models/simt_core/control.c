/* SPDX-License-Identifier: MIT */
/*
 * Control transfers: the outcome is computed at issue, known branch.latency later, and until then the path does not fetch
 * (no prediction, no wrong-path work). The reconvergence unit decides which lanes go on together.
 */
#include "common/reserved_lanes.h"
#include "common/transfer_of.h"
#include "core_lanes.h"
#include "regrouped.h"

#include <string.h>

#include "bits.h"

static uint32_t latency_of(const simt_core *core, uint32_t path)
{
    return core->units.latency[core->path_states[path].instruction->operation] + core->issue.delay;
}

static void schedule_resolve(simt_core *core, uint32_t path)
{
    wheel_add(&core->wheel, core->now.n + latency_of(core, path),
              &(wheel_event){.kind = EVENT_RESOLVE, .path = path, .owner = core->path_states[path].sequence});
}

static void write_link(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    if (!instruction->writes)
        return;
    const issued_lanes issued = core_issue_lanes(core, path);
    const lane_homes homes = issued.homes;
    isa_execute(instruction, p->pc, registers_gather(&core->registers, homes, instruction->reads, p->mask), p->mask);
    registers_scatter(&core->registers, homes, instruction->writes, p->mask);
    core_reserve(core, path, homes, 0);
    core->path_states[path].in_flight++;
    wheel_add(&core->wheel, core->now.n + latency_of(core, path),
              &(wheel_event){.kind = EVENT_WRITE_BACK,
                             .number = instruction->rd,
                             .path = path,
                             .owner = issued.number,
                             .mask = p->mask});
}

static uint32_t returns_from_kernel(const simt_core *core, uint32_t path)
{
    return core->path_states[path].instruction->flags & ISA_FLAG_RETURN && !core->paths[path].depth;
}

static uint32_t *targets_of(const simt_core *core, uint32_t path)
{
    const size_t row = core->path_homes ? path : core->paths[path].warp;
    return core->control.jump_target + row * core->lane_count;
}

static uint32_t is_compare(const isa_instruction *instruction)
{
    switch (instruction->operation) {
    case ISA_OP_SLTI:
    case ISA_OP_SLTIU:
    case ISA_OP_SLT:
    case ISA_OP_SLTU:
    case ISA_OP_FEQ_S:
    case ISA_OP_FLT_S:
    case ISA_OP_FLE_S: return 1;
    default: return instruction->instruction_class == ISA_CLASS_BRANCH;
    }
}

void control_raise_compare(const simt_core *core, uint32_t path, const isa_lanes *lanes)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    if (!is_compare(instruction))
        return;
    path_event event = core_event(core, path, PATH_COMPARED);
    event.left = lanes->registers + instruction->rs1 * lanes->lanes;
    if (instruction->rs2 != ISA_NO_REGISTER)
        event.right = lanes->registers + instruction->rs2 * lanes->lanes;
    else
        event.immediate = (uint32_t)instruction->immediate;
    core_raise(core, &event);
    if (core->spinning.unit && core->spinning.unit->compared)
        core->spinning.unit->compared(core->spinning.detector, &event);
}

void control_issue(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = state->instruction;
    const isa_lanes *lanes =
        registers_gather(&core->registers, core_known_homes(core, path), instruction->reads, p->mask);
    if (core->wanted.kinds & PATH_COMPARED)
        control_raise_compare(core, path, lanes);
    path_set_status(core, path, PATH_CONTROL);
    if (instruction->instruction_class == ISA_CLASS_BRANCH)
        state->taken = isa_branch_taken(instruction, lanes, p->mask);
    if (instruction->instruction_class == ISA_CLASS_JUMP_REGISTER)
        isa_addresses(instruction, lanes, p->mask, targets_of(core, path));
    core->control.returning += returns_from_kernel(core, path);
    write_link(core, path);
    schedule_resolve(core, path);
}

/* A return from the kernel's entry function: the lanes are done. Their return address must be the one they started with. */
static void return_from_kernel(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    path_group groups[MAX_LANES];
    uint32_t count = groups_by_target(p->mask, targets_of(core, path), 0, groups);
    for (uint32_t i = 0; i < count; i++) {
        if (groups[i].pc != 0) {
            core_fault(core, core_homes(core, path), p->pc, groups[i].mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_RETURN,
                       groups[i].pc);
            return;
        }
    }
    const path_event event = core_event(core, path, PATH_BRANCHED);
    core_raise(core, &event);
    residency_exit_threads(core, path, p->mask);
}

/* Lanes `taken` go to target. */
static void transfer(simt_core *core, uint32_t path, const path_group *groups, uint32_t count, uint32_t target,
                     uint64_t taken)
{
    const block_state *block = &core->blocks[core->warps[core->paths[path].warp].block];
    path_event event = core_event(core, path, PATH_BRANCHED);
    path_group switched[MAX_LANES];
    if (__builtin_expect(core->switches.number != NULL, 0)) {
        count = virtual_switches_transfer(&core->switches, &block->switches, block->program, &core->paths[path], groups,
                                          count, switched);
        groups = switched;
        target = groups[0].pc;
        taken = groups[0].mask;
    }
    event.target = target;
    event.taken = taken;
    event.groups = groups;
    event.group_count = count;
    event.transfer = transfer_of(core->path_states[path].instruction);
    event.reserved = reserved_lanes(block->program, core->path_states[path].instruction, &event);
    event.reconvergence_pc = ISA_RECONVERGE_AT_RETURN;
    if (count > 1 || core->path_homes)
        meeting_points_tell(&block->points, block->program, &event);
    core->counters.divergent_branches += count > 1;
    profile_count(core, path, PROFILE_divergent_branches, count > 1);
    if (event.transfer == PATH_TRANSFER_BRANCH)
        profile_count(core, path, PROFILE_taken_lanes, bits_count(taken));
    core_raise(core, &event);
    if (core->spinning.unit)
        spinning_branch(core, &event);
    core->reconvergence.unit->transfer(core->reconvergence.state, &event);
    if (__builtin_expect(core->repetition.warps != NULL, 0) && path_event_is_backward(&event))
        repetition_look(core, path);
    if (core->path_states[path].status == PATH_CONTROL && core->paths[path].mask)
        front_end_start(core, path);
}

/* To targets from a register, of which anything may have come. */
static void transfer_by_register(simt_core *core, uint32_t path, uint32_t depth)
{
    const struct path *p = &core->paths[path];
    path_group groups[MAX_LANES];
    uint32_t count = groups_by_target(p->mask, targets_of(core, path), depth, groups);
    const path_group *outside = group_outside(core->blocks[core->warps[p->warp].block].program, groups, count);
    if (outside)
        core_mistake(core, path, outside->mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_JUMP, outside->pc);
    else
        transfer(core, path, groups, count, groups[0].pc, groups[0].mask);
}

static uint32_t is_at_stop(const struct path *p, uint32_t pc, uint32_t depth)
{
    return pc == p->stop_pc && depth == p->stop_depth;
}

/* A jump that does not arrive goes on at once, and so do those who leave. */
static uint32_t must_drain(const simt_core *core, uint32_t path, uint32_t depth)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    const reconvergence_state *unit = &core->reconvergence;
    if (instruction->instruction_class == ISA_CLASS_JUMP) {
        const uint32_t target = p->pc + (uint32_t)instruction->immediate;
        return unit->unit->arrives ? unit->unit->arrives(unit->state, path, target, depth)
                                   : is_at_stop(p, target, depth);
    }
    return !returns_from_kernel(core, path);
}

void control_resolve(simt_core *core, uint32_t path)
{
    const path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = state->instruction;
    path_group groups[2];
    uint32_t depth = p->depth + (instruction->flags & ISA_FLAG_CALL ? 1 : 0);
    if (depth > CALLS_MAX) {
        core_mistake(core, path, p->mask, HD_DEBUG_FAULT_TRAP, MISTAKE_CALLS, CALLS_MAX);
        return;
    }
    if (__builtin_expect(core->reconvergence.drains, 0) && must_drain(core, path, depth) &&
        regrouped_begin_drain(core, path))
        return;
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        const uint64_t taken = state->taken & p->mask;
        const uint32_t target = p->pc + (uint32_t)instruction->immediate;
        transfer(core, path, groups, groups_of_branch(p, taken, target, groups), target, taken);
    } else if (instruction->instruction_class == ISA_CLASS_JUMP) {
        groups[0] = (path_group){.mask = p->mask, .pc = p->pc + (uint32_t)instruction->immediate, .depth = depth};
        transfer(core, path, groups, 1, groups[0].pc, p->mask);
    } else if (returns_from_kernel(core, path)) {
        core->control.returning--;
        return_from_kernel(core, path);
    } else {
        transfer_by_register(core, path, instruction->flags & ISA_FLAG_RETURN ? p->depth - 1 : depth);
    }
}

void control_execute(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = state->instruction;
    isa_lanes *lanes = &core->registers.rows[p->warp];
    if (instruction->instruction_class == ISA_CLASS_BRANCH)
        state->taken = isa_branch_taken(instruction, lanes, p->mask);
    if (instruction->instruction_class == ISA_CLASS_JUMP_REGISTER)
        isa_addresses(instruction, lanes, p->mask, targets_of(core, path));
    core->control.returning += returns_from_kernel(core, path);
    if (instruction->writes)
        isa_execute(instruction, p->pc, lanes, p->mask);
    path_set_status(core, path, PATH_CONTROL);
    control_resolve(core, path);
}

static void arrive(simt_core *core, uint32_t path)
{
    path_set_status(core, path, PATH_CONTROL); /* until the unit says what becomes of it */
    if (__builtin_expect(core->reconvergence.drains, 0) && regrouped_begin_drain(core, path))
        return;
    path_event event = core_event(core, path, PATH_ARRIVED);
    event.reserved =
        is_reserved(core->blocks[core->warps[core->paths[path].warp].block].program, event.pc) ? event.mask : 0;
    core_raise(core, &event);
    core->reconvergence.unit->arrive(core->reconvergence.state, &event);
    if (core->path_states[path].status == PATH_CONTROL && core->paths[path].mask)
        front_end_start(core, path);
}

void control_step(simt_core *core, uint32_t path)
{
    struct path *p = &core->paths[path];
    p->pc += 4;
    if (__builtin_expect(core->switches.number != NULL, 0)) {
        const block_state *block = &core->blocks[core->warps[p->warp].block];
        virtual_switches_step(&core->switches, &block->switches, block->program, p);
    }
    if (is_at_stop(p, p->pc, p->depth))
        arrive(core, path);
    else
        front_end_start(core, path);
}

void control_go_on(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    if (is_at_stop(p, p->pc, p->depth))
        arrive(core, path);
    else
        control_resolve(core, path);
}

static uint64_t age_of(const simt_core *core, uint32_t path)
{
    const warp_state *warp = &core->warps[core->paths[path].warp]; /* that it runs as */
    return core->blocks[warp->block].number << 16 | warp->index;
}

static void path_added(void *context, uint32_t path)
{
    simt_core *core = context;
    path_state *state = &core->path_states[path];
    if (__builtin_expect(core->path_homes != NULL, 0))
        regrouped_forget(core, path);
    state->count = (path_count){0};
    front_end_make_room(core);
    core->issue.scheduler_unit->add(core->issue.scheduler[state->scheduler], path, age_of(core, path));
    front_end_start(core, path);
}

static void path_changed(void *context, uint32_t path)
{
    const simt_core *core = context;
    if (__builtin_expect(core->path_homes != NULL, 0))
        regrouped_forget(context, path);
    front_end_start(context, path);
}

static void path_regrouped(void *context, uint32_t path)
{
    regrouped_forget(context, path);
    front_end_regrouped(context, path);
}

static void path_removed(void *context, uint32_t path)
{
    simt_core *core = context;
    core->path_states[path].sequence++;
    if (__builtin_expect(core->path_homes != NULL, 0))
        regrouped_forget(core, path);
    else
        path_count_settle(&core->path_states[path].count, core->warps[core->paths[path].warp].retired);
    path_set_status(core, path, PATH_NONE);
    core->issue.scheduler_unit->remove(core->issue.scheduler[core->path_states[path].scheduler], path);
}

static uint32_t path_is_between(void *context, uint32_t path)
{
    const simt_core *core = context;
    const uint8_t status = core->path_states[path].status;
    return (status != PATH_NONE && status < PATH_HELD) || status == PATH_STOPPED;
}

const reconvergence_events control_events = {.added = path_added,
                                             .changed = path_changed,
                                             .removed = path_removed,
                                             .regrouped = path_regrouped,
                                             .is_between = path_is_between};
