/* SPDX-License-Identifier: MIT */
#include "ssde_registers.h"

#include "definitions.h"

#include <stdlib.h>

#define NEVER_FREE (UINT64_C(1) << 0 | UINT64_C(1) << 2)
#define POINTERS                                                                                                       \
    (UINT64_C(1) << 3 | UINT64_C(1) << 4) /* gp and tp, which the calling convention keeps from all functions */

static uint64_t used_anywhere(const deadlock_graph *graph)
{
    uint64_t used = 0;
    for (uint32_t node = 0; node < graph->count; node++)
        used |= deadlock_instruction(graph, node)->reads | deadlock_instruction(graph, node)->writes;
    return used;
}

/* Those of the retries of lr and sc included, which the graph's own edges leave out. */
static uint64_t needed_behind(const deadlock_graph *graph, const uint64_t *live, uint32_t node)
{
    uint32_t next[2];
    uint64_t needed = 0;
    for (uint32_t i = lint_successors(&graph->flow, node, next); i > 0; i--)
        needed |= live[next[i - 1]];
    return needed;
}

uint64_t *ssde_live_registers(const deadlock_graph *graph)
{
    uint64_t *live = calloc(graph->count, sizeof *live);
    int changed = live != NULL;
    while (changed) {
        changed = 0;
        for (uint32_t node = graph->count; node-- > 0;) {
            const isa_instruction *instruction = deadlock_instruction(graph, node);
            if (!graph->flow.program->reachable[node])
                continue;
            const uint64_t now =
                isa_needs(instruction) | (needed_behind(graph, live, node) & ~isa_changes(instruction));
            changed |= now != live[node];
            live[node] = now;
        }
    }
    return live;
}

uint32_t ssde_free_register(const deadlock_graph *graph, const ssde_switch *target, const uint64_t *live)
{
    uint64_t taken = live[target->at];
    for (uint32_t i = 0; i < target->head_count; i++)
        taken |= live[target->heads[i]];
    const uint64_t pointers = POINTERS & ~used_anywhere(graph);
    taken = NEVER_FREE | (taken & ~pointers) | (POINTERS & ~pointers);
    for (uint32_t number = 31; number > 0; number--)
        if (!(taken >> number & 1))
            return number;
    return 0;
}
