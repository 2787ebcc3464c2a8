/* SPDX-License-Identifier: MIT */
/* A kernel program as it is after one of the first steps of loading (loading.h): what is in the file, and what is known of it. */
#ifndef HD_LISTING_STEPS_H
#define HD_LISTING_STEPS_H

#include <stdio.h>

#include "loading.h"

/* The program has done this step and no later one. function NULL: all of them, and segments, sections and symbols. Returns 0 if there
 * is no such function. After ISA_STEP_ANALYSE: listing_print. */
int listing_print_step(const isa_program *program, enum isa_step step, const char *function, FILE *out);

#endif
