/* SPDX-License-Identifier: MIT */
#ifndef SPGEMM_ROW_ARGS_H
#define SPGEMM_ROW_ARGS_H

#include "../spgemm_outer/lists.h"
#include "heddle_args.h"

/* Row i of C = sum over the elements (i, k) of A, times row k of B (Gustavson 1978). Both by rows, C as lists of one node for each row. */
typedef struct spgemm_row_args {
    hd_device_ptr a_first;   /* uint32_t[rows + 1] */
    hd_device_ptr a_columns; /* uint32_t[] */
    hd_device_ptr a_values;  /* float[] */
    hd_device_ptr b_first;   /* uint32_t[] */
    hd_device_ptr b_columns; /* uint32_t[] */
    hd_device_ptr b_values;  /* float[] */
    hd_device_ptr lists;     /* uint32_t[rows]: the node of each row of C, 0 */
    hd_device_ptr heap;      /* uint32_t[] */
    hd_device_ptr tables;    /* row_slot[blocks][table_slots], 0: of rows that the scratchpad has no room for */
    hd_device_ptr counters;  /* uint32_t[COUNTERS] */
    uint32_t rows;
    uint32_t columns;     /* of C */
    uint32_t table_slots; /* of a block in memory, a power of two; 0: no row needs it */
    uint32_t slots;       /* of a block in the scratchpad, a power of two */
} spgemm_row_args;
HD_ARGUMENT_BLOCK(spgemm_row_args, 56);

enum { COUNTER_ROW, COUNTER_TOP, COUNTERS };

/* Of a hash table of the columns of one row. */
typedef struct row_slot {
    uint32_t key; /* column + 1; 0: empty */
    float value;
} row_slot;

/* Slots of a table for so many columns: a power of two, half of them empty at least. */
static inline uint32_t row_slots(uint32_t columns)
{
    uint32_t slots = 2;
    while (slots < 2 * columns)
        slots *= 2;
    return slots;
}

#endif
