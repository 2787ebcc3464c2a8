/* SPDX-License-Identifier: MIT */
#include "analysis.h"
#include "control_flow_graph.h"

#include <stdlib.h>

static uint32_t pc_of(const control_flow *flow, uint32_t node, const uint32_t *entered)
{
    if (node == ISA_NO_NODE || node == flow->count)
        return ISA_RECONVERGE_AT_RETURN;
    return flow_pc(flow, node < flow->count ? node : entered[node - flow->count - 1]);
}

static void fill_meeting_points(const control_flow *flow, const uint32_t *immediate, const uint32_t *entered,
                                uint32_t *values)
{
    for (uint32_t node = 0; node < flow->count; node++) {
        const isa_instruction *instruction = &flow->program->instructions[node];
        uint32_t class = instruction->instruction_class;
        if (!flow->reachable[node] || instruction->flags & ISA_FLAG_CALL)
            continue;
        if (class == ISA_CLASS_BRANCH || class == ISA_CLASS_JUMP_REGISTER)
            values[node] = pc_of(flow, immediate[node], entered);
    }
}

static int fill_reconvergence(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    const control_flow open = flow_of_program(program, error, error_bytes), *flow = &open;
    isa_graph graph;
    uint32_t *entered;
    uint32_t *immediate = NULL;
    int failed = flow_build_graph(flow, &graph, &entered);
    if (!failed) {
        immediate = malloc((size_t)graph.node_count * sizeof *immediate);
        if (!immediate || isa_post_dominators(&graph, flow->count, immediate))
            failed = flow_fail(flow, "out of memory");
        else
            fill_meeting_points(flow, immediate, entered, values);
    }
    free(immediate);
    free(entered);
    free(graph.first);
    free(graph.target);
    return failed;
}

const isa_analysis isa_reconvergence = {
    .name = "reconvergence",
    .doc = "where lanes that part here meet again",
    .none = ISA_RECONVERGE_AT_RETURN,
    .fill = fill_reconvergence,
};

int isa_control_flow(isa_program *program, char *error, size_t error_bytes)
{
    size_t count = program->text_bytes / 4;
    program->reachable = calloc(count, 1);
    program->returns = calloc(count, 1);
    control_flow flow = {
        .program = program,
        .count = (uint32_t)count,
        .reachable = program->reachable,
        .returns = program->returns,
        .work = malloc((count + 1) * sizeof *flow.work),
        .error = error,
        .error_bytes = error_bytes,
    };
    int failed = 0;
    if (!flow.reachable || !flow.returns || !flow.work)
        failed = flow_fail(&flow, "out of memory");
    failed = failed || flow_find_functions(&flow);
    free(flow.work);
    return failed ? -1 : 0;
}

control_flow flow_of_program(const isa_program *program, char *error, size_t error_bytes)
{
    return (control_flow){.program = (isa_program *)program, /* only read */
                          .count = program->text_bytes / 4,
                          .reachable = program->reachable,
                          .returns = program->returns,
                          .error = error,
                          .error_bytes = error_bytes};
}

uint32_t isa_successors(const isa_program *program, uint32_t pc, uint32_t successor[2])
{
    const control_flow flow = flow_of_program(program, NULL, 0);
    if (!isa_program_at(program, pc))
        return 0;
    uint32_t count = flow_successors(&flow, (pc - program->text_address) / 4, successor);
    for (uint32_t i = 0; i < count; i++)
        successor[i] = successor[i] == flow.count ? ISA_RECONVERGE_AT_RETURN : flow_pc(&flow, successor[i]);
    return count;
}

int isa_jump_target(const isa_program *program, uint32_t pc, uint32_t *target)
{
    const control_flow flow = flow_of_program(program, NULL, 0);
    const isa_instruction *jump = isa_program_at(program, pc);
    if (!jump || (jump->operation != ISA_OP_JAL && !(jump->flags & ISA_FLAG_RECOVERED)))
        return 0;
    uint32_t node = flow_jump_target(&flow, (pc - program->text_address) / 4);
    *target = node == ISA_NO_NODE ? 0 : flow_pc(&flow, node);
    return node != ISA_NO_NODE;
}
