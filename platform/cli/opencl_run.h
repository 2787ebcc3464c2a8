/* SPDX-License-Identifier: MIT */
/* A program of the user whose OpenCL device is a machine: what it finds in its environment, and what it leaves. */
#ifndef HD_OPENCL_RUN_H
#define HD_OPENCL_RUN_H

#include "machine_file.h"
#include "opencl_process.h"

typedef struct opencl_run {
    const char *machine_name;
    const machine_file *machine;
    const char *seed; /* NULL: the usual one, as threads */
    const char *threads;
    int checks_memory;
    int checks_races;
    const char *stats; /* where results are to be in the end; NULL: nowhere */
    opencl_process process;
    char *results; /* a temporary file; there are none if it is empty */
} opencl_run;

/* Returns HD_EXIT_PASS when the program has ended, or HD_EXIT_USAGE after it has said why it could not be started. The results are to
 * be given to temporary_file_remove or temporary_file_rename. */
int opencl_run_program(opencl_run *run);

/* Says on stderr what has ended the program, if that is no exit code of its own. */
void opencl_run_print_ending(const opencl_run *run);

#endif
