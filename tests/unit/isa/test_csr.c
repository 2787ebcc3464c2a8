/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include <criterion/criterion.h>

/* A machine with PIN_LEVEL and the lane number. */
typedef struct machine {
    uint32_t pin_level[ISA_MAX_LANES];
    uint32_t reads;
    uint32_t writes;
} machine;

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    machine *m = context;
    m->reads++;
    if (csr == ISA_CSR_PIN_LEVEL)
        *value = m->pin_level[lane];
    else if (csr == ISA_CSR_LANE)
        *value = lane;
    else
        return -1;
    return 0;
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    machine *m = context;
    m->writes++;
    if (csr != ISA_CSR_PIN_LEVEL)
        return -1;
    m->pin_level[lane] = value;
    return 0;
}

static int run(warp *w, machine *m, uint32_t word, uint64_t mask)
{
    isa_instruction instruction = isa_decode(word);
    return isa_csr(&instruction, &w->lanes, mask, read_csr, write_csr, m);
}

Test(csr, is_read_per_active_lane)
{
    warp w;
    machine m = {0};
    warp_init(&w, 32);
    cr_expect_eq(run(&w, &m, WORD(CSRRS, .rd = 5, .immediate = ISA_CSR_LANE), 0x80000002), 0);
    cr_expect_eq(*warp_register(&w, 5, 1), 1);
    cr_expect_eq(*warp_register(&w, 5, 31), 31);
    cr_expect_eq(*warp_register(&w, 5, 2), warp_pattern(5, 2));
    cr_expect_eq(m.reads, 2);
    cr_expect_eq(m.writes, 0);
}

Test(csr, swap_set_and_clear_give_the_value_before)
{
    warp w;
    machine m = {.pin_level = {[3] = 0xF0}};
    warp_init(&w, 32);
    warp_set(&w, 6, 0x3C);
    cr_expect_eq(run(&w, &m, WORD(CSRRS, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_PIN_LEVEL), 8), 0);
    cr_expect_eq(*warp_register(&w, 5, 3), 0xF0);
    cr_expect_eq(m.pin_level[3], 0xFC);
    cr_expect_eq(run(&w, &m, WORD(CSRRC, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_PIN_LEVEL), 8), 0);
    cr_expect_eq(*warp_register(&w, 5, 3), 0xFC);
    cr_expect_eq(m.pin_level[3], 0xC0);
    cr_expect_eq(run(&w, &m, WORD(CSRRW, .rd = 6, .rs1 = 6, .immediate = ISA_CSR_PIN_LEVEL), 8), 0);
    cr_expect_eq(*warp_register(&w, 6, 3), 0xC0);
    cr_expect_eq(m.pin_level[3], 0x3C);
}

Test(csr, immediate_forms_use_their_five_bits)
{
    warp w;
    machine m = {.pin_level = {8}};
    warp_init(&w, 32);
    cr_expect_eq(run(&w, &m, WORD(CSRRSI, .rd = 5, .rs1 = 3, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(m.pin_level[0], 11);
    cr_expect_eq(run(&w, &m, WORD(CSRRCI, .rd = 5, .rs1 = 2, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(m.pin_level[0], 9);
    cr_expect_eq(run(&w, &m, WORD(CSRRWI, .rd = 5, .rs1 = 31, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(m.pin_level[0], 31);
    cr_expect_eq(*warp_register(&w, 5, 0), 9);
}

Test(csr, what_need_not_be_read_or_written_is_not)
{
    warp w;
    machine m = {0};
    warp_init(&w, 32);
    cr_expect_eq(run(&w, &m, WORD(CSRRW, .rd = 0, .rs1 = 6, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(m.reads, 0);
    cr_expect_eq(m.writes, 1);
    cr_expect_eq(run(&w, &m, WORD(CSRRC, .rd = 5, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(run(&w, &m, WORD(CSRRCI, .rd = 5, .immediate = ISA_CSR_PIN_LEVEL), 1), 0);
    cr_expect_eq(m.writes, 1);
    cr_expect_eq(*warp_register(&w, 0, 0), 0);
}

Test(csr, float_status_is_one_register_under_three_numbers)
{
    warp w;
    machine m = {0};
    warp_init(&w, 32);
    w.fcsr[2] = 3 << 5 | ISA_FLOAT_INVALID;
    cr_expect_eq(run(&w, &m, WORD(CSRRS, .rd = 5, .immediate = ISA_CSR_FCSR), 4), 0);
    cr_expect_eq(*warp_register(&w, 5, 2), 0x70);
    cr_expect_eq(run(&w, &m, WORD(CSRRWI, .rd = 5, .rs1 = 1, .immediate = ISA_CSR_FFLAGS), 4), 0);
    cr_expect_eq(*warp_register(&w, 5, 2), 0x10);
    cr_expect_eq(w.fcsr[2], 0x61);
    cr_expect_eq(run(&w, &m, WORD(CSRRWI, .rd = 5, .rs1 = 31, .immediate = ISA_CSR_FRM), 4), 0);
    cr_expect_eq(*warp_register(&w, 5, 2), 3);
    cr_expect_eq(w.fcsr[2], 0xE1);
    warp_set(&w, 6, 0xFFFFFF45);
    cr_expect_eq(run(&w, &m, WORD(CSRRW, .rd = 0, .rs1 = 6, .immediate = ISA_CSR_FCSR), 4), 0);
    cr_expect_eq(w.fcsr[2], 0x45);
    cr_expect_eq(w.fcsr[1], 0);
    cr_expect_eq(m.reads + m.writes, 0);
}

Test(csr, writing_a_read_only_one_is_illegal)
{
    warp w;
    machine m = {0};
    warp_init(&w, 32);
    cr_expect_neq(run(&w, &m, WORD(CSRRW, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_LANE), 1), 0);
    cr_expect_neq(run(&w, &m, WORD(CSRRS, .rd = 5, .rs1 = 6, .immediate = ISA_CSR_LANE), 1), 0);
    cr_expect_eq(m.reads + m.writes, 0);
    cr_expect_eq(*warp_register(&w, 5, 0), warp_pattern(5, 0));
}

Test(csr, one_that_does_not_exist_is_illegal)
{
    warp w;
    machine m = {0};
    warp_init(&w, 32);
    cr_expect_neq(run(&w, &m, WORD(CSRRS, .rd = 5, .immediate = 0x7C0), 1), 0);
    cr_expect_neq(run(&w, &m, WORD(CSRRW, .rd = 0, .rs1 = 6, .immediate = 0x7C0), 1), 0);
    cr_expect_eq(*warp_register(&w, 5, 0), warp_pattern(5, 0));
}
