/* SPDX-License-Identifier: MIT */
#include "decode.h"

typedef struct fields {
    uint8_t rd, rs1, rs2, rs3, funct3;
} fields;

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = UINT32_C(1) << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

static int32_t immediate_i(uint32_t word)
{
    return sign_extend(word >> 20, 12);
}

static int32_t immediate_s(uint32_t word)
{
    return sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
}

static int32_t immediate_b(uint32_t word)
{
    return sign_extend(
        bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1, 13);
}

static int32_t immediate_j(uint32_t word)
{
    return sign_extend(
        bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 | bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1, 21);
}

static uint8_t f(uint8_t number)
{
    return (uint8_t)(number + 32);
}

static int is_link(uint8_t number)
{
    return number == 1 || number == 5;
}

static void reads(isa_instruction *instruction, uint8_t number)
{
    if (number)
        instruction->reads |= UINT64_C(1) << number;
}

static void set_rd(isa_instruction *instruction, uint8_t number)
{
    instruction->rd = number;
    if (number)
        instruction->writes = UINT64_C(1) << number;
}

static void set_rs1(isa_instruction *instruction, uint8_t number)
{
    instruction->rs1 = number;
    reads(instruction, number);
}

static void set_rs2(isa_instruction *instruction, uint8_t number)
{
    instruction->rs2 = number;
    reads(instruction, number);
}

static void set_rs3(isa_instruction *instruction, uint8_t number)
{
    instruction->rs3 = number;
    reads(instruction, number);
}

static void set_ordering(isa_instruction *instruction)
{
    instruction->flags |= instruction->word >> 26 & 1 ? ISA_FLAG_ACQUIRE : 0;
    instruction->flags |= instruction->word >> 25 & 1 ? ISA_FLAG_RELEASE : 0;
}

static void set_jump(isa_instruction *instruction)
{
    if (is_link(instruction->rd))
        instruction->flags |= ISA_FLAG_CALL;
    else if (instruction->operation == ISA_OP_JALR && instruction->rd == 0 && is_link(instruction->rs1))
        instruction->flags |= ISA_FLAG_RETURN;
}

/* Returns 0 if the rounding mode is a reserved one. */
static int set_rounding(isa_instruction *instruction, uint8_t mode)
{
    instruction->rounding_mode = mode;
    return mode <= ISA_ROUND_NEAREST_MAX || mode == ISA_ROUND_DYNAMIC;
}

/* Operands of the forms that integer instructions have. Returns 0 if the fields make the word illegal. */
static int set_integer_operands(isa_instruction *instruction, enum isa_form form, const fields *field)
{
    uint32_t word = instruction->word;
    switch (form) {
    case ISA_FORM_R:
        set_rd(instruction, field->rd);
        set_rs1(instruction, field->rs1);
        set_rs2(instruction, field->rs2);
        return 1;
    case ISA_FORM_I:
    case ISA_FORM_JALR:
    case ISA_FORM_LOAD:
        set_rd(instruction, field->rd);
        set_rs1(instruction, field->rs1);
        instruction->immediate = immediate_i(word);
        return 1;
    case ISA_FORM_SHIFT:
        set_rd(instruction, field->rd);
        set_rs1(instruction, field->rs1);
        instruction->immediate = field->rs2;
        return 1;
    case ISA_FORM_SHIFT_LONG:
        set_rd(instruction, field->rd);
        set_rs1(instruction, field->rs1);
        instruction->immediate = (int32_t)bits(word, 25, 20);
        return 1;
    case ISA_FORM_STORE:
        set_rs1(instruction, field->rs1);
        set_rs2(instruction, field->rs2);
        instruction->immediate = immediate_s(word);
        return 1;
    case ISA_FORM_B:
        set_rs1(instruction, field->rs1);
        set_rs2(instruction, field->rs2);
        instruction->immediate = immediate_b(word);
        return 1;
    case ISA_FORM_U:
        set_rd(instruction, field->rd);
        instruction->immediate = (int32_t)(word & 0xFFFFF000);
        return 1;
    case ISA_FORM_J:
        set_rd(instruction, field->rd);
        instruction->immediate = immediate_j(word);
        return 1;
    case ISA_FORM_VOTE:
        set_rd(instruction, field->rd);
        set_rs1(instruction, field->rs1);
        return 1;
    case ISA_FORM_PRINT:
        instruction->immediate = field->rs2 & 7;
        instruction->reads = ((UINT64_C(2) << instruction->immediate) - 1) << ISA_PRINT_TEXT;
        return 1;
    case ISA_FORM_TEXT: set_rs1(instruction, field->rs1); return 1;
    case ISA_FORM_NUMBER: instruction->immediate = immediate_i(word) & 0xFFF; return 1;
    case ISA_FORM_FENCE:
        instruction->flags |= word >> 21 & 1 ? ISA_FLAG_FENCE_R : 0;
        instruction->immediate = (int32_t)(word >> 20);
        return 1;
    default: return 1;
    }
}

static int set_system_operands(isa_instruction *instruction, enum isa_form form, const fields *field)
{
    set_rd(instruction, field->rd);
    switch (form) {
    case ISA_FORM_CSR:
        set_rs1(instruction, field->rs1);
        instruction->immediate = (int32_t)(instruction->word >> 20);
        return 1;
    case ISA_FORM_CSR_IMMEDIATE:
        instruction->rs1 = field->rs1;
        instruction->immediate = (int32_t)(instruction->word >> 20);
        return 1;
    case ISA_FORM_COMPARE_AND_SWAP: reads(instruction, field->rd); __attribute__((fallthrough));
    case ISA_FORM_AMO: set_rs2(instruction, field->rs2); __attribute__((fallthrough));
    default: /* ISA_FORM_LOAD_RESERVED */
        set_rs1(instruction, field->rs1);
        set_ordering(instruction);
        return 1;
    }
}

