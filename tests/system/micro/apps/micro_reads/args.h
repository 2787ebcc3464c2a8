/* SPDX-License-Identifier: MIT */
#ifndef MICRO_READS_ARGS_H
#define MICRO_READS_ARGS_H

#include "heddle_args.h"

#define MICRO_READS_LOADS 256  /* of a round, of every lane a word */
#define MICRO_READS_BYTES 2048 /* from the first of a lane to its last, and a lane's word */

typedef struct micro_reads_args {
    hd_device_ptr start; /* null: the scratchpad, which is all zero then */
    hd_device_ptr sums;  /* uint32_t[threads]: of what the last loads brought */
    uint32_t rounds;
    uint32_t stride; /* words from a lane to the next */
} micro_reads_args;
HD_ARGUMENT_BLOCK(micro_reads_args, 16);

#endif
