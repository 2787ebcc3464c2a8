/* SPDX-License-Identifier: MIT */
/* Switches that cores execute: instructions beside those before which lanes wait, and tables that say who goes where. */
#include "loading.h"
#include "ssde.h"
#include "ssde_plan.h"

#include <stdio.h>
#include <stdlib.h>

#define JUMP_TO_ITSELF 0x0000006Fu
#define RECORD_HEAD 2u
#define EDGE_WORDS 3u

typedef struct tables {
    ssde_plan plan;
    const isa_program *program;
    uint32_t *values;
    uint32_t *lists;
    uint32_t used;
} tables;

static uint32_t switch_pc(const ssde_plan *plan, uint32_t index)
{
    return isa_ssde_switch(deadlock_pc(&plan->graph, plan->switches[index].at));
}

/* Who leaves a transaction goes on behind it without a step that a core would look at. */
static int refuse_behind_transactions(const ssde_plan *plan, const isa_program *program, char *error,
                                      size_t error_bytes)
{
    char place[128];
    for (uint32_t i = 0; i < plan->arrival_count; i++) {
        const uint32_t pc = deadlock_pc(&plan->graph, plan->arrivals[i].node);
        const isa_instruction *before = isa_program_at(program, pc - 4);
        if (!before || before->operation != ISA_OP_TX_COMMIT)
            continue;
        isa_program_place(program, pc, place, sizeof place);
        return isa_fail(
            error, error_bytes,
            "ssde: lanes would wait at %s, right behind a transaction: only switches in code can stand there "
            "(core.ssde=rewritten)",
            place);
    }
    return 0;
}

/* ---- The instructions ----------------------------------------------------------------------------------------------- */

static int add_switches(isa_rewrite *rewrite, const ssde_plan *plan)
{
    for (uint32_t i = 0; i < plan->switch_count; i++) {
        const uint32_t pc = switch_pc(plan, i);
        if (isa_rewrite_add(rewrite, pc, JUMP_TO_ITSELF) ||
            (plan->switches[i].head_count > 1 && isa_rewrite_add(rewrite, isa_ssde_dispatch(pc), JUMP_TO_ITSELF)))
            return -1;
    }
    return 0;
}

static int apply(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    ssde_plan plan;
    const int failed = ssde_plan_make(&plan, program, error, error_bytes) ||
                       refuse_behind_transactions(&plan, program, error, error_bytes) || add_switches(rewrite, &plan);
    ssde_plan_free(&plan);
    return failed ? -1 : 0;
}

const isa_transform isa_ssde_virtual = {
    .name = "ssde",
    .doc = "switches that the core executes, at which lanes wait that would wait in loops for lanes of their own warp",
    .apply = apply,
};

/* ---- Who goes where ------------------------------------------------------------------------------------------------- */

static uint32_t edges_of(const ssde_plan *plan, uint32_t latch)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->edge_count; i++)
        count += plan->edges[i].latch == latch;
    return count;
}

static uint32_t list_words(const ssde_plan *plan)
{
    uint32_t words = 1 + RECORD_HEAD * plan->arrival_count + (RECORD_HEAD + EDGE_WORDS) * plan->edge_count;
    for (uint32_t i = 0; i < plan->switch_count; i++)
        words += RECORD_HEAD + plan->switches[i].head_count;
    return words;
}

static uint32_t *new_record(tables *t, uint32_t pc, uint32_t words)
{
    uint32_t *record = t->lists + t->used;
    t->values[isa_program_index(t->program, pc)] = t->used;
    t->used += words;
    return record;
}

static void put_node(tables *t, uint32_t node)
{
    const ssde_plan *plan = &t->plan;
    const ssde_switch *before = ssde_switch_before(plan, node);
    const uint32_t edges = edges_of(plan, node);
    if (!before && !edges)
        return;
    uint32_t *record = new_record(t, deadlock_pc(&plan->graph, node), RECORD_HEAD + EDGE_WORDS * edges);
    *record++ = before ? switch_pc(plan, (uint32_t)(before - plan->switches)) : 0;
    *record++ = edges;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        if (plan->edges[i].latch != node)
            continue;
        *record++ = deadlock_pc(&plan->graph, plan->edges[i].head);
        *record++ = switch_pc(plan, plan->edges[i].switch_index);
        *record++ = plan->edges[i].number;
    }
}

