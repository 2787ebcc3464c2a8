// SPDX-License-Identifier: MIT
// The host CPU of a machine that is a module of somebody's design: what is outside of it.
#ifndef HD_TLM_OUTSIDE_H
#define HD_TLM_OUTSIDE_H

#include "hd_block.h"

extern const hd_block_class host_cpu_outside;

#endif
