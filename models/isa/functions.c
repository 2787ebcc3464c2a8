/* SPDX-License-Identifier: MIT */
/* Which code there is, and which calls come back. */
#include "control_flow_graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int flow_fail(const control_flow *flow, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(flow->error, flow->error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

/* Node of a pc; ISA_NO_NODE if there is no code. */
static uint32_t node_of(const control_flow *flow, uint32_t pc)
{
    uint32_t offset = pc - flow->program->text_address;
    return isa_program_at(flow->program, pc) ? offset / 4 : ISA_NO_NODE;
}

uint32_t flow_jump_target(const control_flow *flow, uint32_t node)
{
    const isa_instruction *jump = &flow->program->instructions[node];
    if (jump->operation == ISA_OP_JAL)
        return node_of(flow, flow_pc(flow, node) + (uint32_t)jump->immediate);
    uint32_t base = flow_pc(flow, node - 1) + (uint32_t)jump[-1].immediate;
    return node_of(flow, (base + (uint32_t)jump->immediate) & ~UINT32_C(1));
}

static uint32_t add_node(uint32_t node, uint32_t *successor, uint32_t count)
{
    if (node == ISA_NO_NODE)
        return count;
    successor[count] = node;
    return count + 1;
}

static uint32_t jump_successors(const control_flow *flow, uint32_t node, uint32_t successor[2])
{
    const isa_instruction *jump = &flow->program->instructions[node];
    uint32_t next = node_of(flow, flow_pc(flow, node) + 4);
    if (!(jump->flags & ISA_FLAG_CALL))
        return add_node(flow_knows_target(jump) ? flow_jump_target(flow, node) : flow->count, successor, 0);
    if (flow_knows_target(jump)) {
        uint32_t callee = flow_jump_target(flow, node);
        if (callee == ISA_NO_NODE || !flow->returns[callee])
            return 0;
    }
    return add_node(next, successor, 0);
}

uint32_t flow_successors(const control_flow *flow, uint32_t node, uint32_t successor[2])
{
    const isa_instruction *instruction = &flow->program->instructions[node];
    uint32_t pc = flow_pc(flow, node);
    switch (instruction->instruction_class) {
    case ISA_CLASS_ILLEGAL: return 0;
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: return jump_successors(flow, node, successor);
    case ISA_CLASS_BRANCH: {
        uint32_t count = add_node(node_of(flow, pc + 4), successor, 0);
        return add_node(node_of(flow, pc + (uint32_t)instruction->immediate), successor, count);
    }
    default:
        if (instruction->operation == ISA_OP_EBREAK || instruction->operation == ISA_OP_ASSERT_FAIL)
            return 0;
        return add_node(node_of(flow, pc + 4), successor, 0);
    }
}

/* auipc and jalr side by side have one target, if nothing jumps in between. */
static int recover_jumps(control_flow *flow)
{
    isa_instruction *code = flow->program->instructions;
    uint8_t *entered = calloc(flow->count, 1);
    if (!entered)
        return -1;
    for (uint32_t node = 0; node < flow->count; node++) {
        uint32_t target = ISA_NO_NODE;
        if (code[node].flags & ISA_FLAG_RECOVERED) /* of code that was analysed before and has changed since */
            code[node].flags = isa_decode(code[node].word).flags;
        if (code[node].operation == ISA_OP_JAL || code[node].instruction_class == ISA_CLASS_BRANCH)
            target = node_of(flow, flow_pc(flow, node) + (uint32_t)code[node].immediate);
        if (target != ISA_NO_NODE)
            entered[target] = 1;
    }
    for (uint32_t node = 1; node < flow->count; node++) {
        const isa_instruction *before = &code[node - 1];
        isa_instruction *jump = &code[node];
        if (jump->operation != ISA_OP_JALR || before->operation != ISA_OP_AUIPC || entered[node] || !before->rd ||
            jump->rs1 != before->rd)
            continue;
        jump->flags = (uint16_t)((jump->flags | ISA_FLAG_RECOVERED) & ~ISA_FLAG_RETURN);
    }
    free(entered);
    return 0;
}

/* All nodes that `node` waits for to return: what follows it and, of a call, its callee. */
static uint32_t dependencies(const control_flow *flow, uint32_t node, uint32_t dependency[2])
{
    const isa_instruction *instruction = &flow->program->instructions[node];
    if (!(instruction->flags & ISA_FLAG_CALL))
        return flow_successors(flow, node, dependency);
    uint32_t count = add_node(node_of(flow, flow_pc(flow, node) + 4), dependency, 0);
    return flow_knows_target(instruction) ? add_node(flow_jump_target(flow, node), dependency, count) : count;
}

