/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store_sql.h"

static char *dumped(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        abort();
    return text;
}

static char *statistics_json(const sweep *of)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < of->statistic_count; i++)
        json_array_append_new(list, json_string(of->statistics[i]->text));
    return dumped(list);
}

/* {"axis": "label"}, in the order of the axes, of those that are picked. */
static char *picks_json(const sweep *of, const uint32_t *picks)
{
    json_t *object = json_object();
    for (uint32_t a = 0; a < of->axis_count; a++)
        if (picks[a] != NETLIST_NONE)
            json_object_set_new(object, of->axes[a].name, json_string(of->axes[a].choices[picks[a]].label));
    return dumped(object);
}

static char *settings_json(const sweep_choice *choice)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < choice->count; i++)
        json_object_set_new(object, choice->settings[i].path->text, json_string(choice->settings[i].value->text));
    return dumped(object);
}

static int put_head(store *opened, const resolution *of, int64_t *experiment)
{
    char now[32], *statistics = statistics_json(of->sweep);
    time_t seconds = time(NULL);
    struct tm when;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &when));
    int good = sql_run(opened, "DELETE FROM experiment WHERE name = ?1", "t", of->sweep->name) &&
               sql_run(opened,
                       "INSERT INTO experiment (name, description, file, text, repeat, statistics, heddle, build,"
                       " updated) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                       "ttttitttt", of->sweep->name, of->sweep->description, of->sweep->path, of->sweep->file->text,
                       (int64_t)of->sweep->repeat, statistics, of->world->version, of->program.digest.text, now);
    *experiment = sqlite3_last_insert_rowid(opened->db);
    free(statistics);
    return good;
}

static int put_axes(store *opened, const sweep *of, int64_t experiment)
{
    for (int64_t a = 0; a < of->axis_count; a++) {
        const sweep_axis *axis = &of->axes[a];
        if (!sql_run(opened, "INSERT INTO axis VALUES (?1, ?2, ?3)", "iit", experiment, a, axis->name))
            return 0;
        for (int64_t c = 0; c < axis->count; c++) {
            char *settings = settings_json(&axis->choices[c]);
            int good = sql_run(opened, "INSERT INTO choice VALUES (?1, ?2, ?3, ?4, ?5)", "iiitt", experiment, a, c,
                               axis->choices[c].label, settings);
            free(settings);
            if (!good)
                return 0;
        }
    }
    return 1;
}

static int put_input(store *opened, const resolution *of, const resolved_point *point)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)point->seed);
    return sql_run(opened, "INSERT OR IGNORE INTO machine VALUES (?1, ?2, ?3)", "ttt", point->machine->digest.text,
                   point->machine->name, point->machine->json) &&
           sql_run(opened,
                   "INSERT OR IGNORE INTO input (key, machine, machine_file, app, app_files, app_inputs, seed, heddle,"
                   " build) VALUES (?1, ?2, ?3, ?4, ?5, ?6, iif(length(?7) < 19, CAST(?7 AS INTEGER), ?7), ?8, ?9)",
                   "ttttttttt", point->key.text, point->machine->digest.text, point->machine->path, point->app_names,
                   point->app->files.text, point->inputs, seed, of->world->version, of->program.digest.text);
}

static int put_point(store *opened, const resolution *of, int64_t experiment, int64_t position)
{
    const sweep *read = of->sweep;
    const resolved_point *point = &of->points[position];
    const uint32_t *picks = read->picks + position * read->axis_count;
    char *axes = picks_json(read, picks);
    int good = put_input(opened, of, point) && sql_run(opened,
                                                       "INSERT INTO point (experiment, position, input, axes)"
                                                       " SELECT ?1, ?2, input, ?4 FROM input WHERE key = ?3",
                                                       "iitt", experiment, position + 1, point->key.text, axes);
    int64_t id = sqlite3_last_insert_rowid(opened->db);
    free(axes);
    for (int64_t a = 0; good && a < read->axis_count; a++)
        good = sql_run(opened, "INSERT INTO point_axis VALUES (?1, ?2, ?3, ?4)", "iiit", id, a, (int64_t)picks[a],
                       read->axes[a].choices[picks[a]].label);
    return good;
}

/* ---- Published numbers and the points that they are about ----------------------------------------------------------- */

/* A point whose base is left out of the sweep has nothing that the number could be compared with. */
static int put_published_points(store *opened, const sweep *read, const sweep_published *number, int64_t experiment,
                                int64_t id)
{
    for (uint32_t p = 0; p < read->point_count; p++) {
        if (!sweep_published_is_of(read, number, p))
            continue;
        const uint32_t base = number->relative_to ? sweep_published_base(read, number, p) : NETLIST_NONE;
        if (number->relative_to && base == NETLIST_NONE)
            continue;
        if (!sql_run(opened,
                     "INSERT INTO published_point SELECT ?1,"
                     " (SELECT point FROM point WHERE experiment = ?2 AND position = ?3),"
                     " (SELECT point FROM point WHERE experiment = ?2 AND position = ?4)",
                     "iiii", id, experiment, (int64_t)p + 1, base == NETLIST_NONE ? (int64_t)-1 : (int64_t)base + 1))
            return 0;
    }
    return 1;
}

static int put_published(store *opened, const sweep *read, const sweep_published *number, int64_t experiment)
{
    char *axes = picks_json(read, number->at);
    char *relative_to = number->relative_to ? picks_json(read, number->relative_to) : NULL;
    int good = sql_run(opened,
                       "INSERT INTO published (experiment, statistic, value, source, axes, relative_to)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                       "itrttt", experiment, number->statistic->text, number->value, number->source, axes, relative_to);
    free(axes);
    free(relative_to);
    return good && put_published_points(opened, read, number, experiment, sqlite3_last_insert_rowid(opened->db));
}

int store_put_experiment(store *opened, const resolution *of, char **error)
{
    int64_t experiment = 0;
    int good = sql_begin(opened) && put_head(opened, of, &experiment) && put_axes(opened, of->sweep, experiment);
    for (uint32_t p = 0; good && p < of->sweep->point_count; p++)
        good = put_point(opened, of, experiment, p);
    for (uint32_t i = 0; good && i < of->sweep->published_count; i++)
        good = put_published(opened, of->sweep, &of->sweep->published[i], experiment);
    return sql_end(opened, good, error) && sql_check_place(opened, error);
}
