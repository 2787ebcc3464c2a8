/* SPDX-License-Identifier: MIT */
#include "live.h"

#include "core_lanes.h"
#include "live_registers.h"
#include "tx/tx.h"

#include <stdlib.h>

int live_create(simt_core *core, char *error, size_t error_bytes)
{
    const hd_programs *programs = core->residency.programs;
    if (core_parameter_of(core, PARAMETER_CONTEXT_DEAD) == DEAD_NONE)
        return 0;
    core->live.registers = calloc(core->warp_count, sizeof *core->live.registers);
    core->live.tables = calloc(core->block_count, sizeof *core->live.tables);
    if (!core->live.registers || !core->live.tables)
        return -1;
    return programs && programs->require(programs->context, isa_live_registers.name, &isa_live_registers, error,
                                         error_bytes)
               ? -1
               : 0;
}

void live_destroy(simt_core *core)
{
    free(core->live.registers);
    free(core->live.tables);
}

void live_enter(simt_core *core, uint32_t slot)
{
    const isa_program *program = core->blocks[slot].program;
    if (!core->live.registers)
        return;
    core->live.tables[slot] = (live_table){.values = isa_program_table(program, isa_live_registers.name),
                                           .lists = isa_program_lists(program, isa_live_registers.name)};
}

/* With switches, lanes go ways that the code does not show. */
static isa_live live_at(const simt_core *core, uint32_t slot, uint32_t pc)
{
    const live_table *table = &core->live.tables[slot];
    if (!table->values || core->switches.number)
        return (isa_live){ISA_ALL_REGISTERS, ISA_ALL_REGISTERS};
    return isa_live_at(core->blocks[slot].program, table->values, table->lists, pc);
}

void live_start(simt_core *core, uint32_t slot, uint32_t warp)
{
    if (core->live.registers)
        core->live.registers[warp] = live_at(core, slot, core->blocks[slot].launch.grid.entry_pc).before;
}

/* What dies where these are all of a warp. */
static uint64_t dead_behind(const simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    if (instruction->instruction_class == ISA_CLASS_TRANSACTION || tx_is_inside(core->tx.transactions, path))
        return 0;
    const uint64_t dead = ~live_at(core, core->warps[p->warp].block, p->pc).after;
    return core_parameter_of(core, PARAMETER_CONTEXT_DEAD) == DEAD_MARKS ? dead & instruction->reads : dead;
}

void live_issue(simt_core *core, uint32_t path)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    const reconvergence_unit *unit = core->reconvergence.unit;
    const uint64_t dead = dead_behind(core, path);
    for (uint64_t left = core->paths[path].mask; left;) {
        const home_part part = homes_take(core_homes(core, path), &left);
        uint64_t *live = &core->live.registers[part.row];
        if (*live & dead && part.lanes == unit->live_lanes(core->reconvergence.state, part.row))
            *live &= ~dead;
        *live |= instruction->writes;
    }
}

uint64_t live_registers(const simt_core *core, uint32_t warp)
{
    return core->live.registers ? core->live.registers[warp] : ISA_ALL_REGISTERS;
}
