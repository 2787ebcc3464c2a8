/* SPDX-License-Identifier: MIT */
/*
 * Host speed of the kernels of the standard apps: the median over repetitions, as many as fit into a few seconds, and as
 * a share of its floor (floor.h). Then what idle blocks, threads and many cores cost. Run by run.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "report.h"
#include "settings.h"

static const bench_case workloads[] = {
    {.app = "xorshift"},
    {.app = "stream", .options = {{"n", "65536"}}},
    {.app = "stream", .options = {{"n", "262144"}}},
    {.app = "vecadd"},
    {.app = "matmul", .label = "matmul", .options = {{"unroll", "0"}}}, /* that of the first rows of the series */
    {.app = "bfs"},
    {.app = "hashtable"},
    {.app = "atm", .options = {{"transfers", "23040"}}},
};
/* What only some machines have. They have no floor: by itself no warp is in another's way. Transactions: */
#define TRANSACTIONS_BY(protocol)                                                                                      \
    {.app = "hashtable",                                                                                               \
     .label = "hashtable, " protocol,                                                                                  \
     .type = "timed",                                                                                                  \
     .machine = BENCH_VARIANTS "/gtx480_" protocol ".yaml",                                                            \
     .cores = 15,                                                                                                      \
     .options = {{"sync", "tm"}}},                                                                                     \
    {                                                                                                                  \
        .app = "atm", .label = "atm, " protocol, .type = "timed",                                                      \
        .machine = BENCH_VARIANTS "/gtx480_" protocol ".yaml", .cores = 15,                                            \
        .options = {{"sync", "tm"}, {"transfers", "23040"}},                                                           \
    }
/* And stacks of warps and of blocks. */
#define DIVERGENCE_ON(name, file)                                                                                      \
    {.app = "cascade_classifier",                                                                                      \
     .label = "cascade_classifier, " name,                                                                             \
     .type = "timed",                                                                                                  \
     .machine = (file),                                                                                                \
     .cores = 30,                                                                                                      \
     .options = {{"columns", "143"}, {"rows", "105"}}},                                                                \
    {                                                                                                                  \
        .app = "bounding_volumes", .label = "bounding_volumes, " name, .type = "timed", .machine = (file),             \
        .cores = 30, .options = {{"columns", "96"}, {"rows", "60"}, {"levels", "5"}, {"grid", "90"}},                  \
    }
static const bench_case machines[] = {
    TRANSACTIONS_BY("getm"),
    TRANSACTIONS_BY("kilo_tm"),
    TRANSACTIONS_BY("warptm"),
    TRANSACTIONS_BY("warptm_tcd"),
    TRANSACTIONS_BY("eapg_renlis"),
    TRANSACTIONS_BY("warptm_el"),
    DIVERGENCE_ON("stack", BENCH_VARIANTS "/../machines/quadro_fx5800_tbc.yaml"),
    DIVERGENCE_ON("block_stack", BENCH_VARIANTS "/quadro_fx5800_block_stack.yaml"),
};
static const char *const types[] = {"timed", "functional"};
static const uint32_t core_counts[] = {15, 1};

/* One block, which keeps one core busy. */
static const bench_case one_busy = {.app = "xorshift", .options = {{"threads", "256"}, {"steps", "4096"}}};

