/* SPDX-License-Identifier: MIT */
#include "deadlock_locks.h"

#include "definitions.h"

#include <stdlib.h>

#define TEST_DISTANCE_MAX 4u
#define ADDRESS_DEPTH_MAX 8u
#define COPIES_MAX 4u

static const isa_instruction *at(const deadlock_locks *locks, uint32_t node)
{
    return deadlock_instruction(locks->memory->graph, node);
}

static int tests_for_zero(const isa_instruction *branch, uint32_t number)
{
    return (branch->operation == ISA_OP_BEQ || branch->operation == ISA_OP_BNE) &&
           ((branch->rs1 == number && branch->rs2 == 0) || (branch->rs1 == 0 && branch->rs2 == number));
}

/* The branch on the result of the atomic, straight behind it; `count`: there is none. */
static uint32_t find_test(const deadlock_locks *locks, uint32_t read)
{
    const deadlock_graph *graph = locks->memory->graph;
    const uint32_t number = at(locks, read)->rd;
    for (uint32_t node = read + 1; node < graph->count && node <= read + TEST_DISTANCE_MAX; node++) {
        if (tests_for_zero(at(locks, node), number))
            return node;
        if (graph->whole_count[node] != 1 || graph->whole[node][0] != node + 1 ||
            isa_changes(at(locks, node)) >> number & 1)
            break;
    }
    return graph->count;
}

/* Whoever comes to the test has come by the atomic. */
static int is_only_source(const deadlock_locks *locks, uint32_t read, uint32_t test)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    return lint_definitions(&locks->memory->graph->flow, test, at(locks, read)->rd, 0, definitions, &entry) == 1 &&
           !entry && *definitions == read;
}

/* A constant, perhaps copied from register to register. */
static int is_never_zero(const deadlock_locks *locks, uint32_t node, uint32_t number, uint32_t copies)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    const uint32_t count = lint_definitions(&locks->memory->graph->flow, node, number, 0, definitions, &entry);
    if (!number || !count || count == UINT32_MAX || entry)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        const isa_instruction *from = at(locks, definitions[i]);
        const int is_copy = from->operation == ISA_OP_ADDI && !from->immediate && copies;
        if (is_copy ? !is_never_zero(locks, definitions[i], from->rs1, copies - 1)
                    : from->operation != ISA_OP_ADDI || from->rs1 || !from->immediate)
            return 0;
    }
    return 1;
}

static int keeps_nonzero(const deadlock_locks *locks, uint32_t node)
{
    switch (at(locks, node)->operation) {
    case ISA_OP_AMOOR_W: return 1;
    case ISA_OP_AMOSWAP_W:
    case ISA_OP_AMOCAS_W: return is_never_zero(locks, node, at(locks, node)->rs2, COPIES_MAX);
    default: return 0;
    }
}

static int add_lock(deadlock_locks *locks, uint32_t read)
{
    const deadlock_graph *graph = locks->memory->graph;
    const isa_instruction *instruction = at(locks, read);
    if (instruction->instruction_class != ISA_CLASS_ATOMIC || instruction->operation == ISA_OP_LR_W ||
        instruction->operation == ISA_OP_SC_W || !instruction->rd || instruction->rd == instruction->rs1)
        return 0;
    const uint32_t test = find_test(locks, read);
    if (test == graph->count || !deadlock_parts_wholly(graph, test) || !is_only_source(locks, read, test))
        return 0;
    deadlock_lock *grown = realloc(locks->locks, (locks->count + 1) * sizeof *grown);
    if (!grown)
        return -1;
    const isa_instruction *branch = at(locks, test);
    const uint32_t target = test + (uint32_t)(branch->immediate / 4);
    locks->locks = grown;
    locks->locks[locks->count++] =
        (deadlock_lock){read, test, branch->operation == ISA_OP_BEQ ? target : test + 1, keeps_nonzero(locks, read)};
    return 0;
}

int deadlock_locks_open(deadlock_locks *locks, deadlock_memory *memory)
{
    *locks = (deadlock_locks){.memory = memory, .seen = calloc(memory->graph->count, sizeof *locks->seen)};
    if (!locks->seen)
        return -1;
    for (uint32_t node = 0; node < memory->graph->count; node++)
        if (memory->graph->flow.program->reachable[node] && add_lock(locks, node))
            return -1;
    return 0;
}

void deadlock_locks_close(deadlock_locks *locks)
{
    free(locks->locks);
    free(locks->seen);
}

/* A walk marks, and lists in graph->list, what it reaches. */
static void reach(deadlock_locks *locks, uint32_t node)
{
    if (locks->seen[node] == locks->walk)
        return;
    locks->seen[node] = locks->walk;
    locks->memory->graph->list[locks->size++] = node;
}

static void begin_walk(deadlock_locks *locks, uint32_t from)
{
    locks->walk++;
    locks->size = 0;
    reach(locks, from);
}

/* Reaches where the register still holds the result of a lock that is taken by somebody: behind the test, but not where it was 0. */
static void walk_with_result(deadlock_locks *locks, const deadlock_lock *lock)
{
    const deadlock_graph *graph = locks->memory->graph;
    const uint32_t number = at(locks, lock->read)->rd;
    begin_walk(locks, graph->whole[lock->test][graph->whole[lock->test][0] == lock->taken]);
    for (uint32_t i = 0; i < locks->size; i++) {
        const uint32_t node = graph->list[i];
        for (uint32_t k = 0; !(isa_changes(at(locks, node)) >> number & 1) && k < graph->whole_count[node]; k++)
            reach(locks, graph->whole[node][k]);
    }
}

