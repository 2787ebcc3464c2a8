/* SPDX-License-Identifier: MIT */
#ifndef ATM_ARGS_H
#define ATM_ARGS_H

#include "heddle_args.h"

typedef struct atm_transfer {
    uint32_t from;
    uint32_t to; /* another account */
    uint32_t amount;
} atm_transfer;

typedef struct atm_args {
    hd_device_ptr transfers; /* atm_transfer[count] */
    hd_device_ptr balances;  /* int32_t[accounts]; an account may be overdrawn, so transfers commute */
    hd_device_ptr locks;     /* uint32_t[accounts], 0 */
    uint32_t count;
} atm_args;
HD_ARGUMENT_BLOCK(atm_args, 16);

#endif
