/* SPDX-License-Identifier: MIT */
/* Loops that do nothing but wait, by rules that leave no doubt. */
#include "lint_rules.h"

#include "lint_flow.h"

#include <stdlib.h>

typedef struct lint {
    lint_flow flow;
    lint_loop loop;
    const uint32_t *meetings; /* table "reconvergence" */
    uint32_t *own_meetings;   /* of a program that does not have it */
    isa_finding *findings;
    uint32_t count;
    int failed;
} lint;

static uint32_t pc_of(const lint *l, uint32_t node)
{
    return l->flow.program->text_address + 4 * node;
}

static void report(lint *l, isa_finding finding)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->findings[i].kind == finding.kind && l->findings[i].access_pc == finding.access_pc)
            return;
    isa_finding *findings = realloc(l->findings, (l->count + 1) * sizeof *findings);
    l->failed |= !findings;
    if (!findings)
        return;
    l->findings = findings;
    findings[l->count++] = finding;
}

static int writes_memory(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_STORE ||
           (instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->operation != ISA_OP_LR_W);
}

static int32_t offset_of(const isa_instruction *access)
{
    return access->instruction_class == ISA_CLASS_ATOMIC ? 0 : access->immediate;
}

static int same_address(lint *l, uint32_t a, uint32_t b)
{
    const isa_instruction *x = lint_instruction(&l->flow, a), *y = lint_instruction(&l->flow, b);
    return offset_of(x) == offset_of(y) && lint_same_value(&l->flow, a, x->rs1, b, y->rs1);
}

/* The loop of a compare-and-swap made of lr and sc ends when the lanes have had their turn. */
static int is_lr_sc_retry(lint *l)
{
    lint_slice slice;
    uint32_t latch = l->loop.latch;
    if (lint_instruction(&l->flow, latch)->instruction_class != ISA_CLASS_BRANCH ||
        !lint_slice_of(&l->flow, latch, &slice))
        return 0;
    for (uint32_t i = 0; i < slice.size; i++)
        if (lint_instruction(&l->flow, slice.nodes[i])->operation == ISA_OP_SC_W)
            return 1;
    return 0;
}

/* Does the loop itself write to the address of `access`, other than by it or by the sc of its lr? */
static int is_written_in_loop(lint *l, uint32_t access)
{
    const isa_instruction *read = lint_instruction(&l->flow, access);
    for (uint32_t i = 0; i < l->loop.size; i++) {
        uint32_t node = l->loop.body[i];
        const isa_instruction *other = lint_instruction(&l->flow, node);
        int is_its_own = node == access || (read->operation == ISA_OP_LR_W && other->operation == ISA_OP_SC_W);
        if (writes_memory(other) && !is_its_own && same_address(l, access, node))
            return 1;
    }
    return 0;
}

/* Writes that can be reached from the branch without going through the loop. */
static uint32_t writes_behind(lint *l, uint32_t branch, uint32_t writes[LINT_SLICE_MAX])
{
    lint_flow *flow = &l->flow;
    uint32_t depth = 0, count = 0;
    flow->walk++;
    flow->stack[depth++] = branch;
    while (depth && count < LINT_SLICE_MAX) {
        uint32_t successor[2];
        for (uint32_t i = lint_successors(flow, flow->stack[--depth], successor); i > 0; i--) {
            uint32_t next = successor[i - 1];
            if (lint_in_loop(flow, next) || flow->visited[next] == flow->walk)
                continue;
            flow->visited[next] = flow->walk;
            flow->stack[depth++] = next;
            if (count < LINT_SLICE_MAX && writes_memory(lint_instruction(flow, next)))
                writes[count++] = next;
        }
    }
    return count;
}

/* What takes a lock does not give it back: compilers make a copy of it that stands before the loop. */
static int is_copy(lint *l, uint32_t access, uint32_t write)
{
    const isa_instruction *x = lint_instruction(&l->flow, access), *y = lint_instruction(&l->flow, write);
    return x->operation == y->operation && lint_same_value(&l->flow, access, x->rs2, write, y->rs2) &&
           (x->operation != ISA_OP_AMOCAS_W || lint_same_value(&l->flow, access, x->rd, write, y->rd));
}

/* The first of them in the code that goes to the address of `access` and does something else there; ISA_NO_NODE. */
static uint32_t write_behind(lint *l, uint32_t branch, uint32_t access)
{
    uint32_t writes[LINT_SLICE_MAX], found = ISA_NO_NODE;
    for (uint32_t i = writes_behind(l, branch, writes); i > 0; i--)
        if (writes[i - 1] < found && same_address(l, access, writes[i - 1]) && !is_copy(l, access, writes[i - 1]))
            found = writes[i - 1];
    return found;
}

static void check_lock(lint *l, uint32_t branch, const lint_slice *slice)
{
    for (uint32_t i = 0; i < slice->size; i++) {
        uint32_t access = slice->nodes[i];
        if (lint_instruction(&l->flow, access)->instruction_class != ISA_CLASS_ATOMIC || is_written_in_loop(l, access))
            continue;
        uint32_t other = write_behind(l, branch, access);
        if (other != ISA_NO_NODE)
            report(l, (isa_finding){.kind = ISA_LINT_DEADLOCK,
                                    .branch_pc = pc_of(l, branch),
                                    .access_pc = pc_of(l, access),
                                    .other_pc = pc_of(l, other)});
    }
}

