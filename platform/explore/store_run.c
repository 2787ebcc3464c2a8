/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "store_kernels.h"
#include "text.h"

int store_run_state(store *opened, const digest *key, uint32_t repetition, enum store_state *state, char **error)
{
    sqlite3_stmt *statement =
        sql_prepare(opened, "SELECT run.status FROM run JOIN input USING (input) WHERE key = ?1 AND repetition = ?2",
                    "ti", key->text, (int64_t)repetition);
    int found = sql_step(opened, statement);
    *state = STORE_MISSING;
    if (found == 1)
        *state = strcmp(sql_text(statement, 0), "pass") ? STORE_FAILED : STORE_PASSED;
    sqlite3_finalize(statement);
    return sql_result(opened, found >= 0, error);
}

int store_other_digest(store *opened, const digest *key, uint32_t repetition, digest *other, char **error)
{
    sqlite3_stmt *statement = sql_prepare(opened,
                                          "SELECT run.statistics FROM run JOIN input USING (input)"
                                          " WHERE key = ?1 AND repetition <> ?2 AND status = 'pass' LIMIT 1",
                                          "ti", key->text, (int64_t)repetition);
    int found = sql_step(opened, statement);
    other->text[0] = '\0';
    if (found == 1)
        snprintf(other->text, sizeof other->text, "%s", sql_text(statement, 0));
    sqlite3_finalize(statement);
    return sql_result(opened, found >= 0, error);
}

/* ---- What stats.json holds ------------------------------------------------------------------------------------------ */

/* Numbers from 2^63 on are texts, in the results as in SQLite. */
static int is_large_number(const json_t *value)
{
    const char *text = json_string_value(value);
    return text && *text && strspn(text, "0123456789") == strlen(text);
}

int store_put_statistic(store *opened, int64_t run, const char *name, const json_t *value)
{
    if (!json_is_number(value) && !is_large_number(value))
        return 1;
    if (!sql_run(opened, "INSERT OR IGNORE INTO statistic_name (name) VALUES (?1)", "t", name))
        return 0;
    static const char sql[] = "INSERT OR REPLACE INTO statistic SELECT ?1, name_id, ?3 FROM statistic_name"
                              " WHERE name = ?2";
    if (json_is_string(value))
        return sql_run(opened, sql, "itt", run, name, json_string_value(value));
    return json_is_integer(value) ? sql_run(opened, sql, "iti", run, name, (int64_t)json_integer_value(value))
                                  : sql_run(opened, sql, "itr", run, name, json_real_value(value));
}

static int put_values(store *opened, int64_t run, const char *first, const json_t *values)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)values, name, value)
    {
        char *whole = hd_text_format("%s.%s", first, name);
        const int good = store_put_statistic(opened, run, whole, value);
        free(whole);
        if (!good)
            return 0;
    }
    return 1;
}

/* Each of several apps: what it reports, its time, and what its kernels did. */
static int put_apps(store *opened, int64_t run, const json_t *apps)
{
    int good = 1;
    for (size_t i = 0; good && i < json_array_size(apps); i++) {
        const json_t *app = json_array_get(apps, i);
        char *name = i ? hd_text_format("app%zu", i + 1) : hd_text_format("app");
        json_t *own = json_pack("{s:O, s:O}", "cycles", json_object_get(app, "cycles"), "ended_ps",
                                json_object_get(app, "ended_ps"));
        good = put_values(opened, run, name, json_object_get(app, "reports")) &&
               put_values(opened, run, name, json_object_get(app, "statistics")) && put_values(opened, run, name, own);
        json_decref(own);
        free(name);
    }
    return good;
}

static int put_results(store *opened, int64_t run, const store_run *of)
{
    const json_t *results = of->results;
    const char *block;
    json_t *of_block, *blocks = json_object_get(results, "blocks");
    json_object_foreach(blocks, block,
                        of_block) if (!put_values(opened, run, block, json_object_get(of_block, "total"))) return 0;
    return store_put_statistic(opened, run, "simulated_ps", json_object_get(results, "simulated_ps")) &&
           store_put_statistic(opened, run, "busy_ps", json_object_get(results, "busy_ps")) &&
           put_values(opened, run, "time", json_object_get(results, "time")) &&
           put_values(opened, run, "app", json_object_get(json_object_get(results, "app"), "reports")) &&
           put_apps(opened, run, json_object_get(results, "apps")) &&
           store_put_kernels(opened, run, results, of->maxima);
}

static int put_head(store *opened, const store_run *run)
{
    return sql_run(opened, "DELETE FROM run WHERE repetition = ?2 AND input = (SELECT input FROM input WHERE key = ?1)",
                   "ti", run->key.text, (int64_t)run->repetition) &&
           sql_run(opened,
                   "INSERT INTO run (input, repetition, status, message, exit_code, log, statistics, host_seconds,"
                   " user_seconds, peak_bytes, engine, host, started, ended)"
                   " SELECT input, ?2, ?3, ?4, ?5, ?6, ?7, iif(?8 < 0, NULL, ?8), iif(?9 < 0, NULL, ?9),"
                   " iif(?10 < 0, NULL, ?10), ?11, ?12, ?13, ?14 FROM input WHERE key = ?1",
                   "tittittrrrtttt", run->key.text, (int64_t)run->repetition, run->status, run->message,
                   (int64_t)run->exit_code, run->log, run->statistics.text, run->host_seconds, run->user_seconds,
                   run->peak_bytes, run->engine, run->host, run->started, run->ended);
}

int store_put_run(store *opened, const store_run *run, char **error)
{
    int good = sql_begin(opened) && put_head(opened, run);
    int64_t id = sqlite3_last_insert_rowid(opened->db);
    good = good && (!run->results || put_results(opened, id, run));
    return sql_end(opened, good, error) && sql_check_place(opened, error);
}
