/* SPDX-License-Identifier: MIT */
#include "report_parts.h"

static json_t *position_or_null(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? json_null()
                                                           : json_integer(sqlite3_column_int64(row, column) - 1);
}

static json_t *points_of(store *opened, int64_t published)
{
    static const char sql[] =
        "SELECT point.position, base.position FROM published_point JOIN point USING (point)"
        " LEFT JOIN point AS base ON base.point = published_point.base WHERE published = ?1 ORDER BY point.position";
    sqlite3_stmt *row = sql_prepare(opened, sql, "i", published);
    json_t *points = json_array();
    int found;
    while ((found = sql_step(opened, row)) == 1)
        json_array_append_new(points, json_pack("[o, o]", position_or_null(row, 0), position_or_null(row, 1)));
    sqlite3_finalize(row);
    if (found == 0)
        return points;
    json_decref(points);
    return NULL;
}

int report_add_published(store *opened, const view_columns *columns, json_t *object)
{
    sqlite3_stmt *row =
        sql_prepare(opened,
                    "SELECT published, statistic, value, source, coalesce(relative_to, '') FROM published"
                    " WHERE experiment = ?1 ORDER BY published",
                    "i", columns->experiment);
    json_t *list = json_array();
    int found = 0, good = 1;
    while (good && (found = sql_step(opened, row)) == 1) {
        json_t *points = points_of(opened, sqlite3_column_int64(row, 0));
        good = points != NULL;
        if (good)
            json_array_append_new(list, json_pack("{s:o, s:f, s:o, s:o, s:o}", "statistic",
                                                  report_text(sql_text(row, 1)), "value", sqlite3_column_double(row, 2),
                                                  "source", report_text(sql_text(row, 3)), "relative_to",
                                                  report_text(sql_text(row, 4)), "points", points));
    }
    sqlite3_finalize(row);
    json_object_set_new(object, "published", list);
    return good && found == 0;
}
