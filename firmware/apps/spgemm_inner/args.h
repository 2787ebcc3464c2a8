/* SPDX-License-Identifier: MIT */
#ifndef SPGEMM_INNER_ARGS_H
#define SPGEMM_INNER_ARGS_H

#include "../spgemm_outer/lists.h"
#include "heddle_args.h"

/* Each element of C is row i of A times column j of B. A by rows, B by columns, C as lists of one node for each row. */
typedef struct spgemm_inner_args {
    hd_device_ptr a_first;   /* uint32_t[rows + 1] */
    hd_device_ptr a_columns; /* uint32_t[] */
    hd_device_ptr a_values;  /* float[] */
    hd_device_ptr b_first;   /* uint32_t[columns + 1] */
    hd_device_ptr b_rows;    /* uint32_t[] */
    hd_device_ptr b_values;  /* float[] */
    hd_device_ptr lists;     /* uint32_t[rows]: the node of each row of C, 0 */
    hd_device_ptr heap;      /* uint32_t[] */
    hd_device_ptr counters;  /* uint32_t[COUNTERS] */
    uint32_t rows;
    uint32_t columns; /* of C */
} spgemm_inner_args;
HD_ARGUMENT_BLOCK(spgemm_inner_args, 44);

enum { COUNTER_ROW, COUNTER_TOP, COUNTERS };

#endif
