/* SPDX-License-Identifier: MIT */
#include "sweep_execute.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "digest_map.h"
#include "run_engine.h"
#include "slurm.h"
#include "sweep_progress.h"

typedef struct execution {
    const resolution *of;
    const sweep_orders *orders;
    sweep_account *account;
    store *store;
    spool spool;
    run_engine *engine;
    job *jobs; /* still to be started, then started */
    size_t job_count;
    size_t started;
    sweep_progress progress;
} execution;

/* ---- Plan ------------------------------------------------------------------------------------------------------------ */

/* A run that is not in the store, or is to be tried again, becomes a job. */
static int plan_run(execution *at, uint32_t position, uint32_t repetition, char **error)
{
    job one;
    enum store_state state;
    job_fill(&one, at->of, position, repetition);
    if (!store_run_state(at->store, &one.point->key, repetition, &state, error))
        return 0;
    at->account->runs++;
    /* The sweep was killed after the store had it: what its files say is known. */
    if (state != STORE_MISSING)
        job_remove_files(&at->spool, &one);
    if (state == STORE_MISSING || (state == STORE_FAILED && at->orders->retry_failed)) {
        at->jobs[at->job_count++] = one;
        return 1;
    }
    at->account->had++;
    at->account->had_failed += state == STORE_FAILED;
    return 1;
}

static int plan(execution *at, char **error)
{
    const sweep *read = at->of->sweep;
    arena memory = {0};
    digest_map seen = {0};
    int good = 1;
    at->jobs = calloc((size_t)read->point_count * read->repeat + 1, sizeof *at->jobs);
    if (!at->jobs)
        abort();
    for (uint32_t p = 0; good && p < read->point_count; p++) {
        resolved_point *point = &at->of->points[p];
        if (digest_map_find(&seen, &point->key))
            continue;
        digest_map_add(&memory, &seen, &point->key, point);
        for (uint32_t r = 0; good && r < read->repeat; r++)
            good = plan_run(at, p, r, error);
    }
    arena_free(&memory);
    return good;
}

/* ---- Results --------------------------------------------------------------------------------------------------------- */

static int collect(execution *at, job *one, const char *engine, char **error)
{
    enum collected result = job_collect(at->of, &at->spool, at->store, one, engine, error);
    if (result == COLLECTED_NOT)
        return 0;
    at->account->done++;
    at->account->failed += result == COLLECTED_FAILED;
    return 1;
}

/* Runs that were complete when an earlier sweep was killed. Their files are taken; the others become the first ones. */
static int collect_leftovers(execution *at, char **error)
{
    size_t left = 0;
    int good = 1;
    for (size_t i = 0; i < at->job_count; i++) {
        job *one = &at->jobs[i];
        if (good && spool_has(&at->spool, one->name, ".json"))
            good = collect(at, one, at->engine->name, error);
        else
            at->jobs[left++] = *one;
    }
    at->job_count = left;
    return good;
}

/* Tasks of an earlier sweep that used Slurm do nothing when they begin later. */
static void forget_arrays(const execution *at)
{
    size_t count;
    slurm_array *arrays = slurm_arrays(&at->spool, &count);
    for (size_t i = 0; i < count; i++)
        slurm_forget(&at->spool, &arrays[i]);
    slurm_free_arrays(arrays, count);
}

static int open_engine(execution *at, char **error)
{
    const sweep_orders *orders = at->orders;
    if (orders->use_slurm) {
        at->engine = slurm_engine(&at->spool, orders->slurm_options, orders->slurm_option_count, orders->jobs, error);
        return at->engine != NULL;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    forget_arrays(at);
    at->engine = local_engine(&at->spool, orders->jobs ? orders->jobs : processors > 0 ? (size_t)processors : 1);
    return 1;
}

static void print_progress(execution *at)
{
    const sweep_account *account = at->account;
    sweep_progress_print(&at->progress,
                         &(sweep_state){.runs = account->runs,
                                        .had = account->had,
                                        .done = account->done,
                                        .failed = account->failed + account->had_failed,
                                        .running = at->engine->running(at->engine)},
                         job_clock());
}

static enum sweep_end run_jobs(execution *at, char **error)
{
    size_t ended = 0;
    while (ended < at->job_count) {
        if (at->orders->is_interrupted())
            return SWEEP_INTERRUPTED;
        size_t taken = at->started < at->job_count
                           ? at->engine->start(at->engine, at->jobs, at->started, at->job_count, error)
                           : 0;
        if (taken == SIZE_MAX)
            return SWEEP_STOPPED;
        at->started += taken;
        print_progress(at);
        job *one = at->engine->wait(at->engine, error);
        if (*error || (one && !collect(at, one, at->engine->name, error)))
            return SWEEP_STOPPED;
        ended += one != NULL;
    }
    return SWEEP_COMPLETE;
}

static enum sweep_end run_all(execution *at, char **error)
{
    if (!store_put_experiment(at->store, at->of, error) || !plan(at, error) || !open_engine(at, error) ||
        !collect_leftovers(at, error))
        return SWEEP_STOPPED;
    sweep_progress_begin(&at->progress, at->orders->progress, job_clock());
    enum sweep_end end = run_jobs(at, error);
    sweep_progress_end(&at->progress);
    if (end != SWEEP_COMPLETE)
        at->engine->stop(at->engine);
    return end;
}

enum sweep_end sweep_execute(const resolution *of, const sweep_orders *orders, sweep_account *account, char **error)
{
    execution at = {.of = of, .orders = orders, .account = account};
    enum sweep_end end = SWEEP_STOPPED;
    *account = (sweep_account){0};
    *error = NULL;
    at.store = store_open(orders->store, STORE_WRITE, error);
    if (at.store && spool_open(&at.spool, orders->store, error)) {
        end = run_all(&at, error);
        if (at.engine)
            at.engine->free(at.engine);
        spool_close(&at.spool, end == SWEEP_COMPLETE);
    }
    store_close(at.store);
    free(at.jobs);
    return end;
}
