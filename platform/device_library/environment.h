/* SPDX-License-Identifier: MIT */
/*
 * What a program's environment says of its device; `heddle opencl` and `heddle cuda` set it. Each kind of device has variables of its own:
 * those that begin with its prefix, "HEDDLE_OPENCL".
 */
#ifndef DEVICE_LIBRARY_ENVIRONMENT_H
#define DEVICE_LIBRARY_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

/* What follows the prefix. */
#define ENVIRONMENT_MACHINE "_MACHINE" /* file or name */
#define ENVIRONMENT_FOLDER "_FOLDER"   /* from which files are named in the others; not set: the working directory */
#define ENVIRONMENT_SET "_SET"         /* PATH=VALUE, a line each */
#define ENVIRONMENT_PLUGINS "_PLUGINS" /* files, a line each */
#define ENVIRONMENT_STATS "_STATS"     /* file for results */
#define ENVIRONMENT_SEED "_SEED"
#define ENVIRONMENT_THREADS "_THREADS"
#define ENVIRONMENT_CHECK "_CHECK"     /* "memory", "races", or both */
#define ENVIRONMENT_PROFILE "_PROFILE" /* not empty: results have counts by place in the kernels */

typedef struct environment_list {
    const char **texts;
    size_t count;
    char *memory;
} environment_list;

typedef struct device_environment {
    const char *machine;
    const char *program; /* for results */
    const char *folder;  /* NULL: the working directory */
    environment_list sets;
    environment_list plugins;
    uint64_t seed;
    uint32_t threads;
    int checks_memory;
    int checks_races;
    int profile;
} device_environment;

/* A variable that is not set leaves 0, and the machine the standard one. */
void environment_read(device_environment *read, const char *prefix, const char *standard_machine);
void environment_free(device_environment *gone);
/* The file for results; NULL: nobody wants them. */
const char *environment_results(const char *prefix);
/* For programs that are started from here on. */
void environment_set(const char *prefix, const char *name, const char *value);

#endif
