/* SPDX-License-Identifier: MIT */
/* Firmware while somebody listens: every instruction at its edge, and nothing else than without. */
#include "hd_debug.h"
#include "rig.h"

#include <stdio.h>
#include <string.h>

enum { COUNTER = 4096, TOLD = 64 };

typedef struct told {
    hd_debug_moment moments[TOLD];
    uint32_t count;
    const hd_debug *debug;
    hd_block *block;
    uint64_t x5[TOLD]; /* as the listener read it */
} told;

static void before(void *context, const hd_debug_moment *moment)
{
    told *t = context;
    if (t->count < TOLD) {
        t->debug->read(t->block, 0, 0, 5, &t->x5[t->count]);
        t->moments[t->count] = *moment;
    }
    t->count++;
}

static void listen(told *t, rig *rig, uint32_t listens)
{
    t->block = kit_instance(rig->kit);
    t->debug = hd_host_cpu_rv64.extension(t->block, HD_EXTENSION_DEBUG);
    cr_assert_not_null(t->debug);
    t->debug->listen(t->block, &(hd_debug_listener){.context = t, .before = listens ? before : NULL});
}

Test(host_cpu_debug, tells_of_each_instruction_when_it_begins)
{
    static rig rig;
    static told t;
    rig_open(&rig, "count", (const char *const[]){"cpi.load=3 cycles", "cpi.jump=0 cycles", NULL});
    listen(&t, &rig, 1);
    kit_run_until(rig.kit, 20 * CYCLE);
    cr_assert_geq(t.count, 10);
    cr_expect_eq(t.moments[0].t, 0);
    cr_expect_eq(t.moments[0].pc, HD_HOST_RAM_BASE);
    cr_expect_eq(t.moments[0].lanes, 1);
    uint32_t loads = 0, stores = 0;
    for (uint32_t i = 0; i + 1 < t.count && i < TOLD - 1; i++) {
        const hd_debug_moment *m = &t.moments[i];
        loads += m->access == HD_DEBUG_READS;
        stores += m->access == HD_DEBUG_WRITES;
        cr_expect_eq(t.moments[i + 1].t - m->t, m->access == HD_DEBUG_READS ? 4 * CYCLE : CYCLE, "%u", i);
        if (m->access) {
            cr_expect_eq(m->address, HD_HOST_RAM_BASE + COUNTER);
            cr_expect_eq(m->bytes, 8);
        }
    }
    cr_expect(loads >= 2 || stores >= 2);
    rig_close(&rig);
}

static void expect_same(const char *program, const char *const *parameters, uint32_t from, uint32_t to)
{
    static rig alone, debugged;
    static told t;
    memset(&t, 0, sizeof t);
    rig_open(&alone, program, parameters);
    rig_open(&debugged, program, parameters);
    rig *rigs[] = {&alone, &debugged};
    for (uint32_t i = 0; i < 2; i++) {
        kit_run_until(rigs[i]->kit, from * CYCLE);
        if (i)
            listen(&t, &debugged, 1), kit_wake(debugged.kit);

        rig_line(rigs[i], HART_EXTERNAL_INTERRUPT, 1, (from + 37) * CYCLE);
        rig_access(rigs[i], COUNTER, &(uint64_t){7}, 8, (from + 50) * CYCLE);
        kit_run_until(rigs[i]->kit, to * CYCLE);
        if (i)
            listen(&t, &debugged, 0);
        kit_run_until(rigs[i]->kit, (to + 5000) * CYCLE);
    }
    cr_expect(t.count || strcmp(program, "count"), "%s", program); /* others may wait all the time */
    for (uint32_t s = 0; s < hd_host_cpu_rv64.statistic_count; s++) {
        const char *name = hd_host_cpu_rv64.statistics[s].name;
        cr_expect_eq(kit_statistic(alone.kit, name), kit_statistic(debugged.kit, name), "%s: %s", program, name);
    }
    cr_expect_eq(alone.store_count, debugged.store_count);
    cr_expect_eq(memcmp(alone.stores, debugged.stores, alone.store_count * sizeof *alone.stores), 0, "%s", program);
    cr_expect_eq(rig_ram(&alone, COUNTER), rig_ram(&debugged, COUNTER));
    rig_close(&alone);
    rig_close(&debugged);
}

