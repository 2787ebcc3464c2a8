/* SPDX-License-Identifier: MIT */
/* Ranks of the vertices of a graph, in fixed point: equal wherever they are computed. */
#include "library.h"

enum { VERTICES = 800, STEPS_MAX = 50, ONE = 1 << 20, ENOUGH = 16 };
#define DAMPING 0xd9999999u /* 0.85 */

/* ---- With a plain loop -------------------------------------------------------------------------------------------------- */

static cl_uint weighted(cl_uint sum)
{
    return (cl_uint)((uint64_t)sum * DAMPING >> 32);
}

static cl_uint rest(void)
{
    return ONE - weighted(ONE);
}

static cl_uint step(const matrix *graph, cl_uint *ranks, cl_uint *shares)
{
    cl_uint change = 0;
    for (cl_uint v = 0; v < graph->rows; v++)
        shares[v] = ranks[v] / (graph->offsets[v + 1] - graph->offsets[v]);
    for (cl_uint v = 0; v < graph->rows; v++) {
        cl_uint sum = 0;
        for (cl_uint i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            sum += shares[graph->columns[i]];
        const cl_uint rank = rest() + weighted(sum), old = ranks[v];
        change = (rank > old ? rank - old : old - rank) > change ? (rank > old ? rank - old : old - rank) : change;
        ranks[v] = rank;
    }
    return change;
}

static int reference(const matrix *graph, cl_uint *ranks)
{
    static cl_uint shares[VERTICES];
    int steps = 0;
    for (cl_uint v = 0; v < graph->rows; v++)
        ranks[v] = ONE;
    while (steps < STEPS_MAX && step(graph, ranks, shares) > ENOUGH)
        steps++;
    return steps;
}

/* ---- With the device ------------------------------------------------------------------------------------------------------ */

typedef struct ranking {
    cl_kernel divide, collect;
    cl_mem offsets, neighbours, ranks, shares, change;
} ranking;

static void open_ranking(ranking *made, const library *of, const matrix *graph)
{
    *made = (ranking){.divide = kernel_named(&of->rig, "divide_ranks"),
                      .collect = kernel_named(&of->rig, "collect_ranks"),
                      .offsets = new_buffer(&of->rig, (graph->rows + 1) * sizeof(cl_uint), graph->offsets),
                      .neighbours = new_buffer(&of->rig, graph->entries * sizeof(cl_uint), graph->columns),
                      .ranks = new_buffer(&of->rig, graph->rows * sizeof(cl_uint), NULL),
                      .shares = new_buffer(&of->rig, graph->rows * sizeof(cl_uint), NULL),
                      .change = new_buffer(&of->rig, sizeof(cl_uint), NULL)};
    cl_mem const divides[] = {made->offsets, made->ranks, made->shares};
    for (cl_uint i = 0; i < 3; i++)
        set_buffer(made->divide, i, divides[i]);
    set_uint(made->divide, 3, graph->rows);
    cl_mem const collects[] = {made->offsets, made->neighbours, made->shares, made->ranks, made->change};
    for (cl_uint i = 0; i < 5; i++)
        set_buffer(made->collect, i, collects[i]);
    set_uint(made->collect, 5, graph->rows);
    set_uint(made->collect, 6, DAMPING);
    set_uint(made->collect, 7, rest());
}

static void close_ranking(ranking *gone)
{
    cl_mem const own[] = {gone->offsets, gone->neighbours, gone->ranks, gone->shares, gone->change};
    for (int i = 0; i < 5; i++)
        CHECK(clReleaseMemObject(own[i]));
    CHECK(clReleaseKernel(gone->divide));
    CHECK(clReleaseKernel(gone->collect));
}

static int rank(ranking *with, const library *of, cl_uint vertices, cl_uint *ranks)
{
    chain at = chain_new(of);
    cl_uint change = UINT32_MAX;
    int steps = 0;
    chain_fill(&at, with->ranks, ONE, vertices * sizeof(cl_uint));
    while (1) {
        chain_fill(&at, with->change, 0, sizeof change);
        chain_launch(&at, with->divide, vertices, GROUP);
        chain_launch(&at, with->collect, vertices, GROUP);
        chain_read(&at, with->change, &change, sizeof change);
        chain_finish(&at);
        if (steps == STEPS_MAX || change <= ENOUGH)
            break;
        steps++;
    }
    chain_read(&at, with->ranks, ranks, vertices * sizeof(cl_uint));
    chain_finish(&at);
    return steps;
}

void run_page_rank(const library *of)
{
    static cl_uint expected[VERTICES], ranks[VERTICES];
    matrix graph = matrix_random(VERTICES, 6, 23);
    ranking with;
    open_ranking(&with, of, &graph);
    const int steps = rank(&with, of, VERTICES, ranks);
    const int is_right = steps == reference(&graph, expected) && !memcmp(ranks, expected, sizeof ranks);
    report("page_rank", is_right, digest(ranks, sizeof ranks) + (uint32_t)steps);
    close_ranking(&with);
    matrix_free(&graph);
}
