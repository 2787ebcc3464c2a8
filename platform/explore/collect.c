/* SPDX-License-Identifier: MIT */
#include "collect.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outcome.h"
#include "text.h"

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

static int has_changed(const resolved_app *app)
{
    digest files;
    char *missing = NULL;
    const int is_same = !app->folder || (digest_of_app(app, &files, &missing) && !strcmp(files.text, app->files.text));
    free(missing);
    return !is_same;
}

/* Are they those of the inputs that the sweep has looked at? Files may change while it runs. */
static int check_inputs(const resolution *of, const job *ended, const json_t *results, char **error)
{
    const resolved_point *point = ended->point;
    const char *changed = NULL;
    char *machine = resolve_machine_text(json_object_get(results, "machine"),
                                         point->machine->is_perturbed ? ended->repetition + 1 : 0);
    digest found = digest_of_text(machine);
    free(machine);
    if (strcmp(found.text, point->machine->digest.text) != 0)
        changed = point->machine->path;
    else if (has_changed(point->app))
        changed = point->app->folder;
    else if (!program_file_is_same(&of->program))
        changed = of->program.path;
    for (uint32_t i = 0; !changed && i < point->with_count; i++)
        changed = has_changed(point->with[i].app) ? point->with[i].app->folder : NULL;
    if (!changed)
        return 1;
    *error =
        hd_text_format("error: %s has changed since the sweep began: start it again\n%s", changed,
                       point->app->opencl && changed == point->app->folder
                           ? "note: if the program writes files there, 'inputs' of its app.yaml names those that it "
                             "reads\n"
                           : "");
    return 0;
}

static double number_in(const json_t *results, const char *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(json_object_get(results, object), key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static char *print_time(time_t seconds, char *text)
{
    struct tm when;
    if (!seconds)
        return NULL;
    strftime(text, TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &when));
    return text;
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

static enum collected put(store *into, const job *ended, const outcome *left, const candidates *maxima,
                          const char *engine, char **error)
{
    char started[TIME_BYTES], now[TIME_BYTES], here[64] = "";
    gethostname(here, sizeof here - 1);
    store_run run = {.key = ended->point->key,
                     .repetition = ended->repetition,
                     .status = left->status,
                     .message = left->message,
                     .exit_code = ended->exit_code,
                     .results = left->results,
                     .maxima = maxima,
                     .host_seconds = number_in(left->results, "host", "wall_seconds", -1),
                     .user_seconds = ended->user_seconds,
                     .peak_bytes = ended->peak_bytes,
                     .engine = engine,
                     .host = *ended->host ? ended->host : here,
                     .started = print_time(ended->started, started),
                     .ended = print_time(ended->ended, now)};
    if (ended->exit_code < 0)
        run.exit_code = left->is_pass ? 0 : 1;
    if (left->results)
        run.statistics = digest_of_results(left->results);
    int good = ended->point->machine->is_perturbed || compare_repetitions(into, &run, error);
    int is_pass = !strcmp(run.status, "pass");
    if (!is_pass)
        run.log = left->log;
    if (!good || !store_put_run(into, &run, error))
        return COLLECTED_NOT;
    return is_pass ? COLLECTED_PASSED : COLLECTED_FAILED;
}

enum collected job_collect(const resolution *of, const spool *spool, store *into, job *ended, const char *engine,
                           char **error)
{
    outcome left = outcome_read(spool, ended);
    enum collected result = COLLECTED_NOT;
    /* Without results it may be the disk's fault and not the run's. */
    int is_good = left.results ? check_inputs(of, ended, left.results, error) : spool_check_room(spool, error);
    if (is_good)
        result = put(into, ended, &left, &of->maxima, engine, error);
    if (is_good ? result != COLLECTED_NOT : left.results != NULL)
        job_remove_files(spool, ended);
    outcome_free(&left);
    if (result != COLLECTED_NOT) {
        free(ended->complaint);
        ended->complaint = NULL;
    }
    return result;
}
