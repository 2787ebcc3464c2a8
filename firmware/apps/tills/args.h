/* SPDX-License-Identifier: MIT */
#ifndef TILLS_ARGS_H
#define TILLS_ARGS_H

#include "heddle_args.h"

#define TILLS_MAX 1024u

typedef struct tills_payment {
    uint32_t from, to; /* accounts, different */
    uint32_t till;
    int32_t amount;
} tills_payment;

typedef struct tills_args {
    hd_device_ptr payments; /* [block][payment] */
    hd_device_ptr balances; /* [account] */
    hd_device_ptr receipts; /* [block][thread]: of its latest payment */
    hd_device_ptr results;  /* [block][till] */
    uint32_t tills;
    uint32_t count; /* payments of a block */
} tills_args;
HD_ARGUMENT_BLOCK(tills_args, 24);

#endif
