/* SPDX-License-Identifier: MIT */
/* The checkers of memory and races (observe/memory_check, observe/race_check) around a machine. What they find is a fault of the
 * run once the kernels that run have ended, or the run has. */
#ifndef PROGRAM_CHECK_H
#define PROGRAM_CHECK_H

#include "machine_internal.h"
#include "memory_checker.h"
#include "ordering_points.h"
#include "race_checker.h"

typedef struct program_check program_check;

/* Before the machine is made: adds what it listens to to taps. NULL and *error: the machine cannot be checked. */
program_check *program_check_create(hd_machine *machine, const hd_machine_setup *setup, const ordering_points *points,
                                    ordering_taps *taps, char **error);
void program_check_destroy(program_check *check); /* NULL is allowed, as below: nothing is checked */
hd_tlm_extension program_check_extension(program_check *check);

/* All blocks stand at t: what has been reported so far is looked at. */
void program_check_drain(program_check *check);
/* A kernel has ended there: then what was found is told, as a fault. */
void program_check_kernel_end(program_check *check, hd_time t);
/* What was found and not told yet, lines that end in \n; NULL: nothing. To be freed. */
char *program_check_text(program_check *check);

/* So far; NULL: that is not checked. Valid until the next call. */
const hd_memory_checks *program_check_memory(program_check *check);
const hd_race_checks *program_check_races(program_check *check);

#endif
