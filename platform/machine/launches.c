/* SPDX-License-Identifier: MIT */
/* What can be launched on a machine. */
#include "command_processor.h"
#include "hd_profile.h"
#include "machine_internal.h"

#include <stdlib.h>

/* The first block that says what can be launched; *block: which. NULL: none does. */
static const hd_launches *find_launches(const hd_machine *machine, hd_block **block)
{
    const hd_engine *engine = machine->engine;
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

uint64_t hd_machine_cache_bytes(const hd_machine *machine)
{
    const hd_engine *engine = machine->engine;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++) {
        const hd_block_class *type = hd_engine_block_class(engine, i);
        hd_block *block = hd_engine_block(engine, i);
        const hd_cache *cache = type->extension ? type->extension(block, HD_EXTENSION_CACHE) : NULL;
        bytes += cache ? cache->bytes(block) : 0;
    }
    return bytes;
}

uint32_t hd_machine_can_profile(const hd_machine *machine)
{
    const hd_engine *engine = machine->engine;
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++) {
        const hd_block_class *type = hd_engine_block_class(engine, i);
        if (type->extension && type->extension(hd_engine_block(engine, i), HD_EXTENSION_PROFILE))
            return 1;
    }
    return 0;
}

void hd_machine_begin_profile(hd_machine *machine)
{
    uint32_t count = 0;
    while (hd_program_registry_find(machine->programs, count))
        count++;
    hd_profiled_program *programs = calloc(count + 1, sizeof *programs);
    if (!programs)
        abort();
    for (uint32_t i = 0; i < count; i++)
        programs[i] = (hd_profiled_program){.program = hd_program_registry_find(machine->programs, i), .module = i};
    machine->profile = hd_program_profile_begin(machine->engine, programs, count);
    free(programs);
}

/* HD_NO_BLOCK: there is none of ours. */
static uint32_t find_command_processor(const hd_engine *engine)
{
    for (uint32_t i = 0; i < hd_engine_block_count(engine); i++)
        if (hd_engine_block_class(engine, i) == &hd_command_processor_queues)
            return i;
    return HD_NO_BLOCK;
}

uint32_t hd_machine_debug_access(hd_machine *machine, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    const hd_engine *engine = machine->engine;
    const uint32_t from = find_command_processor(engine);
    return hd_engine_debug_access(engine, from == HD_NO_BLOCK ? machine->host_endpoint : from, UINT32_MAX, address,
                                  data, bytes, is_write);
}

hd_clock hd_machine_launch_clock(const hd_machine *machine)
{
    const hd_engine *engine = machine->engine;
    const uint32_t block = find_command_processor(engine);
    return block == HD_NO_BLOCK ? (hd_clock){0} : hd_engine_block_clock(engine, block);
}
