/* SPDX-License-Identifier: MIT */
#ifndef SPGEMM_OUTER_ARGS_H
#define SPGEMM_OUTER_ARGS_H

#include "heddle_args.h"
#include "lists.h"

/* C = sum over k of column k of A times row k of B. A by columns, B by rows, C as lists of nodes. */
typedef struct spgemm_outer_args {
    hd_device_ptr a_first;   /* uint32_t[inner + 1]: where a column starts in a_rows and a_values */
    hd_device_ptr a_rows;    /* uint32_t[] */
    hd_device_ptr a_values;  /* float[] */
    hd_device_ptr b_first;   /* uint32_t[inner + 1]: where a row starts in b_columns and b_values */
    hd_device_ptr b_columns; /* uint32_t[] */
    hd_device_ptr b_values;  /* float[] */
    hd_device_ptr lists;     /* uint32_t[rows]: first node of each row of C, 0 */
    hd_device_ptr heap;      /* uint32_t[] */
    hd_device_ptr pieces;    /* merge_piece[]: of rows with more lists than a thread has room for */
    hd_device_ptr split;     /* uint32_t[]: these rows */
    hd_device_ptr counters;  /* uint32_t[COUNTERS] */
    hd_device_ptr told;      /* of tiles: 64 bytes for each */
    uint32_t inner;          /* columns of A, rows of B */
    uint32_t rows;           /* of C */
    uint32_t columns;        /* that are taken at a time */
    uint32_t heads;          /* merge_head[] of a thread: 2 at least */
    uint32_t source;         /* what is merged: items first .. end - 1 of MERGE_... */
    uint32_t first, end;
    uint32_t taken; /* value of COUNTER_ITEM when the first is taken */
} spgemm_outer_args;
HD_ARGUMENT_BLOCK(spgemm_outer_args, 80);

enum { MERGE_ROWS, MERGE_PIECES, MERGE_SPLIT };

enum {
    COUNTER_COLUMN, /* of A that is taken next */
    COUNTER_ITEM,   /* that is merged next */
    COUNTER_TOP,    /* of the heap */
    COUNTER_ASIDE,  /* the same, of nodes that are merged once more */
    COUNTER_PIECES,
    COUNTER_SPLIT,
    COUNTERS
};

/* The foremost pair of a node that has not been merged. Those of some nodes are a list, by columns. */
typedef struct merge_head {
    uint32_t next; /* address, 0 ends the list */
    uint32_t column;
    float value;
    uint32_t at, end; /* words of the heap: this pair, and the end of its node */
} merge_head;

/* Nodes of a row from this one on, as many as a thread has heads. */
typedef struct merge_piece {
    uint32_t row, node;
} merge_piece;

#endif
