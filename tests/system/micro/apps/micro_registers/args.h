/* SPDX-License-Identifier: MIT */
#ifndef MICRO_REGISTERS_ARGS_H
#define MICRO_REGISTERS_ARGS_H

#include "heddle_args.h"

#define MICRO_REGISTERS_TIMED 240 /* independent operations between the readings of the counter */

/* Source registers; those of one bank are so for any number of banks that divides the distance of their numbers. */
enum micro_registers_sources {
    MICRO_FMA_APART, /* f0, f1, f2 */
    MICRO_FMA_TWO,   /* f0, f2, f4 */
    MICRO_FMA_FOUR,  /* f0, f4, f8 */
    MICRO_MUL_APART, /* f0, f1 */
    MICRO_MUL_TWO,   /* f0, f2 */
    MICRO_MUL_FOUR,  /* f0, f4 */
    MICRO_MUL_16,    /* f0, f16 */
    MICRO_REGISTERS_SOURCES
};

typedef struct micro_registers_args {
    hd_device_ptr result; /* the two readings by thread 0 */
    uint32_t sources;     /* one of those */
} micro_registers_args;
HD_ARGUMENT_BLOCK(micro_registers_args, 8);

#endif
