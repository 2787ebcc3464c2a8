/* SPDX-License-Identifier: MIT */
/* Registers whose values are not needed any more. */
#ifndef ISA_SSDE_REGISTERS_H
#define ISA_SSDE_REGISTERS_H

#include "ssde_plan.h"

/* live[node]: the set of registers whose values before the node are needed by it or later, at its call depth. NULL: no memory;
 * to be freed. */
uint64_t *ssde_live_registers(const deadlock_graph *graph);

/* An integer register that a switch may use: needed neither where its lanes go on nor where they go round again; gp and tp if nothing in
 * the program uses them. 0: none. */
uint32_t ssde_free_register(const deadlock_graph *graph, const ssde_switch *target, const uint64_t *live);

#endif
