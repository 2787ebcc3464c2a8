/* SPDX-License-Identifier: MIT */
#include "floor_paths.h"

#include "bits.h"

static floor_path path_of(uint64_t mask, uint32_t pc, uint32_t stop_pc)
{
    return (floor_path){.mask = mask, .lanes = bits_count(mask), .pc = pc, .stop_pc = stop_pc};
}

void floor_paths_start(floor_paths *paths, uint64_t mask, uint32_t pc)
{
    paths->count = 1;
    paths->path[0] = path_of(mask, pc, ISA_RECONVERGE_AT_RETURN);
}

static void push(floor_paths *paths, uint64_t mask, uint32_t pc, uint32_t stop_pc)
{
    if (pc != stop_pc)
        paths->path[paths->count++] = path_of(mask, pc, stop_pc);
}

void floor_paths_part(floor_paths *paths, const isa_instruction *branch, uint32_t stop_pc, uint64_t taken)
{
    const floor_path top = *floor_paths_top(paths);
    if (stop_pc == top.stop_pc)
        paths->count--; /* the one below waits there already; of those that meet nowhere nobody waits */
    else
        floor_paths_top(paths)->pc = stop_pc;
    push(paths, top.mask & ~taken, top.pc + 4, stop_pc);
    push(paths, taken, top.pc + (uint32_t)branch->immediate, stop_pc);
}

void floor_paths_end(floor_paths *paths)
{
    const uint64_t ended = floor_paths_top(paths)->mask;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < paths->count; i++) {
        const floor_path path = paths->path[i];
        paths->path[kept] = path_of(path.mask & ~ended, path.pc, path.stop_pc);
        kept += paths->path[kept].mask != 0;
    }
    paths->count = kept;
}
