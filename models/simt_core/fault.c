/* SPDX-License-Identifier: MIT */
/* A program's mistake ends the run, or is said. */
#include "core_lanes.h"
#include "tx/tx.h"

#include <stdarg.h>
#include <stdio.h>

warp_place core_warp_place(const simt_core *core, uint32_t warp)
{
    const warp_state *w = &core->warps[warp];
    const block_state *block = &core->blocks[w->block];
    return (warp_place){.services = core->services,
                        .launch = &block->launch,
                        .program = block->program,
                        .warp = w->index,
                        .lanes = core->lane_count};
}

static void end_run(simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, uint32_t kind, const char *what)
{
    const home_part first = homes_take(homes, &lanes);
    const warp_place place = core_warp_place(core, first.row);
    core->fault.halted = 1;
    core->fault.warp = first.row;
    core->fault.pc = pc;
    core->fault.lanes = first.lanes;
    debug_tell_fault(core, kind, what);
    warp_place_fault(&place, core->now.t, pc, first.lanes, what);
}

void core_mistake(simt_core *core, uint32_t path, uint64_t lanes, uint32_t kind, const char *format, ...)
{
    const uint32_t pc = core->paths[path].pc;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!tx_forgives(core->tx.transactions, path, lanes, pc, what))
        end_run(core, core_homes(core, path), pc, lanes, kind, what);
}

void core_fault(simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, uint32_t kind, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    end_run(core, homes, pc, lanes, kind, what);
}

void core_unit_mistake(simt_core *core, enum core_unit slot, const char *format, ...)
{
    const hd_unit *unit = core->chosen[slot]->unit;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    core->fault.halted = 1;
    core->services->fault(core->services->context, core->now.t, "%s: %s '%s' %s", core->services->name, unit->kind,
                          unit->name, what);
}

void core_warn(const simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, const char *what)
{
    const home_part first = homes_take(homes, &lanes);
    const warp_place place = core_warp_place(core, first.row);
    warp_place_warn(&place, core->now.t, pc, first.lanes, what);
}
