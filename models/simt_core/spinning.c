/* SPDX-License-Identifier: MIT */
#include "spin_loops.h"

#include "bits.h"
#include "core_lanes.h"

#include <stdlib.h>
#include <string.h>

#define NO_SPIN_BRANCH UINT32_MAX
#define PHASE_UNIT 1000000u

static const hd_programs *programs_of(const simt_core *core)
{
    return core->residency.programs;
}

static int require(const simt_core *core, const isa_analysis *analysis, char *error, size_t error_bytes)
{
    const hd_programs *programs = programs_of(core);
    return programs && analysis && programs->require(programs->context, analysis->name, analysis, error, error_bytes);
}

int spinning_create(simt_core *core, const hd_value *values, char *error, size_t error_bytes)
{
    spinning_state *state = &core->spinning;
    if (!core->chosen[CORE_SPIN])
        return 0;
    state->unit = core->chosen[CORE_SPIN]->unit->functions;
    if (require(core, state->unit->analysis, error, error_bytes) || require(core, &isa_spin_marked, error, error_bytes))
        return -1;
    state->detector = state->unit->create(&(spin_parameters){
        .warps = core->warp_count, .lanes = core->lane_count, .share = core_share(core, CORE_SPIN, values)});
    state->iterations = calloc(core->path_count, sizeof *state->iterations);
    state->seen = calloc(SEEN_BRANCHES_MAX, sizeof *state->seen);
    if (state->unit->compared)
        core->wanted.kinds |= PATH_COMPARED;
    return state->detector && state->iterations && state->seen ? 0 : -1;
}

void spinning_destroy(simt_core *core)
{
    if (core->spinning.detector)
        core->spinning.unit->destroy(core->spinning.detector);
    free(core->spinning.iterations);
    free(core->spinning.seen);
}

void spinning_reset(simt_core *core)
{
    spinning_state *state = &core->spinning;
    state->unit->reset(state->detector);
    state->seen_count = 0;
    for (uint32_t path = 0; path < core->path_count; path++)
        state->iterations[path] = (spin_iteration){.pc = NO_SPIN_BRANCH};
}

static const block_state *block_of(const simt_core *core, uint32_t warp)
{
    return &core->blocks[core->warps[warp].block];
}

void spinning_launch(simt_core *core, uint32_t warp)
{
    const block_state *block = block_of(core, warp);
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        core->spinning.iterations[path] = (spin_iteration){.pc = NO_SPIN_BRANCH};
    if (core->spinning.unit->launch)
        core->spinning.unit->launch(core->spinning.detector, warp, block->program, block->launch.grid.entry_pc);
}

void spinning_issue(simt_core *core, uint32_t path)
{
    core->spinning.iterations[path].instructions++;
}

static seen_branch *see(simt_core *core, const path_event *event)
{
    spinning_state *state = &core->spinning;
    for (uint32_t i = 0; i < state->seen_count; i++)
        if (state->seen[i].pc == event->pc)
            return &state->seen[i];
    if (state->seen_count == SEEN_BRANCHES_MAX)
        return NULL;
    const isa_program *program = block_of(core, event->warp)->program;
    const uint32_t *marks = isa_program_table(program, isa_spin_marked.name);
    seen_branch *seen = &state->seen[state->seen_count++];
    *seen = (seen_branch){
        .pc = event->pc, .first = event->cycle, .marked = marks && isa_table_value(program, marks, event->pc) != 0};
    return seen;
}

/* It is taken once more, or is left. */
static void end_iteration(simt_core *core, const path_event *event, uint32_t spins)
{
    spin_iteration *iteration = &core->spinning.iterations[event->path];
    if (spins && iteration->pc == event->pc)
        core->counters.spinning[SPINNING_spin_instructions] += iteration->instructions;
    if (spins || iteration->pc == event->pc) {
        iteration->pc = spins ? event->pc : NO_SPIN_BRANCH;
        iteration->instructions = 0;
    }
}

