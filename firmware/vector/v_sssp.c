/* SPDX-License-Identifier: MIT */
/* Shortest paths from node 0: rounds over the active nodes. Arguments: nodes, edges in a million, seed; 0: 100, 100000, 1. */
#include "sparse.h"
#include "vector.h"

#define FAR 0x7FFFFFFFu /* and with a weight still a positive number */

uint32_t v_relax(const uint32_t *offsets, const uint32_t *weights, uint32_t count, uint32_t from, uint32_t *distances,
                 uint32_t *active);

static uint32_t distances[SPARSE_ROWS], active[2][SPARSE_ROWS], expected[SPARSE_ROWS];

/* Every node also leads to the next one, so that all are reached: that edge is not in the rows. */
static uint32_t relax_next(uint32_t node, uint32_t nodes, uint32_t *to, uint32_t *is_active)
{
    const uint32_t next = node + 1;
    if (next == nodes || to[node] + 255 >= to[next])
        return 0;
    to[next] = to[node] + 255;
    if (is_active)
        is_active[next] = 1;
    return 1;
}

static void find(const sparse *g)
{
    uint32_t changed = 1;
    active[0][0] = 1;
    for (uint32_t round = 0; changed; round++) {
        uint32_t *now = active[round % 2], *then = active[(round + 1) % 2];
        changed = 0;
        for (uint32_t node = 0; node < g->rows; node++) {
            if (!now[node])
                continue;
            now[node] = 0;
            const uint32_t begin = g->begin[node];
            changed += v_relax(g->offset + begin, g->weight + begin, g->begin[node + 1] - begin, distances[node],
                               distances, then);
            changed += relax_next(node, g->rows, distances, then);
        }
    }
}

static void find_expected(const sparse *g)
{
    uint32_t changed = 1;
    while (changed) {
        changed = 0;
        for (uint32_t node = 0; node < g->rows; node++) {
            for (uint32_t i = g->begin[node]; expected[node] != FAR && i < g->begin[node + 1]; i++) {
                const uint32_t to = g->offset[i] / 4, distance = expected[node] + g->weight[i];
                if (distance < expected[to])
                    expected[to] = distance, changed = 1;
            }
            changed |= expected[node] != FAR && relax_next(node, g->rows, expected, 0);
        }
    }
}

int main(uint32_t nodes, uint32_t of_million, uint32_t seed)
{
    const sparse *g = sparse_make(nodes ? nodes : 100, of_million ? of_million : 100000, seed);
    uint32_t wrong = 0;
    for (uint32_t i = 1; i < g->rows; i++)
        distances[i] = expected[i] = FAR;
    measure_begin();
    find(g);
    measure_end();
    find_expected(g);
    for (uint32_t i = 0; i < g->rows; i++)
        wrong += distances[i] != expected[i];
    return wrong != 0;
}
