/* SPDX-License-Identifier: MIT */
/* When things happen: costs, interrupts, accesses of others to RAM, all exact whatever the hart has run ahead. */
#include "rig.h"

#include <string.h>

/* count.S: its loop takes 4 instructions, its counter lies a page behind the start. */
enum { COUNTER = 4096 };

static uint64_t count_at(const char *const *parameters, uint64_t cycles)
{
    static rig rig;
    rig_open(&rig, "count", parameters);
    rig_access(&rig, COUNTER, NULL, 8, cycles * CYCLE);
    hd_packet *answer = rig_answer(&rig, (cycles + 100) * CYCLE);
    uint64_t value;
    memcpy(&value, hd_body(answer), sizeof value);
    kit_free(rig.kit, answer);
    rig_close(&rig);
    return value;
}

Test(host_cpu, ram_holds_what_has_been_stored_by_then)
{
    static const char *const parameters[] = {"cpi.load=0 cycles", "cpi.jump=0 cycles", "quantum=1 ms", NULL};
    for (uint64_t cycle = 10; cycle < 30; cycle++)
        cr_expect_eq(count_at(parameters, cycle), cycle / 4, "at cycle %llu", (unsigned long long)cycle);
    cr_expect_eq(count_at(parameters, 20001), 5000);
    cr_expect_eq(count_at(parameters, 123456), 30864);
}

/* Cycles of one turn of the loop. */
static uint64_t turn(const char *each, const char *load, const char *store, const char *jump)
{
    const uint64_t turns = count_at((const char *[]){each, load, store, jump, NULL}, 100000);
    return (100000 + turns / 2) / turns;
}

Test(host_cpu, every_cost_is_paid)
{
    static const char *const each = "cpi.each=1 cycles", *const load = "cpi.load=0 cycles",
                             *const store = "cpi.store=0 cycles", *const jump = "cpi.jump=0 cycles";
    cr_expect_eq(turn(each, load, store, jump), 4);
    cr_expect_eq(turn("cpi.each=3 cycles", load, store, jump), 12);
    cr_expect_eq(turn(each, "cpi.load=5 cycles", store, jump), 9);
    cr_expect_eq(turn(each, load, "cpi.store=7 cycles", jump), 11);
    cr_expect_eq(turn(each, load, store, "cpi.jump=2 cycles"), 6);
}

/* An external interrupt at a cycle: when does the handler run? Returns mcycle as it saw it. */
static uint64_t handled_at(const char *const *parameters, uint64_t cycle, uint64_t *turns)
{
    static rig rig;
    rig_open(&rig, "interrupt", parameters);
    rig_line(&rig, HART_EXTERNAL_INTERRUPT, 1, cycle * CYCLE);
    kit_run_until(rig.kit, (cycle + 500) * CYCLE);
    cr_assert_eq(rig.store_count, 4);
    cr_expect_eq(rig.stores[2].value, UINT64_C(1) << 63 | HART_EXTERNAL_INTERRUPT);
    cr_expect_eq(kit_statistic(rig.kit, "interrupts_taken"), 1);
    const uint64_t seen = rig.stores[0].value;
    *turns = rig.stores[3].value;
    rig_close(&rig);
    return seen;
}

Test(host_cpu, an_interrupt_is_taken_between_two_instructions_at_its_time)
{
    static const char *const parameters[] = {"cpi.load=0 cycles",     "cpi.jump=0 cycles", "cpi.csr=0 cycles",
                                             "cpi.multiply=0 cycles", "quantum=1 ms",      NULL};
    uint64_t turns;
    for (uint64_t cycle = 5000; cycle < 5012; cycle++)
        cr_expect_eq(handled_at(parameters, cycle, &turns), cycle + 1, "the trap takes a cycle");
    handled_at(parameters, 60000, &turns);
    cr_expect(turns >= 60000 / 6 - 4 && turns <= 60000 / 6, "%llu turns of 6 instructions", (unsigned long long)turns);
}

Test(host_cpu, an_instruction_that_has_begun_is_not_interrupted)
{
    static const char *const parameters[] = {"cpi.load=0 cycles",      "cpi.jump=0 cycles", "cpi.csr=0 cycles",
                                             "cpi.multiply=40 cycles", "quantum=1 ms",      NULL};
    uint64_t turns, latest = 0;
    for (uint64_t cycle = 5000; cycle < 5046; cycle++) {
        const uint64_t delay = handled_at(parameters, cycle, &turns) - cycle;
        latest = delay > latest ? delay : latest;
        cr_expect(delay >= 1 && delay <= 41);
    }
    cr_expect_eq(latest, 41, "one came when the multiplication had just begun");
}

Test(host_cpu, a_hart_asleep_wakes_when_a_line_rises)
{
    static rig rig;
    rig_open(&rig, "sleep", (const char *[]){"cpi.csr=0 cycles", NULL});
    kit_run_until(rig.kit, 1000 * CYCLE);
    cr_expect_eq(rig.store_count, 0);
    cr_expect_eq(kit_next(rig.kit), HD_NEVER, "it sleeps");
    rig_line(&rig, HART_TIMER_INTERRUPT, 1, 5000 * CYCLE);
    kit_run_until(rig.kit, 6000 * CYCLE);
    cr_assert_eq(rig.store_count, 2);
    cr_expect_eq(rig.stores[0].value, 1 << HART_TIMER_INTERRUPT);
    cr_expect_eq(rig.stores[1].value, 5001, "two instructions after it woke");
    cr_expect_eq(kit_statistic(rig.kit, "interrupts_taken"), 0, "they are off");
    cr_expect_geq(kit_statistic(rig.kit, "sleep_cycles"), 4990);
    rig_close(&rig);
}

Test(host_cpu, an_access_of_others_does_not_wake_it)
{
    for (uint64_t cycle = 1; cycle < 40; cycle++) {
        static rig rig;
        rig_open(&rig, "sleep", NULL);
        rig_access(&rig, 0x8000, NULL, 8, cycle * CYCLE);
        kit_run_until(rig.kit, 1000 * CYCLE);
        cr_expect_eq(rig.store_count, 0, "an access at cycle %llu", (unsigned long long)cycle);
        cr_expect_eq(kit_next(rig.kit), HD_NEVER);
        rig_close(&rig);
    }
}

Test(host_cpu, a_line_that_no_hart_has_is_reported)
{
    static rig rig;
    rig_open(&rig, "count", NULL);
    kit_expect_fault(rig.kit);
    rig_line(&rig, 5, 1, 10 * CYCLE);
    kit_run_until(rig.kit, 20 * CYCLE);
    cr_expect_str_eq(kit_fault_text(rig.kit), "interrupt: a hart has no line 5");
    rig_close(&rig);
}
