/* SPDX-License-Identifier: MIT */
/* From the rules of the RISC-V manual, volume I, with its table of division by zero and overflow. */
#include "vectors.h"

#include "instruction.h"

#define MIN 0x80000000u
#define MAX 0x7FFFFFFFu
#define ONES 0xFFFFFFFFu

const integer_vector integer_vectors[] = {
    {ISA_OP_LUI, 0, 0x12345, 0x12345000},
    {ISA_OP_LUI, 0, 0xFFFFF, 0xFFFFF000},
    {ISA_OP_AUIPC, 0, 1, 0x10001000},
    {ISA_OP_AUIPC, 0, 0xFFFFF, 0x0FFFF000},
    {ISA_OP_ADDI, 5, 0xFFFFF800, 0xFFFFF805},
    {ISA_OP_ADDI, ONES, 1, 0},
    {ISA_OP_SLTI, ONES, 0, 1},
    {ISA_OP_SLTI, 1, 0xFFFFFFFF, 0},
    {ISA_OP_SLTIU, 1, 0xFFFFFFFF, 1},
    {ISA_OP_SLTIU, ONES, 0, 0},
    {ISA_OP_SLTIU, 0, 1, 1},
    {ISA_OP_XORI, 0x00FF00FF, 0xFFFFFFFF, 0xFF00FF00},
    {ISA_OP_ORI, 0x0F000000, 0x7FF, 0x0F0007FF},
    {ISA_OP_ORI, 0, 0xFFFFF800, 0xFFFFF800},
    {ISA_OP_ANDI, ONES, 0xFFFFF800, 0xFFFFF800},
    {ISA_OP_ANDI, 0x12345678, 0x0F0, 0x070},
    {ISA_OP_SLLI, 1, 31, MIN},
    {ISA_OP_SRLI, MIN, 31, 1},
    {ISA_OP_SRAI, MIN, 31, ONES},
    {ISA_OP_SRAI, MAX, 30, 1},
    {ISA_OP_ADD, MAX, 1, MIN},
    {ISA_OP_SUB, MIN, 1, MAX},
    {ISA_OP_SUB, 0, 1, ONES},
    {ISA_OP_SLL, 1, 33, 2},
    {ISA_OP_SLL, 3, 31, MIN},
    {ISA_OP_SLT, MIN, MAX, 1},
    {ISA_OP_SLT, MAX, MIN, 0},
    {ISA_OP_SLTU, MIN, MAX, 0},
    {ISA_OP_SLTU, MAX, MIN, 1},
    {ISA_OP_XOR, 0xFF00FF00, 0x0F0F0F0F, 0xF00FF00F},
    {ISA_OP_SRL, MIN, 63, 1},
    {ISA_OP_SRA, MIN, 36, 0xF8000000},
    {ISA_OP_OR, 0xF0F0F0F0, 0x0F0F0000, 0xFFFFF0F0},
    {ISA_OP_AND, 0xF0F0F0F0, 0xFF00FF00, 0xF000F000},
    {ISA_OP_MUL, 0x12345678, 0x9ABCDEF0, 0x242D2080},
    {ISA_OP_MUL, ONES, ONES, 1},
    {ISA_OP_MULH, MIN, MIN, 0x40000000},
    {ISA_OP_MULH, ONES, ONES, 0},
    {ISA_OP_MULH, ONES, 1, ONES},
    {ISA_OP_MULHSU, ONES, ONES, ONES},
    {ISA_OP_MULHSU, MIN, ONES, MIN},
    {ISA_OP_MULHSU, 1, ONES, 0},
    {ISA_OP_MULHU, ONES, ONES, 0xFFFFFFFE},
    {ISA_OP_MULHU, MIN, 2, 1},
    {ISA_OP_DIV, 7, 0, ONES},
    {ISA_OP_DIV, MIN, ONES, MIN},
    {ISA_OP_DIV, 0xFFFFFFF9, 2, 0xFFFFFFFD},
    {ISA_OP_DIV, 7, 0xFFFFFFFE, 0xFFFFFFFD},
    {ISA_OP_DIVU, 7, 0, ONES},
    {ISA_OP_DIVU, MIN, ONES, 0},
    {ISA_OP_DIVU, 0xFFFFFFF9, 2, 0x7FFFFFFC},
    {ISA_OP_REM, 7, 0, 7},
    {ISA_OP_REM, MIN, ONES, 0},
    {ISA_OP_REM, 0xFFFFFFF9, 2, ONES},
    {ISA_OP_REM, 7, 0xFFFFFFFE, 1},
    {ISA_OP_REMU, 7, 0, 7},
    {ISA_OP_REMU, MIN, ONES, MIN},
    {ISA_OP_REMU, 0xFFFFFFF9, 2, 1},
};
const uint32_t integer_vector_count = sizeof integer_vectors / sizeof *integer_vectors;

const integer_vector branch_vectors[] = {
    {ISA_OP_BEQ, 5, 5, 1},     {ISA_OP_BEQ, 5, 6, 0},      {ISA_OP_BNE, 5, 6, 1},      {ISA_OP_BNE, 5, 5, 0},
    {ISA_OP_BLT, MIN, MAX, 1}, {ISA_OP_BLT, MAX, MIN, 0},  {ISA_OP_BLT, 3, 3, 0},      {ISA_OP_BGE, MAX, MIN, 1},
    {ISA_OP_BGE, MIN, MAX, 0}, {ISA_OP_BGE, 3, 3, 1},      {ISA_OP_BLTU, MAX, MIN, 1}, {ISA_OP_BLTU, MIN, MAX, 0},
    {ISA_OP_BLTU, 3, 3, 0},    {ISA_OP_BGEU, MIN, MAX, 1}, {ISA_OP_BGEU, MAX, MIN, 0}, {ISA_OP_BGEU, 3, 3, 1},
};
const uint32_t branch_vector_count = sizeof branch_vectors / sizeof *branch_vectors;
