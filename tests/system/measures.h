/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a run by name, for comparisons and identities: an array of
 *   {"block": "core", "name": "core[1]", "kind": "simt_core", "values": {NAME: integer, ...}}
 * with one element per instance of a block that has statistics, and one of kind "kernels" for all launches together.
 *
 * Names of an instance: its statistics; its parameters that are numbers; and, where the run was watched, for each port
 *   sent.PORT, received.PORT            packets on all its elements
 *   sent_bytes.PORT, received_bytes.PORT  their bytes on the wire
 *   sent.PORT.MESSAGE, received.PORT.MESSAGE  packets of one type, without the version: "sent.request.global.load"
 * A port that leads to a foreign model has no `received`. Names of kernels: launches, blocks, threads.
 */
#ifndef SYSTEM_MEASURES_H
#define SYSTEM_MEASURES_H

#include <jansson.h>
#include <stdint.h>

/* Of a results file: statistics and parameters, the whole run. A new reference. */
json_t *measures_of_results(const json_t *stats);
/* Of kernel `index` of a results file: an element per block, all its instances together. */
json_t *measures_of_kernel(const json_t *stats, size_t index);

/* The element of an instance, "core[1]"; every block counts as an array here. NULL if there is none. */
json_t *measure_find(const json_t *measures, const char *block, size_t instance);

/* Sum of a name over all instances of a kind. Returns 0 if there is none, or one of them has no such name. */
int measures_sum(const json_t *measures, const char *kind, const char *name, uint64_t *sum);
/* A name of one element, "prefix*" for the sum of all that begin so. Returns 0 if it has none. */
int measure_of(const json_t *element, const char *name, uint64_t *value);

#endif
