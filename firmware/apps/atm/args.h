/* SPDX-License-Identifier: MIT */
#ifndef ATM_ARGS_H
#define ATM_ARGS_H

#include "common/granule.h"
#include "heddle_args.h"

typedef struct atm_transfer {
    uint32_t from;
    uint32_t to; /* another account */
    uint32_t amount;
} atm_transfer;

/* Words from one balance to the next. */
#define ATM_PACKED 1u
#define ATM_PADDED (GRANULE_BYTES / (uint32_t)sizeof(int32_t))

typedef struct atm_args {
    hd_device_ptr transfers; /* atm_transfer[count] */
    hd_device_ptr balances;  /* int32_t, one for each account; it may be overdrawn, so transfers commute */
    hd_device_ptr locks;     /* uint32_t[accounts], 0; the first is also the one for all */
    uint32_t count;
} atm_args;
HD_ARGUMENT_BLOCK(atm_args, 16);

#endif