Test(host_cpu_debug, changes_nothing)
{
    static const char *const programs[] = {"count", "interrupt", "mix", "device", "sleep"};
    static const char *const costs[] = {"cpi.load=5 cycles", "cpi.branch=3 cycles", "quantum=1 us", NULL};
    for (uint32_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (uint32_t from = 0; from < 400; from += 133) {
            expect_same(programs[i], NULL, from, from + 300);
            expect_same(programs[i], costs, from, from + 1000);
        }
}

static void write_x5(void *context, const hd_debug_moment *moment)
{
    told *t = context;
    if (t->count++ == 19) {
        t->moments[0] = *moment;
        cr_expect_eq(moment->access, HD_DEBUG_WRITES);
        cr_expect(t->debug->write(t->block, 0, 0, 5, 1000000));
        cr_expect_not(t->debug->write(t->block, 0, 0, 0, 1));
        cr_expect_not(t->debug->write(t->block, 0, 0, HD_DEBUG_CSR + 0x300, 1));
        uint64_t value;
        cr_expect(t->debug->read(t->block, 0, 0, HD_DEBUG_PC, &value));
        cr_expect_eq(value, moment->pc);
        cr_expect_not(t->debug->read(t->block, 0, 0, 40, &value));
    }
}

/* With the time of the store before which it is written, or a read of RAM by somebody else while that store is made: the hart then goes
 * back to what it has kept, and makes it again. */
static hd_time write_before_store(hd_time read)
{
    static rig rig;
    static told t;
    uint64_t value;
    memset(&t, 0, sizeof t);
    rig_open(&rig, "count",
             (const char *const[]){"cpi.store=9 cycles", "cpi.load=0 cycles", "cpi.jump=0 cycles", NULL});
    listen(&t, &rig, 1);
    t.debug->listen(t.block, &(hd_debug_listener){.context = &t, .before = write_x5});
    if (read)
        rig_access(&rig, 8, NULL, 8, read);
    kit_run_until(rig.kit, 200 * CYCLE);
    t.debug->read(t.block, 0, 0, 5, &value);
    cr_expect_geq(value, 1000000);
    rig_close(&rig);
    return t.moments[0].t;
}

Test(host_cpu_debug, registers_are_written_for_good)
{
    const hd_time store = write_before_store(0);
    cr_assert_gt(store, 0);
    write_before_store(store + 3 * CYCLE);
}

Test(host_cpu_debug, who_comes_later_is_told_from_then_on)
{
    static rig rig;
    static told t;
    rig_open(&rig, "count", (const char *const[]){"quantum=1 ms", NULL});
    kit_run_until(rig.kit, 1000 * CYCLE);
    listen(&t, &rig, 1);
    kit_wake(rig.kit);
    kit_run_until(rig.kit, 1020 * CYCLE);
    cr_assert_gt(t.count, 3);
    cr_expect_geq(t.moments[0].t, 1000 * CYCLE);
    cr_expect_leq(t.moments[0].t, 1004 * CYCLE);
    rig_close(&rig);
}

typedef struct wrong {
    uint32_t kind, count;
    hd_debug_moment moment;
    char what[160];
} wrong;

static void take_fault(void *context, const hd_debug_moment *moment, uint32_t kind, const char *what)
{
    wrong *w = context;
    w->kind = kind;
    w->count++;
    w->moment = *moment;
    snprintf(w->what, sizeof w->what, "%s", what);
}

Test(host_cpu_debug, tells_of_a_mistake_before_the_run_ends)
{
    static const struct {
        const char *program;
        uint32_t kind;
        const char *what;
    } cases[] = {{"fault_load", HD_DEBUG_FAULT_ADDRESS, "load at"},
                 {"fault_aligned", HD_DEBUG_FAULT_ADDRESS, "not aligned"},
                 {"fault_jump", HD_DEBUG_FAULT_ADDRESS, "jumped to"},
                 {"fault_illegal", HD_DEBUG_FAULT_INSTRUCTION, "illegal instruction"},
                 {"fault_break", HD_DEBUG_FAULT_TRAP, "ebreak"},
                 {"fault_call", HD_DEBUG_FAULT_TRAP, "no trap handler"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static rig rig;
        static told t;
        wrong w = {.count = 0};
        uint64_t pc;
        rig_open(&rig, cases[i].program, NULL);
        kit_expect_fault(rig.kit);
        listen(&t, &rig, 1);
        t.debug->listen(t.block, &(hd_debug_listener){.context = &w, .fault = take_fault});
        kit_run_until(rig.kit, 1000 * CYCLE);
        cr_assert_eq(w.count, 1, "%s", cases[i].program);
        cr_expect_eq(w.kind, cases[i].kind, "%s", cases[i].program);
        cr_expect(strstr(w.what, cases[i].what), "%s: %s", cases[i].program, w.what);
        cr_expect_eq(w.moment.t, kit_fault_time(rig.kit));
        cr_expect(t.debug->read(t.block, 0, 0, HD_DEBUG_PC, &pc) && pc == w.moment.pc);
        cr_expect(strstr(kit_fault_text(rig.kit), w.what));
        rig_close(&rig);
    }
}
