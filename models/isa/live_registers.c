/* SPDX-License-Identifier: MIT */
/* Live registers: sweeps against the direction of the code until nothing changes. */
#include "live_registers.h"

#include "control_flow_graph.h"
#include "loading.h"

#include <stdlib.h>

#define UNKNOWN UINT32_MAX
#define WORDS_OF_PLACE 4u /* before, after: low half, high half */

typedef struct liveness {
    control_flow flow;
    uint64_t *before;      /* [node] */
    uint64_t behind_calls; /* needed where some call comes back */
} liveness;

static const isa_instruction *instruction_of(const liveness *l, uint32_t node)
{
    return &l->flow.program->instructions[node];
}

static uint64_t needed_by_callee(const liveness *l, uint32_t call)
{
    if (!flow_knows_target(instruction_of(l, call)))
        return ISA_ALL_REGISTERS;
    const uint32_t callee = flow_jump_target(&l->flow, call);
    return callee == ISA_NO_NODE ? 0 : l->before[callee];
}

static uint64_t needed_after(const liveness *l, uint32_t node)
{
    const isa_instruction *instruction = instruction_of(l, node);
    uint32_t next[2];
    uint64_t needed = 0;
    if (instruction->flags & ISA_FLAG_CALL)
        return needed_by_callee(l, node);
    if (instruction->instruction_class == ISA_CLASS_JUMP_REGISTER && !flow_knows_target(instruction))
        return instruction->flags & ISA_FLAG_RETURN ? l->behind_calls : ISA_ALL_REGISTERS;
    for (uint32_t i = flow_successors(&l->flow, node, next); i > 0; i--)
        needed |= l->before[next[i - 1]];
    return needed;
}

/* What is needed behind the call, whether or not its callee is known to come back. */
static uint64_t needed_behind_call(const liveness *l, uint32_t call)
{
    return call + 1 < l->flow.count ? l->before[call + 1] : 0;
}

/* Nonzero: something is needed that was not before. */
static int sweep(liveness *l)
{
    int changed = 0;
    for (uint32_t node = l->flow.count; node-- > 0;) {
        const isa_instruction *instruction = instruction_of(l, node);
        if (!l->flow.reachable[node])
            continue;
        const uint64_t needed = instruction->reads | (needed_after(l, node) & ~instruction->writes);
        const uint64_t behind =
            l->behind_calls | (instruction->flags & ISA_FLAG_CALL ? needed_behind_call(l, node) : 0);
        changed |= needed != l->before[node] || behind != l->behind_calls;
        l->before[node] = needed;
        l->behind_calls = behind;
    }
    return changed;
}

static void put(uint32_t *list, uint64_t before, uint64_t after)
{
    list[0] = (uint32_t)before;
    list[1] = (uint32_t)(before >> 32);
    list[2] = (uint32_t)after;
    list[3] = (uint32_t)(after >> 32);
}

static int fill_live_registers(const isa_program *program, uint32_t *values, uint32_t **lists, char *error,
                               size_t error_bytes)
{
    liveness l = {.flow = flow_of_program(program, error, error_bytes)};
    if (program->odd_count)
        return 0;
    l.before = calloc(l.flow.count, sizeof *l.before);
    *lists = malloc((size_t)l.flow.count * WORDS_OF_PLACE * sizeof **lists);
    const int failed = !l.before || !*lists;
    while (!failed && sweep(&l)) {
    }
    for (uint32_t node = 0; !failed && node < l.flow.count; node++) {
        if (!l.flow.reachable[node])
            continue;
        values[node] = node * WORDS_OF_PLACE;
        put(*lists + values[node], l.before[node], needed_after(&l, node));
    }
    free(l.before);
    return failed ? isa_fail(error, error_bytes, "out of memory") : 0;
}

const isa_analysis isa_live_registers = {
    .name = "live_registers",
    .doc = "registers that may be needed yet, before and after",
    .none = UNKNOWN,
    .fill_lists = fill_live_registers,
};

isa_live isa_live_at(const isa_program *program, const uint32_t *values, const uint32_t *lists, uint32_t pc)
{
    const uint32_t place = isa_table_value(program, values, pc);
    if (place == UNKNOWN)
        return (isa_live){ISA_ALL_REGISTERS, ISA_ALL_REGISTERS};
    const uint32_t *list = lists + place;
    return (isa_live){list[0] | (uint64_t)list[1] << 32, list[2] | (uint64_t)list[3] << 32};
}
