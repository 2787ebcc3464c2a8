/* SPDX-License-Identifier: MIT */
/*
 * Switches in code. An instruction before which lanes arrive, or from which an edge goes back, is done elsewhere:
 *
 *   arrive   addi x, zero, 0          lanes that are done
 *   switch   bne  x, zero, dispatch   x: the register that is free
 *            the instruction; an edge that goes back is: addi x, zero, number; jal zero, switch
 *            jal  zero, to where it goes on
 *   dispatch addi x, x, -1            for each head but the last
 *            bne  x, zero, next
 *            jal  zero, head
 *   next     ...
 *
 * Those who go round leave by one edge and part behind it: so the others do not wait between two heads.
 */
#include "displace.h"
#include "loading.h"
#include "ssde.h"
#include "ssde_registers.h"

#include <stdlib.h>

#define PLACE_BYTES 128u
#define DETOUR_WORDS (16u + 3u * SSDE_HEADS_MAX)
#define OPCODE_ADDI 0x13u
#define OPCODE_BRANCH 0x63u
#define BNE (1u << 12)
#define BRANCH_OFFSET_BITS UINT32_C(0xFE000F80)

typedef struct rewriting {
    const ssde_plan *plan;
    const isa_program *program;
    isa_rewrite *rewrite;
    uint32_t *numbers;  /* [switch_count]: the register of each */
    uint32_t *switches; /* [switch_count]: address of each; those behind, where they would be */
    uint32_t *nodes;    /* of detours, ascending */
    uint32_t node_count;
    char *error;
    size_t error_bytes;
} rewriting;

typedef struct detour {
    uint32_t at; /* address of words[0] */
    uint32_t count;
    uint32_t own; /* the instruction itself */
    int too_far;
    uint32_t words[DETOUR_WORDS];
} detour;

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

static uint32_t add_word(uint32_t rd, uint32_t rs1, int32_t value)
{
    return (uint32_t)value << 20 | rs1 << 15 | rd << 7 | OPCODE_ADDI;
}

static uint32_t branch_offset(uint32_t bytes)
{
    return (bytes >> 12 & 1) << 31 | (bytes >> 5 & 0x3F) << 25 | (bytes >> 1 & 0xF) << 8 | (bytes >> 11 & 1) << 7;
}

static uint32_t branch_if_not_zero(uint32_t number, uint32_t bytes)
{
    return branch_offset(bytes) | number << 15 | BNE | OPCODE_BRANCH;
}

static void put(detour *d, uint32_t word)
{
    d->words[d->count++] = word;
}

static void put_jump(detour *d, uint32_t to)
{
    const uint32_t from = d->at + 4 * d->count;
    d->too_far |= !displace_reaches(from, to);
    put(d, displace_jump(0, from, to));
}

/* ---- Detours -------------------------------------------------------------------------------------------------------- */

/* Where the edge from this node to that one leads. */
static void put_edge(const rewriting *r, detour *d, uint32_t from, uint32_t to)
{
    const ssde_edge *edge = ssde_edge_at(r->plan, from, to);
    if (edge) {
        put(d, add_word(r->numbers[edge->switch_index], 0, (int32_t)edge->number));
        put_jump(d, r->switches[edge->switch_index]);
    } else {
        put_jump(d, deadlock_pc(&r->plan->graph, to));
    }
}

static void put_branch(const rewriting *r, detour *d, uint32_t node, const isa_instruction *branch)
{
    const uint32_t target =
        deadlock_node(&r->plan->graph, deadlock_pc(&r->plan->graph, node) + (uint32_t)branch->immediate);
    const uint32_t at = d->count;
    put(d, 0);
    put_edge(r, d, node, node + 1);
    d->words[at] = (branch->word & ~BRANCH_OFFSET_BITS) | branch_offset(4 * (d->count - at));
    put_edge(r, d, node, target);
}

/* The instruction, from which an edge goes back. */
static void put_latch(const rewriting *r, detour *d, uint32_t node)
{
    const uint32_t pc = deadlock_pc(&r->plan->graph, node);
    const isa_instruction *instruction = isa_program_at(r->program, pc);
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        put_branch(r, d, node, instruction);
    } else if (instruction->instruction_class == ISA_CLASS_JUMP && !(instruction->flags & ISA_FLAG_CALL)) {
        put_edge(r, d, node, deadlock_node(&r->plan->graph, pc + (uint32_t)instruction->immediate));
    } else {
        const uint32_t count = displace(r->program, pc, d->at + 4 * d->count, d->words + d->count);
        d->too_far |= !count;
        d->count += count - (count != 0); /* without its jump back */
        put_edge(r, d, node, node + 1);
    }
}

static int is_latch(const rewriting *r, uint32_t node)
{
    for (uint32_t i = 0; i < r->plan->edge_count; i++)
        if (r->plan->edges[i].latch == node)
            return 1;
    return 0;
}

static void put_instruction(const rewriting *r, detour *d, uint32_t node)
{
    d->own = d->count;
    if (is_latch(r, node)) {
        put_latch(r, d, node);
        return;
    }
    const uint32_t count =
        displace(r->program, deadlock_pc(&r->plan->graph, node), d->at + 4 * d->count, d->words + d->count);
    d->too_far |= !count;
    d->count += count;
}

static void put_dispatch(const rewriting *r, detour *d, const ssde_switch *target, uint32_t number)
{
    for (uint32_t i = 0; i + 1 < target->head_count; i++) {
        put(d, add_word(number, number, -1));
        put(d, branch_if_not_zero(number, 8));
        put_jump(d, deadlock_pc(&r->plan->graph, target->heads[i]));
    }
    put_jump(d, deadlock_pc(&r->plan->graph, target->heads[target->head_count - 1]));
}

