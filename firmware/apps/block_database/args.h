/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_DATABASE_ARGS_H
#define BLOCK_DATABASE_ARGS_H

#include "heddle_args.h"

#define RECORDS_MAX 1024u
#define RECORDS_READ 4u
#define VALUE_BITS 10u /* of what is added */

/* Words of an operation: records 0 and 1, 2 and 3, ascending; what is added to two of them: value | is_odd << VALUE_BITS. */
enum { OPERATION_LOW, OPERATION_HIGH, OPERATION_UPDATE, OPERATION_WORDS };

/* In the scratchpad: records, then their locks. */
typedef struct block_database_args {
    hd_device_ptr operations; /* [OPERATION_WORDS][block][operation] */
    hd_device_ptr sums;       /* [block][operation]: of what it has read */
    hd_device_ptr results;    /* [block][record] */
    uint32_t records;
    uint32_t operation_count; /* of a block */
} block_database_args;
HD_ARGUMENT_BLOCK(block_database_args, 20);

#endif
