/* SPDX-License-Identifier: MIT */
/*
 * The table "delayed_reconvergence": lanes that part where others may then wait for them in a loop meet these no sooner than behind
 * the write that lets the loop end, and behind every branch on the way to it (ElTantawy 2018 §5.4.2, algorithm 5). What meets later
 * takes along all branches inside.
 */
#include "analysis.h"
#include "control_flow.h"
#include "deadlock_graph.h"
#include "loading.h"

#include <stdlib.h>

typedef struct delays {
    deadlock_graph graph;
    uint32_t *meeting;   /* [count]: node where those that part at this one meet; count: at the return */
    uint32_t *reached;   /* [count + 1]: number of the last walk that was here */
    uint32_t *reaches;   /* [count]: the same for walks against the edges */
    uint8_t *is_between; /* [count]: a branch that counts */
    uint8_t *is_closed;  /* [count]: no walk comes here */
    uint32_t walk;
    uint32_t reserved;
} delays;

static int is_branch(const delays *d, uint32_t node)
{
    return d->graph.flow.program->reachable[node] &&
           deadlock_instruction(&d->graph, node)->instruction_class == ISA_CLASS_BRANCH;
}

static int is_barrier(const delays *d, uint32_t node)
{
    const uint32_t instruction_class = deadlock_instruction(&d->graph, node)->instruction_class;
    return instruction_class == ISA_CLASS_BARRIER || instruction_class == ISA_CLASS_WARP_SYNC;
}

static uint32_t next_post_dominator(const delays *d, uint32_t node)
{
    const uint32_t next = d->graph.post_dominator[node];
    return next < d->graph.count ? next : d->graph.count;
}

/* The first node that all ways from both, or from one of them if it is that, cross. */
static uint32_t common(delays *d, uint32_t a, uint32_t b)
{
    const uint32_t count = d->graph.count;
    d->walk++;
    for (; a < count; a = next_post_dominator(d, a))
        d->reached[a] = d->walk;
    while (b < count && d->reached[b] != d->walk)
        b = next_post_dominator(d, b);
    return b;
}

/* Marks what is reached from `from`, with it, and not, if told so, by barriers. */
static void walk_from(delays *d, uint32_t from, int past_barriers)
{
    uint32_t *list = d->graph.list, size = 0;
    if (from >= d->graph.count || d->is_closed[from])
        return;
    d->reached[from] = d->walk;
    list[size++] = from;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t to[2];
        const uint32_t count =
            past_barriers || !is_barrier(d, list[i]) ? lint_successors(&d->graph.flow, list[i], to) : 0;
        for (uint32_t k = 0; k < count; k++) {
            if (d->is_closed[to[k]] || d->reached[to[k]] == d->walk)
                continue;
            d->reached[to[k]] = d->walk;
            list[size++] = to[k];
        }
    }
}

/* Marks in `reaches` what leads to the node, without barriers on the way. */
static void walk_to(delays *d, uint32_t node)
{
    const lint_flow *flow = &d->graph.flow;
    uint32_t *list = d->graph.list, size = 0;
    list[size++] = node;
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t k = flow->first[list[i]]; k < flow->first[list[i] + 1]; k++) {
            const uint32_t before = flow->before[k];
            if (d->reaches[before] == d->walk || d->is_closed[before] || is_barrier(d, before))
                continue;
            d->reaches[before] = d->walk;
            list[size++] = before;
        }
}

/* Those of the nodes that the last walks have both been at. */
static void keep_branches(delays *d)
{
    for (uint32_t node = 0; node < d->graph.count; node++)
        d->is_between[node] = d->reached[node] == d->walk && d->reaches[node] == d->walk && is_branch(d, node);
}

/* Behind the write, and behind all branches on ways to it from where those that wait in the loop would be met. */
static uint32_t behind_write(delays *d, uint32_t meeting, uint32_t write)
{
    uint32_t point = common(d, meeting, write + 1);
    d->walk++;
    walk_from(d, meeting, 0);
    walk_to(d, write);
    keep_branches(d);
    for (uint32_t node = 0; node < d->graph.count; node++)
        if (d->is_between[node])
            point = common(d, point, deadlock_meeting(&d->graph, node));
    return point;
}

