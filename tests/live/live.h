/* SPDX-License-Identifier: MIT */
/*
 * Nothing is declared in vain. A table per block class has a row for each of its parameters: a run, values, and what the
 * values have to change. The tests compare the tables with the declarations, in both directions, and carry every row out.
 *
 * A row     {"l1.ways", "6 | 1", "strided; core.l1.bytes=1536 B", "simt_core.l1_misses grows"}
 * values    at least two, from one to the next
 * run       a name in the folder runs, then settings as after --set, which hold for all values
 * effect    one or more of these, with "; " in between. QUANTITY is `time` of the whole run, `kernels` for the time in
 *           which one runs, KIND.NAME for a sum over all blocks of a kind (tests/system/measures.h), or /PATH of a value
 *           in stats.json
 *             QUANTITY grows | shrinks   from each value to the next
 *             QUANTITY differs           for all of them
 *             QUANTITY stays             the same for all of them
 *             refused: TEXT              the machine is refused with the last value, and TEXT says why
 *             fails: TEXT                likewise for the run
 */
#ifndef LIVE_H
#define LIVE_H

#include <stddef.h>

#include "machine_run.h"

typedef struct live_row {
    const char *parameter;
    const char *values;
    const char *run;
    const char *effect;
} live_row;

typedef struct live_table {
    const char *subject; /* "simt_core/timed", or a section of a netlist */
    const char *file;    /* where a new row goes */
    const live_row *rows;
    size_t count;
} live_table;

#define LIVE_TABLE(name, about, ...)                                                                                   \
    static const live_row name##_rows[] = {__VA_ARGS__};                                                               \
    const live_table name = {about, __FILE__, name##_rows, sizeof name##_rows / sizeof *name##_rows}

/* All of them, NULL at the end. */
extern const live_table *const live_tables[];
const live_table *live_table_of(const char *subject); /* or NULL */

/* A run by name: where, what, and with which settings, NULL at the end. */
typedef struct live_run {
    const char *name;
    const char *machine; /* path */
    const char *app;     /* folder */
    const char *sets[20];
} live_run;
extern const live_run live_runs[]; /* ended by an empty name */
/* The run that a row begins with. */
const live_run *live_run_of(const char *run);

/* A run with all of its settings, carried out once in this process. `layer` is netlist text that is laid over the
 * machine, or "". Lent. */
const machine_run *live_result(const live_run *run, const char *settings, const char *layer);
/* Frees all results. */
void live_forget(void);
/* Cuts "a; b; c" into its parts, NULL at the end; returns how many. */
size_t live_split(char *text, const char **parts, size_t room);

/* How a value of a row is set: writes settings like those of a row ("core.warps=4"), or text of a layer. */
typedef struct live_setting {
    char settings[1024];
    char layer[1024];
} live_setting;
typedef void live_setter(const live_run *run, const char *subject, const char *parameter, const char *value,
                         live_setting *setting);

/* The test fails unless the row has the effect that it says. */
void live_expect(const char *subject, const live_row *row, live_setter *set);

#endif
