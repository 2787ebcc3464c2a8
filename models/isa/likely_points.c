/* SPDX-License-Identifier: MIT */
#include "likely_points.h"

#include "control_flow_graph.h"
#include "lint_flow.h"
#include "loading.h"

#include <stdlib.h>
#include <string.h>

/* A natural loop, or all of the code. */
typedef struct region {
    uint32_t head;   /* ISA_NO_NODE: all of the code */
    uint32_t *nodes; /* ascending */
    uint32_t size;
    uint64_t leaving; /* lanes, by all edges out of it */
} region;

typedef struct search {
    const isa_program *program;
    control_flow code;
    lint_flow flow;
    const uint32_t *meetings;
    uint32_t *own_meetings;
    const isa_branch_counts *counts; /* [node]; NULL: nobody has counted */
    region *regions;                 /* the smallest first */
    uint32_t region_count, capacity;
    uint32_t *place;   /* [node]: its place in the region that is looked at, + 1; 0: it is not there */
    isa_graph graph;   /* of that region */
    uint8_t *likely;   /* [place]: successors that are left */
    uint32_t *nearest; /* [place]: post-dominator */
    uint32_t *values;
    int failed;
} search;

/* ---- Regions ------------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int has_node(const region *r, uint32_t node)
{
    return bsearch(&node, r->nodes, r->size, sizeof node, ascending) != NULL;
}

/* The nodes are the region's from now on. */
static void add_region(search *s, uint32_t head, uint32_t *nodes, uint32_t size)
{
    if (s->region_count == s->capacity) {
        s->capacity = 2 * s->capacity + 16;
        region *grown = realloc(s->regions, s->capacity * sizeof *grown);
        if (!grown) {
            free(nodes);
            s->failed = 1;
            return;
        }
        s->regions = grown;
    }
    qsort(nodes, size, sizeof *nodes, ascending);
    s->regions[s->region_count++] = (region){.head = head, .nodes = nodes, .size = size};
}

/* Several edges lead back to one head: they close one loop. */
static region *region_of_head(const search *s, uint32_t head)
{
    for (uint32_t i = 0; i < s->region_count; i++)
        if (s->regions[i].head == head)
            return &s->regions[i];
    return NULL;
}

static void join(search *s, region *to, const lint_loop *loop)
{
    uint32_t *nodes = realloc(to->nodes, ((size_t)to->size + loop->size) * sizeof *nodes);
    uint32_t size = to->size;
    if (!nodes) {
        s->failed = 1;
        return;
    }
    to->nodes = nodes;
    for (uint32_t i = 0; i < loop->size; i++)
        if (!has_node(to, loop->body[i]))
            nodes[size++] = loop->body[i];
    to->size = size;
    qsort(nodes, size, sizeof *nodes, ascending);
}

static void add_loop(void *context, uint32_t latch, uint32_t head)
{
    search *s = context;
    lint_loop loop;
    if (s->failed || !lint_find_loop(&s->flow, latch, head, &loop))
        return;
    if (latch == head)
        loop.size = 1;
    region *known = region_of_head(s, head);
    uint32_t *nodes = known ? NULL : malloc(loop.size * sizeof *nodes);
    if (known) {
        join(s, known, &loop);
    } else if (nodes) {
        memcpy(nodes, loop.body, loop.size * sizeof *nodes);
        add_region(s, head, nodes, loop.size);
    } else {
        s->failed = 1;
    }
}

static int by_size(const void *a, const void *b)
{
    const region *x = a, *y = b;
    return x->size != y->size ? (x->size > y->size) - (x->size < y->size) : (x->head > y->head) - (x->head < y->head);
}

static void add_all_code(search *s)
{
    uint32_t *nodes = malloc(s->code.count * sizeof *nodes), size = 0;
    if (!nodes) {
        s->failed = 1;
        return;
    }
    for (uint32_t node = 0; node < s->code.count; node++)
        if (s->program->reachable[node])
            nodes[size++] = node;
    add_region(s, ISA_NO_NODE, nodes, size);
}

/* ---- Which edges few take ------------------------------------------------------------------------------------------------- */

static int is_branch(const search *s, uint32_t node)
{
    return s->program->instructions[node].instruction_class == ISA_CLASS_BRANCH;
}

static uint64_t lanes_along(const search *s, uint32_t node, uint32_t to)
{
    const uint32_t target = node + (uint32_t)(s->program->instructions[node].immediate / 4);
    const isa_branch_counts *counts = &s->counts[node];
    uint64_t lanes = 0;
    if (to == target)
        lanes += counts->taken;
    if (to == node + 1)
        lanes += counts->lanes - counts->taken;
    return lanes;
}

static void count_leaving(search *s, region *r)
{
    for (uint32_t i = 0; i < r->size; i++) {
        uint32_t next[2];
        const uint32_t node = r->nodes[i], count = is_branch(s, node) ? flow_successors(&s->code, node, next) : 0;
        for (uint32_t k = 0; k < count; k++)
            r->leaving += has_node(r, next[k]) ? 0 : lanes_along(s, node, next[k]);
    }
}

/* Of how many lanes those along the edge are a part: those that leave the largest loop within the region that the edge leaves. */
static uint64_t lanes_beside(const search *s, const region *r, uint32_t node, uint32_t to)
{
    for (const region *inner = r; inner-- > s->regions;)
        if (has_node(inner, node) && !has_node(inner, to))
            return inner->leaving;
    return s->counts[node].lanes;
}

