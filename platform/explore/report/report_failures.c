/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report_parts.h"

/* From the start of a line where that is possible. */
static const char *tail_of(const char *log)
{
    size_t bytes = strlen(log);
    if (bytes <= REPORT_LOG_BYTES)
        return log;
    const char *tail = log + bytes - REPORT_LOG_BYTES, *line = strchr(tail, '\n');
    return line && line[1] ? line + 1 : tail;
}

int report_add_failures(store *opened, const view_columns *columns, json_t *object)
{
    static const char sql[] = "SELECT point.position, repetition, status, exit_code, message, log"
                              " FROM point JOIN run USING (input)"
                              " WHERE experiment = ?1 AND repetition < ?2 AND status <> 'pass'"
                              " ORDER BY point.position, repetition";
    sqlite3_stmt *row = sql_prepare(opened, sql, "ii", columns->experiment, columns->repeat);
    json_t *list = json_array();
    int found;
    while ((found = sql_step(opened, row)) == 1)
        json_array_append_new(
            list, json_pack("{s:I, s:I, s:o, s:I, s:o, s:o}", "point", (json_int_t)sqlite3_column_int64(row, 0) - 1,
                            "repetition", (json_int_t)sqlite3_column_int64(row, 1), "status",
                            report_text(sql_text(row, 2)), "exit_code", (json_int_t)sqlite3_column_int64(row, 3),
                            "message", report_text(sql_text(row, 4)), "log", report_text(tail_of(sql_text(row, 5)))));
    sqlite3_finalize(row);
    json_object_set_new(object, "failures", list);
    return found == 0;
}
