/* SPDX-License-Identifier: MIT */
#include "slurm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define WAIT_NANOSECONDS 200000000
#define ASK_SECONDS 2.0       /* between two questions about what is alive */
#define PATIENCE_SECONDS 30.0 /* without an answer from Slurm */
#define GONE_SECONDS                                                                                                   \
    10.0 /* Slurm does not know a task any more, and its exit code is not there: shared file systems
                              * take a while */

typedef struct slurm_job {
    uint32_t is_under_way;
    uint32_t is_alive; /* when Slurm was asked last */
    double missed;     /* since when it is neither alive nor over; 0: it is not */
} slurm_job;

typedef struct slurm_run {
    run_engine engine; /* first: what the caller holds */
    const spool *spool;
    const char *const *options;
    size_t option_count;
    size_t throttle;
    uint32_t largest;
    slurm_array *arrays;
    size_t array_count;
    job *jobs;
    size_t job_count;
    slurm_job *states;
    double asked;
    double answered;
    uint32_t submitted; /* arrays, by this sweep */
} slurm_run;

static size_t running(const run_engine *self)
{
    const slurm_run *slurm = (const slurm_run *)self;
    size_t count = 0;
    for (size_t i = 0; i < slurm->job_count; i++)
        count += slurm->states[i].is_under_way;
    return count;
}

static size_t job_index(const slurm_run *slurm, const char *name)
{
    size_t i = 0;
    while (i < slurm->job_count && strcmp(slurm->jobs[i].name, name) != 0)
        i++;
    return i;
}

static const slurm_array *find_array(const slurm_run *slurm, const char *name)
{
    for (size_t i = 0; i < slurm->array_count; i++)
        if (!strcmp(slurm->arrays[i].name, name))
            return &slurm->arrays[i];
    return NULL;
}

/* Asks which tasks are alive. */
static int query(slurm_run *slurm, char **error)
{
    slurm_tasks alive;
    slurm->asked = job_clock();
    if (!slurm_list(slurm->arrays, slurm->array_count, &alive, error))
        return 0;
    slurm->answered = job_clock();
    for (size_t i = 0; i < slurm->job_count; i++)
        slurm->states[i].is_alive = 0;
    for (size_t i = 0; i < alive.count; i++) {
        const slurm_array *array = find_array(slurm, alive.tasks[i].array);
        uint32_t index = 0;
        while (array && array->tasks[index] && index < alive.tasks[i].index)
            index++;
        size_t one = array && array->tasks[index] ? job_index(slurm, array->tasks[index]) : slurm->job_count;
        if (one < slurm->job_count)
            slurm->states[one].is_alive = 1;
    }
    free(alive.tasks);
    for (size_t i = 0; i < slurm->job_count; i++) {
        slurm_job *state = &slurm->states[i];
        if (state->is_alive)
            state->missed = 0;
        else if (state->is_under_way && !state->missed)
            state->missed = slurm->answered;
    }
    return 1;
}

/* ---- Start ----------------------------------------------------------------------------------------------------------- */

/* What an earlier sweep has submitted and is not over goes on. All else of it is forgotten. */
static int take_up(slurm_run *slurm, char **error)
{
    slurm->arrays = slurm_arrays(slurm->spool, &slurm->array_count);
    if (!query(slurm, error))
        return 0;
    size_t kept = 0;
    for (size_t a = 0; a < slurm->array_count; a++) {
        uint32_t alive = 0;
        for (char **task = slurm->arrays[a].tasks; *task; task++) {
            size_t one = job_index(slurm, *task);
            if (one == slurm->job_count || !slurm->states[one].is_alive)
                continue;
            slurm->states[one].is_under_way = 1;
            alive++;
        }
        if (alive) {
            slurm->arrays[kept++] = slurm->arrays[a];
        } else {
            slurm_forget(slurm->spool, &slurm->arrays[a]);
            spool_free_names(slurm->arrays[a].tasks);
        }
    }
    slurm->array_count = kept;
    return 1;
}

/* Of this process and no other: a sweep that is taken up again must not mistake one for another. */
static void name_array(slurm_run *slurm, slurm_array *array)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    char *text = hd_text_format("%s %s %ld %lld %u", slurm->spool->folder, host, (long)getpid(), (long long)time(NULL),
                                slurm->submitted++);
    digest digest = digest_of_text(text);
    snprintf(array->name, sizeof array->name, "heddle-%.16s", digest.text);
    free(text);
}

static slurm_array *add_array(slurm_run *slurm)
{
    slurm->arrays = realloc(slurm->arrays, (slurm->array_count + 1) * sizeof *slurm->arrays);
    if (!slurm->arrays)
        abort();
    slurm_array *array = &slurm->arrays[slurm->array_count++];
    name_array(slurm, array);
    array->tasks = calloc(slurm->largest + 1, sizeof *array->tasks);
    if (!array->tasks)
        abort();
    return array;
}

/* The next jobs that are not under way, as one array. Returns how many there were, or SIZE_MAX. */
static size_t submit_next(slurm_run *slurm, char **error)
{
    size_t count = 0;
    slurm_array *array = NULL;
    for (size_t i = 0; i < slurm->job_count && count < slurm->largest; i++) {
        if (slurm->states[i].is_under_way)
            continue;
        array = array ? array : add_array(slurm);
        if (!slurm_write_task(slurm->spool, &slurm->jobs[i], error))
            return SIZE_MAX;
        array->tasks[count++] = hd_text_format("%s", slurm->jobs[i].name);
        slurm->states[i].is_under_way = 1;
    }
    if (array && !slurm_submit(slurm->spool, array, slurm->options, slurm->option_count, slurm->throttle, error)) {
        slurm_forget(slurm->spool, array);
        return SIZE_MAX;
    }
    return count;
}

