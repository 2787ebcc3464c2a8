/* SPDX-License-Identifier: MIT */
/*
 * Transactions are paired by walking from each tx.begin with the number of inner transactions that are open. Paths that
 * end in a trap end the run, and are no way to leave a transaction.
 */
#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS 8u /* of nesting within one function; visited holds a bit for each */

typedef struct walk {
    control_flow *flow;
    uint8_t *visited;   /* [count], bit = level */
    uint32_t *stack;    /* [LEVELS * count]: LEVELS * node + level */
    uint32_t *begin_of; /* [count]: of a tx.commit, its tx.begin */
    uint32_t depth;
    uint32_t begin;  /* node of the tx.begin that is walked from; ISA_NO_NODE: from outside any */
    uint32_t commit; /* found so far */
} walk;

static int push(walk *w, uint32_t node, uint32_t level)
{
    if (level >= LEVELS)
        return flow_fail(w->flow, "transactions are nested deeper than %u in one function, at 0x%08x", LEVELS,
                         flow_pc(w->flow, node));
    if (w->visited[node] >> level & 1)
        return 0;
    w->visited[node] |= (uint8_t)(1u << level);
    w->stack[w->depth++] = LEVELS * node + level;
    return 0;
}

static void visit_entry(void *context, uint32_t node)
{
    push(context, node, 0);
}

static int meet_commit(walk *w, uint32_t node)
{
    uint32_t pc = flow_pc(w->flow, node);
    if (w->begin == ISA_NO_NODE)
        return flow_fail(w->flow, "tx.commit at 0x%08x is reached without a tx.begin", pc);
    uint32_t begin_pc = flow_pc(w->flow, w->begin);
    if (w->commit != ISA_NO_NODE && w->commit != node)
        return flow_fail(w->flow, "tx.begin at 0x%08x has two tx.commit, at 0x%08x and 0x%08x", begin_pc,
                         flow_pc(w->flow, w->commit < node ? w->commit : node),
                         flow_pc(w->flow, w->commit < node ? node : w->commit));
    if (w->begin_of[node] != ISA_NO_NODE && w->begin_of[node] != w->begin)
        return flow_fail(w->flow, "tx.commit at 0x%08x has two tx.begin, at 0x%08x and 0x%08x", pc,
                         flow_pc(w->flow, w->begin_of[node]), begin_pc);
    w->commit = node;
    w->begin_of[node] = w->begin;
    return 0;
}

static int go_on(walk *w, uint32_t node, uint32_t level)
{
    uint32_t successor[2];
    uint32_t count = flow_successors(w->flow, node, successor);
    for (uint32_t i = 0; i < count; i++) {
        if (successor[i] != w->flow->count) {
            if (push(w, successor[i], level))
                return -1;
        } else if (w->begin != ISA_NO_NODE) {
            return flow_fail(w->flow, "tx.begin at 0x%08x: the function is left at 0x%08x without a tx.commit",
                             flow_pc(w->flow, w->begin), flow_pc(w->flow, node));
        }
    }
    return 0;
}

static int walk_all(walk *w)
{
    while (w->depth) {
        uint32_t node = w->stack[--w->depth] / LEVELS;
        uint32_t level = w->stack[w->depth] % LEVELS;
        uint32_t operation = w->flow->program->instructions[node].operation;
        if (operation == ISA_OP_TX_COMMIT && level == 0) {
            if (meet_commit(w, node))
                return -1;
            continue;
        }
        if (operation == ISA_OP_TX_BEGIN)
            level++;
        else if (operation == ISA_OP_TX_COMMIT)
            level--;
        if (go_on(w, node, level))
            return -1;
    }
    return 0;
}

static int walk_from_begin(walk *w, uint32_t begin)
{
    isa_instruction *instruction = &w->flow->program->instructions[begin];
    memset(w->visited, 0, w->flow->count);
    w->begin = begin;
    w->commit = ISA_NO_NODE;
    w->depth = 0;
    if (go_on(w, begin, 0) || walk_all(w))
        return -1;
    if (w->commit == ISA_NO_NODE)
        return flow_fail(w->flow, "tx.begin at 0x%08x has no tx.commit", flow_pc(w->flow, begin));
    instruction->reconvergence_pc = flow_pc(w->flow, w->commit);
    return 0;
}

static int walk_from_outside(walk *w)
{
    memset(w->visited, 0, w->flow->count);
    w->begin = ISA_NO_NODE;
    w->depth = 0;
    flow_each_entry(w->flow, visit_entry, w);
    return walk_all(w);
}

static int is_used(const control_flow *flow)
{
    for (uint32_t node = 0; node < flow->count; node++)
        if (flow->reachable[node] && flow->program->instructions[node].instruction_class == ISA_CLASS_TRANSACTION)
            return 1;
    return 0;
}

int flow_check_transactions(control_flow *flow)
{
    size_t count = flow->count;
    if (!is_used(flow))
        return 0;
    walk w = {
        .flow = flow,
        .visited = malloc(count),
        .stack = malloc(LEVELS * count * sizeof *w.stack),
        .begin_of = malloc(count * sizeof *w.begin_of),
    };
    int failed = 0;
    if (!w.visited || !w.stack || !w.begin_of)
        failed = flow_fail(flow, "out of memory");
    for (uint32_t node = 0; !failed && node < count; node++)
        w.begin_of[node] = ISA_NO_NODE;
    for (uint32_t node = 0; !failed && node < count; node++)
        if (flow->reachable[node] && flow->program->instructions[node].operation == ISA_OP_TX_BEGIN)
            failed = walk_from_begin(&w, node);
    failed = failed || walk_from_outside(&w);
    free(w.visited);
    free(w.stack);
    free(w.begin_of);
    return failed ? -1 : 0;
}
