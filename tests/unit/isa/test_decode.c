/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "vectors.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(decode, finds_every_row_of_the_table_by_its_match)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++) {
        isa_instruction instruction = isa_decode(isa_encodings[operation].match);
        cr_expect_eq(instruction.operation, operation, "%s decodes as %s", isa_mnemonic(operation),
                     isa_mnemonic(instruction.operation));
        cr_expect_eq(instruction.instruction_class, isa_encodings[operation].instruction_class);
        cr_expect_eq(instruction.access_bytes, isa_encodings[operation].access_bytes);
    }
}

Test(decode, no_word_belongs_to_two_rows)
{
    for (uint32_t a = 0; a < ISA_OP_ILLEGAL; a++) {
        const isa_encoding *x = &isa_encodings[a];
        cr_expect_eq(x->match & ~x->mask, 0, "%s matches bits outside its mask", x->mnemonic);
        for (uint32_t b = a + 1; b < ISA_OP_ILLEGAL; b++) {
            const isa_encoding *y = &isa_encodings[b];
            cr_expect_neq(x->match & x->mask & y->mask, y->match & x->mask & y->mask, "%s and %s share words",
                          x->mnemonic, y->mnemonic);
        }
    }
}

Test(decode, reads_words_as_the_assembler_writes_them)
{
    for (uint32_t i = 0; i < word_vector_count; i++) {
        const word_vector *vector = &word_vectors[i];
        char text[64];
        isa_instruction instruction = isa_decode(vector->word);
        isa_disassemble(&instruction, TEXT, text, sizeof text);
        cr_expect_eq(instruction.operation, vector->operation, "%s", vector->text);
        cr_expect_str_eq(text, vector->text);
        cr_expect_eq(instruction.word, vector->word);
    }
}

static void check_registers(uint32_t word, uint64_t reads, uint64_t writes)
{
    char text[64];
    isa_instruction instruction = isa_decode(word);
    isa_disassemble(&instruction, TEXT, text, sizeof text);
    cr_expect_eq(instruction.reads, reads, "%s reads %016lx", text, (unsigned long)instruction.reads);
    cr_expect_eq(instruction.writes, writes, "%s writes %016lx", text, (unsigned long)instruction.writes);
}

#define X(number) (UINT64_C(1) << (number))
#define F(number) (UINT64_C(1) << ((number) + 32))

Test(decode, names_the_registers_that_are_read_and_written)
{
    check_registers(WORD(ADD, .rd = 3, .rs1 = 4, .rs2 = 31), X(4) | X(31), X(3));
    check_registers(WORD(ADD, .rd = 0, .rs1 = 0, .rs2 = 0), 0, 0);
    check_registers(WORD(SW, .rs1 = 2, .rs2 = 9), X(2) | X(9), 0);
    check_registers(WORD(FSW, .rs1 = 2, .rs2 = 9), X(2) | F(9), 0);
    check_registers(WORD(FLW, .rd = 0, .rs1 = 2), X(2), F(0));
    check_registers(WORD(FMADD_S, .rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 31), F(2) | F(3) | F(31), F(1));
    check_registers(WORD(FCVT_W_S, .rd = 1, .rs1 = 2), F(2), X(1));
    check_registers(WORD(FCVT_S_W, .rd = 1, .rs1 = 2), X(2), F(1));
    check_registers(WORD(FEQ_S, .rd = 0, .rs1 = 2, .rs2 = 3), F(2) | F(3), 0);
    check_registers(WORD(AMOCAS_W, .rd = 5, .rs1 = 6, .rs2 = 7), X(5) | X(6) | X(7), X(5));
    check_registers(WORD(LR_W, .rd = 5, .rs1 = 6), X(6), X(5));
    check_registers(WORD(CSRRWI, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_FRM), 0, X(5));
    check_registers(WORD(CSRRS, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_LANE), X(6), X(5));
    check_registers(WORD(JAL, .rd = 1), 0, X(1));
    check_registers(WORD(VOTE_ANY, .rd = 5, .rs1 = 6, .rs2 = 7), X(6), X(5));
    check_registers(WORD(SHFL_XOR, .rd = 5, .rs1 = 6, .rs2 = 7), X(6) | X(7), X(5));
    check_registers(WORD(BAR_SYNC, .immediate = 3), 0, 0);
}

Test(decode, sign_extends_every_kind_of_immediate)
{
    cr_expect_eq(isa_decode(WORD(ADDI, .immediate = -2048)).immediate, -2048);
    cr_expect_eq(isa_decode(WORD(SB, .immediate = -1)).immediate, -1);
    cr_expect_eq(isa_decode(WORD(SB, .immediate = 2047)).immediate, 2047);
    for (int32_t offset = -4096; offset < 4096; offset += 2)
        cr_expect_eq(isa_decode(BRANCH_WORD(offset)).immediate, offset);
    for (int32_t offset = -1048576; offset < 1048576; offset += 998)
        cr_expect_eq(isa_decode(JUMP_WORD(offset)).immediate, offset);
    cr_expect_eq(isa_decode(WORD(LUI, .immediate = 0x80000)).immediate, INT32_MIN);
    cr_expect_eq(isa_decode(WORD(BAR_SYNC, .immediate = 4095)).immediate, 4095);
}

