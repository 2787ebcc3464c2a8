/* SPDX-License-Identifier: MIT */
/* Where the energy of a core goes. */
#ifndef SIMT_CORE_ENERGY_EVENTS_H
#define SIMT_CORE_ENERGY_EVENTS_H

#include "hd_energy.h"

#define CORE_ENERGY_EVENTS 40u
extern const hd_energy_event core_energy_events[CORE_ENERGY_EVENTS];

#endif
