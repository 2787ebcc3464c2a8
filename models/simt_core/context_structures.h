/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_CONTEXT_STRUCTURES_H
#define SIMT_CORE_CONTEXT_STRUCTURES_H

#include "hd_block.h"

#define CONTEXT_STRUCTURES 5u
extern const hd_structure context_structures[CONTEXT_STRUCTURES];

#endif
