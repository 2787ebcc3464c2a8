/* SPDX-License-Identifier: MIT */
#include "sequence.h"

#include "assemble.h"

#include <string.h>

#define POINTERS 4u
#define JUMPERS 2u
#define FAVOURITES 6u

/* What the registers of a sequence are for. */
typedef struct roles {
    uint32_t
        pointer[POINTERS]; /* x registers that lead to the data page, less an immediate each; that of the first is 0 */
    int32_t pointer_bias[POINTERS];
    uint32_t jumper[JUMPERS];       /* x registers that lead to the sequence, less an immediate each */
    int32_t jumper_bias[JUMPERS];   /* even and odd: bit 0 of a target is dropped */
    uint32_t favourite[FAVOURITES]; /* the operands of most instructions, so that results are used */
    uint32_t reserved;              /* pointers and jumpers, as a set */
} roles;

int operation_is_exempt(uint32_t operation)
{
    switch (operation) {
    case ISA_OP_LR_W: /* its reservation is the platform's: docs/isa.md */
    case ISA_OP_SC_W:
    case ISA_OP_AMOCAS_W:
    case ISA_OP_ECALL:
    case ISA_OP_EBREAK: return 1;
    default: return operation >= ISA_OP_TX_BEGIN; /* Xheddle */
    }
}

static uint32_t unreserved(const roles *r, uint64_t *random)
{
    for (;;) {
        uint32_t number = random_below(random, 32);
        if (number && !(r->reserved >> number & 1))
            return number;
    }
}

static uint32_t reserve(roles *r, uint64_t *random)
{
    uint32_t number = unreserved(r, random);
    r->reserved |= UINT32_C(1) << number;
    return number;
}

static int32_t random_immediate(uint64_t *random)
{
    return (int32_t)random_below(random, 4096) - 2048;
}

static void choose_roles(roles *r, uint64_t *random)
{
    memset(r, 0, sizeof *r);
    for (uint32_t i = 0; i < POINTERS; i++) {
        r->pointer[i] = reserve(r, random);
        r->pointer_bias[i] = i ? random_immediate(random) : 0;
    }
    for (uint32_t i = 0; i < JUMPERS; i++) {
        r->jumper[i] = reserve(r, random);
        r->jumper_bias[i] = (random_immediate(random) & ~3) + (int32_t)i;
    }
    for (uint32_t i = 0; i < FAVOURITES; i++)
        r->favourite[i] = random_below(random, 32);
}

static uint32_t source(const roles *r, uint64_t *random)
{
    return random_below(random, 4) ? r->favourite[random_below(random, FAVOURITES)] : random_below(random, 32);
}

static uint32_t destination(const roles *r, uint64_t *random)
{
    uint32_t number = source(r, random);
    if (!(r->reserved >> number & 1))
        return number;
    return random_below(random, 16) ? unreserved(r, random) : 0;
}

static uint32_t random_rounding(uint64_t *random)
{
    if (random_below(random, 2))
        return ISA_ROUND_DYNAMIC;
    return random_below(random, random_below(random, 32) ? 5 : 7); /* 5 and 6 are reserved */
}

/* A distance in bytes from instruction i: mostly to one of the sequence, sometimes anywhere. */
static int32_t random_distance(const sequence *s, uint32_t i, uint32_t range, uint64_t *random)
{
    int32_t near = 4 * ((int32_t)random_below(random, s->count + 1) - (int32_t)i);
    int32_t far = 2 * (int32_t)random_below(random, range) - (int32_t)range;
    if (random_below(random, 12))
        return near;
    return far > -(int32_t)PAGE_BYTES && far < (int32_t)PAGE_BYTES ? far & ~3 : far;
}

static void address_fields(const roles *r, uint32_t which, uint64_t *random, word_fields *fields)
{
    uint32_t alignment = random_below(random, 2) ? 4 : 1;
    int32_t nudge = (int32_t)(random_below(random, 64) / alignment * alignment);
    int32_t immediate = r->pointer_bias[which] + nudge;
    fields->rs1 = r->pointer[which];
    fields->immediate = immediate > 2047 ? 2047 : immediate;
    if (!random_below(random, 32))
        fields->rd = fields->rs1;
}

static void jump_register_fields(const roles *r, uint64_t *random, word_fields *fields)
{
    uint32_t which = random_below(random, JUMPERS);
    fields->rs1 = r->jumper[which];
    fields->immediate = r->jumper_bias[which];
    if (!random_below(random, 8))
        fields->rd = fields->rs1;
}

static word_fields choose_fields(const sequence *s, const roles *r, uint32_t i, enum isa_form form, uint64_t *random)
{
    word_fields fields = {.rd = destination(r, random)};
    fields.rs1 = source(r, random);
    fields.rs2 = source(r, random);
    fields.rs3 = source(r, random);
    fields.immediate = random_immediate(random);
    fields.rounding = random_rounding(random);
    switch (form) {
    case ISA_FORM_U: fields.immediate = (int32_t)random_below(random, 1 << 20); break;
    case ISA_FORM_J: fields.immediate = random_distance(s, i, 1 << 20, random); break;
    case ISA_FORM_B: fields.immediate = random_distance(s, i, 1 << 12, random); break;
    case ISA_FORM_JALR: jump_register_fields(r, random, &fields); break;
    case ISA_FORM_LOAD:
    case ISA_FORM_STORE:
    case ISA_FORM_LOAD_FLOAT:
    case ISA_FORM_STORE_FLOAT: address_fields(r, random_below(random, POINTERS), random, &fields); break;
    case ISA_FORM_AMO:
        address_fields(r, 0, random, &fields);
        fields.immediate = (int32_t)random_below(random, 4);
        break;
    case ISA_FORM_CSR:
    case ISA_FORM_CSR_IMMEDIATE: fields.immediate = 1 + (int32_t)random_below(random, 3); break;
    default: break;
    }
    return fields;
}

