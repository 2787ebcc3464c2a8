/* SPDX-License-Identifier: MIT */
/* Where lanes that part meet again: tables of the program, asked for by whatever reconvergence unit is in the core. */
#ifndef SIMT_CORE_MEETING_POINTS_H
#define SIMT_CORE_MEETING_POINTS_H

#include "analysis.h"
#include "hd_extension.h"
#include "likely_points.h"
#include "reconvergence.h"

/* A program's tables; NULL: the unit needs none. */
typedef struct meeting_points {
    const uint32_t *meetings;
    const uint32_t *likely;
} meeting_points;

static inline const char *meeting_points_name(const reconvergence_unit *unit, const reconvergence *state)
{
    return unit->table_of ? unit->table_of(state) : unit->table;
}

static inline const isa_analysis *meeting_points_likely(const reconvergence_unit *unit, const reconvergence *state)
{
    return unit->likely_points ? unit->likely_points(state) : NULL;
}

/* While the core is created, the unit having been; programs may be NULL. Nonzero: error holds one line. */
static inline uint32_t meeting_points_require(const hd_programs *programs, const reconvergence_unit *unit,
                                              const reconvergence *state, char *error, size_t error_bytes)
{
    const char *name = meeting_points_name(unit, state);
    const isa_analysis *likely = meeting_points_likely(unit, state);
    if (!programs)
        return 0;
    return (name &&
            programs->require(programs->context, name, unit->table_of ? NULL : unit->analysis, error, error_bytes)) ||
           (likely && programs->require(programs->context, likely->name, likely, error, error_bytes));
}

static inline meeting_points meeting_points_of(const isa_program *program, const reconvergence_unit *unit,
                                               const reconvergence *state)
{
    const char *name = meeting_points_name(unit, state);
    const isa_analysis *likely = meeting_points_likely(unit, state);
    return (meeting_points){.meetings = program && name ? isa_program_table(program, name) : NULL,
                            .likely = program && likely ? isa_program_table(program, likely->name) : NULL};
}

/* Of lanes that part at the event's pc. */
static inline void meeting_points_tell(const meeting_points *points, const isa_program *program, path_event *event)
{
    if (points->meetings)
        event->reconvergence_pc = isa_table_value(program, points->meetings, event->pc);
    if (points->likely)
        event->likely_pc = isa_table_value(program, points->likely, event->pc);
}

#endif
