/* SPDX-License-Identifier: MIT */
/* Parameter ssde: programs are kept from SIMT-induced deadlocks (ssde.h). */
#ifndef SIMT_CORE_DEADLOCK_REMOVAL_H
#define SIMT_CORE_DEADLOCK_REMOVAL_H

#include "hd_extension.h"
#include "reconvergence.h"
#include "virtual_switches.h"

#define DEADLOCK_REMOVALS "off|virtual|rewritten"
enum deadlock_removal { REMOVAL_OFF, REMOVAL_VIRTUAL, REMOVAL_REWRITTEN };

/* While the core is created, of so many warps and lanes: what its programs have to be, and with REMOVAL_VIRTUAL its switches; programs
 * may be NULL. Nonzero: error holds one line. */
uint32_t deadlock_removal_create(virtual_switches *switches, const hd_programs *programs,
                                 const reconvergence_parameters *size, uint64_t removal, char *error,
                                 size_t error_bytes);

/* What is safe is so for lanes that meet where the tables say: nonzero if the unit, which has been created, lets them meet elsewhere too; error
 * holds one line. */
uint32_t deadlock_removal_refuse(uint64_t removal, const reconvergence_unit *unit, const reconvergence *state,
                                 char *error, size_t error_bytes);

/* Where lanes meet that part; NULL: the unit needs no table. meetings: the unit's own. */
const uint32_t *deadlock_removal_meetings(const virtual_switches *switches, const isa_program *program,
                                          const uint32_t *meetings);

#endif
