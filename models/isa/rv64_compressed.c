/* SPDX-License-Identifier: MIT */
/* The RISC-V Instruction Set Manual, volume I, "C": the instructions of RV64 that need no float registers. */
#include "rv64.h"

/* Opcodes with their funct3 and funct7, and registers that the short forms imply. */
enum {
    ADDI = 0x13,
    ANDI = 0x7013,
    SLLI = 0x1013,
    SRLI = 0x5013,
    SRAI = 0x40005013,
    ADDIW = 0x1B,
    LUI = 0x37,
    LW = 0x2003,
    LD = 0x3003,
    SW = 0x2023,
    SD = 0x3023,
    ADD = 0x33,
    SUB = 0x40000033,
    XOR = 0x4033,
    OR = 0x6033,
    AND = 0x7033,
    ADDW = 0x3B,
    SUBW = 0x4000003B,
    BEQ = 0x63,
    BNE = 0x1063,
    JAL = 0x6F,
    JALR = 0x67,
    EBREAK = 0x100073,
    RA = 1,
    SP = 2
};

/* Bits high..low of the half word, moved to start at bit `to`. */
static uint32_t field(uint32_t half, unsigned high, unsigned low, unsigned to)
{
    return (half >> low & ((UINT32_C(2) << (high - low)) - 1)) << to;
}

static uint32_t sign_extend(uint32_t value, unsigned width)
{
    const uint32_t sign = UINT32_C(1) << (width - 1);
    return (value ^ sign) - sign;
}

static uint32_t make_i(uint32_t opcode, uint32_t rd, uint32_t rs1, uint32_t immediate)
{
    return opcode | rd << 7 | rs1 << 15 | immediate << 20;
}