Test(decode, marks_calls_and_returns_by_their_link_register)
{
    cr_expect_eq(isa_decode(WORD(JAL, .rd = 1)).flags, ISA_FLAG_CALL);
    cr_expect_eq(isa_decode(WORD(JAL, .rd = 5)).flags, ISA_FLAG_CALL);
    cr_expect_eq(isa_decode(WORD(JAL, .rd = 6)).flags, 0);
    cr_expect_eq(isa_decode(WORD(JALR, .rd = 1, .rs1 = 10)).flags, ISA_FLAG_CALL);
    cr_expect_eq(isa_decode(WORD(JALR, .rs1 = 1)).flags, ISA_FLAG_RETURN);
    cr_expect_eq(isa_decode(WORD(JALR, .rs1 = 5)).flags, ISA_FLAG_RETURN);
    cr_expect_eq(isa_decode(WORD(JALR, .rs1 = 6)).flags, 0);
}

Test(decode, marks_ordering_and_cache_bypass)
{
    cr_expect_eq(isa_decode(WORD(AMOADD_W, .rd = 1, .immediate = 2)).flags, ISA_FLAG_ACQUIRE);
    cr_expect_eq(isa_decode(WORD(AMOADD_W, .rd = 1, .immediate = 1)).flags, ISA_FLAG_RELEASE);
    cr_expect_eq(isa_decode(WORD(FENCE, .immediate = 0x32)).flags, ISA_FLAG_FENCE_R);
    cr_expect_eq(isa_decode(WORD(FENCE, .immediate = 0x31)).flags, 0);
    cr_expect_eq(isa_decode(WORD(LW_CG, .rd = 1)).flags, ISA_FLAG_LOAD_UNCACHED);
    cr_expect_eq(isa_decode(WORD(LW_NC, .rd = 1)).flags, ISA_FLAG_LOAD_READ_ONLY);
    cr_expect_eq(isa_decode(WORD(FLW_NC, .rd = 1)).flags, ISA_FLAG_LOAD_READ_ONLY);
    cr_expect_eq(isa_decode(WORD(FLW, .rd = 1)).flags, 0);
    cr_expect_eq(isa_decode(WORD(LW, .rd = 1)).flags, 0);
}

static void check_illegal(uint32_t word, const char *why)
{
    char text[64];
    isa_instruction instruction = isa_decode(word);
    cr_expect_eq(instruction.operation, ISA_OP_ILLEGAL, "%s", why);
    cr_expect_eq(instruction.instruction_class, ISA_CLASS_ILLEGAL, "%s", why);
    cr_expect_eq(instruction.writes | instruction.reads, 0, "%s", why);
    isa_disassemble(&instruction, TEXT, text, sizeof text);
    cr_expect(strncmp(text, "illegal 0x", 10) == 0, "%s", text);
}

Test(decode, refuses_words_that_encode_nothing)
{
    check_illegal(0, "zero");
    check_illegal(0xFFFFFFFF, "all ones");
    check_illegal(0x0000100F, "fence.i");
    check_illegal(0x10500073, "wfi");
    check_illegal(0x30200073, "mret");
    check_illegal(WORD(FADD_S, .rounding = 5), "reserved rounding mode");
    check_illegal(WORD(FADD_S, .rounding = 6), "reserved rounding mode");
    check_illegal(WORD(FCVT_W_S, .rounding = 6), "reserved rounding mode");
    check_illegal(isa_encodings[ISA_OP_FADD_S].match | 1u << 25, "fadd.d");
    check_illegal(isa_encodings[ISA_OP_FMADD_S].match | 1u << 25, "fmadd.d");
    check_illegal(isa_encodings[ISA_OP_LR_W].match | 1u << 20, "lr.w with rs2");
    check_illegal(isa_encodings[ISA_OP_SLLI].match | 1u << 25, "slli by 32 or more");
    check_illegal(isa_encodings[ISA_OP_TX_COMMIT].match | 1u << 7, "tx.commit with rd");
    check_illegal(isa_encodings[ISA_OP_BAR_SYNC].match | 1u << 15, "bar.sync with rs1");
    check_illegal(isa_encodings[ISA_OP_SHFL_XOR].match + (1u << 25), "custom-0, funct3 4, funct7 8");
    check_illegal(isa_encodings[ISA_OP_PRINT].match + (8u << 20), "print of 8 arguments");
    check_illegal(isa_encodings[ISA_OP_PRINT].match & ~(1u << 16), "print of a text in another register");
    check_illegal(0x0000502B, "nothing of custom-1");
    check_illegal(0x00003003, "ld");
    check_illegal(0x0000302F, "amoadd.d");
}

Test(decode, disassembly_never_overruns_and_tells_its_length)
{
    char small[5] = "....";
    isa_instruction instruction = isa_decode(WORD(ADD, .rd = 10, .rs1 = 11, .rs2 = 12));
    cr_expect_eq(isa_disassemble(&instruction, 0, small, 4), (int)strlen("add a0, a1, a2"));
    cr_expect_str_eq(small, "add");
}

Test(decode, names_classes_and_registers)
{
    cr_expect_str_eq(isa_class_name(ISA_CLASS_FP_FMA), "fp_fma");
    for (uint32_t class = 0; class < ISA_CLASS_COUNT; class ++)
        cr_expect(isa_class_name(class), "class %u has no name", class);
    cr_expect_str_eq(isa_register_name(2), "sp");
    cr_expect_str_eq(isa_register_name(42), "fa0");
    cr_expect_str_eq(isa_register_name(ISA_NO_REGISTER), "-");
    cr_expect_str_eq(isa_mnemonic(ISA_OP_ILLEGAL), "illegal");
}
