/* SPDX-License-Identifier: MIT */
/* What isa_lint finds, as warnings for the user. */
#ifndef HD_KERNEL_WARNINGS_H
#define HD_KERNEL_WARNINGS_H

#include <stdio.h>

#include "lint.h"
#include "netlist.h"

/* One line for each of these findings. */
void kernel_warnings_print(const isa_program *program, const isa_finding *findings, uint32_t count, FILE *out);

/* One line for each that concerns this machine and leaves no doubt. */
void kernel_warnings_print_for(const isa_program *program, const netlist *machine, FILE *out);

#endif
