/* SPDX-License-Identifier: MIT */
#include "marked.h"

#include "spin_loops.h"

#include <stdlib.h>
#include <string.h>

typedef struct marked_warp {
    const isa_program *program; /* NULL: none has been launched */
    const uint32_t *marks;      /* its table */
} marked_warp;

typedef struct marked {
    uint32_t warps;
    marked_warp of[]; /* [warp] */
} marked;

void marked_reset(spin *unit)
{
    marked *m = (marked *)unit;
    memset(m->of, 0, m->warps * sizeof *m->of);
}

spin *marked_create(const spin_parameters *parameters)
{
    marked *m = calloc(1, sizeof *m + parameters->warps * sizeof *m->of);
    if (m)
        m->warps = parameters->warps;
    return (spin *)m;
}

void marked_destroy(spin *unit)
{
    free(unit);
}

static void launch(spin *unit, uint32_t warp, const isa_program *program, const isa_analysis *analysis)
{
    ((marked *)unit)->of[warp] = (marked_warp){.program = program, .marks = isa_program_table(program, analysis->name)};
}

void marked_launch_static(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc)
{
    (void)entry_pc;
    launch(unit, warp, program, &isa_spin_static);
}

void marked_launch_oracle(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc)
{
    (void)entry_pc;
    launch(unit, warp, program, &isa_spin_marked);
}

uint32_t marked_branched(spin *unit, const path_event *event)
{
    const marked_warp *warp = &((const marked *)unit)->of[event->warp];
    return warp->marks && isa_table_value(warp->program, warp->marks, event->pc) ? SPIN_KNOWN : SPIN_NOT;
}

void marked_transfer(spin *unit, const hd_state_stream *stream)
{
    (void)unit;
    (void)stream;
}
