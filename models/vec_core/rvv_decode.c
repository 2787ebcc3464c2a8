/* SPDX-License-Identifier: MIT */
#include "rvv.h"

enum { FORM_ONE = 0, FORM_V = 1, FORM_X = 2, FORM_I = 4, FORM_VX = 3, FORM_XI = 6, FORM_VXI = 7 };

typedef struct row {
    const char *mnemonic;
    uint32_t match, mask;
    uint8_t group, forms;
} row;

static const row rows[RVV_COUNT] = {
#define RVV_OPERATION(name, text, of_group, of_forms, of_match, of_mask)                                               \
    [RVV_##name] = {text, of_match, of_mask, RVV_GROUP_##of_group, FORM_##of_forms},
#include "rvv_operations.def"
#undef RVV_OPERATION
};

/* The form that funct3 says, of those whose rows leave it open. */
static uint32_t form_of(uint32_t word)
{
    switch (word >> 12 & 7) {
    case 0: return FORM_V;
    case 3: return FORM_I;
    case 4: return FORM_X;
    default: return 0;
    }
}

static uint32_t matches(const row *r, uint32_t word)
{
    return (word & r->mask) == r->match && (r->forms == FORM_ONE || (r->forms & form_of(word)));
}

static uint32_t source_of(const row *r, uint32_t word)
{
    const uint32_t funct3 = word >> 12 & 7;
    if (r->forms == FORM_ONE)
        return funct3 == 5 || funct3 == 6 ? RVV_SOURCE_SCALAR : RVV_SOURCE_VECTOR;
    return funct3 == 3 ? RVV_SOURCE_IMMEDIATE : funct3 == 4 ? RVV_SOURCE_SCALAR : RVV_SOURCE_VECTOR;
}

static int32_t immediate_of(uint32_t operation, uint32_t word)
{
    switch (operation) {
    case RVV_VSETVLI: return (int32_t)(word >> 20 & 0x7FF);
    case RVV_VSETIVLI: return (int32_t)(word >> 20 & 0x3FF);
    case RVV_VSLL:
    case RVV_VSRL:
    case RVV_VSRA: return (int32_t)(word >> 15 & 31);
    default: return (int32_t)((word >> 15 & 31) ^ 16) - 16;
    }
}

static uint32_t width_of(uint32_t word)
{
    return (word >> 12 & 7) == 6 ? 4 : 1;
}

/* Encodings that the rows do not tell apart and that are reserved: a move with a second source, a merge without a mask. */
static uint32_t is_reserved(const rvv_instruction *i)
{
    return i->operation == RVV_VMERGE && !i->masked && i->vs2 != 0;
}

rvv_instruction rvv_decode(uint32_t word)
{
    rvv_instruction i = {.operation = RVV_COUNT};
    for (uint32_t operation = 0; operation < RVV_COUNT; operation++) {
        if (!matches(&rows[operation], word))
            continue;
        const uint32_t group = rows[operation].group;
        i = (rvv_instruction){
            .operation = (uint8_t)operation,
            .group = (uint8_t)group,
            .source = (uint8_t)source_of(&rows[operation], word),
            .vd = word >> 7 & 31,
            .vs1 = word >> 15 & 31,
            .vs2 = word >> 20 & 31,
            .masked = !(word >> 25 & 1) && group != RVV_GROUP_SET,
            .immediate = immediate_of(operation, word),
        };
        if (group == RVV_GROUP_LOAD_INDEXED || group == RVV_GROUP_STORE_INDEXED)
            i.index_bytes = (uint8_t)width_of(word);
        else if (operation != RVV_VLM && operation != RVV_VSM)
            i.data_bytes = (uint8_t)width_of(word);
        if (is_reserved(&i))
            i.operation = RVV_COUNT;
        return i;
    }
    return i;
}

const char *rvv_mnemonic(uint32_t operation)
{
    return operation < RVV_COUNT ? rows[operation].mnemonic : "illegal";
}