/* Takes all jobs at once. */
static size_t start(run_engine *self, job *jobs, size_t first, size_t count, char **error)
{
    slurm_run *slurm = (slurm_run *)self;
    size_t submitted;
    if (slurm->jobs)
        return 0;
    slurm->jobs = jobs;
    slurm->job_count = count;
    slurm->states = calloc(count + 1, sizeof *slurm->states);
    if (!slurm->states)
        abort();
    if (!take_up(slurm, error))
        return SIZE_MAX;
    do
        submitted = submit_next(slurm, error);
    while (submitted && submitted != SIZE_MAX);
    slurm->answered = job_clock();
    return submitted == SIZE_MAX ? SIZE_MAX : count - first;
}

/* ---- Wait ------------------------------------------------------------------------------------------------------------ */

static job *take(slurm_run *slurm, size_t index)
{
    job *one = &slurm->jobs[index];
    long long started = 0, ended = 0;
    char *text = spool_read(slurm->spool, one->name, ".exit", 256, NULL);
    slurm->states[index].is_under_way = 0;
    one->exit_code = -1;
    one->user_seconds = one->peak_bytes = -1;
    if (text)
        sscanf(text, "%d %lld %lld %63s", &one->exit_code, &started, &ended, one->host);
    one->started = (time_t)started;
    one->ended = (time_t)ended;
    free(text);
    return one;
}

static job *find_ended(slurm_run *slurm)
{
    char **names = spool_list(slurm->spool, ".exit");
    job *found = NULL;
    for (char **name = names; *name && !found; name++) {
        size_t index = job_index(slurm, *name);
        if (index < slurm->job_count && slurm->states[index].is_under_way)
            found = take(slurm, index);
    }
    spool_free_names(names);
    return found;
}

/* What Slurm itself printed into the task's file: why it was cancelled, for one. */
static char *words_of_task(const slurm_run *slurm, const char *job)
{
    for (size_t a = 0; a < slurm->array_count; a++)
        for (size_t task = 0; slurm->arrays[a].tasks[task]; task++) {
            if (strcmp(slurm->arrays[a].tasks[task], job) != 0)
                continue;
            char *name = hd_text_format("%s-%zu", slurm->arrays[a].name, task);
            char *words = spool_read(slurm->spool, name, ".out", 4096, NULL);
            free(name);
            return words;
        }
    return NULL;
}

/* A task that Slurm does not know any more and that has left no exit code was cancelled, ran out of time, or its machine
 * is gone. */
static job *find_lost(slurm_run *slurm)
{
    for (size_t i = 0; i < slurm->job_count; i++) {
        const slurm_job *state = &slurm->states[i];
        if (!state->is_under_way || !state->missed || slurm->answered - state->missed < GONE_SECONDS)
            continue;
        job *one = take(slurm, i);
        char *words = words_of_task(slurm, one->name);
        one->complaint = hd_text_format("Slurm ended it%s%s", words && *words ? ": " : "", words ? words : "");
        free(words);
        return one;
    }
    return NULL;
}

/* Slurm may be away for a while; jobs go on without it. */
static void ask_again(slurm_run *slurm, char **error)
{
    char *failure = NULL;
    if (job_clock() - slurm->asked < ASK_SECONDS)
        return;
    if (!query(slurm, &failure) && job_clock() - slurm->answered >= PATIENCE_SECONDS)
        *error = failure;
    else
        free(failure);
}

static job *wait_for(run_engine *self, char **error)
{
    slurm_run *slurm = (slurm_run *)self;
    const struct timespec a_while = {.tv_nsec = WAIT_NANOSECONDS};
    job *one = find_ended(slurm);
    if (one)
        return one;
    ask_again(slurm, error);
    one = find_ended(slurm);
    if (!one)
        one = find_lost(slurm);
    if (!one)
        nanosleep(&a_while, NULL);
    return one;
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

static void stop(run_engine *self)
{
    const slurm_run *slurm = (const slurm_run *)self;
    if (!running(self))
        return;
    fputs("note: the runs go on in Slurm; the same command collects them, and this ends them: scancel", stderr);
    for (size_t i = 0; i < slurm->array_count; i++)
        fprintf(stderr, "%s%s", i ? "," : " --name=", slurm->arrays[i].name);
    fputc('\n', stderr);
}

static void free_engine(run_engine *self)
{
    slurm_run *slurm = (slurm_run *)self;
    for (size_t i = 0; i < slurm->array_count && !running(self); i++)
        slurm_forget(slurm->spool, &slurm->arrays[i]);
    slurm_free_arrays(slurm->arrays, slurm->array_count);
    free(slurm->states);
    free(slurm);
}

run_engine *slurm_engine(const spool *spool, const char *const *options, size_t option_count, size_t tasks,
                         char **error)
{
    slurm_run *slurm = calloc(1, sizeof *slurm);
    if (!slurm)
        abort();
    *slurm = (slurm_run){
        .engine =
            {.name = "slurm", .start = start, .wait = wait_for, .running = running, .stop = stop, .free = free_engine},
        .spool = spool,
        .options = options,
        .option_count = option_count,
        .throttle = tasks};
    if (slurm_largest(&slurm->largest, error))
        return &slurm->engine;
    free(slurm);
    return NULL;
}
