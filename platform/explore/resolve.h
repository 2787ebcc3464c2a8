/* SPDX-License-Identifier: MIT */
/*
 * From the points of a sweep to runs whose every input is known: the machine with all its values, the app with its files
 * and options, the seed, and the program that simulates. What is wrong with any of them is found here, before anything runs.
 */
#ifndef EXPLORE_RESOLVE_H
#define EXPLORE_RESOLVE_H

#include <jansson.h>
#include <sys/stat.h>

#include "digest_map.h"
#include "host.h"
#include "opencl_app.h"
#include "sha256.h"
#include "state_file.h"
#include "sweep.h"

/* What a sweep finds around it. */
typedef struct sweep_world {
    netlist_registry built_in;
    const netlist_plugin_request *plugins; /* besides those of the machines */
    size_t plugin_count;
    /* The folder of a built app, to be freed; NULL after it has said on stderr why there is none. */
    char *(*app_folder)(const char *app);
    const char *version; /* of heddle */
    FILE *errors;        /* where it is said what is wrong */
} sweep_world;

typedef struct resolved_machine {
    const char *path; /* from the working directory */
    const char *name;
    const netlist_setting *settings; /* those of the netlist */
    uint32_t setting_count;
    const char *json; /* resolved */
    digest digest;
    digest files;            /* of what its plug-ins and the files that its blocks read have */
    uint32_t is_self_driven; /* it needs no app */
    uint32_t is_perturbed;   /* repetitions differ: each has its own seed, RESOLVED_SEED in json */
} resolved_machine;

#define RESOLVED_NO_APP "none" /* its name */

/* Stands for the seed of perturb where it is that of the repetition, counted from 1. */
#define RESOLVED_SEED "repetition"

typedef struct resolved_app {
    const char *given;
    const char *folder; /* NULL: there is none, and the machine makes work of its own */
    const char *name;
    const node *options;         /* declared; NULL if there is no app.yaml */
    const node *variants;        /* likewise */
    const hd_opencl_app *opencl; /* NULL: it is no OpenCL program */
    digest files;                /* of host.so and kernel.elf; of an OpenCL program, its file and its inputs */
} resolved_app;

/* One that runs beside it. */
typedef struct resolved_beside {
    const resolved_app *app;
    const hd_host_option *options;
    uint32_t option_count;
} resolved_beside;

#define RESOLVED_BESIDE_MAX (HD_HOST_PROGRAMS_MAX - 1)

/* A point, or points: they have the same inputs if their keys are the same. */
typedef struct resolved_point {
    const resolved_machine *machine;
    const resolved_app *app;
    const hd_host_option *options; /* as given in the sweep, with those of a variant */
    uint32_t option_count;
    uint64_t seed;
    uint32_t with_count;
    resolved_beside with[RESOLVED_BESIDE_MAX];
    const char *app_names; /* of all apps, "bfs, vecadd" */
    const char *inputs;    /* of the app, all of them, as JSON; those of apps beside it as "app2.NAME" */
    digest key;
    const char *from;       /* checkpoint that it goes on from; NULL: none */
    uint32_t from_settings; /* of the machine's, the first so many are the checkpoint's */
} resolved_point;

/* The file that simulates, and what would tell that it is another one. */
typedef struct program_file {
    const char *path;
    digest digest;
    struct stat about;
} program_file;

/* A statistic that the sweep names, or one of the two of a quotient. */
typedef struct wanted_statistic {
    const char *pattern;
    span at;
    uint8_t is_one;   /* no pattern: it is of a quotient, or published */
    uint8_t is_known; /* some machine has it */
} wanted_statistic;

typedef struct resolution {
    arena memory;
    sweep *sweep;
    const sweep_world *world;
    program_file program;
    state_file from;       /* all zero: none */
    const char *from_path; /* from the root */
    uint32_t from_settings;
    resolved_point *points; /* of the sweep, in its order */
    digest_map machines;    /* what was resolved already */
    digest_map apps;
    wanted_statistic *wanted; /* all that the sweep names, published ones too */
    uint32_t wanted_count;
    candidates statistics; /* of all machines */
    candidates maxima;     /* of these those of kind HD_STATISTIC_MAXIMUM */
    uint32_t has_energy;   /* some machine has an energy table */
    diagnostics log;
} resolution;

/* Returns 1; or 0 after it has said what is wrong. The sweep gets what its checkpoint says. */
int resolution_make(resolution *result, sweep *of, const sweep_world *world);
void resolution_free(resolution *result);

/* ---- resolve_from.c --------------------------------------------------------------------------------------------------- */

/* Reads the checkpoint of the sweep, if there is one: what it says is said by the sweep, before all else. 0 after a report. */
int resolve_from(resolution *at);
/* How a point goes on from it. */
void resolve_from_point(const resolution *at, resolved_point *point);

/* ---- resolve_machine.c, resolve_app.c: NULL after a report. -------------------------------------------------------- */

/* What a path is set to at a point, NULL if it is not set. */
const netlist_setting *resolve_setting(const resolution *at, uint32_t point, const char *path);
const resolved_machine *resolve_machine(resolution *at, uint32_t point);
/* As json of resolved_machine, from what results say of the machine that ran; RESOLVED_SEED in place of `seed`, if that is
 * not 0. To be freed. */
char *resolve_machine_text(const json_t *machine, uint64_t seed);
/* What runs on that machine; of one that needs no app, RESOLVED_NO_APP unless the sweep names one. */
const resolved_app *resolve_app(resolution *at, uint32_t point, const resolved_machine *machine);
/* Fills with and app_names. 0 after a report. */
int resolve_beside(resolution *at, uint32_t point, resolved_point *result);
/* Fills options and inputs. */
int resolve_options(resolution *at, uint32_t point, resolved_point *result);

/* Is a path one of the netlist (0), or of an option of that app? */
int resolve_belongs(const char *path, uint32_t to_app);
/* The settings of a point in their order, those of the whole sweep first; of the netlist (0), or of an app's options: app (1), app2
 * (2) and so on. */
uint32_t resolve_settings(resolution *at, uint32_t point, uint32_t app, const netlist_setting **settings);

/* Lists the statistics that the sweep names. */
void want_statistics(resolution *at);
/* Marks those that a machine has. */
void resolve_statistics(resolution *at, const netlist *machine);
/* Reports those that no machine has, and patterns where there is to be one. */
int check_statistics(resolution *at);

/* "relative to the file of the sweep", if the path has a '/'. */
const char *resolve_path(resolution *at, const node *value);

/* ---- identity.c ---------------------------------------------------------------------------------------------------- */

/* The file of which this function is a part. Returns 1, or 0 if it cannot be read. */
int program_file_find(program_file *result, arena *memory);
/* Is it still the same? */
int program_file_is_same(const program_file *program);
/* Of all files that belong to it. Returns 1; or 0 and errno, and *file, to be freed: what cannot be read. */
int digest_of_app(const resolved_app *app, digest *result, char **file);
/* Of its plug-ins, and of files that its blocks read. */
digest digest_of_machine_files(const netlist *machine);
/* Of all inputs of a run. */
digest digest_of_inputs(const resolution *at, const resolved_point *point);

#endif
