/* SPDX-License-Identifier: MIT */
/* A program of the user whose device is a machine: what it finds in its environment, and what it leaves. */
#ifndef HD_DEVICE_RUN_H
#define HD_DEVICE_RUN_H

#include "device_process.h"
#include "machine_file.h"

typedef struct device_run {
    const char *prefix; /* of variables of the environment */
    const char *machine_name;
    const machine_file *machine;
    const char *seed; /* NULL: the usual one, as threads */
    const char *threads;
    int checks_memory;
    int checks_races;
    int profile;       /* the results have counts by place in the kernels */
    const char *stats; /* where results are to be in the end; NULL: nowhere */
    device_process process;
    char *results; /* a temporary file; there are none if it is empty */
} device_run;

/* Returns HD_EXIT_PASS when the program has ended, or HD_EXIT_USAGE after it has said why it could not be started. The results are to
 * be given to temporary_file_remove or temporary_file_rename. */
int device_run_program(device_run *run);

/* Says on stderr what has ended the program, if that is no exit code of its own. */
void device_run_print_ending(const device_run *run);

#endif
