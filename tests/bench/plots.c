/* SPDX-License-Identifier: MIT */
/* plots SPEED.json SERIES.json CORES.json FOLDER: draws the stored figures of docs/results, for docs/performance.md. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

enum { POINTS_MAX = 512, REVISION_CHARACTERS = 7 };

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json)
        return json;
    fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
    exit(1);
}

static void write_plot(const plot *plot, const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (plot_write(plot, path))
        return;
    fprintf(stderr, "%s: cannot be written\n", path);
    exit(1);
}

static void plot_scales(const json_t *speed, const char *folder)
{
    static double cores[POINTS_MAX], nanoseconds[POINTS_MAX];
    const json_t *scales = json_object_get(json_object_get(speed, "extras"), "scales");
    plot p = {.title = "xorshift, 512 threads per core, one thread of the host",
              .x_title = "cores",
              .y_title = "ns of the host per warp instruction",
              .line_count = 1};
    uint32_t count = 0;
    for (; count < json_array_size(scales) && count < POINTS_MAX; count++) {
        const json_t *scale = json_array_get(scales, count);
        cores[count] = (double)json_integer_value(json_object_get(scale, "cores"));
        nanoseconds[count] = json_real_value(json_object_get(scale, "nanoseconds_per_warp_instruction"));
    }
    p.lines[0] = (plot_line){.name = "timed", .x = cores, .y = nanoseconds, .count = count};
    write_plot(&p, folder, "performance-cores");
}

/* A line for each app, of those timed on 15 cores. */
static void plot_series(const json_t *series, const char *folder)
{
    static const char *const names[PLOT_LINES_MAX] = {"xorshift", "matmul", "stream n=65536", "stream n=262144",
                                                      "vecadd",   "bfs",    "hashtable",      "atm transfers=23040"};
    static double rows[POINTS_MAX], shares[PLOT_LINES_MAX][POINTS_MAX];
    static char revisions[POINTS_MAX][REVISION_CHARACTERS + 1];
    static const char *revision_names[POINTS_MAX];
    const json_t *all = json_object_get(series, "rows");
    uint32_t count = 0;
    for (; count < json_array_size(all) && count < POINTS_MAX; count++) {
        const json_t *row = json_array_get(all, count);
        rows[count] = count;
        snprintf(revisions[count], sizeof revisions[0], "%.7s", json_string_value(json_object_get(row, "revision")));
        revision_names[count] = revisions[count];
        for (uint32_t line = 0; line < PLOT_LINES_MAX; line++) {
            char key[192];
            snprintf(key, sizeof key, "%s, timed, 15 cores", names[line]);
            shares[line][count] = 100 * json_real_value(json_object_get(json_object_get(row, "share_of_floor"), key));
        }
    }
    plot p = {.title = "Speed by version: timed machine of 15 cores, as a share of the floor",
              .x_title = "revision",
              .y_title = "% of the floor's warp instructions per second",
              .x_names = revision_names,
              .x_name_count = count,
              .y_is_logarithmic = 1,
              .line_count = PLOT_LINES_MAX};
    for (uint32_t line = 0; line < PLOT_LINES_MAX; line++)
        p.lines[line] = (plot_line){.name = names[line], .x = rows, .y = shares[line], .count = count};
    write_plot(&p, folder, "performance-series");
}

/* What a machine costs of which one core works. */
static void plot_idle_cores(const json_t *sizes, const char *folder)
{
    static double cores[POINTS_MAX], milliseconds[POINTS_MAX], mebibytes[POINTS_MAX];
    const json_t *rows = json_object_get(sizes, "rows");
    uint32_t count = 0;
    for (; count < json_array_size(rows) && count < POINTS_MAX; count++) {
        const json_t *row = json_array_get(rows, count);
        cores[count] = json_number_value(json_object_get(row, "cores"));
        milliseconds[count] = json_number_value(json_object_get(row, "milliseconds"));
        mebibytes[count] = json_number_value(json_object_get(row, "mebibytes"));
    }
    plot p = {.title = "Whole runs of one warp on gtx480 with more cores",
              .x_title = "cores",
              .y_title = "MiB of memory, ms of processor time",
              .line_count = 2};
    p.lines[0] = (plot_line){.name = "MiB", .x = cores, .y = mebibytes, .count = count};
    p.lines[1] = (plot_line){.name = "ms", .x = cores, .y = milliseconds, .count = count};
    write_plot(&p, folder, "idle-cores");
}

int main(int count, char **words)
{
    if (count != 5) {
        fprintf(stderr, "usage: plots SPEED.json SERIES.json CORES.json FOLDER\n");
        return 2;
    }
    json_t *speed = load(words[1]), *series = load(words[2]), *sizes = load(words[3]);
    plot_scales(speed, words[4]);
    plot_series(series, words[4]);
    plot_idle_cores(sizes, words[4]);
    json_decref(speed);
    json_decref(series);
    json_decref(sizes);
    return 0;
}
