/* SPDX-License-Identifier: MIT */
#ifndef SPMV_ARGS_H
#define SPMV_ARGS_H

#include "heddle_args.h"

/* y = A x, A as compressed sparse rows: the elements of a row lie behind one another. */
typedef struct spmv_args {
    hd_device_ptr first;   /* uint32_t[rows + 1]: where a row starts in columns and values */
    hd_device_ptr columns; /* uint32_t[elements] */
    hd_device_ptr values;  /* float[elements] */
    hd_device_ptr x, y;    /* float[rows] */
    uint32_t rows;
} spmv_args;
HD_ARGUMENT_BLOCK(spmv_args, 24);

#endif
