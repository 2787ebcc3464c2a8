/* SPDX-License-Identifier: MIT */
/* What a program's environment says of its OpenCL device; `heddle opencl` sets it. */
#ifndef OPENCL_ENVIRONMENT_H
#define OPENCL_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

#define OPENCL_VARIABLE_MACHINE "HEDDLE_OPENCL_MACHINE" /* file or name */
#define OPENCL_VARIABLE_FOLDER                                                                                         \
    "HEDDLE_OPENCL_FOLDER" /* from which files are named in the others; not set: the working directory */
#define OPENCL_VARIABLE_SET "HEDDLE_OPENCL_SET"         /* PATH=VALUE, a line each */
#define OPENCL_VARIABLE_PLUGINS "HEDDLE_OPENCL_PLUGINS" /* files, a line each */
#define OPENCL_VARIABLE_STATS "HEDDLE_OPENCL_STATS"     /* file for results */
#define OPENCL_VARIABLE_SEED "HEDDLE_OPENCL_SEED"
#define OPENCL_VARIABLE_THREADS "HEDDLE_OPENCL_THREADS"
#define OPENCL_VARIABLE_CHECK "HEDDLE_OPENCL_CHECK" /* "memory", "races", or both */

typedef struct environment_list {
    const char **texts;
    size_t count;
    char *memory;
} environment_list;

typedef struct opencl_environment {
    const char *machine;
    const char *program; /* for results */
    const char *folder;  /* NULL: the working directory */
    environment_list sets;
    environment_list plugins;
    uint64_t seed;
    uint32_t threads;
    int checks_memory;
    int checks_races;
} opencl_environment;

/* A variable that is not set leaves 0, and the machine the standard one. */
void environment_read(opencl_environment *read, const char *standard_machine);
void environment_free(opencl_environment *gone);
/* NULL: nobody wants results. */
const char *environment_results(void);

#endif
