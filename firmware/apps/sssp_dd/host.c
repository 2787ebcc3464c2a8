/* SPDX-License-Identifier: MIT */
#include "../bfs/graph.h"
#include "args.h"

/* An edge and the one back weigh the same: the numbers of their ends decide. */
static uint32_t *draw_weights(const graph *g, uint32_t most, uint64_t seed)
{
    uint32_t *weights = hd_host_alloc(g->edges * sizeof *weights);
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint32_t e = g->first_edge[v]; e < g->first_edge[v + 1]; e++) {
            const uint32_t other = g->targets[e], low = v < other ? v : other, high = v < other ? other : v;
            uint64_t state = seed + ((uint64_t)high << 32 | low);
            weights[e] = 1 + host_random_below(&state, most);
        }
    return weights;
}

typedef struct heap_item {
    uint32_t distance, vertex;
} heap_item;

typedef struct heap {
    heap_item *items;
    uint32_t count;
} heap;

static void heap_put(heap *h, heap_item item)
{
    uint32_t at = h->count++;
    for (; at > 0 && h->items[(at - 1) / 2].distance > item.distance; at = (at - 1) / 2)
        h->items[at] = h->items[(at - 1) / 2];
    h->items[at] = item;
}

static heap_item heap_take(heap *h)
{
    const heap_item least = h->items[0], last = h->items[--h->count];
    uint32_t at = 0;
    for (uint32_t below; (below = 2 * at + 1) < h->count; at = below) {
        below += below + 1 < h->count && h->items[below + 1].distance < h->items[below].distance;
        if (h->items[below].distance >= last.distance)
            break;
        h->items[at] = h->items[below];
    }
    h->items[at] = last;
    return least;
}

/* Dijkstra 1959. */
static uint32_t *shortest(const graph *g, const uint32_t *weights, uint32_t source)
{
    uint32_t *distance = hd_host_alloc(g->vertices * sizeof *distance);
    heap h = {.items = hd_host_alloc((g->edges + 1) * sizeof *h.items)};
    for (uint32_t v = 0; v < g->vertices; v++)
        distance[v] = SSSP_UNREACHED;
    distance[source] = 0;
    heap_put(&h, (heap_item){0, source});
    while (h.count) {
        const heap_item nearest = heap_take(&h);
        if (nearest.distance != distance[nearest.vertex])
            continue;
        for (uint32_t e = g->first_edge[nearest.vertex]; e < g->first_edge[nearest.vertex + 1]; e++) {
            const uint32_t found = nearest.distance + weights[e];
            if (found >= distance[g->targets[e]])
                continue;
            distance[g->targets[e]] = found;
            heap_put(&h, (heap_item){found, g->targets[e]});
        }
    }
    hd_host_free(h.items);
    return distance;
}

/* The source alone is in its list. */
static void fill_lists(sssp_args *args, const graph *g, uint32_t source)
{
    const uint32_t own = (g->vertices + args->list_count - 1) / args->list_count, one = 1, zero = 0;
    const sssp_list begun = {.taken = 0, .reserved = 1, .written = 1};
    for (args->room = 1; args->room < own;)
        args->room *= 2;
    const uint32_t list = sssp_list_of(source, args->list_count);
    args->distance = host_filled(0xFF, g->vertices * 4);
    args->is_listed = host_filled(0, g->vertices * 4);
    args->lists = host_filled(0, args->list_count * sizeof(sssp_list));
    args->items = host_poisoned((size_t)args->list_count * args->room * 4);
    args->unfinished = host_upload(&one, sizeof one);
    hd_copy_to_device(hd_offset(args->distance, source * 4), &zero, sizeof zero);
    hd_copy_to_device(hd_offset(args->is_listed, source * 4), &one, sizeof one);
    hd_copy_to_device(hd_offset(args->lists, list * (uint32_t)sizeof begun), &begun, sizeof begun);
    hd_copy_to_device(hd_offset(args->items, list * args->room * 4), &source, sizeof source);
}

int hd_app_main(void)
{
    const uint32_t scale = host_option("scale", 10, 1, 20), edge_factor = host_option("edge_factor", 8, 1, 64);
    const uint32_t uniform = host_option("uniform", 0, 0, 1), most = host_option("weights", 64, 1, 1u << 20);
    const uint32_t grid = host_option("grid", 16, 1, 4096), block = host_option("block", 128, 1, 1024);
    const uint32_t lists = host_option("lists", 0, 0, 4096), source = host_option("source", 0, 0, (1u << scale) - 1);
    uint64_t random = hd_option("seed", 1);

    const graph g = graph_random(uniform ? GRAPH_UNIFORM : GRAPH_SKEWED, scale, edge_factor, &random);
    const uint32_t *weights = draw_weights(&g, most, random);
    sssp_args args = {.first_edge = host_upload(g.first_edge, (g.vertices + 1) * sizeof(uint32_t)),
                      .targets = host_upload(g.targets, g.edges * sizeof(uint32_t)),
                      .weights = host_upload(weights, g.edges * sizeof(uint32_t)),
                      .list_count = lists ? lists : grid};
    fill_lists(&args, &g, source);
    host_launch("sssp_dd", hd_1d(grid), hd_1d(block), 16, &args, sizeof args);

    const uint32_t *distance = host_download(args.distance, g.vertices * 4), *expected = shortest(&g, weights, source);
    uint32_t reached = 0;
    for (uint32_t v = 0; v < g.vertices; v++) {
        host_check_word("distance", v, distance[v], expected[v]);
        reached += expected[v] != SSSP_UNREACHED;
    }
    const uint32_t *unfinished = host_download(args.unfinished, 4);
    host_check_word("unfinished", 0, *unfinished, 0);
    hd_report("reached", reached);
    return HD_PASS;
}
