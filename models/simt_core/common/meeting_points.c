/* SPDX-License-Identifier: MIT */
#include "meeting_points.h"

#include "ssde.h"

uint32_t meeting_points_require(const hd_programs *programs, const reconvergence_unit *unit,
                                enum deadlock_removal removal, char *error, size_t error_bytes)
{
    if (!programs)
        return 0;
    if (removal == REMOVAL_REWRITTEN &&
        programs->transform(programs->context, &isa_ssde_rewrite, error, error_bytes))
        return 1;
    return unit->table ? programs->require(programs->context, unit->table, unit->analysis, error, error_bytes) : 0;
}
