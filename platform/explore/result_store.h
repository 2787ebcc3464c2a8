/* SPDX-License-Identifier: MIT */
/*
 * The results of sweeps in one SQLite file. docs/sweeps.md describes its tables.
 *
 * A store holds experiments by name: their points, the inputs of each, and the runs of those inputs. Inputs are known by the
 * digest of everything that decides about a run, so that a point that another experiment or an earlier state of the file
 * had as well finds its run there. One process writes, any number read.
 */
#ifndef EXPLORE_RESULT_STORE_H
#define EXPLORE_RESULT_STORE_H

#include <stdint.h>
#include <stdio.h>

#include "resolve.h"

#define STORE_APPLICATION 0x48444C45 /* "HDLE": application_id of SQLite's header */
#define STORE_VERSION 1              /* user_version of it */

typedef struct store store;

enum store_use { STORE_WRITE, STORE_READ };

/* STORE_WRITE makes the file if there is none. NULL and *error, lines for the user, to be freed. */
store *store_open(const char *path, enum store_use use, char **error);
/* NULL is allowed. */
void store_close(store *opened);

/* Each of these returns 1; or 0 and *error, lines for the user, to be freed, and the store is as it was before. */

/* The experiment as it is now takes the place of what the store had by that name. Runs stay. */
int store_put_experiment(store *opened, const resolution *of, char **error);

enum store_state { STORE_MISSING, STORE_PASSED, STORE_FAILED };
int store_run_state(store *opened, const digest *key, uint32_t repetition, enum store_state *state, char **error);

/* The digest of the statistics of any other repetition of those inputs that passed; "" if there is none. */
int store_other_digest(store *opened, const digest *key, uint32_t repetition, digest *other, char **error);

/* A run that ended. Texts in UTF-8; NULL where nothing is known. */
struct json_t;
typedef struct store_run {
    digest key;
    uint32_t repetition; /* from 0 */
    const char *status;  /* as in stats.json; or "crash", "error": no results; "differs": from another repetition */
    const char *message;
    int exit_code; /* or 128 + signal */
    const char *log;
    const struct json_t *results;    /* what stats.json holds */
    const struct candidates *maxima; /* BLOCK.STATISTIC of those that are maxima; NULL: none */
    digest statistics;               /* of them without what is about the host; "" if there are none */
    double host_seconds;             /* below 0: not known; so with the next two */
    double user_seconds;
    double peak_bytes;
    const char *engine; /* "local", "slurm" */
    const char *host;
    const char *started; /* UTC, ISO 8601 */
    const char *ended;
} store_run;

/* In place of what there was of that run. */
int store_put_run(store *opened, const store_run *run, char **error);

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

typedef struct store_view {
    const char *experiment;        /* NULL: the only one */
    const char *const *statistics; /* patterns; none: those that the experiment asks for */
    size_t statistic_count;
    int with_host; /* columns about time and place as well, of single runs */
    int with_runs; /* single runs, even if they differ in chance alone */
} store_view;

/* A row per point and repetition, with a head, as comma-separated values (RFC 4180, but lines end in \n). Where repetitions differ in
 * chance, a row per point: how many of its runs passed, and of each statistic their mean, and under NAME.ci95 half of
 * its interval of 95 %, empty for a single run; unless the view is of single runs. */
int store_write_csv(store *opened, const store_view *view, FILE *out, char **error);
/* The runs that failed, each with its message and its log. */
int store_write_failures(store *opened, const store_view *view, FILE *out, char **error);

#endif
