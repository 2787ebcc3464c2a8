/* SPDX-License-Identifier: MIT */
/* Where lanes that part meet again: a table of the program, asked for by whatever reconvergence unit is in the core. */
#ifndef SIMT_CORE_MEETING_POINTS_H
#define SIMT_CORE_MEETING_POINTS_H

#include "analysis.h"
#include "hd_extension.h"
#include "reconvergence.h"

/* Its name; NULL: the unit needs none. */
static inline const char *meeting_points_name(const reconvergence_unit *unit, const reconvergence *state)
{
    return unit->table_of ? unit->table_of(state) : unit->table;
}

/* While the core is created, the unit having been; programs may be NULL. Nonzero: error holds one line. */
static inline uint32_t meeting_points_require(const hd_programs *programs, const reconvergence_unit *unit,
                                              const reconvergence *state, char *error, size_t error_bytes)
{
    const char *name = meeting_points_name(unit, state);
    if (!programs || !name)
        return 0;
    return programs->require(programs->context, name, unit->table_of ? NULL : unit->analysis, error, error_bytes);
}

/* The table; NULL: the unit needs none. */
static inline const uint32_t *meeting_points_of(const isa_program *program, const reconvergence_unit *unit,
                                                const reconvergence *state)
{
    const char *name = meeting_points_name(unit, state);
    return program && name ? isa_program_table(program, name) : NULL;
}

static inline uint32_t meeting_point(const isa_program *program, const uint32_t *table, uint32_t pc)
{
    return table ? isa_table_value(program, table, pc) : ISA_RECONVERGE_AT_RETURN;
}

#endif
