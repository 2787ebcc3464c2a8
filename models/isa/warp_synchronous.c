/* SPDX-License-Identifier: MIT */
#include "warp_synchronous.h"

#include "deadlock_slice.h"

#include <stdlib.h>

typedef struct search {
    deadlock_graph graph;
    deadlock_memory memory;
    uint32_t *list;    /* [count]: nodes that a walk has come to, */
    uint32_t *reached; /* [count]: and the number of the last that did */
    uint32_t *stores;  /* [count] */
    uint32_t walk;
    isa_reliance *found;
    uint32_t found_count;
    int failed;
} search;

static const isa_instruction *at(const search *s, uint32_t node)
{
    return deadlock_instruction(&s->graph, node);
}

static int is_class(const search *s, uint32_t node, uint32_t class)
{
    return at(s, node)->instruction_class == class;
}

/* Lanes wait for each other there, may have a lock from there on, or nobody knows. */
static int orders(const search *s, uint32_t node)
{
    return is_class(s, node, ISA_CLASS_BARRIER) || is_class(s, node, ISA_CLASS_WARP_SYNC) ||
           is_class(s, node, ISA_CLASS_ATOMIC) || at(s, node)->flags & ISA_FLAG_CALL;
}

/* Nodes behind this one in s->list, up to `end`, and to those that order lanes if that is asked; these are not among them. How many. */
static uint32_t walk(search *s, uint32_t node, uint32_t end, int is_ordered)
{
    uint32_t count = 0, next[2];
    s->walk++;
    for (uint32_t i = 0, at = node; i <= count; at = s->list[i++]) {
        const uint32_t successors = lint_successors(&s->graph.flow, at, next);
        for (uint32_t k = 0; k < successors; k++) {
            if (next[k] == end || s->reached[next[k]] == s->walk || (is_ordered && orders(s, next[k])))
                continue;
            s->reached[next[k]] = s->walk;
            s->list[count++] = next[k];
        }
        if (i == count)
            break;
    }
    return count;
}

static uint32_t walk_from(search *s, uint32_t node, uint32_t end)
{
    return walk(s, node, end, 1);
}

static uint32_t walk_inside(search *s, uint32_t node, uint32_t end)
{
    return walk(s, node, end, 0);
}

static int has_reached(const search *s, uint32_t node)
{
    return s->reached[node] == s->walk;
}

static void report(search *s, uint32_t store, uint32_t load)
{
    const isa_reliance reliance = {deadlock_pc(&s->graph, store), deadlock_pc(&s->graph, load)};
    for (uint32_t i = 0; i < s->found_count; i++)
        if (s->found[i].load_pc == reliance.load_pc)
            return;
    isa_reliance *grown = realloc(s->found, (s->found_count + 1) * sizeof *grown);
    s->failed |= !grown;
    if (!grown)
        return;
    s->found = grown;
    s->found[s->found_count++] = reliance;
}

static int same_base(search *s, uint32_t node, uint32_t other)
{
    return lint_same_value(&s->graph.flow, node, at(s, node)->rs1, other, at(s, other)->rs1);
}

static int is_for_lanes(search *s, uint32_t node)
{
    return !deadlock_is_uniform_register(&s->memory, node, at(s, node)->rs1);
}

/* ---- At one address ------------------------------------------------------------------------------------------------------- */

static int is_one_address(search *s, uint32_t store, uint32_t load)
{
    return at(s, store)->immediate == at(s, load)->immediate && same_base(s, store, load) &&
           lint_memory_of(&s->graph.flow, store) == LINT_SCRATCHPAD && !is_for_lanes(s, store);
}

/* Loads behind the meeting point of the branch, before they come to it again, of what the store on one side of it has written. */
static void check_behind(search *s, uint32_t branch, uint32_t store, uint32_t meeting)
{
    const uint32_t count = walk_from(s, meeting, branch);
    if (is_class(s, meeting, ISA_CLASS_LOAD) && is_one_address(s, store, meeting))
        report(s, store, meeting);
    for (uint32_t i = 0; i < count; i++)
        if (is_class(s, s->list[i], ISA_CLASS_LOAD) && is_one_address(s, store, s->list[i]))
            report(s, store, s->list[i]);
}