static int set_float_operands(isa_instruction *instruction, enum isa_form form, const fields *field)
{
    switch (form) {
    case ISA_FORM_LOAD_FLOAT:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, field->rs1);
        instruction->immediate = immediate_i(instruction->word);
        return 1;
    case ISA_FORM_STORE_FLOAT:
        set_rs1(instruction, field->rs1);
        set_rs2(instruction, f(field->rs2));
        instruction->immediate = immediate_s(instruction->word);
        return 1;
    case ISA_FORM_FLOAT_FUSED: set_rs3(instruction, f(field->rs3)); __attribute__((fallthrough));
    case ISA_FORM_FLOAT_ROUNDED:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, f(field->rs1));
        set_rs2(instruction, f(field->rs2));
        return set_rounding(instruction, field->funct3);
    case ISA_FORM_FLOAT:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, f(field->rs1));
        set_rs2(instruction, f(field->rs2));
        return 1;
    case ISA_FORM_FLOAT_UNARY:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, f(field->rs1));
        return set_rounding(instruction, field->funct3);
    case ISA_FORM_FLOAT_SPECIAL:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, f(field->rs1));
        return 1;
    case ISA_FORM_FLOAT_COMPARE:
        set_rd(instruction, field->rd);
        set_rs1(instruction, f(field->rs1));
        set_rs2(instruction, f(field->rs2));
        return 1;
    case ISA_FORM_FLOAT_TO_INTEGER:
        set_rd(instruction, field->rd);
        set_rs1(instruction, f(field->rs1));
        return set_rounding(instruction, field->funct3);
    case ISA_FORM_INTEGER_TO_FLOAT:
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, field->rs1);
        return set_rounding(instruction, field->funct3);
    case ISA_FORM_FLOAT_MOVE_OUT:
        set_rd(instruction, field->rd);
        set_rs1(instruction, f(field->rs1));
        return 1;
    default: /* ISA_FORM_FLOAT_MOVE_IN */
        set_rd(instruction, f(field->rd));
        set_rs1(instruction, field->rs1);
        return 1;
    }
}

isa_instruction isa_illegal(uint32_t word)
{
    return (isa_instruction){
        .operation = ISA_OP_ILLEGAL,
        .instruction_class = ISA_CLASS_ILLEGAL,
        .rd = ISA_NO_REGISTER,
        .rs1 = ISA_NO_REGISTER,
        .rs2 = ISA_NO_REGISTER,
        .rs3 = ISA_NO_REGISTER,
        .word = word,
    };
}

static const isa_encoding *find(uint32_t word)
{
    for (uint32_t i = 0; i < ISA_OP_ILLEGAL; i++)
        if ((word & isa_encodings[i].mask) == isa_encodings[i].match)
            return &isa_encodings[i];
    return NULL;
}

static uint8_t count_operands(const isa_instruction *instruction)
{
    uint32_t count = instruction->writes ? ISA_OPERANDS_WRITES : 0;
    for (uint64_t left = isa_operands_read(instruction); left; left &= left - 1)
        count++;
    return (uint8_t)count;
}

isa_instruction isa_decode_row(const isa_encoding *row, uint16_t operation, uint32_t word)
{
    isa_instruction instruction = isa_illegal(word);
    const fields field = {
        .rd = (uint8_t)bits(word, 11, 7),
        .rs1 = (uint8_t)bits(word, 19, 15),
        .rs2 = (uint8_t)bits(word, 24, 20),
        .rs3 = (uint8_t)bits(word, 31, 27),
        .funct3 = (uint8_t)bits(word, 14, 12),
    };
    enum isa_form form = (enum isa_form)row->form;
    instruction.operation = operation;
    instruction.instruction_class = row->instruction_class;
    instruction.access_bytes = row->access_bytes;
    int legal = form < ISA_FORM_CSR          ? set_integer_operands(&instruction, form, &field)
                : form < ISA_FORM_LOAD_FLOAT ? set_system_operands(&instruction, form, &field)
                                             : set_float_operands(&instruction, form, &field);
    if (!legal)
        return isa_illegal(word);
    if (form == ISA_FORM_J || form == ISA_FORM_JALR)
        set_jump(&instruction);
    instruction.operands = count_operands(&instruction);
    return instruction;
}

const isa_instruction isa_no_instruction = {.operation = ISA_OP_COUNT, .instruction_class = ISA_CLASS_ILLEGAL};

isa_instruction isa_decode(uint32_t word)
{
    const isa_encoding *encoding = find(word);
    if (!encoding)
        return isa_illegal(word);
    isa_instruction instruction = isa_decode_row(encoding, (uint16_t)(encoding - isa_encodings), word);
    if (instruction.operation == ISA_OP_LW_CG)
        instruction.flags |= ISA_FLAG_LOAD_UNCACHED;
    if (instruction.operation == ISA_OP_LW_NC || instruction.operation == ISA_OP_FLW_NC)
        instruction.flags |= ISA_FLAG_LOAD_READ_ONLY;
    return instruction;
}
