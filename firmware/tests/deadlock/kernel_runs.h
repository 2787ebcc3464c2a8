/* SPDX-License-Identifier: MIT */
/* What each kernel of kernels.c is run with, and what it has done when it has run to its end. */
#ifndef DEADLOCK_KERNEL_RUNS_H
#define DEADLOCK_KERNEL_RUNS_H

#include "core_rig.h"

#define RUN_LANES 8u
#define RUN_ARGUMENTS (DATA + 0x7000u) /* where start.S reads them */

typedef struct kernel_run {
    const char *name;
    uint32_t arguments[8];
    uint32_t threads;
    void (*prepare)(core_rig *rig); /* of memory, which is all 0; NULL: nothing */
    int (*is_right)(core_rig *rig); /* is the result what it has to be? */
    /* What becomes of it at -O0, -O1 and -O2 on a stack, the taken side first and the other one first: 'o' ends, 'D' does not,
     * 'F' is a mistake of the program. */
    const char *taken, *not_taken;
    uint32_t less_by_thread; /* what the sixth argument is less for each thread */
    uint32_t switched; /* instructions of its warps at -O2 with ssde=virtual, the taken side first; 0: not compared */
} kernel_run;

extern const kernel_run kernel_runs[];
extern const uint32_t kernel_run_count;

#endif
