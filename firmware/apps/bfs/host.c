/* SPDX-License-Identifier: MIT */
#include "graph.h"

/* queued: vertices that were in a frontier, over all levels. */
static void check_distances(const graph *g, const uint32_t *got, uint32_t source, uint64_t queued)
{
    const uint32_t *expected = graph_distances(g, source);
    uint32_t reached = 0;
    uint32_t farthest = 0;
    uint64_t traversed = 0;
    for (uint32_t v = 0; v < g->vertices; v++) {
        host_check_word("distance", v, got[v], expected[v]);
        if (expected[v] == BFS_UNREACHED)
            continue;
        reached++;
        traversed += g->first_edge[v + 1] - g->first_edge[v];
        farthest = expected[v] > farthest ? expected[v] : farthest;
    }
    hd_check(queued == reached, "the frontiers held %llu vertices, expected %u", (unsigned long long)queued, reached);
    hd_report("reached", reached);
    hd_report("levels", farthest + 1);
    hd_report("edges_traversed", traversed);
}

int hd_app_main(void)
{
    uint32_t scale = host_option("scale", 11, 1, 20);
    uint32_t edge_factor = host_option("edge_factor", 8, 1, 64);
    uint32_t uniform = host_option("uniform", 0, 0, 1);
    uint32_t block = host_option("block", 128, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    uint32_t source = host_option("source", 0, 0, (1u << scale) - 1);

    graph g = graph_random(uniform ? GRAPH_UNIFORM : GRAPH_SKEWED, scale, edge_factor, &random);
    size_t vertex_bytes = g.vertices * sizeof(uint32_t);
    const uint32_t zero = 0;
    bfs_args args = {.first_edge = host_upload(g.first_edge, vertex_bytes + sizeof(uint32_t)),
                     .targets = host_upload(g.targets, g.edges * sizeof(uint32_t)),
                     .distance = host_filled(0xFF, vertex_bytes),
                     .frontier = host_poisoned(vertex_bytes),
                     .next = host_poisoned(vertex_bytes),
                     .next_count = hd_malloc(sizeof(uint32_t)),
                     .count = 1};
    hd_copy_to_device(hd_offset(args.distance, source * (uint32_t)sizeof(uint32_t)), &zero, sizeof zero);
    hd_copy_to_device(args.frontier, &source, sizeof source);

    uint64_t queued = 0;
    while (args.count != 0) {
        queued += args.count;
        hd_copy_to_device(args.next_count, &zero, sizeof zero);
        host_launch("bfs_level", host_blocks(args.count, block), hd_1d(block), 0, &args, sizeof args);
        hd_copy_from_device(&args.count, args.next_count, sizeof args.count);
        hd_check(args.count <= g.vertices, "level %u: the next frontier has %u vertices, the graph has %u", args.level,
                 args.count, g.vertices);
        hd_device_ptr done = args.frontier;
        args.frontier = args.next;
        args.next = done;
        args.level++;
    }

    uint32_t *distance = hd_host_alloc(vertex_bytes);
    hd_copy_from_device(distance, args.distance, vertex_bytes);
    check_distances(&g, distance, source, queued);
    return HD_PASS;
}
