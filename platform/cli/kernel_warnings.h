/* SPDX-License-Identifier: MIT */
/* What isa_lint finds, as warnings for the user. */
#ifndef HD_KERNEL_WARNINGS_H
#define HD_KERNEL_WARNINGS_H

#include <stdio.h>

#include "netlist.h"
#include "program.h"

/* One line for each that concerns this machine; machine NULL: all. Returns how many there are. */
uint32_t kernel_warnings_print(const isa_program *program, const netlist *machine, FILE *out);

#endif
