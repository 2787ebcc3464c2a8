/* SPDX-License-Identifier: MIT */
#ifndef BACK_PROPAGATION_ARGS_H
#define BACK_PROPAGATION_ARGS_H

#include "heddle_args.h"

enum { BACK_PROPAGATION_UNITS = 16 }; /* of the hidden layer; a block has as many inputs, and a thread for each pair */

#define BACK_PROPAGATION_RATE 0.25f
#define BACK_PROPAGATION_MOMENTUM 0.5f

typedef struct back_propagation_args {
    hd_device_ptr inputs;  /* float[input_count] */
    hd_device_ptr weights; /* float[input_count][BACK_PROPAGATION_UNITS] */
    hd_device_ptr
        sums; /* float[input_count / BACK_PROPAGATION_UNITS][BACK_PROPAGATION_UNITS]: of inputs times weights */
    hd_device_ptr errors;  /* float[BACK_PROPAGATION_UNITS] */
    hd_device_ptr changes; /* float[input_count][BACK_PROPAGATION_UNITS]: the last of each weight */
} back_propagation_args;
HD_ARGUMENT_BLOCK(back_propagation_args, 20);

#endif