static void put_switch(tables *t, uint32_t index)
{
    const ssde_plan *plan = &t->plan;
    const ssde_switch *target = &plan->switches[index];
    uint32_t *record = new_record(t, switch_pc(plan, index), RECORD_HEAD + target->head_count);
    *record++ = deadlock_pc(&plan->graph, target->at);
    *record++ = target->head_count;
    for (uint32_t i = 0; i < target->head_count; i++)
        *record++ = deadlock_pc(&plan->graph, target->heads[i]);
}

static int fill_switches(const isa_program *program, uint32_t *values, uint32_t **lists, char *error,
                         size_t error_bytes)
{
    tables t = {.program = program, .values = values, .used = 1};
    int failed = ssde_plan_make(&t.plan, program, error, error_bytes);
    if (!failed) {
        *lists = t.lists = calloc(list_words(&t.plan), sizeof **lists);
        failed = t.lists ? 0 : isa_fail(error, error_bytes, "out of memory");
    }
    for (uint32_t node = 0; !failed && t.plan.edge_count && node < t.plan.graph.count; node++)
        put_node(&t, node);
    for (uint32_t i = 0; !failed && i < t.plan.switch_count; i++)
        put_switch(&t, i);
    ssde_plan_free(&t.plan);
    return failed;
}

static int describe_switch(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    const uint32_t *record = isa_program_lists(program, isa_ssde_switches.name) +
                             isa_table_value(program, isa_program_table(program, isa_ssde_switches.name), pc);
    if (pc % 4)
        return snprintf(text, bytes, "0x%08x, or back to one of %u heads from 0x%08x on", record[0], record[1],
                        record[2]);
    if (!record[1])
        return snprintf(text, bytes, "switch at 0x%08x", record[0]);
    return snprintf(text, bytes, "to 0x%08x by the switch at 0x%08x", record[2], record[3]);
}

const isa_analysis isa_ssde_switches = {.name = "switches",
                                        .doc = "where lanes wait for others before they go on or go round again",
                                        .none = 0,
                                        .fill_lists = fill_switches,
                                        .describe = describe_switch};

/* ---- Where lanes meet ----------------------------------------------------------------------------------------------- */

/* Those who meet before a switch meet at it. */
static uint32_t meeting_pc(const ssde_plan *plan, uint32_t meeting)
{
    const ssde_switch *before = meeting < plan->graph.count ? ssde_switch_before(plan, meeting) : NULL;
    if (before)
        return switch_pc(plan, (uint32_t)(before - plan->switches));
    return meeting < plan->graph.count ? deadlock_pc(&plan->graph, meeting) : ISA_RECONVERGE_AT_RETURN;
}

static int fill_changed(const ssde_plan *plan, const isa_program *program, uint32_t *values)
{
    uint32_t count;
    deadlock_graph graph = {0};
    isa_deadlock_change *changes = ssde_changes(plan, &count);
    const int failed = !changes || deadlock_graph_open(&graph, program, changes, count);
    for (uint32_t node = 0; !failed && node < graph.count; node++)
        if (values[node] != ISA_RECONVERGE_AT_RETURN || graph.meetings[node] != ISA_RECONVERGE_AT_RETURN)
            values[node] =
                deadlock_parts_wholly(&graph, node) ? meeting_pc(plan, deadlock_meeting(&graph, node)) : values[node];
    for (uint32_t i = 0; !failed && i < plan->switch_count; i++) {
        const uint32_t pc = switch_pc(plan, i);
        values[isa_program_index(program, pc)] = deadlock_pc(&plan->graph, plan->switches[i].at);
        if (plan->switches[i].head_count > 1)
            values[isa_program_index(program, isa_ssde_dispatch(pc))] = pc;
    }
    if (changes)
        deadlock_graph_close(&graph);
    free(changes);
    return failed;
}

static int fill_meetings(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    ssde_plan plan;
    int failed = isa_reconvergence.fill(program, values, error, error_bytes);
    if (failed)
        return failed;
    failed = ssde_plan_make(&plan, program, error, error_bytes);
    if (!failed && plan.edge_count && fill_changed(&plan, program, values))
        failed = isa_fail(error, error_bytes, "out of memory");
    ssde_plan_free(&plan);
    return failed;
}

const isa_analysis isa_ssde_meetings = {.name = "switched_reconvergence",
                                        .doc = "where lanes that part here meet again, switches included",
                                        .none = ISA_RECONVERGE_AT_RETURN,
                                        .fill = fill_meetings};
