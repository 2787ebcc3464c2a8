/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_VACATION_ARGS_H
#define BLOCK_VACATION_ARGS_H

#include "heddle_args.h"

#define TABLES 3u
#define ROWS_MAX 256u
#define ROW_BITS 10u
#define CHOICES 4u /* rows of a table that a client looks at */

/* In the scratchpad: prices of rows [table][row], how often each is booked, and their locks. */
typedef struct block_vacation_args {
    hd_device_ptr prices;  /* [table][row], with the row, of all tables, in the low ROW_BITS; then as many zeros */
    hd_device_ptr choices; /* [table][block][client]: rows, bytes, ascending */
    hd_device_ptr booked;  /* [block][client]: a bit for each table, if there was room */
    hd_device_ptr results; /* [block]: prices, bookings */
    uint32_t rows;         /* of a table */
    uint32_t capacity;     /* bookings of a row, at most */
    uint32_t client_count; /* of a block */
} block_vacation_args;
HD_ARGUMENT_BLOCK(block_vacation_args, 28);

#endif
