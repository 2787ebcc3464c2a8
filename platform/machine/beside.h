/* SPDX-License-Identifier: MIT */
/*
 * Private to platform/machine: apps beside the first one, on the same device. Their kernels are moved behind those of the apps
 * before them; their host programs run on the same native host.
 */
#ifndef HD_MACHINE_BESIDE_H
#define HD_MACHINE_BESIDE_H

#include "machine_internal.h"

struct hd_results_app;

/* Opens and loads them, when the first is. 0 and *error. */
uint32_t beside_open(hd_machine *machine, const hd_machine_setup *setup, char **error);
void beside_close(hd_machine *machine);
/* When blocks have changed the programs as they wish: do they still lie one behind the other? 0 and *error. */
uint32_t beside_check(const hd_machine *machine, char **error);
/* Before the reset at which the run begins: what the native host runs besides `first`, which gets a name too. */
void beside_prepare(const hd_machine *machine, const hd_host_program *first);
/* Code of programs that are not waited for stays. */
void beside_leave(hd_machine *machine);

/* "bfs"; of several of one name "bfs#2": it is the second app. app: 0 is the first. */
const char *beside_name(const hd_machine *machine, uint32_t app);
/* The app that has this queue of the device; there are several. UINT32_MAX: nobody. */
uint32_t beside_owner(const hd_machine *machine, uint32_t queue);
/* What a launch is called: "bfs/visit" among several apps, to be freed. */
char *beside_kernel_name(const hd_machine *machine, const hd_host_launch *launch);
/* Counts by place in the programs of all apps, from now on. NULL: no block can. */
hd_program_profile *beside_profile(hd_machine *machine);
/* One for each app, the first included; 0: there is but one. */
uint32_t beside_results(const hd_machine *machine, struct hd_results_app *apps);

#endif