static void count_run(spin_iteration *iteration, const path_event *event, seen_branch *seen)
{
    if (event->pc != iteration->run_pc || !event->taken)
        iteration->run = 0;
    iteration->run_pc = event->pc;
    iteration->run += event->taken != 0;
    seen->repeated |= iteration->run >= SPIN_RUN;
}

static void count_wait(simt_core *core, const path_event *event)
{
    core->counters.spinning[SPINNING_wait_failures] += bits_count(event->taken);
    core->counters.spinning[SPINNING_wait_successes] += bits_count(event->mask & ~event->taken);
}

static void note(simt_core *core, const path_event *event, seen_branch *seen)
{
    seen->last = event->cycle;
    if (seen->marked) {
        count_run(&core->spinning.iterations[event->path], event, seen);
        count_wait(core, event);
    }
}

static void spin_once(simt_core *core, const path_event *branch)
{
    path_event event = *branch;
    event.kind = PATH_SPUN;
    core->counters.spinning[SPINNING_spin_branches]++;
    profile_count(core, event.path, PROFILE_spin_branches, 1);
    core_raise(core, &event);
}

void spinning_branch(simt_core *core, const path_event *event)
{
    const isa_instruction *instruction = core->path_states[event->path].instruction;
    if (!isa_is_backward_branch(instruction))
        return;
    seen_branch *seen = see(core, event);
    if (seen)
        note(core, event, seen);
    const uint32_t verdict = event->taken ? core->spinning.unit->branched(core->spinning.detector, event) : SPIN_NOT;
    if (seen && verdict != SPIN_NOT && !seen->found) {
        seen->found = 1;
        seen->found_at = event->cycle;
    }
    end_iteration(core, event, verdict == SPIN_KNOWN);
    if (verdict == SPIN_KNOWN)
        spin_once(core, event);
}

/* Part of its stay before it was found. */
static uint64_t phase_of(const seen_branch *seen)
{
    const uint64_t stay = seen->last - seen->first;
    return stay ? (seen->found_at - seen->first) * PHASE_UNIT / stay : 0;
}

void spinning_drain(simt_core *core)
{
    spinning_state *state = &core->spinning;
    uint64_t *counters = core->counters.spinning;
    for (uint32_t i = 0; i < state->seen_count; i++) {
        const seen_branch *seen = &state->seen[i];
        counters[seen->marked ? SPINNING_spin_marked : SPINNING_spin_unmarked]++;
        counters[SPINNING_spin_marked_repeated] += seen->repeated;
        counters[seen->marked ? SPINNING_spin_marked_found : SPINNING_spin_unmarked_found] += seen->found;
        counters[seen->marked ? SPINNING_spin_marked_phase : SPINNING_spin_unmarked_phase] +=
            seen->found ? phase_of(seen) : 0;
    }
    state->seen_count = 0;
    if (state->unit->drained)
        state->unit->drained(state->detector);
}

static void iteration_transfer(spin_iteration *iteration, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, iteration->instructions);
    HD_STATE_VALUE(stream, iteration->pc);
    HD_STATE_VALUE(stream, iteration->run_pc);
    HD_STATE_VALUE(stream, iteration->run);
}

/* Blocks and warps are there: the detector is told of them as when they came, and then has what it had. */
void spinning_transfer(simt_core *core, const hd_state_stream *stream)
{
    spinning_state *state = &core->spinning;
    if (!state->unit)
        return;
    for (uint32_t warp = 0; warp < core->warp_count && stream->is_restored; warp++)
        if (core->warps[warp].block != NO_SLOT)
            spinning_launch(core, warp);
    state->unit->transfer(state->detector, stream);
    for (uint32_t path = 0; path < core->path_count; path++)
        iteration_transfer(&state->iterations[path], stream);
    HD_STATE_VALUE(stream, state->seen_count);
    HD_STATE_ARRAY(stream, state->seen, state->seen_count);
}
