/* SPDX-License-Identifier: MIT */
#include "../bfs/graph.h"
#include "args.h"

typedef struct undirected_edge {
    uint32_t low, high, rank; /* ends; place in the order of weights */
} undirected_edge;

/* Each pair of vertices that have edges has a weight of its own: its place in an order by chance. */
typedef struct weighted {
    graph g;
    float *weights;
    uint32_t pair_count;
    undirected_edge *pairs; /* from the lightest on */
} weighted;

static int is_before(const undirected_edge *a, const undirected_edge *b)
{
    return a->low < b->low || (a->low == b->low && a->high < b->high);
}

static void sift(undirected_edge *pairs, uint32_t at, uint32_t count)
{
    const undirected_edge item = pairs[at];
    for (uint32_t below; (below = 2 * at + 1) < count; at = below) {
        below += below + 1 < count && is_before(&pairs[below], &pairs[below + 1]);
        if (!is_before(&item, &pairs[below]))
            break;
        pairs[at] = pairs[below];
    }
    pairs[at] = item;
}

static void sort(undirected_edge *pairs, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(pairs, i, count);
    for (uint32_t last = count; last-- > 1;) {
        const undirected_edge greatest = pairs[0];
        pairs[0] = pairs[last];
        pairs[last] = greatest;
        sift(pairs, 0, last);
    }
}

static uint32_t list_pairs(const graph *g, undirected_edge *pairs)
{
    uint32_t all = 0, count = 0;
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint32_t e = g->first_edge[v]; e < g->first_edge[v + 1]; e++)
            if (v < g->targets[e])
                pairs[all++] = (undirected_edge){.low = v, .high = g->targets[e]};
    sort(pairs, all);
    for (uint32_t i = 0; i < all; i++)
        if (i == 0 || is_before(&pairs[i - 1], &pairs[i]))
            pairs[count++] = pairs[i];
    return count;
}

static uint32_t rank_of(const undirected_edge *pairs, uint32_t count, uint32_t a, uint32_t b)
{
    const undirected_edge wanted = {.low = a < b ? a : b, .high = a < b ? b : a};
    uint32_t first = 0, last = count;
    while (last - first > 1) {
        const uint32_t middle = (first + last) / 2;
        if (is_before(&wanted, &pairs[middle]))
            last = middle;
        else
            first = middle;
    }
    return pairs[first].rank;
}

static weighted draw(uint64_t *random)
{
    const uint32_t scale = host_option("scale", 10, 1, 16), edge_factor = host_option("edge_factor", 8, 1, 64);
    weighted w = {
        .g = graph_random(host_option("uniform", 0, 0, 1) ? GRAPH_UNIFORM : GRAPH_SKEWED, scale, edge_factor, random)};
    undirected_edge *pairs = hd_host_alloc((w.g.edges / 2 + 1) * sizeof *pairs);
    w.pair_count = list_pairs(&w.g, pairs);
    w.pairs = hd_host_alloc((w.pair_count + 1) * sizeof *w.pairs);
    uint32_t *ranks = hd_host_alloc((w.pair_count + 1) * sizeof *ranks);
    for (uint32_t i = 0; i < w.pair_count; i++) {
        const uint32_t other = host_random_below(random, i + 1);
        ranks[i] = ranks[other];
        ranks[other] = i;
    }
    for (uint32_t i = 0; i < w.pair_count; i++) {
        pairs[i].rank = ranks[i];
        w.pairs[ranks[i]] = pairs[i];
    }
    w.weights = hd_host_alloc((w.g.edges + 1) * sizeof *w.weights);
    for (uint32_t v = 0; v < w.g.vertices; v++)
        for (uint32_t e = w.g.first_edge[v]; e < w.g.first_edge[v + 1]; e++)
            w.weights[e] =
                v == w.g.targets[e] ? 1 : (float)(1 + rank_of(pairs, w.pair_count, v, w.g.targets[e])) / 1024;
    hd_host_free(ranks);
    hd_host_free(pairs);
    return w;
}

