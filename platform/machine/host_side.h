/* SPDX-License-Identifier: MIT */
/*
 * Private to platform/machine: the host of a machine, which runs the app's host program. Either a native host, whose
 * program is host.so, or a host CPU with an exit device, whose program is firmware.elf.
 */
#ifndef HD_MACHINE_HOST_SIDE_H
#define HD_MACHINE_HOST_SIDE_H

#include "machine_internal.h"

/* Finds it in the netlist. 0 and *error: the machine has none. */
uint32_t host_side_find(hd_machine *machine, char **error);
/* Finds the native host, for a program outside. 0 and *error: the machine has none. */
uint32_t host_side_find_native(hd_machine *machine, char **error);
/* Before the reset at which the run begins: lets that program drive it. 0 and *error: out of memory. */
uint32_t host_side_drive(hd_machine *machine, char **error);
/* Opens what it runs. 0 and *error. */
uint32_t host_side_open(hd_machine *machine, const hd_machine_setup *setup, char **error);
/* Before the reset at which the run begins: hands the program over. */
void host_side_prepare(hd_machine *machine, const hd_machine_setup *setup);
/* Is it a program that was interrupted while it computed? */
uint32_t host_side_is_abandoned(const hd_machine *machine);
/* A program that is not waited for still runs: its code stays. Before the blocks are gone. */
void host_side_leave(hd_machine *machine);
/* After it: puts firmware into RAM. 0 and *error: it does not fit. */
uint32_t host_side_start(hd_machine *machine, char **error);
void host_side_close(hd_machine *machine);

#endif
