/* SPDX-License-Identifier: MIT */
/* What a trace shows of a hart, however far it has run ahead. */
#include "engine.h"
#include "rig.h"

#include <string.h>

/* The n-th record of this form and event; NULL: there is none. */
static const kit_traced *record_of(rig *rig, const char *event, uint32_t form, uint32_t n)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig->kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].form == form && !strcmp(all[i].event, event) && n-- == 0)
            return &all[i];
    return NULL;
}

Test(host_cpu, a_trace_shows_interrupts_at_their_time)
{
    static const char *const parameters[] = {"cpi.load=0 cycles",      "cpi.jump=0 cycles", "cpi.csr=0 cycles",
                                             "cpi.multiply=40 cycles", "quantum=1 ms",      NULL};
    for (uint64_t cycle = 5000; cycle < 5046; cycle++) {
        static rig rig;
        rig_open(&rig, "interrupt", parameters);
        rig_line(&rig, HART_EXTERNAL_INTERRUPT, 1, cycle * CYCLE);
        kit_run_until(rig.kit, (cycle + 500) * CYCLE);
        cr_assert_eq(kit_recorded_count(rig.kit, "interrupt"), 1, "once, although it was run twice");
        const kit_traced *taken = record_of(&rig, "interrupt", HD_TRACED_INSTANT, 0);
        cr_expect_eq(taken->t, rig.stores[0].value * CYCLE, "where the handler read mcycle");
        cr_expect_eq(taken->values[0], HART_EXTERNAL_INTERRUPT);
        cr_expect_eq(taken->values[1], rig.stores[1].value, "mepc");
        rig_close(&rig);
    }
}

/* Who looks at the statistics in between stops the hart where it stands. */
Test(host_cpu, a_trace_does_not_depend_on_who_looks_at_statistics)
{
    static const char *const parameters[] = {"cpi.jump=30 cycles", "quantum=1 ms", NULL};
    static rig rig;
    rig_open(&rig, "interrupt", parameters);
    rig_line(&rig, HART_EXTERNAL_INTERRUPT, 1, 5000 * CYCLE);
    for (hd_time t = 4900; t < 5300; t++) {
        kit_run_until(rig.kit, t * CYCLE);
        kit_statistic(rig.kit, "instructions");
    }
    cr_expect_eq(kit_recorded_count(rig.kit, "interrupt"), 1);
    cr_expect_eq(record_of(&rig, "interrupt", HD_TRACED_INSTANT, 0)->t, rig.stores[0].value * CYCLE);
    rig_close(&rig);
}

Test(host_cpu, a_trace_shows_when_it_executes_and_when_it_sleeps)
{
    static rig rig;
    rig_open(&rig, "sleep", (const char *[]){"cpi.csr=0 cycles", NULL});
    rig_line(&rig, HART_TIMER_INTERRUPT, 1, 5000 * CYCLE);
    kit_run_until(rig.kit, 6000 * CYCLE);
    cr_expect_eq(record_of(&rig, "execute", HD_TRACED_BEGIN, 0)->t, 0);
    cr_expect_eq(record_of(&rig, "execute", HD_TRACED_BEGIN, 0)->values[0], HD_HOST_RAM_BASE);
    const kit_traced *asleep = record_of(&rig, "sleep", HD_TRACED_BEGIN, 0);
    cr_expect_eq(record_of(&rig, "execute", HD_TRACED_END, 0)->t, asleep->t);
    cr_expect_eq(record_of(&rig, "sleep", HD_TRACED_END, 0)->t, 5000 * CYCLE);
    cr_expect_eq(record_of(&rig, "execute", HD_TRACED_BEGIN, 1)->t, 5000 * CYCLE);
    cr_expect_not_null(record_of(&rig, "sleep", HD_TRACED_BEGIN, 1), "it sleeps again");
    cr_expect_null(record_of(&rig, "sleep", HD_TRACED_END, 1));
    rig_close(&rig);
}

Test(host_cpu, a_trace_shows_accesses_outside_ram)
{
    static rig rig;
    rig_open(&rig, "device", NULL);
    kit_run_until(rig.kit, 1000 * CYCLE);
    cr_expect_eq(kit_recorded_count(rig.kit, "read"), kit_statistic(rig.kit, "bus_reads"));
    cr_expect_eq(kit_recorded_count(rig.kit, "write"), kit_statistic(rig.kit, "bus_writes"));
    for (uint32_t i = 0; i < 4; i++) {
        const kit_traced *begin = record_of(&rig, "write", HD_TRACED_BEGIN, i);
        cr_expect_eq(begin->t, rig.stores[i].t - LINK * CYCLE);
        cr_expect_eq(begin->values[0], DEVICE_BASE + rig.stores[i].offset);
        cr_expect_eq(begin->values[1], rig.stores[i].bytes);
        cr_expect_eq(record_of(&rig, "write", HD_TRACED_END, i)->t, rig.stores[i].t + DEVICE * CYCLE);
    }
    rig_close(&rig);
}

Test(host_cpu, a_trace_shows_exceptions_that_are_traps)
{
    static rig rig;
    rig_open(&rig, "trap_load", (const char *[]){"exceptions=trap", NULL});
    kit_run_until(rig.kit, 60 * CYCLE);
    cr_expect_gt(kit_recorded_count(rig.kit, "exception"), 0);
    cr_expect_leq(kit_statistic(rig.kit, "exceptions") - kit_recorded_count(rig.kit, "exception"), 1,
                  "one may have been taken that ends later");
    cr_expect_eq(record_of(&rig, "exception", HD_TRACED_INSTANT, 0)->values[0], HART_LOAD_FAULT);
    rig_close(&rig);
}