/* ---- Kruskal 1956 ---------------------------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex)
        vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

/* Of each pair of vertices, by its weight: is it in the forest? */
static uint8_t *forest_of(const weighted *w)
{
    uint8_t *is_in = hd_host_alloc(w->pair_count + 1);
    uint32_t *parent = hd_host_alloc(w->g.vertices * sizeof *parent);
    for (uint32_t v = 0; v < w->g.vertices; v++)
        parent[v] = v;
    for (uint32_t i = 0; i < w->pair_count; i++) {
        const uint32_t low = root_of(parent, w->pairs[i].low), high = root_of(parent, w->pairs[i].high);
        is_in[i] = low != high;
        parent[high] = low;
    }
    hd_host_free(parent);
    return is_in;
}

static uint32_t rank_of_weight(float weight)
{
    return (uint32_t)(weight * 1024) - 1;
}

/* An edge that is chosen from one side, of several between the same vertices any: its pair is in the forest, once. */
static uint32_t check_forest(const weighted *w, const uint32_t *chosen)
{
    uint8_t *expected = forest_of(w);
    uint32_t edges = 0;
    for (uint32_t v = 0; v < w->g.vertices; v++)
        for (uint32_t e = w->g.first_edge[v]; e < w->g.first_edge[v + 1]; e++) {
            hd_check(chosen[e] <= 1, "in_forest[%u] is %u", e, chosen[e]);
            if (!chosen[e])
                continue;
            hd_check(v != w->g.targets[e] && expected[rank_of_weight(w->weights[e])] == 1,
                     "the edge from %u to %u is not in the forest, or is there twice", v, w->g.targets[e]);
            expected[rank_of_weight(w->weights[e])] = 2;
            edges++;
        }
    for (uint32_t i = 0; i < w->pair_count; i++)
        hd_check(expected[i] != 1, "the edge from %u to %u is missing in the forest", w->pairs[i].low,
                 w->pairs[i].high);
    hd_host_free(expected);
    return edges;
}

static uint32_t joined_in_a_round(mst_args *args, uint32_t block)
{
    const uint32_t zero = 0;
    static const char *const kernels[] = {"mst_find", "mst_join", "mst_flatten"};
    hd_copy_to_device(args->joined, &zero, sizeof zero);
    for (uint32_t i = 0; i < 3; i++)
        hd_wait(host_launch(kernels[i], host_blocks(args->vertices, block), hd_1d(block), 0, args, sizeof *args));
    uint32_t joined;
    hd_copy_from_device(&joined, args->joined, sizeof joined);
    return joined;
}

int hd_app_main(void)
{
    uint64_t random = hd_option("seed", 1);
    const weighted w = draw(&random);
    const uint32_t block = host_option("block", 256, 1, 1024);
    uint32_t *own = hd_host_alloc(w.g.vertices * sizeof *own);
    for (uint32_t v = 0; v < w.g.vertices; v++)
        own[v] = v;
    mst_args args = {.first_edge = host_upload(w.g.first_edge, (w.g.vertices + 1) * 4),
                     .targets = host_upload(w.g.targets, w.g.edges * 4),
                     .weights = host_upload(w.weights, w.g.edges * 4),
                     .component = host_upload(own, w.g.vertices * 4),
                     .parent = host_upload(own, w.g.vertices * 4),
                     .lightest = host_filled(0xFF, w.g.vertices * 4),
                     .choice = host_poisoned(w.g.vertices * 4),
                     .in_forest = host_filled(0, w.g.edges * 4),
                     .joined = hd_malloc(4),
                     .vertices = w.g.vertices};
    uint32_t rounds = 1;
    while (joined_in_a_round(&args, block))
        hd_check(++rounds <= w.g.vertices, "components join without end");
    const uint32_t *chosen = host_download(args.in_forest, w.g.edges * 4);
    hd_report("edges", check_forest(&w, chosen));
    hd_report("rounds", rounds);
    return HD_PASS;
}
