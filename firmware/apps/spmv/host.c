/* SPDX-License-Identifier: MIT */
#include "../bfs/graph.h"
#include "args.h"

/* The kernel's chain of fused multiply-adds: with the inputs of host_random_float, product and sum are exact in double
 * and rounded once, to float. */
static float reference(const graph *g, const float *values, const float *x, uint32_t row)
{
    float sum = 0;
    for (uint32_t i = g->first_edge[row]; i < g->first_edge[row + 1]; i++)
        sum = (float)((double)values[i] * (double)x[g->targets[i]] + (double)sum);
    return sum;
}

int hd_app_main(void)
{
    uint32_t scale = host_option("scale", 11, 1, 20);
    uint32_t edge_factor = host_option("edge_factor", 8, 1, 64);
    uint32_t block = host_option("block", 128, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    graph g = graph_random(GRAPH_SKEWED, scale, edge_factor, &random);
    size_t vector_bytes = g.vertices * sizeof(float);
    size_t matrix_bytes = g.edges * sizeof(float);
    float *values = hd_host_alloc(matrix_bytes);
    float *x = hd_host_alloc(vector_bytes);
    float *y = hd_host_alloc(vector_bytes);
    for (uint32_t i = 0; i < g.edges; i++)
        values[i] = host_random_float(&random);
    for (uint32_t i = 0; i < g.vertices; i++)
        x[i] = host_random_float(&random);

    spmv_args args = {.first = host_upload(g.first_edge, vector_bytes + sizeof(uint32_t)),
                      .columns = host_upload(g.targets, matrix_bytes),
                      .values = host_upload(values, matrix_bytes),
                      .x = host_upload(x, vector_bytes),
                      .y = host_poisoned(vector_bytes),
                      .rows = g.vertices};
    host_launch("spmv", host_blocks(g.vertices, block), hd_1d(block), 0, &args, sizeof args);

    hd_copy_from_device(y, args.y, vector_bytes);
    for (uint32_t row = 0; row < g.vertices; row++)
        host_check_float("y", row, y[row], reference(&g, values, x, row));
    hd_report("elements", g.edges);
    return HD_PASS;
}
