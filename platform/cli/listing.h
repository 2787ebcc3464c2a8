/* SPDX-License-Identifier: MIT */
/* A kernel program for a person to read: functions, basic blocks, where lanes part and meet, calls, source lines. */
#ifndef HD_LISTING_H
#define HD_LISTING_H

#include <stdio.h>

#include "program.h"

/* function NULL: all of them. Returns 0 if there is no such function, or no memory. */
int listing_print(const isa_program *program, const char *function, FILE *out);

#endif
