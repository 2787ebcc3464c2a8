/* SPDX-License-Identifier: MIT */
#include "deadlock_removal.h"

#include <stdio.h>

#include "meeting_points.h"
#include "ssde.h"

static uint32_t create_switches(virtual_switches *switches, const hd_programs *programs,
                                const reconvergence_parameters *size, char *error, size_t error_bytes)
{
    if (virtual_switches_create(switches, size->warps, size->lanes)) {
        snprintf(error, error_bytes, "out of memory");
        return 1;
    }
    return programs->transform(programs->context, &isa_ssde_virtual, error, error_bytes) ||
           programs->require(programs->context, isa_ssde_switches.name, &isa_ssde_switches, error, error_bytes) ||
           programs->require(programs->context, isa_ssde_meetings.name, &isa_ssde_meetings, error, error_bytes);
}

uint32_t deadlock_removal_create(virtual_switches *switches, const hd_programs *programs,
                                 const reconvergence_parameters *size, uint64_t removal, char *error,
                                 size_t error_bytes)
{
    if (!programs || removal == REMOVAL_OFF)
        return 0;
    if (removal == REMOVAL_VIRTUAL)
        return create_switches(switches, programs, size, error, error_bytes);
    return programs->transform(programs->context, &isa_ssde_rewrite, error, error_bytes);
}

uint32_t deadlock_removal_refuse(uint64_t removal, const reconvergence_unit *unit, const reconvergence *state,
                                 char *error, size_t error_bytes)
{
    if (removal == REMOVAL_OFF || !meeting_points_likely(unit, state))
        return 0;
    snprintf(error, error_bytes,
             "ssde needs lanes that meet at no other points than its own: likely_points must be none");
    return 1;
}

const uint32_t *deadlock_removal_meetings(const virtual_switches *switches, const isa_program *program,
                                          const uint32_t *meetings)
{
    return switches->number && meetings ? isa_program_table(program, isa_ssde_meetings.name) : meetings;
}
