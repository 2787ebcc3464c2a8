/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "host_description.h"
#include "report.h"
#include "series.h"

static json_t *json_of_options(const bench_case *which)
{
    json_t *options = json_object();
    for (uint32_t i = 0; i < bench_option_count(which); i++)
        json_object_set_new(options, which->options[i].name, json_string(which->options[i].value));
    return options;
}

static json_t *json_of_floor(const bench_floor *floor)
{
    return json_pack("{s:s, s:o, s:I, s:I, s:f, s:f}", "app", floor->which.app, "options",
                     json_of_options(&floor->which), "warp_instructions", (json_int_t)floor->result.warp_instructions,
                     "thread_instructions", (json_int_t)floor->result.thread_instructions, "seconds",
                     floor->result.seconds, "warp_instructions_per_second",
                     (double)floor->result.warp_instructions / floor->result.seconds);
}

static json_t *json_of_run(const bench_run *run)
{
    return json_pack(
        "{s:f, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "seconds", run->seconds, "wall_seconds", run->wall,
        "warp_instructions", (json_int_t)run->warp_instructions, "thread_instructions",
        (json_int_t)run->thread_instructions, "l2_transactions", (json_int_t)run->l2_transactions, "cycles",
        (json_int_t)run->cycles, "warp_instructions_per_second", (double)run->warp_instructions / run->seconds,
        "thread_instructions_per_second", (double)run->thread_instructions / run->seconds, "l2_transactions_per_second",
        (double)run->l2_transactions / run->seconds, "cycles_per_second", (double)run->cycles / run->seconds);
}

static json_t *json_of_figure(const bench_figure *figure)
{
    const bench_case *which = &figure->which;
    json_t *json = json_of_run(&figure->run);
    json_t *more =
        json_pack("{s:s, s:o, s:s, s:i, s:i, s:f, s:f}", "app", which->app, "options", json_of_options(which), "type",
                  which->type, "cores", (int)which->cores, "repetitions", (int)figure->repetitions, "seconds_fastest",
                  figure->fastest, "seconds_slowest", figure->slowest);
    if (figure->has_floor) {
        json_object_set_new(more, "floor_seconds", json_real(figure->floor.result.seconds));
        json_object_set_new(more, "share_of_floor", json_real(bench_share_of_floor(figure)));
    }
    json_object_update(json, more);
    json_decref(more);
    return json;
}

static json_t *json_of_extras(const bench_extras *extras)
{
    json_t *scales = json_array();
    for (uint32_t i = 0; i < BENCH_SCALES; i++) {
        const bench_run *run = &extras->scales[i];
        json_array_append_new(scales,
                              json_pack("{s:i, s:f}", "cores", (int)bench_scales[i], "nanoseconds_per_warp_instruction",
                                        1e9 * run->seconds / (double)run->warp_instructions));
    }
    return json_pack("{s:{s:o, s:o}, s:{s:o, s:o}, s:{s:f, s:f}, s:o}", "one_busy_core", "of_15",
                     json_of_run(&extras->one_busy[0]), "of_1", json_of_run(&extras->one_busy[1]), "threads", "two",
                     json_of_run(&extras->threads[0]), "one", json_of_run(&extras->threads[1]),
                     "idle_seconds_per_simulated_second", "nothing_launched", extras->idle[0], "host_computes",
                     extras->idle[1], "scales", scales);
}

json_t *bench_json(const bench_report *report)
{
    json_t *floors = json_array();
    json_t *cases = json_array();
    for (uint32_t i = 0; i < report->floor_count; i++)
        json_array_append_new(floors, json_of_floor(&report->floors[i]));
    for (uint32_t i = 0; i < report->figure_count; i++)
        json_array_append_new(cases, json_of_figure(&report->figures[i]));
    json_t *all =
        json_pack("{s:{s:s, s:i}, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "schema", "name", "heddle.bench", "version", 2,
                  "revision", report->settings->revision, "date", report->settings->date, "build", BENCH_BUILD,
                  "compiler", HOST_COMPILER, "cpu", host_processor(), "floors", floors, "cases", cases);
    if (all && report->extras)
        json_object_set_new(all, "extras", json_of_extras(report->extras));
    return all;
}

void bench_finish(const bench_report *report)
{
    const char *path = report->settings->json;
    json_t *all = bench_json(report);
    if (path && json_dump_file(all, path, JSON_INDENT(2))) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    json_decref(all);
    if (report->settings->series)
        bench_series_append(report, report->settings->series);
}
