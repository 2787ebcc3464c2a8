/* SPDX-License-Identifier: MIT */
#ifndef CARDS_SLICES_H
#define CARDS_SLICES_H

#include "machine.h"

/* How many slices of the L2 accepted at least so many loads in the whole run. */
uint32_t slices_with_loads(const hd_machine *machine, uint64_t loads);

#endif
