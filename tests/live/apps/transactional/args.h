/* SPDX-License-Identifier: MIT */
#ifndef TRANSACTIONAL_ARGS_H
#define TRANSACTIONAL_ARGS_H

#include "heddle_args.h"

#define DATA_WORDS 8192u

typedef struct transactional_args {
    hd_device_ptr data;
    uint32_t mask;   /* words in use - 1 */
    uint32_t spread; /* words from one to the next */
    uint32_t rounds;
    uint32_t accesses; /* of a transaction */
    uint32_t aborts;   /* one thread of so many gives its first attempt up; 0: none */
} transactional_args;
HD_ARGUMENT_BLOCK(transactional_args, 24);

#endif
