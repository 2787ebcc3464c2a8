/* SPDX-License-Identifier: MIT */
/*
 * Host speed of the kernels of the standard apps: the median over repetitions, as many as fit into a few seconds, and as
 * a share of the floor (floor.h). Run by run.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "report.h"

enum { REPETITIONS_MAX = 99, LEAST = 3 };

static const bench_case cases[] = {
    {.app = "xorshift", .type = "timed", .cores = 15},
    {.app = "stream", .type = "timed", .cores = 15, .options = {{"n", "65536"}}},
    {.app = "stream", .type = "timed", .cores = 15, .options = {{"n", "262144"}}},
    {.app = "vecadd", .type = "timed", .cores = 15},
    {.app = "matmul", .type = "timed", .cores = 15},
    {.app = "bfs", .type = "timed", .cores = 15},
    {.app = "hashtable", .type = "timed", .cores = 15},
    {.app = "atm", .type = "timed", .cores = 15, .options = {{"transfers", "23040"}}},
    {.app = "xorshift", .type = "timed", .cores = 1},
    {.app = "stream", .type = "timed", .cores = 1, .options = {{"n", "65536"}}},
    {.app = "stream", .type = "timed", .cores = 1, .options = {{"n", "262144"}}},
    {.app = "vecadd", .type = "timed", .cores = 1},
    {.app = "matmul", .type = "timed", .cores = 1},
    {.app = "bfs", .type = "timed", .cores = 1},
    {.app = "hashtable", .type = "timed", .cores = 1},
    {.app = "atm", .type = "timed", .cores = 1, .options = {{"transfers", "23040"}}},
    {.app = "xorshift", .type = "functional", .cores = 15},
    {.app = "stream", .type = "functional", .cores = 15, .options = {{"n", "262144"}}},
    {.app = "vecadd", .type = "functional", .cores = 15},
    {.app = "matmul", .type = "functional", .cores = 15},
    {.app = "bfs", .type = "functional", .cores = 15},
    {.app = "hashtable", .type = "functional", .cores = 15},
    {.app = "atm", .type = "functional", .cores = 15, .options = {{"transfers", "23040"}}},
    {.app = "xorshift", .type = "functional", .cores = 1},
};
enum { CASES = sizeof cases / sizeof *cases, FLOORS = 2 };

typedef struct settings {
    const char *apps;
    const char *revision;
    const char *json;
    const char *only;
    double seconds; /* for one case, beyond the least number of runs */
    uint32_t repetitions;
} settings;

static void usage(const char *what)
{
    fprintf(stderr,
            "heddle_bench: %s\nusage: heddle_bench --apps FOLDER [--json FILE] [--revision TEXT] [--repetitions N] "
            "[--seconds S] [--only APP]\n",
            what);
    exit(2);
}

static settings read_settings(int count, char **words)
{
    settings s = {.revision = "unknown", .seconds = 3, .repetitions = 9};
    for (int i = 1; i < count; i += 2) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (!value)
            usage("a value is missing");
        else if (!strcmp(words[i], "--apps"))
            s.apps = value;
        else if (!strcmp(words[i], "--revision"))
            s.revision = value;
        else if (!strcmp(words[i], "--json"))
            s.json = value;
        else if (!strcmp(words[i], "--only"))
            s.only = value;
        else if (!strcmp(words[i], "--seconds"))
            s.seconds = atof(value);
        else if (!strcmp(words[i], "--repetitions"))
            s.repetitions = (uint32_t)atoi(value);
        else
            usage(words[i]);
    }
    if (!s.apps || s.repetitions < 1 || s.repetitions > REPETITIONS_MAX)
        usage("--apps is needed, and 1 to 99 repetitions");
    return s;
}

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

static bench_floor measure_floor(const settings *s, const char *kernel, floor_result (*run)(const char *))
{
    double seconds[REPETITIONS_MAX];
    bench_floor floor = {.kernel = kernel};
    for (uint32_t i = 0; i < s->repetitions; i++) {
        floor.result = run(s->apps);
        seconds[i] = floor.result.seconds;
    }
    floor.result.seconds = median(seconds, s->repetitions);
    return floor;
}

static bench_figure measure_case(const settings *s, const bench_case *which, const bench_floor *floors)
{
    double seconds[REPETITIONS_MAX];
    double spent = 0;
    bench_figure figure = {.which = which, .floor = &floors[strcmp(which->app, floors[0].kernel) != 0]};
    while (figure.repetitions < s->repetitions && (figure.repetitions < LEAST || spent < s->seconds)) {
        figure.run = bench_measure(s->apps, which);
        seconds[figure.repetitions++] = figure.run.seconds;
        spent += figure.run.seconds;
    }
    figure.run.seconds = median(seconds, figure.repetitions);
    figure.fastest = seconds[0];
    figure.slowest = seconds[figure.repetitions - 1];
    return figure;
}

int main(int count, char **words)
{
    const settings s = read_settings(count, words);
    bench_floor floors[FLOORS];
    bench_figure figures[CASES];
    bench_report report = {.revision = s.revision, .floors = floors, .figures = figures, .floor_count = FLOORS};
    bench_print_head(&report);
    floors[0] = measure_floor(&s, "xorshift", floor_xorshift);
    floors[1] = measure_floor(&s, "matmul", floor_matmul);
    for (uint32_t i = 0; i < FLOORS; i++)
        bench_print_floor(&floors[i]);
    bench_print_titles();
    for (uint32_t i = 0; i < CASES; i++) {
        if (s.only && strcmp(s.only, cases[i].app))
            continue;
        figures[report.figure_count] = measure_case(&s, &cases[i], floors);
        bench_print_figure(&figures[report.figure_count++]);
    }
    if (s.json)
        bench_write_json(&report, s.json);
    return 0;
}
