/* SPDX-License-Identifier: MIT */
/* A hart alone: its memory is an array, and time does not exist. */
#ifndef TESTS_VEC_CORE_RIG_H
#define TESTS_VEC_CORE_RIG_H

#include "vec_hart.h"

#define RIG_BASE 0x10000000u

typedef struct rig {
    vec_hart hart;
    vec_plan plan;
    uint8_t *memory;
    uint32_t bytes;
    uint64_t accesses; /* lines so far */
} rig;

void rig_open(rig *r, uint32_t bits, uint32_t bytes);
void rig_close(rig *r);
/* VEC_NO_CAUSE, or the cause of an exception, which has changed nothing. */
uint32_t rig_step(rig *r, uint32_t word);
/* The instruction at pc. */
uint32_t rig_step_at_pc(rig *r);
/* The thread goes to a core of other vectors, as an operating system moves it. forced: although it may not. 0: refused. */
uint32_t rig_move(rig *r, uint32_t bits, uint32_t forced);

#endif
