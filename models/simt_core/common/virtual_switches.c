/* SPDX-License-Identifier: MIT */
#include "virtual_switches.h"

#include <stdlib.h>

#include "ssde.h"

int virtual_switches_create(virtual_switches *switches, uint32_t warps, uint32_t lanes)
{
    switches->lanes = lanes;
    switches->number = calloc((size_t)warps * lanes, 1);
    return switches->number ? 0 : -1;
}

void virtual_switches_destroy(virtual_switches *switches)
{
    free(switches->number);
}

switch_tables switch_tables_of(const isa_program *program)
{
    return (switch_tables){isa_program_table(program, isa_ssde_switches.name),
                           isa_program_lists(program, isa_ssde_switches.name)};
}

static uint8_t *numbers_of(const virtual_switches *switches, uint32_t warp)
{
    return switches->number + (size_t)warp * switches->lanes;
}

/* NULL: it has nothing to do with switches, or is no code. */
static const uint32_t *record_of(const switch_tables *tables, const isa_program *program, uint32_t pc)
{
    if (!isa_program_at(program, pc))
        return NULL;
    const uint32_t place = tables->values[isa_program_index(program, pc)];
    return place ? tables->lists + place : NULL;
}

/* Where a lane goes that would go from the instruction at `from` to `to`, and with which number. */
static uint32_t way_of(const switch_tables *tables, const isa_program *program, uint32_t from, uint32_t to,
                       uint8_t *number)
{
    const uint32_t *record = record_of(tables, program, from);
    for (uint32_t i = 0; record && i < record[1]; i++) {
        const uint32_t *edge = record + 2 + 3 * i;
        if (edge[0] == to) {
            *number = (uint8_t)edge[2];
            return edge[1];
        }
    }
    record = record_of(tables, program, to);
    *number = 0;
    return record && record[0] ? record[0] : to;
}

static void set_numbers(const virtual_switches *switches, uint32_t warp, uint64_t mask, uint8_t number)
{
    for (; mask; mask &= mask - 1)
        numbers_of(switches, warp)[__builtin_ctzll(mask)] = number;
}

static uint32_t add_group(path_group *groups, uint32_t count, path_group group)
{
    for (uint32_t i = 0; i < count; i++)
        if (groups[i].pc == group.pc && groups[i].depth == group.depth) {
            groups[i].mask |= group.mask;
            return count;
        }
    groups[count] = group;
    return count + 1;
}

/* Those of the path's lanes that have the number; without a loop of their own they go on: 0. */
static uint64_t lanes_with(const virtual_switches *switches, const path *path, uint32_t number, uint32_t last)
{
    const uint8_t *numbers = numbers_of(switches, path->warp);
    uint64_t lanes = 0;
    for (uint64_t rest = path->mask; rest; rest &= rest - 1) {
        const uint32_t has = numbers[__builtin_ctzll(rest)];
        lanes |= (has <= last ? has : 0) == number ? rest & -rest : 0;
    }
    return lanes;
}

/* At a switch each lane goes by its number: as by tests for one number after the other, of which each takes away those with later ones. */
static uint32_t part(const virtual_switches *switches, const uint32_t *record, const path *path, path_group *out)
{
    const uint32_t last = record[1], dispatches = path->pc == isa_ssde_dispatch(path->pc);
    uint32_t count = 0;
    for (uint32_t number = last + 1; number-- > 0;) {
        path_group group = {.mask = lanes_with(switches, path, number, last), .pc = record[0], .depth = path->depth};
        if (number)
            group.pc = dispatches || last == 1 ? record[1 + number] : isa_ssde_dispatch(path->pc);
        if (group.mask)
            count = add_group(out, count, group);
    }
    return count;
}

uint32_t virtual_switches_transfer(virtual_switches *switches, const switch_tables *tables, const isa_program *program,
                                   const path *path, const path_group *groups, uint32_t count, path_group *out)
{
    uint32_t kept = 0;
    if (path->pc % 4)
        return part(switches, record_of(tables, program, isa_ssde_switch(path->pc & ~UINT32_C(3))), path, out);
    for (uint32_t i = 0; i < count; i++) {
        path_group group = groups[i];
        uint8_t number;
        group.pc = way_of(tables, program, path->pc, group.pc, &number);
        if (group.pc != groups[i].pc)
            set_numbers(switches, path->warp, group.mask, number);
        kept = add_group(out, kept, group);
    }
    return kept;
}

void virtual_switches_step(virtual_switches *switches, const switch_tables *tables, const isa_program *program,
                           path *path)
{
    uint8_t number;
    const uint32_t pc = way_of(tables, program, path->pc - 4, path->pc, &number);
    if (pc != path->pc)
        set_numbers(switches, path->warp, path->mask, number);
    path->pc = pc;
}

void virtual_switches_stream(virtual_switches *switches, uint32_t warp, byte_stream *stream)
{
    byte_stream_bytes(stream, numbers_of(switches, warp), switches->lanes);
}

void virtual_switches_transfer_state(virtual_switches *switches, uint32_t warps, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "switches of threads", switches->number != NULL);
    if (switches->number)
        HD_STATE_ARRAY(stream, switches->number, (size_t)warps * switches->lanes);
}
