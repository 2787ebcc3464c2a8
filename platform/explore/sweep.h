/* SPDX-License-Identifier: MIT */
/*
 * A sweep: a YAML file that says which runs make up an experiment.
 *
 *   sweep: 1                    version of the format, required
 *   name, description           of the experiment; name is required: a letter, then letters, digits, '_' and '-'
 *   extends: FILE               has the points of that sweep, its set, axes and exclude, in the place of its own; what it does not say of repeat and
 *                               statistics is that sweep's, too. FILE is relative to this file and extends none
 *   from: FILE                  a checkpoint that every run goes on from (state_file.h), relative to this file: machine, app, options and seed are its own,
 *                               and what the sweep sets are values that the machine has from there on
 *   set: {PATH: VALUE}          holds for every point, unless an axis sets the same
 *   axes: COMBINATION           every key is an axis, each of its values with each of the others'
 *     PATH: [VALUE, ...]          an axis over one path, of that name
 *     NAME: {LABEL: {PATH: VALUE}}  an axis whose every value sets several paths
 *     zip: COMBINATION            its parts go in step: first with first, second with second
 *     product: COMBINATION        each with each, within zip
 *   repeat: N                   runs of each point, 1 unless given
 *   exclude: [{AXIS: LABEL or [LABEL, ...]}]  points that are left out; of one that extends: besides those
 *   statistics: [PATTERN]       what is shown of a run unless more is asked for; cycles unless given. "A / B" is a quotient of two: quotient.h
 *   published: [{statistic, value, at: {AXIS: LABEL}, relative_to: {AXIS: LABEL}, source}]  numbers of others
 *
 * PATH      machine (a netlist, or the name of one: machine_names.h), app, with (apps that run beside it, "bfs, vecadd", or
 *           none), seed, app.OPTION, app.variant, app2.OPTION (of the first of `with`), or what
 *           `heddle run --set` takes. Paths of machines and apps that have a '/' are relative to the file that they are in.
 * VALUE     a single value; in the list of an axis also a range {from, to, step} or {from, to, times} of whole numbers, of
 *           any unit: {from: 4 KiB, to: 64 KiB, times: 2}
 * COMBINATION  a mapping as above, or a list of them
 */
#ifndef EXPLORE_SWEEP_H
#define EXPLORE_SWEEP_H

#include <stdint.h>

#include "loader.h"
#include "netlist.h"

#define SWEEP_FORMAT_VERSION 1u
#define SWEEP_POINTS_MAX 100000u
#define SWEEP_AXES_MAX 64u
#define SWEEP_CHOICES_MAX 10000u /* of one axis */
#define SWEEP_REPEAT_MAX 1000u

enum sweep_error {
#define SWEEP_ERROR(number, name, meaning) SWEEP_ERROR_##name = REPORTED_SWEEP_ERROR + number,
#include "errors.def"
#undef SWEEP_ERROR
};

/* The meaning of error S`number` in one line, or NULL. */
const char *sweep_error_meaning(uint32_t number);
/* As netlist_list_errors, for "S0?", and "R0?" of store_errors.def. */
size_t sweep_list_errors(const char *pattern, enum text_format format, FILE *out);

/* One value of an axis. */
typedef struct sweep_choice {
    const char *label;
    const node *place;
    const netlist_setting *settings;
    uint32_t count;
} sweep_choice;

typedef struct sweep_axis {
    const char *name;
    const node *place;
    const sweep_choice *choices;
    uint32_t count;
} sweep_axis;

/* A number that somebody else published. */
typedef struct sweep_published {
    const node *statistic;
    double value;
    const char *source;          /* "" if none */
    const uint32_t *at;          /* a choice of each axis, or NETLIST_NONE: any */
    const uint32_t *relative_to; /* likewise; NULL: the value is absolute */
} sweep_published;

typedef struct sweep {
    arena memory;
    const source *file;
    const char *path;
    const char *name;
    const char *description;
    const node *root;
    const node *from; /* NULL: runs begin at 0 */
    const netlist_setting *common;
    uint32_t common_count;
    uint32_t repeat;
    const sweep_axis *axes;
    uint32_t axis_count;
    uint32_t point_count;
    const uint32_t *picks;         /* point p takes choice picks[p * axis_count + a] of axis a */
    const uint32_t *sorted;        /* points in some order of their picks; NULL if nothing is published */
    const node *const *statistics; /* patterns */
    uint32_t statistic_count;
    uint32_t published_count;
    const sweep_published *published;
} sweep;

/* Reads and expands. Returns 1; or 0 and *errors, the whole text for the user, to be freed. */
int sweep_read(sweep *result, const char *path, char **errors);
/* The same for a text that is given; for tests. */
int sweep_parse(sweep *result, const char *path, const char *text, size_t length, char **errors);
void sweep_free(sweep *read);

/* The index of a name, or NETLIST_NONE. */
uint32_t sweep_axis_index(const sweep *read, const char *name);
uint32_t sweep_choice_index(const sweep_axis *axis, const char *label);

/* Is a published number about a point? */
int sweep_published_is_of(const sweep *read, const sweep_published *number, uint32_t point);
/* The point that differs from another one only in what the number is relative to; NETLIST_NONE if the sweep has none. */
uint32_t sweep_published_base(const sweep *read, const sweep_published *number, uint32_t point);

/* A value that is a path, from the file that it is in. */
const char *sweep_path_beside(arena *memory, const node *value);

/* "core.scheduler=gto seed=1": a point as one line, to be freed. */
char *sweep_point_text(const sweep *read, uint32_t point);

#endif
