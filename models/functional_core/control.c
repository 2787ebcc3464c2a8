/* SPDX-License-Identifier: MIT */
/* Control transfers: where each lane goes; the reconvergence unit decides which of them go on together. */
#include "state.h"

#include "bits.h"
#include "reserved_lanes.h"
#include "transfer_of.h"

static void exit_lanes(functional_core *core, uint32_t path, const uint32_t *target)
{
    const struct path *p = &core->paths[path];
    path_group groups[MAX_LANES];
    const uint32_t count = groups_by_target(p->mask, target, 0, groups);
    for (uint32_t i = 0; i < count; i++) {
        if (groups[i].pc != 0) {
            functional_fault(core, p, groups[i].mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_RETURN, groups[i].pc);
            return;
        }
    }
    functional_residency_exit_threads(core, path, p->mask);
}

/* Lanes `taken` go to target. */
static void transfer(functional_core *core, uint32_t path, const isa_instruction *instruction, const path_group *groups,
                     uint32_t count, uint32_t target, uint64_t taken)
{
    const block_state *block = &core->blocks[core->warps[core->paths[path].warp].block];
    path_event event = functional_event(core, path, PATH_BRANCHED);
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
    event.transfer = transfer_of(instruction);
    event.reserved = reserved_lanes(block->program, instruction, &event);
    event.reconvergence_pc = ISA_RECONVERGE_AT_RETURN;
    if (count > 1)
        meeting_points_tell(&block->points, block->program, &event);
    core->counters.divergent_branches += count > 1;
    if (count > 1)
        functional_profile_count(core, &core->paths[path], core->paths[path].pc, PROFILE_divergent_branches);
    core->reconvergence_unit->transfer(core->reconvergence, &event);
}

/* To targets from a register, of which anything may have come. */
static void transfer_by_register(functional_core *core, uint32_t path, const isa_instruction *instruction,
                                 const uint32_t *target, uint32_t depth)
{
    const struct path *p = &core->paths[path];
    path_group groups[MAX_LANES];
    const uint32_t count = groups_by_target(p->mask, target, depth, groups);
    const path_group *outside = group_outside(program_of(core, p), groups, count);
    if (outside)
        functional_fault(core, p, outside->mask, HD_DEBUG_FAULT_ADDRESS, MISTAKE_JUMP, outside->pc);
    else
        transfer(core, path, instruction, groups, count, groups[0].pc, groups[0].mask);
}

void control_transfer(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    isa_lanes *lanes = &core->warps[p->warp].lanes;
    path_group groups[2];
    uint32_t target[MAX_LANES];
    const uint32_t depth = p->depth + (instruction->flags & ISA_FLAG_CALL ? 1 : 0);
    const uint32_t jump = p->pc + (uint32_t)instruction->immediate;
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        const uint64_t taken = isa_branch_taken(instruction, lanes, p->mask);
        if (__builtin_expect(core->profile.counts != NULL, 0))
            functional_profile_add(core, p, p->pc, PROFILE_taken_lanes, bits_count(taken));
        transfer(core, path, instruction, groups, groups_of_branch(p, taken, jump, groups), jump, taken);
        return;
    }
    if (depth > CALLS_MAX) {
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, MISTAKE_CALLS, CALLS_MAX);
        return;
    }
    if (instruction->instruction_class == ISA_CLASS_JUMP_REGISTER)
        isa_addresses(instruction, lanes, p->mask, target);
    isa_execute(instruction, p->pc, lanes, p->mask);
    if (instruction->instruction_class == ISA_CLASS_JUMP)
        transfer(core, path, instruction, &(path_group){.mask = p->mask, .pc = jump, .depth = depth}, 1, jump, p->mask);
    else if (!(instruction->flags & ISA_FLAG_RETURN))
        transfer_by_register(core, path, instruction, target, depth);
    else if (p->depth)
        transfer_by_register(core, path, instruction, target, p->depth - 1);
    else
        exit_lanes(core, path, target);
}
