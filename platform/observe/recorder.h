/* SPDX-License-Identifier: MIT */
/*
 * Traces of a run as files: for the Perfetto UI (native protobuf) and as VCD for GTKWave. docs/tracing.md describes both.
 *
 * A recorder is told trace events (hd_tracer) and kernels, chooses what is looked at, and writes it. The bytes depend on
 * netlist, app, options and seed only.
 */
#ifndef HD_RECORDER_H
#define HD_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_RECORDER_LIMIT_STANDARD (UINT64_C(256) << 20)

typedef struct hd_recorder hd_recorder;

/* Texts are borrowed until the recorder is destroyed. Patterns: '*' is any text, '?' any character. */
typedef struct hd_recorder_options {
    const char *machine;      /* its name */
    const char *perfetto;     /* path, or NULL */
    const char *vcd;          /* likewise; one of the two */
    const char *const *units; /* patterns of tracks, "core[3]/warp*"; what lies below belongs to it; none: all */
    size_t unit_count;
    const char *const *events; /* patterns of event names; none: all that are no detail */
    size_t event_count;
    const char *const
        *kernels; /* only while one of these runs: numbers of launches, or patterns of names; none: always */
    size_t kernel_count;
    hd_time from;         /* only from here */
    hd_time to;           /* and before this; HD_NEVER: to the end */
    uint64_t limit;       /* bytes of a file at which the trace ends; 0: none */
    uint32_t picoseconds; /* Perfetto: a picosecond is shown as a nanosecond, instead of rounding down to nanoseconds */
    uint32_t reserved;
} hd_recorder_options;

/* Can the files be written? Returns 1; or 0 and *error, a line to be freed. Leaves nothing behind. */
uint32_t hd_recorder_check(const hd_recorder_options *options, char **error);

hd_recorder *hd_recorder_create(const hd_recorder_options *options);
/* Gives up files that are not finished. NULL is allowed. */
void hd_recorder_destroy(hd_recorder *recorder);
/* For hd_observer.tracer. Lives as long as the recorder. */
const hd_tracer *hd_recorder_tracer(hd_recorder *recorder);
/* After the machine was built: a pattern that names none of its tracks, or none of its events, or NULL. *what: which. */
const char *hd_recorder_useless(const hd_recorder *recorder, const char **what);
/* A kernel begins or ends at t; nothing earlier follows. */
void hd_recorder_kernel(hd_recorder *recorder, uint32_t launch, const char *name, uint32_t begins, hd_time t);
/* After the machine was built: it will be told powers. */
void hd_recorder_expect_power(hd_recorder *recorder);
/* The mean power up to t of a category of energy, or of all; nothing earlier follows. */
void hd_recorder_power(hd_recorder *recorder, const char *name, uint64_t milliwatts, hd_time t);
/* The run has come to t, and may go on without being traced: what has not ended ends there, and the files are put in place. Returns 1; or 0 and *error, lines to
 * be freed. *note: a line to be freed that the user should know, or NULL. */
uint32_t hd_recorder_finish(hd_recorder *recorder, hd_time t, char **note, char **error);

#ifdef __cplusplus
}
#endif

#endif
