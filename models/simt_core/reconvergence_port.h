/* SPDX-License-Identifier: MIT */
/* The reconvergence unit's way into the memory pipe. */
#ifndef SIMT_CORE_RECONVERGENCE_PORT_H
#define SIMT_CORE_RECONVERGENCE_PORT_H

#include "core.h"

/* What the unit is given; of the core, which stays where it is. */
const reconvergence_memory *reconvergence_port_create(simt_core *core);
/* Is the access, of which this is the last answer, one of the unit's? Then it is told. */
uint32_t reconvergence_port_done(simt_core *core, const ticket_state *access);

#endif
