/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"
#include "hd_extension.h"
#include "machine.h"

struct measurement {
    hd_machine *machine;
    uint32_t kernels; /* that run now */
    hd_time busy;
    bench_run run;
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Adds what has been counted so far, times sign: begin is taken off, end put on. */
static void add_counts(struct measurement *m, uint64_t sign, hd_time t)
{
    m->run.warp_instructions += sign * hd_machine_count(m->machine, "simt_core", "warp_instructions");
    m->run.thread_instructions += sign * hd_machine_count(m->machine, "simt_core", "thread_instructions");
    m->run.l2_transactions +=
        sign * (hd_machine_count(m->machine, "l2_slice", "loads") + hd_machine_count(m->machine, "l2_slice", "stores") +
                hd_machine_count(m->machine, "l2_slice", "atomics"));
    m->busy += sign * t;
}

/* All blocks stand at t. */
static void on_rendezvous(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    struct measurement *m = context;
    (void)argument;
    if (what & HD_RENDEZVOUS_KERNEL_END && --m->kernels == 0) {
        m->run.seconds += now(CLOCK_PROCESS_CPUTIME_ID);
        m->run.wall += now(CLOCK_MONOTONIC);
        add_counts(m, 1, t);
    }
    if (what & HD_RENDEZVOUS_KERNEL_BEGIN && m->kernels++ == 0) {
        add_counts(m, UINT64_MAX, t);
        m->run.seconds -= now(CLOCK_PROCESS_CPUTIME_ID);
        m->run.wall -= now(CLOCK_MONOTONIC);
    }
}

static hd_clock core_clock(const hd_machine *machine)
{
    const netlist *list = hd_machine_netlist(machine);
    uint32_t block = 0;
    while (strcmp(list->blocks[block].block_class->kind, "simt_core"))
        block++;
    return (hd_clock){list->clocks[list->blocks[block].clock].hz};
}

static hd_machine *open_machine(const hd_machine_setup *setup)
{
    char *error;
    hd_machine *machine = hd_machine_open(setup, &error);
    if (machine)
        return machine;
    fputs(error, stderr);
    exit(1);
}

static void run_machine(hd_machine *machine)
{
    if (hd_machine_run(machine, NULL) == HD_OUTCOME_PASS)
        return;
    fprintf(stderr, "%s\n", hd_machine_message(machine));
    exit(1);
}

uint32_t bench_option_count(const bench_case *which)
{
    uint32_t count = 0;
    while (count < BENCH_OPTIONS && which->options[count].name)
        count++;
    return count;
}

bench_run bench_measure(const char *apps, const bench_case *which)
{
    char app[4096], cores[32], type[64];
    snprintf(app, sizeof app, "%s/%s", apps, which->app);
    snprintf(cores, sizeof cores, "core.count=%u", which->cores);
    snprintf(type, sizeof type, "core.type=%s", which->type);
    const char *const overrides[] = {type, cores};
    const hd_machine_setup setup = {.netlist = which->machine ? which->machine : BENCH_MACHINE,
                                    .overrides = overrides,
                                    .override_count = which->machine ? 1 : 2,
                                    .app = app,
                                    .options = which->options,
                                    .option_count = bench_option_count(which),
                                    .tlm = {.threads = which->threads},
                                    .seed = 1};
    struct measurement m = {.machine = open_machine(&setup)};
    /* In the place of the machine's own observer, which takes statistics by kernel. */
    const hd_observer observer = {.context = &m, .rendezvous = on_rendezvous};
    hd_engine_observe(hd_machine_engine(m.machine), &observer);
    run_machine(m.machine);
    m.run.cycles = hd_clock_index_at_or_after(core_clock(m.machine), m.busy);
    hd_machine_close(m.machine);
    return m.run;
}

double bench_measure_idle(const char *apps, uint32_t waits)
{
    enum { SECONDS = 1 };
    char app[4096];
    snprintf(app, sizeof app, "%s/vecadd", apps);
    /* The host program computes for 100 s before each of its calls. */
    const char *const overrides[] = {"watchdog=100000s", "limit=100000s",
                                     waits ? "host.overhead=140000000000 cycles" : "name=idle"};
    const hd_machine_setup setup = {
        .netlist = BENCH_MACHINE, .overrides = overrides, .override_count = 3, .app = app, .seed = 1};
    hd_machine *machine = open_machine(&setup);
    hd_engine *engine = hd_machine_engine(machine);
    double begin = now(CLOCK_PROCESS_CPUTIME_ID);
    run_machine(machine);
    double seconds = (double)hd_machine_time(machine) / (double)HD_PS_PER_SECOND;
    if (!waits) {
        begin = now(CLOCK_PROCESS_CPUTIME_ID);
        seconds = SECONDS;
        hd_engine_run(engine, hd_engine_now(engine) + SECONDS * HD_PS_PER_SECOND);
    }
    const double taken = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
    hd_machine_close(machine);
    return taken / seconds;
}
