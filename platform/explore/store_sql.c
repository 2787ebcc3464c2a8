/* SPDX-License-Identifier: MIT */
#include "store_sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "store_errors.h"

/* Files and disks, where the system says why. */
static enum store_error of_system(store *opened, const char **reason)
{
    int system = sqlite3_system_errno(opened->db);
    *reason = system ? strerror(system) : sqlite3_errmsg(opened->db);
    if (!system && sqlite3_extended_errcode(opened->db) == SQLITE_IOERR_WRITE) {
        *reason = "a write failed: the disk is full, or a file may grow no more";
        return STORE_ERROR_FULL;
    }
    if (system == ENOSPC || system == EFBIG || system == EDQUOT)
        return STORE_ERROR_FULL;
    return sqlite3_errcode(opened->db) == SQLITE_CANTOPEN ? STORE_ERROR_MISSING : STORE_ERROR_DAMAGED;
}

static enum store_error reason_of(store *opened, const char **reason)
{
    switch (sqlite3_errcode(opened->db)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: *reason = "another program has locked it"; return STORE_ERROR_LOCKED;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: *reason = "it is read-only"; return STORE_ERROR_READ_ONLY;
    case SQLITE_FULL: *reason = "the disk is full"; return STORE_ERROR_FULL;
    case SQLITE_NOTADB: *reason = "it is not a result store"; return STORE_ERROR_FORMAT;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return of_system(opened, reason);
    default: *reason = sqlite3_errmsg(opened->db); return STORE_ERROR_DAMAGED;
    }
}

int sql_failed(store *opened)
{
    const char *reason;
    enum store_error error = reason_of(opened, &reason);
    free(opened->error);
    opened->error = store_error_text(error, "store %s: %s%s", opened->path,
                                     error == STORE_ERROR_DAMAGED ? "it is damaged: " : "", reason);
    return 0;
}

static int bind(sqlite3_stmt *statement, const char *types, va_list values)
{
    int result = SQLITE_OK;
    for (int i = 1; result == SQLITE_OK && types[i - 1]; i++) {
        switch (types[i - 1]) {
        case 't': result = sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT); break;
        case 'i': result = sqlite3_bind_int64(statement, i, va_arg(values, int64_t)); break;
        case 'r': result = sqlite3_bind_double(statement, i, va_arg(values, double)); break;
        default: result = sqlite3_bind_null(statement, i);
        }
    }
    return result;
}

static sqlite3_stmt *prepare(store *opened, const char *sql, const char *types, va_list values)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(opened->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        bind(statement, types, values) == SQLITE_OK)
        return statement;
    sql_failed(opened);
    sqlite3_finalize(statement);
    return NULL;
}

sqlite3_stmt *sql_prepare(store *opened, const char *sql, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = prepare(opened, sql, types, values);
    va_end(values);
    return statement;
}

int sql_run(store *opened, const char *sql, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = prepare(opened, sql, types, values);
    va_end(values);
    int good = statement && sql_step(opened, statement) >= 0;
    sqlite3_finalize(statement);
    return good;
}

int sql_step(store *opened, sqlite3_stmt *statement)
{
    int result = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    if (result == SQLITE_ROW || result == SQLITE_DONE)
        return result == SQLITE_ROW;
    if (statement)
        sql_failed(opened);
    return -1;
}

const char *sql_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

int sql_begin(store *opened)
{
    return sql_run(opened, "BEGIN IMMEDIATE", "");
}

int sql_result(store *opened, int good, char **error)
{
    if (good)
        return 1;
    *error = opened->error;
    opened->error = NULL;
    return 0;
}

int sql_end(store *opened, int good, char **error)
{
    good = good && sql_run(opened, "COMMIT", "");
    if (!good && !sqlite3_get_autocommit(opened->db)) {
        char *why = opened->error;
        opened->error = NULL;
        sql_run(opened, "ROLLBACK", "");
        free(opened->error);
        opened->error = why;
    }
    return sql_result(opened, good, error);
}

int sql_check_place(store *opened, char **error)
{
    int has_moved = 0;
    if (sqlite3_file_control(opened->db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) != SQLITE_OK || !has_moved)
        return 1;
    /* SQLite would leave the last of it beside the old name, where it would spoil whatever is there by then. */
    sqlite3_wal_checkpoint_v2(opened->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    *error = store_error_text(STORE_ERROR_MOVED,
                              "store %s: it was moved or removed meanwhile, and what was written went with it",
                              opened->path);
    return 0;
}
