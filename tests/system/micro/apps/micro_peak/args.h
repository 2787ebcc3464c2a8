/* SPDX-License-Identifier: MIT */
#ifndef MICRO_PEAK_ARGS_H
#define MICRO_PEAK_ARGS_H

#include "heddle_args.h"

#define MICRO_PEAK_ADDS 48 /* of a round; none needs what another of its round makes */

typedef struct micro_peak_args {
    hd_device_ptr sums; /* uint32_t[threads] */
    uint32_t rounds;
} micro_peak_args;
HD_ARGUMENT_BLOCK(micro_peak_args, 8);

#endif
