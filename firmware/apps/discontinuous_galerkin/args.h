/* SPDX-License-Identifier: MIT */
#ifndef DISCONTINUOUS_GALERKIN_ARGS_H
#define DISCONTINUOUS_GALERKIN_ARGS_H

#include "heddle_args.h"

typedef struct discontinuous_galerkin_args {
    hd_device_ptr field;      /* float[elements][nodes] */
    hd_device_ptr derivative; /* float[nodes][nodes], by columns: [from][to] */
    hd_device_ptr lift;       /* float[faces][nodes], by columns: what a jump at the border does to a node */
    hd_device_ptr neighbours; /* uint32_t[elements][faces]: numbers in the field */
    hd_device_ptr rates;      /* float[elements][nodes] */
    uint32_t elements, nodes, faces;
} discontinuous_galerkin_args;
HD_ARGUMENT_BLOCK(discontinuous_galerkin_args, 32);

#endif
