/* SPDX-License-Identifier: MIT */
#include "instruction_places.h"

#define OF_NONE UINT32_MAX
#define OF_BLOCK (UINT32_MAX - 1) /* one of its own */

typedef struct place {
    uint32_t module; /* or OF_* */
    uint32_t index;
} place;

static const isa_program *program_of(const instruction_places *places, uint32_t module)
{
    return places->programs ? places->programs->find(places->programs->context, module) : NULL;
}

static place place_of(const instruction_places *places, const isa_instruction *instruction)
{
    const isa_program *program;
    for (uint32_t i = 0; i < places->own_count; i++)
        if (instruction == places->own[i])
            return (place){.module = OF_BLOCK, .index = i};
    for (uint32_t module = 0; instruction && (program = program_of(places, module)); module++) {
        const uintptr_t offset = (uintptr_t)instruction - (uintptr_t)program->instructions;
        if (offset < (uintptr_t)isa_program_instructions(program) * sizeof *instruction)
            return (place){.module = module, .index = (uint32_t)(offset / sizeof *instruction)};
    }
    return (place){.module = OF_NONE};
}

static const isa_instruction *instruction_at(const instruction_places *places, place at)
{
    if (at.module == OF_NONE)
        return NULL;
    if (at.module == OF_BLOCK)
        return at.index < places->own_count ? places->own[at.index] : NULL;
    const isa_program *program = program_of(places, at.module);
    return program && at.index < isa_program_instructions(program) ? &program->instructions[at.index] : NULL;
}

void instruction_transfer(const instruction_places *places, const isa_instruction **instruction,
                          const hd_state_stream *stream)
{
    place at = place_of(places, *instruction);
    HD_STATE_VALUE(stream, at);
    *instruction = instruction_at(places, at);
}
