/* SPDX-License-Identifier: MIT */
/* Between the files that read an energy table. */
#ifndef NETLIST_ENERGY_PARTS_H
#define NETLIST_ENERGY_PARTS_H

#include "energy.h"
#include "loader.h"

/* The table's file, checked for its shape; NULL after errors. */
const node *netlist_energy_file(loader *state, const node *asked, const char **path);
/* What it says, for the machine of the draft. */
void netlist_energy_values(loader *state, const draft *work, const node *root, netlist_energy *table);

#endif
