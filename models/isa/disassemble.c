/* SPDX-License-Identifier: MIT */
#include "decode.h"

#include <stdio.h>

static const char *const register_names[ISA_REGISTER_COUNT] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",  "t2",  "s0",  "s1",  "a0",   "a1",   "a2",  "a3",  "a4",   "a5",
    "a6",   "a7",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",  "s9",  "s10",  "s11",  "t3",  "t4",  "t5",   "t6",
    "ft0",  "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6",  "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

static const char *const class_names[ISA_CLASS_COUNT] = {
    [ISA_CLASS_INT] = "int",
    [ISA_CLASS_MUL] = "mul",
    [ISA_CLASS_DIV] = "div",
    [ISA_CLASS_FP] = "fp",
    [ISA_CLASS_FP_FMA] = "fp_fma",
    [ISA_CLASS_FP_DIV] = "fp_div",
    [ISA_CLASS_SPECIAL] = "special",
    [ISA_CLASS_BRANCH] = "branch",
    [ISA_CLASS_JUMP] = "jump",
    [ISA_CLASS_JUMP_REGISTER] = "jump_register",
    [ISA_CLASS_LOAD] = "load",
    [ISA_CLASS_STORE] = "store",
    [ISA_CLASS_ATOMIC] = "atomic",
    [ISA_CLASS_FENCE] = "fence",
    [ISA_CLASS_CSR] = "csr",
    [ISA_CLASS_CROSS_LANE] = "cross_lane",
    [ISA_CLASS_BARRIER] = "barrier",
    [ISA_CLASS_WARP_SYNC] = "warp_sync",
    [ISA_CLASS_TRANSACTION] = "transaction",
    [ISA_CLASS_HINT] = "hint",
    [ISA_CLASS_PRINT] = "print",
    [ISA_CLASS_SYSTEM] = "system",
    [ISA_CLASS_ILLEGAL] = "illegal",
};

const char *isa_mnemonic(uint32_t operation)
{
    return operation < ISA_OP_ILLEGAL ? isa_encodings[operation].mnemonic : "illegal";
}

const char *isa_class_name(uint32_t instruction_class)
{
    return instruction_class < ISA_CLASS_COUNT ? class_names[instruction_class] : "illegal";
}

const char *isa_register_name(uint32_t number)
{
    return number < ISA_REGISTER_COUNT ? register_names[number] : "-";
}

static const char *ordering(const isa_instruction *instruction)
{
    static const char *const suffix[4] = {"", ".aq", ".rl", ".aqrl"};
    return suffix[instruction->flags & (ISA_FLAG_ACQUIRE | ISA_FLAG_RELEASE)];
}

/* "rw": of the four bits of a fence that name what it orders. */
static void fence_set(uint32_t bits, char text[5])
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (bits >> (3 - i) & 1)
            text[length++] = "iorw"[i];
    if (!length)
        text[length++] = '0';
    text[length] = 0;
}

typedef struct operands {
    const char *name;
    const char *rd;
    const char *rs1;
    const char *rs2;
    const char *rs3;
    int32_t immediate;
} operands;

static int print_fence(const isa_instruction *instruction, char *text, size_t bytes)
{
    char before[5], after[5];
    fence_set((uint32_t)instruction->immediate >> 4 & 15, before);
    fence_set((uint32_t)instruction->immediate & 15, after);
    return snprintf(text, bytes, "fence %s, %s", before, after);
}

static int print_float(const isa_instruction *instruction, enum isa_form form, const operands *o, char *text,
                       size_t bytes)
{
    static const char *const modes[8] = {", rne", ", rtz", ", rdn", ", rup", ", rmm", "", "", ""};
    const char *mode = modes[instruction->rounding_mode & 7];
    switch (form) {
    case ISA_FORM_LOAD_FLOAT: return snprintf(text, bytes, "%s %s, %d(%s)", o->name, o->rd, o->immediate, o->rs1);
    case ISA_FORM_STORE_FLOAT: return snprintf(text, bytes, "%s %s, %d(%s)", o->name, o->rs2, o->immediate, o->rs1);
    case ISA_FORM_FLOAT_FUSED:
        return snprintf(text, bytes, "%s %s, %s, %s, %s%s", o->name, o->rd, o->rs1, o->rs2, o->rs3, mode);
    case ISA_FORM_FLOAT_ROUNDED: return snprintf(text, bytes, "%s %s, %s, %s%s", o->name, o->rd, o->rs1, o->rs2, mode);
    case ISA_FORM_FLOAT:
    case ISA_FORM_FLOAT_COMPARE: return snprintf(text, bytes, "%s %s, %s, %s", o->name, o->rd, o->rs1, o->rs2);
    case ISA_FORM_FLOAT_SPECIAL:
    case ISA_FORM_FLOAT_MOVE_OUT:
    case ISA_FORM_FLOAT_MOVE_IN: return snprintf(text, bytes, "%s %s, %s", o->name, o->rd, o->rs1);
    default: return snprintf(text, bytes, "%s %s, %s%s", o->name, o->rd, o->rs1, mode);
    }
}

