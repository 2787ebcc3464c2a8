/* SPDX-License-Identifier: MIT */
/* How far each vertex of a graph is from the first: level by level, each from a list of the vertices of the one before. */
#include "library.h"

enum { VERTICES = 1500 };

static void reference(const matrix *graph, int *levels)
{
    static cl_uint queue[VERTICES];
    cl_uint first = 0, end = 1;
    for (cl_uint v = 0; v < graph->rows; v++)
        levels[v] = -1;
    levels[0] = 0;
    queue[0] = 0;
    for (; first < end; first++)
        for (cl_uint i = graph->offsets[queue[first]]; i < graph->offsets[queue[first] + 1]; i++) {
            const cl_uint to = graph->columns[i];
            if (levels[to] >= 0)
                continue;
            levels[to] = levels[queue[first]] + 1;
            queue[end++] = to;
        }
}

typedef struct search {
    cl_kernel expand;
    cl_mem offsets, neighbours, levels, frontier, next, next_count;
} search;

static void open_search(search *made, const library *of, const matrix *graph)
{
    *made = (search){.expand = kernel_named(&of->rig, "expand"),
                     .offsets = new_buffer(&of->rig, (graph->rows + 1) * sizeof(cl_uint), graph->offsets),
                     .neighbours = new_buffer(&of->rig, graph->entries * sizeof(cl_uint), graph->columns),
                     .levels = new_buffer(&of->rig, graph->rows * sizeof(int), NULL),
                     .frontier = new_buffer(&of->rig, graph->rows * sizeof(cl_uint), NULL),
                     .next = new_buffer(&of->rig, graph->rows * sizeof(cl_uint), NULL),
                     .next_count = new_buffer(&of->rig, sizeof(cl_uint), NULL)};
    set_buffer(made->expand, 0, made->offsets);
    set_buffer(made->expand, 1, made->neighbours);
    set_buffer(made->expand, 2, made->levels);
    set_buffer(made->expand, 6, made->next_count);
}

static void close_search(search *gone)
{
    cl_mem const own[] = {gone->offsets, gone->neighbours, gone->levels, gone->frontier, gone->next, gone->next_count};
    for (int i = 0; i < 6; i++)
        CHECK(clReleaseMemObject(own[i]));
    CHECK(clReleaseKernel(gone->expand));
}

/* Returns how many vertices the next frontier has, by a map of the counter. */
static cl_uint go_on(search *with, chain *at, cl_uint count, int level)
{
    cl_int error;
    set_buffer(with->expand, 3, with->frontier);
    set_uint(with->expand, 4, count);
    set_buffer(with->expand, 5, with->next);
    set_int(with->expand, 7, level);
    chain_fill(at, with->next_count, 0, sizeof(cl_uint));
    chain_launch(at, with->expand, count, GROUP);
    cl_uint *mapped = clEnqueueMapBuffer(at->of->kernels, with->next_count, CL_TRUE, CL_MAP_READ, 0, sizeof *mapped, 1,
                                         &at->last, NULL, &error);
    CHECK(error);
    const cl_uint found = *mapped;
    CHECK(clEnqueueUnmapMemObject(at->of->kernels, with->next_count, mapped, 0, NULL, NULL));
    CHECK(clEnqueueBarrierWithWaitList(at->of->kernels, 0, NULL, NULL)); /* the counter is not filled before */
    return found;
}

static void find_levels(search *with, const library *of, int *levels, cl_uint vertices)
{
    static const cl_uint first = 0;
    static const int none = 0;
    chain at = chain_new(of);
    cl_uint count = 1;
    chain_fill(&at, with->levels, UINT32_MAX, vertices * sizeof(int));
    chain_write(&at, with->levels, &none, sizeof none);
    chain_write(&at, with->frontier, &first, sizeof first);
    for (int level = 1; count; level++) {
        count = go_on(with, &at, count, level);
        cl_mem other = with->frontier;
        with->frontier = with->next;
        with->next = other;
    }
    chain_read(&at, with->levels, levels, vertices * sizeof(int));
    chain_finish(&at);
}

void run_breadth_first(const library *of)
{
    static int expected[VERTICES], levels[VERTICES];
    matrix graph = matrix_random(VERTICES, 4, 29);
    search with;
    open_search(&with, of, &graph);
    find_levels(&with, of, levels, VERTICES);
    reference(&graph, expected);
    report("breadth_first", !memcmp(levels, expected, sizeof levels), digest(levels, sizeof levels));
    close_search(&with);
    matrix_free(&graph);
}
