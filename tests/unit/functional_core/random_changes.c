/* SPDX-License-Identifier: MIT */
#include "random_changes.h"

#define NOP 0x00000013u

static uint64_t state;

void random_changes_begin(uint64_t seed)
{
    state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
}

static uint32_t random_below(uint32_t bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % bound;
}

static int put_nops(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    static const uint32_t nops[] = {NOP, NOP, NOP};
    (void)error, (void)error_bytes;
    for (uint32_t pc = program->text_address; pc < program->text_address + program->text_bytes; pc += 4) {
        const isa_instruction *instruction = isa_program_at(program, pc);
        if (random_below(3) || !instruction || instruction->flags & ISA_FLAG_RECOVERED)
            continue;
        if (isa_rewrite_insert(rewrite, pc, nops, random_below(4)))
            return -1;
    }
    return 0;
}

const isa_transform random_nops = {.name = "nops", .doc = "does nothing, in more instructions", .apply = put_nops};

/* Points that no meeting moves past: lanes have to be together there, or the code does not go straight on. */
static int holds_lanes(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_BARRIER:
    case ISA_CLASS_WARP_SYNC:
    case ISA_CLASS_CROSS_LANE:
    case ISA_CLASS_TRANSACTION:
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER:
    case ISA_CLASS_SYSTEM:
    case ISA_CLASS_ILLEGAL: return 1;
    default: return 0;
    }
}

/* The next point of a set, whatever it is: so those of an inner branch never move past those of an outer one. */
static uint32_t later(const isa_program *program, uint32_t pc)
{
    while (isa_program_at(program, pc + 4) && !holds_lanes(isa_program_at(program, pc)) &&
           ((pc * UINT64_C(0x9E3779B97F4A7C15)) ^ state) >> 61)
        pc += 4;
    return pc;
}

static int fill_later(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    if (isa_reconvergence.fill(program, values, error, error_bytes))
        return -1;
    for (uint32_t i = 0; i < program->text_bytes / 4; i++)
        if (values[i] != ISA_RECONVERGE_AT_RETURN)
            values[i] = later(program, values[i]);
    return 0;
}

const isa_analysis later_reconvergence = {
    .name = "reconvergence", .doc = "later", .none = ISA_RECONVERGE_AT_RETURN, .fill = fill_later};
