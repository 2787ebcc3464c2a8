/* SPDX-License-Identifier: MIT */
/*
 * What a report shows, taken out of a store: one JSON object, which page/ draws and writes tables of.
 *
 *   heddle, build     version of this program
 *   store, written    name of the store's file; when this was made (UTC, ISO 8601)
 *   stacks            report_stacks.def: [{name, title, about, whole, unit, parts: [{statistic, label}]}]
 *   experiments       [{name, description, file, text, repeat, perturbed, heddle, build, updated, inputs,
 *                       axes: [{name, labels, repeats}], statistics, columns: [{statistic, unit, values}],
 *                       machines: [{name, file, digest}], points, hosts, published, failures}]
 *
 * points[i]: {choices (indices into labels), machine (index), app, seed, key, status, runs: [{host, seconds, peak}]}. The status
 * is `pass`, `missing`, or that of the first repetition that did not pass. columns[c].values[i] is the number of points[i], of
 * its first repetition that passed, or null; where repetitions differ in chance (`perturbed`), the list of those that passed. An axis `repeats` if it sets nothing but a seed: its points are the same
 * measurement with other random numbers, and are shown as a mean with an interval.
 */
#ifndef EXPLORE_REPORT_DATA_H
#define EXPLORE_REPORT_DATA_H

#include <jansson.h>

#include "store_view.h"

#define REPORT_LOG_BYTES 4096u /* of the end of a failed run's log */

typedef struct report_request {
    const char *experiment;        /* NULL: all of them */
    const char *const *statistics; /* patterns; none: those that each experiment asks for */
    size_t statistic_count;
    const char *version;      /* of this program */
    netlist_registry classes; /* for units of statistics */
} report_request;

/* NULL and *error, lines for the user, to be freed: there is no such experiment or statistic, nothing has ended yet, or the
 * store cannot be read. All of one moment, whoever writes meanwhile. */
json_t *report_data(store *opened, const report_request *request, char **error);

#endif