static int print_system(const isa_instruction *instruction, enum isa_form form, const operands *o, char *text,
                        size_t bytes)
{
    switch (form) {
    case ISA_FORM_CSR: return snprintf(text, bytes, "%s %s, 0x%x, %s", o->name, o->rd, o->immediate, o->rs1);
    case ISA_FORM_CSR_IMMEDIATE:
        return snprintf(text, bytes, "%s %s, 0x%x, %u", o->name, o->rd, o->immediate, instruction->rs1);
    case ISA_FORM_LOAD_RESERVED:
        return snprintf(text, bytes, "%s%s %s, (%s)", o->name, ordering(instruction), o->rd, o->rs1);
    default: return snprintf(text, bytes, "%s%s %s, %s, (%s)", o->name, ordering(instruction), o->rd, o->rs2, o->rs1);
    }
}

static int print_integer(enum isa_form form, uint32_t pc, const operands *o, char *text, size_t bytes)
{
    uint32_t target = pc + (uint32_t)o->immediate;
    switch (form) {
    case ISA_FORM_NONE: return snprintf(text, bytes, "%s", o->name);
    case ISA_FORM_TEXT: return snprintf(text, bytes, "%s %s", o->name, o->rs1);
    case ISA_FORM_PRINT:
    case ISA_FORM_NUMBER: return snprintf(text, bytes, "%s %d", o->name, o->immediate);
    case ISA_FORM_R: return snprintf(text, bytes, "%s %s, %s, %s", o->name, o->rd, o->rs1, o->rs2);
    case ISA_FORM_I:
    case ISA_FORM_SHIFT: return snprintf(text, bytes, "%s %s, %s, %d", o->name, o->rd, o->rs1, o->immediate);
    case ISA_FORM_U: return snprintf(text, bytes, "%s %s, 0x%x", o->name, o->rd, (uint32_t)o->immediate >> 12);
    case ISA_FORM_J: return snprintf(text, bytes, "%s %s, 0x%08x", o->name, o->rd, target);
    case ISA_FORM_B: return snprintf(text, bytes, "%s %s, %s, 0x%08x", o->name, o->rs1, o->rs2, target);
    case ISA_FORM_STORE: return snprintf(text, bytes, "%s %s, %d(%s)", o->name, o->rs2, o->immediate, o->rs1);
    case ISA_FORM_VOTE: return snprintf(text, bytes, "%s %s, %s", o->name, o->rd, o->rs1);
    default: return snprintf(text, bytes, "%s %s, %d(%s)", o->name, o->rd, o->immediate, o->rs1);
    }
}

int isa_disassemble(const isa_instruction *instruction, uint32_t pc, char *text, size_t bytes)
{
    if (instruction->operation >= ISA_OP_ILLEGAL)
        return snprintf(text, bytes, "illegal 0x%08x", instruction->word);
    enum isa_form form = (enum isa_form)isa_encodings[instruction->operation].form;
    const operands o = {
        .name = isa_mnemonic(instruction->operation),
        .rd = isa_register_name(instruction->rd),
        .rs1 = isa_register_name(instruction->rs1),
        .rs2 = isa_register_name(instruction->rs2),
        .rs3 = isa_register_name(instruction->rs3),
        .immediate = instruction->immediate,
    };
    if (form == ISA_FORM_FENCE)
        return print_fence(instruction, text, bytes);
    if (form < ISA_FORM_CSR)
        return print_integer(form, pc, &o, text, bytes);
    if (form < ISA_FORM_LOAD_FLOAT)
        return print_system(instruction, form, &o, text, bytes);
    return print_float(instruction, form, &o, text, bytes);
}
