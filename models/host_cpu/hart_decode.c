/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hart_internal.h"

static uint32_t in_ram(const hart *self, uint64_t pc, uint64_t bytes)
{
    const uint64_t offset = pc - self->ram_base;
    return offset < self->ram_bytes && bytes <= self->ram_bytes - offset;
}

/* 0: nothing can be fetched there. */
static uint32_t fetch(const hart *self, uint64_t pc, uint32_t *word)
{
    uint16_t halves[2] = {0, 0};
    if (!in_ram(self, pc, 2))
        return 0;
    memcpy(&halves[0], self->ram + (pc - self->ram_base), 2);
    if (rv64_bytes(halves[0]) == 4) {
        if (!in_ram(self, pc, 4))
            return 0;
        memcpy(&halves[1], self->ram + (pc - self->ram_base) + 2, 2);
    }
    *word = halves[0] | (uint32_t)halves[1] << 16;
    return 1;
}

static uint8_t kind_of(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD: return HART_KIND_LOAD;
    case ISA_CLASS_STORE: return HART_KIND_STORE;
    case ISA_CLASS_MUL: return HART_KIND_MULTIPLY;
    case ISA_CLASS_DIV: return HART_KIND_DIVIDE;
    case ISA_CLASS_BRANCH: return HART_KIND_BRANCH;
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: return HART_KIND_JUMP;
    case ISA_CLASS_ATOMIC: return HART_KIND_ATOMIC;
    case ISA_CLASS_FENCE:
    case ISA_CLASS_CSR:
    case ISA_CLASS_SYSTEM: return HART_KIND_CSR;
    default: return HART_KIND_PLAIN;
    }
}

static uint32_t ends_block(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER:
    case ISA_CLASS_CSR:
    case ISA_CLASS_SYSTEM:
    case ISA_CLASS_ILLEGAL: return 1;
    default: return instruction->operation == RV64_OP_FENCE_I;
    }
}

static uint8_t operand(uint8_t number)
{
    return number == ISA_NO_REGISTER ? 0 : number;
}

/* Cycles with a branch not taken. */
static uint32_t cost_of(const hart *self, uint32_t kind)
{
    return self->cycles_each + (kind == HART_KIND_BRANCH ? 0 : self->costs[kind]);
}

static void append(hart *self, hart_block *block, const isa_instruction *instruction, uint32_t bytes)
{
    hart_operation *operation = &self->operations[self->operation_count++];
    const uint8_t kind = kind_of(instruction);
    *operation = (hart_operation){
        .operation = (uint8_t)instruction->operation,
        .rd = operand(instruction->rd) ? instruction->rd : (uint8_t)HART_SINK,
        .rs1 = operand(instruction->rs1),
        .rs2 = operand(instruction->rs2),
        .immediate = instruction->operation == ISA_OP_ILLEGAL ? (int32_t)instruction->word : instruction->immediate,
        .offset = (uint16_t)block->bytes,
        .begins = (uint16_t)block->cycles,
        .bytes = (uint8_t)bytes,
        .kind = kind,
    };
    block->count++;
    block->bytes += bytes;
    block->cycles += cost_of(self, kind);
    block->kinds[kind]++;
}

static void decode_block(hart *self, hart_block *block, uint64_t pc)
{
    uint32_t word;
    *block = (hart_block){.pc = pc, .operations = self->operations + self->operation_count};
    while (block->count < self->block_operations && block->cycles < UINT16_MAX / 2 &&
           fetch(self, pc + block->bytes, &word)) {
        const isa_instruction instruction = rv64_decode(word);
        append(self, block, &instruction, rv64_bytes(word));
        if (ends_block(&instruction))
            return;
    }
}

void hart_forget_blocks(hart *self)
{
    for (uint32_t i = 0; i <= self->block_mask; i++)
        self->blocks[i].pc = UINT64_MAX;
    self->operation_count = 0;
}

const hart_block *hart_find_block(hart *self, uint64_t pc)
{
    hart_block *block = &self->blocks[pc >> 1 & self->block_mask];
    uint32_t word;
    if (block->pc == pc)
        return block;
    if (!fetch(self, pc, &word))
        return NULL;
    if (self->operation_capacity - self->operation_count < HART_BLOCK_OPERATIONS)
        hart_forget_blocks(self);
    decode_block(self, block, pc);
    return block;
}
