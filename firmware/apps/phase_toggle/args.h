/* SPDX-License-Identifier: MIT */
#ifndef PHASE_TOGGLE_ARGS_H
#define PHASE_TOGGLE_ARGS_H

#include "heddle_args.h"

typedef struct phase_toggle_args {
    hd_device_ptr chain;   /* uint32_t[words]: from each link the next one; all are in one ring */
    hd_device_ptr links;   /* uint32_t[threads]: where each thread has got to */
    hd_device_ptr numbers; /* float[threads] */
    uint32_t words;
    uint32_t phases;
    uint32_t memory_steps;
    uint32_t float_steps;
    uint32_t skew;
} phase_toggle_args;
HD_ARGUMENT_BLOCK(phase_toggle_args, 32);

#define PHASE_TOGGLE_NUMBERS 4u /* that do not wait for each other */

/* Is the phase of this block one of memory? Else it is one of floats. */
static inline uint32_t phase_toggle_is_memory(uint32_t block, uint32_t phase, uint32_t skew)
{
    return ((skew ? block / skew : 0) + phase) % 2 == 0;
}

static inline float phase_toggle_step(float number)
{
    return number * 0.75f + 0.5f;
}

#endif