/* Drops lines of the L1: a fence with R among its successors, an acquire. */
static int refreshes(const isa_instruction *instruction)
{
    return (instruction->instruction_class == ISA_CLASS_FENCE && instruction->flags & ISA_FLAG_FENCE_R) ||
           (instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE);
}

static int loop_refreshes(const lint *l)
{
    for (uint32_t i = 0; i < l->loop.size; i++)
        if (refreshes(lint_instruction(&l->flow, l->loop.body[i])) ||
            lint_instruction(&l->flow, l->loop.body[i])->flags & ISA_FLAG_CALL)
            return 1;
    return 0;
}

static int is_plain_load(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_LOAD && !(instruction->flags & ISA_FLAG_LOAD_UNCACHED);
}

/* Nothing but memory that others write changes the condition: no count, no clock, no variable of the thread. */
static int only_waits(lint *l, const lint_slice *slice)
{
    if (slice->is_recurrent)
        return 0;
    for (uint32_t i = 0; i < slice->size; i++) {
        const isa_instruction *instruction = lint_instruction(&l->flow, slice->nodes[i]);
        if (instruction->instruction_class == ISA_CLASS_CSR || instruction->flags & ISA_FLAG_CALL)
            return 0;
        if (is_plain_load(instruction) && lint_memory_of(&l->flow, slice->nodes[i]) == LINT_PRIVATE)
            return 0;
    }
    return 1;
}

static void check_spin(lint *l, uint32_t branch, const lint_slice *slice)
{
    for (uint32_t i = 0; i < slice->size; i++) {
        uint32_t access = slice->nodes[i];
        if (is_plain_load(lint_instruction(&l->flow, access)) && !is_written_in_loop(l, access) &&
            lint_memory_of(&l->flow, access) == LINT_GLOBAL)
            report(l, (isa_finding){
                          .kind = ISA_LINT_STALE_SPIN, .branch_pc = pc_of(l, branch), .access_pc = pc_of(l, access)});
    }
}

static int leaves_loop(const lint *l, uint32_t node)
{
    uint32_t successor[2];
    uint32_t count = lint_successors(&l->flow, node, successor);
    for (uint32_t i = 0; i < count; i++)
        if (!lint_in_loop(&l->flow, successor[i]))
            return 1;
    return 0;
}

/* check is called for each branch that leaves the loop; returns whether all of these only wait. */
static int each_exit(lint *l, void (*check)(lint *l, uint32_t branch, const lint_slice *slice))
{
    lint_slice slice;
    int all_wait = 1;
    for (uint32_t i = 0; i < l->loop.size; i++) {
        uint32_t node = l->loop.body[i];
        if (!leaves_loop(l, node))
            continue;
        if (lint_instruction(&l->flow, node)->instruction_class != ISA_CLASS_BRANCH ||
            !lint_slice_of(&l->flow, node, &slice))
            return 0;
        all_wait &= only_waits(l, &slice);
        if (check)
            check(l, node, &slice);
    }
    return all_wait;
}

/* Lanes that meet in the loop, turn by turn, wait for the one that has gone to give the lock back. */
static int meets_in_loop(const lint *l, uint32_t branch)
{
    uint32_t meeting = l->meetings[branch];
    return meeting != ISA_RECONVERGE_AT_RETURN && lint_in_loop(&l->flow, (meeting - l->flow.program->text_address) / 4);
}

static void check_waiting_exit(lint *l, uint32_t branch, const lint_slice *slice)
{
    if (only_waits(l, slice) && !meets_in_loop(l, branch))
        check_lock(l, branch, slice);
}

static void check_back_edge(void *context, uint32_t latch, uint32_t head)
{
    lint *l = context;
    if (!lint_find_loop(&l->flow, latch, head, &l->loop) || is_lr_sc_retry(l))
        return;
    if (each_exit(l, check_waiting_exit) && !loop_refreshes(l))
        each_exit(l, check_spin);
}

static int by_access(const void *a, const void *b)
{
    const isa_finding *x = a, *y = b;
    if (x->access_pc != y->access_pc)
        return x->access_pc > y->access_pc ? 1 : -1;
    return (int)x->kind - (int)y->kind;
}

int lint_find_by_rules(const isa_program *program, isa_finding **findings, uint32_t *count)
{
    lint *l = calloc(1, sizeof *l);
    *findings = NULL;
    *count = 0;
    if (!l)
        return -1;
    l->failed = lint_flow_open(&l->flow, program) || lint_find_meetings(program, &l->meetings, &l->own_meetings);
    if (!l->failed && lint_each_back_edge(&l->flow, check_back_edge, l))
        l->failed = 1;
    lint_flow_close(&l->flow);
    free(l->own_meetings);
    int failed = l->failed ? -1 : 0;
    if (failed) {
        free(l->findings);
    } else {
        *findings = l->findings;
        *count = l->count;
        if (*count)
            qsort(*findings, *count, sizeof **findings, by_access);
    }
    free(l);
    return failed;
}
