/* SPDX-License-Identifier: MIT */
/*
 * Operations that random sequences leave out, each with vectors from the manual (amocas.w of Zacas, lr.w, sc.w, ecall,
 * ebreak) or from docs/isa.md (Xheddle); test_coverage.c has those of fmin.s, fmax.s and the fused ones.
 */
#include "assemble.h"
#include "hd_message.h"
#include "sequence.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define RD 5
#define RS1 6
#define RS2 7

/* ---- Memory ------------------------------------------------------------------------------------------------------- */

/* What the word becomes and what rd gets. rd before is what amocas.w compares with. */
typedef struct memory_vector {
    uint32_t operation;
    uint32_t word, rd, rs2;
    uint32_t word_after, rd_after;
} memory_vector;

static const memory_vector memory_vectors[] = {
    {ISA_OP_AMOCAS_W, 7, 7, 9, 9, 7}, /* equal: written */
    {ISA_OP_AMOCAS_W, 7, 8, 9, 7, 7}, /* not equal: as it was, and rd says what it is */
    {ISA_OP_AMOCAS_W, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0},
    {ISA_OP_AMOCAS_W, 0x80000000, 0x80000000, 0, 0, 0x80000000}, /* no sign, no carry: all bits count */
    {ISA_OP_AMOCAS_W, 0x80000000, 0, 1, 0x80000000, 0x80000000},
    {ISA_OP_AMOCAS_W, 0x00010000, 0, 1, 0x00010000, 0x00010000},
    {ISA_OP_LR_W, 0x80000001, 3, 0, 0x80000001, 0x80000001}, /* only reads; its version is the memory's */
    {ISA_OP_LW_CG, 0xFFFFFFFE, 3, 0, 0xFFFFFFFE, 0xFFFFFFFE},
    {ISA_OP_LW_NC, 0xFFFFFFFE, 3, 0, 0xFFFFFFFE, 0xFFFFFFFE},
    {ISA_OP_FLW_NC, 0x7F800001, 3, 0, 0x7F800001, 0x7F800001}, /* a signaling NaN stays one */
};

Test(isa_exempt, memory_operations_give_what_the_manual_says)
{
    for (uint32_t i = 0; i < COUNT_OF(memory_vectors); i++) {
        const memory_vector *v = &memory_vectors[i];
        isa_instruction instruction =
            isa_decode(encode((enum isa_operation)v->operation,
                              (word_fields){.rd = RD, .rs1 = RS1, .rs2 = v->operation == ISA_OP_AMOCAS_W ? RS2 : 0}));
        uint32_t after = instruction.instruction_class == ISA_CLASS_ATOMIC
                             ? hd_atomic_apply(isa_atomic_operation(&instruction), v->word, v->rs2, v->rd)
                             : v->word;
        cr_expect_eq(after, v->word_after, "vector %u leaves %08x", i, after);
        cr_expect_eq(isa_load_value(&instruction, v->word), v->rd_after, "vector %u", i);
        cr_expect_eq(instruction.access_bytes, 4);
    }
}

Test(isa_exempt, compare_and_swap_reads_what_it_compares_with)
{
    isa_instruction swap = isa_decode(WORD(AMOCAS_W, .rd = RD, .rs1 = RS1, .rs2 = RS2));
    isa_instruction zero = isa_decode(WORD(AMOCAS_W, .rd = 0, .rs1 = RS1, .rs2 = RS2));
    cr_expect_eq(swap.reads, 1u << RD | 1u << RS1 | 1u << RS2);
    cr_expect_eq(swap.writes, 1u << RD);
    cr_expect_eq(zero.reads, 1u << RS1 | 1u << RS2, "x0 compares with zero");
    cr_expect_eq(zero.writes, 0);
}

Test(isa_exempt, reservations_order_as_they_say)
{
    static const uint8_t flags[] = {0, ISA_FLAG_RELEASE, ISA_FLAG_ACQUIRE, ISA_FLAG_ACQUIRE | ISA_FLAG_RELEASE};
    for (uint32_t bits = 0; bits < 4; bits++) {
        isa_instruction load = isa_decode(WORD(LR_W, .rd = RD, .rs1 = RS1) | bits << 25);
        isa_instruction store = isa_decode(WORD(SC_W, .rd = RD, .rs1 = RS1, .rs2 = RS2) | bits << 25);
        cr_expect(load.operation == ISA_OP_LR_W && load.flags == flags[bits], "lr.w with %u", bits);
        cr_expect(store.operation == ISA_OP_SC_W && store.flags == flags[bits], "sc.w with %u", bits);
        cr_expect_eq(isa_atomic_operation(&load), HD_ATOMIC_LOAD_RESERVED);
        cr_expect_eq(isa_atomic_operation(&store), HD_ATOMIC_STORE_CONDITIONAL);
        cr_expect_eq(store.reads, 1u << RS1 | 1u << RS2);
        cr_expect_eq(store.writes, 1u << RD);
    }
    cr_expect_eq(isa_decode(WORD(LR_W, .rd = RD, .rs1 = RS1) | 1u << 20).operation, ISA_OP_ILLEGAL);
}