static uint32_t make_r(uint32_t opcode, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return opcode | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t make_s(uint32_t opcode, uint32_t rs1, uint32_t rs2, uint32_t immediate)
{
    return opcode | (immediate & 31) << 7 | rs1 << 15 | rs2 << 20 | (immediate >> 5 & 127) << 25;
}

static uint32_t make_b(uint32_t opcode, uint32_t rs1, uint32_t target)
{
    return opcode | rs1 << 15 | (target >> 11 & 1) << 7 | (target >> 1 & 15) << 8 | (target >> 5 & 63) << 25 |
           (target >> 12 & 1) << 31;
}

static uint32_t make_j(uint32_t target)
{
    return JAL | (target >> 12 & 255) << 12 | (target >> 11 & 1) << 20 | (target >> 1 & 1023) << 21 |
           (target >> 20 & 1) << 31;
}

static uint32_t short_register(uint32_t half, unsigned low)
{
    return 8 + (half >> low & 7);
}

static uint32_t expand_loads_and_stores(uint32_t half)
{
    const uint32_t rd = short_register(half, 2), rs1 = short_register(half, 7);
    const uint32_t word_offset = field(half, 12, 10, 3) | field(half, 6, 6, 2) | field(half, 5, 5, 6);
    const uint32_t double_offset = field(half, 12, 10, 3) | field(half, 6, 5, 6);
    const uint32_t stack_offset =
        field(half, 12, 11, 4) | field(half, 10, 7, 6) | field(half, 6, 6, 2) | field(half, 5, 5, 3);
    switch (half >> 13) {
    case 0: return stack_offset ? make_i(ADDI, rd, SP, stack_offset) : 0;
    case 2: return make_i(LW, rd, rs1, word_offset);
    case 3: return make_i(LD, rd, rs1, double_offset);
    case 6: return make_s(SW, rs1, rd, word_offset);
    case 7: return make_s(SD, rs1, rd, double_offset);
    default: return 0;
    }
}

static uint32_t expand_arithmetic(uint32_t half)
{
    static const uint32_t long_operations[] = {SUB, XOR, OR, AND}, word_operations[] = {SUBW, ADDW, 0, 0};
    const uint32_t rd = short_register(half, 7), rs2 = short_register(half, 2);
    const uint32_t amount = field(half, 12, 12, 5) | field(half, 6, 2, 0);
    switch (half >> 10 & 3) {
    case 0: return make_i(SRLI, rd, rd, amount);
    case 1: return make_i(SRAI, rd, rd, amount);
    case 2: return make_i(ANDI, rd, rd, sign_extend(amount, 6));
    default: break;
    }
    const uint32_t opcode = (half >> 12 & 1 ? word_operations : long_operations)[half >> 5 & 3];
    return opcode ? make_r(opcode, rd, rd, rs2) : 0;
}

static uint32_t expand_upper(uint32_t half)
{
    const uint32_t rd = half >> 7 & 31;
    const uint32_t stack = sign_extend(field(half, 12, 12, 9) | field(half, 6, 6, 4) | field(half, 5, 5, 6) |
                                           field(half, 4, 3, 7) | field(half, 2, 2, 5),
                                       10);
    const uint32_t upper = sign_extend(field(half, 12, 12, 17) | field(half, 6, 2, 12), 18);
    if (rd == SP)
        return stack ? make_i(ADDI, SP, SP, stack) : 0;
    return upper ? LUI | rd << 7 | upper : 0;
}

static uint32_t expand_immediates_and_jumps(uint32_t half)
{
    const uint32_t rd = half >> 7 & 31;
    const uint32_t immediate = sign_extend(field(half, 12, 12, 5) | field(half, 6, 2, 0), 6);
    const uint32_t jump =
        sign_extend(field(half, 12, 12, 11) | field(half, 11, 11, 4) | field(half, 10, 9, 8) | field(half, 8, 8, 10) |
                        field(half, 7, 7, 6) | field(half, 6, 6, 7) | field(half, 5, 3, 1) | field(half, 2, 2, 5),
                    12);
    const uint32_t branch = sign_extend(field(half, 12, 12, 8) | field(half, 11, 10, 3) | field(half, 6, 5, 6) |
                                            field(half, 4, 3, 1) | field(half, 2, 2, 5),
                                        9);
    switch (half >> 13) {
    case 0: return make_i(ADDI, rd, rd, immediate);
    case 1: return rd ? make_i(ADDIW, rd, rd, immediate) : 0;
    case 2: return make_i(ADDI, rd, 0, immediate);
    case 3: return expand_upper(half);
    case 4: return expand_arithmetic(half);
    case 5: return make_j(jump);
    case 6: return make_b(BEQ, short_register(half, 7), branch);
    default: return make_b(BNE, short_register(half, 7), branch);
    }
}

static uint32_t expand_moves(uint32_t half)
{
    const uint32_t rd = half >> 7 & 31, rs2 = half >> 2 & 31;
    if (half >> 12 & 1) {
        if (rs2)
            return make_r(ADD, rd, rd, rs2);
        return rd ? make_i(JALR, RA, rd, 0) : EBREAK;
    }
    if (rs2)
        return make_r(ADD, rd, 0, rs2);
    return rd ? make_i(JALR, 0, rd, 0) : 0;
}

static uint32_t expand_stack_and_moves(uint32_t half)
{
    const uint32_t rd = half >> 7 & 31, rs2 = half >> 2 & 31;
    const uint32_t amount = field(half, 12, 12, 5) | field(half, 6, 2, 0);
    const uint32_t word_load = field(half, 12, 12, 5) | field(half, 6, 4, 2) | field(half, 3, 2, 6);
    const uint32_t double_load = field(half, 12, 12, 5) | field(half, 6, 5, 3) | field(half, 4, 2, 6);
    switch (half >> 13) {
    case 0: return make_i(SLLI, rd, rd, amount);
    case 2: return rd ? make_i(LW, rd, SP, word_load) : 0;
    case 3: return rd ? make_i(LD, rd, SP, double_load) : 0;
    case 4: return expand_moves(half);
    case 6: return make_s(SW, SP, rs2, field(half, 12, 9, 2) | field(half, 8, 7, 6));
    case 7: return make_s(SD, SP, rs2, field(half, 12, 10, 3) | field(half, 9, 7, 6));
    default: return 0;
    }
}

uint32_t rv64_expand(uint16_t half)
{
    switch (half & 3) {
    case 0: return expand_loads_and_stores(half);
    case 1: return expand_immediates_and_jumps(half);
    case 2: return expand_stack_and_moves(half);
    default: return 0;
    }
}
