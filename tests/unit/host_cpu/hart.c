/* SPDX-License-Identifier: MIT */
/* What random sequences against the oracle leave out (tests/unit/host_cpu_oracle): vectors from the manual. */
#include "hart.h"
#include "hart_internal.h"

#include <string.h>

#include "rig.h"

enum { HART_RAM = 4096, DATA = 2048 };

static void open_hart(hart *h, const uint32_t *words, uint32_t count)
{
    cr_assert(hart_create(h, HART_RAM, 64, 16));
    h->ram_base = HD_HOST_RAM_BASE;
    h->cycles_each = 1;
    h->exceptions_stop = 1;
    hart_reset(h, HD_HOST_RAM_BASE);
    memcpy(h->ram, words, 4 * (size_t)count);
    h->state.x[10] = HD_HOST_RAM_BASE + DATA;
    hart_keep(h);
}

/* An amo with rd a1, address a0, operand a2. */
#define AMO(funct5, width) ((funct5) << 27 | 12u << 20 | 10u << 15 | (width) << 12 | 11u << 7 | 0x2Fu)
enum { WORD = 2, DOUBLE = 3, MIN = 16, MAX = 20, MINU = 24, MAXU = 28, LR = 2, SC = 3 };

static void expect_amo(uint32_t funct5, uint32_t memory, uint64_t operand, uint32_t result)
{
    hart h;
    open_hart(&h, (uint32_t[]){AMO(funct5, WORD)}, 1);
    memcpy(h.ram + DATA, (uint32_t[]){memory, 0x5A5A5A5A}, 8);
    h.state.x[12] = operand;
    cr_expect_eq(hart_run(&h, 1), HART_LIMIT);
    uint32_t after[2];
    memcpy(after, h.ram + DATA, 8);
    cr_expect_eq(after[0], result, "%x of %x and %llx", funct5, memory, (unsigned long long)operand);
    cr_expect_eq(after[1], 0x5A5A5A5A);
    cr_expect_eq(h.state.x[11], (uint64_t)(int64_t)(int32_t)memory);
    hart_destroy(&h);
}

Test(hart, atomic_minima_and_maxima_of_words_look_at_32_bits)
{
    expect_amo(MIN, 5, UINT64_C(0x7FFFFFFF00000003), 3);
    expect_amo(MIN, 0x80000000, 3, 0x80000000);
    expect_amo(MIN, 3, UINT64_C(0x80000000), 0x80000000);
    expect_amo(MAX, 0x80000000, UINT64_C(0xFFFFFFFF00000003), 3);
    expect_amo(MAX, 7, 0xFFFFFFFF, 7);
    expect_amo(MINU, 0x80000000, UINT64_C(0xFFFFFFFF00000003), 3);
    expect_amo(MINU, 3, 0xFFFFFFFF, 3);
    expect_amo(MAXU, 0x2F78670F, UINT64_C(0x8000000000000000), 0x2F78670F);
    expect_amo(MAXU, 3, UINT64_C(0x0000000080000000), 0x80000000);
}

Test(hart, a_store_conditional_needs_its_reservation)
{
    hart h;
    open_hart(&h, (uint32_t[]){AMO(LR, DOUBLE) & ~(31u << 20), AMO(SC, DOUBLE), AMO(SC, DOUBLE)}, 3);
    h.state.x[12] = 99;
    hart_run(&h, 2);
    cr_expect_eq(h.state.x[11], 0, "it stored");
    cr_expect_eq(h.ram[DATA], 99);
    h.state.x[12] = 5;
    hart_run(&h, 3);
    cr_expect_eq(h.state.x[11], 1, "the reservation is used up");
    cr_expect_eq(h.ram[DATA], 99);
    hart_destroy(&h);
    for (uint64_t offset = DATA - 16; offset < DATA + 16; offset += 4) {
        open_hart(&h, (uint32_t[]){AMO(LR, DOUBLE) & ~(31u << 20), AMO(SC, DOUBLE)}, 2);
        hart_run(&h, 1);
        hart_memory_written(&h, HD_HOST_RAM_BASE + offset, 4);
        hart_run(&h, 2);
        cr_expect_eq(h.state.x[11], offset >= DATA && offset < DATA + 8, "somebody wrote at %d", (int)(offset - DATA));
        hart_destroy(&h);
    }
}

