/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_file.h"
#include "store_errors.h"
#include "store_sql.h"
#include "text.h"

static const char schema[] =
    "CREATE TABLE experiment ("
    " experiment INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, file TEXT NOT NULL,"
    " text TEXT NOT NULL, repeat INTEGER NOT NULL, statistics TEXT NOT NULL, heddle TEXT NOT NULL, build TEXT NOT NULL,"
    " updated TEXT NOT NULL);"
    "CREATE TABLE axis ("
    " experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, axis INTEGER NOT NULL, name TEXT NOT NULL,"
    " PRIMARY KEY (experiment, axis)) WITHOUT ROWID;"
    "CREATE TABLE choice ("
    " experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, axis INTEGER NOT NULL,"
    " choice INTEGER NOT NULL, label TEXT NOT NULL, settings TEXT NOT NULL,"
    " PRIMARY KEY (experiment, axis, choice)) WITHOUT ROWID;"
    "CREATE TABLE machine (digest TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE input ("
    " input INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, machine TEXT NOT NULL REFERENCES machine,"
    " machine_file TEXT NOT NULL, app TEXT NOT NULL, app_files TEXT NOT NULL, app_inputs TEXT NOT NULL, seed NOT NULL,"
    " heddle TEXT NOT NULL, build TEXT NOT NULL);"
    "CREATE TABLE point ("
    " point INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,"
    " position INTEGER NOT NULL, input INTEGER NOT NULL REFERENCES input, axes TEXT NOT NULL,"
    " UNIQUE (experiment, position));"
    "CREATE INDEX point_input ON point (input);"
    "CREATE TABLE point_axis ("
    " point INTEGER NOT NULL REFERENCES point ON DELETE CASCADE, axis INTEGER NOT NULL, choice INTEGER NOT NULL,"
    " label TEXT NOT NULL, PRIMARY KEY (point, axis)) WITHOUT ROWID;"
    "CREATE TABLE run ("
    " run INTEGER PRIMARY KEY, input INTEGER NOT NULL REFERENCES input, repetition INTEGER NOT NULL,"
    " status TEXT NOT NULL, message TEXT, exit_code INTEGER NOT NULL, log TEXT, statistics TEXT NOT NULL,"
    " host_seconds REAL, user_seconds REAL, peak_bytes REAL, engine TEXT, host TEXT, started TEXT, ended TEXT,"
    " UNIQUE (input, repetition));"
    "CREATE TABLE statistic_name (name_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE statistic ("
    " run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, name_id INTEGER NOT NULL REFERENCES statistic_name,"
    " value NOT NULL, PRIMARY KEY (run, name_id)) WITHOUT ROWID;"
    "CREATE INDEX statistic_by_name ON statistic (name_id, run, value);"
    "CREATE TABLE kernel ("
    " run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, launch INTEGER NOT NULL, kernel TEXT NOT NULL,"
    " begin_ps INTEGER NOT NULL, end_ps INTEGER NOT NULL, complete INTEGER NOT NULL, cycles INTEGER,"
    " PRIMARY KEY (run, launch)) WITHOUT ROWID;"
    "CREATE TABLE published ("
    " published INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,"
    " statistic TEXT NOT NULL, value REAL NOT NULL, source TEXT NOT NULL, axes TEXT NOT NULL, relative_to TEXT);"
    "CREATE TABLE published_point ("
    " published INTEGER NOT NULL REFERENCES published ON DELETE CASCADE,"
    " point INTEGER NOT NULL REFERENCES point ON DELETE CASCADE, base INTEGER REFERENCES point ON DELETE CASCADE,"
    " PRIMARY KEY (published, point)) WITHOUT ROWID;"
    "CREATE VIEW measured AS"
    " SELECT experiment.name AS experiment, point.position, point.axes, run.repetition, run.status,"
    "  statistic_name.name AS statistic, statistic.value"
    " FROM experiment JOIN point USING (experiment) JOIN run USING (input) JOIN statistic USING (run)"
    "  JOIN statistic_name USING (name_id) WHERE run.repetition < experiment.repeat;";

int store_create_schema(store *opened)
{
    return sqlite3_exec(opened->db, schema, NULL, NULL, NULL) == SQLITE_OK || sql_failed(opened);
}

/* -1 after an error. */
static int64_t number_of(store *opened, const char *sql)
{
    sqlite3_stmt *statement = sql_prepare(opened, sql, "");
    int64_t number = sql_step(opened, statement) == 1 ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return number;
}

static int refuse(store *opened, char *error)
{
    free(opened->error);
    opened->error = error;
    return 0;
}

/* Another process may make it at the same time: looks again once it has the file for itself. */
static int create(store *opened)
{
    char *error = NULL;
    if (!sql_begin(opened))
        return 0;
    int good = number_of(opened, "SELECT count(*) FROM sqlite_schema") > 0 ||
               (sqlite3_exec(opened->db, "PRAGMA application_id = 1212435525; PRAGMA user_version = 1", NULL, NULL,
                             NULL) == SQLITE_OK &&
                store_create_schema(opened)) ||
               sql_failed(opened);
    _Static_assert(STORE_APPLICATION == 1212435525 && STORE_VERSION == 1, "as written above");
    if (!sql_end(opened, good, &error))
        return refuse(opened, error);
    return 1;
}

