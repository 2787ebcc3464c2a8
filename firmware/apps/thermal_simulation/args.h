/* SPDX-License-Identifier: MIT */
#ifndef THERMAL_SIMULATION_ARGS_H
#define THERMAL_SIMULATION_ARGS_H

#include "heddle_args.h"

enum { THERMAL_SIMULATION_TILE = 16 }; /* a thread per cell of it; each step makes it smaller by one on all sides */

typedef struct thermal_simulation_args {
    hd_device_ptr power; /* float[rows][columns] */
    hd_device_ptr from;  /* float[rows][columns]: temperatures */
    hd_device_ptr to;
    uint32_t columns, rows;
    uint32_t steps;
} thermal_simulation_args;
HD_ARGUMENT_BLOCK(thermal_simulation_args, 24);

/* A cell after a step: heat flows from its neighbours in y, in x, and to the air. */
static inline float thermal_simulation_cell(float own, float power, float up, float down, float left, float right)
{
    return own + 0.125f * (power + (up + down - 2 * own) * 0.75f + (left + right - 2 * own) * 0.5f - own * 0.0625f);
}

#endif
