/* SPDX-License-Identifier: MIT */
#include "sequence.h"

#include <string.h>

#include "decode.h"

static uint64_t next(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint32_t below(uint64_t *random, uint32_t bound)
{
    return (uint32_t)(next(random) % bound);
}

static uint64_t value(uint64_t *random)
{
    static const uint64_t corners[] = {0,
                                       1,
                                       UINT64_MAX,
                                       UINT64_C(1) << 63,
                                       (UINT64_C(1) << 63) - 1,
                                       UINT64_C(1) << 31,
                                       (UINT64_C(1) << 31) - 1,
                                       UINT64_C(0xFFFFFFFF80000000),
                                       UINT64_C(0xFFFFFFFF),
                                       UINT64_C(1) << 32,
                                       63,
                                       64};
    switch (below(random, 4)) {
    case 0: return corners[below(random, sizeof corners / sizeof *corners)];
    case 1: return (uint64_t)(int64_t)(int32_t)next(random);
    case 2: return next(random) >> below(random, 64);
    default: return next(random);
    }
}

static uint32_t is_exempt_half(uint32_t half)
{
    const uint32_t is_float = (half & 1) == 0 && (half >> 13 & 3) == 1;
    const uint32_t is_reserved = ((half & 3) == 0 && half >> 13 == 4) || (half & 0xFC43) == 0x9C41;
    return is_float || is_reserved;
}

static uint32_t is_harmless_csr(uint32_t number)
{
    return number == 0x340 || number == 0x342 || number == 0x343; /* mscratch, mcause, mtval */
}

/* Opcodes of floats and of the system. */
static uint32_t is_exempt_opcode(uint32_t opcode)
{
    static const uint8_t opcodes[] = {0x07, 0x27, 0x43, 0x47, 0x4B, 0x4F, 0x53, 0x73};
    return memchr(opcodes, (int)opcode, sizeof opcodes) != NULL;
}

uint32_t is_exempt(uint32_t word)
{
    const isa_instruction instruction = rv64_decode(word);
    if (rv64_bytes(word) == 2)
        return is_exempt_half(word & 0xFFFF) || instruction.instruction_class == ISA_CLASS_SYSTEM;
    if (instruction.instruction_class == ISA_CLASS_CSR)
        return !is_harmless_csr((uint32_t)instruction.immediate);
    return is_exempt_opcode(word & 0x7F) ||
           (instruction.operation >= ISA_OP_AMOMIN_W && instruction.operation <= ISA_OP_AMOMAXU_W);
}

/* x8 to x11 point into the data page when a sequence begins: the compressed loads and stores reach them too. */
static uint32_t pointer(uint64_t *random)
{
    return below(random, 32) ? 8 + below(random, 4) : below(random, 32);
}

static uint32_t any_register(uint64_t *random)
{
    return below(random, 32);
}

/* A result goes to a pointer only now and then. */
static uint32_t result_register(uint64_t *random)
{
    const uint32_t number = any_register(random);
    return number >= 8 && number <= 11 && below(random, 64) ? number + 8 : number;
}

static int32_t near_offset(uint64_t *random)
{
    return 2 * ((int32_t)below(random, 24) - 8);
}

static uint32_t with_b(uint32_t word, int32_t offset)
{
    const uint32_t o = (uint32_t)offset;
    return word | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | (o >> 5 & 63) << 25 | (o >> 12 & 1) << 31;
}

static uint32_t with_j(uint32_t word, int32_t offset)
{
    const uint32_t o = (uint32_t)offset;
    return word | (o >> 12 & 255) << 12 | (o >> 11 & 1) << 20 | (o >> 1 & 1023) << 21 | (o >> 20 & 1) << 31;
}

/* mscratch, mcause, mtval: registers that do nothing. */
static uint32_t csr(uint64_t *random)
{
    static const uint32_t numbers[] = {0x340, 0x342, 0x343};
    return numbers[below(random, 3)];
}

/* A word of this row with operands that make sense. */
static uint32_t long_word(uint64_t *random, const isa_encoding *row)
{
    const uint32_t rd = result_register(random) << 7, rs1 = any_register(random) << 15;
    const uint32_t rs2 = any_register(random) << 20, base = pointer(random) << 15;
    const uint32_t offset =
        (uint32_t)(below(random, 2) ? (int32_t)below(random, 512) * 8 - 2048 : (int32_t)below(random, 4096) - 2048);
    switch (row->form) {
    case ISA_FORM_LOAD: return row->match | rd | base | offset << 20;
    case ISA_FORM_STORE: return row->match | base | rs2 | (offset & 31) << 7 | (offset >> 5 & 127) << 25;
    case ISA_FORM_B: return with_b(row->match | rs1 | rs2, near_offset(random));
    case ISA_FORM_J: return with_j(row->match | rd, near_offset(random));
    case ISA_FORM_CSR:
    case ISA_FORM_CSR_IMMEDIATE: return row->match | rd | rs1 | csr(random) << 20;
    case ISA_FORM_AMO:
    case ISA_FORM_LOAD_RESERVED: return row->match | rd | base | ((uint32_t)next(random) & ~row->mask & 0x07F00000);
    default: return row->match | ((uint32_t)next(random) & ~row->mask & ~UINT32_C(0xF80)) | (rd & ~row->mask);
    }
}

static const isa_encoding *rows(uint32_t *count)
{
    static const isa_encoding table[] = {
#define ISA_OPERATION(name, text, class, operands, match_bits, mask_bits, access)                                      \
    {text, match_bits, mask_bits, ISA_CLASS_##class, ISA_FORM_##operands, access},
#include "isa_operations.def"
#include "rv64_operations.def"
#undef ISA_OPERATION
    };
    *count = sizeof table / sizeof *table;
    return table;
}

/* What the hart does not have is drawn now and then, to be refused by both. The shifts of RV32 are drawn as those of RV64; an
 * sc comes behind its lr. */
static uint32_t is_drawn(const isa_encoding *row, uint64_t *random)
{
    const isa_instruction instruction = rv64_decode(row->match);
    if (row->instruction_class == ISA_CLASS_CSR)
        return 1;
    if (is_exempt(row->match) || strncmp(row->mnemonic, "sc.", 3) == 0)
        return 0;
    return instruction.operation != ISA_OP_ILLEGAL || below(random, 300) == 0;
}

static uint32_t draw(uint64_t *random, uint32_t *word)
{
    uint32_t count;
    const isa_encoding *table = rows(&count), *row;
    if (below(random, 3) == 0) {
        *word = (uint16_t)next(random);
        while (rv64_bytes(*word) == 4 || is_exempt(*word) || (rv64_expand((uint16_t)*word) == 0 && below(random, 300)))
            *word = (uint16_t)next(random);
        return 2;
    }
    do
        row = &table[below(random, count)];
    while (!is_drawn(row, random));
    *word = long_word(random, row);
    return 4;
}

static void put(sequence *s, uint32_t word, uint32_t bytes)
{
    memcpy(s->ram + s->bytes, &word, bytes);
    s->bytes += bytes;
}

static void put_instruction(sequence *s, uint64_t *random)
{
    uint32_t word;
    const uint32_t bytes = draw(random, &word);
    const isa_instruction instruction = rv64_decode(word);
    put(s, word, bytes);
    if (instruction.operation == ISA_OP_LR_W || instruction.operation == RV64_OP_LR_D)
        put(s, (word & ~UINT32_C(0xF9F00F80)) | 0x18000000 | result_register(random) << 7 | any_register(random) << 20,
            4);
}

void sequence_make(sequence *s, uint64_t seed)
{
    uint64_t random = seed * UINT64_C(0xD1342543DE82EF95) + 1;
    memset(s, 0, sizeof *s);
    s->seed = seed;
    for (uint32_t i = 1; i < 32; i++)
        s->registers[i] = value(&random);
    for (uint32_t i = 8; i < 12; i++)
        s->registers[i] = DATA_PAGE + 8 * (uint64_t)below(&random, PAGE_BYTES / 8);
    s->registers[2] = DATA_PAGE + 1024;
    for (uint32_t i = 0; i < PAGE_BYTES; i += 8) {
        const uint64_t data = value(&random);
        memcpy(s->ram + PAGE_BYTES + i, &data, 8);
    }
    const uint32_t count = 1 + below(&random, 32);
    for (uint32_t i = 0; i < count; i++)
        put_instruction(s, &random);
}