static int check(store *opened, enum store_use use)
{
    int64_t tables = number_of(opened, "SELECT count(*) FROM sqlite_schema");
    if (tables < 0)
        return 0;
    if (!tables && use == STORE_WRITE)
        return create(opened);
    int64_t application = number_of(opened, "PRAGMA application_id"),
            version = number_of(opened, "PRAGMA user_version");
    if (application != STORE_APPLICATION)
        return refuse(opened, store_error_text(STORE_ERROR_FORMAT, "store %s: it is not a result store", opened->path));
    if (version == STORE_VERSION)
        return 1;
    return refuse(opened,
                  store_error_text(STORE_ERROR_VERSION,
                                   "store %s: it has version %lld, written by a newer heddle; this one supports "
                                   "version %d",
                                   opened->path, (long long)version, STORE_VERSION));
}

static int prepare(store *opened, enum store_use use)
{
    sqlite3_extended_result_codes(opened->db, 0);
    sqlite3_busy_timeout(opened->db, STORE_OPEN_WAIT_MS);
    if (!check(opened, use))
        return 0;
    if (use == STORE_READ)
        return 1;
    if (sqlite3_db_readonly(opened->db, "main") == 1)
        return refuse(opened, store_error_text(STORE_ERROR_READ_ONLY, "store %s: it is read-only", opened->path));
    /* Where a file system cannot do WAL the mode stays what it was. A result is on the disk before its file goes. */
    if (sqlite3_exec(opened->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", NULL,
                     NULL, NULL) != SQLITE_OK)
        return sql_failed(opened);
    if (!sql_begin(opened) || !sql_run(opened, "ROLLBACK", ""))
        return 0;
    sqlite3_busy_timeout(opened->db, STORE_WRITE_WAIT_MS);
    return 1;
}

/* A name is a file's, whatever SQLite could take it for; "" is none. To be freed. */
static char *name_of(const char *path)
{
    return hd_text_format("%s%s", *path == '/' ? "" : "./", path);
}

/* The same as a URI. To be freed. */
static char *uri_of(const char *path)
{
    static const char plain[] = "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    hd_text uri = {0};
    hd_text_add(&uri, "file:");
    for (; *path; path++)
        hd_text_add(&uri, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned)(unsigned char)*path);
    hd_text_add(&uri, "?immutable=1");
    return hd_text_take(&uri);
}

/* What was written last, and who cannot write cannot read either: another file, found by the store's own name. */
static int has_log(const char *path)
{
    struct stat about;
    char *store = realpath(path, NULL), *log = hd_text_format("%s-wal", store ? store : path);
    const int result = !stat(log, &about) && about.st_size > 0;
    free(log);
    free(store);
    return result;
}

static int open_unchanging(store *opened)
{
    if (has_log(opened->path))
        return refuse(opened, store_error_text(STORE_ERROR_READ_ONLY,
                                               "store %s: a part of it is in %s-wal, which can be read only where the "
                                               "folder can be written: copy both",
                                               opened->path, opened->path));
    char *name = name_of(opened->path), *uri = uri_of(name);
    const int good = sqlite3_open_v2(uri, &opened->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    free(uri);
    free(name);
    return good || sql_failed(opened);
}

/* Who reads opens it for writing too where that is possible, so that no files are left beside it; a store whose folder cannot
 * be written to can be read all the same, if nobody writes to it. */
static int open_file(store *opened, enum store_use use)
{
    char *name = name_of(opened->path);
    int flags = SQLITE_OPEN_READWRITE | (use == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    int good = sqlite3_open_v2(name, &opened->db, flags, NULL) == SQLITE_OK;
    free(name);
    if (use == STORE_WRITE)
        return good || sql_failed(opened);
    int result = good ? sqlite3_exec(opened->db, "PRAGMA query_only = 1; PRAGMA schema_version", NULL, NULL, NULL)
                      : SQLITE_CANTOPEN;
    if (result != SQLITE_CANTOPEN && result != SQLITE_READONLY)
        return 1;
    sqlite3_close(opened->db);
    opened->db = NULL;
    return open_unchanging(opened);
}

/* Is there, and cannot be written to. */
static int is_closed(const char *path)
{
    return !access(path, F_OK) && access(path, W_OK);
}

/* SQLite's files beside it have longer names. */
static int has_room_for_names(const char *path)
{
    struct stat about;
    char *store = realpath(path, NULL), *longest = hd_text_format("%s-journal", store ? store : path);
    const int result = !lstat(longest, &about) || errno != ENAMETOOLONG;
    free(longest);
    free(store);
    return result;
}

/* SQLite says of a read-only file system that something is not there. NULL if it can be written to, or is not there. */
static char *check_place(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!has_room_for_names(path))
        return store_error_text(STORE_ERROR_MISSING, "store %s: %s", path, strerror(ENAMETOOLONG));
    if (is_closed(path))
        return store_error_text(STORE_ERROR_READ_ONLY, "store %s: it is read-only", path);
    char *folder = slash ? hd_text_format("%.*s", (int)(slash > path ? slash - path : 1), path) : hd_text_format(".");
    char *error =
        is_closed(folder) ? store_error_text(STORE_ERROR_READ_ONLY, "store %s: its folder is read-only", path) : NULL;
    free(folder);
    return error;
}

store *store_open(const char *path, enum store_use use, char **error)
{
    if (use == STORE_WRITE && (*error = check_place(path)))
        return NULL;
    if (use == STORE_READ && access(path, R_OK)) {
        *error = store_error_text(STORE_ERROR_MISSING, "store %s: %s", path, strerror(errno));
        return NULL;
    }
    store *opened = calloc(1, sizeof *opened);
    if (!opened)
        abort();
    input_file_note(path);
    opened->path = hd_text_format("%s", path);
    if (open_file(opened, use) && prepare(opened, use))
        return opened;
    sql_result(opened, 0, error);
    store_close(opened);
    return NULL;
}

void store_close(store *opened)
{
    if (!opened)
        return;
    sqlite3_close(opened->db);
    free(opened->path);
    free(opened->error);
    free(opened);
}