static int few_go(const search *s, const region *r, uint32_t node, uint32_t to)
{
    if (!s->counts)
        return to == s->code.count || !s->place[to];
    return is_branch(s, node) && lanes_along(s, node, to) * ISA_LIKELY_SHARE < lanes_beside(s, r, node, to);
}

/* ---- The points of a region ------------------------------------------------------------------------------------------------- */

/* Behind the places of a region's nodes: where its turn ends, and what is outside. */
static uint32_t turn_end(const region *r)
{
    return r->size;
}

static uint32_t outside(const region *r)
{
    return r->size + 1;
}

/* Place where the edge leads. */
static uint32_t place_of(const search *s, const region *r, uint32_t to)
{
    return to == r->head ? turn_end(r) : to == s->code.count || !s->place[to] ? outside(r) : s->place[to] - 1;
}

static void link_region(search *s, const region *r)
{
    uint32_t edge = 0;
    for (uint32_t i = 0; i < r->size; i++) {
        uint32_t next[2];
        const uint32_t count = flow_successors(&s->code, r->nodes[i], next);
        s->graph.first[i] = edge;
        for (uint32_t k = 0; k < count; k++)
            if (!few_go(s, r, r->nodes[i], next[k]))
                s->graph.target[edge++] = place_of(s, r, next[k]);
        s->likely[i] = (uint8_t)(edge - s->graph.first[i]);
    }
    s->graph.first[turn_end(r)] = edge;
    s->graph.target[edge++] = outside(r);
    s->graph.first[outside(r)] = s->graph.first[outside(r) + 1] = edge;
    s->graph.node_count = outside(r) + 1;
}

static int meets_within(const search *s, const region *r, uint32_t node)
{
    return has_node(r, (s->meetings[node] - s->program->text_address) / 4);
}

/* 0: none. Ways that lead back to the head at different places meet there, if they meet nowhere in the loop as it is. */
static uint32_t point_of(const search *s, const region *r, uint32_t place)
{
    const uint32_t node = r->nodes[place], nearest = s->nearest[place];
    uint32_t pc = 0;
    if (nearest < r->size)
        pc = flow_pc(&s->code, r->nodes[nearest]);
    else if (nearest == turn_end(r) && !meets_within(s, r, node))
        pc = flow_pc(&s->code, r->head);
    return pc == s->meetings[node] ? 0 : pc;
}

static void find_points(search *s, const region *r)
{
    for (uint32_t i = 0; i < r->size; i++)
        s->place[r->nodes[i]] = i + 1;
    link_region(s, r);
    s->failed |= isa_post_dominators(&s->graph, outside(r), s->nearest) != 0;
    for (uint32_t i = 0; i < r->size && !s->failed; i++) {
        const uint32_t node = r->nodes[i];
        if (is_branch(s, node) && s->likely[i] > 1 && !s->values[node])
            s->values[node] = point_of(s, r, i);
    }
    for (uint32_t i = 0; i < r->size; i++)
        s->place[r->nodes[i]] = 0;
}

static int open(search *s)
{
    const size_t nodes = (size_t)s->code.count + 3; /* and the ends of a region */
    s->place = calloc(nodes, sizeof *s->place);
    s->likely = calloc(nodes, 1);
    s->nearest = malloc(nodes * sizeof *s->nearest);
    s->graph.first = malloc(nodes * sizeof *s->graph.first);
    s->graph.target = malloc(2 * nodes * sizeof *s->graph.target);
    return !s->place || !s->likely || !s->nearest || !s->graph.first || !s->graph.target ||
           lint_flow_open(&s->flow, s->program) || lint_find_meetings(s->program, &s->meetings, &s->own_meetings);
}

static void close(search *s)
{
    lint_flow_close(&s->flow);
    for (uint32_t i = 0; i < s->region_count; i++)
        free(s->regions[i].nodes);
    free(s->regions);
    free(s->own_meetings);
    free(s->place);
    free(s->likely);
    free(s->nearest);
    free(s->graph.first);
    free(s->graph.target);
}

static int find_all(const isa_program *program, const isa_branch_counts *counts, uint32_t *values, char *error,
                    size_t error_bytes)
{
    search s = {
        .program = program, .code = flow_of_program(program, error, error_bytes), .counts = counts, .values = values};
    s.failed = open(&s) || lint_each_back_edge(&s.flow, add_loop, &s);
    if (!s.failed && s.region_count)
        qsort(s.regions, s.region_count, sizeof *s.regions, by_size);
    if (!s.failed && counts)
        add_all_code(&s);
    for (uint32_t i = 0; i < s.region_count && !s.failed; i++) {
        if (counts)
            count_leaving(&s, &s.regions[i]);
        find_points(&s, &s.regions[i]);
    }
    close(&s);
    return s.failed ? isa_fail(error, error_bytes, "out of memory") : 0;
}

static int fill(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    return find_all(program, NULL, values, error, error_bytes);
}

static int fill_from(const isa_program *program, const char *file, uint32_t *values, char *error, size_t error_bytes)
{
    isa_branch_counts *counts = calloc(isa_program_instructions(program) + 1, sizeof *counts);
    if (!counts)
        return isa_fail(error, error_bytes, "out of memory");
    const int failed = isa_branch_profile_read(program, file, counts, error, error_bytes) ||
                       find_all(program, counts, values, error, error_bytes);
    free(counts);
    return failed ? -1 : 0;
}

#define NAME "likely_convergence"
#define DOC "where most lanes that part here meet"

const isa_analysis isa_likely_points = {.name = NAME, .doc = DOC, .fill = fill};

isa_analysis isa_likely_points_by(const char *file)
{
    return (isa_analysis){.name = NAME, .doc = DOC, .fill_from = fill_from, .input = file};
}
