/* SPDX-License-Identifier: MIT */
#ifndef COMMIT_UNIT_KILO_STRUCTURES_H
#define COMMIT_UNIT_KILO_STRUCTURES_H

#include "hd_block.h"

#define KILO_STRUCTURES 12
extern const hd_structure kilo_unit_structures[KILO_STRUCTURES];

#endif
