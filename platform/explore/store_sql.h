/* SPDX-License-Identifier: MIT */
/* The store's side of SQLite. */
#ifndef EXPLORE_STORE_SQL_H
#define EXPLORE_STORE_SQL_H

#include <sqlite3.h>

#include "result_store.h"

struct store {
    sqlite3 *db;
    char *path;
    char *error; /* of the last statement that failed; handed on */
};

#define STORE_OPEN_WAIT_MS 2000   /* for whoever locks it */
#define STORE_WRITE_WAIT_MS 30000 /* the same once a sweep runs: there is time */

/* One value for each letter of types: t text (NULL is NULL), i int64_t, r double, n nothing. */
sqlite3_stmt *sql_prepare(store *opened, const char *sql, const char *types, ...);
/* A whole statement. Returns 1, or 0 and opened->error. */
int sql_run(store *opened, const char *sql, const char *types, ...);
/* 1: there is a row; 0: there is none; -1: failed. */
int sql_step(store *opened, sqlite3_stmt *statement);
/* A text of the current row, "" for NULL. */
const char *sql_text(sqlite3_stmt *statement, int column);

/* Says in opened->error why, and returns 0. */
int sql_failed(store *opened);

/* Between them all or nothing. The end of it, good or not: returns whether it is written, else *error. */
int sql_begin(store *opened);
int sql_end(store *opened, int good, char **error);
/* Is the file still the one of that name? 1; or 0 and *error. */
int sql_check_place(store *opened, char **error);

/* Hands the error on; returns good. */
int sql_result(store *opened, int good, char **error);

/* The schema, into a new file. */
int store_create_schema(store *opened);

#endif
