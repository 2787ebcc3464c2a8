/* SPDX-License-Identifier: MIT */
/* A program's mistake, said so that its author finds it: kernel, pc, block, warp, lanes. */
#include "core.h"
#include "lane_list.h"

#include <stdarg.h>
#include <stdio.h>

void core_place(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    uint32_t offset = 0;
    const char *symbol = program ? isa_program_symbol_at(program, pc, &offset) : NULL;
    if (symbol)
        snprintf(text, bytes, "0x%08x (%s+0x%x)", pc, symbol, offset);
    else
        snprintf(text, bytes, "0x%08x", pc);
}

void core_fault(simt_core *core, uint32_t warp, uint32_t pc, uint64_t lanes, const char *format, ...)
{
    const warp_state *w = &core->warps[warp];
    const block_state *block = &core->blocks[w->block];
    uint32_t offset;
    const char *kernel = isa_program_symbol_at(block->program, block->launch.grid.entry_pc, &offset);
    char what[256], place[128], list[LANE_LIST_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    core_place(block->program, pc, place, sizeof place);
    core->halted = 1;
    core->services->fault(core->services->context, core->now.t,
                          "%s\n  kernel %s, pc %s\n  %s, block (%u,%u,%u), warp %u, lane%s %s", what,
                          kernel ? kernel : "?", place, core->services->name, block->launch.block_index[0],
                          block->launch.block_index[1], block->launch.block_index[2], w->index,
                          lanes & (lanes - 1) ? "s" : "", lane_list(lanes, list));
}
