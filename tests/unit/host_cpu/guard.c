/* SPDX-License-Identifier: MIT */
/* Protection, triggers and user mode as firmware meets them (programs/protect.S). */
#include <string.h>

#include "rig.h"

enum { TABLE = 0x2000, ROWS_MAX = 20, ANY = 99 };

typedef struct row {
    uint64_t cause, value, mode;
} row;

/* value: 0 for one of the places in the program, which it is then not. */
static const row expected[] = {
    {HART_STORE_FAULT, ANY, HART_MACHINE},
    {HART_STORE_FAULT, ANY, HART_MACHINE},
    {HART_STORE_FAULT, ANY, HART_USER},
    {HART_ILLEGAL, 0x30002373, HART_USER},
    {HART_ILLEGAL, 0xC0002373, HART_USER},
    {HART_ILLEGAL, 0x30200073, HART_USER},
    {HART_ENVIRONMENT_CALL_OF_USER, 0, HART_USER},
    {HART_STORE_FAULT, ANY, HART_MACHINE},
    {HART_BREAKPOINT, ANY, HART_MACHINE},
    {HART_BREAKPOINT, ANY, HART_MACHINE},
};

static void expect_rows(const char *const *parameters)
{
    static rig rig;
    rig_open(&rig, "protect", parameters);
    kit_run_until(rig.kit, 5000 * CYCLE);
    row found[ROWS_MAX];
    kit_debug_read(rig.kit, HD_HOST_RAM_BASE + TABLE, found, sizeof found);
    const size_t rows = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < rows; i++) {
        cr_expect_eq(found[i].cause, expected[i].cause, "row %zu: %llu", i, (unsigned long long)found[i].cause);
        cr_expect_eq(found[i].mode, expected[i].mode, "row %zu: %llu", i, (unsigned long long)found[i].mode);
        if (expected[i].value != ANY)
            cr_expect_eq(found[i].value, expected[i].value, "row %zu: %llx", i, (unsigned long long)found[i].value);
    }
    cr_expect_eq(found[2].value, found[0].value + 4, "the byte that user mode stores");
    cr_expect_eq(found[7].value, found[0].value);
    cr_expect_eq(found[8].value, found[0].value + 8, "the other double word");
    cr_expect_eq(found[rows].cause, UINT64_MAX, "it has come to its end");
    cr_expect_eq(rig_ram(&rig, found[0].value - HD_HOST_RAM_BASE), 0x1234, "nothing was stored");
    rig_close(&rig);
}

Test(host_cpu, protection_triggers_and_user_mode_stop_what_they_should)
{
    expect_rows((const char *[]){"exceptions=trap", "user_mode=true", NULL});
    expect_rows((const char *[]){"exceptions=trap", "user_mode=true", "quantum=1 ps", NULL});
    expect_rows((const char *[]){"exceptions=trap", "user_mode=true", "harts=2", "pmp.entries=64", NULL});
}

Test(host_cpu, user_mode_is_asked_for_without_anything_locked)
{
    static rig rig;
    rig_open(&rig, "user", (const char *[]){"exceptions=trap", "user_mode=true", NULL});
    kit_run_until(rig.kit, 5000 * CYCLE);
    row found[3];
    kit_debug_read(rig.kit, HD_HOST_RAM_BASE + TABLE, found, sizeof found);
    cr_expect(found[0].cause == HART_STORE_FAULT && found[0].mode == HART_MACHINE, "MPRV");
    cr_expect(found[1].cause == HART_STORE_FAULT && found[1].mode == HART_USER);
    cr_expect_eq(found[1].value, found[0].value);
    cr_expect_eq(found[2].cause, UINT64_MAX, "it has come to its end");
    cr_expect_eq(rig_ram(&rig, found[0].value - HD_HOST_RAM_BASE), HD_HOST_RAM_BASE + TABLE,
                 "what machine mode stored");
    rig_close(&rig);
}

static void expect_fault(const char *program, const char *const *parameters, const char *expected_text)
{
    static rig rig;
    rig_open(&rig, program, parameters);
    kit_expect_fault(rig.kit);
    kit_run_until(rig.kit, 2000 * CYCLE);
    cr_assert_not_null(kit_fault_text(rig.kit));
    cr_expect_not_null(strstr(kit_fault_text(rig.kit), expected_text), "%s", kit_fault_text(rig.kit));
    rig_close(&rig);
}

Test(host_cpu, what_protection_refuses_is_told_where_exceptions_end_the_run)
{
    expect_fault("protect", NULL, "which memory protection (PMP) forbids\n  pc 0x80000000");
    expect_fault("protect", (const char *[]){"pmp.entries=0", NULL}, "illegal instruction 0x3b0");
    expect_fault("protect", (const char *[]){"harts=2", NULL}, "firmware: hart 0: store at 0x");
}

Test(host_cpu, an_exception_without_a_handler_ends_the_run)
{
    static const char *const traps[] = {"exceptions=trap", NULL};
    expect_fault("fault_call", NULL,
                 "firmware: ecall, and there is no trap handler: mtvec is 0x0, which is not in RAM\n");
    expect_fault("fault_load", traps, "where nothing answers, and there is no trap handler: mtvec is 0x0");
    expect_fault("fault_break", traps, "ebreak, and there is no trap handler");
}
