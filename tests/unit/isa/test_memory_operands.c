/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include "hd_message.h"

#include <criterion/criterion.h>

Test(addresses, add_the_offset_in_active_lanes)
{
    warp w;
    uint32_t address[32] = {0};
    warp_init(&w, 32);
    warp_set(&w, 6, 0x10000000);
    isa_instruction load = isa_decode(WORD(LW, .rd = 5, .rs1 = 6, .immediate = -4));
    isa_instruction store = isa_decode(WORD(SW, .rs1 = 6, .rs2 = 7, .immediate = 2047));
    isa_addresses(&load, &w.lanes, 0x2, address);
    isa_addresses(&store, &w.lanes, 0x4, address);
    cr_expect_eq(address[0], 0);
    cr_expect_eq(address[1], 0x0FFFFFFC);
    cr_expect_eq(address[2], 0x100007FF);
}

Test(addresses, of_atomics_are_the_register)
{
    warp w;
    uint32_t address[32];
    warp_init(&w, 32);
    isa_instruction add = isa_decode(WORD(AMOADD_W, .rd = 5, .rs1 = 6, .rs2 = 7, .immediate = 3));
    isa_addresses(&add, &w.lanes, UINT32_MAX, address);
    cr_expect_eq(address[31], warp_pattern(6, 31));
}

Test(addresses, of_indirect_jumps_lose_bit_0)
{
    warp w;
    uint32_t address[32];
    warp_init(&w, 32);
    warp_set(&w, 6, 0x10000002);
    isa_instruction jump = isa_decode(WORD(JALR, .rs1 = 6, .immediate = 7));
    isa_addresses(&jump, &w.lanes, UINT32_MAX, address);
    cr_expect_eq(address[0], 0x10000008);
}

Test(loads, extend_what_they_read)
{
    isa_instruction lb = isa_decode(WORD(LB, .rd = 5)), lbu = isa_decode(WORD(LBU, .rd = 5));
    isa_instruction lh = isa_decode(WORD(LH, .rd = 5)), lhu = isa_decode(WORD(LHU, .rd = 5));
    isa_instruction lw = isa_decode(WORD(LW, .rd = 5)), flw = isa_decode(WORD(FLW, .rd = 5));
    isa_instruction past = isa_decode(WORD(LW_CG, .rd = 5));
    cr_expect_eq(isa_load_value(&lb, 0x80), 0xFFFFFF80);
    cr_expect_eq(isa_load_value(&lb, 0x7F), 0x7F);
    cr_expect_eq(isa_load_value(&lbu, 0x80), 0x80);
    cr_expect_eq(isa_load_value(&lh, 0x8001), 0xFFFF8001);
    cr_expect_eq(isa_load_value(&lhu, 0x8001), 0x8001);
    cr_expect_eq(isa_load_value(&lw, 0x80000001), 0x80000001);
    cr_expect_eq(isa_load_value(&flw, 0x7F800001), 0x7F800001);
    cr_expect_eq(isa_load_value(&past, 0xFFFFFFFE), 0xFFFFFFFE);
}

Test(loads, of_lanes_are_the_same_as_one_by_one)
{
    static const enum isa_operation operations[] = {ISA_OP_LB,  ISA_OP_LBU, ISA_OP_LH,
                                                    ISA_OP_LHU, ISA_OP_LW,  ISA_OP_FLW};
    static const uint64_t masks[] = {UINT64_MAX, UINT32_MAX, 1, UINT64_C(0x8000000180000001), 0x0FF0};
    static const uint32_t widths[] = {1, 5, 32, 64};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
            for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
                warp before, after;
                uint32_t raw[64];
                const uint32_t lanes = widths[w];
                isa_instruction load = isa_decode(encode(operations[o], (word_fields){.rd = 5}));
                warp_init(&before, lanes);
                warp_init(&after, lanes);
                const uint32_t kept = load.access_bytes == 4 ? UINT32_MAX : (1u << 8 * load.access_bytes) - 1;
                for (uint32_t lane = 0; lane < lanes; lane++)
                    raw[lane] = (lane + 1) * 0x9E3779B9u & kept;
                isa_load_values(&load, raw, &after.lanes, masks[m]);
                for (uint32_t lane = 0; lane < lanes; lane++)
                    cr_assert_eq(after.lanes.registers[load.rd * lanes + lane],
                                 masks[m] >> lane & 1 ? isa_load_value(&load, raw[lane])
                                                      : before.lanes.registers[load.rd * lanes + lane]);
            }
}

Test(atomics, name_the_operation_of_the_message)
{
    static const struct {
        enum isa_operation operation;
        uint32_t expected;
    } rows[] = {
        {ISA_OP_LR_W, HD_ATOMIC_LOAD_RESERVED}, {ISA_OP_SC_W, HD_ATOMIC_STORE_CONDITIONAL},
        {ISA_OP_AMOSWAP_W, HD_ATOMIC_SWAP},     {ISA_OP_AMOADD_W, HD_ATOMIC_ADD},
        {ISA_OP_AMOXOR_W, HD_ATOMIC_XOR},       {ISA_OP_AMOAND_W, HD_ATOMIC_AND},
        {ISA_OP_AMOOR_W, HD_ATOMIC_OR},         {ISA_OP_AMOMIN_W, HD_ATOMIC_MIN},
        {ISA_OP_AMOMAX_W, HD_ATOMIC_MAX},       {ISA_OP_AMOMINU_W, HD_ATOMIC_MINU},
        {ISA_OP_AMOMAXU_W, HD_ATOMIC_MAXU},     {ISA_OP_AMOCAS_W, HD_ATOMIC_CAS},
    };
    for (uint32_t i = 0; i < COUNT_OF(rows); i++) {
        isa_instruction instruction = isa_decode(encode(rows[i].operation, (word_fields){.rd = 5, .rs1 = 6}));
        cr_expect_eq(isa_atomic_operation(&instruction), rows[i].expected, "%s", isa_mnemonic(rows[i].operation));
        cr_expect_eq(instruction.access_bytes, 4);
    }
}
