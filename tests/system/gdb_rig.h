/* SPDX-License-Identifier: MIT */
/* A run that waits for gdb, and what it leaves behind. */
#ifndef GDB_RIG_H
#define GDB_RIG_H

#include "folder.h"
#include "process.h"
#include "stats.h"

#define MACHINE HEDDLE_MACHINES "/../variants/gtx480_firmware.yaml"
#define HARTS SYSTEM_MACHINES "/harts.yaml"
#define MISTAKES_FIRMWARE OWN_FIRMWARE "/mistakes.elf"
#define HARTS_FIRMWARE OWN_FIRMWARE "/four_harts.elf"
#define APP SYSTEM_APPS "/debugged"
#define STACK "core.reconvergence=stack"
#define FAULTS SYSTEM_APPS "/faults"
#define WATCHED SYSTEM_APPS "/watched"
#define WATCHED_SCRATCHPAD SYSTEM_APPS "/watched_scratchpad"

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
debugged_run start_faulty(const char *machine, const char *kernel);
/* A session with it, if it is misaligned_access. */
void expect_fault_session(debugged_run *run);
/* What gdb shows in a session of this script at the port. said: by the run, for gdb's user. */
char *transcript_of(int port, const char *script, const char *elf, const char *said);
/* A session with kernels by sessions/NAME.gdb, whose transcript is NAME.txt; the run passes. */
void expect_kernel_session(const debugged_run *run, const char *name, const char *elf);
finished finish(debugged_run *run);
/* Of an app on a machine whose host has no firmware, with one option. */
debugged_run start_kernels(const char *machine, const char *app, const char *set);
/* Those of a run without gdb. app NULL: the firmware of harts alone. set: NULL: nothing */
void expect_same_results(const debugged_run *run, const char *machine, const char *app, const char *set);

#endif
