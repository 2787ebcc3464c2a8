/* SPDX-License-Identifier: MIT */
#include "collect.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define LOG_BYTES 65536u
#define SIGNALLED 128
#define TIME_BYTES 32u

void job_remove_files(const spool *spool, const job *of)
{
    static const char *const ends[] = {".log", ".sh", ".exit", ".json"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        spool_remove(spool, of->name, ends[i]);
}

/* What is about the host is left out: all else is the same wherever it runs. */
static digest digest_of_results(const json_t *results)
{
    json_t *copy = json_copy((json_t *)results);
    json_object_del(copy, "host");
    char *text = json_dumps(copy, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(copy);
    if (!text)
        abort();
    digest result = digest_of_text(text);
    free(text);
    return result;
}

/* NULL if there are none, or what there is is none. */
static json_t *read_results(const spool *spool, const job *ended)
{
    size_t bytes;
    char *text = spool_read(spool, ended->name, ".json", SIZE_MAX / 2, &bytes);
    json_t *results = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    free(text);
    if (results && json_is_object(json_object_get(results, "machine")))
        return results;
    json_decref(results);
    return NULL;
}

/* Are they those of the inputs that the sweep has looked at? Files may change while it runs. */
static int check_inputs(const resolution *of, const job *ended, const json_t *results, char **error)
{
    const resolved_point *point = ended->point;
    const char *changed = NULL;
    digest files;
    char *machine = json_dumps(json_object_get(results, "machine"), JSON_SORT_KEYS | JSON_COMPACT);
    digest found = digest_of_text(machine ? machine : "");
    free(machine);
    if (strcmp(found.text, point->machine->digest.text) != 0)
        changed = point->machine->path;
    else if (!digest_of_app(point->app->folder, &files) || strcmp(files.text, point->app->files.text) != 0)
        changed = point->app->folder;
    else if (!program_file_is_same(&of->program))
        changed = of->program.path;
    if (!changed)
        return 1;
    *error = hd_text_format("error: %s has changed since the sweep began: start it again\n", changed);
    return 0;
}

static double number_in(const json_t *results, const char *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(json_object_get(results, object), key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* The first line that begins with "error: ", without that; or the last line. To be freed. */
static char *complaint_in(const char *log)
{
    const char *line = strncmp(log, "error: ", 7) ? strstr(log, "\nerror: ") : log;
    if (line) {
        line = strstr(line, "error: ") + 7;
        return hd_text_format("%.*s", (int)strcspn(line, "\n"), line);
    }
    size_t end = strlen(log);
    while (end && log[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start && log[start - 1] != '\n')
        start--;
    return hd_text_format("%.*s", (int)(end - start), log + start);
}

static char *message_of(const job *ended, const json_t *results, const char *log)
{
    const char *said = json_string_value(json_object_get(results, "message"));
    if (said && *said)
        return hd_text_format("%s", said);
    if (ended->complaint)
        return hd_text_format("%s", ended->complaint);
    if (ended->exit_code > SIGNALLED && !results)
        return hd_text_format("ended by signal %d (%s)", ended->exit_code - SIGNALLED,
                              strsignal(ended->exit_code - SIGNALLED));
    return results ? hd_text_format("%s", "") : complaint_in(log);
}

static const char *status_of(const job *ended, const json_t *results)
{
    const char *status = json_string_value(json_object_get(results, "status"));
    if (ended->exit_code > SIGNALLED)
        return "crash";
    if (!status)
        return "error";
    /* Results that pass, and an exit code that does not: something went wrong after them. */
    return ended->exit_code > 0 && !strcmp(status, "pass") ? "error" : status;
}

static char *show_time(time_t seconds, char *text)
{
    struct tm when;
    if (!seconds)
        return NULL;
    strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &when));
    return text;
}

/* JSON and SQLite want UTF-8; a log may hold anything. */
static void make_utf8(char *text)
{
    for (size_t length = strlen(text), at; (at = netlist_utf8_fault(text, length)) < length;)
        text[at] = '?';
}

static int compare_repetitions(store *into, store_run *run, char **error)
{
    digest other;
    if (strcmp(run->status, "pass") != 0)
        return 1;
    if (!store_other_digest(into, &run->key, run->repetition, &other, error))
        return 0;
    if (*other.text && strcmp(other.text, run->statistics.text) != 0) {
        run->status = "differs";
        run->message = "its statistics are not those of another repetition of the same inputs";
    }
    return 1;
}

static enum collected put(store *into, const job *ended, const json_t *results, const char *log, const char *engine,
                          char **error)
{
    char started[TIME_BYTES], now[TIME_BYTES], here[64] = "", *message = message_of(ended, results, log);
    gethostname(here, sizeof here - 1);
    store_run run = {.key = ended->point->key,
                     .repetition = ended->repetition,
                     .status = status_of(ended, results),
                     .message = message,
                     .exit_code = ended->exit_code,
                     .results = results,
                     .host_seconds = number_in(results, "host", "wall_seconds", -1),
                     .user_seconds = ended->user_seconds,
                     .peak_bytes = ended->peak_bytes,
                     .engine = engine,
                     .host = *ended->host ? ended->host : here,
                     .started = show_time(ended->started, started),
                     .ended = show_time(ended->ended, now)};
    if (ended->exit_code < 0)
        run.exit_code = strcmp(run.status, "pass") ? 1 : 0;
    if (results)
        run.statistics = digest_of_results(results);
    int good = compare_repetitions(into, &run, error);
    int is_pass = !strcmp(run.status, "pass");
    if (!is_pass)
        run.log = log;
    good = good && store_put_run(into, &run, error);
    free(message);
    if (!good)
        return COLLECTED_NOT;
    return is_pass ? COLLECTED_PASSED : COLLECTED_FAILED;
}

enum collected job_collect(const resolution *of, const spool *spool, store *into, job *ended, const char *engine,
                           char **error)
{
    json_t *results = read_results(spool, ended);
    /* Without results it may be the disk's fault and not the run's. */
    if (results ? !check_inputs(of, ended, results, error) : !spool_check_room(spool, error)) {
        if (results)
            job_remove_files(spool, ended);
        json_decref(results);
        return COLLECTED_NOT;
    }
    char *log = spool_read(spool, ended->name, ".log", LOG_BYTES, NULL);
    if (log)
        make_utf8(log);
    enum collected result = put(into, ended, results, log ? log : "", engine, error);
    if (result != COLLECTED_NOT)
        job_remove_files(spool, ended);
    free(log);
    json_decref(results);
    free(ended->complaint);
    ended->complaint = NULL;
    return result;
}
