/* SPDX-License-Identifier: MIT */
/* What the memory pipe answers: values for registers, mistakes in addresses, stores acknowledged, code that was missing. */
#include "core.h"
#include "tx/tx.h"

static void done(void *context, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last, hd_time t)
{
    simt_core *core = context;
    const ticket_state *access = &core->tickets[ticket];
    const isa_instruction *instruction = access->instruction;
    path_state *state = &core->path_states[access->path];
    uint64_t pending = 0;
    if (__builtin_expect(access->is_sampled, 0) && mask)
        core_tell_sampled(core, ticket, mask, t);
    if (instruction->writes && mask) {
        const register_home home = register_home_of_row(access->warp);
        isa_load_values(instruction, value, registers_gather(&core->registers, home, 0, mask), mask);
        registers_scatter(&core->registers, home, instruction->writes, mask);
        pending = scoreboard_release(&core->scoreboard, access->warp, instruction->rd, mask);
    }
    if (last) {
        residency_look_for_ends(core);
        state->in_flight--;
        state->memory_in_flight--;
        if (instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE)
            state->acquiring--;
    }
    if (core->tx)
        tx_access_done(core, access, mask, value, last);
    if (!last && pending & core->paths[access->path].mask)
        return; /* nobody can go on: these lanes go with others of their path that still wait */
    front_end_recheck_warp(core, access->warp);
}

static void fault(void *context, const memory_access *access, uint32_t lane, hd_time t, const char *what)
{
    (void)t;
    core_fault(context, access->warp, access->pc, UINT64_C(1) << lane, "%s", what);
}

static void drained(void *context, uint32_t warp, hd_time t)
{
    simt_core *core = context;
    (void)t;
    residency_look_for_ends(core);
    front_end_recheck_warp(core, warp);
}

static void fetched(void *context, uint32_t path, uint32_t sequence)
{
    front_end_fetched(context, path, sequence);
}

const memory_events memory_answers = {.done = done, .fault = fault, .drained = drained, .fetched = fetched};
