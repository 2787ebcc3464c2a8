/* SPDX-License-Identifier: MIT */
/* What may not be in a transaction, or does not go with one. */
#include "tx_program.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_fault(const uint32_t *words, const char *const *parameters, const char *text)
{
    getm_rig *g = getm_rig_create(parameters, words);
    kit_expect_fault(rig_kit(g->rig));
    getm_rig_launch(g, 32);
    rig_finish(g->rig);
    cr_expect_not_null(kit_fault_text(rig_kit(g->rig)), "%s", text);
    if (kit_fault_text(rig_kit(g->rig)))
        cr_expect_not_null(strstr(kit_fault_text(rig_kit(g->rig)), text), "%s: %s", text,
                           kit_fault_text(rig_kit(g->rig)));
    getm_rig_destroy(g);
}

#define ECALL 0x00000073u

Test(tx_core, what_may_not_be_in_a_transaction_traps)
{
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {{0x00C5A02F /* amoadd.w zero, a2, (a1) */, "an atomic operation in a transaction"},
                {0x1005A2AF /* lr.w t0, (a1) */, "an atomic operation in a transaction"},
                {0x0000300B /* bar.sync 0 */, "a barrier in a transaction"},
                {0x0000500B /* warp.sync */, "warp.sync in a transaction"},
                {ECALL, "ecall"},
                {0x0007A023 /* sw zero, 0(a5) */, "a store to the scratchpad"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t words[] = {PROLOGUE, lui(A5, HD_SCRATCHPAD_BASE), begin_tx(1), rows[i].word, commit_tx(), ret(),
                                  0};
        expect_fault(words, NULL, rows[i].text);
    }
}

Test(tx_core, domains_without_transactions_trap)
{
    const uint32_t scratchpad[] = {begin_tx(2), commit_tx(), ret(), 0};
    const uint32_t both[] = {begin_tx(3), commit_tx(), ret(), 0};
    expect_fault(scratchpad, NULL, "tx.begin of the scratchpad");
    expect_fault(both, NULL, "more than one");
}

Test(tx_core, logs_that_are_full_are_said)
{
    const char *const small[] = {"tx.log_bytes=64 B", NULL};
    const char *const huge[] = {"tx.log_bytes=65536 B", NULL};
    const uint32_t writes[] = {PROLOGUE,       begin_tx(1),    sw(T0, 0, A1), sw(T0, 4, A1), sw(T0, 8, A1),
                               sw(T0, 12, A1), sw(T0, 16, A1), commit_tx(),   ret(),         0};
    const uint32_t reads[] = {PROLOGUE,       begin_tx(1),    lw(T1, 0, A1), lw(T1, 4, A1), lw(T1, 8, A1),
                              lw(T1, 12, A1), lw(T1, 16, A1), commit_tx(),   ret(),         0};
    const uint32_t stack[] = {PROLOGUE,        begin_tx(1),     sw(T0, -4, SP), sw(T0, -8, SP), sw(T0, -12, SP),
                              sw(T0, -16, SP), sw(T0, -20, SP), commit_tx(),    ret(),          0};
    expect_fault(writes, small, "the write log of a transaction is full with 4 words: raise tx.log_bytes");
    expect_fault(reads, small, "the read log of a transaction is full with 4 words");
    expect_fault(stack, small, "overwrites more than 4 words of private memory");
    getm_rig *g = getm_rig_create(huge, writes);
    kit_expect_fault(rig_kit(g->rig));
    hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {512, 1, 1}, .private_bytes = 1024};
    rig_launch_grid(g->rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(g->rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(g->rig)), "exceed its context slot"));
    getm_rig_destroy(g);
}

Test(tx_core, a_machine_without_transactions_says_so)
{
    const uint32_t words[] = {begin_tx(1), commit_tx(), ret(), 0};
    const char *const none[] = {NULL};
    core_rig *rig = rig_create(none, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), "this machine has no transactional memory"));
    rig_destroy(rig);
}

Test(tx_core, refuses_what_nobody_has_defined)
{
    static const struct {
        const char *parameters[4];
        const char *text;
    } rows[] = {{{"tx=getm", "reconvergence=mimd"}, "a reconvergence unit that has transactions"},
                {{"tx=getm", "l1.global=cache"}, "l1.global must be bypass"},
                {{"tx=getm", "memory.address.interval=4 cycles"}, "memory.address.interval must be 0 cycles"},
                {{"tx=getm", "lanes=64", "warps=24"}, "at most 32 lanes"},
                {{"tx=getm", "tx.ownership=100 B"}, "a power of two"},
                {{"tx=getm", "tx.getm.granule=48 B"}, "tx 'getm' needs a granule that is a power of two"},
                {{"tx=getm", "memory.queue=1"}, "a memory.queue of 2"},
                {{"tx=getm", "memory.accesses=1"}, "memory.accesses of 2"},
                {{"tx=getm", "l1.private=bypass"}, "l1.private must be cache"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char error[256] = "";
        cr_expect(kit_refuses(&hd_simt_core_timed, rows[i].parameters, error, sizeof error), "%s", rows[i].text);
        cr_expect_not_null(strstr(error, rows[i].text), "%s: %s", rows[i].text, error);
    }
}
