/* SPDX-License-Identifier: MIT */
/*
 * Which words are instructions: random ones, and instructions with some bits flipped.
 *
 * Not compared, because the two sides differ on purpose: compressed words, which only the oracle has, as it has the D
 * extension, fence.i and privileged instructions; CSRs that are not those of floats, whose decoding succeeds here; and
 * amocas.w and Xheddle, which only models/isa has.
 */
#include "assemble.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define WORDS 100000u

#define OPCODE(word) ((word)&0x7F)
#define FUNCT3(word) ((word) >> 12 & 7)
#define OPCODE_LOAD_FLOAT 0x07u
#define OPCODE_FENCE 0x0Fu
#define OPCODE_STORE_FLOAT 0x27u
#define OPCODE_SYSTEM 0x73u

static int is_double(uint32_t word)
{
    switch (OPCODE(word)) {
    case OPCODE_LOAD_FLOAT:
    case OPCODE_STORE_FLOAT: return FUNCT3(word) == 3;
    case 0x43: /* fmadd */
    case 0x47:
    case 0x4B:
    case 0x4F: return (word >> 25 & 3) == 1;
    case 0x53: return (word >> 25 & 3) == 1 || word >> 20 == 0x401; /* fcvt.s.d */
    default: return 0;
    }
}

static int is_compared(uint32_t word, uint32_t operation)
{
    int is_known_to_both = operation == ISA_OP_ILLEGAL || (operation != ISA_OP_AMOCAS_W && operation < ISA_OP_TX_BEGIN);
    int is_fence_i = OPCODE(word) == OPCODE_FENCE && FUNCT3(word) == 1;
    return is_known_to_both && (word & 3) == 3 && OPCODE(word) != OPCODE_SYSTEM && !is_fence_i && !is_double(word);
}

static uint32_t random_instruction(uint64_t *random)
{
    const isa_encoding *encoding = &isa_encodings[random_below(random, ISA_OP_ILLEGAL)];
    return ((uint32_t)(next_random(random) >> 32) & ~encoding->mask) | encoding->match;
}

/* Any operands of an opcode, or an instruction with up to three bits flipped. */
static uint32_t random_word(uint64_t *random)
{
    uint32_t word = random_instruction(random);
    if (random_below(random, 2))
        return (word & 0x7F) | (uint32_t)(next_random(random) >> 32 & ~UINT32_C(0x7F));
    for (uint32_t flips = random_below(random, 4); flips > 0; flips--)
        word ^= UINT32_C(1) << random_below(random, 32);
    return word;
}

Test(isa_oracle, words_are_instructions_where_the_oracle_says_so)
{
    const uint64_t seed = 31;
    uint64_t random = seed;
    uint32_t legal = 0, illegal = 0;
    oracle *o = oracle_create();
    cr_assert(o);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = random_word(&random);
        isa_instruction instruction = isa_decode(word);
        if (!is_compared(word, instruction.operation))
            continue;
        int expected = oracle_accepts(o, word);
        cr_assert_eq(instruction.operation != ISA_OP_ILLEGAL, expected, "word %08x, taken for %s, is %s, seed %lu",
                     word, isa_mnemonic(instruction.operation), expected ? "legal" : "illegal", (unsigned long)seed);
        legal += (uint32_t)expected;
        illegal += (uint32_t)!expected;
    }
    oracle_destroy(o);
    printf("%u legal and %u illegal words agree\n", legal, illegal);
    cr_expect(legal > WORDS / 4 && illegal > WORDS / 4);
}
