/* SPDX-License-Identifier: MIT */
#include "run_points.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "run_engine.h"
#include "sweep_progress.h"
#include "text.h"

typedef struct point_runs {
    const resolution *of;
    const run_orders *orders;
    outcome *outcomes;
    spool spool;
    run_engine *engine;
    job *jobs;
    size_t count;
    sweep_state state;
    sweep_progress progress;
} point_runs;

static char *make_folder(char **error)
{
    const char *parent = getenv("TMPDIR");
    char *folder = hd_text_format("%s/heddle-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder))
        return folder;
    *error = hd_text_format("error: %s: no folder can be made there: %s\n", folder, strerror(errno));
    free(folder);
    return NULL;
}

/* The first point with the inputs of this one. */
static uint32_t first_like(const resolution *of, uint32_t point)
{
    for (uint32_t p = 0; p < point; p++)
        if (!strcmp(of->points[p].key.text, of->points[point].key.text))
            return p;
    return point;
}

static void plan(point_runs *at)
{
    const uint32_t points = at->of->sweep->point_count, repeat = at->of->sweep->repeat;
    at->jobs = calloc((size_t)points * repeat + 1, sizeof *at->jobs);
    if (!at->jobs)
        abort();
    for (uint32_t r = 0; r < repeat; r++)
        for (uint32_t p = 0; p < points; p++)
            if (first_like(at->of, p) == p)
                job_fill(&at->jobs[at->count++], at->of, p, r);
    at->state.runs = at->count;
}

static outcome *outcome_of(const point_runs *at, uint32_t point, uint32_t repetition)
{
    return &at->outcomes[(size_t)point * at->of->sweep->repeat + repetition];
}

static void take(point_runs *at, job *ended)
{
    outcome *result = outcome_of(at, ended->position, ended->repetition);
    *result = outcome_read(&at->spool, ended);
    at->state.done++;
    at->state.failed += !result->is_pass;
    job_remove_files(&at->spool, ended);
    free(ended->complaint);
    ended->complaint = NULL;
}

static enum points_end run_jobs(point_runs *at, char **error)
{
    size_t started = 0;
    while (at->state.done < at->count) {
        if (at->orders->is_interrupted())
            return POINTS_INTERRUPTED;
        size_t taken = started < at->count ? at->engine->start(at->engine, at->jobs, started, at->count, error) : 0;
        if (taken == SIZE_MAX)
            return POINTS_STOPPED;
        started += taken;
        at->state.running = at->engine->running(at->engine);
        sweep_progress_print(&at->progress, &at->state, job_clock());
        job *ended = at->engine->wait(at->engine, error);
        if (*error)
            return POINTS_STOPPED;
        if (ended)
            take(at, ended);
    }
    return POINTS_DONE;
}

static enum points_end run_all(point_runs *at, char **error)
{
    plan(at);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = at->orders->jobs ? at->orders->jobs : processors > 0 ? (size_t)processors : 1;
    at->engine = local_engine(&at->spool, jobs);
    sweep_progress_begin(&at->progress, at->orders->progress, job_clock());
    enum points_end end = run_jobs(at, error);
    sweep_progress_end(&at->progress);
    if (end != POINTS_DONE)
        at->engine->stop(at->engine);
    at->engine->free(at->engine);
    return end;
}

/* A run of the same inputs is the same run. */
static void share(point_runs *at)
{
    for (uint32_t p = 0; p < at->of->sweep->point_count; p++) {
        const uint32_t first = first_like(at->of, p);
        for (uint32_t r = 0; first != p && r < at->of->sweep->repeat; r++)
            *outcome_of(at, p, r) = outcome_copy(outcome_of(at, first, r));
    }
}

enum points_end run_points(const resolution *of, const run_orders *orders, outcome *outcomes, char **error)
{
    point_runs at = {.of = of, .orders = orders, .outcomes = outcomes};
    enum points_end end = POINTS_STOPPED;
    memset(outcomes, 0, (size_t)of->sweep->point_count * of->sweep->repeat * sizeof *outcomes);
    *error = NULL;
    char *folder = make_folder(error);
    if (!folder)
        return POINTS_STOPPED;
    char *store = hd_text_format("%s/runs", folder);
    if (spool_open(&at.spool, store, error)) {
        end = run_all(&at, error);
        spool_close(&at.spool, 1);
    }
    if (end == POINTS_DONE)
        share(&at);
    rmdir(folder);
    free(store);
    free(folder);
    free(at.jobs);
    return end;
}