/* ---- Between lanes ------------------------------------------------------------------------------------------------ */

#define LANES 4u
#define KEPT 0x77777777u /* rd before */

typedef struct lane_vector {
    uint32_t operation;
    uint32_t mask;
    uint32_t a[LANES], b[LANES]; /* rs1, rs2 */
    uint32_t result[LANES];
} lane_vector;

static const lane_vector lane_vectors[] = {
    {ISA_OP_VOTE_ANY, 15, {0, 0, 2, 0}, {0}, {1, 1, 1, 1}},
    {ISA_OP_VOTE_ANY, 11, {0, 0, 2, 0}, {0}, {0, 0, KEPT, 0}},
    {ISA_OP_VOTE_ALL, 15, {1, 2, 3, 0}, {0}, {0, 0, 0, 0}},
    {ISA_OP_VOTE_ALL, 7, {1, 0x80000000, 3, 0}, {0}, {1, 1, 1, KEPT}},
    {ISA_OP_VOTE_BALLOT_LO, 14, {9, 0, 9, 9}, {0}, {KEPT, 12, 12, 12}},
    {ISA_OP_VOTE_BALLOT_HI, 15, {9, 9, 9, 9}, {0}, {0, 0, 0, 0}},
    {ISA_OP_SHFL_IDX, 15, {10, 11, 12, 13}, {3, 0, 4, 0xFFFFFFFF}, {13, 10, 12, 13}},
    {ISA_OP_SHFL_IDX, 13, {10, 11, 12, 13}, {1, 0, 0, 2}, {10, KEPT, 10, 12}},
    {ISA_OP_SHFL_UP, 15, {10, 11, 12, 13}, {1, 1, 2, 0}, {10, 10, 10, 13}},
    {ISA_OP_SHFL_DOWN, 15, {10, 11, 12, 13}, {1, 2, 2, 1}, {11, 13, 12, 13}},
    {ISA_OP_SHFL_XOR, 7, {10, 11, 12, 13}, {1, 1, 1, 1}, {11, 10, 12, KEPT}},
};

Test(isa_exempt, lanes_exchange_what_the_document_says)
{
    for (uint32_t i = 0; i < COUNT_OF(lane_vectors); i++) {
        const lane_vector *v = &lane_vectors[i];
        warp w;
        warp_init(&w, LANES);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            *warp_register(&w, RD, lane) = KEPT;
            *warp_register(&w, RS1, lane) = v->a[lane];
            *warp_register(&w, RS2, lane) = v->b[lane];
        }
        isa_instruction instruction =
            isa_decode(encode((enum isa_operation)v->operation, (word_fields){.rd = RD, .rs1 = RS1, .rs2 = RS2}));
        isa_cross_lane(&instruction, &w.lanes, v->mask);
        for (uint32_t lane = 0; lane < LANES; lane++)
            cr_expect_eq(*warp_register(&w, RD, lane), v->result[lane], "vector %u gives %x in lane %u", i,
                         *warp_register(&w, RD, lane), lane);
    }
}

/* ---- Special functions -------------------------------------------------------------------------------------------- */

typedef struct special_vector {
    uint32_t operation, a, result;
} special_vector;

static const special_vector special_vectors[] = {
    {ISA_OP_SF_RCP, 0xC0800000, 0xBE800000},                                             /* 1 / -4 */
    {ISA_OP_SF_SQRT, 0x41100000, 0x40400000},                                            /* of 9 */
    {ISA_OP_SF_RSQRT, 0x41800000, 0x3E800000},                                           /* of 16 */
    {ISA_OP_SF_SIN, 0x80000000, 0x80000000},                                             /* of -0 */
    {ISA_OP_SF_COS, 0x00000000, 0x3F800000},   {ISA_OP_SF_EXP2, 0xC0400000, 0x3E000000}, /* of -3 */
    {ISA_OP_SF_LOG2, 0x3E000000, 0xC0400000},                                            /* of 1/8 */
};

Test(isa_exempt, special_functions_are_exact_where_their_values_are)
{
    for (uint32_t i = 0; i < COUNT_OF(special_vectors); i++) {
        const special_vector *v = &special_vectors[i];
        warp w;
        warp_init(&w, LANES);
        warp_set(&w, 32 + RS1, v->a);
        isa_instruction instruction =
            isa_decode(encode((enum isa_operation)v->operation, (word_fields){.rd = RD, .rs1 = RS1}));
        cr_expect_eq(isa_execute(&instruction, TEXT, &w.lanes, 1), 0);
        cr_expect_eq(*warp_register(&w, 32 + RD, 0), v->result, "%s", isa_mnemonic(v->operation));
    }
}

