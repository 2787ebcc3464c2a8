/* SPDX-License-Identifier: MIT */
/*
 * A run under gdb: a door for firmware and one for kernels, whatever of them the machine has. The run begins when the first gdb
 * says so. While one of them has the word, time stands still: the block whose instruction is next has not come back.
 *
 * A gdb that leaves or is lost takes its breakpoints with it, and the run goes on; one that kills ends it.
 */
#ifndef HD_DEBUG_DEBUGGER_H
#define HD_DEBUG_DEBUGGER_H

#include "machine.h"

typedef struct debugger debugger;

typedef struct debugger_setup {
    uint32_t port; /* of firmware; the next one is of kernels; 0: any two that are free */
    uint32_t reserved;
    const char *app; /* folder with the programs; NULL: none */
    void *context;
    uint32_t (*is_interrupted)(void *context);    /* the run is to end: nobody is waited for */
    void (*say)(void *context, const char *line); /* where to connect, who has come and gone */
} debugger_setup;

/* NULL: *error is one line for the user, to be freed. The machine is to be one of one thread. */
debugger *debugger_create(hd_machine *machine, const debugger_setup *setup, char **error);
void debugger_destroy(debugger *self);
/* Before the run: returns when a gdb has come and lets it go on. */
void debugger_begin(debugger *self);
/* As a watch of the run is asked: 1: it is to end. */
uint32_t debugger_look(debugger *self);
/* The run has ended. */
void debugger_end(debugger *self, int code);

#endif