static void make_detour(const rewriting *r, uint32_t node, detour *d)
{
    const ssde_switch *target = ssde_switch_before(r->plan, node);
    d->at = isa_rewrite_next(r->rewrite);
    d->count = d->own = 0;
    d->too_far = 0;
    if (!target) {
        put_instruction(r, d, node);
        return;
    }
    const uint32_t index = (uint32_t)(target - r->plan->switches), number = r->numbers[index];
    put(d, add_word(number, 0, 0));
    r->switches[index] = d->at + 4;
    put(d, 0);
    put_instruction(r, d, node);
    d->words[1] = branch_if_not_zero(number, 4 * (d->count - 1));
    put_dispatch(r, d, target, number);
}

/* ---- All of them ---------------------------------------------------------------------------------------------------- */

static int has_detour(const rewriting *r, uint32_t node)
{
    const ssde_switch *target = ssde_switch_before(r->plan, node);
    return is_latch(r, node) || (target && target->at == node);
}

static int choose_registers(const rewriting *r)
{
    char place[PLACE_BYTES];
    uint64_t *live = ssde_live_registers(&r->plan->graph);
    uint32_t busy = r->plan->switch_count;
    for (uint32_t i = 0; live && i < r->plan->switch_count; i++) {
        r->numbers[i] = ssde_free_register(&r->plan->graph, &r->plan->switches[i], live);
        if (!r->numbers[i])
            busy = i;
    }
    free(live);
    if (!live)
        return isa_fail(r->error, r->error_bytes, "out of memory");
    if (busy == r->plan->switch_count)
        return 0;
    isa_program_place(r->program, deadlock_pc(&r->plan->graph, r->plan->switches[busy].at), place, sizeof place);
    return isa_fail(r->error, r->error_bytes,
                    "ssde: no register is free at %s, where lanes would wait: core.ssde=virtual needs none", place);
}

/* Switches of code behind are not known the first time, but how long everything is. */
static void find_switches(const rewriting *r, detour *d)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < r->node_count; i++) {
        const ssde_switch *target = ssde_switch_before(r->plan, r->nodes[i]);
        make_detour(r, r->nodes[i], d);
        if (target)
            r->switches[target - r->plan->switches] += 4 * words;
        words += d->count;
    }
}

static int place_detours(const rewriting *r, detour *d)
{
    for (uint32_t i = 0; i < r->node_count; i++) {
        const uint32_t pc = deadlock_pc(&r->plan->graph, r->nodes[i]);
        make_detour(r, r->nodes[i], d);
        if (d->too_far)
            return isa_fail(r->error, r->error_bytes, "ssde: 0x%08x is too far away from 0x%08x", pc, d->at);
        if (isa_rewrite_detour(r->rewrite, pc, d->words, d->count, d->own))
            return -1;
    }
    return 0;
}

/* Other returns lead to the first. */
static int lead_returns(const rewriting *r)
{
    const ssde_plan *plan = r->plan;
    for (uint32_t i = 0; i < plan->arrival_count; i++) {
        const uint32_t index = plan->arrivals[i].switch_index;
        const uint32_t pc = deadlock_pc(&plan->graph, plan->arrivals[i].node), to = r->switches[index] - 4;
        if (plan->arrivals[i].node == plan->switches[index].at)
            continue;
        if (!displace_reaches(pc, to))
            return isa_fail(r->error, r->error_bytes, "ssde: 0x%08x is too far away from 0x%08x", pc, to);
        if (isa_rewrite_replace(r->rewrite, pc, displace_jump(0, pc, to)))
            return -1;
    }
    return 0;
}

static int rewrite_all(const rewriting *r)
{
    detour d = {0};
    if (choose_registers(r) || !isa_rewrite_next(r->rewrite))
        return -1;
    find_switches(r, &d);
    return place_detours(r, &d) || lead_returns(r) ? -1 : 0;
}

static int rewrite_by(const ssde_plan *plan, isa_rewrite *rewrite, const isa_program *program, char *error,
                      size_t error_bytes)
{
    rewriting r = {.plan = plan,
                   .program = program,
                   .rewrite = rewrite,
                   .numbers = calloc(plan->switch_count, sizeof *r.numbers),
                   .switches = calloc(plan->switch_count, sizeof *r.switches),
                   .nodes = malloc(plan->graph.count * sizeof *r.nodes),
                   .error = error,
                   .error_bytes = error_bytes};
    for (uint32_t node = 0; r.nodes && node < plan->graph.count; node++)
        if (has_detour(&r, node))
            r.nodes[r.node_count++] = node;
    const int failed =
        r.numbers && r.switches && r.nodes ? rewrite_all(&r) : isa_fail(error, error_bytes, "out of memory");
    free(r.numbers);
    free(r.switches);
    free(r.nodes);
    return failed;
}

static int apply(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    ssde_plan plan;
    int failed = ssde_plan_make(&plan, program, error, error_bytes);
    if (!failed && plan.edge_count)
        failed = rewrite_by(&plan, rewrite, program, error, error_bytes);
    ssde_plan_free(&plan);
    return failed;
}

const isa_transform isa_ssde_rewrite = {
    .name = "ssde",
    .doc = "loops in which lanes would wait for lanes of their own warp for ever wait for them at a safe point",
    .apply = apply,
};
