/* SPDX-License-Identifier: MIT */
/* Breadth first, a launch for each level: structs in memory, and a loop of the host that asks whether there was anything. */
#include <vector>

#include "check.cuh"

struct node {
    int first, count; /* of its edges */
};

__global__ void visit(const node *nodes, const int *edges, int *levels, int level, int n, bool *is_news)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || levels[i] != level)
        return;
    for (int edge = nodes[i].first; edge < nodes[i].first + nodes[i].count; edge++)
        if (levels[edges[edge]] < 0) {
            levels[edges[edge]] = level + 1;
            *is_news = true;
        }
}

static std::vector<int> search(const std::vector<node> &nodes, const std::vector<int> &edges)
{
    std::vector<int> levels(nodes.size(), -1), now = {0};
    levels[0] = 0;
    for (int level = 1; !now.empty(); level++) {
        std::vector<int> next;
        for (int i : now)
            for (int edge = nodes[i].first; edge < nodes[i].first + nodes[i].count; edge++)
                if (levels[edges[edge]] < 0) {
                    levels[edges[edge]] = level;
                    next.push_back(edges[edge]);
                }
        now = next;
    }
    return levels;
}

int main()
{
    const int n = 600;
    std::vector<node> nodes(n);
    std::vector<int> edges, levels(n, -1);
    unsigned state = 7;
    for (int i = 0; i < n; i++) {
        nodes[i] = {(int)edges.size(), (int)(next_random(&state) >> 30)};
        for (int k = 0; k < nodes[i].count; k++)
            edges.push_back((int)((next_random(&state) >> 8) % n));
    }
    nodes[0].count = 0;
    nodes[0] = {(int)edges.size(), 3};
    edges.insert(edges.end(), {1, 2, 3});
    levels[0] = 0;
    node *device_nodes = to_device(nodes.data(), n);
    int *device_edges = to_device(edges.data(), edges.size()), *device_levels = to_device(levels.data(), n);
    bool is_news = true, *device_is_news = to_device(&is_news, 1);
    for (int level = 0; is_news; level++) {
        is_news = false;
        CUDA(cudaMemcpy(device_is_news, &is_news, sizeof is_news, cudaMemcpyHostToDevice));
        visit<<<(n + 127) / 128, 128>>>(device_nodes, device_edges, device_levels, level, n, device_is_news);
        from_device(&is_news, device_is_news, 1);
    }
    from_device(levels.data(), device_levels, n);
    const std::vector<int> expected = search(nodes, edges);
    for (int i = 0; i < n; i++)
        EXPECT(levels[i] == expected[i], "node %d is at %d, expected %d", i, levels[i], expected[i]);
    return passed();
}