Test(hart, a_store_conditional_to_another_address_fails_and_uses_the_reservation_up)
{
    hart h;
    /* lr.d a1, (a0); addi a0, a0, 8; sc.d a1, a2, (a0); addi a0, a0, -8; sc.d a3, a2, (a0) */
    open_hart(&h,
              (uint32_t[]){AMO(LR, DOUBLE) & ~(31u << 20), 0x00850513, AMO(SC, DOUBLE), 0xFF850513,
                           (AMO(SC, DOUBLE) & ~(31u << 7)) | 13u << 7},
              5);
    memset(h.ram + DATA, 0xAB, 16);
    h.state.x[12] = 99;
    hart_run(&h, 5);
    cr_expect_eq(h.state.x[11], 1);
    cr_expect_eq(h.state.x[13], 1);
    for (uint32_t i = 0; i < 16; i++)
        cr_expect_eq(h.ram[DATA + i], 0xAB);
    hart_destroy(&h);
}

/* RISC-V Privileged Architecture 20211203 §3.1.9: external before software before timer. */
Test(hart, of_several_interrupts_the_external_one_is_taken_first_and_the_timers_last)
{
    static const uint32_t order[] = {HART_EXTERNAL_INTERRUPT, HART_SOFTWARE_INTERRUPT, HART_TIMER_INTERRUPT};
    for (uint32_t first = 0; first < 3; first++) {
        hart h;
        open_hart(&h, (uint32_t[]){0x00000013}, 1);
        h.state.mtvec = HD_HOST_RAM_BASE + 64;
        h.state.mstatus = HART_MSTATUS_MIE;
        for (uint32_t i = first; i < 3; i++) {
            h.state.mie |= UINT64_C(1) << order[i];
            hart_set_interrupt(&h, order[i], 1);
        }
        hart_run(&h, 1);
        cr_expect_eq(h.state.mcause, UINT64_C(1) << 63 | order[first]);
        cr_expect_eq(h.state.interrupts, 1, "the others wait until interrupts are on again");
        hart_destroy(&h);
    }
}

Test(hart, goes_back_to_what_was_kept)
{
    hart h;
    /* sd a2, 0(a0); addi a2, a2, 1; jal x0, -8 */
    open_hart(&h, (uint32_t[]){0x00C53023, 0x00160613, 0xFF9FF06F}, 3);
    memset(h.ram + DATA, 0xAB, 8);
    cr_expect_eq(hart_run(&h, 30), HART_LIMIT);
    cr_expect_eq(h.state.x[12], 10);
    hart_go_back(&h);
    cr_expect_eq(h.state.x[12], 0);
    cr_expect_eq(h.state.cycle, 0);
    cr_expect_eq(h.ram[DATA], 0xAB);
    cr_expect_eq(hart_run(&h, 300), HART_LOG_FULL, "16 stores can be undone");
    cr_expect_eq(h.state.x[12], 16);
    hart_keep(&h);
    cr_expect_eq(hart_run(&h, 60), HART_LIMIT);
    hart_destroy(&h);
}

Test(hart, decodes_again_after_fence_i_only)
{
    hart h;
    /* addi a2, a2, 1; fence.i; jal x0, -8 */
    open_hart(&h, (uint32_t[]){0x00160613, 0x0000100F, 0xFF9FF06F}, 3);
    cr_expect_eq(hart_run(&h, 100), HART_IN_PLACE);
    memcpy(h.ram, (uint32_t[]){0x06460613}, 4); /* addi a2, a2, 100 */
    hart_keep(&h);
    hart_execute_in_place(&h);
    cr_expect_eq(hart_run(&h, 100), HART_IN_PLACE);
    cr_expect_eq(h.state.x[12], 101);
    hart_destroy(&h);
}