int deadlock_waits_for_lock(deadlock_locks *locks, const deadlock_slice *slice, uint32_t read)
{
    const deadlock_lock *lock = NULL;
    for (uint32_t i = 0; i < locks->count; i++)
        if (locks->locks[i].read == read)
            lock = &locks->locks[i];
    if (!lock)
        return 0;
    walk_with_result(locks, lock);
    for (uint32_t i = 0; i < slice->count; i++)
        if (slice->node[i] != lock->test && locks->seen[slice->node[i]] == locks->walk &&
            at(locks, slice->node[i])->reads >> at(locks, read)->rd & 1)
            return 0;
    for (uint32_t node = read + 1; node < lock->test; node++)
        if (at(locks, node)->reads >> at(locks, read)->rd & 1)
            return 0;
    return 1;
}

/* Reaches what comes behind `from`, with it, but not by the edge test -> taken, nor past `end`. */
static void walk_from(deadlock_locks *locks, uint32_t from, const deadlock_lock *lock, uint32_t end)
{
    const deadlock_graph *graph = locks->memory->graph;
    begin_walk(locks, from);
    for (uint32_t i = 0; i < locks->size; i++) {
        const uint32_t node = graph->list[i];
        for (uint32_t k = 0; node != end && k < graph->whole_count[node]; k++)
            if (node != lock->test || graph->whole[node][k] != lock->taken)
                reach(locks, graph->whole[node][k]);
    }
}

/* Is the register what it was before node `from` of the straight way to the test, wherever the last walk was? */
static int is_kept(const deadlock_locks *locks, const deadlock_lock *lock, uint32_t from, uint32_t number)
{
    for (uint32_t node = from; node < lock->test; node++)
        if (isa_changes(at(locks, node)) >> number & 1)
            return 0;
    for (uint32_t i = 0; i < locks->size; i++)
        if (isa_changes(at(locks, locks->memory->graph->list[i])) >> number & 1)
            return 0;
    return 1;
}

static int is_straight(const deadlock_graph *graph, uint32_t from, uint32_t to)
{
    while (from < to && graph->whole_count[from] == 1 && graph->whole[from][0] == from + 1)
        from++;
    return from == to;
}

/* Where the register gets its value, if that is one place; `count`: it is not. */
static uint32_t only_definition(const deadlock_locks *locks, uint32_t node, uint32_t number)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    lint_flow *flow = &locks->memory->graph->flow;
    return lint_definitions(flow, node, number, 0, definitions, &entry) == 1 && !entry ? *definitions : flow->count;
}

/* Is register b, before node y of the last walk, what register a was before node x, when the lane last came by the lock? */
static int is_same(const deadlock_locks *locks, const deadlock_lock *lock, uint32_t x, uint32_t a, uint32_t y,
                   uint32_t b, uint32_t depth)
{
    deadlock_graph *graph = locks->memory->graph;
    if (a == b && is_kept(locks, lock, x, a))
        return 1;
    const uint32_t from_x = only_definition(locks, x, a), from_y = only_definition(locks, y, b);
    if (!depth || from_x >= lock->read || from_y == graph->count || locks->seen[from_y] != locks->walk ||
        !is_straight(graph, from_x, lock->read) || !lint_is_pure(&graph->flow, from_x) ||
        !lint_is_pure(&graph->flow, from_y))
        return 0;
    const isa_instruction *one = at(locks, from_x), *other = at(locks, from_y);
    return one->operation == other->operation && one->immediate == other->immediate &&
           (one->rs1 == ISA_NO_REGISTER || is_same(locks, lock, from_x, one->rs1, from_y, other->rs1, depth - 1)) &&
           (one->rs2 == ISA_NO_REGISTER || is_same(locks, lock, from_x, one->rs2, from_y, other->rs2, depth - 1));
}

/* Lanes that come to the write by the lock have read 0 from the word that it goes to. */
static int gives_back(deadlock_locks *locks, const deadlock_lock *lock, uint32_t write)
{
    const isa_instruction *to = at(locks, write);
    if (to->instruction_class != ISA_CLASS_ATOMIC && to->immediate)
        return 0;
    walk_from(locks, lock->taken, lock, write);
    return locks->seen[write] == locks->walk &&
           is_same(locks, lock, lock->read, at(locks, lock->read)->rs1, write, to->rs1, ADDRESS_DEPTH_MAX);
}

int deadlock_gives_back(deadlock_locks *locks, uint32_t read, uint32_t write)
{
    for (uint32_t i = 0; i < locks->count; i++)
        if (locks->locks[i].read == read && gives_back(locks, &locks->locks[i], write))
            return 1;
    return 0;
}

/* Lanes that are at start only come to the write when they have read 0 from the word that it goes to. */
static int is_given_back(deadlock_locks *locks, const deadlock_lock *lock, uint32_t start, uint32_t write)
{
    if (!gives_back(locks, lock, write))
        return 0;
    walk_from(locks, start, lock, locks->memory->graph->count);
    return locks->seen[write] != locks->walk;
}

int deadlock_frees_nothing(deadlock_locks *locks, uint32_t start, uint32_t write)
{
    for (uint32_t i = 0; i < locks->count; i++) {
        const deadlock_lock *lock = &locks->locks[i];
        if (lock->read == write ? lock->keeps_nonzero : is_given_back(locks, lock, start, write))
            return 1;
    }
    return 0;
}