static enum isa_operation choose_operation(uint64_t *random)
{
    uint32_t only_float = !random_below(random, 3);
    for (;;) {
        uint32_t operation = random_below(random, ISA_OP_ILLEGAL);
        uint32_t form = isa_encodings[operation].form;
        if (!operation_is_exempt(operation) && (!only_float || form >= ISA_FORM_FLOAT_FUSED))
            return (enum isa_operation)operation;
    }
}

static uint64_t first_lanes(uint32_t count)
{
    return count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

static uint64_t random_mask(uint32_t lanes, uint64_t *random)
{
    uint64_t all = first_lanes(lanes);
    switch (random_below(random, 8)) {
    case 0:
    case 1: return all;
    case 2: return UINT64_C(1) << random_below(random, lanes);
    case 3: return next_random(random) & next_random(random) & all;
    case 4: return (next_random(random) | next_random(random)) & all;
    case 5: return first_lanes(lanes / 2);
    case 6: return all & ~first_lanes(random_below(random, lanes));
    default: return next_random(random) & all;
    }
}

static void choose_lanes(sequence *s, uint64_t *random)
{
    static const uint32_t usual[] = {32, 32, 64};
    uint32_t choice = random_below(random, 6);
    s->lanes = choice < COUNT_OF(usual) ? usual[choice] : 1 + random_below(random, ISA_MAX_LANES);
    s->mask = random_mask(s->lanes, random);
}

/* In the middle of the data page. */
static uint32_t pointer_value(const roles *r, uint32_t which, uint64_t *random)
{
    return DATA_PAGE + PAGE_BYTES / 2 + 4 * random_below(random, 64) - (uint32_t)r->pointer_bias[which];
}

static uint32_t jumper_value(const sequence *s, const roles *r, uint32_t which, uint64_t *random)
{
    uint32_t target = sequence_start(s) + 4 * random_below(random, s->count + 1);
    return target - (uint32_t)r->jumper_bias[which] + random_below(random, 2);
}

/* Equal operands, and the quotient that overflows. */
static void relate_integers(const roles *r, uint64_t *random, uint32_t *registers, uint32_t stride)
{
    uint32_t a = r->favourite[random_below(random, FAVOURITES)], b = r->favourite[random_below(random, FAVOURITES)];
    uint32_t kind = random_below(random, 16);
    if (a == 0 || b == 0 || kind > 3)
        return;
    registers[a * stride] = kind ? registers[b * stride] : UINT32_C(0x80000000);
    if (kind == 0)
        registers[b * stride] = UINT32_MAX;
}

static void fill_lane(sequence *s, const roles *r, uint32_t lane, uint64_t *random)
{
    uint32_t *registers = s->registers + lane;
    for (uint32_t number = 1; number < 32; number++)
        registers[number * s->lanes] = random_integer(random);
    for (uint32_t number = 32; number < ISA_REGISTER_COUNT; number++)
        registers[number * s->lanes] = random_float(random);
    relate_floats(random, registers + (size_t)32 * s->lanes, s->lanes);
    relate_integers(r, random, registers, s->lanes);
    for (uint32_t i = 0; i < POINTERS; i++)
        registers[r->pointer[i] * s->lanes] = pointer_value(r, i, random);
    for (uint32_t i = 0; i < JUMPERS; i++)
        registers[r->jumper[i] * s->lanes] = jumper_value(s, r, i, random);
    uint32_t frm = random_below(random, random_below(random, 32) ? 5 : 8);
    uint32_t flags = random_below(random, 2) ? 0 : random_below(random, 32);
    s->fcsr[lane] = (uint8_t)(frm << 5 | flags);
}

/* Integers and floats by turns, so that either kind of load finds its own mostly. */
static void fill_memory(sequence *s, uint64_t *random)
{
    for (uint32_t i = 0; i < PAGE_BYTES / 4; i++)
        s->memory[i] = i & 1 ? random_float(random) : random_integer(random);
}

void sequence_make(sequence *s, uint64_t seed)
{
    uint64_t random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    roles r;
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 8; i++)
        next_random(&random);
    s->seed = seed;
    choose_lanes(s, &random);
    s->count = 1 + random_below(&random, MAX_INSTRUCTIONS);
    choose_roles(&r, &random);
    for (uint32_t i = 0; i < s->count; i++) {
        enum isa_operation operation = choose_operation(&random);
        s->words[i] = encode(operation, choose_fields(s, &r, i, (enum isa_form)isa_encodings[operation].form, &random));
    }
    for (uint32_t lane = 0; lane < s->lanes; lane++)
        fill_lane(s, &r, lane, &random);
    fill_memory(s, &random);
}
