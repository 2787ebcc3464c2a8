/* SPDX-License-Identifier: MIT */
/* What can be launched on a machine. */
#include "command_processor.h"
#include "machine_internal.h"

/* The first block that says what can be launched; *block: which. NULL: none does. */
static const hd_launches *find_launches(const hd_machine *machine, hd_block **block)
{
    const hd_engine *engine = hd_tlm_engine(machine->tlm);
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++) {
        const hd_block_class *type = hd_engine_block_class(engine, i);
        *block = hd_engine_block(engine, i);
        const hd_launches *found = type->extension ? type->extension(*block, HD_EXTENSION_LAUNCHES) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

uint32_t hd_machine_accepts(const hd_machine *machine, const hd_grid *grid, char *text, size_t bytes)
{
    hd_block *block;
    const hd_launches *launches = find_launches(machine, &block);
    return !launches || launches->accepts(block, grid, text, bytes);
}

const hd_core_capacity *hd_machine_core(const hd_machine *machine, uint32_t core)
{
    hd_block *block;
    const hd_launches *launches = find_launches(machine, &block);
    return launches ? launches->capacity(block, core) : NULL;
}

hd_clock hd_machine_launch_clock(const hd_machine *machine)
{
    const hd_engine *engine = hd_tlm_engine(machine->tlm);
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++)
        if (hd_engine_block_class(engine, i) == &hd_command_processor_queues)
            return hd_engine_block_clock(engine, i);
    return (hd_clock){0};
}