Test(hart, an_instruction_may_begin_in_the_middle_of_one_that_is_decoded)
{
    hart h;
    /* 0: jal x0, +6; 4: lui a2, 0x06050 whose upper half, at 6, is c.addi a2, 1 (0x0605) */
    open_hart(&h, (uint32_t[]){0x0060006F, 0x06050637, 0x00100073}, 3);
    cr_expect_eq(hart_run(&h, 100), HART_EXCEPTION);
    cr_expect_eq(h.exception.cause, HART_BREAKPOINT);
    cr_expect_eq(h.state.x[12], 1);
    hart_destroy(&h);
}

/* ---- csr.S: traps and CSRs as a program sees them ------------------------------------------------------------------ */

typedef struct trap {
    uint64_t cause, offset, value;
} trap;

Test(hart, exceptions_go_to_the_trap_handler)
{
    static const trap expected[] = {
        {HART_ILLEGAL, 28, 0xFFFFFFFF},
        {HART_ENVIRONMENT_CALL, 32, 0},
        {HART_BREAKPOINT, 36, 0},
        {HART_LOAD_FAULT, 40, 0x10},
        {HART_STORE_FAULT, 44, 0x10},
        {HART_LOAD_MISALIGNED, 52, DEVICE_BASE + 1},
        {HART_STORE_MISALIGNED, 56, DEVICE_BASE + 1},
    };
    static rig rig;
    rig_open(&rig, "csr", (const char *[]){"exceptions=trap", NULL});
    kit_run_until(rig.kit, 3000 * CYCLE);
    cr_assert_eq(rig.stores[rig.store_count - 1].offset, 0x100, "it came to its end");
    uint64_t table = 0;
    for (uint64_t at = 4096; at < 4096 + 64 && !table; at += 2)
        if (rig_ram(&rig, at) == HART_ILLEGAL && rig_ram(&rig, at + 24) == HART_ENVIRONMENT_CALL)
            table = at;
    cr_assert_neq(table, 0);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        cr_expect_eq(rig_ram(&rig, table + 24 * i), expected[i].cause, "trap %u", i);
        if (expected[i].value)
            cr_expect_eq(rig_ram(&rig, table + 24 * i + 16), expected[i].value, "trap %u", i);
    }
    cr_expect_eq(rig_ram(&rig, table + 24 * 7), HART_STORE_MISALIGNED, "an atomic access");
    cr_expect_eq(rig_ram(&rig, table + 24 * 8), HART_LOAD_MISALIGNED, "lr");
    cr_expect_eq(rig_ram(&rig, table + 24 * 9), HART_ILLEGAL, "a CSR that is not there");
    cr_expect_eq(rig_ram(&rig, table + 24 * 10), HART_ILLEGAL, "a CSR that is read only");
    cr_expect_eq(kit_statistic(rig.kit, "exceptions"), 11);
    const uint64_t csr = table + 24 * 11 + 0x400;
    cr_expect_eq(rig_ram(&rig, csr), DEVICE_BASE);
    cr_expect_eq(rig_ram(&rig, csr + 8), 21);
    cr_expect_eq(rig_ram(&rig, csr + 16), 28, "21 | 10 without 3");
    cr_expect_eq(rig_ram(&rig, csr + 24), UINT64_C(0x8000000000001105));
    cr_expect_eq(rig_ram(&rig, csr + 32), 0, "what is written is what the next instruction reads");
    cr_expect_eq(rig_ram(&rig, csr + 40), 1);
    cr_expect_eq(rig_ram(&rig, csr + 48), 3, "a csr instruction takes three cycles");
    cr_expect_eq(rig_ram(&rig, csr + 56), 0x1888);
    rig_close(&rig);
}
