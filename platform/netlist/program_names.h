/* SPDX-License-Identifier: MIT */
/*
 * Programs by name: those that blocks run which are no GPU (parameters of texts, as `program` of os_model). A word without '/' that
 * does not end in .elf is the name of a program: that of a file NAME.elf in the folders of the variable HEDDLE_PROGRAMS, separated by
 * ':', or in the folder `programs` that comes with Heddle. The first one found is meant. All others are paths.
 */
#ifndef NETLIST_PROGRAM_NAMES_H
#define NETLIST_PROGRAM_NAMES_H

#include "arena.h"

#define NETLIST_PROGRAMS_VARIABLE "HEDDLE_PROGRAMS"

/* The file that a word means; the word itself if it is a path, or the name of no program. */
const char *netlist_program_path(arena *memory, const char *word);

#endif
