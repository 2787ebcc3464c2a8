/* SPDX-License-Identifier: MIT */
/* What a machine might do to its programs, at random places. */
#ifndef TEST_RANDOM_CHANGES_H
#define TEST_RANDOM_CHANGES_H

#include "analysis.h"
#include "rewrite.h"

/* The random numbers of what follows. */
void random_changes_begin(uint64_t seed);

/* Puts up to three instructions that do nothing before every third instruction or so. */
extern const isa_transform random_nops;

/* "reconvergence", some instructions later than where lanes could meet, as far as the code goes straight on and has no instruction
 * for which lanes have to be together. */
extern const isa_analysis later_reconvergence;

#endif
