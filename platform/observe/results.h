/* SPDX-License-Identifier: MIT */
/*
 * The results of a run, for people and for programs. docs/statistics.md describes the file.
 */
#ifndef HD_RESULTS_H
#define HD_RESULTS_H

#include <stdint.h>
#include <stdio.h>

#include "hd_queue.h"
#include "host.h"
#include "memory_checker.h"
#include "race_checker.h"
#include "sampling_results.h"
#include "statistics.h"
#include "transaction_checker.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_RESULTS_SCHEMA "heddle.stats"
#define HD_RESULTS_VERSION 1

/* One of several apps that ran at a time. */
typedef struct hd_results_app {
    const char *name;
    const hd_host_option *options; /* as given */
    const hd_host_option *inputs;  /* as hd_results.inputs */
    uint32_t option_count;
    uint32_t input_count;
    const char *status; /* "pass", "fail", "error", "unfinished" */
    const char *message;
    hd_time ended; /* HD_NEVER: it has not */
    uint32_t module;
    uint32_t report_count;
    const hd_host_report *reports;
} hd_results_app;

/* Everything but `host` is a function of netlist, app, options and seed. Borrowed. */
typedef struct hd_results {
    const hd_statistics *statistics;
    const char *app;               /* NULL: a run without one */
    const hd_host_option *options; /* as given */
    uint32_t option_count;
    uint32_t partial;             /* 1: the host program did not come to its end */
    const hd_host_option *inputs; /* all of the app's options, those not given with their defaults; may be NULL */
    uint32_t input_count;
    uint64_t seed;
    const char *status;  /* "pass", ... */
    const char *message; /* why; "" = nothing to say */
    hd_time simulated;
    const hd_host_launch *launches;
    uint32_t launch_count;
    uint32_t report_count;
    const hd_host_report *reports;
    uint32_t app_count; /* 0: there is but one app */
    hd_results_app apps[HD_HOST_PROGRAMS_MAX];
    uint32_t queue_apps[HD_QUEUES_MAX];    /* whose queue it is, by number; only of several apps */
    /* It goes on from a checkpoint with other values than were there before: "path=value" each. 0: no. */
    uint32_t changed_count;
    const char *const *changed;
    hd_time changed_at;
    const hd_transaction_checks *checks;   /* NULL: transactions were not checked */
    const hd_memory_checks *memory_checks; /* NULL: not checked, as races */
    const hd_race_checks *race_checks;
    const hd_sampling_results *sampling; /* NULL: all was simulated in detail */
    const struct hd_program_profile *profile; /* NULL: nobody asked */
    const struct hd_program_profile *counted; /* likewise, or needed for the statistics of apps */
    struct {
        double seconds; /* of the host's time, in the run */
        const char *tlm;
        uint32_t threads;
        uint64_t transport_calls;
    } host;
} hd_results;

/*
 * What the time of the run went into: exclusive parts that add up to the total. A moment with a kernel and a transfer is
 * overlap, and neither of both; a kernel or a transfer goes before a launch, that before the host.
 */
typedef struct hd_time_split {
    hd_time total; /* results.simulated */
    hd_time host;  /* none of the others: it computes, or waits for nothing but links */
    hd_time transfer;
    hd_time launch; /* a descriptor is fetched, waits for its start, or its completion is told */
    hd_time kernel;
    hd_time overlap;
} hd_time_split;

/* Returns 0 for a run without an app, and a machine without a command processor. time_split.c */
uint32_t hd_results_time(const hd_results *results, hd_time_split *split);
/* The rows of the summary. */
void hd_results_print_time(const hd_results *results, FILE *out);

/* ---- Several apps: summary_apps.c -------------------------------------------------------------------------------------- */

/* Whose launch it is; NULL: there is but one app. */
const hd_results_app *hd_results_app_of(const hd_results *results, const hd_host_launch *launch);
/* Cycles of the command processor, summed over the app's complete launches. */
uint64_t hd_results_app_cycles(const hd_results *results, uint32_t app);
/* A line for each. */
void hd_results_apps(const hd_results *results, FILE *out);

/* ---- stats.json --------------------------------------------------------------------------------------------------- */

/* A new reference. */
struct json_t;
struct json_t *hd_results_json(const hd_results *results);

/* Can a file be written there? Returns 1; or 0 and *error, text to be freed. Leaves nothing behind. */
uint32_t hd_results_file_check(const char *path, char **error);
/* Writes under another name in the same folder, then renames. Likewise. */
uint32_t hd_results_file_write(const char *path, const hd_results *results, char **error);
/* The same with any text. */
uint32_t hd_results_text_write(const char *path, const char *text, char **error);

/* ---- summary.c ---------------------------------------------------------------------------------------------------- */

/* PASS or FAIL, and of what; then a page. */
void hd_results_headline(const hd_results *results, FILE *out);
void hd_results_summary(const hd_results *results, FILE *out);
/* The part of it that is about generated traffic; nothing if there is none. */
void hd_results_traffic(const hd_results *results, FILE *out);

/* Estimates of a sampled run; nothing if it is none. */
void hd_sampling_summary(const hd_results *results, FILE *out);

/* What checkers have seen; nothing if they were not asked. */
void hd_results_checks(const hd_results *results, FILE *out);

/* What became of transactions; nothing if none began. */
void hd_results_transactions(const hd_results *results, FILE *out);

/* How much of the work was spinning; nothing if no core looked for it. */
void hd_results_spinning(const hd_results *results, FILE *out);

/* Energy and power; nothing if the machine has no energy table. */
void hd_results_energy(const hd_results *results, FILE *out);

/* Area and power of what the machine adds; nothing if nothing is known of it. */
void hd_results_estimate(const hd_results *results, FILE *out);

/* ---- quantity.c --------------------------------------------------------------------------------------------------- */

#define HD_QUANTITY_BYTES 32u

/* Into text of HD_QUANTITY_BYTES, which is returned: "12.35 us", "1,234,567", "12.3 MB", "3.14 M". */
const char *hd_print_time(char *text, hd_time t);
const char *hd_print_count(char *text, uint64_t count);
const char *hd_print_bytes(char *text, double bytes);
const char *hd_print_rate(char *text, double per_second);
const char *hd_print_energy(char *text, uint64_t femtojoules);

#ifdef __cplusplus
}
#endif

#endif
