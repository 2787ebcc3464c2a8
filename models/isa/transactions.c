/* SPDX-License-Identifier: MIT */
/*
 * Transactions are paired by walking from each tx.begin with the number of inner transactions that are open. Paths that
 * end in a trap end the run, and are no way to leave a transaction. Functions that a transaction calls are looked through for
 * transactions on another domain.
 */
#include "analysis.h"
#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES 128u
#define LEVELS 8u           /* of nesting within one function */
#define CALLED LEVELS       /* in the place of a level: in a function that the transaction calls */
#define STATES (LEVELS + 1) /* of a node; visited holds a bit for each */

typedef struct walk {
    const control_flow *flow;
    uint32_t *commits;  /* [count]: of a tx.begin, the pc of its tx.commit */
    uint16_t *visited;  /* [count], bit = level, or CALLED */
    uint32_t *stack;    /* [STATES * count]: STATES * node + level */
    uint32_t *begin_of; /* [count]: of a tx.commit, its tx.begin */
    uint32_t depth;
    uint32_t begin;  /* node of the tx.begin that is walked from; ISA_NO_NODE: from outside any */
    uint32_t commit; /* found so far */
} walk;

static const char *place_of(const walk *w, uint32_t node, char text[PLACE_BYTES])
{
    isa_program_place(w->flow->program, flow_pc(w->flow, node), text, PLACE_BYTES);
    return text;
}

static void push(walk *w, uint32_t node, uint32_t level)
{
    if (w->visited[node] >> level & 1)
        return;
    w->visited[node] |= (uint16_t)(1u << level);
    w->stack[w->depth++] = STATES * node + level;
}

static void visit_entry(void *context, uint32_t node)
{
    push(context, node, 0);
}

/* That this node is bound to two others, which are named in the order of the code. */
static int refuse_two(walk *w, const char *format, uint32_t node, uint32_t a, uint32_t b)
{
    char place[PLACE_BYTES], first[PLACE_BYTES], second[PLACE_BYTES];
    return flow_fail(w->flow, format, place_of(w, node, place), place_of(w, a < b ? a : b, first),
                     place_of(w, a < b ? b : a, second));
}

static int meet_commit(walk *w, uint32_t node)
{
    char place[PLACE_BYTES];
    if (w->begin == ISA_NO_NODE)
        return flow_fail(w->flow, "tx.commit at %s is reached without a tx.begin", place_of(w, node, place));
    if (w->commit != ISA_NO_NODE && w->commit != node)
        return refuse_two(w, "tx.begin at %s has two tx.commit, at %s and %s", w->begin, w->commit, node);
    if (w->begin_of[node] != ISA_NO_NODE && w->begin_of[node] != w->begin)
        return refuse_two(w, "tx.commit at %s has two tx.begin, at %s and %s", node, w->begin_of[node], w->begin);
    w->commit = node;
    w->begin_of[node] = w->begin;
    return 0;
}

static int go_on(walk *w, uint32_t node, uint32_t level)
{
    uint32_t successor[2];
    char begin[PLACE_BYTES], exit[PLACE_BYTES];
    uint32_t count = flow_successors(w->flow, node, successor);
    for (uint32_t i = 0; i < count; i++) {
        if (successor[i] != w->flow->count) {
            push(w, successor[i], level);
        } else if (w->begin != ISA_NO_NODE && level != CALLED) {
            return flow_fail(w->flow, "tx.begin at %s: the function is left at %s without a tx.commit",
                             place_of(w, w->begin, begin), place_of(w, node, exit));
        }
    }
    return 0;
}

/* Of a tx.begin: global memory, the scratchpad, or neither. */
static uint32_t domain_of(const walk *w, uint32_t begin)
{
    return (uint32_t)w->flow->program->instructions[begin].immediate;
}

static const char *name_of(uint32_t domain)
{
    static const char *const names[] = {"no domain", "global memory", "the scratchpad", "both domains"};
    return names[domain & 3];
}

/* A transaction within another is part of it, so it cannot be on another domain. */
static int meet_begin(const walk *w, uint32_t node, uint32_t *level)
{
    char inner[PLACE_BYTES], outer[PLACE_BYTES];
    if (*level + 1 == LEVELS)
        return flow_fail(w->flow, "transactions are nested deeper than %u in one function, at %s", LEVELS,
                         place_of(w, node, inner));
    *level += *level != CALLED;
    if (w->begin == ISA_NO_NODE || domain_of(w, node) == domain_of(w, w->begin))
        return 0;
    return flow_fail(w->flow, "a transaction on %s, from tx.begin at %s, within one on %s, from tx.begin at %s",
                     name_of(domain_of(w, node)), place_of(w, node, inner), name_of(domain_of(w, w->begin)),
                     place_of(w, w->begin, outer));
}

static void follow_call(walk *w, uint32_t node)
{
    const isa_instruction *call = &w->flow->program->instructions[node];
    if (w->begin == ISA_NO_NODE || !(call->flags & ISA_FLAG_CALL) || !flow_knows_target(call))
        return;
    const uint32_t callee = flow_jump_target(w->flow, node);
    if (callee != ISA_NO_NODE)
        push(w, callee, CALLED);
}

static int walk_all(walk *w)
{
    while (w->depth) {
        uint32_t node = w->stack[--w->depth] / STATES;
        uint32_t level = w->stack[w->depth] % STATES;
        uint32_t operation = w->flow->program->instructions[node].operation;
        if (operation == ISA_OP_TX_COMMIT && level == 0) {
            if (meet_commit(w, node))
                return -1;
            continue;
        }
        if (operation == ISA_OP_TX_BEGIN && meet_begin(w, node, &level))
            return -1;
        if (operation == ISA_OP_TX_COMMIT && level != CALLED)
            level--;
        follow_call(w, node);
        if (go_on(w, node, level))
            return -1;
    }
    return 0;
}

static int walk_from_begin(walk *w, uint32_t begin)
{
    char place[PLACE_BYTES];
    memset(w->visited, 0, w->flow->count * sizeof *w->visited);
    w->begin = begin;
    w->commit = ISA_NO_NODE;
    w->depth = 0;
    if (go_on(w, begin, 0) || walk_all(w))
        return -1;
    if (w->commit == ISA_NO_NODE)
        return flow_fail(w->flow, "tx.begin at %s has no tx.commit", place_of(w, begin, place));
    w->commits[begin] = flow_pc(w->flow, w->commit);
    return 0;
}

static int walk_from_outside(walk *w)
{
    memset(w->visited, 0, w->flow->count * sizeof *w->visited);
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

/* From each tx.begin that can be reached, all paths meet the same one tx.commit before they leave the function (nesting
 * counted), no two tx.begin share one, and no tx.commit is reached without. */
static int fill_commits(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    const control_flow open = flow_of_program(program, error, error_bytes), *flow = &open;
    size_t count = flow->count;
    if (!is_used(flow))
        return 0;
    walk w = {
        .flow = flow,
        .commits = values,
        .visited = malloc(count * sizeof *w.visited),
        .stack = malloc(STATES * count * sizeof *w.stack),
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

uint32_t isa_program_has_transactions(const isa_program *program, uint32_t domain)
{
    for (uint32_t i = 0; i < program->text_bytes / 4; i++)
        if (program->instructions[i].operation == ISA_OP_TX_BEGIN &&
            (uint32_t)program->instructions[i].immediate == domain)
            return 1;
    return 0;
}

const isa_analysis isa_commits = {
    .name = "commit",
    .doc = "where the transaction that begins here commits",
    .none = 0,
    .fill = fill_commits,
};
