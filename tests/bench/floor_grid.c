/* SPDX-License-Identifier: MIT */
#include "floor_grid.h"

#include <string.h>
#include <time.h>

#include "analysis.h"
#include "warp_place.h"

enum { QUANTUM = 1 << 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int no_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

static int no_csr_written(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

static void read_csr(floor_machine *machine, const isa_instruction *instruction, uint32_t warp, isa_lanes *lanes)
{
    static const hd_services services = {0};
    const floor_path *path = floor_paths_top(&machine->warps[warp].paths);
    const warp_place place = {&services, &machine->launch, machine->program, warp, FLOOR_LANES};
    if (!warp_place_read(&place, instruction, lanes, path->mask) &&
        isa_csr(instruction, lanes, path->mask, no_csr, no_csr_written, NULL))
        floor_fail("CSR at 0x%08x", path->pc);
}

static void transfer(const floor_machine *machine, floor_paths *paths, const isa_instruction *instruction,
                     const isa_lanes *lanes)
{
    const floor_path *path = floor_paths_top(paths);
    const uint32_t target = path->pc + (uint32_t)instruction->immediate;
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        const uint64_t taken = isa_branch_taken(instruction, lanes, path->mask);
        if (taken && taken != path->mask)
            floor_paths_part(paths, instruction, isa_table_value(machine->program, machine->meetings, path->pc), taken);
        else
            floor_paths_go(paths, taken ? target : path->pc + 4);
    } else if (instruction->flags & ISA_FLAG_RETURN) {
        floor_paths_end(paths);
    } else if (instruction->instruction_class == ISA_CLASS_JUMP && !(instruction->flags & ISA_FLAG_CALL)) {
        floor_paths_go(paths, target);
    } else {
        floor_fail("call at 0x%08x", path->pc);
    }
}

/* Arithmetic up to where lanes may meet others, or the code ends. Returns how many instructions. */
static uint32_t run_arithmetic(const isa_program *program, floor_paths *paths, const isa_instruction *first,
                               isa_lanes *lanes)
{
    const floor_path *path = floor_paths_top(paths);
    uint32_t length = (program->text_address + program->text_bytes - path->pc) / 4;
    if (path->stop_pc > path->pc && (path->stop_pc - path->pc) / 4 < length)
        length = (path->stop_pc - path->pc) / 4;
    const uint32_t done = isa_execute_run(first, length, path->pc, lanes, path->mask);
    floor_paths_go(paths, path->pc + 4 * done);
    return done;
}

/* One instruction, or a run of arithmetic. Returns how many instructions. */
static uint32_t run_next(floor_machine *machine, uint32_t index, isa_lanes *lanes)
{
    floor_warp *warp = &machine->warps[index];
    floor_paths *paths = &warp->paths;
    const floor_path *path = floor_paths_top(paths);
    const isa_instruction *instruction = isa_program_at(machine->program, path->pc);
    if (!instruction)
        floor_fail("no code at 0x%08x", path->pc);
    switch (instruction->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV: return run_arithmetic(machine->program, paths, instruction, lanes);
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: transfer(machine, paths, instruction, lanes); return 1;
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC: floor_access(&machine->memory, instruction, index, lanes, path->mask); break;
    case ISA_CLASS_CSR: read_csr(machine, instruction, index, lanes); break;
    case ISA_CLASS_CROSS_LANE: isa_cross_lane(instruction, lanes, path->mask); break;
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV:
    case ISA_CLASS_SPECIAL: isa_execute(instruction, path->pc, lanes, path->mask); break;
    case ISA_CLASS_BARRIER: warp->waits = 1; break;
    case ISA_CLASS_FENCE: /* every access has taken effect */
    case ISA_CLASS_HINT: break;
    default: floor_fail("%s at 0x%08x", isa_mnemonic(instruction->operation), path->pc);
    }
    floor_paths_go(paths, path->pc + 4);
    return 1;
}

/* Until the warp ends or waits, or its quantum does. */
static void run_warp(floor_machine *machine, uint32_t index)
{
    floor_warp *warp = &machine->warps[index];
    isa_lanes lanes = {.registers = warp->registers, .fcsr = warp->fcsr, .lanes = FLOOR_LANES};
    uint64_t warp_instructions = 0, thread_instructions = 0;
    while (warp->paths.count && !warp->waits && warp_instructions < QUANTUM) {
        const uint32_t active = floor_paths_top(&warp->paths)->lanes;
        const uint32_t done = run_next(machine, index, &lanes);
        warp_instructions += done;
        thread_instructions += (uint64_t)done * active;
    }
    machine->result.warp_instructions += warp_instructions;
    machine->result.thread_instructions += thread_instructions;
}

static uint32_t start_block(floor_machine *machine)
{
    const hd_grid *grid = &machine->launch.grid;
    const uint64_t threads = grid_threads(grid);
    if (threads > FLOOR_WARPS * FLOOR_LANES || threads * grid->private_bytes > FLOOR_PRIVATE_BYTES ||
        grid->scratchpad_bytes > FLOOR_SCRATCHPAD_BYTES)
        floor_fail("a block that is too large");
    const uint32_t warps = (uint32_t)(threads + FLOOR_LANES - 1) / FLOOR_LANES;
    for (uint32_t i = 0; i < warps; i++) {
        floor_warp *warp = &machine->warps[i];
        const uint64_t left = threads - (uint64_t)i * FLOOR_LANES;
        warp->waits = 0;
        floor_paths_start(&warp->paths, (UINT64_C(1) << (left < FLOOR_LANES ? left : FLOOR_LANES)) - 1, grid->entry_pc);
        warp_start_registers(&(isa_lanes){warp->registers, warp->fcsr, FLOOR_LANES}, grid);
    }
    memset(machine->memory.scratchpad, 0, grid->scratchpad_bytes);
    return warps;
}

/* The warps that have not ended, round by round; once all of those wait, they go on. */
static void run_block(floor_machine *machine)
{
    const uint32_t warps = start_block(machine);
    for (uint32_t left = warps; left;) {
        uint32_t waiting = 0;
        left = 0;
        for (uint32_t i = 0; i < warps; i++) {
            run_warp(machine, i);
            waiting += machine->warps[i].waits;
            left += machine->warps[i].paths.count != 0;
        }
        for (uint32_t i = 0; waiting == left && i < warps; i++)
            machine->warps[i].waits = 0;
    }
}

void floor_grid_run(floor_machine *machine, const hd_grid *grid)
{
    uint32_t *block = machine->launch.block_index;
    const double begin = now();
    machine->launch.grid = *grid;
    machine->memory.private_bytes = grid->private_bytes;
    for (block[2] = 0; block[2] < grid->grid_size[2]; block[2]++)
        for (block[1] = 0; block[1] < grid->grid_size[1]; block[1]++)
            for (block[0] = 0; block[0] < grid->grid_size[0]; block[0]++)
                run_block(machine);
    machine->result.seconds += now() - begin;
}
