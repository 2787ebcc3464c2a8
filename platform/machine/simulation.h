/* SPDX-License-Identifier: MIT */
/*
 * What advances a machine: its engine alone, or SystemC with the engine inside. The former is enough where nobody but the machine's own
 * blocks has to be called, and does not even load SystemC.
 */
#ifndef HD_MACHINE_SIMULATION_H
#define HD_MACHINE_SIMULATION_H

#include "machine.h"

/* Makes engine and blocks, which are to be reset. 0 and *refusal, to be freed: it cannot be built. */
uint32_t simulation_create(hd_machine *machine, const hd_tlm_options *options, const hd_tlm_extension *provide,
                           const hd_observer *observer, char **refusal);
void simulation_destroy(hd_machine *machine);
/* The rest as the functions of tlm_machine.h whose names they have. */
void simulation_end(hd_machine *machine, uint32_t is_fault);
hd_time simulation_run(hd_machine *machine, hd_time limit);
uint32_t simulation_is_interrupted(const hd_machine *machine);
hd_time simulation_stopped_at(const hd_machine *machine);
void simulation_describe_owed(const hd_machine *machine, const hd_text_sink *sink);

#endif
