/* SPDX-License-Identifier: MIT */
/* A run that waits for gdb, and what it leaves behind. */
#ifndef GDB_RIG_H
#define GDB_RIG_H

#include "folder.h"
#include "process.h"
#include "stats.h"

#define MACHINE HEDDLE_MACHINES "/../variants/gtx480_firmware.yaml"
#define HARTS SYSTEM_MACHINES "/harts.yaml"
#define HARTS_FIRMWARE OWN_FIRMWARE "/four_harts.elf"
#define APP SYSTEM_APPS "/debugged"
#define STACK "core.reconvergence=stack"
#define FAULTS SYSTEM_APPS "/faults"

extern char *folder; /* of this test */

void rig_begin(void);
void rig_end(void);

typedef struct debugged_run {
    pid_t child;
    char *results;
    int firmware, kernels; /* ports; 0: there is none */
} debugged_run;

/* Waits until it is said. */
char *await_text(const char *text);
/* What runs: an app, or --firmware and a file. */
debugged_run start_of(const char *machine, const char *set, const char *what, const char *file);
debugged_run start(void);
/* A kernel that makes a mistake, on a machine whose host has no firmware. */
debugged_run start_faulty(const char *kernel);
finished finish(debugged_run *run);
/* Those of a run without gdb. app NULL: the firmware of harts alone. */
void expect_same_results(const debugged_run *run, const char *machine, const char *app);

#endif
