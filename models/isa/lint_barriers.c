/* SPDX-License-Identifier: MIT */
/*
 * Barriers on one side of a branch that threads of a block surely take differently, by their index alone. What a loop changes, what comes
 * from memory, and the index of the block leave doubts: then all threads may take the branch alike, and nothing is said.
 */
#include "deadlock_graph.h"
#include "lanes.h"
#include "lint_rules.h"

#include <stdlib.h>

#define DEPTH_MAX 16u

/* What a value depends on. */
enum origin { DOUBTFUL, CONSTANT, BY_THREAD };

typedef struct search {
    deadlock_graph graph;
    uint32_t *list;    /* [count]: nodes that a walk has come to, */
    uint32_t *reached; /* [count + 1]: and the number of the last that did */
    uint32_t walk;
    isa_finding *findings;
    uint32_t count;
    int failed;
} search;

static const isa_instruction *at(const search *s, uint32_t node)
{
    return deadlock_instruction(&s->graph, node);
}

/* ---- Conditions -------------------------------------------------------------------------------------------------------- */

static enum origin of_register(search *s, uint32_t node, uint32_t number, uint32_t depth);

static enum origin together(enum origin a, enum origin b)
{
    if (a == DOUBTFUL || b == DOUBTFUL)
        return DOUBTFUL;
    return a > b ? a : b;
}

static enum origin of_operands(search *s, uint32_t node, uint32_t depth)
{
    enum origin all = CONSTANT;
    for (uint64_t left = at(s, node)->reads; left; left &= left - 1)
        all = together(all, of_register(s, node, (uint32_t)__builtin_ctzll(left), depth));
    return all;
}

static enum origin of_csr(uint32_t csr)
{
    if ((csr >= ISA_CSR_THREAD_X && csr < ISA_CSR_BLOCK_X) || csr == ISA_CSR_LANE || csr == ISA_CSR_WARP)
        return BY_THREAD;
    return csr >= ISA_CSR_BLOCK_SIZE_X && csr < ISA_CSR_LANE ? CONSTANT : DOUBTFUL;
}

static enum origin of_register(search *s, uint32_t node, uint32_t number, uint32_t depth)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    if (!depth || lint_definitions(&s->graph.flow, node, number, 0, definitions, &entry) != 1 || entry)
        return DOUBTFUL;
    const isa_instruction *from = at(s, *definitions);
    switch (from->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV: return of_operands(s, *definitions, depth - 1);
    case ISA_CLASS_CSR:
        return from->operation == ISA_OP_CSRRS && !from->rs1 ? of_csr((uint32_t)from->immediate) : DOUBTFUL;
    default: return DOUBTFUL;
    }
}

/* ---- Ways -------------------------------------------------------------------------------------------------------------- */

/* Nodes behind this one on ways that do not cross `end`, in s->list. How many. */
static uint32_t walk_from(search *s, uint32_t node, uint32_t end)
{
    uint32_t count = 0, next[2];
    s->walk++;
    for (uint32_t i = 0, from = node;; from = s->list[i++]) {
        for (uint32_t k = lint_successors(&s->graph.flow, from, next); k > 0; k--) {
            const uint32_t to = next[k - 1];
            if (to == end || s->reached[to] == s->walk)
                continue;
            s->reached[to] = s->walk;
            s->list[count++] = to;
        }
        if (i == count)
            return count;
    }
}

static int is_barrier(const search *s, uint32_t node)
{
    return at(s, node)->instruction_class == ISA_CLASS_BARRIER;
}

static void report(search *s, uint32_t branch, uint32_t barrier, uint32_t meeting)
{
    const uint32_t pc = deadlock_pc(&s->graph, barrier);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->findings[i].access_pc == pc)
            return;
    isa_finding *grown = realloc(s->findings, (s->count + 1) * sizeof *grown);
    s->failed |= !grown;
    if (!grown)
        return;
    s->findings = grown;
    s->findings[s->count++] = (isa_finding){.kind = ISA_LINT_DIVERGENT_BARRIER,
                                            .branch_pc = deadlock_pc(&s->graph, branch),
                                            .access_pc = pc,
                                            .meeting_pc = deadlock_pc(&s->graph, meeting)};
}

/* Threads that have left the kernel are not waited for: lanes that only meet at the return do no harm. */
static void check_branch(search *s, uint32_t branch)
{
    const uint32_t meeting = deadlock_meeting(&s->graph, branch);
    if (meeting >= s->graph.count || !deadlock_parts(&s->graph, branch) ||
        of_operands(s, branch, DEPTH_MAX) != BY_THREAD)
        return;
    for (uint32_t left = walk_from(s, branch, meeting); left; left--)
        if (is_barrier(s, s->list[left - 1]))
            report(s, branch, s->list[left - 1], meeting);
}

static int has_barriers(const search *s)
{
    for (uint32_t node = 0; node < s->graph.count; node++)
        if (s->graph.flow.program->reachable[node] && is_barrier(s, node))
            return 1;
    return 0;
}

/* The nearest branch is the one to name. */
static void check_all(search *s)
{
    for (uint32_t node = s->graph.count; node-- > 0 && !s->failed;)
        if (s->graph.flow.program->reachable[node] && at(s, node)->instruction_class == ISA_CLASS_BRANCH)
            check_branch(s, node);
}

int lint_find_barriers(const isa_program *program, isa_finding **findings, uint32_t *count)
{
    search s = {.list = NULL};
    s.failed = deadlock_graph_open(&s.graph, program, NULL, 0);
    s.list = malloc((s.graph.count + 1) * sizeof *s.list);
    s.reached = calloc(s.graph.count + 1, sizeof *s.reached);
    s.failed |= !s.list || !s.reached;
    if (!s.failed && has_barriers(&s))
        check_all(&s);
    deadlock_graph_close(&s.graph);
    free(s.list);
    free(s.reached);
    if (s.failed)
        free(s.findings);
    *findings = s.failed ? NULL : s.findings;
    *count = s.failed ? 0 : s.count;
    return s.failed ? -1 : 0;
}
