/* SPDX-License-Identifier: MIT */
/* What the cores of a machine have asked of the programs that they run (analysis.h, rewrite.h), and what has come of it. */
#ifndef HD_LISTING_MACHINE_H
#define HD_LISTING_MACHINE_H

#include <stdio.h>

#include "program_registry.h"

/* A line for each change and for each table, or one that there are none. */
void listing_print_asked(const char *machine, const hd_programs_asked *asked, FILE *out);
/* The tables of a program that has done all steps: of each instruction about which there is something to say, what it is. function NULL:
 * of all. */
void listing_print_tables(const isa_program *program, const hd_programs_asked *asked, const char *function, FILE *out);

#endif
