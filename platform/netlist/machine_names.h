/* SPDX-License-Identifier: MIT */
/*
 * Machines by name. A word without '/' that does not end in .yaml or .yml is the name of a machine: that of a file NAME.yaml
 * in one of these folders:
 *
 *   1. the folder of the file in which the name stands (a sweep, or a machine that extends it); on the command line, and in
 *      heddle.h, the working directory. Here a file NAME without extension counts as well
 *   2. the folder `machines` in that folder
 *   3. the folders of the variable HEDDLE_MACHINES, separated by ':'
 *   4. configs/machines, configs/cards, configs/simulators, configs/variants and configs/vector, which come with Heddle
 *
 * A name that several files have is refused, wherever they lie: a path tells them apart. The file in which the name stands is
 * not meant, so that gtx480.yaml may extend gtx480.
 */
#ifndef NETLIST_MACHINE_NAMES_H
#define NETLIST_MACHINE_NAMES_H

#include "diagnostics.h"

#define NETLIST_MACHINES_VARIABLE "HEDDLE_MACHINES"

int netlist_is_machine_name(const char *word);

/* The file that a name means. from: the file in which it stands, NULL: none. NULL after a report at `at`. If there is no such
 * machine, but something of that name that is no file, that is the result. */
const char *netlist_machine_path(arena *memory, diagnostics *log, span at, const char *name, const char *from);

/* The file that the name of an energy table means: NAME.yaml in the folder `energy` beside the file in which it stands, or else in
 * configs/energy, which comes with Heddle. NULL after a report at `at`. */
const char *netlist_energy_path(arena *memory, diagnostics *log, span at, const char *name, const char *from);

typedef struct netlist_machine_folder {
    const char *path;
    const char *what; /* its machines stand for; "" where only their owner knows */
} netlist_machine_folder;

/* The folders above that there are, in order, each once. Returns how many. */
uint32_t netlist_machine_folders(arena *memory, const char *from, const netlist_machine_folder **folders);

#endif
