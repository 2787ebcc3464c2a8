/* SPDX-License-Identifier: MIT */
/* What `heddle run` was asked to do. */
#ifndef HD_RUN_SETUP_H
#define HD_RUN_SETUP_H

#include "command.h"
#include "machine.h"
#include "machine_file.h"
#include "run_apps.h"
#include "run_checkpoint.h"
#include "sampling_results.h"
#include "series.h"
#include "trace_options.h"

typedef struct run_setup {
    hd_machine_setup machine;
    char *stats_path;  /* NULL: no results file */
    char *series_path; /* NULL: no series */
    hd_series_setup series;
    hd_sampling_setup sampling;
    const char **statistics; /* its patterns */
    int quiet;
    int has_gdb; /* the run is to be debugged, at */
    uint32_t gdb_port;
    machine_file file;      /* plug-ins only */
    const char **overrides; /* of the netlist; borrowed texts */
    run_apps apps;
    run_checkpoint checkpoint;
    trace_options trace;
} run_setup;

/* Returns HD_EXIT_PASS, or HD_EXIT_USAGE after it has said why. */
int run_setup_read(run_setup *setup, const hd_command *command, int count, char **words);
void run_setup_free(run_setup *setup);

/* Is every file that is written one of its own, and none that has been opened for reading? Returns likewise. */
int run_setup_check_outputs(const run_setup *setup);

/* Makes the folder unless it is there. Likewise. */
int results_folder_make(const char *path);

#endif
