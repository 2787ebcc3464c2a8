/* SPDX-License-Identifier: MIT */
#include "control_equivalence.h"

#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

/* A walk along all paths that do not cross one node. */
typedef struct walk {
    control_flow flow;
    uint8_t *seen;  /* [count + 1], EXIT too */
    uint32_t *work; /* [count + 1] */
    uint32_t waiting;
    uint32_t closed;
} walk;

static void visit(void *context, uint32_t node)
{
    walk *w = context;
    if (node == w->closed || w->seen[node])
        return;
    w->seen[node] = 1;
    if (node != w->flow.count)
        w->work[w->waiting++] = node;
}

static void visit_successors(walk *w, uint32_t node)
{
    uint32_t successor[2];
    const uint32_t count = flow_successors(&w->flow, node, successor);
    for (uint32_t i = 0; i < count; i++)
        visit(w, successor[i]);
}

static void begin(walk *w, uint32_t closed)
{
    memset(w->seen, 0, w->flow.count + 1);
    w->waiting = 0;
    w->closed = closed;
}

static int reaches(walk *w, uint32_t to)
{
    while (w->waiting)
        visit_successors(w, w->work[--w->waiting]);
    return w->seen[to];
}

/* A path of at least one step from a node to another that does not cross a third. */
static int leads_past(walk *w, uint32_t from, uint32_t closed, uint32_t to)
{
    begin(w, closed);
    visit_successors(w, from);
    return reaches(w, to);
}

/* A path from the beginning of a function. */
static int is_entered_past(walk *w, uint32_t closed, uint32_t to)
{
    begin(w, closed);
    flow_each_entry(&w->flow, visit, w);
    return reaches(w, to);
}

static int takes_turns(walk *w, uint32_t first, uint32_t second)
{
    return !leads_past(w, first, second, w->flow.count) && !leads_past(w, first, second, first) &&
           !leads_past(w, second, first, second) && !is_entered_past(w, first, second);
}

int isa_control_equivalent(const isa_program *program, uint32_t pc, uint32_t other_pc)
{
    walk w = {.flow = flow_of_program(program, NULL, 0)};
    const uint32_t one = (pc - program->text_address) / 4, other = (other_pc - program->text_address) / 4;
    w.seen = malloc(w.flow.count + 1);
    w.work = malloc((w.flow.count + 1) * sizeof *w.work);
    const int result = !w.seen || !w.work ? -1 : takes_turns(&w, one, other) || takes_turns(&w, other, one);
    free(w.seen);
    free(w.work);
    return result;
}
