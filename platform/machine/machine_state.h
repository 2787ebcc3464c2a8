/* SPDX-License-Identifier: MIT */
/* Private to platform/machine: checkpoints. What a run has come to, as bytes, and a run that goes on from there. */
#ifndef HD_MACHINE_STATE_H
#define HD_MACHINE_STATE_H

#include "machine_internal.h"

/* Before blocks are reset: what will be saved has to be noted from the beginning. */
void machine_state_prepare(hd_machine *machine, const hd_machine_setup *setup);
/* When the machine is as after a reset: it is asked what cannot be saved, and becomes what was saved. 0 and *error. */
uint32_t machine_state_begin(hd_machine *machine, const hd_machine_setup *setup, char **error);

/* When the next checkpoint is due, HD_NEVER: at no time. */
hd_time machine_state_due(const hd_machine *machine);
/* A kernel has ended, at a rendezvous that is being kept. */
void machine_state_kernel_end(hd_machine *machine);
/* All blocks stand at a time; the stretch that is run ends at `until`. Is it the end of the kernel after which it is to be saved? Then
 * it is, and the engine has stopped for nothing else. */
uint32_t machine_state_was_kernel(hd_machine *machine, hd_time until);
/* Everything before t is done: saves if that is due. */
void machine_state_was_time(hd_machine *machine, hd_time t, hd_time until);

#endif
