/* SPDX-License-Identifier: MIT */
/*
 * Private to this folder: heddle_rt.h over heddle.h. An app's host.c, linked with this library and libheddle.so, becomes a
 * program of its own that opens the machine:
 *
 *     program MACHINE.yaml APP_FOLDER [--set NAME=VALUE]... [--seed N] [--stats FILE]
 */
#ifndef HEDDLE_EMBEDDED_H
#define HEDDLE_EMBEDDED_H

#include "heddle.h"
#include "runtime_internal.h"

#define HD_EMBEDDED_QUEUES_MAX 64u

/* A copy of a queue. */
typedef struct embedded_copy {
    const uint8_t *memory;
    size_t bytes;
    heddle_event *done;
} embedded_copy;

typedef struct embedded {
    runtime rt; /* options, reports, host memory and messages, as on every host */
    heddle_machine *machine;
    heddle_queue *device_queues[HD_EMBEDDED_QUEUES_MAX];
    uint32_t queue_count;
    embedded_copy *copies; /* by number; those that have ended too */
    uint32_t copy_count;
    const char *stats; /* file for the results; NULL: none */
} embedded;

extern embedded the_host;

/* Lets what is kept of copies go. */
void embedded_release(void);
/* Ends the program if a call was refused. */
void embedded_expect(heddle_error error);

#endif
