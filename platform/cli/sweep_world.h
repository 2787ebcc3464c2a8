/* SPDX-License-Identifier: MIT */
/* What a sweep finds around it when the command runs it. */
#ifndef HD_SWEEP_WORLD_H
#define HD_SWEEP_WORLD_H

#include "machine_file.h"
#include "resolve.h"

/* machines: what machine_file_request has filled. */
sweep_world sweep_world_here(const machine_file *machines);

#endif