/* Every node is on the lists of the (at most two) nodes it depends on: entry 2 * node + i. */
typedef struct dependents {
    uint32_t *head; /* [count + 1] */
    uint32_t *next; /* [2 * count] */
} dependents;

static void link_dependents(const control_flow *flow, dependents *lists)
{
    for (uint32_t node = 0; node <= flow->count; node++)
        lists->head[node] = ISA_NO_NODE;
    for (uint32_t node = 0; node < flow->count; node++) {
        uint32_t dependency[2];
        uint32_t count = dependencies(flow, node, dependency);
        for (uint32_t i = 0; i < count; i++) {
            lists->next[2 * node + i] = lists->head[dependency[i]];
            lists->head[dependency[i]] = 2 * node + i;
        }
    }
}

/* Does the node return, as far as is known by now? */
static int now_returns(const control_flow *flow, uint32_t node)
{
    uint32_t successor[2];
    uint32_t count = flow_successors(flow, node, successor);
    for (uint32_t i = 0; i < count; i++)
        if (successor[i] == flow->count || flow->returns[successor[i]])
            return 1;
    return 0;
}

/* Smallest set: what leads to a return, where a call is passed only if its callee is in the set. */
static int find_returning(control_flow *flow)
{
    dependents lists = {
        .head = malloc(((size_t)flow->count + 1) * sizeof *lists.head),
        .next = malloc(2 * (size_t)flow->count * sizeof *lists.next),
    };
    uint32_t depth = 0;
    int failed = !lists.head || !lists.next;
    if (!failed) {
        link_dependents(flow, &lists);
        flow->work[depth++] = flow->count;
    }
    while (depth) {
        uint32_t known = flow->work[--depth];
        for (uint32_t edge = lists.head[known]; edge != ISA_NO_NODE; edge = lists.next[edge]) {
            uint32_t node = edge / 2;
            if (flow->returns[node] || !now_returns(flow, node))
                continue;
            flow->returns[node] = 1;
            flow->work[depth++] = node;
        }
    }
    free(lists.head);
    free(lists.next);
    return failed ? -1 : 0;
}

typedef struct reaching {
    control_flow *flow;
    uint32_t depth;
} reaching;

static void reach(void *context, uint32_t node)
{
    reaching *r = context;
    if (node == ISA_NO_NODE || node == r->flow->count || r->flow->reachable[node])
        return;
    r->flow->reachable[node] = 1;
    r->flow->work[r->depth++] = node;
}

static int is_known_call(const isa_instruction *instruction)
{
    return instruction->flags & ISA_FLAG_CALL && flow_knows_target(instruction);
}

static void find_reachable(control_flow *flow)
{
    reaching r = {.flow = flow};
    flow_each_entry(flow, reach, &r);
    while (r.depth) {
        uint32_t node = flow->work[--r.depth];
        uint32_t successor[2];
        uint32_t count = flow_successors(flow, node, successor);
        for (uint32_t i = 0; i < count; i++)
            reach(&r, successor[i]);
        if (is_known_call(&flow->program->instructions[node]))
            reach(&r, flow_jump_target(flow, node));
    }
}

void flow_each_entry(const control_flow *flow, void (*visit)(void *context, uint32_t node), void *context)
{
    const isa_program *program = flow->program;
    uint32_t entry = node_of(flow, program->entry);
    if (entry != ISA_NO_NODE)
        visit(context, entry);
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        uint32_t node = program->symbols[i].is_function ? node_of(flow, program->symbols[i].address) : ISA_NO_NODE;
        if (node != ISA_NO_NODE)
            visit(context, node);
    }
    for (uint32_t node = 0; node < flow->count; node++) {
        if (!flow->reachable[node] || !is_known_call(&program->instructions[node]))
            continue;
        uint32_t callee = flow_jump_target(flow, node);
        if (callee != ISA_NO_NODE)
            visit(context, callee);
    }
}

int flow_find_functions(control_flow *flow)
{
    if (recover_jumps(flow) || find_returning(flow))
        return flow_fail(flow, "out of memory");
    find_reachable(flow);
    return 0;
}