static uint32_t node_at(const delays *d, uint32_t pc)
{
    return (pc - d->graph.flow.program->text_address) / 4;
}

static void close_locks(delays *d, const isa_deadlock *found, uint8_t is_closed)
{
    for (uint32_t i = 0; i < found->lock_count; i++)
        d->is_closed[node_at(d, found->locks[i])] = is_closed;
}

/* Not by ways on which the lock is taken anew, if that is what the writes give back: who takes it has found it free. */
static void delay(delays *d, const isa_deadlock *found)
{
    const uint32_t branch = node_at(d, found->branch), meeting = deadlock_meeting(&d->graph, branch);
    close_locks(d, found, 1);
    for (uint32_t i = 0; i < found->write_count; i++)
        d->meeting[branch] = common(d, d->meeting[branch], behind_write(d, meeting, node_at(d, found->writes[i])));
    close_locks(d, found, 0);
}

/* Those that part between a branch and its meeting point have met by then. Was one of them delayed beyond it? */
static int take_along(delays *d, uint32_t branch)
{
    const uint32_t before = d->meeting[branch];
    uint32_t to[2], point = before;
    d->walk++;
    const uint32_t sides = lint_successors(&d->graph.flow, branch, to);
    if (before < d->graph.count)
        d->is_closed[before] = 1;
    for (uint32_t i = 0; i < sides; i++)
        walk_from(d, to[i], 1);
    if (before < d->graph.count)
        d->is_closed[before] = 0;
    for (uint32_t node = 0; node < d->graph.count; node++)
        d->is_between[node] = d->reached[node] == d->walk && is_branch(d, node);
    for (uint32_t node = 0; node < d->graph.count; node++)
        if (d->is_between[node])
            point = common(d, point, d->meeting[node]);
    d->meeting[branch] = point;
    return point != before;
}

static void take_all_along(delays *d)
{
    for (int again = 1; again;) {
        again = 0;
        for (uint32_t node = 0; node < d->graph.count; node++)
            if (is_branch(d, node))
                again |= take_along(d, node);
    }
}

static int open_delays(delays *d, const isa_program *program)
{
    const size_t count = program->text_bytes / 4;
    *d = (delays){.walk = 0};
    const int failed = deadlock_graph_open(&d->graph, program, NULL, 0);
    d->meeting = malloc(count * sizeof *d->meeting);
    d->reached = calloc(count + 1, sizeof *d->reached);
    d->reaches = calloc(count, sizeof *d->reaches);
    d->is_between = calloc(count, 1);
    d->is_closed = calloc(count, 1);
    if (failed || !d->meeting || !d->reached || !d->reaches || !d->is_between || !d->is_closed)
        return -1;
    for (uint32_t node = 0; node < count; node++)
        d->meeting[node] = deadlock_meeting(&d->graph, node);
    return 0;
}

static void close_delays(delays *d)
{
    deadlock_graph_close(&d->graph);
    free(d->meeting);
    free(d->reached);
    free(d->reaches);
    free(d->is_between);
    free(d->is_closed);
}

static int fill(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    const isa_deadlock_options options = {.divergence = ISA_DIVERGENCE_SPLITS};
    isa_deadlocks deadlocks;
    delays d;
    int failed = open_delays(&d, program);
    if (!failed && !(failed = isa_deadlocks_find(program, &options, &deadlocks))) {
        for (uint32_t i = 0; i < deadlocks.count; i++)
            delay(&d, &deadlocks.found[i]);
        if (deadlocks.count)
            take_all_along(&d);
        isa_deadlocks_free(&deadlocks);
        for (uint32_t node = 0; node < d.graph.count; node++)
            values[node] =
                d.meeting[node] == d.graph.count ? ISA_RECONVERGE_AT_RETURN : deadlock_pc(&d.graph, d.meeting[node]);
    }
    close_delays(&d);
    return failed ? isa_fail(error, error_bytes, "out of memory") : 0;
}

const isa_analysis isa_delayed_reconvergence = {
    .name = "delayed_reconvergence",
    .doc = "where lanes that part here meet again, if none of them may be waited for before",
    .none = ISA_RECONVERGE_AT_RETURN,
    .fill = fill,
};