/* ---- For the core ------------------------------------------------------------------------------------------------- */

/* Operations whose effect is the core's; executed here they change nothing. What they read and write is all there is. */
typedef struct core_vector {
    uint32_t operation;
    uint32_t instruction_class;
    int32_t immediate;
    uint64_t reads, writes;
} core_vector;

static const core_vector core_vectors[] = {
    {ISA_OP_ECALL, ISA_CLASS_SYSTEM, 0, 0, 0},
    {ISA_OP_EBREAK, ISA_CLASS_SYSTEM, 0, 0, 0},
    {ISA_OP_SC_W, ISA_CLASS_ATOMIC, 0, 1 << RS1 | 1 << RS2, 1 << RD},
    {ISA_OP_TX_BEGIN, ISA_CLASS_TRANSACTION, 1, 0, 0},
    {ISA_OP_TX_COMMIT, ISA_CLASS_TRANSACTION, 0, 0, 0},
    {ISA_OP_TX_ABORT, ISA_CLASS_TRANSACTION, 0x7FF, 0, 0},
    {ISA_OP_BAR_SYNC, ISA_CLASS_BARRIER, 3, 0, 0},
    {ISA_OP_WARP_SYNC, ISA_CLASS_WARP_SYNC, 0, 0, 0},
    {ISA_OP_SPIN_HINT, ISA_CLASS_HINT, 0, 0, 0},
    {ISA_OP_PIN_VL, ISA_CLASS_HINT, 0, 0, 0},
    {ISA_OP_UNPIN_VL, ISA_CLASS_HINT, 0, 0, 0},
    {ISA_OP_TRACE_MARK, ISA_CLASS_HINT, 0x2AA, 0, 0},
    {ISA_OP_PRINT, ISA_CLASS_PRINT, 2, 1 << 10 | 1 << 11 | 1 << 12, 0},
    {ISA_OP_ASSERT_FAIL, ISA_CLASS_SYSTEM, 0, 1 << 10, 0},
};

Test(isa_exempt, what_the_core_does_changes_no_register_here)
{
    static warp w, before;
    warp_init(&before, 32);
    for (uint32_t i = 0; i < COUNT_OF(core_vectors); i++) {
        const core_vector *v = &core_vectors[i];
        word_fields fields = {.immediate = v->immediate};
        if (v->writes)
            fields = (word_fields){.rd = RD, .rs1 = RS1, .rs2 = RS2};
        isa_instruction instruction = isa_decode(encode((enum isa_operation)v->operation, fields));
        cr_expect_eq(instruction.operation, v->operation, "vector %u is %s", i, isa_mnemonic(instruction.operation));
        cr_expect_eq(instruction.instruction_class, v->instruction_class, "vector %u", i);
        cr_expect_eq(instruction.immediate, v->immediate, "vector %u", i);
        cr_expect(instruction.reads == v->reads && instruction.writes == v->writes, "vector %u", i);
        w = before;
        w.lanes.registers = w.registers;
        w.lanes.fcsr = w.fcsr;
        cr_expect_eq(isa_execute(&instruction, TEXT, &w.lanes, UINT32_MAX), 0, "vector %u", i);
        cr_expect(!memcmp(w.registers, before.registers, sizeof w.registers) &&
                      !memcmp(w.fcsr, before.fcsr, sizeof w.fcsr),
                  "vector %u changes a register", i);
    }
}

/* ---- All ---------------------------------------------------------------------------------------------------------- */

static uint32_t vectors_of(uint32_t operation)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT_OF(memory_vectors); i++)
        count += memory_vectors[i].operation == operation;
    for (uint32_t i = 0; i < COUNT_OF(lane_vectors); i++)
        count += lane_vectors[i].operation == operation;
    for (uint32_t i = 0; i < COUNT_OF(special_vectors); i++)
        count += special_vectors[i].operation == operation;
    for (uint32_t i = 0; i < COUNT_OF(core_vectors); i++)
        count += core_vectors[i].operation == operation;
    return count;
}

/* Those that are not exempt are executed by random sequences: test_coverage.c counts them. */
Test(isa_exempt, every_row_of_the_table_is_in_random_sequences_or_has_a_vector_and_no_row_is_in_both)
{
    uint32_t random = 0, directed = 0;
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++) {
        uint32_t vectors = vectors_of(operation);
        cr_expect(operation_is_exempt(operation) == (vectors > 0), "%s has %u vectors", isa_mnemonic(operation),
                  vectors);
        directed += vectors > 0;
        random += !operation_is_exempt(operation);
    }
    cr_expect_eq(random + directed, ISA_OP_ILLEGAL);
    printf("%u rows: %u in random sequences, %u with vectors\n", (uint32_t)ISA_OP_ILLEGAL, random, directed);
}
