/* SPDX-License-Identifier: MIT */
#include "series.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *row_of(const bench_report *report)
{
    json_t *ratios = json_object();
    for (uint32_t i = 0; i < report->figure_count; i++) {
        const bench_figure *figure = &report->figures[i];
        char label[128], name[192];
        if (!figure->has_floor)
            continue;
        snprintf(name, sizeof name, "%s, %s, %u %s", bench_label(&figure->which, label, sizeof label),
                 figure->which.type, figure->which.cores, figure->which.cores == 1 ? "core" : "cores");
        json_object_set_new(ratios, name, json_real(round(bench_share_of_floor(figure) * 1e5) / 1e5));
    }
    return json_pack("{s:s, s:s, s:o}", "revision", report->settings->revision, "date", report->settings->date,
                     "share_of_floor", ratios);
}

static json_t *read_series(const char *path)
{
    json_error_t error;
    if (access(path, F_OK))
        return json_pack("{s:{s:s, s:i}, s:[]}", "schema", "name", "heddle.speed_series", "version", 1, "rows");
    json_t *series = json_load_file(path, 0, &error);
    if (json_is_array(json_object_get(series, "rows")))
        return series;
    fprintf(stderr, "%s: line %d: %s\n", path, error.line, series ? "no rows" : error.text);
    exit(1);
}

void bench_series_append(const bench_report *report, const char *path)
{
    json_t *series = read_series(path);
    json_t *rows = json_object_get(series, "rows");
    for (size_t i = json_array_size(rows); i-- > 0;) {
        const char *revision = json_string_value(json_object_get(json_array_get(rows, i), "revision"));
        if (revision && !strcmp(revision, report->settings->revision))
            json_array_remove(rows, i);
    }
    json_array_append_new(rows, row_of(report));
    if (json_dump_file(series, path, JSON_INDENT(1) | JSON_REAL_PRECISION(5))) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    json_decref(series);
}
