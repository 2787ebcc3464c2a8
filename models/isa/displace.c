/* SPDX-License-Identifier: MIT */
#include "displace.h"

#define REACH UINT32_C(0x00100000) /* of jal, to either side */
#define OPCODE_JAL 0x6Fu
#define OPCODE_LUI 0x37u
#define OPCODE_ADDI 0x13u
#define BRANCH_OFFSET_BITS UINT32_C(0xFE000F80)

typedef struct output {
    uint32_t *words;
    uint32_t count;
    uint32_t at; /* address of words[0] */
    int too_far;
} output;

int displace_reaches(uint32_t from, uint32_t to)
{
    return to - from + REACH < 2 * REACH;
}

uint32_t displace_jump(uint32_t rd, uint32_t from, uint32_t to)
{
    const uint32_t offset = to - from;
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 |
           (offset >> 12 & 0xFF) << 12 | rd << 7 | OPCODE_JAL;
}

static uint32_t here(const output *o)
{
    return o->at + 4 * o->count;
}

static void put(output *o, uint32_t word)
{
    o->words[o->count++] = word;
}

static void put_jump(output *o, uint32_t rd, uint32_t to)
{
    o->too_far |= !displace_reaches(here(o), to);
    put(o, displace_jump(rd, here(o), to));
}

/* The upper 20 bits to which a sign-extended lower 12 are added. */
static uint32_t upper(uint32_t value)
{
    return (value + 0x800) & UINT32_C(0xFFFFF000);
}

/* Over the jump to where it is not taken. */
static void put_branch(output *o, const isa_instruction *branch, uint32_t pc)
{
    const uint32_t offset_8 = UINT32_C(8) << 7;
    put(o, (branch->word & ~BRANCH_OFFSET_BITS) | offset_8);
    put_jump(o, 0, pc + 4);
    put_jump(o, 0, pc + (uint32_t)branch->immediate);
}

static void put_pair(output *o, const isa_instruction *pair, uint32_t pc)
{
    const isa_instruction *jump = pair + 1;
    const uint32_t target = pc + (uint32_t)pair->immediate + (uint32_t)jump->immediate, offset = target - here(o);
    put(o, upper(offset) | (pair->word & 0xFFF));
    put(o, offset << 20 | (jump->word & 0xFFFFF));
    if (jump->flags & ISA_FLAG_CALL)
        put_jump(o, 0, pc + 8);
}

static void put_address(output *o, const isa_instruction *auipc, uint32_t pc)
{
    const uint32_t address = pc + (uint32_t)auipc->immediate, rd = auipc->rd;
    put(o, upper(address) | rd << 7 | OPCODE_LUI);
    put(o, address << 20 | rd << 15 | rd << 7 | OPCODE_ADDI);
}

static int is_pair(const isa_program *program, uint32_t pc)
{
    const isa_instruction *next = isa_program_at(program, pc + 4);
    return next && next->flags & ISA_FLAG_RECOVERED;
}

uint32_t displace(const isa_program *program, uint32_t pc, uint32_t at, uint32_t words[DISPLACED_WORDS])
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    output o = {.words = words, .at = at};
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        put_branch(&o, instruction, pc);
    } else if (instruction->operation == ISA_OP_AUIPC && is_pair(program, pc)) {
        put_pair(&o, instruction, pc);
    } else {
        if (instruction->operation == ISA_OP_JAL)
            put_jump(&o, instruction->rd, pc + (uint32_t)instruction->immediate);
        else if (instruction->operation == ISA_OP_AUIPC)
            put_address(&o, instruction, pc);
        else
            put(&o, instruction->word);
        const uint32_t class = instruction->instruction_class;
        if ((class != ISA_CLASS_JUMP && class != ISA_CLASS_JUMP_REGISTER) || instruction->flags & ISA_FLAG_CALL)
            put_jump(&o, 0, pc + 4);
    }
    return o.too_far ? 0 : o.count;
}