enum {
    WORKLOADS = sizeof workloads / sizeof *workloads,
    MACHINES = sizeof machines / sizeof *machines,
    CASES = WORKLOADS * 2 * 2 + MACHINES,
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, uint32_t count)
{
    qsort(seconds, count, sizeof *seconds, by_size);
    return count % 2 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

static floor_result run_floor(const bench_settings *s, const bench_case *which)
{
    return floor_run(s->apps, which->app, which->options, bench_option_count(which));
}

static bench_floor measure_floor(const bench_settings *s, const bench_case *which)
{
    double seconds[BENCH_REPETITIONS_MAX];
    bench_floor floor = {.which = *which};
    for (uint32_t i = 0; i < s->repetitions; i++) {
        floor.result = run_floor(s, which);
        seconds[i] = floor.result.seconds;
    }
    floor.result.seconds = median(seconds, s->repetitions);
    return floor;
}

static uint32_t is_asked_for(const bench_settings *s, const bench_case *which)
{
    return !s->only || !strcmp(s->only, which->app);
}

static void measure_floors(const bench_settings *s, bench_floor *floors, uint32_t *count)
{
    for (uint32_t i = 0; i < WORKLOADS; i++) {
        if (!is_asked_for(s, &workloads[i]))
            continue;
        floors[*count] = measure_floor(s, &workloads[i]);
        bench_print_floor(&floors[(*count)++]);
    }
}

/* Case and floor alternately: a host that gets slower meanwhile does so for both. */
static bench_figure measure_case(const bench_settings *s, bench_case which)
{
    double seconds[BENCH_REPETITIONS_MAX], floor_seconds[BENCH_REPETITIONS_MAX];
    double spent = 0;
    bench_figure figure = {.which = which, .has_floor = !which.machine, .floor.which = which};
    while (figure.repetitions < s->repetitions && (figure.repetitions < BENCH_REPETITIONS_MIN || spent < s->seconds)) {
        figure.run = bench_measure(s->apps, &which);
        if (figure.has_floor)
            figure.floor.result = run_floor(s, &which);
        seconds[figure.repetitions] = figure.run.seconds;
        floor_seconds[figure.repetitions++] = figure.floor.result.seconds;
        spent += figure.run.seconds;
    }
    figure.run.seconds = median(seconds, figure.repetitions);
    figure.floor.result.seconds = median(floor_seconds, figure.repetitions);
    figure.fastest = seconds[0];
    figure.slowest = seconds[figure.repetitions - 1];
    return figure;
}

static void measure_cases(const bench_settings *s, bench_figure *figures, uint32_t *count)
{
    bench_print_titles();
    for (uint32_t type = 0; type < 2; type++)
        for (uint32_t cores = 0; cores < 2; cores++)
            for (uint32_t i = 0; i < WORKLOADS; i++) {
                bench_case which = workloads[i];
                if (!is_asked_for(s, &which))
                    continue;
                which.type = types[type];
                which.cores = core_counts[cores];
                figures[*count] = measure_case(s, which);
                bench_print_figure(&figures[(*count)++]);
            }
}

static void measure_machines(const bench_settings *s, bench_figure *figures, uint32_t *count)
{
    for (uint32_t i = 0; i < MACHINES; i++) {
        if (!is_asked_for(s, &machines[i]))
            continue;
        figures[*count] = measure_case(s, machines[i]);
        bench_print_figure(&figures[(*count)++]);
    }
}

/* Alternately, so that a host that gets slower or faster meanwhile does so for both. Best of each. */
static void measure_pair(const bench_settings *s, const bench_case *a, const bench_case *b, bench_run *best)
{
    const bench_case *const both[] = {a, b};
    for (uint32_t i = 0; i < 2 * s->repetitions; i++) {
        const bench_run run = bench_measure(s->apps, both[i % 2]);
        bench_run *kept = &best[i % 2];
        const bench_run before = *kept;
        *kept = run;
        if (i >= 2 && before.seconds < run.seconds)
            kept->seconds = before.seconds;
        if (i >= 2 && before.wall < run.wall)
            kept->wall = before.wall;
    }
}

static bench_extras measure_extras(const bench_settings *s)
{
    bench_extras extras = {0};
    bench_case many = one_busy, one = one_busy;
    many.type = one.type = "timed";
    many.cores = 15;
    one.cores = 1;
    measure_pair(s, &many, &one, extras.one_busy);
    many = one = (bench_case){.app = "xorshift", .type = "timed", .cores = 15, .options = {{"steps", "4096"}}};
    many.threads = 2;
    measure_pair(s, &many, &one, extras.threads);
    for (uint32_t waits = 0; waits < 2; waits++)
        extras.idle[waits] = bench_measure_idle(s->apps, waits);
    for (uint32_t i = 0; i < BENCH_SCALES; i++) {
        char threads[16];
        snprintf(threads, sizeof threads, "%u", 512 * bench_scales[i]); /* as many for each core */
        const bench_case which = {.app = "xorshift",
                                  .type = "timed",
                                  .machine = bench_scales[i] == 80 ? BENCH_CORES80 : NULL,
                                  .cores = bench_scales[i],
                                  .options = {{"threads", threads}}};
        extras.scales[i] = bench_measure(s->apps, &which);
        for (uint32_t again = 0; again < 2; again++) {
            const double seconds = bench_measure(s->apps, &which).seconds;
            if (seconds < extras.scales[i].seconds)
                extras.scales[i].seconds = seconds;
        }
    }
    return extras;
}

int main(int count, char **words)
{
    const bench_settings s = bench_settings_read(count, words);
    bench_floor floors[WORKLOADS];
    bench_figure figures[CASES];
    bench_report report = {.settings = &s, .floors = floors, .figures = figures};
    bench_print_head(&report);
    measure_floors(&s, floors, &report.floor_count);
    measure_cases(&s, figures, &report.figure_count);
    measure_machines(&s, figures, &report.figure_count);
    bench_extras extras;
    if (!s.only) {
        extras = measure_extras(&s);
        report.extras = &extras;
        bench_print_extras(&extras);
    }
    bench_finish(&report);
    return 0;
}
