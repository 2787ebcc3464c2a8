/* SPDX-License-Identifier: MIT */
/*
 * Address traces. A text file, one access in a line, in the order in which a generator makes them:
 *
 *     GENERATOR CYCLE load|store|atomic ADDRESS BYTES      # up to the end of the line: a comment
 *
 * GENERATOR is the index of a generator, or * for all of them. CYCLE counts from the start of the run in cycles of the
 * generator's clock; the access does not leave before, and cycles of one generator never decrease. ADDRESS is physical,
 * decimal or 0x...; BYTES is 1 to 128, all in one line of 128 bytes, and 4 at a multiple of 4 for an atomic. Words are
 * parted by blanks. Empty lines are allowed.
 */
#ifndef TRAFFIC_GENERATOR_TRACE_H
#define TRAFFIC_GENERATOR_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum traffic_operation { OPERATION_LOAD, OPERATION_STORE, OPERATION_ATOMIC };

typedef struct trace_access {
    uint64_t cycle;
    uint64_t address; /* HD_GLOBAL_BASE .. HD_PHYSICAL_CONTEXT_BASE */
    uint32_t bytes;
    uint32_t operation; /* OPERATION_* */
} trace_access;

typedef struct trace {
    trace_access *accesses;
    size_t count;
} trace;

/* The accesses of generator `index` of `count`. The whole text is checked, those of others too. Returns 1; or 0 and one
 * line in error, "NAME:LINE: ...". Accesses are freed by trace_free either way. */
int trace_parse(trace *trace, const char *name, const char *text, size_t length, uint32_t index, uint32_t count,
                char *error, size_t error_bytes);
/* The same of a file. */
int trace_read(trace *trace, const char *path, uint32_t index, uint32_t count, char *error, size_t error_bytes);
void trace_free(trace *trace);

#endif