/* Stores on a way from the branch to where its lanes meet, in s->stores. */
static uint32_t stores_inside(search *s, uint32_t branch, uint32_t meeting)
{
    const uint32_t count = walk_inside(s, branch, meeting);
    uint32_t stores = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_class(s, s->list[i], ISA_CLASS_STORE))
            s->stores[stores++] = s->list[i];
    return stores;
}

static void check_branch(search *s, uint32_t branch)
{
    const uint32_t meeting = deadlock_meeting(&s->graph, branch);
    if (meeting >= s->graph.count || orders(s, meeting) || !deadlock_parts(&s->graph, branch) ||
        deadlock_is_uniform(&s->memory, branch))
        return;
    for (uint32_t left = stores_inside(s, branch, meeting); left; left--) {
        const uint32_t store = s->stores[left - 1];
        walk_inside(s, branch, store);
        const int is_on_all_ways = !has_reached(s, meeting);
        walk_from(s, store, ISA_NO_NODE);
        if (!is_on_all_ways && has_reached(s, meeting))
            check_behind(s, branch, store, meeting);
    }
}

/* ---- Beside it -------------------------------------------------------------------------------------------------------------- */

/* Does the thread itself store there? */
static int stores_itself(search *s, uint32_t load)
{
    for (uint32_t node = 0; node < s->graph.count; node++)
        if (s->graph.flow.program->reachable[node] && is_class(s, node, ISA_CLASS_STORE) &&
            at(s, node)->immediate == at(s, load)->immediate && same_base(s, node, load))
            return 1;
    return 0;
}

static void check_store(search *s, uint32_t store)
{
    if (lint_memory_of(&s->graph.flow, store) != LINT_SCRATCHPAD || !is_for_lanes(s, store))
        return;
    const uint32_t count = walk_from(s, store, ISA_NO_NODE);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t load = s->list[i];
        if (is_class(s, load, ISA_CLASS_LOAD) && at(s, load)->immediate != at(s, store)->immediate &&
            same_base(s, store, load) && !stores_itself(s, load))
            report(s, store, load);
    }
}

static int by_load(const void *a, const void *b)
{
    const isa_reliance *x = a, *y = b;
    return (x->load_pc > y->load_pc) - (x->load_pc < y->load_pc);
}

static void check_all(search *s)
{
    for (uint32_t node = 0; node < s->graph.count && !s->failed; node++) {
        if (!s->graph.flow.program->reachable[node])
            continue;
        if (is_class(s, node, ISA_CLASS_BRANCH))
            check_branch(s, node);
        else if (is_class(s, node, ISA_CLASS_STORE))
            check_store(s, node);
    }
}

int isa_warp_synchronous(const isa_program *program, isa_reliance **found, uint32_t *count)
{
    static const isa_deadlock_options options = {.divergence = ISA_DIVERGENCE_STACK};
    search s = {.list = NULL};
    s.failed = deadlock_graph_open(&s.graph, program, NULL, 0) || deadlock_memory_open(&s.memory, &s.graph, &options);
    s.list = malloc((s.graph.count + 1) * sizeof *s.list);
    s.reached = calloc(s.graph.count + 1, sizeof *s.reached);
    s.stores = malloc((s.graph.count + 1) * sizeof *s.stores);
    s.failed |= !s.list || !s.reached || !s.stores;
    if (!s.failed)
        check_all(&s);
    if (!s.failed && s.found_count)
        qsort(s.found, s.found_count, sizeof *s.found, by_load);
    deadlock_memory_close(&s.memory);
    deadlock_graph_close(&s.graph);
    free(s.list);
    free(s.reached);
    free(s.stores);
    if (s.failed)
        free(s.found);
    *found = s.failed ? NULL : s.found;
    *count = s.failed ? 0 : s.found_count;
    return s.failed ? -1 : 0;
}
